"""A voucher's ticket, for the terminal that was given it: as data, and as a page to be printed."""

from collections.abc import Sequence
from html import escape
from zoneinfo import ZoneInfo

import msgspec
from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from croupier.floor.cage.ticket import amount_in_words, barcode_svg, ticket_text
from croupier.floor.cage.vouchers import OUTSTANDING, Voucher
from croupier.floor.office.staff import CAGE_DUTY
from croupier.rulebook import show_cents
from croupier.server.http.callers import Caller
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a ticket shows."""

    site: str
    number: str
    cents: int
    currency: str
    figures: str
    words: str
    table: str
    seat: str
    sequence: int
    """With the table, the ticket's place in the record."""
    issued_ms: int
    expires_ms: int
    lines: tuple[str, ...]
    """The lines as they are printed, times as the house's clocks show them."""
    barcode_svg: str


@get("/api/vouchers/{number:str}/ticket", name="ticket", summary="A voucher's ticket", tags=["Cage"])
async def read_ticket(
    house: NamedDependency[House], caller: NamedDependency[Caller], number: FromPath[str]
) -> Ticket:
    """What the ticket of an outstanding voucher shows.

    For the terminal that was given it, and the cage, which has scanned its number.
    """
    voucher = await house.run(house.floor.cage.find, number)
    return await house.run(_ticket, house, _own(caller, voucher))


@get(
    "/api/vouchers/{number:str}/ticket.html",
    name="ticket-page",
    summary="A ticket to be printed",
    tags=["Cage"],
    media_type=MediaType.HTML,
)
async def print_ticket(
    house: NamedDependency[House], caller: NamedDependency[Caller], number: FromPath[str]
) -> Response[str]:
    """The ticket as a page: amount in figures and words, barcode, when issued and until when good."""
    voucher = await house.run(house.floor.cage.find, number)
    ticket = await house.run(_ticket, house, _own(caller, voucher))
    return Response(_page(ticket), media_type=MediaType.HTML)


HANDLERS: Sequence[HTTPRouteHandler] = (read_ticket, print_ticket)


def _own(caller: Caller, voucher: Voucher) -> Voucher:
    if not _may_hold(caller, voucher):
        # Whoever guesses numbers is told what everybody is told who guesses wrong.
        raise refuse(
            "voucher-unknown", "No voucher with this number was issued here. Look at the ticket again."
        )
    if voucher.status != OUTSTANDING:
        raise refuse(
            f"voucher-{voucher.status}", f"This voucher is {voucher.status}; it is not printed again."
        )
    return voucher


def _may_hold(caller: Caller, voucher: Voucher) -> bool:
    """Whether a ticket is for whoever asks: the seat's terminal, or the cage."""
    if caller.device is not None:
        return (caller.device.table, caller.device.seat) == (voucher.table, voucher.seat)
    return caller.session is not None and CAGE_DUTY in caller.session.duties


def _ticket(house: House, voucher: Voucher) -> Ticket:
    currency = house.floor.currency_of(voucher.table)
    text = ticket_text(voucher, house.site, ZoneInfo(house.zone), currency)
    return Ticket(
        site=house.site,
        number=voucher.number,
        cents=voucher.cents,
        currency=currency,
        figures=show_cents(voucher.cents),
        words=amount_in_words(voucher.cents, currency),
        table=voucher.table,
        seat=voucher.seat,
        sequence=voucher.sequence,
        issued_ms=voucher.issued_ms,
        expires_ms=voucher.expires_ms,
        lines=tuple(text.split("\n")),
        barcode_svg=barcode_svg(voucher.number),
    )


def _page(ticket: Ticket) -> str:
    lines = "\n".join(f"<p>{escape(line)}</p>" for line in ticket.lines)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Voucher {escape(ticket.number[-4:])}</title>
<link rel="stylesheet" href="/api/style.css">
</head>
<body class="ticket">
{lines}
{ticket.barcode_svg}
</body>
</html>
"""

"""The cage's window: vouchers found, paid once, voided, reinstated, listed."""

import hashlib
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, HeaderParameter, JSONBody

from croupier.floor.cage.numbers import masked
from croupier.floor.cage.vouchers import Asked, Voucher
from croupier.rulebook import BadInput
from croupier.server.http.callers import Caller
from croupier.server.http.devices import Reason
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse

LATEST: Final = 35
"""How many of a seat's vouchers can be looked up, as test laboratories ask."""


class VoucherLine(msgspec.Struct, frozen=True, kw_only=True):
    """A voucher that is still to be paid; only the end of its number, which is as good as its money."""

    number: str
    cents: int
    currency: str
    """That of the table that issued it; "" where the table's book is not at hand."""
    table: str
    seat: str
    issued_ms: int
    expires_ms: int


class Outstanding(msgspec.Struct, frozen=True, kw_only=True):
    """Every voucher whose end is not on record, oldest first, also one whose time is over by the clock."""

    vouchers: tuple[VoucherLine, ...]
    totals_cents: dict[str, int]
    """By currency: amounts of different ones are never added up. All tables of a floor have one currency,
    unless its journal is of an earlier version, which did not ask for that."""
    now_ms: int
    """The house's time, by which vouchers expire."""


class CageVoucher(Voucher, frozen=True, kw_only=True):
    """One voucher, from its issue to its end, and what its cents are cents of."""

    currency: str
    """That of the table that issued it; "" where the table's book is not at hand."""
    reinstatable: bool
    """Whether its end was recorded by a clock that was ahead, so that a shift manager can take it back."""


class SeatVoucher(msgspec.Struct, frozen=True, kw_only=True):
    """A voucher that a seat was given: the end of its number, and what became of it."""

    number: str
    cents: int
    issued_ms: int
    expires_ms: int
    status: str
    """`outstanding`, `redeemed` at a table, `paid` or `voided` at the cage, or `expired`."""
    ended_at: str | None
    ended_ms: int | None


class SeatVouchers(msgspec.Struct, frozen=True, kw_only=True):
    """The last vouchers of a seat, newest first."""

    vouchers: tuple[SeatVoucher, ...]


class Pay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the ticket says; the cashier states it, so that a wrong ticket is noticed."""

    cents: Annotated[int, msgspec.Meta(ge=1, le=2**53)]


class Paid(msgspec.Struct, frozen=True, kw_only=True):
    """A voucher that was paid."""

    voucher: CageVoucher
    repeated: bool
    """Whether this key was answered before: this is the first answer again, and nothing more is paid."""


Key = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        max_length=200,
        description="One for each payment; a repeated request with it is answered as the first one was.",
    ),
]


@get("/api/vouchers", name="vouchers", summary="Outstanding vouchers", tags=["Cage"])
async def list_outstanding(house: NamedDependency[House]) -> Outstanding:
    """Every voucher whose end is not on record, oldest first; of its number the last four digits.

    One whose time is over (`expires_ms`) is not paid, and is listed until that it has expired is recorded.
    """
    now_ms, days = house.floor.clock.now_ms(), house.floor.cage.valid_days
    return await house.run_long(_outstanding, house, now_ms, days)


def _outstanding(house: House, now_ms: int, days: int) -> Outstanding:
    vouchers = house.remembering.outstanding(now_ms, days)
    currencies = {table: house.floor.currency_of(table) for table in {voucher.table for voucher in vouchers}}
    totals: dict[str, int] = {}
    for voucher in vouchers:
        currency = currencies[voucher.table]
        totals[currency] = totals.get(currency, 0) + voucher.cents
    lines = tuple(
        VoucherLine(
            number=masked(voucher.number),
            cents=voucher.cents,
            currency=currencies[voucher.table],
            table=voucher.table,
            seat=voucher.seat,
            issued_ms=voucher.issued_ms,
            expires_ms=voucher.expires_ms,
        )
        for voucher in vouchers
    )
    return Outstanding(vouchers=lines, totals_cents=totals, now_ms=now_ms)


@get(
    "/api/tables/{table:str}/seats/{seat:str}/vouchers",
    name="seat-vouchers",
    summary="A seat's last vouchers",
    tags=["Cage"],
)
async def list_of_seat(
    house: NamedDependency[House], table: FromPath[str], seat: FromPath[str]
) -> SeatVouchers:
    """The last 35 vouchers that a seat was given, newest first, paid ones too; the ends of their numbers."""
    if seat not in house.table(table).runner.state.seats:
        raise refuse("unknown-seat", f"There is no seat {seat[:80]!r} at {table}.", seat=seat[:80])
    now_ms, days = house.floor.clock.now_ms(), house.floor.cage.valid_days
    found = await house.run_long(house.remembering.vouchers_of, table, seat, LATEST, now_ms, days)
    return SeatVouchers(
        vouchers=tuple(
            SeatVoucher(
                number=masked(voucher.number),
                cents=voucher.cents,
                issued_ms=voucher.issued_ms,
                expires_ms=voucher.expires_ms,
                status=voucher.status,
                ended_at=voucher.ended_at,
                ended_ms=voucher.ended_ms,
            )
            for voucher in found
        )
    )


@get("/api/vouchers/{number:str}", name="voucher", summary="A voucher", tags=["Cage"])
async def read_voucher(house: NamedDependency[House], number: FromPath[str]) -> CageVoucher:
    """What a number stands for: its amount, where and when it was issued, and whether it was paid."""
    return await _at_cage(house, await house.run(house.floor.cage.find, number))


async def _at_cage(house: House, voucher: Voucher) -> CageVoucher:
    currency = await house.run(house.floor.currency_of, voucher.table)
    reinstatable = house.floor.cage.may_reinstate(voucher)
    return CageVoucher(**msgspec.structs.asdict(voucher), currency=currency, reinstatable=reinstatable)


@post(
    "/api/vouchers/{number:str}/pay",
    name="voucher-pay",
    summary="Pay a voucher",
    tags=["Cage"],
    status_code=200,
)
async def pay(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    number: FromPath[str],
    data: JSONBody[Pay],
    idempotency_key: Key = None,
) -> Paid:
    """Pays a voucher in cash, once; refused where the ticket says another amount."""
    cage = house.floor.cage
    if not idempotency_key:
        voucher = await house.run(cage.pay, number, data.cents, caller.actor)
        return Paid(voucher=await _at_cage(house, voucher), repeated=False)
    asked = _asked(caller.person.name, idempotency_key)
    try:
        voucher, is_first = await house.run(cage.pay_once, number, data.cents, caller.actor, asked)
    except BadInput as refusal:
        if refusal.code != "number-reused":
            raise
        sentence = "This key was used for another payment; take a new one for each."
        raise refuse("key-used", sentence) from refusal
    return Paid(voucher=await _at_cage(house, voucher), repeated=not is_first)


def _asked(cashier: str, key: str) -> Asked:
    """A key as the journal keeps it: whatever the screen wrote, by whom, and always the same length."""
    return Asked(f"{cashier}/{hashlib.sha256(key.encode()).hexdigest()}", 1)


@post(
    "/api/vouchers/{number:str}/void",
    name="voucher-void",
    summary="Void a voucher",
    tags=["Cage"],
    status_code=200,
)
async def void(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    number: FromPath[str],
    data: JSONBody[Reason],
) -> CageVoucher:
    """Makes a voucher worthless; the reason stays in the record."""
    voided = await house.run(house.floor.cage.void, number, caller.actor, data.reason)
    return await _at_cage(house, voided)


@post(
    "/api/vouchers/{number:str}/reinstate",
    name="voucher-reinstate",
    summary="Reinstate a voucher",
    tags=["Cage"],
    status_code=200,
)
async def reinstate(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    number: FromPath[str],
    data: JSONBody[Reason],
) -> CageVoucher:
    """Makes a voucher payable again that expired by a wrong clock; the reason stays in the record."""
    back = await house.run(house.floor.cage.reinstate, number, caller.actor, data.reason)
    return await _at_cage(house, back)


HANDLERS: Sequence[HTTPRouteHandler] = (
    list_outstanding,
    list_of_seat,
    read_voucher,
    pay,
    void,
    reinstate,
)

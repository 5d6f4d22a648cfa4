"""What only the demonstration floor gives away: its passwords, and a seat for whoever asks."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from croupier.server.access import Refusal
from croupier.server.demonstration import CREW, GUIDE, PASSWORD, STAFF
from croupier.server.floor import LiveTable
from croupier.server.http.callers import Caller
from croupier.server.http.devices import CodeForDevice, layout_at
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse, refuse_access
from croupier.table import Actor, Seat
from croupier.table.rules import PLACE

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]

_GUIDE: Final = Actor(id=GUIDE, position="pit-supervisor")


class DemonstrationPerson(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody one may sign in as."""

    name: str
    position: str
    duties: tuple[str, ...]


class DemonstrationTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table one may try."""

    table: str
    book: str
    title: str
    operator: str
    layouts: tuple[str, ...]
    round_number: int
    open: bool
    has_terminals: bool
    """Whether players sit at terminals; where not, the dealer enters their stakes."""
    free_seats: dict[str, int]
    """By layout, how many terminals nobody uses."""


class DemonstrationFloor(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a newcomer needs."""

    name: str
    password: str
    people: tuple[DemonstrationPerson, ...]
    tables: tuple[DemonstrationTable, ...]


class AskForSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """At which table, and with which layout; any seat that is free."""

    table: Id
    layout: Id | None = None


@get(
    "/api/demonstration",
    name="demonstration",
    summary="The demonstration floor",
    tags=["Demonstration"],
    sync_to_thread=False,
)
def demonstration(house: NamedDependency[House]) -> DemonstrationFloor:
    """Who one may sign in as, and where one may sit; refused at any other floor."""
    _check(house)
    return DemonstrationFloor(
        name=house.floor.name,
        password=PASSWORD,
        people=tuple(
            DemonstrationPerson(name=name, position=position, duties=duties)
            for name, (position, duties) in STAFF.items()
            if name not in CREW
        ),
        tables=tuple(_table(name, live) for name, live in house.floor.tables.items()),
    )


@post(
    "/api/demonstration/seat",
    name="demonstration-seat",
    summary="A seat at the demonstration floor",
    tags=["Demonstration"],
    status_code=200,
)
async def take_seat(
    house: NamedDependency[House], caller: NamedDependency[Caller], data: JSONBody[AskForSeat]
) -> CodeForDevice:
    """A code that enrols this browser as the terminal of a seat where nobody sits."""
    _check(house)
    live = house.table(data.table)
    seats = [seat.id for seat in _free_seats(live) if data.layout in (None, seat.layout)]
    if not seats:
        named = "" if data.layout is None else f" with layout {data.layout[:40]}"
        raise refuse("no-seat", f"No seat{named} is free at {data.table}; try another table.")
    issued = await house.floor.access.issue_code(_GUIDE, "terminal", data.table, seats[0], caller.address)
    if isinstance(issued, Refusal):
        raise refuse_access(issued)
    return CodeForDevice(
        code=issued.code.reveal(),
        kind=issued.kind,
        table=issued.table,
        seat=issued.seat,
        layout=layout_at(house, issued.table, issued.seat),
        expires_ms=issued.expires_ms,
    )


def _check(house: House) -> None:
    if not house.floor.demonstration:
        raise refuse("no-demonstration", "This is not a demonstration floor; sign in, or enrol a device.")


def _table(name: str, live: LiveTable) -> DemonstrationTable:
    rules, state = live.runner.rules, live.runner.state
    free = Counter(seat.layout for seat in _free_seats(live))
    return DemonstrationTable(
        table=name,
        book=rules.book.id,
        title=rules.book.title,
        operator=rules.book.operator,
        layouts=tuple(rules.layouts),
        round_number=state.round_number,
        open=state.open,
        has_terminals=rules.seat_kinds != (PLACE,),
        free_seats={layout: free[layout] for layout in rules.layouts},
    )


def _free_seats(live: LiveTable) -> list[Seat]:
    """Seats with a terminal that nobody uses and that hold no money."""
    state = live.runner.state
    return [
        seat
        for seat in state.seats.values()
        if seat.in_use
        and seat.kind != PLACE
        and seat.id not in live.hub.seats
        and not seat.staked_cents
        and not state.credits_cents(seat.id)
    ]


HANDLERS: Sequence[HTTPRouteHandler] = (demonstration, take_seat)

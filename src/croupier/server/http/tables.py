"""Tables as everybody may see them, and what their last rounds add up to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from croupier.protocol.views import Outcome, TableView
from croupier.server.floor import LiveTable
from croupier.server.http.house import House
from croupier.server.viewing import outcomes

INFORMATION_ONLY: Final = "For information only: past results say nothing about the next one."


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """What the last rounds of a table showed."""

    table: str
    book: str
    information_only: bool
    """Always true; screens say so beside whatever they show of this."""
    label: str
    rounds: int
    """How many rounds are counted: those that the table keeps."""
    voids: int
    outcomes: tuple[Outcome, ...]
    """Newest first."""
    frequencies: Mapping[str, int]
    """By outcome of the wheel, how often it came."""
    colours: Mapping[str, int]
    """By colour, how often it came; nothing where the wheel has symbols."""


@get("/api/tables", name="tables", summary="The tables", tags=["Tables"])
async def list_tables(house: NamedDependency[House]) -> list[TableView]:
    """Every table of the floor as everybody at it sees it."""
    return [await _view(live) for _, live in sorted(house.floor.tables.items())]


@get("/api/tables/{table:str}", name="table", summary="A table", tags=["Tables"])
async def read_table(house: NamedDependency[House], table: FromPath[str]) -> TableView:
    """A table as everybody at it sees it."""
    return await _view(house.table(table))


@get("/api/tables/{table:str}/statistics", name="statistics", summary="The last results", tags=["Tables"])
async def read_statistics(house: NamedDependency[House], table: FromPath[str]) -> Statistics:
    """The results of the rounds that the table keeps, and how often each came; information only."""
    live = house.table(table)
    state = await live.runner.consistent_state()
    wheel = live.runner.rules.book.wheel
    last = tuple(outcomes(state))
    came = Counter(outcome.result for outcome in last if outcome.result is not None)
    colours = Counter(wheel.colours[result] for result in came.elements() if result in wheel.colours)
    return Statistics(
        table=state.settings.table,
        book=state.settings.book,
        information_only=True,
        label=INFORMATION_ONLY,
        rounds=len(last),
        voids=sum(outcome.result is None for outcome in last),
        outcomes=last,
        frequencies={outcome: came[outcome] for outcome in wheel.outcomes},
        colours=dict(sorted(colours.items())),
    )


HANDLERS: Sequence[HTTPRouteHandler] = (list_tables, read_table, read_statistics)


async def _view(live: LiveTable) -> TableView:
    await live.runner.consistent_state()
    return live.hub.table_view()

"""How the wheels stand: counts, evidence against chance, alarms."""

from collections.abc import Sequence

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler

from croupier.server.http.house import House
from croupier.server.http.refusing import refuse


class WatchedOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """How often one outcome came, and how often chance alone lets one expect it."""

    outcome: str
    count: int
    expected: float


class WatchedWheel(msgspec.Struct, frozen=True, kw_only=True):
    """A wheel as its spins show it; docs/wheel-watch.md says how the evidence is weighed."""

    wheel: str
    book: str
    tables: tuple[str, ...]
    spins: int
    voided: int
    disagreed: int
    one_in: int
    """One fair wheel in so many ever raises the alarm."""
    log10_e: float
    """The evidence against chance now; the alarm is raised at `log10_needed`."""
    log10_needed: float
    raised_round: int | None
    raised_ms: int | None
    p_value: float | None
    """Of the chi-square test over all outcomes: the chance of counts at least as uneven."""
    outcomes: tuple[WatchedOutcome, ...]
    """In the wheel's order."""


@get("/api/wheels", name="wheels", summary="The wheels under watch", tags=["Reports"])
async def wheels(house: NamedDependency[House]) -> list[WatchedWheel]:
    """Every wheel of the floor, with the evidence for or against it."""
    watched = house.wheels
    if watched is None:
        raise refuse("no-watch", "Wheels are not watched here: that takes the extra 'lab'.")
    return [
        WatchedWheel(
            wheel=report.wheel,
            book=report.book,
            tables=report.tables,
            spins=report.spins,
            voided=report.voided,
            disagreed=report.disagreed,
            one_in=watched.one_in,
            log10_e=report.alarm.log10_e,
            log10_needed=report.alarm.log10_needed,
            raised_round=None if report.alarm.raised is None else report.alarm.raised.round,
            raised_ms=None if report.alarm.raised is None else report.alarm.raised.at_ms,
            p_value=report.unevenness.p,
            outcomes=tuple(
                WatchedOutcome(outcome=outcome.outcome, count=outcome.count, expected=outcome.expected)
                for outcome in report.outcomes
            ),
        )
        for report in await house.run_long(watched.reports)
    ]


HANDLERS: Sequence[HTTPRouteHandler] = (wheels,)

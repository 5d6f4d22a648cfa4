"""The last results of a table as screens show them: how often each came, hot and cold, and the trend.

None of it says anything about the next spin, and nothing in the game follows from it.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from croupier.floor.live.projection import RoundResult
from croupier.floor.writer import Published
from croupier.table import Rules, State
from croupier.table import events as e

KEPT: Final = 200
"""How many results are kept."""
EXTREMES: Final = 5
"""How many results are called hot, and how many cold."""
_OUTSIDE: Final = 12
"""A trend is shown for bets on at least so many numbers: dozens, columns and the even chances."""


class ResultShown(msgspec.Struct, frozen=True, kw_only=True):
    """One result among the last ones."""

    round: int
    result: str
    label: str
    colour: str


class Often(msgspec.Struct, frozen=True, kw_only=True):
    """How often something came among the results that are shown."""

    what: str
    count: int


class ResultStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """The last results of a table, newest first, and what they add up to."""

    last: tuple[ResultShown, ...]
    frequency: tuple[Often, ...]
    """Every outcome of the wheel in its order, also those that did not come."""
    hot: tuple[Often, ...]
    """What came most often, most often first; nothing that never came."""
    cold: tuple[Often, ...]
    """What came least often, longest absent first."""
    trend: tuple[Often, ...]
    """How often each bet on twelve numbers or more would have won."""


class LiveResults:
    """Follows the results of one table as they are published; a correction changes what it corrects."""

    def __init__(self, rules: Rules, before: Iterable[RoundResult] = (), kept: int = KEPT) -> None:
        self._rules = rules
        newest = sorted(before, key=lambda round_: round_.round, reverse=True)[:kept]
        self._results: deque[tuple[int, str | None]] = deque(
            ((round_.round, round_.result) for round_ in reversed(newest)), maxlen=kept
        )

    def take(self, published: Iterable[Published]) -> bool:
        """What was published; says whether a result has changed."""
        changed = False
        for _, entry in published:
            event = entry.event
            if isinstance(event, e.RoundSettled):
                self._results.append((event.round, event.result))
            elif isinstance(event, e.ResultCorrected) and event.settled:
                self._correct(event.round, event.new)
            else:
                continue
            changed = True
        return changed

    def statistics(self, last: int = KEPT) -> ResultStatistics:
        """What the last results add up to; void rounds have none."""
        results = [(number, result) for number, result in self._results if result is not None][-last:]
        wheel = self._rules.book.wheel
        counts = Counter(result for _, result in results)
        latest = {result: place for place, (_, result) in enumerate(results)}
        often = {outcome: Often(what=outcome, count=counts[outcome]) for outcome in wheel.outcomes}
        by_heat = sorted(often, key=lambda outcome: (-counts[outcome], -latest.get(outcome, -1)))
        return ResultStatistics(
            last=tuple(
                ResultShown(
                    round=number,
                    result=result,
                    label=wheel.labels[result],
                    colour=wheel.colours.get(result, ""),
                )
                for number, result in reversed(results)
            ),
            frequency=tuple(often.values()),
            hot=tuple(often[outcome] for outcome in by_heat[:EXTREMES] if counts[outcome]),
            cold=tuple(often[outcome] for outcome in reversed(by_heat[-EXTREMES:])),
            trend=self._trend([result for _, result in results]),
        )

    def _trend(self, results: Sequence[str]) -> tuple[Often, ...]:
        return tuple(
            Often(what=bet.id, count=sum(result in bet.numbers for result in results))
            for bet in self._rules.bets.values()
            if len(bet.numbers) >= _OUTSIDE
        )

    def _correct(self, number: int, result: str | None) -> None:
        self._results = deque(
            ((of, result if of == number else was) for of, was in self._results), maxlen=self._results.maxlen
        )


class MeterReading(msgspec.Struct, frozen=True, kw_only=True):
    """The meters of the table, where no seat is named, or of one seat."""

    seat: str | None
    credits_cents: int
    meters: dict[str, int]


def meters_now(state: State) -> list[MeterReading]:
    """The readings of a table as it is: its own, and those of its seats in the order of their opening."""
    of_all = sum(state.credits_cents(seat) for seat in state.seats)
    own = MeterReading(seat=None, credits_cents=of_all, meters=msgspec.structs.asdict(state.meters))
    return [
        own,
        *(
            MeterReading(
                seat=seat.id,
                credits_cents=state.credits_cents(seat.id),
                meters=msgspec.structs.asdict(seat.meters),
            )
            for seat in state.seats.values()
        ),
    ]

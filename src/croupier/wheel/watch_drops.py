"""Drop zones: at which diamond the ball left the rim, and where it came to rest from there."""

from collections.abc import Sequence
from typing import Final

from croupier.lab.bias_counts import unevenness
from croupier.lab.bias_course import scatter
from croupier.wheel.watch_report import Drop, Drops

USUAL_DIAMONDS: Final = 8
"""How many deflectors a wheel has, unless higher numbers were seen."""


class DropZones:
    """The spins by diamond, numbered from 1."""

    def __init__(self, outcomes: Sequence[str], neighbours: bool) -> None:
        self._outcomes, self._neighbours = tuple(outcomes), neighbours
        self._drops: dict[int, int] = {}
        self._results: dict[int, list[int]] = {}

    def drop(self, diamond: int) -> None:
        """A ball left the rim at a diamond and came to rest."""
        self._drops[diamond] = self._drops.get(diamond, 0) + 1

    def count(self, diamond: int, outcome: int, times: int) -> None:
        """Counts where such a ball came to rest, or takes it out again."""
        self._results.setdefault(diamond, [0] * len(self._outcomes))[outcome] += times

    def report(self) -> Drops | None:
        """The drop zones; None where no diamond is known.

        That balls leave the rim at some diamonds more often is no alarm by itself: hardly a wheel stands
        quite level. It matters where the results of one diamond lie close together.
        """
        if not self._drops:
            return None
        numbers = sorted({*range(1, USUAL_DIAMONDS + 1), *self._drops})
        drops = [self._drops.get(number, 0) for number in numbers]
        return Drops(
            diamonds=tuple(self._report(number) for number in numbers),
            unevenness=unevenness(drops, [1] * len(drops)),
        )

    def _report(self, diamond: int) -> Drop:
        results = self._results.get(diamond, [0] * len(self._outcomes))
        found = scatter(results) if self._neighbours else None
        at = None if found is None or found.centre is None else self._outcomes[found.centre]
        return Drop(diamond=diamond, spins=self._drops.get(diamond, 0), scatter=found, centre=at)

"""Measures of a wheel over its spins: mean, spread and drift, and how results scatter around the rim."""

import cmath
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.lab.bias_counts import fair_wheels, share_of_draws

_FEW: Final = 10
"""Under so many spins Greenwood and Durand's approximation is not trusted; from there on it is good to a few
thousandths on a wheel of roulette."""


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """What so many readings come to; in their own unit."""

    readings: int
    mean: float
    spread: float | None
    """The standard deviation; None for a single reading."""
    least: int
    most: int
    drift: float | None
    """The change over a thousand readings by the line of least squares; None under three readings."""
    drift_error: float | None
    """The standard error of the drift."""


class Course:
    """Readings one after the other, kept as whole sums: nothing is lost over a million of them."""

    def __init__(self) -> None:
        self._readings = self._sum = self._squares = self._by_place = 0
        self._least = self._most = 0

    def take(self, reading: int) -> None:
        """The next reading."""
        self._least = min(self._least, reading) if self._readings else reading
        self._most = max(self._most, reading) if self._readings else reading
        self._sum += reading
        self._squares += reading * reading
        self._by_place += self._readings * reading
        self._readings += 1

    def measure(self) -> Measure | None:
        """What the readings come to so far; None before the first.

        >>> course = Course()
        >>> for reading in (250, 252, 254):
        ...     course.take(reading)
        >>> course.measure()
        Measure(readings=3, mean=252.0, spread=2.0, least=250, most=254, drift=2000.0, drift_error=0.0)
        """
        count = self._readings
        if not count:
            return None
        # Each sum of squares or products around the mean, times the number of readings: whole numbers.
        around_mean = count * self._squares - self._sum * self._sum
        around_place = count * count * (count * count - 1) // 12
        together = count * self._by_place - self._sum * (count * (count - 1) // 2)
        drift = error = None
        if count > 2:
            drift = 1000 * together / around_place
            unexplained = (around_mean * around_place - together * together) / around_place
            error = 1000 * math.sqrt(unexplained / around_place / (count - 2))
        return Measure(
            readings=count,
            mean=self._sum / count,
            spread=math.sqrt(around_mean / (count * (count - 1))) if count > 1 else None,
            least=self._least,
            most=self._most,
            drift=drift,
            drift_error=error,
        )


class Scatter(msgspec.Struct, frozen=True, kw_only=True):
    """How results lie around the rim."""

    spins: int
    centre: int | None
    """The place that the results lie around, counted from 0 clockwise; None where they lie around none."""
    closeness: float
    """1 where all results are one pocket, about 0 where they lie everywhere alike."""
    p: float
    """How often results without any centre are at least as close: Rayleigh's test, by draws for few spins."""


def scatter(counts: Sequence[int]) -> Scatter:
    """The scatter of results that are counted by pocket in the order of the wheel.

    >>> scatter([0, 0, 3, 0]).centre, scatter([1, 1, 1, 1]).closeness
    (2, 0.0)
    """
    spins, pockets = sum(counts), len(counts)
    pull = sum(count * cmath.rect(1, math.tau * place / pockets) for place, count in enumerate(counts))
    length = abs(pull)
    if not spins or length < 1e-9 * spins:
        return Scatter(spins=spins, centre=None, closeness=0.0, p=1.0)
    centre = round(cmath.phase(pull) / math.tau * pockets) % pockets
    return Scatter(spins=spins, centre=centre, closeness=length / spins, p=_chance(length, spins, pockets))


def _chance(length: float, spins: int, pockets: int) -> float:
    if spins < _FEW:
        # Ties decide p at small counts, and the same pull differs by how it was added up.
        return share_of_draws(_fair_pulls(spins, pockets) >= length - 1e-9 * spins)
    between = math.sqrt(1 + 4 * spins + 4 * max(spins**2 - length**2, 0.0))
    return min(1.0, math.exp(between - (1 + 2 * spins)))


@lru_cache(maxsize=_FEW)
def _fair_pulls(spins: int, pockets: int) -> NDArray[np.float64]:
    pulls: NDArray[np.float64] = np.abs(
        fair_wheels(spins, [1] * pockets) @ np.exp(1j * math.tau * np.arange(pockets) / pockets)
    )
    return pulls

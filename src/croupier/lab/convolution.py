"""The distribution of a sum of rounds as an array: round by round where that is cheap, else tilted."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.lab.atoms import are_few, list_results
from croupier.lab.compiled import compiled
from croupier.lab.cumulants import chernoff, cumulants, reach, tilt_for_mean
from croupier.lab.lattice import Lattice
from croupier.lab.transform import TiltedSum
from croupier.lab.waves import TooManyWaves
from croupier.rulebook import BadInput, show_cents

Reals = NDArray[np.float64]
Whole = NDArray[np.int64]

_CHEAP = 4_000_000
"""Products that take about a millisecond: below this, round by round is the quickest way."""
_AFFORDABLE = 1_000_000_000
"""Products that take a good part of a second."""
_SMOOTH = 256
"""Frequencies that a distribution without holes stays under: it needs some forty, whatever its width."""
_MAXIMUM_CELLS = 1 << 22
"""A transform of more points is not made: cells are then summed up in bins."""
_BINS = 1 << 15
"""Bins of a stretch at least: each is then under a five-thousandth of a deviation wide."""
_LOOKS = 16_000_000
"""Terms of characteristic functions that are computed for the middle stretch before it is refused; once that
is done the others, which need about as many, are not refused for a few more."""
_HALF_WIDTH = 3.0
"""Deviations to each side that one tilt serves: the chance there is still over 1/100 of the tilted peak."""
_ALIASING = 50.0
"""What wraps around in the transform is under exp(-50) of the whole."""
_UNSEEN = 1e-14
"""The part of the floor that is left out of listed results: a tail as small as the floor keeps its digits."""


class Sums(NamedTuple):
    """The distribution of a sum of rounds: the chances of bins of so many cells, from the first cell on."""

    first: int
    width: int
    chances: Reals
    even: float
    """The chance of a net result of 0; not computed where every cell stands by itself."""


def sum_distribution(lattice: Lattice, floor: float) -> Sums:
    """The distribution of a sum of rounds; the mass left out on each side is under `floor`.

    A bin is a single cell wherever that is possible. Where not, one begins at the first gain above 0.
    """
    cost = _direct_cost(lattice)
    if cost <= _CHEAP:
        return Sums(0, 1, _round_by_round(lattice), 0.0)
    tilted = _Tilted(lattice)
    if are_few(lattice) and (listed := list_results(lattice)) is not None:
        return tilted.gather(*listed, floor)
    # While wins are few, a fine lattice is full of holes, which only the direct way leaves exactly empty.
    if cost <= _AFFORDABLE and lattice.last_cell <= _MAXIMUM_CELLS and not tilted.smooth():
        return Sums(0, 1, _round_by_round(lattice), 0.0)
    try:
        first, width, chances = tilted.window(floor)
        return Sums(first, width, chances, 0.0 if width == 1 else tilted.even())
    except TooManyWaves as problem:
        if (listed := list_results(lattice)) is not None:
            return tilted.gather(*listed, floor)
        raise BadInput(
            "lattice-too-fine",
            f"Net results {show_cents(lattice.step_cents)} apart that spread over a deviation of "
            f"{show_cents(round(tilted.deviation * lattice.step_cents))} make too fine a pattern to be "
            "computed.",
            "Play stakes that are whole multiples of a coarser amount.",
        ) from problem


def _direct_cost(lattice: Lattice) -> int:
    cost = cells = 0
    for part in lattice.parts:
        grown = part.rounds * part.steps[-1]
        cost += part.rounds * len(part.steps) * (cells + grown // 2 + 1)
        cells += grown
    return cost


def _round_by_round(lattice: Lattice) -> Reals:
    """Adds one round after another; only positive numbers are added, so every relative error stays small."""
    chances = np.zeros(lattice.last_cell + 1)
    chances[0] = 1.0
    used = 1
    for part in lattice.parts:
        law = np.array([float(chance) for chance in part.chances])
        _add_rounds(chances, used, np.array(part.steps), law, part.rounds)
        used += part.rounds * part.steps[-1]
    return chances


@compiled
def _add_rounds(chances: Reals, used: int, steps: Whole, law: Reals, rounds: int) -> None:
    spare = np.empty_like(chances)
    for _ in range(rounds):
        spare[: used + steps[-1]] = 0.0
        for j in range(steps.size):
            step, chance = steps[j], law[j]
            for cell in range(used):
                spare[cell + step] += chance * chances[cell]
        used += steps[-1]
        # Numbers under 1e-300 have lost digits already and would slow every later round down.
        for cell in range(used):
            chances[cell] = spare[cell] if spare[cell] > 1e-300 else 0.0


class _Tilted:
    """Marches from the mean into both tails, one tilted stretch after another."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._last = lattice.last_cell
        self._zero = lattice.first_cents % lattice.step_cents == 0
        parts = lattice.parts
        self._law = (
            np.array([float(step) for part in parts for step in part.steps]),
            np.array([math.log(chance) for part in parts for chance in part.chances]),
            np.array([float(part.rounds) for part in parts]),
            np.cumsum([len(part.steps) for part in parts]),
        )
        _, self._mean, variance = cumulants(0.0, *self._law)
        self._half = _HALF_WIDTH * math.sqrt(variance)
        self.deviation = math.sqrt(variance)
        fine = self._size(0.0, 1) <= _MAXIMUM_CELLS
        self._width = 1 if fine else 1 << int(math.log2(2.0 * self._half / _BINS))

    def smooth(self) -> bool:
        """Whether the untilted distribution is made of few frequencies."""
        try:
            found = TiltedSum(self._lattice, 0.0, self._size(0.0, 1), _LOOKS // 20).frequencies.size
        except TooManyWaves:
            return False
        return bool(found <= _SMOOTH)

    def even(self) -> float:
        """The chance of the one cell that is neither a gain nor a loss."""
        at = self._lattice.above_zero - 1
        if not self._zero or not 0 <= at <= self._last:
            return 0.0
        # No tilt has its mean at an end; there every round brings its worst, or its best.
        if at in (0, self._last):
            every = 0 if at == 0 else -1
            return math.prod(float(part.chances[every]) ** part.rounds for part in self._lattice.parts)
        theta = tilt_for_mean(float(at), 0.0, *self._law)
        return TiltedSum(self._lattice, theta, self._size(theta, 1), 3 * _LOOKS).cell(at)

    def window(self, floor: float) -> tuple[int, int, Reals]:
        """The stretch at the mean, and stretches to both sides until the rest is under `floor`."""
        low, high = self._aligned(math.floor(self._mean - self._half), math.ceil(self._mean + self._half))
        middle = self._stretch(0.0, low, high)
        below = self._march(low, -1, math.log(floor))
        above = self._march(high, 1, math.log(floor))
        first = low - self._width * sum(stretch.size for stretch in below)
        return first, self._width, np.concatenate([*reversed(below), middle, *above])

    def gather(self, cells: Whole, chances: Reals, floor: float) -> Sums:
        """Single results, summed up in the bins of a window; on each side less than `floor` is left out."""
        even = chances[cells == self._lattice.above_zero - 1] if self._zero else np.zeros(0)
        least = floor * _UNSEEN
        begin = int(np.searchsorted(np.cumsum(chances), least))
        end = chances.size - int(np.searchsorted(np.cumsum(chances[::-1]), least))
        cells, chances = cells[begin:end], chances[begin:end]
        first, _ = self._aligned(int(cells[0]), int(cells[0]))
        _, last = self._aligned(int(cells[-1]), int(cells[-1]))
        places, bins = (cells - first) // self._width, (last + 1 - first) // self._width
        gathered = np.asarray(np.bincount(places, chances, bins), np.float64)
        return Sums(first, self._width, gathered, float(even.sum()))

    def _march(self, edge: int, side: int, log_floor: float) -> list[Reals]:
        """Stretches from beyond `edge` to where the bound on the rest is under the floor, nearest first."""
        stretches: list[Reals] = []
        theta = 0.0
        while (self._last - edge if side > 0 else edge) > 0:
            theta = self._next_tilt(edge, side, theta)
            _, mean, variance = cumulants(theta, *self._law)
            half = _HALF_WIDTH * math.sqrt(variance)
            if side > 0:
                low, high = self._aligned(edge + 1, max(math.ceil(mean + half), edge + 1))
                edge = high
            else:
                low, high = self._aligned(min(math.floor(mean - half), edge - 1), edge - 1)
                edge = low
            stretches.append(self._stretch(theta, low, high))
            if chernoff(edge, theta, *self._law) < log_floor:
                break
        return stretches

    def _aligned(self, low: int, high: int) -> tuple[int, int]:
        """The cells in question, kept where there are any and rounded outwards to whole bins.

        Bins are counted from the first cell above a net result of 0, so that none holds gains and losses.
        """
        low, high = max(0, low) - self._lattice.above_zero, min(self._last, high) - self._lattice.above_zero
        begin, end = low // self._width * self._width, (high // self._width + 1) * self._width
        return begin + self._lattice.above_zero, end + self._lattice.above_zero - 1

    def _next_tilt(self, edge: int, side: int, theta: float) -> float:
        """A tilt whose stretch begins at the edge: the mean lies half a stretch beyond it."""
        _, _, variance = cumulants(theta, *self._law)
        away = _HALF_WIDTH * math.sqrt(variance)
        room = float(self._last - edge if side > 0 else edge)
        while True:
            away = min(away, room - 0.5)
            tilt = tilt_for_mean(edge + side * away, theta, *self._law)
            _, _, variance = cumulants(tilt, *self._law)
            if away <= 1.0 or away <= 1.0 + _HALF_WIDTH * math.sqrt(variance):
                return tilt
            away *= 0.8

    def _stretch(self, theta: float, low: int, high: int) -> Reals:
        most = 3 * _LOOKS if theta else _LOOKS
        tilted = TiltedSum(self._lattice, theta, self._size(theta, high - low + 1), most)
        return tilted.cells(low, high) if self._width == 1 else tilted.bins(low, high, self._width)

    def _size(self, theta: float, cells: int) -> int:
        """The points of a transform in which nothing of weight wraps around."""
        span = reach(theta, 1.0, _ALIASING, *self._law) + reach(theta, -1.0, _ALIASING, *self._law)
        return 1 << max(6, math.ceil(math.log2(max(span, cells) + 4)))

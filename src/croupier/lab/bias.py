"""Whether a wheel is biased, in a test that may be looked at after every spin.

The evidence is an e-value: what a gambler owns who started with 1 and bet fairly against a fair wheel. On a
fair wheel that fortune is a martingale, so it ever reaches 1/a with a chance of at most a (Ville), however
often anybody looks and whenever they stop. The gambler's money is spread over biases of every pocket, of
every run of neighbours and of the wheel as a whole; a sum of martingales is one again. Every part depends on
the counts alone, so a result that is put right later only changes the counts.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
import scipy.special
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Reals = NDArray[np.float64]

POCKET, SECTOR, WHOLE = "pocket", "sector", "whole"
SHARES: Final[Mapping[str, Fraction]] = {
    POCKET: Fraction(5, 10),
    SECTOR: Fraction(3, 10),
    WHOLE: Fraction(2, 10),
}
"""How the gambler's first unit is spread; a part that a wheel has not leaves its share to the others."""

SECTOR_SIZES: Final = (3, 6, 12)
"""How many neighbours a sector has; none is more than half of its wheel. A sector of another size shows in
the nearest of these, a little later than it would in its own."""

_SPREAD: Final = (
    # Steps of about the root of two: between two of them hardly any of the growth is lost.
    ((5, 7, 10, 14, 20, 28, 40, 56), Fraction(13, 20)),
    ((100, 300, 900), Fraction(2, 20)),
    ((-10, -20, -40, -80), Fraction(5, 20)),
)
BIASES: Final[Mapping[Fraction, Fraction]] = {
    Fraction(percent, 100): share / len(percents) for percents, share in _SPREAD for percent in percents
}
"""By how much more or less often than it should a pocket or sector may come, with the share on each."""

CONCENTRATIONS: Final = (1, 5, 25, 125, 625)
"""How firmly the whole is believed fair beforehand, in spins seen for each pocket: from gross to slight."""


class Window(NamedTuple):
    """A pocket, or a run of neighbours clockwise from one; by places in the order of the wheel."""

    first: int
    size: int


class BiasTest:
    """The gambler against one wheel: what they own after any counts."""

    def __init__(self, weights: Sequence[int], *, neighbours: bool) -> None:
        """Outcomes stand on so many places each; `neighbours` where they are in the order of the wheel."""
        if len(weights) < 2 or min(weights) < 1 or (neighbours and max(weights) > 1):
            raise ValueError("a wheel has two outcomes or more, and neighbours stand on one place each")
        self.weights = tuple(weights)
        self.windows = _windows(len(weights), neighbours)
        self.shares = _shares(neighbours and len(self.windows) > len(weights))
        """The share of each part, in the order in which `log_parts` gives them."""
        self.inside = _inside(self.windows, len(weights))
        """Whether a window, by row, holds an outcome, by column."""
        self.chances = self.inside @ np.array(self.weights, np.float64) / sum(weights)
        self.log_hit, self.log_miss, self.log_spread = _stakes(self.inside, self.weights)
        """By window and bias: what a hit and a miss multiply a bet by, and the share of the window on it."""
        self._members = self.inside.T.astype(np.float64)
        self._priors = np.outer(CONCENTRATIONS, self.weights).astype(np.float64)
        log_gamma = scipy.special.gammaln
        self._log_priors = log_gamma(self._priors).sum(axis=-1) - log_gamma(self._priors.sum(axis=-1))
        self._log_fair = np.log(np.array(self.weights) / sum(self.weights))
        self._log_shares = np.log([float(share) for share in self.shares.values()])

    def log_windows(self, counts: Counts) -> Reals:
        """The natural logarithm of the e-value of each window; counts stand in the last axis."""
        hits = counts @ self._members
        misses = counts.sum(axis=-1, keepdims=True) - hits
        logs = hits[..., None] * self.log_hit + misses[..., None] * self.log_miss + self.log_spread
        return log_sum(logs)

    def log_whole(self, counts: Counts) -> Reals:
        """The same for the wheel as a whole: Dirichlet-multinomial mixtures against the fair wheel."""
        spins = counts.sum(axis=-1, keepdims=True)
        seen = scipy.special.gammaln(self._priors + counts[..., None, :]).sum(axis=-1)
        logs = seen - scipy.special.gammaln(self._priors.sum(axis=-1) + spins) - self._log_priors
        mixed: Reals = log_mean(logs) - counts @ self._log_fair
        return mixed

    def log_parts(self, counts: Counts) -> Reals:
        """The same for each part of `shares`, in the last axis."""
        windows, pockets = self.log_windows(counts), len(self.weights)
        parts = [log_mean(windows[..., :pockets])]
        if SECTOR in self.shares:
            # Each size has the same share, and in it each sector: as there are equally many, a plain mean.
            parts.append(log_mean(windows[..., pockets:]))
        parts.append(self.log_whole(counts))
        return np.stack(parts, axis=-1)

    def log_e(self, counts: Counts) -> Reals:
        """The same for all parts together."""
        return log_sum(self.log_parts(counts) + self._log_shares)


def log_sum(logs: Reals) -> Reals:
    """The logarithm of the sum over the last axis, without leaving the logarithms."""
    top = logs.max(axis=-1, keepdims=True)
    total: Reals = np.log(np.exp(logs - top).sum(axis=-1)) + top[..., 0]
    return total


def log_mean(logs: Reals) -> Reals:
    """The logarithm of the mean over the last axis."""
    mean: Reals = log_sum(logs) - math.log(logs.shape[-1])
    return mean


def sector_sizes(pockets: int) -> tuple[int, ...]:
    """The sizes of sectors on a wheel.

    >>> sector_sizes(37), sector_sizes(6)
    ((3, 6, 12), (3,))
    """
    return tuple(size for size in SECTOR_SIZES if 2 * size <= pockets)


def biases_of(chance: Fraction) -> Mapping[Fraction, Fraction]:
    """The biases that something with this chance can have, with their shares; they add up to 1."""
    possible = {bias: share for bias, share in BIASES.items() if chance * (1 + bias) < 1}
    total = sum(possible.values())
    return {bias: share / total for bias, share in possible.items()}


def _windows(pockets: int, neighbours: bool) -> tuple[Window, ...]:
    sizes = (1, *(sector_sizes(pockets) if neighbours else ()))
    return tuple(Window(first, size) for size in sizes for first in range(pockets))


def _shares(has_sectors: bool) -> Mapping[str, Fraction]:
    kept = {part: share for part, share in SHARES.items() if has_sectors or part != SECTOR}
    return {part: share / sum(kept.values()) for part, share in kept.items()}


def _inside(windows: Sequence[Window], pockets: int) -> NDArray[np.bool_]:
    inside = np.zeros((len(windows), pockets), np.bool_)
    for row, window in enumerate(windows):
        inside[row, (window.first + np.arange(window.size)) % pockets] = True
    return inside


def _stakes(inside: NDArray[np.bool_], weights: Sequence[int]) -> tuple[Reals, Reals, Reals]:
    """What a hit and a miss do to each bet, with the shares; a bias that cannot be has a share of nothing."""
    places = sum(weights)
    shape = (len(inside), len(BIASES))
    hit, miss, spread = np.zeros(shape), np.zeros(shape), np.full(shape, -np.inf)
    for row, members in enumerate(inside):
        chance = Fraction(sum(w for w, is_in in zip(weights, members, strict=True) if is_in), places)
        for column, (bias, share) in enumerate(biases_of(chance).items()):
            # Chances change by the bias inside the window, and all others alike so that they add up again.
            hit[row, column] = math.log1p(bias)
            miss[row, column] = math.log1p(-chance * bias / (1 - chance))
            spread[row, column] = math.log(share)
    return hit, miss, spread

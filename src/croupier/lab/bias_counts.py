"""Whether counts are as uneven as chance makes them: Pearson's chi-square, also where counts are small."""

import math
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
import scipy.special
from numpy.typing import NDArray

DRAWS: Final = 9_999
"""How many fair wheels small counts are compared with."""
SMALL: Final = 5
"""Where fewer than this are expected anywhere, the chi-square distribution is not trusted."""
_SEED: Final = 20_240_531

BY_DRAWS, BY_CHI_SQUARE = "draws", "chi-square"


class Unevenness(msgspec.Struct, frozen=True, kw_only=True):
    """How uneven counts are, and how often a fair wheel is at least as uneven."""

    statistic: float
    degrees: int
    p: float
    method: str
    """`draws` where fair wheels were drawn, `chi-square` where the distribution was good enough."""


def unevenness(counts: Sequence[int], weights: Sequence[int]) -> Unevenness:
    """The test of one set of counts; it is for one look at a number of spins that was settled beforehand.

    By draws, p is (1 + fair wheels at least as uneven) / (1 + fair wheels): never too small by more than
    chance, at any count.

    >>> found = unevenness([20, 30, 25], [1, 1, 1])
    >>> found.statistic, found.degrees, round(found.p, 6), found.method
    (2.0, 2, 0.367879, 'chi-square')
    """
    spins, places = sum(counts), sum(weights)
    degrees = len(weights) - 1
    if not spins:
        return Unevenness(statistic=0.0, degrees=degrees, p=1.0, method=BY_DRAWS)
    # Ties decide p at small counts, so the order of two sets of counts is taken from whole numbers.
    common = math.lcm(*weights)
    squares = sum(count * count * (common // weight) for count, weight in zip(counts, weights, strict=True))
    statistic = (places * squares - spins * spins * common) / (spins * common)
    if spins * min(weights) >= SMALL * places:
        p = float(scipy.special.chdtrc(degrees, statistic))
        return Unevenness(statistic=statistic, degrees=degrees, p=p, method=BY_CHI_SQUARE)
    drawn = fair_wheels(spins, weights)
    scale = np.array([common // weight for weight in weights])
    p = share_of_draws((drawn * drawn) @ scale >= squares)
    return Unevenness(statistic=statistic, degrees=degrees, p=p, method=BY_DRAWS)


def fair_wheels(spins: int, weights: Sequence[int]) -> NDArray[np.int64]:
    """The counts of that many fair wheels after so many spins, a row for each; the same at every call."""
    chances = [weight / sum(weights) for weight in weights]
    drawn: NDArray[np.int64] = np.random.default_rng(_SEED).multinomial(spins, chances, size=DRAWS)
    return drawn


def share_of_draws(reaching: NDArray[np.bool_]) -> float:
    """The p of a test by draws, from which of the fair wheels reach what was seen."""
    return (1 + int(reaching.sum())) / (1 + DRAWS)

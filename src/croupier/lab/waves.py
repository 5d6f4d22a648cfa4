"""Which frequencies a tilted sum is made of: few of very many, found without looking at all the others."""

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiled import compiled

Reals = NDArray[np.float64]
Whole = NDArray[np.int64]

NEGLIGIBLE = -60.0
"""Frequencies whose share of the transform is under exp(-60) change nothing in double precision."""
_TURN = 1 << 64
_QUICK = 1 << 16
"""Up to so many points it is quicker to look at the frequencies than to think about them."""
_MOST_FOUND = 4_000_000
"""More frequencies than this would take seconds for each stretch, and hundreds of megabytes."""


class TooManyWaves(Exception):
    """A distribution so full of detail that its frequencies are more than can be looked at."""


class TiltedLaw:
    """One round of a part under a tilt, in as many digits as a power of a million needs."""

    def __init__(
        self, rounds: int, steps: tuple[int, ...], chances: tuple[Fraction, ...], factor: Decimal
    ) -> None:
        weights = [
            Decimal(chance.numerator) / chance.denominator * factor**step
            for step, chance in zip(steps, chances, strict=True)
        ]
        mass = sum(weights, Decimal(0))
        self.rounds = rounds
        self.log_mass = mass.ln()
        shares = [weight / mass for weight in weights]
        self.mean = sum((share * step for share, step in zip(shares, steps, strict=True)), Decimal(0))
        self.steps = np.array(steps, np.int64)
        self.shares = np.array([float(share) for share in shares])
        rests = [round((rounds * share % 1) * _TURN) % _TURN for share in shares]
        self.rests = np.array([rest - _TURN if 2 * rest >= _TURN else rest for rest in rests], np.int64)
        """By how much the number of rounds that bring each step differs from a whole number, on average.

        It is counted in 2^-64, so that a product with a whole number that runs over 64 bits loses whole
        turns and not a digit.
        """


def loud_frequencies(size: int, laws: Sequence[TiltedLaw], most: int) -> Whole:
    """The frequencies at which the sum of all rounds still has weight, the slowest first.

    It is given up after computing about `most` terms of characteristic functions, or where they are too many.
    """
    bands = np.array([[1, size // 2]])
    if size > _QUICK:
        bands = _bands(size, *_conditions(laws), most // 4)
        if not bands.size:
            raise TooManyWaves
    terms = sum(law.steps.size for law in laws)
    found = _loud(
        size,
        bands,
        np.concatenate([law.steps for law in laws]),
        np.concatenate([law.shares for law in laws]),
        np.array([float(law.rounds) for law in laws]),
        np.cumsum([law.steps.size for law in laws]),
        most // terms,
        _MOST_FOUND,
    )
    if not found.size:
        raise TooManyWaves
    return found


def _conditions(laws: Sequence[TiltedLaw]) -> tuple[Reals, Reals]:
    """Distances between two steps, and by how much of a turn each may miss whole turns at a loud frequency.

    The square of a characteristic function's modulus is 1 less 4 p q sin(x / 2)^2 for every two steps with
    chances p and q that are turned by x against each other; so one pair of them can make it too small.
    """
    radii: dict[int, float] = {}
    for law in laws:
        missing = -math.expm1(2.0 * NEGLIGIBLE / law.rounds)
        first, second = np.triu_indices(law.steps.size, 1)
        gaps = (law.steps[second] - law.steps[first]).tolist()
        weights = (4.0 * law.shares[first] * law.shares[second]).tolist()
        for gap, weight in zip(gaps, weights, strict=True):
            if 2.0 * missing < weight:
                radius = math.asin(math.sqrt(missing / weight)) / math.pi
                radii[gap] = min(radius, radii.get(gap, radius))
    chosen = sorted(radii)
    return np.array(chosen, np.float64), np.array([radii[gap] for gap in chosen])


@compiled
def _bands(size: int, gaps: Reals, radii: Reals, most: int) -> Whole:
    """The bands of frequencies that turn every gap nearly whole; the whole rest is quiet.

    Small gaps come first: they leave few wide bands, in which the larger ones then leave narrower ones. None
    is given where more than `most` had to be made.
    """
    bands = np.array([[1, size // 2]])
    for index in range(gaps.size):
        period, radius = size / gaps[index], radii[index]
        lows, highs = [0], [0]
        for band in range(bands.shape[0]):
            low, high = bands[band]
            turns = math.ceil(low / period - radius)
            while (turns - radius) * period <= high:
                begin = max(low, highs[-1] + 1, math.floor((turns - radius) * period))
                end = min(high, math.ceil((turns + radius) * period))
                if begin <= end:
                    lows.append(begin)
                    highs.append(end)
                turns += 1
                most -= 1
                if most < 0:
                    return np.zeros((0, 2), np.int64)
        bands = np.empty((len(lows) - 1, 2), np.int64)
        for band in range(bands.shape[0]):
            bands[band, 0], bands[band, 1] = lows[band + 1], highs[band + 1]
    return bands


@compiled
def _loud(
    size: int,
    bands: Whole,
    steps: Whole,
    shares: Reals,
    rounds: Reals,
    ends: Whole,
    most: int,
    most_found: int,
) -> Whole:
    """The frequencies in the bands at which the sum still has weight; none where they are too many to see.

    The modulus of a part's characteristic function changes no faster than the mean distance from the mean, so
    from a frequency where one part alone makes it far too small the next ones can be left out unseen.
    """
    pace = 2.0 * math.pi / size
    enough = np.exp(NEGLIGIBLE / rounds)
    slowness = np.zeros(rounds.size)
    begin = 0
    for part in range(rounds.size):
        mean = spread = 0.0
        for j in range(begin, ends[part]):
            mean += shares[j] * steps[j]
        for j in range(begin, ends[part]):
            spread += shares[j] * abs(steps[j] - mean)
        slowness[part] = 1.0 / max(spread * pace, 1e-18)
        begin = ends[part]
    found = [0]
    for band in range(bands.shape[0]):
        frequency = bands[band, 0]
        while frequency <= bands[band, 1]:
            most -= 1
            if most < 0:
                return np.zeros(0, np.int64)
            loudness, ahead = 0.0, 1.0
            begin = 0
            for part in range(rounds.size):
                real = imaginary = 0.0
                for j in range(begin, ends[part]):
                    whole = math.floor(frequency * (steps[j] / size) + 0.5)
                    angle = (frequency * steps[j] - whole * size) * pace
                    real += shares[j] * math.cos(angle)
                    imaginary += shares[j] * math.sin(angle)
                squared = real * real + imaginary * imaginary
                loudness += 0.5 * rounds[part] * math.log(squared) if squared > 0.0 else -np.inf
                ahead = max(ahead, (enough[part] - math.sqrt(squared)) * slowness[part])
                begin = ends[part]
            if loudness >= NEGLIGIBLE:
                if len(found) > most_found:
                    return np.zeros(0, np.int64)
                found.append(frequency)
                frequency += 1
            else:
                frequency += int(min(ahead, float(size)))
    return np.array(found)

"""Simulated wheels under the watch: how often a fair one raises the alarm, how soon a biased one does."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from croupier.lab.bias import CONCENTRATIONS, POCKET, SECTOR, WHOLE, BiasTest, Counts, Reals
from croupier.lab.bias_alarm import ALL, DEALERS, SHARED, STRETCH_SPINS, STRETCHES, alarm_at, share_of
from croupier.lab.compiled import compiled

_SUMMED_EVERY: Final = 16
"""After so many spins the common factors are put into the bets, and these are summed anew: what was added and
taken away again would leave its rounding behind, and a factor of many spins would make it large."""


def highest_evidence(
    test: BiasTest,
    chances: Sequence[float],
    *,
    wheels: int,
    spins: int,
    seed: int,
    dealers: int = 1,
    stretch: int = STRETCH_SPINS,
) -> Reals:
    """The highest e-value of each of many wheels, looked at after every spin; the dealers take turns."""
    random = np.random.default_rng(seed)
    ends = np.cumsum(chances)
    numbers = np.arange(spins)
    highest = np.empty(wheels)
    for wheel in range(wheels):
        results = np.searchsorted(ends, random.random(spins) * ends[-1], side="right")
        highest[wheel] = evidence_course(test, results, numbers // stretch, numbers % dealers).max()
    return highest


def evidence_course(test: BiasTest, results: Counts, stretches: Counts, dealers: Counts) -> Reals:
    """The e-value of a wheel after each spin, where it is said in which stretch it was and which dealer spun.

    These are the numbers of `log_joined`, made by multiplying bet by bet instead of from the counts: quicker
    for every spin of many wheels, and a second way to the same. Stretches and dealers are numbered from 0 in
    the order in which they come.
    """
    pockets = len(test.weights)
    sectors = len(test.windows) - pockets
    of_sector = float(test.shares[SECTOR]) / sectors if sectors else 0.0
    of_window = [float(test.shares[POCKET]) / pockets] * pockets + [of_sector] * sectors
    bets = np.exp(test.log_spread) * np.array(of_window)[:, None]
    whole = np.full(len(CONCENTRATIONS), float(test.shares[WHOLE]) / len(CONCENTRATIONS))
    shares, idle = [SHARED[ALL]], Fraction(0)
    for of, numbers in ((STRETCHES, stretches), (DEALERS, dealers)):
        come = int(numbers.max(initial=-1)) + 1
        shares += [SHARED[of] * share_of(order) for order in range(1, come + 1)]
        idle += SHARED[of] / (come + 1)
    before = int(stretches.max(initial=-1)) + 2
    begun = np.array([float(share) for share in shares])
    _, alike, group = np.unique(test.chances, return_index=True, return_inverse=True)
    hit, miss = np.exp(test.log_hit[alike]), np.exp(test.log_miss[alike])
    course: Reals = _course(
        results,
        1 + stretches,
        before + dealers,
        np.array([np.flatnonzero(column) for column in test.inside.T]),
        group,
        miss,
        hit / miss - 1.0,
        begun[:, None, None] * bets,
        begun[:, None] * whole,
        np.array(CONCENTRATIONS, np.float64),
        np.array(test.weights, np.float64),
        float(idle),
    )
    return course


@compiled
def _course(
    results: Counts,
    stretches: Counts,
    dealers: Counts,
    holding: Counts,
    group: Counts,
    miss: Reals,
    gain: Reals,
    bets: Reals,
    whole: Reals,
    concentrations: Reals,
    weights: Reals,
    idle: float,
) -> Reals:
    """Plays the bets on all spins (row 0) and on those of each stretch and dealer (their rows) spin by spin.

    Windows of one chance are a group: a miss multiplies all of their bets alike, so that factor is kept once,
    and only the windows that were hit are touched.
    """
    rows, windows, biases = bets.shape
    groups, places = len(miss), weights.sum()
    course, owned = np.empty(results.size), np.zeros(rows)
    counts, spins = np.zeros((rows, weights.size)), np.zeros(rows)
    sums, factors = np.zeros((rows, *miss.shape)), np.ones((rows, *miss.shape))
    for row in range(rows):
        for window in range(windows):
            sums[row, group[window]] += bets[row, window]
        owned[row] = sums[row].sum() + whole[row].sum()
    for spin in range(results.size):
        result = results[spin]
        for row in (0, stretches[spin], dealers[spin]):
            for window in holding[result]:
                of = group[window]
                for bias in range(biases):
                    won = bets[row, window, bias] * gain[of, bias]
                    bets[row, window, bias] += won
                    sums[row, of, bias] += won
            total = 0.0
            for of in range(groups):
                for bias in range(biases):
                    factors[row, of, bias] *= miss[of, bias]
                    total += sums[row, of, bias] * factors[row, of, bias]
            for i in range(concentrations.size):
                seen = concentrations[i] * weights[result] + counts[row, result]
                believed = seen / (concentrations[i] * places + spins[row])
                whole[row, i] *= believed * places / weights[result]
                total += whole[row, i]
            owned[row] = total
            counts[row, result] += 1.0
            spins[row] += 1.0
            if spins[row] % _SUMMED_EVERY == 0:
                sums[row] = 0.0
                for window in range(windows):
                    of = group[window]
                    for bias in range(biases):
                        bets[row, window, bias] *= factors[row, of, bias]
                        sums[row, of, bias] += bets[row, window, bias]
                factors[row] = 1.0
        course[spin] = owned.sum() + idle
    return course


def spins_to_alarm(
    test: BiasTest,
    chances: Sequence[float],
    *,
    wheels: int,
    most: int,
    every: int,
    level: float,
    seed: int,
) -> Counts:
    """After how many spins each of many wheels raises the alarm, or 0 where it does not within `most`.

    The wheels are looked at only after every so many spins, and only what is bet on all spins counts: the
    true watch is never later.
    """
    random = np.random.default_rng(seed)
    needed = math.log(alarm_at(level)) - math.log(SHARED[ALL])
    counts = np.zeros((wheels, len(test.weights)), np.int64)
    alarms = np.zeros(wheels, np.int64)
    for spins in range(every, most + 1, every):
        quiet = np.flatnonzero(alarms == 0)
        if not quiet.size:
            break
        counts[quiet] += random.multinomial(every, chances, size=quiet.size)
        alarms[quiet[test.log_e(counts[quiet]) >= needed]] = spins
    return alarms


def biased_chances(weights: Sequence[int], outcomes: Sequence[int], bias: float) -> list[float]:
    """The chances of a wheel on which some outcomes come more often by a part, and the others less.

    >>> [round(chance, 4) for chance in biased_chances([1, 1, 1, 1], [0], 0.2)]
    [0.3, 0.2333, 0.2333, 0.2333]
    """
    fair = [weight / sum(weights) for weight in weights]
    inside = sum(fair[outcome] for outcome in outcomes)
    others = (1 - inside * (1 + bias)) / (1 - inside)
    return [chance * (1 + bias if outcome in outcomes else others) for outcome, chance in enumerate(fair)]

"""Exponential tilting: the cumulants of a tilted sum, the tilt for a wanted mean, and Chernoff's bounds.

Tilting by theta multiplies the chance of k steps by exp(theta * k) and scales back to one. A sum tilted so
that its mean lies in a tail is ordinary there, so a transform that is right to 1e-16 of its peak is right
*relatively* in the tail once the tilt is taken back.
"""

import math

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiled import compiled

Reals = NDArray[np.float64]
Whole = NDArray[np.int64]

_NEWTON_STEPS = 200


@compiled
def cumulants(
    theta: float, steps: Reals, logs: Reals, rounds: Reals, ends: Whole
) -> tuple[float, float, float]:
    """K, K' and K'' of the sum at theta; part i is `steps[ends[i-1]:ends[i]]` with its log chances."""
    total = mean = variance = 0.0
    begin = 0
    for part in range(rounds.size):
        top = -np.inf
        for j in range(begin, ends[part]):
            top = max(top, logs[j] + theta * steps[j])
        mass = first = second = 0.0
        for j in range(begin, ends[part]):
            weight = math.exp(logs[j] + theta * steps[j] - top)
            mass += weight
            first += weight * steps[j]
        first /= mass
        for j in range(begin, ends[part]):
            weight = math.exp(logs[j] + theta * steps[j] - top)
            second += weight * (steps[j] - first) ** 2
        total += rounds[part] * (top + math.log(mass))
        mean += rounds[part] * first
        variance += rounds[part] * second / mass
        begin = ends[part]
    return total, mean, variance


@compiled
def tilt_for_mean(
    wanted: float, theta: float, steps: Reals, logs: Reals, rounds: Reals, ends: Whole
) -> float:
    """The tilt whose mean is `wanted`, by Newton's method kept inside a bracket; `theta` is a first guess."""
    low, high = -np.inf, np.inf
    for _ in range(_NEWTON_STEPS):
        _, mean, variance = cumulants(theta, steps, logs, rounds, ends)
        if abs(mean - wanted) <= 1e-9 * (1.0 + math.sqrt(variance)):
            break
        if mean < wanted:
            low = theta
        else:
            high = theta
        guess = theta + (wanted - mean) / variance if variance > 0.0 else theta
        if not low < guess < high:
            if np.isinf(low):
                guess = 2.0 * theta - 1.0
            elif np.isinf(high):
                guess = 2.0 * theta + 1.0
            else:
                guess = 0.5 * (low + high)
        theta = guess
    return theta


@compiled
def reach(
    theta: float, side: float, exponent: float, steps: Reals, logs: Reals, rounds: Reals, ends: Whole
) -> float:
    """How far from the tilted mean, to one side, the tilted mass beyond is under exp(-exponent)."""
    base, mean, variance = cumulants(theta, steps, logs, rounds, ends)
    if variance <= 0.0:
        return 0.0
    shift = side * math.sqrt(2.0 * exponent / variance)
    inside, outside, far = 0.0, 0.0, mean
    for _ in range(60):
        total, far, _ = cumulants(theta + shift, steps, logs, rounds, ends)
        if shift * far - total + base >= exponent:
            outside = shift
            break
        inside = shift
        shift *= 2.0
    else:
        return abs(far - mean)
    for _ in range(12):
        middle = 0.5 * (inside + outside)
        total, far, _ = cumulants(theta + middle, steps, logs, rounds, ends)
        if middle * far - total + base >= exponent:
            outside = middle
        else:
            inside = middle
    _, far, _ = cumulants(theta + outside, steps, logs, rounds, ends)
    return abs(far - mean)


@compiled
def chernoff(cell: float, theta: float, steps: Reals, logs: Reals, rounds: Reals, ends: Whole) -> float:
    """The logarithm of a bound on the untilted mass from `cell` outwards, best where `theta` has its mean."""
    total, _, _ = cumulants(theta, steps, logs, rounds, ends)
    return total - theta * cell

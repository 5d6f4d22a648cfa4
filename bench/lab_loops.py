"""Loops as somebody would write them by hand for one slip or one system, with nothing that is not needed.

They draw with xorshift and accept its small bias, count nothing but the money and the spins, and know
their one bet: the most that the lab's loops, which know none of this, can be measured against.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.lab import Slip

_13, _7, _17, _32 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)
_POCKETS, _REDS = np.uint64(37), np.uint64(18)


def payoff(slip: Slip) -> NDArray[np.int64]:
    return np.array(slip.net_cents)


@njit
def flat(rounds, seed, nets):  # type: ignore[no-untyped-def]
    x = np.uint64(seed)
    total = 0
    for _ in range(rounds):
        x ^= x << _13
        x ^= x >> _7
        x ^= x << _17
        total += nets[((x >> _32) * _POCKETS) >> _32]
    return total


@njit
def martingale(sessions, seed, bankroll, unit, rounds):  # type: ignore[no-untyped-def]
    x = np.uint64(seed)
    total = spins = 0
    money, stake, left = bankroll, unit, rounds
    while sessions > 0:
        x ^= x << _13
        x ^= x >> _7
        x ^= x << _17
        # Chosen and not branched to, since no processor can guess which it will be.
        won = ((x >> _32) * _POCKETS) >> _32 < _REDS
        money += stake if won else -stake
        stake = unit if won else 2 * stake
        left -= 1
        if left == 0 or stake > money:
            total += money
            spins += rounds - left
            money, stake, left = bankroll, unit, rounds
            sessions -= 1
    return total, spins


@njit
def dalembert(sessions, seed, bankroll, unit, rounds):  # type: ignore[no-untyped-def]
    x = np.uint64(seed)
    total = spins = 0
    money, stake, left = bankroll, unit, rounds
    while sessions > 0:
        x ^= x << _13
        x ^= x >> _7
        x ^= x << _17
        won = ((x >> _32) * _POCKETS) >> _32 < _REDS
        money += stake if won else -stake
        stake = max(unit, stake - unit) if won else stake + unit
        left -= 1
        if left == 0 or stake > money:
            total += money
            spins += rounds - left
            money, stake, left = bankroll, unit, rounds
            sessions -= 1
    return total, spins


@njit
def labouchere(sessions, seed, bankroll, unit, rounds):  # type: ignore[no-untyped-def]
    x = np.uint64(seed)
    total = spins = 0
    line = np.zeros(4096, np.int64)
    for _ in range(sessions):
        money, left = bankroll, rounds
        line[:4] = (unit, 2 * unit, 3 * unit, 4 * unit)
        first, last = 0, 4
        stake = line[0] + line[3]
        while left > 0 and stake <= money:
            x ^= x << _13
            x ^= x >> _7
            x ^= x << _17
            left -= 1
            if ((x >> _32) * _POCKETS) >> _32 < _REDS:
                money += stake
                first += 1
                last -= 1
                if first >= last:
                    line[:4] = (unit, 2 * unit, 3 * unit, 4 * unit)
                    first, last = 0, 4
            else:
                money -= stake
                line[last] = stake
                last += 1
            stake = line[first] + line[last - 1] if last - first > 1 else line[first]
        total += money
        spins += rounds - left
    return total, spins

"""The compiled loops of the simulation: whole sessions of a chunk, from a table or by calling the step.

Both loops draw the same pockets and end sessions by the same rules, so they give the same tallies. The table
is faster; the step serves systems whose table would be too large.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiled import compiled
from croupier.lab.diffusion import GOAL, GONE, LEFT, LIMIT, OPEN, OVER_LIMIT, RUIN, STOP, TIME, share_units
from croupier.lab.streams import DRAWS, Stream, refill

Bytes = NDArray[np.uint8]
Reals = NDArray[np.float64]
Whole = NDArray[np.int64]

DONE, NEEDS_STATES, BAD_ASK = range(3)
"""Why a loop returns: done, the table is too small, or the system asked for what cannot be staked."""
BEHIND, AHEAD, GAIN, ROUNDS, LOWEST, HIGHEST, WHOLE_TALLIES = range(6, 13)
"""Places in the whole tallies, after the six endings."""
GAIN_SQUARED, ROUNDS_SQUARED, TURNOVER, TURNOVER_SQUARED, REAL_TALLIES = range(5)
"""Places in the real tallies."""


class Purse(NamedTuple):
    """The money and the patience of a session; `goal` and `stop` are out of reach where there is none."""

    bankroll_cents: int
    goal_cents: int
    stop_cents: int
    rounds: int


class Tallies(NamedTuple):
    """What is counted and added up over the sessions of a chunk."""

    whole: Whole
    reals: Reals
    histogram: Whole
    bin_cents: int


class Table(NamedTuple):
    """The table of a system, everything a spin needs being found at the state's first edge plus a class."""

    class_of_pocket: Bytes
    target: NDArray[np.uint64]
    """The first edge of the state that an edge leads to."""
    net_cents: Whole
    need_cents: Whole
    """The bankroll that the state takes to which an edge leads."""
    stake_cents: Whole
    kinds: Whole
    asks: Whole
    unit_cents: Whole
    most_units: Whole
    proportional: bool
    top_cents: Whole
    """The bankroll at which a share of it is more than the table takes, for each state."""
    restarts: bool
    """Whether the system then begins anew."""
    first_need_cents: int
    """The bankroll that the first state takes, to which a system may have to go back."""


@compiled
def play_table(stream: Stream, purse: Purse, table: Table, sessions: int, tallies: Tallies) -> int:
    """Plays the sessions of a chunk from the table of a system."""
    draws, pockets = np.empty(DRAWS, np.uint64), np.empty(DRAWS * stream.spins, np.uint8)
    block, at = np.uint64(0), pockets.size
    classes = table.target.size // table.asks.size
    for _ in range(sessions):
        cents, edge, left, turnover = purse.bankroll_cents, np.uint64(0), purse.rounds, 0.0
        playing = True
        while playing and left > 0:
            if at == pockets.size:
                block = refill(stream, block, draws, pockets)
                at = 0
            coming = pockets[at : at + min(left, pockets.size - at)]
            if table.proportional:
                spun, cents, edge, staked, playing = _spin_shares(coming, table, classes, cents, edge, purse)
            else:
                spun, cents, edge, staked, playing = _spin_units(coming, table, cents, edge, purse)
            at += spun
            left -= spun
            turnover += staked
        state = edge // np.uint64(classes)
        kind = OVER_LIMIT if not playing and cents >= table.top_cents[state] else table.kinds[state]
        if not playing and cents < purse.goal_cents and kind == OPEN:
            return NEEDS_STATES
        count_end(tallies, purse, ending(purse, playing, cents, kind), cents, purse.rounds - left, turnover)
    return DONE


@compiled
def _spin_units(
    coming: Bytes, table: Table, cents: int, edge: np.uint64, purse: Purse
) -> tuple[int, int, np.uint64, int, bool]:
    """Spins until the pockets are used up or the session is over; a spin waits for nothing but `edge`."""
    staked = 0
    goal = purse.goal_cents
    class_of_pocket, target, net = table.class_of_pocket, table.target, table.net_cents
    need, stake = table.need_cents, table.stake_cents
    for spin in range(coming.size):
        edge += class_of_pocket[coming[spin]]
        staked += stake[edge]
        cents += net[edge]
        if cents < need[edge] or cents >= goal:
            return spin + 1, cents, target[edge], staked, False
        edge = target[edge]
    return coming.size, cents, edge, staked, True


@compiled
def _spin_shares(
    coming: Bytes, table: Table, classes: int, cents: int, edge: np.uint64, purse: Purse
) -> tuple[int, int, np.uint64, int, bool]:
    """The same for a system that stakes a share of the bankroll."""
    staked = 0
    state = edge // np.uint64(classes)
    for spin in range(coming.size):
        units = share_units(cents, table.asks[state], table.unit_cents[state], table.most_units[state])
        edge += table.class_of_pocket[coming[spin]]
        staked += units * table.unit_cents[state]
        cents += units * table.net_cents[edge]
        need, edge = table.need_cents[edge], table.target[edge]
        state = edge // np.uint64(classes)
        if cents >= table.top_cents[state] and table.restarts:
            edge, state, need = np.uint64(0), np.uint64(0), table.first_need_cents
        if cents < need or cents >= min(purse.goal_cents, table.top_cents[state]):
            return spin + 1, cents, edge, staked, False
    return coming.size, cents, edge, staked, True


@compiled
def ending(purse: Purse, playing: bool, cents: int, kind: int) -> int:
    """Why a session is over; the same order of reasons as in exact sessions."""
    if playing:
        return TIME
    if cents >= purse.goal_cents:
        return GOAL
    if cents <= purse.stop_cents:
        return STOP
    if kind == GONE:
        return LEFT
    return LIMIT if kind == OVER_LIMIT else RUIN


@compiled
def count_end(
    tallies: Tallies, purse: Purse, how: int, cents: int, rounds: int, turnover_cents: float
) -> None:
    """Adds one finished session to the tallies."""
    whole, reals = tallies.whole, tallies.reals
    gain = cents - purse.bankroll_cents
    whole[how] += 1
    whole[BEHIND] += gain < 0
    whole[AHEAD] += gain > 0
    whole[GAIN] += gain
    whole[ROUNDS] += rounds
    whole[LOWEST] = min(whole[LOWEST], cents)
    whole[HIGHEST] = max(whole[HIGHEST], cents)
    reals[GAIN_SQUARED] += float(gain) * float(gain)
    reals[ROUNDS_SQUARED] += float(rounds) * float(rounds)
    reals[TURNOVER] += turnover_cents
    reals[TURNOVER_SQUARED] += turnover_cents * turnover_cents
    tallies.histogram[min(cents // tallies.bin_cents, tallies.histogram.size - 1)] += 1

"""The compiled heart of exact sessions: chances move from state to state and from bankroll to bankroll.

For every state the chances of all bankrolls that occur in it form one unbroken window. A round multiplies
each window by the chance of each class of outcomes and adds it, shifted by what that class brings, to the
window of the state it leads to; what crosses the goal or cannot pay the next stake goes to the ends instead.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiled import compiled

Reals = NDArray[np.float64]
Whole = NDArray[np.int64]

FINISHED, NEEDS_STATES, NEEDS_CELLS, NEEDS_ENDS, TOO_LONG = range(5)
"""Why the loop returns: done; something is too small and must grow before it goes on; no end in sight."""
GOAL, RUIN, STOP, LIMIT, LEFT, TIME = range(6)
"""How a session ends, and the rows of `Ends.chances`."""
OPEN, KNOWN, GONE, OVER_LIMIT = range(4)
"""Kinds of states: not walked yet, walked, gone home, beyond the table's limit."""
MAXIMUM_WORK: Final = 2e10
"""Products after which the loop gives up: some ten seconds."""
NEGLIGIBLE: Final = 1e-40
"""Chances at the rim of a window that are smaller are dropped, and added up as dropped."""
PARTS: Final = 1_000_000
"""A proportional system asks for millionths of the bankroll."""
_SAFE_CENTS: Final = 9 * 10**12
"""A million times as much still fits into 64 bits."""
_EMPTY_LOW, _EMPTY_HIGH = 2**62, -(2**62)


class Play(NamedTuple):
    """The table of a system in chips above the bankroll at the start, and where the session ends."""

    chances: Reals
    net: Whole
    target: Whole
    kinds: Whole
    needs: Whole
    asks: Whole
    units_cents: Whole
    most: Whole
    proportional: bool
    tops: Whole
    """For each state the bankroll at which a share of it is more than the table takes."""
    restarts: bool
    """Whether the system then begins anew."""
    bankroll_cents: int
    chip_cents: int
    goal: int
    stop: int


class Windows(NamedTuple):
    """For each state the lowest and the highest bankroll that occurs, and where its chances begin."""

    low: Whole
    high: Whole
    offset: Whole
    cells: Reals


class Ends(NamedTuple):
    """The chances of each way to end with each bankroll, the first column standing for `first` chips."""

    first: int
    chances: NDArray[np.float64]


@compiled
def play_rounds(
    begin: int, alive: Reals, totals: Reals, play: Play, now: Windows, after: Windows, ends: Ends
) -> tuple[int, int]:
    """Plays on from round `begin`; returns why it stopped and at which round.

    `alive` gets the chance to be still playing after each round, `totals` what was staked in cents, what
    was dropped and how many products it took. The two sets of windows change places with every round.
    """
    for number in range(begin, alive.size - 1):
        status = _lay_out(play, now, after, ends)
        if status != FINISHED:
            return status, number
        if totals[2] > MAXIMUM_WORK:
            return TOO_LONG, number
        totals[0] += _play_one(play, now, after, ends)
        alive[number + 1] = _trim(after, totals)
        now, after = after, now
        if alive[number + 1] == 0.0:
            return FINISHED, number + 1
    for state in range(now.low.size):
        for k in range(now.low[state], now.high[state] + 1):
            ends.chances[TIME, k - ends.first] += now.cells[now.offset[state] + k - now.low[state]]
    return FINISHED, alive.size - 1


@compiled
def wanted_units(cents: int, ask: int, unit_cents: int) -> int:
    """How many units a number of millionths of a bankroll is: whole ones, at least one."""
    if ask == 0:
        return 0
    return max(1, min(cents, _SAFE_CENTS) * ask // (PARTS * unit_cents))


@compiled
def share_units(cents: int, ask: int, unit_cents: int, most_units: int) -> int:
    """How many of them are staked: at most what the table takes."""
    return min(most_units, wanted_units(cents, ask, unit_cents))


@compiled
def stake_units(play: Play, state: int, chips: int) -> int:
    """How many units are staked in a state with a bankroll."""
    if not play.proportional:
        return int(play.asks[state])
    cents = play.bankroll_cents + play.chip_cents * chips
    return share_units(cents, play.asks[state], play.units_cents[state], play.most[state])


@compiled
def _arrive(play: Play, state: int, chips: int) -> int:
    """The state in which a proportional system goes on: the first one where it has to begin anew."""
    return 0 if play.restarts and chips >= play.tops[state] else state


@compiled
def _plays_on(play: Play, state: int, chips: int) -> bool:
    """Whether a proportional system can stake in a state with a bankroll."""
    return bool(play.needs[state] <= chips < min(play.goal, play.tops[state]))


@compiled
def _lay_out(play: Play, now: Windows, after: Windows, ends: Ends) -> int:
    """Finds the windows after the coming round and gives each its place; says what is too small for them."""
    classes = play.chances.size
    after.low[:] = _EMPTY_LOW
    after.high[:] = _EMPTY_HIGH
    best = ends.first
    for state in range(now.low.size):
        if now.low[state] > now.high[state]:
            continue
        for edge in range(state * classes, (state + 1) * classes):
            to = play.target[edge]
            if play.kinds[to] == OPEN:
                return NEEDS_STATES
            if play.proportional:
                for k in range(now.low[state], now.high[state] + 1):
                    moved = k + stake_units(play, state, k) * play.net[edge]
                    best = max(best, moved)
                    at = _arrive(play, to, moved)
                    if _plays_on(play, at, moved):
                        after.low[at], after.high[at] = min(after.low[at], moved), max(after.high[at], moved)
                continue
            least, most = now.low[state] + play.net[edge], now.high[state] + play.net[edge]
            best = max(best, most)
            live_low, live_high = max(least, play.needs[to]), min(most, play.goal - 1)
            if live_low <= live_high:
                after.low[to] = min(after.low[to], live_low)
                after.high[to] = max(after.high[to], live_high)
    used = 0
    for state in range(after.low.size):
        after.offset[state] = used
        used += max(0, after.high[state] - after.low[state] + 1)
    if best - ends.first >= ends.chances.shape[1]:
        return NEEDS_ENDS
    if used > after.cells.size:
        return NEEDS_CELLS
    after.cells[:used] = 0.0
    return FINISHED


@compiled
def _play_one(play: Play, now: Windows, after: Windows, ends: Ends) -> float:
    """Moves all chances by one round; returns the expected stake in cents."""
    classes = play.chances.size
    staked = 0.0
    for state in range(now.low.size):
        low, high = now.low[state], now.high[state]
        if low > high:
            continue
        window = now.cells[now.offset[state] : now.offset[state] + high - low + 1]
        if play.proportional:
            for i in range(window.size):
                staked += window[i] * stake_units(play, state, low + i) * play.units_cents[state]
        else:
            staked += window.sum() * play.asks[state] * play.units_cents[state]
        for each in range(classes):
            edge = state * classes + each
            to, chance, net = play.target[edge], play.chances[each], play.net[edge]
            if play.proportional:
                for i in range(window.size):
                    moved = low + i + stake_units(play, state, low + i) * net
                    at = _arrive(play, to, moved)
                    if _plays_on(play, at, moved):
                        after.cells[after.offset[at] + moved - after.low[at]] += chance * window[i]
                    else:
                        ends.chances[ending(play, at, moved), moved - ends.first] += chance * window[i]
                continue
            # The window splits into who cannot go on, who plays on, and who reached the goal.
            live = min(max(play.needs[to] - low - net, 0), window.size)
            done = min(max(play.goal - low - net, live), window.size)
            for i in range(live):
                ends.chances[ending(play, to, low + i + net), low + i + net - ends.first] += (
                    chance * window[i]
                )
            if live < done:
                begin = after.offset[to] + low + net + live - after.low[to]
                source, sink = window[live:done], after.cells[begin : begin + done - live]
                for i in range(source.size):
                    sink[i] += chance * source[i]
            for i in range(done, window.size):
                ends.chances[GOAL, low + i + net - ends.first] += chance * window[i]
    return staked


@compiled
def ending(play: Play, state: int, chips: int) -> int:
    """Why a session ends that comes to a state with a bankroll and does not go on."""
    if chips >= play.goal:
        return GOAL
    if chips <= play.stop:
        return STOP
    if play.kinds[state] == GONE:
        return LEFT
    return LIMIT if play.kinds[state] == OVER_LIMIT or chips >= play.tops[state] else RUIN


@compiled
def _trim(windows: Windows, totals: Reals) -> float:
    """Drops what is negligible at the rims, returns what is left in all."""
    left = 0.0
    for state in range(windows.low.size):
        if windows.low[state] > windows.high[state]:
            continue
        first = windows.offset[state]
        last = first + windows.high[state] - windows.low[state]
        while first <= last and windows.cells[first] < NEGLIGIBLE:
            totals[1] += windows.cells[first]
            first += 1
        while first <= last and windows.cells[last] < NEGLIGIBLE:
            totals[1] += windows.cells[last]
            last -= 1
        windows.low[state] += first - windows.offset[state]
        windows.high[state] = windows.low[state] + last - first
        windows.offset[state] = first
        left += windows.cells[first : last + 1].sum()
        totals[2] += last - first + 1
    return left

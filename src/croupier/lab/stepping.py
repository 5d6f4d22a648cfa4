"""The loop that calls a system's step itself: for systems whose table would be too large."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from croupier.lab.compiled import compiled, settle_signature
from croupier.lab.diffusion import GONE, KNOWN, OVER_LIMIT, PARTS, wanted_units
from croupier.lab.loops import BAD_ASK, DONE, Purse, Tallies, count_end, ending
from croupier.lab.streams import DRAWS, Stream, refill
from croupier.lab.system import (
    BEYOND,
    LEAVE,
    MAXIMUM_BANKROLL_CENTS,
    NO_OUTCOME,
    STEP_SIGNATURE,
    Memory,
    Session,
    Step,
    most_units,
)

Whole = NDArray[np.int64]

END, CAP, RESTART = range(3)
"""What follows when a system asks for more than the table takes, in the order of `system.BEYOND`."""


class Felt(NamedTuple):
    """What a step plays on: one row of net results for each slip, and the table's limits in units."""

    outcome_of_pocket: NDArray[np.uint8]
    net_cents: Whole
    """Slip after slip, one for each outcome."""
    unit_cents: Whole
    most_units: Whole
    enough_units: Whole
    """More than any bankroll pays for, and few enough to be multiplied by the unit."""
    beyond: int
    proportional: bool
    stake_cell: int
    """Where the step keeps what it asked for; 0 where it does not."""
    need_cents: int
    """The least bankroll to play on with, whatever the stake."""
    start: Memory


@compiled
def play_steps(step: Step, felt: Felt, stream: Stream, purse: Purse, sessions: int, tallies: Tallies) -> int:
    """Plays the sessions of a chunk by asking the system after every spin."""
    draws, pockets = np.empty(DRAWS, np.uint64), np.empty(DRAWS * stream.spins, np.uint8)
    block, at = np.uint64(0), pockets.size
    # Taken out of their tuple once: a spin then touches no reference counts.
    outcome_of_pocket, nets = felt.outcome_of_pocket, felt.net_cents
    unit_cents, most_units, enough_units = felt.unit_cents, felt.most_units, felt.enough_units
    start = felt.start
    outcomes, slips = nets.size // unit_cents.size, unit_cents.size
    proportional, goal, floor = felt.proportional, purse.goal_cents, felt.need_cents
    memory = start.copy()
    for _ in range(sessions):
        cents, left, turnover = purse.bankroll_cents, purse.rounds, 0.0
        memory[:] = start
        net_cents, outcome = 0, NO_OUTCOME
        while True:
            # The coming pocket is looked up before the step, whose branches nobody can foresee.
            if at == pockets.size:
                block = refill(stream, block, draws, pockets)
                at = 0
            coming = int(outcome_of_pocket[pockets[at]])
            ask = step(memory, net_cents, outcome)
            slip = memory[0]
            kind = GONE if ask == LEAVE else KNOWN
            if ask < 0 or slip < 0 or slip >= slips or (proportional and ask > PARTS and kind == KNOWN):
                return BAD_ASK
            unit = unit_cents[slip]
            if proportional:
                units = wanted_units(cents, ask, unit) if kind == KNOWN else 0
                if units > most_units[slip] and felt.beyond == RESTART and cents < goal:
                    memory[:] = start
                    ask = step(memory, 0, NO_OUTCOME)
                    slip = memory[0]
                    unit = unit_cents[slip]
                    units = wanted_units(cents, ask, unit)
                if units > most_units[slip] and felt.beyond != CAP:
                    kind = OVER_LIMIT
                need = unit if ask > 0 else 0
                ask = min(units, most_units[slip])
            else:
                if ask > most_units[slip] and kind == KNOWN:
                    if felt.beyond == CAP:
                        ask = most_units[slip]
                        if felt.stake_cell > 0:
                            memory[felt.stake_cell] = ask
                    elif felt.beyond == RESTART:
                        memory[:] = start
                        ask = step(memory, 0, NO_OUTCOME)
                        unit = unit_cents[memory[0]]
                    else:
                        kind = OVER_LIMIT
                need = min(ask, enough_units[slip]) * unit
            playing = kind == KNOWN and max(need, floor) <= cents < goal
            if left == 0 or not playing:
                break
            outcome = coming
            net_cents = nets[memory[0] * outcomes + outcome] if ask > 0 else 0
            at += 1
            left -= 1
            cents += ask * net_cents
            turnover += ask * unit
        count_end(tallies, purse, ending(purse, playing, cents, kind), cents, purse.rounds - left, turnover)
    return DONE


@cache
def prepare_steps(felt_type: Any, stream_type: Any, purse_type: Any, tallies_type: Any) -> None:
    """Compiles the loop once, for a step that is given by its address: one loop serves every system."""
    step_type = types.FunctionType(STEP_SIGNATURE)
    signature = types.int64(step_type, felt_type, stream_type, purse_type, types.int64, tallies_type)
    settle_signature(play_steps, signature)


def lay_felt(session: Session) -> Felt:
    """A session's slips and limits as the loop takes them."""
    system, limits = session.system, session.limits
    units = np.array([slip.staked_cents for slip in system.slips], np.int64)
    return Felt(
        outcome_of_pocket=np.repeat(
            np.arange(len(system.slips[0].outcomes), dtype=np.uint8), system.slips[0].weights
        ),
        net_cents=np.array([net for slip in system.slips for net in slip.net_cents], np.int64),
        unit_cents=units,
        most_units=np.array([most_units(slip, limits) for slip in system.slips], np.int64)
        if limits.maximum_cents is not None
        else np.full(units.size, LEAVE, np.int64),
        enough_units=MAXIMUM_BANKROLL_CENTS // units + 1,
        beyond=BEYOND.index(limits.beyond),
        proportional=system.proportional,
        stake_cell=system.stake_cell or 0,
        need_cents=0 if session.stop_cents is None else session.stop_cents + 1,
        start=np.array(system.start, np.int64),
    )

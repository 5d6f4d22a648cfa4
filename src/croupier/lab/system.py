"""What a betting system is: a step from what the last round brought to what is asked for next.

A system is one small compiled function over a few whole numbers that it may remember:

    @step
    def martingale(memory, net_cents, outcome):
        if net_cents > 0:
            memory[1] = 1
        elif net_cents < 0:
            memory[1] *= 2
        return memory[1]

It returns how many units to stake in the next round. `net_cents` is what each unit brought in the last one, 0
where none was staked; before the first round it is 0 and the outcome is NO_OUTCOME. `memory[0]` says which of
the system's slips the units go on, `outcome` is the index of what the wheel showed. It may return 0 to sit a
round out and LEAVE to go home. The same function drives the exact sessions, which walk the states it can
reach, and the simulation.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec
import numpy as np
from numba import types
from numpy.typing import NDArray

from croupier.lab.compiled import INT64_ARRAY, compiled, is_compiled
from croupier.lab.slip import Slip
from croupier.rulebook import BadInput

Memory = NDArray[np.int64]
Step = Callable[[Memory, int, int], int]

STEP_SIGNATURE: Any = types.int64(INT64_ARRAY, types.int64, types.int64)
LEAVE: Final = 2**62
"""Asked for by a system that has had enough."""
NO_OUTCOME: Final = -1
"""The outcome before the first round."""


def step(function: Step) -> Step:
    """Makes a function the step of a system."""
    return compiled(function)


class System(msgspec.Struct, frozen=True, kw_only=True):
    """A betting system on the slips of one book."""

    name: str
    slips: tuple[Slip, ...]
    """What one unit is; all on one book and layout."""
    step: Step
    start: tuple[int, ...]
    """The memory at the start; its first number is the slip."""
    proportional: bool = False
    """Whether the step asks for millionths of the bankroll and not for units."""
    stake_cell: int | None = None
    """Where in its memory the step keeps the units that it has asked for, if it looks at them again: where
    the table takes fewer and the player stakes the maximum (`cap`), these are written there."""
    watches: bool = False
    """Whether the step looks at the outcome itself, and not only at what it brought."""
    in_law: "System | None" = None
    """A simpler system with the same distribution, for exact sessions; None where there is no need."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The table's limits for a single bet, and what a player does whose system asks for more."""

    minimum_cents: int = 1
    maximum_cents: int | None = None
    beyond: str = "stop"
    """`stop` ends the session, `cap` stakes the maximum, `restart` begins the system anew."""


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """An evening: a system, the money for it, and when it ends."""

    system: System
    bankroll_cents: int
    rounds: int
    """The most rounds that are played."""
    goal_cents: int | None = None
    """The bankroll at which the player leaves."""
    stop_cents: int | None = None
    """The bankroll at or under which the player leaves."""
    limits: Limits = Limits()


MAXIMUM_BANKROLL_CENTS = 10**13
BEYOND: Final = ("stop", "cap", "restart")


def check_session(session: Session) -> None:
    """Refuses a session that cannot be played, and says what would be right."""
    bankroll, limits = session.bankroll_cents, session.limits
    _check_system(session.system)
    if not 1 <= bankroll <= MAXIMUM_BANKROLL_CENTS:
        raise BadInput(
            "bankroll-out-of-range",
            f"A bankroll of {bankroll} cents cannot be played.",
            f"Give 1 to {MAXIMUM_BANKROLL_CENTS} cents.",
        )
    if session.goal_cents is not None and not bankroll < session.goal_cents <= MAXIMUM_BANKROLL_CENTS:
        raise BadInput(
            "goal-not-above-bankroll",
            f"The goal of {session.goal_cents} cents is not above the bankroll of {bankroll}.",
            "Set a goal above the bankroll, or none.",
        )
    if session.stop_cents is not None and not 0 <= session.stop_cents < bankroll:
        raise BadInput(
            "stop-not-under-bankroll",
            f"The stop of {session.stop_cents} cents is not under the bankroll of {bankroll}.",
            "Set a stop from 0 to under the bankroll, or none.",
        )
    if limits.beyond not in BEYOND:
        raise BadInput(
            "unknown-beyond", f"{limits.beyond!r} is not known.", f"Choose among {', '.join(BEYOND)}."
        )
    first = session.system.slips[0]
    for slip in session.system.slips:
        _check_limits(slip, limits)
        if (slip.book, slip.layout) != (first.book, first.layout):
            raise BadInput(
                "slips-on-two-tables",
                f"The system {session.system.name} bets on {first.book} and on {slip.book}.",
                "Give it slips of one book and layout.",
            )


def _check_system(system: System) -> None:
    """Refuses what no step could be run on."""
    if not system.slips:
        raise BadInput(
            "system-without-slip", f"The system {system.name} has no slip.", "Give it at least one to bet on."
        )
    if not system.start or not all(map(_is_cell, system.start)):
        raise BadInput(
            "bad-memory",
            f"The system {system.name} starts with {system.start!r} as its memory.",
            "Give whole numbers of at most 64 bits, the first of which is the index of a slip.",
        )
    if system.stake_cell is not None and not 1 <= system.stake_cell < len(system.start):
        raise BadInput(
            "bad-memory",
            f"The system {system.name} keeps its stake in cell {system.stake_cell} of {len(system.start)}.",
            "Name a cell of its memory behind the first, which is for the slip.",
        )
    if not is_compiled(system.step):
        raise BadInput(
            "step-not-compiled",
            f"The step of the system {system.name} is no step yet.",
            "Write @step above the function.",
        )


def _is_cell(value: object) -> bool:
    return isinstance(value, int | np.integer) and bool(-(2**63) <= value < 2**63)


def step_fault(system: System, error: Exception) -> BadInput:
    """What somebody's own step does wrong, for them to read."""
    reason = " ".join(str(error).split()) or "no reason given"
    return BadInput(
        "step-fault",
        f"The step of the system {system.name} cannot be run: {type(error).__name__}: {reason[:200]}.",
        "Mend it first.",
    )


def _check_limits(slip: Slip, limits: Limits) -> None:
    smallest, largest = min(slip.stakes_cents.values()), max(slip.stakes_cents.values())
    if smallest < limits.minimum_cents:
        raise BadInput(
            "unit-under-minimum",
            f"One unit puts {smallest} cents on a bet, and the table's minimum is {limits.minimum_cents}.",
            "Raise the unit or lower the minimum.",
        )
    if limits.maximum_cents is not None and largest > limits.maximum_cents:
        raise BadInput(
            "limit-under-unit",
            f"One unit puts {largest} cents on a bet, and the table's maximum is {limits.maximum_cents}.",
            "Lower the unit or raise the maximum.",
        )


def most_units(slip: Slip, limits: Limits) -> int:
    """How many units of a slip the table's maximum allows."""
    if limits.maximum_cents is None:
        return MAXIMUM_BANKROLL_CENTS
    return limits.maximum_cents // max(slip.stakes_cents.values())

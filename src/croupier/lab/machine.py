"""A system as a table: the states it can reach, what each asks for, and where each outcome leads."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiled import settle_signature
from croupier.lab.diffusion import GONE, KNOWN, OPEN, OVER_LIMIT, PARTS, wanted_units
from croupier.lab.loops import Table
from croupier.lab.slip import Slip
from croupier.lab.system import (
    LEAVE,
    MAXIMUM_BANKROLL_CENTS,
    NO_OUTCOME,
    STEP_SIGNATURE,
    Session,
    System,
    check_session,
    most_units,
    step_fault,
)
from croupier.rulebook import BadInput

NEVER: Final = 2**60
"""More cents than anybody has: a state that needs them is not played."""


class Classes:
    """Outcomes that mean the same to a system, with their pockets; all outcomes where it watches them."""

    def __init__(self, system: System) -> None:
        first = system.slips[0]
        columns: Sequence[tuple[int, ...]] = [
            (index,) if system.watches else tuple(slip.net_cents[index] for slip in system.slips)
            for index in range(len(first.outcomes))
        ]
        distinct = list(dict.fromkeys(columns))
        self.of_outcome = [distinct.index(column) for column in columns]
        self.example = [columns.index(column) for column in distinct]
        """An outcome of each class."""
        self.pockets = [0] * len(distinct)
        for index, weight in zip(self.of_outcome, first.weights, strict=True):
            self.pockets[index] += weight
        self.of_pocket = np.repeat(np.array(self.of_outcome, np.uint8), first.weights)
        self.size = len(distinct)


class Machine:
    """The table of a session's system, walked breadth first and only as far as somebody asks.

    States are numbered in the order in which they are found; the first is the start. For state s and
    class c the entry `s * classes.size + c` of `net_cents` and `target` holds what the round brings and where
    it leads. A proportional system's `net_cents` are those of one unit.
    """

    def __init__(self, session: Session) -> None:
        check_session(session)
        try:
            settle_signature(session.system.step, STEP_SIGNATURE)
        except Exception as error:  # whatever somebody's own code does wrong is for them to read
            raise step_fault(session.system, error) from error
        self.session = session
        self.restarts = session.limits.beyond == "restart"
        self.classes = Classes(session.system)
        self._floor = 0 if session.stop_cents is None else session.stop_cents + 1
        self._memories: list[tuple[int, ...]] = []
        self._slips: list[int] = []
        self._index: dict[tuple[int, tuple[int, ...]], int] = {}
        self._walked = 0
        self.asks: list[int] = []
        self._kinds: list[int] = []
        self._edges: list[tuple[int, int]] = []
        ask, memory = self._step(session.system.start, 0, NO_OUTCOME)
        self._check_first(ask, session.system.slips[memory[0]])
        self._find(ask, memory)
        self.grow(16)

    @property
    def states(self) -> int:
        """How many states have been found."""
        return len(self.asks)

    def grow(self, count: int) -> None:
        """Walks the next states that are found but not walked, and rebuilds the arrays."""
        wanted = self._walked + count
        while self._walked < min(wanted, self.states):
            self._walk(self._walked)
            self._walked += 1
        self._build()

    def _check_first(self, ask: int, slip: Slip) -> None:
        """Refuses a system whose first stake is not possible, so that it can be begun anew at any time."""
        session, most = self.session, most_units(slip, self.session.limits)
        proportional = session.system.proportional
        stake = slip.staked_cents * (min(ask, 1) if proportional else ask)
        if ask == LEAVE:
            raise BadInput(
                "nothing-played",
                f"The system {session.system.name} leaves at once.",
                "Let it stake.",
            )
        units = wanted_units(session.bankroll_cents, ask, slip.staked_cents) if proportional else ask
        if units > most and not (proportional and session.limits.beyond == "cap"):
            raise BadInput(
                "limit-under-first-stake",
                f"The system {session.system.name} begins with {units} units, more than the table takes.",
                "Raise the maximum, or stake it where more is asked for (cap)."
                if proportional
                else "Raise the maximum or play a smaller unit.",
            )
        if stake > session.bankroll_cents:
            raise BadInput(
                "bankroll-under-first-stake",
                f"The first stake takes {stake} cents, and the bankroll is {session.bankroll_cents}.",
                "Bring more money or play a smaller unit.",
            )

    def _walk(self, state: int) -> None:
        if self._kinds[state] == OPEN:
            self._kinds[state] = KNOWN
        if self._needs(state) >= NEVER:
            self._edges += [(0, state)] * self.classes.size
            return
        slip = self.session.system.slips[self._slips[state]]
        units = 1 if self.session.system.proportional else self.asks[state]
        for outcome in self.classes.example:
            net = slip.net_cents[outcome] if self.asks[state] > 0 else 0
            target = self._find(*self._step(self._memories[state], net, outcome))
            self._edges.append((units * net, target))

    def _step(self, memory: tuple[int, ...], net_cents: int, outcome: int) -> tuple[int, tuple[int, ...]]:
        working = np.zeros(len(self.session.system.start), np.int64)
        working[: len(memory)] = memory
        try:
            ask = int(self.session.system.step(working, net_cents, outcome))
        except Exception as error:  # as above
            raise step_fault(self.session.system, error) from error
        check_ask(self.session.system, ask, int(working[0]))
        used = np.flatnonzero(working)
        # Zeros at the end are not kept: a memory made for long lines is short most of the time.
        return ask, tuple(working[: max(1, used[-1] + 1 if used.size else 1)].tolist())

    def _find(self, ask: int, memory: tuple[int, ...]) -> int:
        """The number of a state, a new one where it was not known; the table's limit is applied here."""
        limits, kind = self.session.limits, OPEN
        most = most_units(self.session.system.slips[memory[0]], limits)
        if ask == LEAVE:
            kind = GONE
        elif not self.session.system.proportional and ask > most and limits.maximum_cents is not None:
            if limits.beyond == "restart":
                return 0
            if limits.beyond == "cap":
                ask, memory = most, self._corrected(memory, most)
            else:
                kind = OVER_LIMIT
        key = (ask, memory)
        if key not in self._index:
            self._index[key] = len(self.asks)
            self.asks.append(ask)
            self._memories.append(memory)
            self._slips.append(memory[0])
            self._kinds.append(kind)
        return self._index[key]

    def _corrected(self, memory: tuple[int, ...], units: int) -> tuple[int, ...]:
        """The memory of a system that staked less than it asked for."""
        cell = self.session.system.stake_cell
        if cell is None:
            return memory
        longer = [*memory, *[0] * (cell + 1 - len(memory))]
        longer[cell] = units
        return tuple(longer)

    def _needs(self, state: int) -> int:
        """The bankroll that a state's stake takes; more than anybody has where the state is not played."""
        if self._kinds[state] in (GONE, OVER_LIMIT):
            return NEVER
        staked = self.session.system.slips[self._slips[state]].staked_cents
        stake = staked if self.session.system.proportional and self.asks[state] else self.asks[state] * staked
        return NEVER if stake > MAXIMUM_BANKROLL_CENTS else max(stake, self._floor)

    def _top(self, state: int) -> int:
        """The bankroll at which a share of it is more than the table takes; NEVER where it is cut down."""
        system, limits, ask = self.session.system, self.session.limits, self.asks[state]
        if not system.proportional or limits.maximum_cents is None or limits.beyond == "cap":
            return NEVER
        if self._kinds[state] == GONE or ask == 0:
            return NEVER
        slip = system.slips[self._slips[state]]
        too_much = (most_units(slip, limits) + 1) * slip.staked_cents
        return min(NEVER, -(-too_much * PARTS // ask))

    def _build(self) -> None:
        slips = self.session.system.slips
        self.kinds = np.array(self._kinds, np.int64)
        self.needs_cents = np.array([self._needs(state) for state in range(self.states)], np.int64)
        self.needs_cents[self._walked :] = NEVER
        self.tops_cents = np.array([self._top(state) for state in range(self.states)], np.int64)
        staked = np.array([slip.staked_cents for slip in slips], np.int64)
        self.unit_cents: NDArray[np.int64] = staked[self._slips]
        self.stakes_cents = np.array(
            [min(ask * int(unit), NEVER) for ask, unit in zip(self.asks, self.unit_cents, strict=True)],
            np.int64,
        )
        edges = np.array(self._edges, np.int64).reshape(-1, 2)
        self.net_cents = np.ascontiguousarray(edges[:, 0])
        self.target = np.ascontiguousarray(edges[:, 1])
        most = np.array([most_units(slip, self.session.limits) for slip in slips], np.int64)
        self.most_units: NDArray[np.int64] = most[self._slips]

    def table(self) -> Table:
        """The table as the simulation takes it: only states that have been walked have edges."""
        classes, walked = self.classes.size, self._walked
        return Table(
            class_of_pocket=self.classes.of_pocket,
            target=(self.target * classes).astype(np.uint64),
            net_cents=self.net_cents,
            need_cents=self.needs_cents[self.target],
            stake_cents=np.repeat(self.stakes_cents[:walked], classes),
            kinds=self.kinds,
            asks=np.minimum(np.array(self.asks[:walked], np.int64), NEVER),
            unit_cents=self.unit_cents,
            most_units=self.most_units,
            proportional=self.session.system.proportional,
            top_cents=self.tops_cents,
            restarts=self.restarts,
            first_need_cents=int(self.needs_cents[0]),
        )


def check_ask(system: System, ask: int, slip: int) -> None:
    """Refuses what a system must not ask for."""
    if ask < 0:
        raise BadInput(
            "negative-stake",
            f"The system {system.name} asks for {ask} units.",
            "A step returns 0 to sit out, a number of units to stake, or LEAVE to stop.",
        )
    if system.proportional and ask > PARTS and ask != LEAVE:
        raise BadInput(
            "more-than-everything",
            f"The system {system.name} asks for {ask} millionths of the bankroll.",
            f"A proportional step returns 0 to {PARTS}.",
        )
    if not 0 <= slip < len(system.slips):
        raise BadInput(
            "unknown-slip",
            f"The system {system.name} bets on slip {slip} of {len(system.slips)}.",
            "memory[0] is the index of one of the system's slips.",
        )

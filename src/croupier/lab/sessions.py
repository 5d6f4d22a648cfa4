"""Exact sessions: a system, a bankroll, a goal, limits, and the whole distribution of how it ends."""

import math
from collections.abc import Mapping
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.lab.diffusion import (
    FINISHED,
    GOAL,
    MAXIMUM_WORK,
    NEEDS_CELLS,
    NEEDS_ENDS,
    NEEDS_STATES,
    RUIN,
    TOO_LONG,
    Ends,
    Play,
    Windows,
    play_rounds,
)
from croupier.lab.lattice import check_rounds
from croupier.lab.machine import NEVER, Machine
from croupier.lab.quantiles import first_reaching
from croupier.lab.system import Session
from croupier.rulebook import BadInput

ENDINGS: Final = ("goal", "ruin", "stop", "table-limit", "left", "time")
"""Reached the goal; could not pay the next stake; fell to the stop; the system asked for more than the table
takes; the system had enough; all rounds were played."""
_SHARES: Final = frozenset({"behind", "ahead", *ENDINGS})
"""The figures that are chances."""
MAXIMUM_STATES: Final = 1 << 17
MAXIMUM_CELLS: Final = 1 << 21

Reals = NDArray[np.float64]


class SessionResult:
    """How a session ends: `chances[e, k]` is the chance of ending e with `first + k * step` cents.

    `alive[r]` is the chance that more than r rounds are played. What was dropped on the way
    because it was under 1e-40 is added up in `dropped`.
    """

    def __init__(
        self, session: Session, first_cents: int, step_cents: int, chances: Reals, alive: Reals, totals: Reals
    ) -> None:
        self.session = session
        self.chances = chances
        self.end_cents: NDArray[np.int64] = first_cents + step_cents * np.arange(chances.shape[1])
        self.alive = alive
        self.turnover_cents = float(totals[0])
        self.dropped = float(totals[1])

    def chance(self, ending: str) -> float:
        """The chance of one of the ENDINGS."""
        return float(self.chances[ENDINGS.index(ending)].sum())

    @property
    def goal(self) -> float:
        """The chance to reach the goal."""
        return float(self.chances[GOAL].sum())

    @property
    def ruin(self) -> float:
        """The chance that the next stake cannot be paid."""
        return float(self.chances[RUIN].sum())

    @property
    def end_chances(self) -> Reals:
        """The chance of each bankroll in `end_cents`, however the session ended."""
        return np.asarray(self.chances.sum(axis=0))

    @property
    def mean_cents(self) -> float:
        """The expected bankroll at the end."""
        start = self.session.bankroll_cents
        return start + float((self.end_cents - start) @ self.end_chances)

    @property
    def deviation_cents(self) -> float:
        """The standard deviation of the bankroll at the end."""
        return math.sqrt(float((self.end_cents - self.mean_cents) ** 2 @ self.end_chances))

    @property
    def expected_loss_cents(self) -> float:
        """What the session costs on average."""
        return self.session.bankroll_cents - self.mean_cents

    @property
    def expected_rounds(self) -> float:
        """How many rounds are played on average."""
        return float(self.alive[:-1].sum())

    @property
    def behind(self) -> float:
        """The chance to end with less than the bankroll at the start."""
        return float(self.end_chances[self.end_cents < self.session.bankroll_cents].sum())

    @property
    def ahead(self) -> float:
        """The chance to end with more than the bankroll at the start."""
        return float(self.end_chances[self.end_cents > self.session.bankroll_cents].sum())

    @property
    def figures(self) -> Mapping[str, float]:
        """The figures that a simulation estimates too, by name."""
        return {
            "mean_cents": self.mean_cents,
            "rounds": self.expected_rounds,
            "turnover_cents": self.turnover_cents,
            "behind": self.behind,
            "ahead": self.ahead,
            **{name: self.chance(name) for name in ENDINGS},
        }

    @property
    def rounds_deviation(self) -> float:
        """The standard deviation of the number of rounds; 0 where rounding alone would make it differ."""
        missing = self.session.rounds - self.expected_rounds
        left = 1.0 - self.alive[:-1]
        # Counted in rounds that are missing in the end: where hardly any is, hardly any digit is lost.
        steps = 2.0 * np.arange(left.size, 0, -1) - 1.0
        variance = float(steps @ left) - missing * missing
        return math.sqrt(variance) if variance > 1e-15 * left.size**2 else 0.0

    @property
    def deviations(self) -> Mapping[str, float]:
        """The standard deviation of one session in each of the `figures` for which it is known exactly."""
        shares = {name: share for name, share in self.figures.items() if name in _SHARES}
        return {
            "mean_cents": self.deviation_cents,
            "rounds": self.rounds_deviation,
            **{name: math.sqrt(max(share * (1.0 - share), 0.0)) for name, share in shares.items()},
        }

    def quantile(self, chance: float) -> int:
        """The smallest bankroll at the end that is not exceeded with at least this chance."""
        if not 0.0 < chance < 1.0:
            raise BadInput(
                "chance-out-of-range", f"{chance!r} is not a chance between 0 and 1.", "Give 0.05."
            )
        cell = first_reaching(np.cumsum(self.end_chances), chance)
        return int(self.end_cents[min(cell, self.end_cents.size - 1)])


def play_session(session: Session) -> SessionResult:
    """The exact distribution of a session's end.

    >>> from croupier.lab import place_slip
    >>> from croupier.lab.systems import martingale
    >>> from croupier.rulebook import load_book
    >>> slip = place_slip(load_book("mbs-roulette"), {"red": 100})
    >>> result = play_session(Session(system=martingale(slip), bankroll_cents=100_000, rounds=1000))
    >>> round(result.mean_cents / 100, 6), round(result.behind, 4), round(result.expected_rounds, 2)
    (892.680097, 0.4772, 727.92)
    """
    check_rounds(session.rounds)
    return _Walk(session).result()


class _Walk:
    """Runs the compiled loop and lets grow whatever it finds too small."""

    def __init__(self, session: Session) -> None:
        system = session.system.in_law or session.system
        self._session = session
        self._machine = Machine(msgspec.structs.replace(session, system=system))
        nets = (net for slip in system.slips for net in (*slip.net_cents, slip.staked_cents))
        self._chip = math.gcd(*nets)
        self._first = -(session.bankroll_cents // self._chip)
        self._refuse_beyond(-self._first, MAXIMUM_CELLS // 2, "bankrolls")
        self._ends = np.zeros((len(ENDINGS), 2 * -self._first + 64))
        self._alive = np.zeros(session.rounds + 1)
        self._totals = np.zeros(3)
        self._now, self._after = self._windows(1), self._windows(256)
        self._now.low[0] = self._now.high[0] = 0
        self._now.cells[0] = self._alive[0] = 1.0

    def result(self) -> SessionResult:
        """Plays all rounds."""
        number, status = 0, -1
        while status != FINISHED:
            begin = number
            status, number = play_rounds(
                begin, self._alive, self._totals, self._play(), self._now, self._after,
                Ends(self._first, self._ends),
            )  # fmt: skip
            if (number - begin) % 2:
                self._now, self._after = self._after, self._now
            self._enlarge(status)
        return SessionResult(
            self._session,
            self._session.bankroll_cents + self._first * self._chip,
            self._chip,
            self._ends[:, : self._last_end() + 1],
            self._alive,
            self._totals,
        )

    def _last_end(self) -> int:
        return int(np.flatnonzero(self._ends.any(axis=0))[-1])

    def _enlarge(self, status: int) -> None:
        if status == NEEDS_STATES:
            known = self._now.low.size
            self._machine.grow(known)
            self._refuse_beyond(self._machine.states, MAXIMUM_STATES, "states of the system")
            added = self._machine.states - known
            self._now, self._after = (_lengthened(windows, added) for windows in (self._now, self._after))
        elif status == NEEDS_CELLS:
            size = self._grown(self._after.cells.size, 4, "pairs of state and bankroll")
            self._after = self._after._replace(cells=np.zeros(size))
        elif status == NEEDS_ENDS:
            size = self._grown(self._ends.shape[1], 2, "bankrolls")
            self._ends = np.pad(self._ends, ((0, 0), (0, size - self._ends.shape[1])))
        elif status == TOO_LONG:
            self._refuse_beyond(self._totals[2], MAXIMUM_WORK, "steps to take")

    def _grown(self, size: int, by: int, of_what: str) -> int:
        """The next size of what is too small; refused only where there is none."""
        self._refuse_beyond(size + 1, MAXIMUM_CELLS, of_what)
        return min(by * size, MAXIMUM_CELLS)

    def _refuse_beyond(self, size: float, most: float, of_what: str) -> None:
        if size > most:
            raise BadInput(
                "session-too-large",
                f"The session has more than {most:.0f} {of_what}, too many for an exact answer.",
                "Set a goal, a stop or a table maximum, play fewer rounds or a coarser unit, or simulate it.",
            )

    def _windows(self, size: int) -> Windows:
        states = self._machine.states
        return Windows(
            np.ones(states, np.int64), np.zeros(states, np.int64), np.zeros(states, np.int64), np.zeros(size)
        )

    def _play(self) -> Play:
        machine, session, chip = self._machine, self._session, self._chip
        pockets = sum(machine.classes.pockets)
        needs = -((session.bankroll_cents - machine.needs_cents) // chip)
        needs[machine.needs_cents == NEVER] = NEVER
        tops = -((session.bankroll_cents - machine.tops_cents) // chip)
        tops[machine.tops_cents == NEVER] = NEVER
        goal, stop = session.goal_cents, session.stop_cents
        return Play(
            chances=np.array([count / pockets for count in machine.classes.pockets]),
            net=machine.net_cents // chip,
            target=machine.target,
            kinds=machine.kinds,
            needs=needs,
            asks=np.minimum(np.array(machine.asks, np.int64), NEVER),
            units_cents=machine.unit_cents,
            most=machine.most_units,
            proportional=session.system.proportional,
            tops=tops,
            restarts=machine.restarts,
            bankroll_cents=session.bankroll_cents,
            chip_cents=chip,
            goal=NEVER if goal is None else -((session.bankroll_cents - goal) // chip),
            stop=-NEVER if stop is None else (stop - session.bankroll_cents) // chip,
        )


def _lengthened(windows: Windows, added: int) -> Windows:
    """The same windows with empty ones for states that have been found since."""
    return Windows(
        np.append(windows.low, np.ones(added, np.int64)),
        np.append(windows.high, np.zeros(added, np.int64)),
        np.append(windows.offset, np.zeros(added, np.int64)),
        windows.cells,
    )

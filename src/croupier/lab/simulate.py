"""Simulated sessions: the same answer on any number of cores, with its standard error."""

import math
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.lab import loops
from croupier.lab.chunks import Progress, check_count, in_order, reported
from croupier.lab.compiled import type_of
from croupier.lab.lattice import check_rounds
from croupier.lab.loops import BAD_ASK, NEEDS_STATES, Purse, Tallies, play_table
from croupier.lab.machine import NEVER, Machine
from croupier.lab.sessions import ENDINGS
from croupier.lab.stepping import lay_felt, play_steps, prepare_steps
from croupier.lab.streams import check_seed, make_rim, open_stream
from croupier.lab.system import Session, step_fault
from croupier.rulebook import BadInput

SESSIONS_A_CHUNK = 1024
MAXIMUM_SESSIONS = 10**12
BINS = 512
_LARGEST_TABLE = 1 << 9
"""States beyond which walking them takes longer than calling the step does."""


class SessionPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is simulated: everything that the tallies of a chunk depend on."""

    session: Session
    sessions: int
    seed: int

    @property
    def chunks(self) -> int:
        """How many chunks the sessions make."""
        return -(-self.sessions // SESSIONS_A_CHUNK)

    @property
    def bin_cents(self) -> int:
        """The width of the histogram's bins; the last bin holds all that lies above."""
        top = self.session.goal_cents or 2 * self.session.bankroll_cents
        return top // (BINS - 1) + 1


class SessionPlayer:
    """Plays any chunk of a plan, in any order and from any thread."""

    def __init__(self, plan: SessionPlan) -> None:
        check_rounds(plan.session.rounds)
        check_count(plan.sessions, MAXIMUM_SESSIONS, "sessions")
        check_seed(plan.seed)
        self.plan = plan
        session = plan.session
        self._machine = Machine(session)
        self._rim = make_rim(session.system.slips[0].pockets)
        self._purse = Purse(
            session.bankroll_cents,
            NEVER if session.goal_cents is None else session.goal_cents,
            -1 if session.stop_cents is None else session.stop_cents,
            session.rounds,
        )
        self._felt = lay_felt(session)
        self._lock = Lock()
        self._table = None if session.system.watches else self._machine.table()

    def play(self, chunk: int) -> Tallies:
        """The tallies of one chunk; they depend on nothing but the plan and the number of the chunk."""
        sessions = min(SESSIONS_A_CHUNK, self.plan.sessions - chunk * SESSIONS_A_CHUNK)
        stream = open_stream(self.plan.seed, chunk, self._rim)
        table = self._table
        while table is not None:
            tallies = self._blank()
            if play_table(stream, self._purse, table, sessions, tallies) != NEEDS_STATES:
                return tallies
            table = self._larger(table.asks.size)
        tallies = self._blank()
        with self._lock:
            prepare_steps(*map(type_of, (self._felt, stream, self._purse, tallies)))
        system = self.plan.session.system
        try:
            status = play_steps(system.step, self._felt, stream, self._purse, sessions, tallies)
        except Exception as error:  # whatever somebody's own code does wrong is for them to read
            raise step_fault(system, error) from error
        if status == BAD_ASK:
            raise BadInput(
                "negative-stake",
                f"The system {system.name} asked for a stake or slip there is not.",
                "A step returns 0 to sit out, units to stake or LEAVE, and memory[0] is one of its slips.",
            )
        return tallies

    def _larger(self, size: int) -> loops.Table | None:
        """A table with more states than one that was too small; None where tables are not worth it."""
        with self._lock:
            if self._table is not None and self._table.asks.size <= size:
                self._machine.grow(2 * size)
                self._table = None if self._machine.states > _LARGEST_TABLE else self._machine.table()
            return self._table

    def _blank(self) -> Tallies:
        whole = np.zeros(loops.WHOLE_TALLIES, np.int64)
        whole[loops.LOWEST] = NEVER
        return Tallies(whole, np.zeros(loops.REAL_TALLIES), np.zeros(BINS, np.int64), self.plan.bin_cents)


class Exactly(Protocol):
    """The exact answer that a simulation is held against: a `SessionResult`, or what was kept of one."""

    @property
    def figures(self) -> Mapping[str, float]:
        """Each figure by name."""

    @property
    def deviations(self) -> Mapping[str, float]:
        """The standard deviation of one session, for the figures of which it is known."""


class SessionRun:
    """What a simulation found, each figure with its standard error."""

    def __init__(self, plan: SessionPlan, tallies: Iterable[Tallies]) -> None:
        """Adds the tallies up in the order in which they come, which must be that of the chunks."""
        self.plan = plan
        whole = [0] * loops.WHOLE_TALLIES
        reals = [0.0] * loops.REAL_TALLIES
        self.histogram: NDArray[np.int64] = np.zeros(BINS, np.int64)
        whole[loops.LOWEST] = NEVER
        for tally in tallies:
            lowest, highest = int(tally.whole[loops.LOWEST]), int(tally.whole[loops.HIGHEST])
            extremes = min(whole[loops.LOWEST], lowest), max(whole[loops.HIGHEST], highest)
            whole = [total + int(part) for total, part in zip(whole, tally.whole, strict=True)]
            whole[loops.LOWEST], whole[loops.HIGHEST] = extremes
            reals = [total + float(part) for total, part in zip(reals, tally.reals, strict=True)]
            self.histogram += tally.histogram
        self._whole, self._reals = whole, reals

    @property
    def rounds_played(self) -> int:
        """All rounds of all sessions."""
        return self._whole[loops.ROUNDS]

    @property
    def lowest_cents(self) -> int:
        """The lowest bankroll at the end of any session."""
        return self._whole[loops.LOWEST]

    @property
    def highest_cents(self) -> int:
        """The highest bankroll at the end of any session."""
        return self._whole[loops.HIGHEST]

    @property
    def estimates(self) -> Mapping[str, tuple[float, float]]:
        """Each figure's estimate and standard error, under the names of `SessionResult.figures`.

        One session tells nothing about its error, which is nan.
        """
        gain = self._mean(self._whole[loops.GAIN], self._reals[loops.GAIN_SQUARED])
        return {
            "mean_cents": (self.plan.session.bankroll_cents + gain[0], gain[1]),
            "rounds": self._mean(self._whole[loops.ROUNDS], self._reals[loops.ROUNDS_SQUARED]),
            "turnover_cents": self._mean(self._reals[loops.TURNOVER], self._reals[loops.TURNOVER_SQUARED]),
            "behind": self._share(self._whole[loops.BEHIND]),
            "ahead": self._share(self._whole[loops.AHEAD]),
            **{name: self._share(self._whole[index]) for index, name in enumerate(ENDINGS)},
        }

    def against(self, exact: Exactly) -> Mapping[str, float]:
        """How many standard errors each estimate lies from the exact figure.

        The errors are those of the exact session, whose deviations are known: what was too rare to come
        leaves no spread in a sample. What cannot vary counts as 0 where it agrees and as infinite where it
        does not. Of the turnover only the mean is known exactly, so its error is the sample's own; where
        that shows no spread and another mean, there is nothing to measure by and the distance is nan.
        """
        root = math.sqrt(self.plan.sessions)
        deviations = exact.deviations
        distances: dict[str, float] = {}
        for name, truth in exact.figures.items():
            estimate, error = self.estimates[name]
            known = deviations.get(name)
            if known is not None:
                error = known / root
            off = estimate - truth
            scale = max(abs(truth), 1.0)
            if error > 1e-12 * scale:
                distances[name] = off / error
            elif abs(off) <= 1e-6 * scale:
                distances[name] = 0.0
            else:
                distances[name] = math.nan if known is None else math.copysign(math.inf, off)
        return distances

    def _mean(self, total: float, squares: float) -> tuple[float, float]:
        count = self.plan.sessions
        mean = total / count
        if count == 1:
            return mean, math.nan
        variance = max(squares / count - mean * mean, 0.0) * count / (count - 1)
        return mean, math.sqrt(variance / count)

    def _share(self, hits: int) -> tuple[float, float]:
        count = self.plan.sessions
        share = hits / count
        return share, math.nan if count == 1 else math.sqrt(share * (1.0 - share) / count)


def simulate_sessions(
    session: Session, sessions: int, seed: int, threads: int | None = None, progress: Progress | None = None
) -> SessionRun:
    """Plays a number of sessions on all cores, or on as many threads as stated; the answer is the same.

    >>> from croupier.lab import place_slip
    >>> from croupier.lab.systems import martingale
    >>> from croupier.rulebook import load_book
    >>> slip = place_slip(load_book("mbs-roulette"), {"red": 100})
    >>> evening = Session(system=martingale(slip), bankroll_cents=100_000, rounds=1000)
    >>> run = simulate_sessions(evening, 10_000, seed=1)
    >>> mean, error = run.estimates["mean_cents"]
    >>> f"{mean / 100:.2f} within {error / 100:.2f}"
    '893.03 within 6.30'
    """
    plan = SessionPlan(session=session, sessions=sessions, seed=seed)
    player = SessionPlayer(plan)
    return SessionRun(plan, reported(in_order(player.play, plan.chunks, threads), plan.chunks, progress))

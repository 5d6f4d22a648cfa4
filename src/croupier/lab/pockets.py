"""Simulated rounds of one slip: how often each pocket came, and what that brought."""

import math
from collections.abc import Iterable

import msgspec
import numpy as np
import scipy.special
from numpy.typing import NDArray

from croupier.lab.chunks import Progress, check_count, in_order, reported
from croupier.lab.compiled import compiled
from croupier.lab.odds import slip_odds
from croupier.lab.slip import Slip
from croupier.lab.streams import DRAWS, Stream, check_seed, make_rim, open_stream, refill

ROUNDS_A_CHUNK = 1 << 22
MAXIMUM_ROUNDS = 10**15

Counts = NDArray[np.int64]


class SlipPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is simulated: everything that the counts of a chunk depend on."""

    slip: Slip
    rounds: int
    seed: int

    @property
    def chunks(self) -> int:
        """How many chunks the rounds make."""
        return -(-self.rounds // ROUNDS_A_CHUNK)

    def play(self, chunk: int) -> Counts:
        """How often each pocket comes in a chunk; this depends on nothing but the plan and the chunk."""
        rounds = min(ROUNDS_A_CHUNK, self.rounds - chunk * ROUNDS_A_CHUNK)
        rim = make_rim(self.slip.pockets)
        counts: Counts = count_pockets(open_stream(self.seed, chunk, rim), rounds)
        return counts


class SlipRun:
    """What simulated rounds brought, with the standard error and the distance from the exact edge."""

    def __init__(self, plan: SlipPlan, counts: Iterable[Counts]) -> None:
        self.plan = plan
        pockets = [0] * plan.slip.pockets
        for part in counts:
            pockets = [total + int(count) for total, count in zip(pockets, part, strict=True)]
        self.pocket_counts = tuple(pockets)
        owners = np.repeat(np.arange(len(plan.slip.outcomes)), plan.slip.weights).tolist()
        outcomes = [0] * len(plan.slip.outcomes)
        for owner, count in zip(owners, pockets, strict=True):
            outcomes[owner] += count
        self.outcome_counts = tuple(outcomes)

    @property
    def net_cents(self) -> int:
        """What all rounds brought together."""
        return sum(
            net * count for net, count in zip(self.plan.slip.net_cents, self.outcome_counts, strict=True)
        )

    @property
    def mean_cents(self) -> float:
        """What a round brought on average."""
        return self.net_cents / self.plan.rounds

    @property
    def standard_error_cents(self) -> float:
        """The standard error of the average, from the simulated rounds themselves; nan for a single one."""
        rounds = self.plan.rounds
        if rounds == 1:
            return math.nan
        squares = sum(
            net * net * count
            for net, count in zip(self.plan.slip.net_cents, self.outcome_counts, strict=True)
        )
        spread = (squares * rounds - self.net_cents**2) / rounds / (rounds - 1)
        return math.sqrt(spread / rounds)

    @property
    def z(self) -> float:
        """How many exact standard errors the average lies from the exact one; 0 where nothing varies."""
        odds = slip_odds(self.plan.slip)
        if not odds.variance_cents:
            return 0.0
        off = self.net_cents - self.plan.rounds * odds.mean_cents
        return float(off) / math.sqrt(self.plan.rounds * odds.variance_cents)

    @property
    def uniformity(self) -> float:
        """The chance of pockets at least this uneven on a fair wheel, by the chi-squared test."""
        expected = self.plan.rounds / len(self.pocket_counts)
        unevenness = sum((count - expected) ** 2 for count in self.pocket_counts) / expected
        return float(scipy.special.chdtrc(len(self.pocket_counts) - 1, unevenness))


def simulate_slip(
    slip: Slip, rounds: int, seed: int, threads: int | None = None, progress: Progress | None = None
) -> SlipRun:
    """Plays a number of rounds of a slip on all cores, or on as many threads as stated.

    >>> from croupier.lab import place_slip
    >>> from croupier.rulebook import load_book
    >>> run = simulate_slip(place_slip(load_book("mbs-roulette"), {"straight:17": 100}), 1_000_000, seed=1)
    >>> f"{run.mean_cents:.2f} within {run.standard_error_cents:.2f}, {run.z:.2f} from exact"
    '-2.14 within 0.59, 0.96 from exact'
    """
    check_count(rounds, MAXIMUM_ROUNDS, "rounds")
    check_seed(seed)
    plan = SlipPlan(slip=slip, rounds=rounds, seed=seed)
    return SlipRun(plan, reported(in_order(plan.play, plan.chunks, threads), plan.chunks, progress))


@compiled
def count_pockets(stream: Stream, rounds: int) -> Counts:
    """How often each pocket comes in the first rounds of a stream."""
    draws, pockets = np.empty(DRAWS, np.uint64), np.empty(DRAWS * stream.spins, np.uint8)
    # Four sets of counters, so that a pocket that comes twice in a row does not wait for itself.
    counts = np.zeros((4, 256), np.int64)
    block = np.uint64(0)
    while rounds > 0:
        block = refill(stream, block, draws, pockets)
        used = min(rounds, pockets.size)
        for i in range(0, used - 3, 4):
            counts[0, pockets[i]] += 1
            counts[1, pockets[i + 1]] += 1
            counts[2, pockets[i + 2]] += 1
            counts[3, pockets[i + 3]] += 1
        for i in range(used - used % 4, used):
            counts[0, pockets[i]] += 1
        rounds -= used
    total: Counts = counts.sum(axis=0)[: np.int64(stream.pockets)].copy()
    return total

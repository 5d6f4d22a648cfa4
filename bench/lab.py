"""The lab against hand-written loops, against Python, and exact answers against simulated ones, in one run.

Every figure is the best of several runs, taking turns with what it is compared to, after everything was
compiled. `1 core` is one thread of ours against one of the other; otherwise ours has all cores.

Two Python programs stand for what a martingale session is compared to, both written here and run on one core.
`Python in objects` is the peer of the goal: a wheel that is drawn from and a slip that is settled, as public
roulette programs are made, but with nothing beside it. The fastest public one that was measured made about
0.4 million spins a second on a machine where a hand-written compiled loop made 500 million, which is slower
than this peer, so the goal is harder to meet against it. `the tightest Python` is no peer: nobody publishes a
loop with no wheel and no bets. It is printed to show what is left when everything is taken away.
"""

import random
import time
from collections.abc import Callable, Sequence
from functools import partial

import lab_loops as hand
from croupier.lab import (
    Session,
    System,
    net_distribution,
    place_slip,
    play_session,
    simulate_sessions,
    simulate_slip,
)
from croupier.lab.systems import dalembert, labouchere, martingale
from croupier.rulebook import load_book

RUNS = 7
BOOK = load_book("mbs-roulette")
RED = place_slip(BOOK, {"red": 100})
SLIPS = {
    "red": {"red": 100},
    "one number": {"straight:17": 100},
    "red and a number": {"red": 1000, "straight:17": 500},
    "tiers, a dozen and a number": {"tiers": 100, "dozen:1": 300, "straight:5": 200},
    "grand series and finales": {"grand-series": 500, "finales:7": 500},
}


Row = tuple[str, str, str, bool]
"""What was measured, how it came out, the goal, and whether it was met."""


def main() -> None:
    rows = [*flat_rows(), *system_rows(), *python_rows(), *exact_rows()]
    width = max(len(name) for name, *_ in rows)
    for name, measured, goal, met in rows:
        verdict = ("met" if met else "MISSED") if goal else ""
        print(f"{name:<{width}}  {measured:<58}  {goal:<14}  {verdict}".rstrip())


def flat_rows() -> list[Row]:
    rounds = 50_000_000
    payoff = hand.payoff(RED)
    ours, theirs = best(
        lambda: simulate_slip(RED, rounds, seed=1, threads=1), lambda: hand.flat(rounds, 1, payoff)
    )
    return [speed_row("flat slip, 1 core", rounds / ours, rounds / theirs, "a hand-written loop", 0.5)]


def system_rows() -> list[Row]:
    loops = ((martingale, hand.martingale), (dalembert, hand.dalembert), (labouchere, hand.labouchere))
    return [system_row(system(RED), loop) for system, loop in loops]


def system_row(system: System, loop: Callable[..., tuple[int, int]]) -> Row:
    evening = Session(system=system, bankroll_cents=100_000, rounds=1000)
    sessions = 51_200
    ours_spins = simulate_sessions(evening, sessions, 1).rounds_played
    hand_spins = loop(sessions, 1, 100_000, 100, 1000)[1]
    ours, theirs = best(
        lambda: simulate_sessions(evening, sessions, 1, threads=1),
        lambda: loop(sessions, 1, 100_000, 100, 1000),
    )
    name = f"{system.name} sessions, 1 core"
    return speed_row(name, ours_spins / ours, hand_spins / theirs, "a hand-written loop", 0.25)


def python_rows() -> list[Row]:
    evening = Session(system=martingale(RED), bankroll_cents=100_000, rounds=1000)
    sessions, few = 102_400, 200
    spins = simulate_sessions(evening, sessions, 1).rounds_played
    plain_spins = python_martingale(few, 1000, 1000)
    object_spins = ObjectTable().play(few, 1000, 1000)
    ours, plain, objects = best(
        lambda: simulate_sessions(evening, sessions, 1),
        lambda: python_martingale(few, 1000, 1000),
        lambda: ObjectTable().play(few, 1000, 1000),
    )
    return [
        speed_row("martingale sessions", spins / ours, object_spins / objects, "Python in objects", 300),
        # No goal: two cores of compiled code are not three hundred times a loop with nothing in it.
        speed_row("martingale sessions", spins / ours, plain_spins / plain, "the tightest Python", 0),
    ]


def exact_rows() -> list[Row]:
    rows = []
    for name, stakes in SLIPS.items():
        (took,) = best(partial(net_distribution, place_slip(BOOK, stakes), 1000))
        rows.append((f"1,000 rounds of {name}", f"{took * 1e3:.2f} ms", "under 5 ms", took < 0.005))
    evening = Session(system=martingale(RED), bankroll_cents=100_000, rounds=1000)
    exact, simulated = best(lambda: play_session(evening), lambda: simulate_sessions(evening, 10_000, 1))
    measured = f"exact {exact * 1e3:.1f} ms, 10,000 simulated {simulated * 1e3:.1f} ms"
    rows.append(("exact martingale session", measured, "no slower", exact <= simulated))
    return rows


def best(*works: Callable[[], object]) -> Sequence[float]:
    """The shortest time of each piece of work, all of them taking turns."""
    for work in works:
        work()
    times = [[0.0] * RUNS for _ in works]
    for run in range(RUNS):
        for index, work in enumerate(works):
            begin = time.perf_counter()
            work()
            times[index][run] = time.perf_counter() - begin
    return [min(each) for each in times]


def speed_row(name: str, ours: float, theirs: float, than: str, goal: float) -> Row:
    measured = f"{ours / 1e6:.0f} M spins/s, {ours / theirs:.2f} times {than} ({theirs / 1e6:.1f})"
    return name, measured, f"at least {goal:g}" if goal else "", ours >= goal * theirs


def python_martingale(sessions: int, bankroll: int, rounds: int) -> int:
    """The tightest loop that plain Python allows: local names, floats from `random`, no calls besides."""
    draw = random.Random(1).random
    spins = 0
    limit = 18 / 37
    for _ in range(sessions):
        money, stake, left = bankroll, 1, rounds
        while left and stake <= money:
            left -= 1
            if draw() < limit:
                money += stake
                stake = 1
            else:
                money -= stake
                stake += stake
        spins += rounds - left
    return spins


class ObjectTable:
    """The same as public roulette programs do it: a wheel that is spun and a slip that is settled."""

    def __init__(self) -> None:
        self.random = random.Random(1)
        self.pockets = list(range(37))
        self.red = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}

    def spin(self) -> int:
        """The pocket of the next spin."""
        return self.random.choice(self.pockets)

    def settle(self, bets: dict[str, int], pocket: int) -> int:
        """What the bets bring."""
        return sum(stake if pocket in self.red else -stake for stake in bets.values())

    def play(self, sessions: int, bankroll: int, rounds: int) -> int:
        """Plays martingale sessions; returns how many spins they took."""
        spins = 0
        for _ in range(sessions):
            money, stake = bankroll, 1
            for _ in range(rounds):
                if stake > money:
                    break
                net = self.settle({"red": stake}, self.spin())
                money += net
                stake = 1 if net > 0 else stake * 2
                spins += 1
        return spins


if __name__ == "__main__":
    main()

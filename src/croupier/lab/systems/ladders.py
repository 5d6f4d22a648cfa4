"""Systems that climb up and down a ladder of stakes, rung by rung, with wins and losses."""

from typing import Final

from croupier.lab.slip import Slip
from croupier.lab.system import Memory, System, step
from croupier.rulebook import BadInput

STAKE: Final = 1
"""Where in its memory a ladder keeps the units that it stakes next."""
MOST: Final = 2
"""Where it keeps the units that it never stakes more of."""
UNCAPPED: Final = 2**40
"""More units than any bankroll holds, and few enough to be doubled without an overflow."""


@step
def _flat(memory: Memory, net_cents: int, outcome: int) -> int:
    return int(memory[STAKE])


@step
def _martingale(memory: Memory, net_cents: int, outcome: int) -> int:
    if net_cents > 0:
        memory[STAKE] = 1
    elif net_cents < 0:
        memory[STAKE] = min(memory[MOST], 2 * memory[STAKE])
    return int(memory[STAKE])


@step
def _grand_martingale(memory: Memory, net_cents: int, outcome: int) -> int:
    if net_cents > 0:
        memory[STAKE] = 1
    elif net_cents < 0:
        memory[STAKE] = min(memory[MOST], 2 * memory[STAKE] + 1)
    return int(memory[STAKE])


@step
def _anti_martingale(memory: Memory, net_cents: int, outcome: int) -> int:
    if net_cents > 0 and memory[STAKE] < memory[MOST]:
        memory[STAKE] *= 2
    elif net_cents != 0:
        memory[STAKE] = 1
    return int(memory[STAKE])


@step
def _dalembert(memory: Memory, net_cents: int, outcome: int) -> int:
    if net_cents > 0:
        memory[STAKE] = max(1, memory[STAKE] - 1)
    elif net_cents < 0:
        memory[STAKE] = min(memory[MOST], memory[STAKE] + 1)
    return int(memory[STAKE])


@step
def _fibonacci(memory: Memory, net_cents: int, outcome: int) -> int:
    # The number before the stake is kept too, so that a rung down is a subtraction.
    stake, before = memory[STAKE], memory[3]
    if net_cents < 0 and stake + before <= memory[MOST]:
        stake, before = stake + before, stake
    elif net_cents > 0:
        for _ in range(2):
            stake, before = (before, stake - before) if before > 0 else (1, 0)
    memory[STAKE], memory[3] = stake, before
    return int(stake)


@step
def _one_three_two_six(memory: Memory, net_cents: int, outcome: int) -> int:
    stake = memory[STAKE]
    if net_cents > 0:
        memory[STAKE] = 3 if stake == 1 else 2 if stake == 3 else 6 if stake == 2 else 1
    elif net_cents < 0:
        memory[STAKE] = 1
    return int(memory[STAKE])


def flat(slip: Slip, units: int = 1) -> System:
    """Always the same stake."""
    return System(name="flat", slips=(slip,), step=_flat, start=(0, _at_least_one(units)))


def martingale(slip: Slip, most: int = UNCAPPED) -> System:
    """Doubles after a loss, begins again after a win."""
    return System(name="martingale", slips=(slip,), step=_martingale, start=(0, 1, _at_least_one(most)))


def grand_martingale(slip: Slip, most: int = UNCAPPED) -> System:
    """Doubles and adds a unit after a loss, begins again after a win."""
    start = (0, 1, _at_least_one(most))
    return System(name="grand-martingale", slips=(slip,), step=_grand_martingale, start=start)


def anti_martingale(slip: Slip, wins: int = 3) -> System:
    """Doubles after a win and takes the money after a number of wins in a row."""
    start = (0, 1, 2 ** min(_at_least_one(wins) - 1, 40))
    return System(name="anti-martingale", slips=(slip,), step=_anti_martingale, start=start)


def dalembert(slip: Slip, most: int = UNCAPPED) -> System:
    """One unit more after a loss, one less after a win."""
    return System(name="dalembert", slips=(slip,), step=_dalembert, start=(0, 1, _at_least_one(most)))


def fibonacci(slip: Slip, most: int = UNCAPPED) -> System:
    """One number on in 1, 1, 2, 3, 5, ... after a loss, two back after a win."""
    return System(name="fibonacci", slips=(slip,), step=_fibonacci, start=(0, 1, _at_least_one(most), 0))


def one_three_two_six(slip: Slip) -> System:
    """1, 3, 2 and 6 units while it wins; from the start after a loss or the last win."""
    return System(name="1-3-2-6", slips=(slip,), step=_one_three_two_six, start=(0, 1))


def _at_least_one(number: int) -> int:
    if not 1 <= number <= UNCAPPED:
        raise BadInput(
            "system-parameter", f"{number} is not a number a system can use.", f"Give 1 to {UNCAPPED}."
        )
    return number

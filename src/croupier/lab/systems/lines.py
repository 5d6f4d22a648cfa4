"""Labouchere: a line of numbers, the stake being the sum of its ends."""

from collections.abc import Sequence
from typing import Final

from croupier.lab.compiled import compiled
from croupier.lab.slip import Slip
from croupier.lab.system import LEAVE, Memory, System, step
from croupier.rulebook import BadInput

_LENGTH, _STAKE, _START_LENGTH, _START = 1, 2, 3, 4
"""How long the line is, what is staked, how long the line was at the start, and how it read then; the line
itself follows."""
LONGEST: Final = 128
"""A line of more numbers is given up: the system goes home."""


@compiled
def _take_off(memory: Memory, line: int, end: int) -> int:
    """Takes a win that was smaller than the sum of the ends off them, the last first; the new end.

    The line is what is still to be won, and the table took less than it asked for.
    """
    taken = min(memory[_STAKE], memory[end - 1])
    memory[end - 1] -= taken
    memory[line] -= memory[_STAKE] - taken
    return end - 1 if memory[end - 1] == 0 else end


@step
def _labouchere(memory: Memory, net_cents: int, outcome: int) -> int:
    line = _START + memory[_START_LENGTH]
    end = line + memory[_LENGTH]
    if net_cents > 0 and memory[_STAKE] < memory[line] + (memory[end - 1] if end - line > 1 else 0):
        end = _take_off(memory, line, end)
    elif net_cents > 0:
        # The rest moves to the front: equal lines are then equal memories, wherever they came from.
        for i in range(line + 1, end - 1):
            memory[i - 1] = memory[i]
        memory[end - 1] = 0
        memory[max(line, end - 2)] = 0
        end -= 2
        if end <= line:
            end = line + memory[_START_LENGTH]
            for i in range(_START, line):
                memory[i - _START + line] = memory[i]
    elif net_cents < 0:
        if end == memory.size:
            return LEAVE
        memory[end] = memory[_STAKE]
        end += 1
    memory[_LENGTH] = end - line
    memory[_STAKE] = memory[line] + (memory[end - 1] if end - line > 1 else 0)
    return int(memory[_STAKE])


def labouchere(slip: Slip, line: Sequence[int] = (1, 2, 3, 4)) -> System:
    """Stakes the sum of the line's ends; a win strikes them out, a loss is written at the end."""
    if not 1 <= len(line) <= 16 or not all(1 <= number <= 1_000_000 for number in line):
        raise BadInput(
            "system-parameter",
            f"{list(line)} is not a line.",
            "Give 1 to 16 whole numbers from 1 to 1000000.",
        )
    spare = (0,) * (LONGEST - len(line))
    start = (0, len(line), 0, len(line), *line, *line, *spare)
    return System(name="labouchere", slips=(slip,), step=_labouchere, start=start, stake_cell=_STAKE)

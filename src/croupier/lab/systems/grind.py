"""Oscar's grind: one unit of profit at a time."""

from croupier.lab.slip import Slip
from croupier.lab.system import Memory, System, step

_STAKE, _PROFIT_CENTS, _UNIT_CENTS = 1, 2, 3


@step
def _grind(memory: Memory, net_cents: int, outcome: int) -> int:
    unit = memory[_UNIT_CENTS]
    memory[_PROFIT_CENTS] += memory[_STAKE] * net_cents
    if memory[_PROFIT_CENTS] >= unit:
        memory[_PROFIT_CENTS], memory[_STAKE] = 0, 1
    elif net_cents > 0:
        missing = (2 * unit - 1 - memory[_PROFIT_CENTS]) // unit
        memory[_STAKE] = min(memory[_STAKE] + 1, missing)
    return int(memory[_STAKE])


def oscars_grind(slip: Slip) -> System:
    """A unit more after each win, never more than what makes one unit of profit; then from the start."""
    return System(
        name="oscars-grind",
        slips=(slip,),
        step=_grind,
        start=(0, 1, 0, slip.staked_cents),
        stake_cell=_STAKE,
    )

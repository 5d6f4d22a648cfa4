"""Kelly's rule: the part of the bankroll that grows fastest if a belief were true."""

from fractions import Fraction

from croupier.lab.diffusion import PARTS
from croupier.lab.slip import Slip
from croupier.lab.system import Memory, System, step
from croupier.rulebook import BadInput


@step
def _kelly(memory: Memory, net_cents: int, outcome: int) -> int:
    return int(memory[1])


def kelly(slip: Slip, belief: Fraction, share: Fraction = Fraction(1)) -> System:
    """Stakes a part of the bankroll: the advantage by the stated belief, divided by what the bet pays.

    `belief` is the chance of winning that the player believes in, `share` the part of Kelly's stake that is
    risked (a half is usual). What the wheel does is not changed by what anybody believes.
    """
    wins = {net for net in slip.net_cents if net > 0}
    if len({*slip.net_cents}) != 2 or len(wins) != 1:
        raise BadInput(
            "system-parameter",
            "Kelly's rule here needs a slip that wins one amount or loses one.",
            "Use red.",
        )
    gain, loss = Fraction(max(wins), slip.staked_cents), Fraction(-min(slip.net_cents), slip.staked_cents)
    fraction = (belief / loss - (1 - belief) / gain) * share
    if not 0 < belief < 1 or not 0 < share <= 1 or fraction <= 0:
        needed = loss / (gain + loss)
        raise BadInput(
            "belief-without-advantage",
            f"A belief of {belief} and a share of {share} give nothing to stake.",
            f"Believe in a chance above {needed} and under 1, and risk a share above 0 and up to 1.",
        )
    ask = max(1, int(min(fraction, Fraction(1)) * PARTS))
    return System(name="kelly", slips=(slip,), step=_kelly, start=(0, ask), proportional=True)

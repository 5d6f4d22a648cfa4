"""One alarm for a wheel: how its level is shared out between all spins, stretches of them, and dealers."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from croupier.rulebook import BadInput

ALL, STRETCHES, DEALERS = "all", "stretches", "dealers"
SHARED: Final[Mapping[str, Fraction]] = {
    ALL: Fraction(6, 10),
    STRETCHES: Fraction(2, 10),
    DEALERS: Fraction(2, 10),
}
"""How the first unit of a wheel is spread: on all of its spins, on each stretch of them, on each dealer's."""

STRETCH_SPINS: Final = 20_000
"""How many spins a stretch has, about a month of one table: a bias that comes with wear is not drowned in all
the fair spins before it, because each stretch begins with money of its own."""

STANDARD_LEVEL: Final = 1e-4


def share_of(order: int) -> Fraction:
    """The share of what is kept for stretches, or for dealers, on the first of them, the second, and so on.

    Nobody knows beforehand how many will come. What is kept for those who have not is worth what it was.

    >>> [str(share_of(order)) for order in (1, 2, 3)], str(sum(share_of(order) for order in range(1, 100)))
    (['1/2', '1/6', '1/12'], '99/100')
    """
    return Fraction(1, order * (order + 1))


def log_joined(log_all: float, log_stretches: Sequence[float], log_dealers: Sequence[float]) -> float:
    """The logarithm of the e-value of a wheel; its stretches and dealers stand in the order of coming.

    The test of a stretch or a dealer goes on only with their own spins; before a spin it is known whose it
    is, so that the sum with fixed shares stays a martingale.

    >>> f"{math.exp(log_joined(math.log(3), [math.log(3)], [math.log(3), 0.0])):.3f}"
    '2.600'
    """
    logs = [log_all + math.log(SHARED[ALL])]
    for of, parts in ((STRETCHES, log_stretches), (DEALERS, log_dealers)):
        for order, log_part in enumerate(parts, 1):
            logs.append(log_part + math.log(SHARED[of] * share_of(order)))
        logs.append(math.log(SHARED[of] / (len(parts) + 1)))
    top = max(logs)
    return top + math.log(math.fsum(math.exp(log - top) for log in logs))


def alarm_at(level: float) -> float:
    """The e-value from which on there is an alarm: a fair wheel ever reaches it with at most this chance.

    >>> alarm_at(0.001)
    1000.0
    """
    if not 1e-12 <= level <= 0.1:
        raise BadInput(
            "bad-alarm-level",
            f"{level:g} is not a level for an alarm.",
            "Give the chance of a false alarm in a wheel's whole life, 1e-12 to 0.1.",
        )
    return 1.0 / level

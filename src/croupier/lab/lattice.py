"""The lattice of a sum of rounds: net results as whole steps, as coarse as the slips allow."""

import math
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from croupier.lab.slip import Slip
from croupier.rulebook import BadInput

MAXIMUM_ROUNDS = 1_000_000
MAXIMUM_CENTS = 2**62
"""More cents than ever were, and few enough for sums and differences of them to fit into 64 bits."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One slip played for a number of rounds, its net results counted in steps above its worst one."""

    rounds: int
    steps: tuple[int, ...]
    chances: tuple[Fraction, ...]


class Lattice(msgspec.Struct, frozen=True, kw_only=True):
    """Independent parts on a common lattice: cell k stands for a net result of `first + k * step` cents."""

    first_cents: int
    step_cents: int
    parts: tuple[Part, ...]

    @property
    def last_cell(self) -> int:
        """The cell of the best result there is."""
        return sum(part.rounds * part.steps[-1] for part in self.parts)

    @property
    def above_zero(self) -> int:
        """The first cell of a gain, whether or not it can be reached."""
        return -self.first_cents // self.step_cents + 1


def common_lattice(plays: Sequence[tuple[Slip, int]]) -> Lattice:
    """Puts slips with their numbers of rounds on the coarsest lattice that holds every sum."""
    if not plays:
        raise BadInput("nothing-played", "No slip is played.", "Give at least one slip and its rounds.")
    for _, rounds in plays:
        check_rounds(rounds)
    laws = [slip.law for slip, _ in plays]
    step = math.gcd(*(net - law[0][0] for law in laws for net, _ in law)) or 1
    most = sum(max(abs(net) for net, _ in law) * rounds for law, (_, rounds) in zip(laws, plays, strict=True))
    if most > MAXIMUM_CENTS:
        raise BadInput(
            "rounds-out-of-range",
            f"So many rounds of such stakes move up to {most} cents.",
            f"Play fewer rounds or smaller stakes: at most {MAXIMUM_CENTS} cents in all.",
        )
    together: dict[tuple[tuple[int, Fraction], ...], int] = {}
    for law, (_, rounds) in zip(laws, plays, strict=True):
        together[law] = together.get(law, 0) + rounds
    return Lattice(
        first_cents=sum(law[0][0] * rounds for law, rounds in together.items()),
        step_cents=step,
        parts=tuple(
            Part(
                rounds=rounds,
                steps=tuple((net - law[0][0]) // step for net, _ in law),
                chances=tuple(chance for _, chance in law),
            )
            for law, rounds in together.items()
        ),
    )


def check_rounds(rounds: int) -> None:
    """Refuses a number of rounds that is no number of rounds or beyond what is computed."""
    if isinstance(rounds, bool) or not isinstance(rounds, int) or not 1 <= rounds <= MAXIMUM_ROUNDS:
        raise BadInput(
            "rounds-out-of-range",
            f"{rounds!r} is not a number of rounds the lab computes.",
            f"Ask for a whole number from 1 to {MAXIMUM_ROUNDS}.",
        )

"""A spin of a wheel without a ball: pulled, let go, slowed by pins on a clapper, at rest inside a segment.

As with a ball, the result is drawn first and the spin is solved to end there. The wheel is pulled through its
first turn in a way that has nothing to do with the result; how many segments it makes from then on is drawn
evenly over one full turn, and its angle at the start is the result shifted by that number. Whatever is seen
before the hand lets go fits every segment equally well.
"""

import math
from typing import Final

import msgspec

from croupier.wheel.physics import Coast, direction_word
from croupier.wheel.physics_film import MICROTURNS, Frame, Phase, phase_at
from croupier.wheel.uniform import Chance, between

TOO_FEW, NO_COMPARTMENT = "too-few-revolutions", "no-compartment"

_SPEED: Final = (0.55, 0.85)
_PULLED: Final = 1
"""The turns that a hand pulls the wheel through."""
_SPARE: Final = 0.25
"""The turns that a spin at least makes beyond those it needs."""
_INSIDE: Final = 0.3
"""How far from the middle of its segment the clapper may rest, in parts of the segment's width."""
_ROCK: Final = 0.12
"""How far the wheel rocks back from the last pin, in parts of a segment."""
ROCK_SECONDS: Final = 1.2
REST_SECONDS: Final = 1.0


class ClapperSpin(msgspec.Struct, frozen=True, kw_only=True):
    """A planned spin of a wheel without a ball; any moment of it can be asked for."""

    pockets: int
    pocket: int | None
    """The index of the segment under the clapper; None where it rests on a pin."""
    direction: int
    start: float
    """The angle of the segment of index 0 before the pull."""
    coast: Coast

    @property
    def revolutions(self) -> int:
        """The full turns that the wheel made."""
        return math.floor(self.coast.turns + 1e-9)

    @property
    def wheel_word(self) -> str:
        """The wheel's direction as the table says it."""
        return direction_word(self.direction)

    @property
    def rest_s(self) -> float:
        """When it does not move any more."""
        return self.coast.seconds + ROCK_SECONDS

    @property
    def end_ms(self) -> int:
        """When there is no more to see."""
        return round(1000 * (self.rest_s + REST_SECONDS))

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Its parts in order."""
        times = {"pull": 0.0, "coast": self.coast.pull_s, "rock": self.coast.seconds, "rest": self.rest_s}
        return tuple(Phase(round(1000 * seconds), name) for name, seconds in times.items())

    @property
    def clicks_ms(self) -> tuple[int, ...]:
        """When a pin passes the clapper: pins stand between the segments."""
        begun = self.direction * self.start * self.pockets - 0.5
        first, last = math.floor(begun) + 1, math.floor(begun + self.coast.turns * self.pockets)
        turned = ((pin - begun) / self.pockets for pin in range(first, last + 1))
        return tuple(round(1000 * self.coast.seconds_to(turns)) for turns in turned)

    def frame_at(self, at_ms: int) -> Frame:
        """One moment of it."""
        turned = self.coast.turns_at(at_ms / 1000) + self._rock_at(at_ms / 1000)
        return Frame(
            at_ms=at_ms,
            phase=phase_at(self.phases, at_ms),
            wheel=round(MICROTURNS * (self.start + self.direction * turned)),
            ball=None,
            radius=None,
        )

    def _rock_at(self, seconds: float) -> float:
        """Back from the pin that it did not get over, and to and fro until it is still."""
        since = seconds - self.coast.seconds
        if not 0 < since < ROCK_SECONDS:
            return 0.0
        fading = (1 - since / ROCK_SECONDS) ** 2
        return -fading * math.sin(4 * math.pi * since / ROCK_SECONDS) * _ROCK / self.pockets


def plan_clapper_spin(
    pockets: int, pocket: int, chance: Chance, *, needs: int, direction: int, trouble: str | None = None
) -> ClapperSpin:
    """The spin that ends in a segment; with a trouble, the spin that this trouble makes of it."""
    on_a_pin = trouble == NO_COMPARTMENT
    speed = between(chance, *_SPEED)
    inside = 0.5 if on_a_pin else between(chance, -_INSIDE, _INSIDE)
    segments = math.ceil((needs - _PULLED + _SPARE) * pockets) + chance.below(pockets)
    coast = Coast(speed=speed, pulled=_PULLED, coasted=segments / pockets)
    if trouble == TOO_FEW:
        turns = between(chance, 0.3, 0.9) * needs
        coast = Coast(speed=speed, pulled=min(_PULLED, turns / 2), coasted=turns - min(_PULLED, turns / 2))
    # The clapper stands at the top: the wheel has to end with the segment there.
    start = -(pocket + inside) / pockets - direction * coast.turns
    return ClapperSpin(
        pockets=pockets,
        pocket=None if on_a_pin else pocket,
        direction=direction,
        start=start - math.floor(start),
        coast=coast,
    )

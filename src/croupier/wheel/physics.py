"""How a ball, a rotor and a wheel without a ball move: the laws that spins are put together from.

Angles are in turns, clockwise seen from above; speeds in turns a second; times in seconds. Everything has a
closed form, so a moment of a spin can be asked for without the moments before it.
"""

import math
from typing import Final

import msgspec

CLOCKWISE: Final = 1
COUNTER_CLOCKWISE: Final = -1

LEAVES_AT: Final = 0.7
"""The speed at which a ball no longer stays on the rim."""
RIM_FRICTION: Final = 0.03
"""What rolling takes off a ball's speed, in turns a second for every second."""
RIM_DRAG: Final = 0.03
"""What the air takes off, for every turn: it grows with the square of the speed."""
ROTOR_DECAY: Final = 0.002
"""The part of its speed that a rotor loses in a second."""
BRAKE_SECONDS: Final = 0.3
"""How fast a rotor stops that is stopped."""


def direction_word(direction: int) -> str:
    """A direction as the table says it."""
    return "clockwise" if direction == CLOCKWISE else "counter-clockwise"


class Whirl(msgspec.Struct, frozen=True):
    """A ball on the rim, slowed down by friction and air: `dw/dt = -(friction + drag * w**2)`.

    >>> whirl = whirl_of(turns=12)
    >>> round(whirl.turns_at(whirl.seconds), 9)
    12.0
    >>> round(whirl.speed_at(whirl.seconds), 9)
    0.7
    """

    speed: float
    """At the launch."""

    @property
    def seconds(self) -> float:
        """How long the ball stays on the rim."""
        return (self._phase(self.speed) - self._phase(LEAVES_AT)) / math.sqrt(RIM_FRICTION * RIM_DRAG)

    def speed_at(self, seconds: float) -> float:
        """The speed some time after the launch."""
        return math.sqrt(RIM_FRICTION / RIM_DRAG) * math.tan(self._phase_at(seconds))

    def turns_at(self, seconds: float) -> float:
        """How far the ball has gone some time after the launch."""
        ratio = math.cos(self._phase_at(seconds)) / math.cos(self._phase(self.speed))
        return math.log(ratio) / RIM_DRAG

    def seconds_to(self, turns: float) -> float:
        """How long the ball takes to go that far."""
        cosine = math.cos(self._phase(self.speed)) * math.exp(RIM_DRAG * turns)
        return (self._phase(self.speed) - math.acos(cosine)) / math.sqrt(RIM_FRICTION * RIM_DRAG)

    def _phase_at(self, seconds: float) -> float:
        return self._phase(self.speed) - math.sqrt(RIM_FRICTION * RIM_DRAG) * seconds

    def _phase(self, speed: float) -> float:
        return math.atan(speed * math.sqrt(RIM_DRAG / RIM_FRICTION))


def whirl_of(turns: float) -> Whirl:
    """The launch that keeps a ball on the rim for that many turns."""
    rest = (RIM_FRICTION + RIM_DRAG * LEAVES_AT**2) * math.exp(2 * RIM_DRAG * turns)
    return Whirl(math.sqrt((rest - RIM_FRICTION) / RIM_DRAG))


class Rotor(msgspec.Struct, frozen=True, kw_only=True):
    """The turning part of a roulette wheel; the pocket of index 0 stands at its angle."""

    angle: float
    direction: int
    tenths_rpm: int
    """Its speed at the launch, in tenths of a revolution a minute."""
    stops_s: float = math.inf
    """When somebody or something stops it."""

    def angle_at(self, seconds: float) -> float:
        """Where the pocket of index 0 stands."""
        free_s = min(seconds, self.stops_s)
        turned = self._speed * (1 - math.exp(-ROTOR_DECAY * free_s)) / ROTOR_DECAY
        if seconds > self.stops_s:
            braking = 1 - math.exp(-(seconds - self.stops_s) / BRAKE_SECONDS)
            turned += self._free_speed(self.stops_s) * BRAKE_SECONDS * braking
        return self.angle + self.direction * turned

    def speed_at(self, seconds: float) -> float:
        """Its speed, whichever the direction."""
        if seconds <= self.stops_s:
            return self._free_speed(seconds)
        braked = math.exp(-(seconds - self.stops_s) / BRAKE_SECONDS)
        return self._free_speed(self.stops_s) * braked

    def tenths_rpm_at(self, seconds: float) -> int:
        """Its speed in tenths of a revolution a minute."""
        return round(600 * self.speed_at(seconds))

    @property
    def _speed(self) -> float:
        return self.tenths_rpm / 600

    def _free_speed(self, seconds: float) -> float:
        return self._speed * math.exp(-ROTOR_DECAY * seconds)


class Coast(msgspec.Struct, frozen=True, kw_only=True):
    """A wheel without a ball: pulled through a turn from rest, then slowed evenly by its clapper and pins."""

    speed: float
    """When the hand lets go."""
    pulled: float
    """The turns it is pulled through."""
    coasted: float
    """The turns it makes after that."""

    @property
    def pull_s(self) -> float:
        """How long the hand is on the wheel."""
        return 2 * self.pulled / self.speed

    @property
    def seconds(self) -> float:
        """How long the wheel turns."""
        return self.pull_s + 2 * self.coasted / self.speed

    @property
    def turns(self) -> float:
        """How far it turns."""
        return self.pulled + self.coasted

    def turns_at(self, seconds: float) -> float:
        """How far it has turned."""
        if seconds <= self.pull_s:
            return self.pulled * (seconds / self.pull_s) ** 2
        left = max(0.0, self.seconds - seconds) / (self.seconds - self.pull_s)
        return self.turns - self.coasted * left**2

    def seconds_to(self, turns: float) -> float:
        """When it has turned that far."""
        if turns <= self.pulled:
            return self.pull_s * math.sqrt(turns / self.pulled)
        left = math.sqrt(max(0.0, self.turns - turns) / self.coasted)
        return self.seconds - left * (self.seconds - self.pull_s)

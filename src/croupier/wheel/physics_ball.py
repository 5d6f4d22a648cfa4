"""A roulette spin: rim, fall, deflector, scatter, pocket.

The result is drawn first, evenly over the pockets, and the spin is then solved to end there: of everything
that a spin has, only the angle of the rotor at the launch is not drawn but follows. So no law of motion in
here has any say in which pocket comes.

How far the ball scatters over the rotor is drawn as a whole number of pockets, evenly over one full turn.
The rotor's angle at the launch is the result shifted by that number, and a number shifted by an even draw
says nothing about itself: whatever is seen of a spin before the ball touches the rotor fits every pocket
equally well.
"""

import math
from typing import Final

import msgspec

from croupier.wheel.physics import CLOCKWISE, LEAVES_AT, Rotor, Whirl, direction_word, whirl_of
from croupier.wheel.physics_film import (
    DIAMONDS,
    FRETS,
    LEDGE,
    MICROTURNS,
    POCKET,
    RIM,
    Frame,
    Phase,
    phase_at,
)
from croupier.wheel.uniform import Chance, between

DEFLECTORS: Final = 8
REST_SECONDS: Final = 1.5
"""How long a ball is seen to ride in its pocket before the film ends."""

_TURNS: Final = (9.0, 22.0)
_TOO_FEW: Final = 0.8
"""A launch that is too weak ends this much short of the turns it needs, or more."""
_TENTHS_RPM: Final = (180, 321)
_FALLS_FOR: Final = 0.25
"""The turns that a ball at least makes between the rim and a deflector."""
_KEPT: Final = (0.15, 0.6)
"""The part of its speed that a deflector leaves to a ball."""
_SCATTER_FROM: Final = 0.25
_SLOWEST_SCATTER: Final = 0.5

SAME_DIRECTION, BALL_DROPPED, TOO_FEW = "same-direction", "ball-dropped", "too-few-revolutions"
NO_COMPARTMENT, BALL_OUT, BALL_BROKEN = "no-compartment", "ball-out", "ball-broken"
WHEEL_STOPPED, WHEEL_STILL = "wheel-stopped", "wheel-still"


class BallSpin(msgspec.Struct, frozen=True, kw_only=True):
    """A planned spin of ball and rotor; any moment of it can be asked for."""

    pockets: int
    pocket: int | None
    """The index that the ball ends in; None where it ends in none."""
    direction: int
    """The ball's."""
    start: float
    """The ball's angle at the launch."""
    whirl: Whirl | None
    """None where the ball was dropped and not spun."""
    rotor: Rotor
    diamond: int
    """The deflector that the ball strikes, from 1 at the top clockwise to 8."""
    leave_s: float
    strike_s: float
    strike_angle: float
    enter_s: float
    enter_angle: float
    scatter: float
    """How far the ball moves over the rotor, in turns clockwise."""
    rest_s: float
    ending: str = "pocket"
    """`pocket`, `ledge` for a ball that stays outside the compartments, `out` or `broken`."""

    @property
    def revolutions(self) -> int:
        """The full turns that the ball made on the rim."""
        return 0 if self.whirl is None else math.floor(self.whirl.turns_at(self.leave_s) + 1e-9)

    @property
    def ball_word(self) -> str:
        """The ball's direction as the table says it."""
        return direction_word(self.direction)

    @property
    def end_ms(self) -> int:
        """When there is no more to see."""
        return round(1000 * (self.rest_s + REST_SECONDS))

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Its parts in order."""
        times = {"rim": 0.0, "fall": self.leave_s, "bounce": self.strike_s}
        if self.ending in ("out", "broken"):
            times[self.ending] = self.enter_s
        else:
            times |= {"scatter": self.enter_s, "rest": self.rest_s}
        if self.whirl is None:
            del times["rim"]
        return tuple(Phase(round(1000 * seconds), name) for name, seconds in times.items())

    @property
    def clicks_ms(self) -> tuple[int, ...]:
        """None: there is no clapper."""
        return ()

    def frame_at(self, at_ms: int) -> Frame:
        """One moment of it."""
        seconds = at_ms / 1000
        wheel = self.rotor.angle_at(seconds)
        ball, radius = self._ball_at(seconds)
        return Frame(
            at_ms=at_ms,
            phase=phase_at(self.phases, at_ms),
            wheel=round(MICROTURNS * wheel),
            ball=None if ball is None else round(MICROTURNS * ball),
            radius=None if radius is None else round(radius),
        )

    def _ball_at(self, seconds: float) -> tuple[float | None, float | None]:
        if self.whirl is not None and seconds <= self.leave_s:
            return self.start + self.direction * self.whirl.turns_at(seconds), RIM
        if seconds <= self.strike_s:
            part = (seconds - self.leave_s) / (self.strike_s - self.leave_s)
            left_at = self._left_at()
            return left_at + (self.strike_angle - left_at) * part, RIM - (RIM - DIAMONDS) * part**2
        if seconds <= self.enter_s:
            part = (seconds - self.strike_s) / (self.enter_s - self.strike_s)
            angle = self.strike_angle + (self.enter_angle - self.strike_angle) * part
            return angle, _bounce_radius(part, self.ending)
        if self.ending in ("out", "broken"):
            return None, None
        part = min(1.0, (seconds - self.enter_s) / (self.rest_s - self.enter_s))
        over = self.enter_angle - self.rotor.angle_at(self.enter_s) + self.scatter * (1 - (1 - part) ** 2)
        floor = LEDGE if self.ending == "ledge" else POCKET
        hop = (1 - part) * abs(math.sin(5 * math.pi * part)) * 60
        return self.rotor.angle_at(seconds) + over, floor + (FRETS - floor) * (1 - part) + hop

    def _left_at(self) -> float:
        turned = 0.0 if self.whirl is None else self.whirl.turns_at(self.leave_s)
        return self.start + self.direction * turned


def _bounce_radius(part: float, ending: str) -> float:
    if ending == "out":
        return DIAMONDS + (1.3 * RIM - DIAMONDS) * part
    return DIAMONDS - (DIAMONDS - FRETS) * part + 120 * part * (1 - part)


def plan_ball_spin(
    pockets: int, pocket: int, chance: Chance, *, needs: int, direction: int, trouble: str | None = None
) -> BallSpin:
    """The spin that ends in a pocket; with a trouble, the spin that this trouble makes of it.

    `needs` is how many revolutions the rules ask for, `direction` the ball's.
    """
    turns = (
        between(chance, 1.0, needs - _TOO_FEW)
        if trouble == TOO_FEW
        else between(chance, max(_TURNS[0], needs + 2.0), max(_TURNS[1], needs + 8.0))
    )
    whirl = None if trouble == BALL_DROPPED else whirl_of(turns)
    start = between(chance, 0, 1)
    leave_s = 0.0 if whirl is None else whirl.seconds
    left_at = start + direction * (0.0 if whirl is None else turns)

    diamond, strike_angle = _deflector_after(left_at, direction, chance)
    strike_s = leave_s + abs(strike_angle - left_at) / (0.925 * LEAVES_AT)
    kept = LEAVES_AT * between(chance, *_KEPT)
    enter_s = strike_s + between(chance, 0.25, 0.5)
    enter_angle = strike_angle + direction * kept * (enter_s - strike_s)

    tenths_rpm = _TENTHS_RPM[0] + chance.below(_TENTHS_RPM[1] - _TENTHS_RPM[0])
    turning = Rotor(
        angle=0,
        direction=direction if trouble == SAME_DIRECTION else -direction,
        tenths_rpm=0 if trouble == WHEEL_STILL else tenths_rpm,
        stops_s=between(chance, 0.3, 0.9) * strike_s if trouble == WHEEL_STOPPED else math.inf,
    )
    speed = direction * kept - turning.direction * turning.speed_at(enter_s)
    scattered = (round(_SCATTER_FROM * pockets) + chance.below(pockets)) / pockets
    rest_s = enter_s + 2 * scattered / max(abs(speed), _SLOWEST_SCATTER)
    scatter = math.copysign(scattered, speed)

    # Over the rotor the ball has to come to rest at pocket / pockets: this is the one thing that is solved.
    angle = enter_angle - turning.angle_at(enter_s) + scatter - pocket / pockets
    ending = {NO_COMPARTMENT: "ledge", BALL_OUT: "out", BALL_BROKEN: "broken"}.get(trouble or "", "pocket")
    return BallSpin(
        pockets=pockets,
        pocket=pocket if ending == "pocket" else None,
        direction=direction,
        start=start,
        whirl=whirl,
        rotor=msgspec.structs.replace(turning, angle=angle - math.floor(angle)),
        diamond=diamond,
        leave_s=leave_s,
        strike_s=strike_s,
        strike_angle=strike_angle,
        enter_s=enter_s,
        enter_angle=enter_angle,
        # A ball that stays on the ledge stays between two pockets.
        scatter=scatter + (0.5 / pockets if ending == "ledge" else 0),
        rest_s=rest_s if ending in ("pocket", "ledge") else enter_s,
        ending=ending,
    )


def _deflector_after(left_at: float, direction: int, chance: Chance) -> tuple[int, float]:
    """The deflector that a falling ball strikes, and the angle it stands at; now and then it misses one."""
    along = direction * left_at + _FALLS_FOR
    missed = 1 if chance.below(3) == 0 else 0
    number = math.ceil(along * DEFLECTORS) + missed
    angle = direction * number / DEFLECTORS
    return (number if direction == CLOCKWISE else -number) % DEFLECTORS + 1, angle

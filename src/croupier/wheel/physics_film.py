"""A spin as screens see it: samples at even distances, in whole numbers, with the moments that have names."""

from typing import Final, Protocol

import msgspec

STEP_MS: Final = 50
"""Twenty samples a second; between two of them a screen draws a straight line."""
MICROTURNS: Final = 1_000_000
"""The parts of a turn that angles are counted in."""
RIM, DIAMONDS, LEDGE, FRETS, POCKET = 1000, 790, 620, 560, 500
"""How far from the middle the ball is, in thousandths of the rim's radius."""
_CLEAR: Final = 0.4
"""How far from the middle of a pocket or segment something clearly is inside it, in parts of its width."""


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One moment of a spin."""

    at_ms: int
    phase: str
    wheel: int
    """The angle of the pocket or segment of index 0, in millionths of a turn clockwise from the top. Angles
    grow beyond a turn and below none, so that nothing jumps where a turn is complete."""
    ball: int | None
    """The ball's angle in the room, not on the rotor; None where there is no ball, or none any more."""
    radius: int | None
    """The ball's distance from the middle, in thousandths of the rim's radius."""


class Phase(msgspec.Struct, frozen=True):
    """A part of a spin that has a name."""

    from_ms: int
    name: str


class Film(msgspec.Struct, frozen=True, kw_only=True):
    """Samples of a spin from its launch, `step_ms` apart; the last one shows the end."""

    pockets: int
    step_ms: int
    phases: tuple[Phase, ...]
    wheel: tuple[int, ...]
    ball: tuple[int | None, ...]
    radius: tuple[int | None, ...]
    clicks_ms: tuple[int, ...] = ()
    """When a pin passes the clapper of a wheel without a ball."""
    pocket: int | None = None
    """The index that the whole film ends on; None where it ends on none, and in a part of a film."""

    @property
    def seconds(self) -> float:
        """How long it runs."""
        return (len(self.wheel) - 1) * self.step_ms / 1000

    def until(self, at_ms: int) -> "Film":
        """What has happened by a moment, and nothing of what will."""
        count = max(0, at_ms // self.step_ms + 1)
        if count >= len(self.wheel):
            return self
        return Film(
            pockets=self.pockets,
            step_ms=self.step_ms,
            phases=tuple(phase for phase in self.phases if phase.from_ms <= at_ms),
            wheel=self.wheel[:count],
            ball=self.ball[:count],
            radius=self.radius[:count],
            clicks_ms=tuple(click for click in self.clicks_ms if click <= at_ms),
        )


class Motion(Protocol):
    """A planned spin, any moment of which can be asked for."""

    @property
    def pockets(self) -> int:
        """How many pockets or segments the wheel has."""

    @property
    def pocket(self) -> int | None:
        """The index that it ends on."""

    @property
    def end_ms(self) -> int:
        """When there is no more to see."""

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Its parts in order."""

    @property
    def clicks_ms(self) -> tuple[int, ...]:
        """When a pin passes the clapper."""

    def frame_at(self, at_ms: int) -> Frame:
        """One moment of it."""


def shoot(motion: Motion) -> Film:
    """The film of a spin."""
    steps = -(-motion.end_ms // STEP_MS)
    frames = [motion.frame_at(step * STEP_MS) for step in range(steps + 1)]
    return Film(
        pockets=motion.pockets,
        step_ms=STEP_MS,
        phases=motion.phases,
        wheel=tuple(frame.wheel for frame in frames),
        ball=tuple(frame.ball for frame in frames),
        radius=tuple(frame.radius for frame in frames),
        clicks_ms=motion.clicks_ms,
        pocket=motion.pocket,
    )


def phase_at(phases: tuple[Phase, ...], at_ms: int) -> str:
    """The phase that a moment belongs to."""
    return [phase.name for phase in phases if phase.from_ms <= at_ms][-1]


def shown_pocket(pockets: int, wheel: int, ball: int | None) -> int | None:
    """The index that a frame shows: under the ball, or under a clapper at the top; None between two.

    >>> shown_pocket(4, 0, 250_000), shown_pocket(4, 0, 375_000), shown_pocket(4, 250_000, None)
    (1, None, 3)
    """
    across = ((0 if ball is None else ball) - wheel) * pockets
    index = (across + MICROTURNS // 2) // MICROTURNS
    is_clear = abs(across - index * MICROTURNS) <= _CLEAR * MICROTURNS
    return index % pockets if is_clear else None

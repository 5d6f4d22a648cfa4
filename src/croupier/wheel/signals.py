"""What a wheel tells a table, whatever kind of wheel it is. Money and rules stay out of it."""

from collections.abc import AsyncIterator
from typing import Protocol

import msgspec


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    """The wheel waits for a spin."""

    at_ms: int
    pockets: int | None = None
    """How many pockets or segments the wheel has, where it says so."""
    until_launch: bool = True
    """Whether it waits until it tells of the next spin. False where the ball may be under way before that is
    told: then the wheel says again and again that it still waits, and each time it is true of that time."""


class BallInRim(msgspec.Struct, frozen=True, kw_only=True):
    """The ball runs in the rim, or the wheel that has no ball was spun; what is not known is None."""

    at_ms: int
    ball: str | None = None
    wheel: str | None = None
    wheel_turning: bool | None = None
    rotor_tenths_rpm: int | None = None


class NoMoreBets(msgspec.Struct, frozen=True, kw_only=True):
    """The wheel says that the ball is about to drop."""

    at_ms: int


class AtRest(msgspec.Struct, frozen=True, kw_only=True):
    """The spin is over: where it rests, and what else was seen of it."""

    at_ms: int
    pocket: str | None
    """None where it rests in no compartment (`at_rest` is False) or where nobody saw in which."""
    revolutions: int | None = None
    at_rest: bool = True
    rotor_tenths_rpm: int | None = None
    diamond: int | None = None


class Irregular(msgspec.Struct, frozen=True, kw_only=True):
    """Something happened that voids a round by the book."""

    at_ms: int
    cause: str
    """A cause of the book's list of irregularities, such as `same-direction`."""
    note: str = ""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something is wrong with the wheel; nothing it says counts until it is `Cleared` and `Ready` again."""

    at_ms: int
    code: str
    """A code of `croupier.table.wheel_faults`."""
    detail: str = ""
    stops_table: bool = False
    """Whether nobody may play on before somebody has looked."""


class Cleared(msgspec.Struct, frozen=True, kw_only=True):
    """The fault is gone."""

    at_ms: int


Signal = Ready | BallInRim | NoMoreBets | AtRest | Irregular | Fault | Cleared


class SpinSource(Protocol):
    """Where a table's spins come from: a sensor on a line, a simulation, a recording."""

    def __aiter__(self) -> AsyncIterator[Signal]:
        """The signals in their order, until the source is closed."""

    async def start_game(self) -> None:
        """Asks the wheel to spin, where it can do so by itself."""

    async def close(self) -> None:
        """Ends the signals and lets go of the wheel."""

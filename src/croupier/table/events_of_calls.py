"""What happens between a player who calls an attendant and whoever comes."""

from typing import ClassVar

import msgspec

from croupier.table.audiences import SEAT


class AttendantCalled(msgspec.Struct, frozen=True, kw_only=True, tag="attendant-called"):
    """An attendant is called to a seat; nothing about the round or the seat's money changes."""

    to: ClassVar[str] = SEAT
    seat: str
    reason: str
    """A code of `croupier.table.calls`."""
    since_ms: int


class CallEnded(msgspec.Struct, frozen=True, kw_only=True, tag="call-ended"):
    """A call is over: an employee has answered it, or the player has withdrawn it."""

    to: ClassVar[str] = SEAT
    seat: str
    how: str
    """`answered` or `withdrawn`."""
    since_ms: int
    """When the call began."""

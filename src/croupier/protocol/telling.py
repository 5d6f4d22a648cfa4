"""What a client is told."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from croupier.protocol.views import (
    ActionView,
    ConsoleView,
    DisputeView,
    PitLine,
    SeatLine,
    SeatView,
    StakesView,
    TableView,
)
from croupier.table import Rejection


class Problem(msgspec.Struct, frozen=True, kw_only=True, tag="problem", tag_field="type", omit_defaults=True):
    """A message was not understood or not taken; where the server closes afterwards, `bye` follows."""

    code: str
    sentence: str
    number: int | None = None
    """The number of the command that could not be read, where its number could: it gets no other answer."""


class Bye(msgspec.Struct, frozen=True, kw_only=True, tag="bye", tag_field="type"):
    """The server closes the connection."""

    code: str
    sentence: str
    again_seconds: int | None
    """When to come back; None where there is no point."""


class Welcome(msgspec.Struct, frozen=True, kw_only=True, tag="welcome", tag_field="type"):
    """The answer to `hello`."""

    version: int
    epoch: str
    server_ms: int
    audience: str
    table: str | None
    seat: str | None
    who: str
    """The id of the device or the person."""
    position: str | None
    last_number: int
    """The highest number that the table has answered this sender; the next command takes a higher one."""
    resumed: bool
    """Whether the events since `resume` follow, instead of a snapshot."""
    demonstration: bool
    zone: str = "UTC"
    """By which clocks the house shows times to people, as in `Asia/Singapore`."""


class Snapshot(
    msgspec.Struct, frozen=True, kw_only=True, tag="snapshot", tag_field="type", omit_defaults=True
):
    """Everything that this screen shows, as of `seq`."""

    seq: int
    table: TableView | None = None
    seat: SeatView | None = None
    console: ConsoleView | None = None
    pit: tuple[PitLine, ...] | None = None


class Told(msgspec.Struct, frozen=True, kw_only=True, tag="event", tag_field="type", omit_defaults=True):
    """Something has happened; the views are those after it, and replace the earlier ones whole."""

    seq: int
    at_ms: int
    name: str
    """The table where it happened."""
    event: dict[str, Any]
    """Its kind under `type`, and the facts that this audience may see."""
    actor: str | None = None
    """Who was behind it; for staff."""
    table: TableView | None = None
    seat: SeatView | None = None


class Overview(
    msgspec.Struct, frozen=True, kw_only=True, tag="overview", tag_field="type", omit_defaults=True
):
    """For consoles: live stakes, and the seats that have changed since the last one."""

    seq: int
    stakes: StakesView | None = None
    seats: tuple[SeatLine, ...] = ()
    actions: tuple[ActionView, ...] | None = None
    """Where what can be done has changed."""
    people: tuple[str, ...] = ()
    """Who is at a console of this table."""
    halted_reason: str | None = None
    wheel_fault: str | None = None
    disputes: tuple[DisputeView, ...] = ()


class Boxes(msgspec.Struct, frozen=True, kw_only=True, tag="boxes", tag_field="type"):
    """For seats of a game with betting boxes: what lies in each, whoever has placed it."""

    boxes_cents: Mapping[str, int] | None
    """Takes the place of what the seat's view says; boxes that hold nothing are left out."""


class PitNews(msgspec.Struct, frozen=True, kw_only=True, tag="pit", tag_field="type"):
    """For the pit: the tables that have changed."""

    lines: tuple[PitLine, ...]


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag="answer", tag_field="type", omit_defaults=True):
    """The answer to a command; where it was carried out, that is on the disk."""

    number: int
    seq: int
    """The last event that the answer rests on."""
    refused: Rejection | None = None
    repeated: bool = False
    """Whether the number had been answered before: this is the first answer again."""
    voucher: str | None = None
    """The number of the voucher that a cash-out gave."""


class Beat(msgspec.Struct, frozen=True, kw_only=True, tag="beat", tag_field="type"):
    """A sign of life with the server's time; a client answers `alive`."""

    at_ms: int


Message = Problem | Bye | Welcome | Snapshot | Told | Overview | Boxes | PitNews | Answer | Beat

_DECODER: Final[msgspec.json.Decoder[Message]] = msgspec.json.Decoder(Message)
write: Final[Callable[[Message], bytes]] = msgspec.json.Encoder().encode
"""A message as it goes over the wire."""


def read(raw: bytes | str) -> Message:
    """A message from a server."""
    return _DECODER.decode(raw)

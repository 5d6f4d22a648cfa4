"""What the servers of a floor say to each other about a table."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from croupier.floor.shared.bus import word
from croupier.floor.waiting import Ask
from croupier.floor.writer import Published
from croupier.table import Entry, Rejection

MOST_BYTES: Final = 500_000
"""How large a message gets at most; NATS takes a million where nothing else is set."""


PATIENCE_MS: Final = 10_000
"""How long the sender of a command waits at most: long enough for another server to take the table over."""
TAKEN_MS: Final = 9_000
"""How old a command from elsewhere may be where it is taken: whoever was told `not-registered` is not to find
it carried out after all. The rest of the patience is for carrying it out, and for the answer's way."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the owner answers; `entries` is None where they are too many to be sent."""

    rejection: Rejection | None
    first: int
    last: int
    repeated: bool
    entries: tuple[Entry, ...] | None


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What has happened at a table, from one number on; nothing where the owner only says how far it is."""

    owner: str
    first: int
    entries: tuple[Entry, ...] = ()
    more: bool = False
    """Whether the next message has more of the same, which is to be seen together with this."""
    leaving: bool = False
    """Whether the owner lets go of the table, so that another one can take it at once."""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """Who is connected to one server."""

    server: str
    process: str
    at_ms: int
    """The later sheet of a process counts."""
    terminals: tuple[tuple[str, str, str, int], ...]
    """Table, seat, the device that sits there, and when it came."""
    devices: tuple[str, ...]
    """Devices that sit at no seat."""
    leaving: bool = False


class Subjects:
    """Where what is said about one floor."""

    def __init__(self, floor: str) -> None:
        self.floor = f"croupier.{word(floor)}"

    def told(self, table: str) -> str:
        """What has happened at a table."""
        return f"{self.floor}.table.{word(table)}.told"

    def ask(self, table: str) -> str:
        """Commands to a table."""
        return f"{self.floor}.table.{word(table)}.ask"

    def answers(self, table: str, asker: str) -> str:
        """Answers to one asker, each with its number behind this."""
        return f"{self.floor}.table.{word(table)}.answers.{word(asker)}"

    @property
    def roll(self) -> str:
        """Who is connected where."""
        return f"{self.floor}.roll"


encode: Final = msgspec.msgpack.Encoder().encode
decode_ask: Final = msgspec.msgpack.Decoder(Ask).decode
decode_answer: Final = msgspec.msgpack.Decoder(Answer).decode
decode_told: Final = msgspec.msgpack.Decoder(Told).decode
decode_sheet: Final = msgspec.msgpack.Decoder(Sheet).decode

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading a message raises where it is none, or one of another version of the software."""


def told(owner: str, published: Sequence[Published], most_bytes: int = MOST_BYTES) -> Iterator[bytes]:
    """The messages that tell of what was published: one, or several where it is much."""
    yield from _parts(owner, published, most_bytes, more=False)


def _parts(owner: str, published: Sequence[Published], most_bytes: int, *, more: bool) -> Iterator[bytes]:
    entries = tuple(entry for _, entry in published)
    content = encode(Told(owner=owner, first=published[0].sequence, entries=entries, more=more))
    if len(content) <= most_bytes:
        yield content
    elif len(published) > 1:
        middle = len(published) // 2
        yield from _parts(owner, published[:middle], most_bytes, more=True)
        yield from _parts(owner, published[middle:], most_bytes, more=more)
    else:
        # One event that is larger than a message: whoever follows reads it in the journal.
        yield encode(Told(owner=owner, first=published[0].sequence + 1, more=more))

"""What carries messages between the servers of a floor."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

_ESCAPED: Final = re.compile(rb"[^A-Za-z0-9-]")


class BusError(Exception):
    """The bus cannot be reached or used; its text is one sentence that says why."""


class Heard(NamedTuple):
    """A message."""

    subject: str
    data: bytes
    reply_to: str
    """Where an answer is expected, empty where none is."""
    nobody: bool
    """The bus itself says that nobody listens to what was sent with this reply subject; there is no data."""


class Listening(Protocol):
    """What is heard on a subject, until it is stopped."""

    async def stop(self) -> None:
        """Hears nothing from now on; stopping twice changes nothing."""


class Bus(Protocol):
    """Carries messages between servers: quickly, in order, and perhaps not at all."""

    @property
    def is_up(self) -> bool:
        """Whether what is sent now has a chance to arrive."""

    async def listen(self, subject: str, hear: Callable[[Heard], None]) -> Listening:
        """Hears what anybody sends on a subject once this has returned; `*` stands for one part of it."""

    def send(self, subject: str, data: bytes, reply_to: str = "") -> None:
        """Sends a message to whoever listens; while the bus is down it is dropped."""

    async def close(self) -> None:
        """Ends the connection and everything that listens."""


def word(text: str) -> str:
    """A text as one part of a subject, whatever is in it; different texts give different parts.

    Letters, digits and hyphens stay as they are; each other byte becomes an underscore and two digits.

    >>> word("table-7"), word("Tisch 7"), word("")
    ('table-7', 'Tisch_207', '_')
    """
    written = _ESCAPED.sub(lambda byte: b"_%02x" % byte[0][0], text.encode("utf-8", "surrogatepass"))
    return written.decode("ascii") or "_"

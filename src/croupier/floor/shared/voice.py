"""How the servers of a floor speak about one table: sealed, and no message larger than it may be."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from croupier.floor.clock import Clock
from croupier.floor.shared.bus import Bus, Heard
from croupier.floor.shared.complaining import Unread
from croupier.floor.shared.messages import (
    MOST_BYTES,
    TAKEN_MS,
    UNREADABLE,
    Answer,
    Subjects,
    Told,
    decode_ask,
    decode_told,
    encode,
    told,
)
from croupier.floor.shared.sealing import BadSeal, Seal
from croupier.floor.waiting import Ask
from croupier.floor.writer import Published
from croupier.journal.leases import Leases
from croupier.table import Reply


class Company(NamedTuple):
    """A server among the servers of its floor, and what they share."""

    name: str
    """The server's name."""
    id: str
    """The name of this very process: one that is started again is another one."""
    bus: Bus
    leases: Leases
    seal: Seal
    subjects: Subjects


class Voice:
    """Speaks and hears about one table."""

    def __init__(self, company: Company, table: str, clock: Clock, most_bytes: int = MOST_BYTES) -> None:
        self._company = company
        self._unread = Unread(clock, f"table {table}: what another server tells cannot be read")
        self._not_taken = Unread(clock, f"table {table}: a command from elsewhere is not taken")
        self._most_bytes = most_bytes
        self._told = company.subjects.told(table)
        self._latest_ms: dict[str, int] = {}
        """By owner, when the latest message of it was sealed."""

    def tell(self, published: Sequence[Published]) -> None:
        """Tells the others what has happened."""
        for content in told(self._company.id, published, self._most_bytes):
            self._send(self._told, content)

    def tell_how_far(self, sequence: int, *, leaving: bool = False) -> None:
        """Tells the others how far the table is, or that it is theirs now."""
        self._send(self._told, encode(Told(owner=self._company.id, first=sequence + 1, leaving=leaving)))

    def answer(self, reply_to: str, reply: Reply) -> None:
        """Answers a command that came from elsewhere."""
        found = Answer(
            rejection=reply.rejection,
            first=reply.first,
            last=reply.last,
            repeated=reply.repeated,
            entries=reply.entries,
        )
        content = encode(found)
        if len(content) > self._most_bytes:
            content = encode(msgspec.structs.replace(found, entries=None))
        self._send(reply_to, content)

    def told(self, heard: Heard) -> Told | None:
        """What another server tells; None where it is nothing, or this server's own."""
        try:
            news = decode_told(self._company.seal.open(heard.subject, heard.data))
        except (BadSeal, *UNREADABLE) as error:
            self._unread.warn(error)
            return None
        return None if news.owner == self._company.id else news

    def is_new(self, heard: Heard, news: Told) -> bool:
        """Whether its owner has just said this: what was heard before may come again from anybody."""
        sealed_ms = self._company.seal.sealed_ms(heard.data)
        if sealed_ms <= self._latest_ms.get(news.owner, 0):
            return False
        self._latest_ms[news.owner] = sealed_ms
        return True

    def asked(self, heard: Heard) -> Ask | None:
        """A command that another server brings; None where it is none, or its sender waits no more."""
        try:
            # The seal is also for the place of the answer.
            subject = f"{heard.subject} {heard.reply_to}"
            return decode_ask(self._company.seal.open(subject, heard.data, TAKEN_MS))
        except (BadSeal, *UNREADABLE) as error:
            self._not_taken.warn(error)
            return None

    def _send(self, subject: str, content: bytes) -> None:
        self._company.bus.send(subject, self._company.seal.close(subject, content))

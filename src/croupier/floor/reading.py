"""A table's history as it was hashed: the chain is checked, and each record behind it gives its entry."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from croupier.floor.codec import UnreadableRecord, entry_written
from croupier.journal import Head, Link, loose
from croupier.table import Entry

_HASH: Final = 32
_sha256: Final = hashlib.sha256
_new: Final = tuple.__new__


class OffChain(ValueError):
    """A record that does not continue the chain, and why."""

    def __init__(self, sequence: int, reason: str) -> None:
        super().__init__(reason)
        self.sequence = sequence


class Told(NamedTuple):
    """What a record tells, and where the chain has come to with it."""

    sequence: int
    hash: bytes
    entry: Entry


def told_behind(table: str, head: Head, links: Iterable[Link]) -> Iterator[Told]:
    """What the records of a table behind `head` tell.

    Raises `OffChain` at the first that does not continue the chain, and `UnreadableRecord` at the first that
    does and says nothing that this software knows.
    """
    # Journals are long, so this is what `loose` and `record_of` do, in one go for each record.
    named = table.encode()
    last, previous = head
    for link in links:
        sequence, form, own = link
        if sequence != last + 1 or not form.startswith(previous) or _sha256(form).digest() != own:
            raise OffChain(sequence, loose(link, Head(last, previous)) or "")
        parts = form[_HASH:].split(b"\n", 9)
        if len(parts) != 10 or parts[1] != b"%d" % sequence or parts[0] != named:
            raise UnreadableRecord(f"record {sequence} of table {table} has the form of another one, or none")
        last, previous = sequence, own
        yield _new(Told, (sequence, own, entry_written(parts[7], parts[8], parts[9])))

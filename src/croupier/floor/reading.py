"""A table's history as it was hashed: the chain is checked, and the records behind it give their entries."""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from croupier.floor.codec import UNREADABLE, WRITTEN, UnreadableRecord, decode_entry, entry_written
from croupier.journal import Head, Stretch, loose
from croupier.table import Entry

_HASH: Final = 32
_sha256: Final = hashlib.sha256
_goes_on: Final = bytes.startswith


class OffChain(ValueError):
    """A record that does not continue the chain, and why."""

    def __init__(self, sequence: int, reason: str) -> None:
        super().__init__(reason)
        self.sequence = sequence


class Passage(NamedTuple):
    """What records that follow each other tell, and where the chain has come to with each."""

    first: int
    entries: list[Entry]
    hashes: list[bytes]


def told_behind(table: str, head: Head, stretches: Iterable[Stretch]) -> Iterator[Passage]:
    """What the records of a table behind `head` tell.

    Raises `OffChain` behind the last that continues the chain, and `UnreadableRecord` behind the last that
    says something that this software knows.
    """
    for first, forms, hashes in on_chain(head, stretches):
        passage = Passage(first, [], [*hashes])
        try:
            read_told(table, first, forms, passage.entries)
        except UnreadableRecord:
            yield passage
            raise
        yield passage


def on_chain(head: Head, stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    """Stretches that continue the chain behind `head`, and the part that does of the first that does not."""
    last, previous = head
    for stretch in stretches:
        first, forms, hashes = stretch
        if not forms:
            continue
        # Journals are long, so a stretch is checked whole, and record by record only where it does not fit.
        own = [_sha256(form).digest() for form in forms]
        if first != last + 1 or own != hashes or not all(map(_goes_on, forms, chain((previous,), own))):
            yield from _as_far_as_it_fits(Head(last, previous), stretch)
        yield stretch
        last, previous = last + len(forms), own[-1]


def _as_far_as_it_fits(head: Head, stretch: Stretch) -> Iterator[Stretch]:
    for fitting, link in enumerate(stretch.links()):
        if (reason := loose(link, head)) is not None:
            if fitting:
                yield Stretch(stretch.first, stretch.forms[:fitting], stretch.hashes[:fitting])
            raise OffChain(link.sequence, reason)
        head = Head(link.sequence, link.hash)


def read_told(table: str, first: int, forms: Iterable[bytes], entries: list[Entry]) -> None:
    """Adds what forms of a chain tell: the same as `record_of` and `entry_of` do, in one go for each.

    Raises `UnreadableRecord` behind the last that can be read.
    """
    named, add, written, decode = table.encode(), entries.append, WRITTEN.get, decode_entry
    for sequence, form in enumerate(forms, start=first):
        parts = form[_HASH:].split(b"\n", 9)
        if len(parts) != 10 or parts[1] != b"%d" % sequence or parts[0] != named:
            raise UnreadableRecord(f"record {sequence} of table {table} has the form of another one, or none")
        _, _, _, _, _, _, _, kind, version, payload = parts
        known = written(kind)
        if known is not None and known.version == version:
            try:
                entry = decode(payload)
            except UNREADABLE:
                entry = entry_written(kind, version, payload)  # it says what is wrong
            if type(entry.event) is known.event:
                add(entry)
                continue
        add(entry_written(kind, version, payload))

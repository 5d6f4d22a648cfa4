"""How SQLite keeps records: those that were written together lie together, as the bytes that were hashed.

A segment is what one transaction has added to a table's chain. Its content is the canonical form of each
record, one after the other, and `sizes` says how long each is. A form begins with the hash of the record
before it, so the hash of a record stands at the beginning of the next one, and that of the last in the row.
"""

import re
import struct
from collections.abc import Iterator, Sequence
from itertools import accumulate, count, pairwise, repeat
from typing import Any, Final

from croupier.journal.record import Record

_new: Final = tuple.__new__
_HASH: Final = 32
_TEXT: Final = rb"([^\n\0]*)\n"
_NUMBER: Final = rb"(0|-?[1-9][0-9]*)\n"
_FORM: Final = re.compile(
    _TEXT + _NUMBER + _NUMBER + _TEXT + _TEXT + _NUMBER + _NUMBER + _TEXT + _NUMBER, re.ASCII
)
"""The fields of a canonical form; the payload comes behind them. There is one way to write each number."""


def pack(forms: Sequence[bytes]) -> tuple[bytes, bytes]:
    """The sizes and the content of a segment."""
    return struct.pack(f"<{len(forms)}I", *map(len, forms)), b"".join(forms)


def forms_of(sizes: Any, content: Any) -> list[bytes]:
    r"""The forms that a segment holds; where it was damaged, what is there, so that somebody can judge it.

    >>> forms_of(*pack([b"one", b"two"]))
    [b'one', b'two']
    >>> forms_of(pack([b"one", b"two"])[0], b"one and more")
    [b'one', b' an', b'\x00d more']
    """
    if not isinstance(content, bytes):
        return [b""]
    try:
        lengths = struct.unpack(f"<{len(sizes) // 4}I", sizes)
    except (struct.error, TypeError):
        return [b""]
    forms = [content[start:end] for start, end in pairwise(accumulate(lengths, initial=0))]
    rest = content[sum(lengths) :]
    # What no size speaks of is no record, even where it looks like one.
    return [*forms, b"\0" + rest] if rest or not forms else forms


def unpack(table: str, first: Any, sizes: Any, content: Any, last_hash: Any) -> Iterator[Record]:
    """The records of a segment; raises `ValueError` at the first that is none."""
    for sequence, form, own in _each(first, sizes, content, last_hash):
        yield record_of(table, sequence, form, own)


def unpack_anyhow(table: str, first: Any, sizes: Any, content: Any, last_hash: Any) -> Iterator[Record]:
    """The same for an auditor: what is no record becomes one that cannot fit."""
    for sequence, form, own in _each(first, sizes, content, last_hash):
        try:
            yield record_of(table, sequence, form, own)
        except ValueError:
            # The null character is in no record: whoever checks this one says that it can be none.
            yield Record(table, sequence, 0, "\0", "", 0, 0, "", 0, form, form[:_HASH], own)


def _each(first: Any, sizes: Any, content: Any, last_hash: Any) -> Iterator[tuple[Any, bytes, Any]]:
    """Each form with its number, and with the hash that stands behind it."""
    forms = forms_of(sizes, content)
    hashes = [*(form[:_HASH] for form in forms[1:]), last_hash]
    numbers = count(first) if isinstance(first, int) else repeat(first)
    return zip(numbers, forms, hashes, strict=False)


def record_of(table: str, sequence: int, form: bytes, own: bytes) -> Record:
    """A record from its canonical form; raises `ValueError` where that is not the one of this place."""
    found = _FORM.match(form, _HASH)
    if found is None:
        raise ValueError(f"record {sequence} of table {table} has no canonical form")
    named, placed, at_ms, actor, sender, number, part, kind, version = found.groups()
    if named.decode() != table or int(placed) != sequence:
        raise ValueError(f"record {sequence} of table {table} has the form of another one")
    return _new(
        Record,
        (
            table,
            sequence,
            int(at_ms),
            actor.decode(),
            sender.decode(),
            int(number),
            int(part),
            kind.decode(),
            int(version),
            form[found.end() :],
            form[:_HASH],
            own,
        ),
    )

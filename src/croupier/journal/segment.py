"""How SQLite keeps records: those that were written together lie together, as the bytes that were hashed.

A segment is what one transaction has added to a table's chain. Its content is the canonical form of each
record, one after the other, and `sizes` says how long each is. A form begins with the hash of the record
before it, so the hash of a record stands at the beginning of the next one, and that of the last in the row.
"""

import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, Final

from croupier.journal.record import Record, Stretch

_new: Final = tuple.__new__
_HASH: Final = 32


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
    said = sum(lengths)
    rest = content[said:]
    # What no size speaks of is no record, even where it looks like one; nor is what is shorter than its size.
    if rest or not forms:
        return [*forms, b"\0" + rest]
    return forms if said == len(content) else [*forms[:-1], forms[-1] + b"\0"]


def count_of(sizes: Any, length: Any) -> int:
    """How many forms a segment with a content of so many bytes is said to hold, also where it was damaged.

    >>> count_of(pack([b"one", b"two"])[0], 6), count_of(pack([b"one", b"two"])[0], 12), count_of(b"", 0)
    (2, 3, 1)
    """
    try:
        lengths = struct.unpack(f"<{len(sizes) // 4}I", sizes)
    except (struct.error, TypeError):
        return 1
    return len(lengths) + (sum(lengths) < length) or 1


def unpack(table: str, first: Any, sizes: Any, content: Any, last_hash: Any) -> Iterator[Record]:
    """The records of a segment; raises `ValueError` at the first that is none."""
    for sequence, form, own in stretch_of(first, sizes, content, last_hash).numbered():
        yield record_of(table, sequence, form, own)


def unpack_holding(
    table: str, text: bytes, first: Any, sizes: Any, content: Any, last_hash: Any
) -> Iterator[Record]:
    """The same for those alone in which a text stands: a segment without it is not taken apart."""
    if isinstance(content, bytes) and text not in content:
        return
    for sequence, form, own in stretch_of(first, sizes, content, last_hash).numbered():
        if text in form:
            yield record_of(table, sequence, form, own)


def unpack_anyhow(table: str, first: Any, sizes: Any, content: Any, last_hash: Any) -> Iterator[Record]:
    """All of them for an auditor: what is no record becomes one that cannot fit."""
    for sequence, form, own in stretch_of(first, sizes, content, last_hash).numbered():
        yield record_anyhow(table, sequence, form, own)


def stretch_of(first: Any, sizes: Any, content: Any, last_hash: Any) -> Stretch:
    """The forms of a segment, each with the hash that stands behind it."""
    forms = forms_of(sizes, content)
    hashes = [form[:_HASH] for form in forms]
    return _new(Stretch, (first, forms, [*hashes[1:], last_hash]))


def time_of(form: bytes) -> int:
    """When a record was written, from its canonical form; raises `ValueError` where that is none."""
    parts = form[_HASH:].split(b"\n", 3)
    if len(parts) < 4:
        raise ValueError("a record has no canonical form")
    return int(parts[2])


def record_of(table: str, sequence: int, form: bytes, own: bytes) -> Record:
    """A record from its canonical form; raises `ValueError` where that is not the one of this place."""
    try:
        named, placed, at_ms, actor, sender, number, part, kind, version, payload = form[_HASH:].split(
            b"\n", 9
        )
    except ValueError:
        raise ValueError(f"record {sequence} of table {table} has no canonical form") from None
    if not isinstance(sequence, int) or placed != b"%d" % sequence or _text(named) != table:
        raise ValueError(f"record {sequence} of table {table} has the form of another one")
    return _new(
        Record,
        (
            table,
            sequence,
            _number(at_ms),
            _text(actor),
            _text(sender),
            _number(number),
            _number(part),
            _text(kind),
            _number(version),
            payload,
            form[:_HASH],
            own,
        ),
    )


def record_anyhow(table: str, sequence: int, form: bytes, own: bytes) -> Record:
    """The same for an auditor: what is no record becomes one that cannot fit."""
    try:
        return record_of(table, sequence, form, own)
    except ValueError:
        # The null character is in no record: whoever checks this one says that it can be none.
        return Record(table, sequence, 0, "\0", "", 0, 0, "", 0, form, form[:_HASH], own)


@lru_cache(maxsize=4_096)
def _text(written: bytes) -> str:
    """A text; the same ones come again and again."""
    return written.decode()


@lru_cache(maxsize=4_096)
def _number(written: bytes) -> int:
    """A number in the one way in which it is written."""
    number = int(written)
    if b"%d" % number != written:
        raise ValueError(f"{written!r} is not how a number is written")
    return number

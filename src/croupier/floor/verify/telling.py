"""What a record tells as it was hashed, where all of its fields say what its payload says, as most do."""

from typing import Final

from croupier.floor.codec import UNREADABLE, decode_entry, fields_told
from croupier.table import Entry

_HASH: Final = 32
_FIELDS: Final = 9


def told_by_payload(form: bytes) -> Entry | None:
    """What the payload of a canonical form says, if it can be read as it is written now."""
    try:
        return decode_entry(form[form.rfind(b"\n") + 1 :])
    except UNREADABLE:
        return None


def told_whole(
    table: str, sequence: int, form: bytes, last: Entry | None, last_part: int
) -> tuple[Entry, int] | None:
    """The entry of a record all of whose fields say what its payload says, and its place in its command.

    `last` is the entry before it, with its place. None where the record is unusual.
    """
    start = form.rfind(b"\n") + 1
    try:
        entry = decode_entry(form[start:])
        part = part_of(entry, last, last_part)
        fields = fields_told(table, sequence, part, entry)
    except UNREADABLE:
        return None
    if form[_HASH:start] != fields or fields.count(b"\n") != _FIELDS or b"\0" in fields:
        return None
    return entry, part


def part_of(entry: Entry, last: Entry | None, last_part: int) -> int:
    """The place of an entry among those of its command, by the one before it."""
    return last_part + 1 if last is not None and entry.cause == last.cause else 0

"""What records tell as they were hashed, where all of their fields say what their payload says."""

import contextlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from croupier.floor.codec import UNREADABLE, decode_entry, fields_told
from croupier.journal import is_plain
from croupier.table import Entry
from croupier.table.events import Cause

_HASH: Final = 32
_NAMES_KEPT: Final = 10_000


class Place(NamedTuple):
    """Which command a record followed from, and its place among those that did."""

    cause: Cause | None
    part: int


BEGINNING: Final = Place(None, -1)
"""Before the first record."""


class Telling:
    """What a table's records tell, many at a time: almost all of them are usual, and not taken apart."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._is_plain = is_plain(table)
        self._plain: set[str] = set()
        """Names that were found to hold nothing that no field may hold."""

    def usual(self, first: int, forms: Sequence[bytes], last: Place) -> tuple[list[Entry], Place]:
        """The entries of the next records, as far as all of their fields say what their payload says.

        `last` is the place of the record before them; with them comes that of the last one.
        """
        table, plain = self._table, self._plain
        cause, part = last
        entries: list[Entry] = []
        with contextlib.suppress(*UNREADABLE):  # whoever takes that record apart says why
            for sequence, form in enumerate(forms if self._is_plain else (), first):
                start = form.rfind(b"\n") + 1
                entry = decode_entry(form[start:])
                told = entry.cause
                told_part = part + 1 if told == cause else 0
                if form[_HASH:start] != fields_told(table, sequence, told_part, entry):
                    break
                actor, sender = told.actor.id, told.sender
                if (actor not in plain or sender not in plain) and not self._are_plain(actor, sender):
                    break
                cause, part = told, told_part
                entries.append(entry)
        return entries, Place(cause, part)

    def _are_plain(self, *names: str) -> bool:
        """Whether names can stand in fields; these come again and again."""
        if not all(map(is_plain, names)):
            return False
        if len(self._plain) > _NAMES_KEPT:
            self._plain.clear()
        self._plain.update(names)
        return True


def told_by_payloads(forms: Sequence[bytes]) -> list[Entry]:
    """The entries of records that are known to tell all by their payloads, as far as these can be read."""
    entries: list[Entry] = []
    with contextlib.suppress(*UNREADABLE):
        entries.extend(decode_entry(form[form.rfind(b"\n") + 1 :]) for form in forms)
    return entries

"""Whether a journal's file is still the one that was written to, and still holds what was written."""

import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from croupier.journal.known import KnownChains
from croupier.journal.record import EMPTY, Head
from croupier.journal.segment import stretch_of

Heads = dict[str, Head]

_TRIES: Final = 10
_PAUSE_SECONDS: Final = 1.0
"""Before a file is looked at again into which a log may just be folded."""

_UNREADABLE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SEGMENT: Final = (
    "SELECT first, sizes, content, hash FROM segments WHERE table_id = ? AND first <= ?"
    " ORDER BY first DESC LIMIT 1"
)


def files_at(path: str) -> tuple[tuple[int, int] | None, ...]:
    """By device and number, the journal's file at a path and the log beside it; nothing for one in memory."""
    if path in ("", ":memory:"):
        return ()
    found: list[tuple[int, int] | None] = []
    for suffix in ("", "-wal"):
        try:
            status = Path(f"{Path(path).resolve()}{suffix}").stat()
        except (OSError, RuntimeError):  # a link that leads to itself is a RuntimeError
            found.append(None)
        else:
            found.append((status.st_dev, status.st_ino))
    return tuple(found)


class Content:
    """What a journal's file is known to hold: a file that is overwritten keeps its name and its number.

    Chains only grow, so a file that has less of one than it had, or another one, is not what was written to.
    Others may write to it as well: what they have added is learned when it is looked at.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._chains = KnownChains()
        self._folded: Heads = {}
        """How far each was in the file without its log, which hides for a while what became of the file."""
        self._is_lost = False
        """Nothing that comes later puts it right: pages that are written from memory may look as if."""

    def wrote(self, table: str, before: Head, after: Head) -> None:
        """Keeps in mind what was written."""
        self._chains.wrote(table, before, after)

    def is_there(self) -> bool:
        """Whether all of it is in the file; raises `sqlite3.Error` where that cannot be found out."""
        if not self._is_lost:
            self._is_lost = not (self._is_readable() and self._is_folded())
        return not self._is_lost

    def _is_readable(self) -> bool:
        """Whether the chains that others would read, with the log, go on behind what is known of them."""
        known = self._chains.heads()
        try:
            with closing(self._open()) as connection:
                connection.execute("BEGIN")
                found = _heads(connection)
                return not self._chains.found(known, found, partial(_hash_at, connection))
        except sqlite3.DatabaseError as error:
            if not _is_damage(error) and not _is_empty(error):
                raise
            return False

    def _is_folded(self) -> bool:
        """Whether the file without its log has as much as it had.

        Pages that are folded into it at this moment may be half there: heads are missing then, or cannot be
        read, and it is looked at again. Where all are there and have less, twice is enough: the next fold
        would hide it.
        """
        before: Heads | None = None
        for _ in range(_TRIES):
            found = self._without_log()
            if found is not None:
                if all(_goes_on(found.get(table, EMPTY), head) for table, head in self._folded.items()):
                    self._folded = found
                    return True
                if found == before and found.keys() >= self._folded.keys():
                    return False
            before = found
            time.sleep(_PAUSE_SECONDS)
        return False

    def _without_log(self) -> Heads | None:
        """The heads as they are in the file alone; None where they cannot be read."""
        try:
            with closing(self._open("&immutable=1")) as connection:
                return _heads(connection)
        except sqlite3.DatabaseError as error:
            if _is_empty(error):
                return {}
            if not _is_damage(error):
                raise
            return None

    def _open(self, how: str = "") -> sqlite3.Connection:
        # By SQLite only: a file that this process opens and closes itself would lose its locks.
        address = f"{Path(self._path).resolve().as_uri()}?mode=ro{how}"
        return sqlite3.connect(address, uri=True, isolation_level=None)


def _goes_on(now: Head, before: Head) -> bool:
    return now.sequence > before.sequence or now == before


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    # A text that is none has no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _UNREADABLE


def _is_empty(error: sqlite3.DatabaseError) -> bool:
    """Whether there is no table of heads; in the file alone because it is still in the log."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR


def _heads(connection: sqlite3.Connection) -> Heads:
    rows = connection.execute("SELECT table_id, sequence, hash FROM heads").fetchall()
    found = {row[0]: Head(row[1], row[2]) for row in rows}
    if len(found) < len(rows):
        raise sqlite3.DatabaseError("a chain has two ends")  # on a page of before and on one of now
    return found


def _hash_at(connection: sqlite3.Connection, table: str, sequence: int) -> bytes | None:
    """The hash of a record; None where there is none."""
    row = connection.execute(_SEGMENT, (table, sequence)).fetchone()
    if row is None:
        return None
    return next((own for number, _, own in stretch_of(*row).numbered() if number == sequence), None)

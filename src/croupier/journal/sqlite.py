"""Journals in one SQLite file: the default, with nothing to install or to run."""

import contextlib
import os
import sqlite3
import threading
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from croupier.journal.faults import armed, point
from croupier.journal.places import PRIVATE, need_journal_file
from croupier.journal.record import EMPTY, Draft, Head, Record, Run, Stretch, canonical
from croupier.journal.segment import pack, record_of, stretch_of
from croupier.journal.sqlite_place import Content, files_at
from croupier.journal.sqlite_schema import MADE, MIGRATIONS, SEGMENT, Progress, number_key, schema_faults
from croupier.journal.store import (
    ClaimTaken,
    Fenced,
    NewerSchema,
    NumberUsed,
    Snapshot,
    Span,
    StoreError,
    span,
)

T = TypeVar("T")

APPLICATION_ID: Final = int.from_bytes(b"crou")
"""What marks a SQLite file as a journal, in the place that the format has for it."""

_PATIENCE_SECONDS: Final = 5.0
"""How long to wait for another process that is writing to the file."""

_PAGE_BYTES: Final = 8_192
"""Large enough for a settlement of a dozen bets: a record above a quarter of it takes a page of its own."""
_CACHE_KIBIBYTES: Final = 32_768
"""Room for the pages of a large round: without it they would be written twice."""
_PAGES_TO_FOLD: Final = 1_000
"""From about how many pages in the log on they are put into their places, once nobody writes."""
_PAGES_WHEN_BUSY: Final = 16_000
"""At about how many that is done beside the writing."""
_PAGES_AT_MOST: Final = 32_000
"""At how many pages in the log the writer itself puts them into their places."""
_QUIET_SECONDS: Final = 0.05
"""Whoever has not written for so long is held up by nothing."""

_ROW: Final = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
_APPEND: Final = f"INSERT INTO appending VALUES {_ROW}"
_ENCODE: Final = msgspec.json.Encoder().encode
_SEGMENTS: Final = (
    "SELECT first, sizes, content, hash FROM segments WHERE table_id = ? AND first >= ? AND first <= ?"
    " ORDER BY first LIMIT ?"
)
_BEGINNING: Final = "SELECT max(first) FROM segments WHERE table_id = ? AND first <= ?"


class SqliteStore:
    """Journals in a file. One connection writes; what returned from `append` is on the disk."""

    def __init__(
        self, path: Path | str, *, must_exist: bool = False, progress: Progress | None = None
    ) -> None:
        """`progress` is told how far a file of an older schema is on its way to this one."""
        self._path = str(path)
        self._lock = threading.Lock()
        self._pages = 0
        """About how many pages the log has grown by since it was last folded."""
        self._wrote_at = 0.0
        self._folding: threading.Thread | None = None
        try:
            self._connection = _connect(self._path, must_exist, progress or _in_silence)
        except sqlite3.Error as error:
            raise StoreError(f"The journal {self._path!r} cannot be opened: {error}.") from error
        self._opened = files_at(self._path)
        self._content = Content(self._path)
        self._looking = threading.Lock()

    def is_in_place(self) -> bool:
        """Whether the journal's name still leads to the file, and to its log, that are written to."""
        return files_at(self._path) == self._opened

    def holds_what_was_written(self) -> bool:
        """Whether the file has every chain as far as it was written or found: nobody has overwritten it."""
        with self._looking:
            try:
                return self._content.is_there()
            except sqlite3.Error as error:
                raise StoreError(f"The journal {self._path!r} cannot be looked at: {error}.") from error

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        """Writes records and claims in one transaction, synced to the disk before it returns."""
        whole = span(records, claims)

        def write(connection: sqlite3.Connection) -> None:
            rows = [*chain.from_iterable(_segments(whole, records, claims))]
            statement = _APPEND + f", {_ROW}" * (len(rows) // 9 - 1)
            point("append-begun")
            if armed:
                connection.create_function("hex", 1, point)
            try:
                # One statement, and a transaction of its own: while SQLite works it needs nothing of Python.
                connection.execute(statement, rows)
            except sqlite3.IntegrityError as error:
                raise _refusal(connection, whole.table, claims, str(error)) from error
            point("append-committed")

        self._use(write)
        self._content.wrote(*whole)
        self._pages += 4 + len(records) // 8
        self._wrote_at = time.monotonic()
        if self._pages >= _PAGES_WHEN_BUSY:
            self._fold()

    def _fold(self) -> None:
        """Has the log put into its places by a thread of its own.

        It shares the disk with whoever writes, so that this waits for a quiet moment where it can.
        """
        if self._folding is not None and self._folding.is_alive():
            return
        self._pages = 0
        self._folding = threading.Thread(target=_fold, args=(self._path,), name="journal-folding")
        self._folding.start()

    def head(self, table: str) -> Head:
        """Where the table's chain ends."""
        row = self._one("SELECT sequence, hash FROM heads WHERE table_id = ?", table)
        if row is None:
            return EMPTY
        sequence, own = row
        if not isinstance(sequence, int) or not isinstance(own, bytes):
            raise StoreError(f"The journal {self._path!r} is damaged: its head of {table} is none.")
        return Head(sequence, own)

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        """The table's records behind a sequence number, in portions that never hold a writer up."""
        try:
            for stretch in self.stretches(table, after):
                for sequence, form, own in stretch.numbered():
                    yield record_of(table, sequence, form, own)
        except ValueError as error:
            raise StoreError(f"The journal {self._path!r} is damaged: {error}.") from error

    def stretches(self, table: str, after: int = 0) -> Iterator[Stretch]:
        """The same as they were hashed."""
        last = self.head(table).sequence
        (beginning,) = self._one(_BEGINNING, table, after + 1)
        first = beginning or after + 1
        for size in chain((2,), repeat(32)):
            rows = self._all(_SEGMENTS, table, first, last, size)
            for row in rows:
                stretch = stretch_of(*row)
                # Only at the ends there may be some that are not asked for.
                yield stretch if after < row[0] <= last - SEGMENT else stretch.cut(after, last)
            if len(rows) < size:
                return
            first = rows[-1][0] + 1

    def tables(self) -> list[str]:
        """Every table that has records, by name."""
        return [row[0] for row in self._all("SELECT table_id FROM heads ORDER BY table_id")]

    def claimant(self, key: str) -> tuple[str, int] | None:
        """Which record holds a claim."""
        row = self._one("SELECT table_id, sequence FROM claims WHERE key = ?", key)
        return None if row is None else (row[0], row[1])

    def claims(self, prefix: str) -> list[str]:
        """Every claim that begins with a text, in order."""
        query = "SELECT key FROM claims WHERE key >= ? AND substr(key, 1, ?) = ? ORDER BY key"
        return [row[0] for row in self._all(query, prefix, len(prefix), prefix)]

    def first_of(self, table: str, sender: str, number: int) -> Record | None:
        """The first record that a sender's number led to."""
        key = f"{table}\n{number_key(sender, number, 0)}"
        row = self._one("SELECT sequence FROM sent WHERE key = ?", key)
        return None if row is None else next(self.read(table, row[0] - 1), None)

    def save_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Keeps a snapshot in place of an older one."""
        query = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)"
        self._use(lambda connection: connection.execute(query, (table, *snapshot)))
        self._pages += 2 + len(snapshot.content) // _PAGE_BYTES

    def snapshot(self, table: str) -> Snapshot | None:
        """The kept snapshot."""
        row = self._one("SELECT sequence, hash, format, content FROM snapshots WHERE table_id = ?", table)
        return None if row is None else Snapshot(*row)

    def beat(self, table: str, at_ms: int) -> None:
        """Notes that the table's writer is alive."""
        self._use(
            lambda connection: connection.execute(
                "INSERT OR REPLACE INTO beats VALUES (?, ?)", (table, at_ms)
            )
        )
        self._pages += 1
        if self._pages >= _PAGES_TO_FOLD and time.monotonic() - self._wrote_at > _QUIET_SECONDS:
            self._fold()

    def last_beat(self, table: str) -> int | None:
        """When the table's writer was last noted to be alive."""
        row = self._one("SELECT at_ms FROM beats WHERE table_id = ?", table)
        return None if row is None else int(row[0])

    def close(self) -> None:
        """Lets go of the file."""
        if self._folding is not None:
            self._folding.join()
        with self._looking, self._lock:  # whoever closes last folds the log, and one that only looks cannot
            self._connection.close()

    def _one(self, query: str, *values: object) -> Any:
        return self._use(lambda connection: connection.execute(query, values).fetchone())

    def _all(self, query: str, *values: object) -> list[Any]:
        return self._use(lambda connection: connection.execute(query, values).fetchall())

    def _use(self, act: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock:
            try:
                return act(self._connection)
            except (sqlite3.Error, OverflowError) as error:
                raise StoreError(f"The journal {self._path!r} did not do as asked: {error}.") from error


def _fold(path: str) -> None:
    """Copies what the log holds into the file, without holding a writer up.

    Where it cannot, nothing is lost: the writer does it later.
    """
    with contextlib.suppress(sqlite3.Error):
        address = f"{Path(path).resolve().as_uri()}?mode=rw"  # a file that is gone is not made anew
        connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=0)
        try:
            connection.execute("PRAGMA fullfsync = ON")
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        finally:
            connection.close()


def _segments(
    whole: Span, records: Sequence[Record], claims: Sequence[tuple[str, int]]
) -> Iterator[tuple[object, ...]]:
    """What is put into `appending`, a row for each segment; the claims are made with the first."""
    forms, hashes, asked = _parts(records)
    claimed = _ENCODE(claims).decode() if claims else None
    before = whole.before
    for start in range(0, len(forms), SEGMENT):
        end = min(start + SEGMENT, len(forms))
        sent = [f"{one.number}\n{one.sender}\n{one.part}" for one in asked[start:end]]  # by `number_key`
        array("q", [one.number for one in asked[start:end]])  # what a column of PostgreSQL holds, or an error
        after = Head(whole.before.sequence + end, hashes[end - 1])
        yield (
            whole.table,
            *before,
            *after,
            *pack(forms[start:end]),
            _ENCODE(sent).decode(),
            None if start else claimed,
        )
        before = after


def _parts(records: Sequence[Record]) -> tuple[Sequence[bytes], Sequence[bytes], Sequence[Draft | Record]]:
    """The forms and hashes of records, and what knows by which number each was asked for."""
    if isinstance(records, Run):
        return records.forms, records.hashes, records.drafts
    return [canonical(record) for record in records], [record.hash for record in records], records


def _refusal(
    connection: sqlite3.Connection, table: str, claims: Sequence[tuple[str, int]], reason: str
) -> StoreError:
    """Why nothing was written, by what the database says of it."""
    if "sent." in reason:
        return NumberUsed(f"Table {table} has a record of the same sender, number and part.")
    if "claims." not in reason:
        return Fenced(f"Another writer has written to table {table}.")
    seen: set[str] = set()
    for key, _ in claims:
        held = connection.execute("SELECT 1 FROM claims WHERE key = ?", (key,)).fetchone()
        if held or key in seen:
            return ClaimTaken(key)
        seen.add(key)
    return StoreError(reason)


def _in_silence(done: int, total: int) -> None:
    """Tells nobody how far a file is on its way to this schema."""


def _connect(path: str, must_exist: bool, progress: Progress) -> sqlite3.Connection:
    """Opens a journal so that commits last; looks before it writes, so that another's file stays as it is."""
    if must_exist:
        need_journal_file(path)
    elif path != ":memory:":  # SQLite's name for no file; it is refused below
        with contextlib.suppress(OSError):  # it is there, or SQLite says why it cannot be
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, timeout=_PATIENCE_SECONDS
    )
    try:
        version = _look(connection, path)
        if must_exist and version == 0:
            raise StoreError(f"The file {path!r} holds no journal.")
        if version == 0:
            connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        _make_durable(connection, path)
        if version < len(MIGRATIONS):
            _migrate(connection, path, progress)
    except BaseException:
        connection.close()
        raise
    return connection


def _look(connection: sqlite3.Connection, path: str) -> int:
    """The version of a file that is as croupier makes it; another one is refused."""
    connection.execute("BEGIN")  # version and schema of one moment
    try:
        version = _version(connection, path)
        faults = schema_faults(connection.execute(MADE), version)
    finally:
        connection.rollback()
    if faults:
        raise StoreError(
            f"The journal {path!r} is not as croupier makes it, and nothing is written to it: "
            f"{', '.join(faults)}. Find out who changed it; 'croupier restore' makes one from a backup."
        )
    return version


def _version(connection: sqlite3.Connection, path: str) -> int:
    """How many steps the file's schema has gone through; 0 for an empty file."""
    # In one statement, because another process may be bringing the schema forward at this moment.
    version, application, entries = connection.execute(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master)"
        " FROM pragma_user_version, pragma_application_id"
    ).fetchone()
    if application != APPLICATION_ID and (version, application, entries) != (0, 0, 0):
        raise StoreError(f"The file {path!r} is a database of something else, not a journal.")
    if version > len(MIGRATIONS):
        raise NewerSchema(
            f"The journal {path!r} was written by a newer croupier: its schema is version {version}, "
            f"and this one knows {len(MIGRATIONS)}. Install a newer croupier."
        )
    return int(version)


def _make_durable(connection: sqlite3.Connection, path: str) -> None:
    """Has every commit wait for the disk: the log is synced with each, on a Mac down to the platter."""
    mode = _write_ahead(connection)
    if mode != "wal":
        raise StoreError(f"The journal {path!r} cannot be kept durably: SQLite logs in mode {mode!r} there.")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES_AT_MOST}")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")


def _write_ahead(connection: sqlite3.Connection) -> str:
    """Turns the log on; SQLite does not wait here where two open a new file at once, so it is asked again."""
    give_up = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            return str(connection.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(0.01)


def _migrate(connection: sqlite3.Connection, path: str, progress: Progress) -> None:
    """Brings the schema forward; two processes that start at once do it once."""
    connection.execute("BEGIN IMMEDIATE")
    for step in MIGRATIONS[_version(connection, path) :]:
        try:
            step(connection, progress)
        except (TypeError, ValueError) as error:
            connection.rollback()
            sentence = (
                f"The journal {path!r} is of an older schema and damaged, so it stays as it is: {error}."
            )
            raise StoreError(sentence) from error
        except BaseException:
            # Closing would leave that to whoever lets go of the last cursor, with the file locked meanwhile.
            connection.rollback()
            raise
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    connection.execute("COMMIT")

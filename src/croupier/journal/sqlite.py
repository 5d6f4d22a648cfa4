"""Journals in one SQLite file: the default, with nothing to install or to run."""

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar

from croupier.journal.faults import point
from croupier.journal.record import EMPTY, Head, Record, as_records
from croupier.journal.store import (
    COLUMNS,
    ClaimTaken,
    Fenced,
    NewerSchema,
    NumberUsed,
    Snapshot,
    Span,
    StoreError,
    portions,
    span,
)

T = TypeVar("T")

MIGRATIONS: Final = (
    """
    CREATE TABLE records (
        table_id TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        actor TEXT NOT NULL,
        sender TEXT NOT NULL,
        number INTEGER NOT NULL,
        part INTEGER NOT NULL,
        kind TEXT NOT NULL,
        version INTEGER NOT NULL,
        payload BLOB NOT NULL,
        previous BLOB NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (table_id, sequence)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX records_by_sender ON records (table_id, number, sender, part);
    CREATE TABLE heads (
        table_id TEXT PRIMARY KEY,
        sequence INTEGER NOT NULL,
        hash BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE claims (
        key TEXT PRIMARY KEY,
        table_id TEXT NOT NULL,
        sequence INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE snapshots (
        table_id TEXT PRIMARY KEY,
        sequence INTEGER NOT NULL,
        hash BLOB NOT NULL,
        format TEXT NOT NULL,
        content BLOB NOT NULL
    );
    CREATE TABLE beats (table_id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL);
    """,
)
"""The schema, one step for each version; a file remembers how many it has gone through."""

APPLICATION_ID: Final = int.from_bytes(b"crou")
"""What marks a SQLite file as a journal, in the place that the format has for it."""

_PATIENCE_SECONDS: Final = 5.0
"""How long to wait for another process that is writing to the file."""

_PAGE_BYTES: Final = 8_192
"""Large enough for a settlement of a dozen bets: a record above a quarter of it takes a page of its own."""
_CACHE_KIBIBYTES: Final = 32_768
"""Room for the pages of a large round: without it they would be written twice."""
_PAGES_TO_FOLD: Final = 1_000
"""At about how many pages in the log they are put into their places beside the writing."""
_PAGES_AT_MOST: Final = 4_000
"""At how many pages in the log the writer itself puts them into their places."""

_MARKS: Final = ", ".join("?" * len(Record._fields))
_ROWS_AT_ONCE: Final = (128, 32, 8, 1)
"""How many records one statement inserts: within it SQLite needs no Python, which others use meanwhile."""
_INSERTS: Final = [
    (rows, f"INSERT INTO records ({COLUMNS}) VALUES {', '.join([f'({_MARKS})'] * rows)}")
    for rows in _ROWS_AT_ONCE
]
_FIRST_HEAD: Final = "INSERT OR IGNORE INTO heads (sequence, hash, table_id) VALUES (?, ?, ?)"
_NEXT_HEAD: Final = "UPDATE heads SET sequence = ?, hash = ? WHERE table_id = ? AND (sequence, hash) = (?, ?)"
_PORTION: Final = (
    f"SELECT {COLUMNS} FROM records WHERE table_id = ? AND sequence > ? AND sequence <= ?"
    " ORDER BY sequence LIMIT ?"
)


class SqliteStore:
    """Journals in a file. One connection writes; what returned from `append` is on the disk."""

    def __init__(self, path: Path | str, *, must_exist: bool = False) -> None:
        self._path = str(path)
        self._lock = threading.Lock()
        self._pages = 0
        """About how many pages the log has grown by since it was last folded."""
        self._folding: threading.Thread | None = None
        try:
            self._connection = _connect(self._path, must_exist=must_exist)
        except sqlite3.Error as error:
            raise StoreError(f"The journal {self._path!r} cannot be opened: {error}.") from error

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        """Writes records and claims in one transaction, synced to the disk before it returns."""
        whole = span(records, claims)

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            try:
                point("append-begun")
                _move_head(connection, whole)
                point("append-headed")
                _claim(connection, whole.table, claims)
                if claims:
                    point("append-claimed")
                _insert(connection, whole.table, records)
                point("append-written")
                connection.execute("COMMIT")
                point("append-committed")
            except BaseException:
                # SQLite has rolled back by itself where the disk is full.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

        self._use(write)
        self._fold_now_and_then(len(records))

    def _fold_now_and_then(self, records: int) -> None:
        """Has the log put into its places by a thread of its own, so that no sender waits for that."""
        self._pages += 4 + records // 8
        if self._pages < _PAGES_TO_FOLD or (self._folding is not None and self._folding.is_alive()):
            return
        self._pages = 0
        self._folding = threading.Thread(target=_fold, args=(self._path,), name="journal-folding")
        self._folding.start()

    def head(self, table: str) -> Head:
        """Where the table's chain ends."""
        row = self._one("SELECT sequence, hash FROM heads WHERE table_id = ?", table)
        return EMPTY if row is None else Head(*row)

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        """The table's records behind a sequence number, in portions that never hold a writer up."""
        last = self.head(table).sequence
        for size in portions():
            rows = self._all(_PORTION, table, after, last, size)
            yield from as_records(rows)
            if len(rows) < size:
                return
            after = rows[-1][1]

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
        query = (
            f"SELECT {COLUMNS} FROM records WHERE table_id = ? AND sender = ? AND number = ?"
            " ORDER BY part LIMIT 1"
        )
        row = self._one(query, table, sender, number)
        return None if row is None else Record._make(row)

    def save_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Keeps a snapshot in place of an older one."""
        query = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)"
        self._use(lambda connection: connection.execute(query, (table, *snapshot)))

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

    def last_beat(self, table: str) -> int | None:
        """When the table's writer was last noted to be alive."""
        row = self._one("SELECT at_ms FROM beats WHERE table_id = ?", table)
        return None if row is None else int(row[0])

    def close(self) -> None:
        """Lets go of the file."""
        if self._folding is not None:
            self._folding.join()
        with self._lock:
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


def _move_head(connection: sqlite3.Connection, whole: Span) -> None:
    """Moves the table's head on, if it still is where the records begin."""
    if whole.before == EMPTY:
        moved = connection.execute(_FIRST_HEAD, (*whole.after, whole.table))
    else:
        moved = connection.execute(_NEXT_HEAD, (*whole.after, whole.table, *whole.before))
    if moved.rowcount != 1:
        raise Fenced(f"Another writer has written to table {whole.table}.")


def _claim(connection: sqlite3.Connection, table: str, claims: Sequence[tuple[str, int]]) -> None:
    for key, sequence in claims:
        try:
            connection.execute("INSERT INTO claims VALUES (?, ?, ?)", (key, table, sequence))
        except sqlite3.IntegrityError as error:
            raise ClaimTaken(key) from error


def _insert(connection: sqlite3.Connection, table: str, records: Sequence[Record]) -> None:
    done, most = 0, connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER) // len(Record._fields)
    try:
        for rows, insert in _INSERTS:
            while rows <= most and len(records) - done >= rows:
                connection.execute(insert, [*chain.from_iterable(records[done : done + rows])])
                done += rows
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
            raise Fenced(f"Another writer has written to table {table}.") from error
        raise NumberUsed(f"Table {table} has a record of the same sender, number and part.") from error


def _connect(path: str, *, must_exist: bool) -> sqlite3.Connection:
    """Opens a journal so that commits last; looks before it writes, so that another's file stays as it is."""
    if must_exist and not Path(path).is_file():
        raise StoreError(f"There is no journal {path!r}.")
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, timeout=_PATIENCE_SECONDS
    )
    try:
        version = _version(connection, path)
        if must_exist and version == 0:
            raise StoreError(f"The file {path!r} holds no journal.")
        if version == 0:
            connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        _make_durable(connection, path)
        if version < len(MIGRATIONS):
            _migrate(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


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


def _migrate(connection: sqlite3.Connection, path: str) -> None:
    """Brings the schema forward; two processes that start at once do it once."""
    connection.execute("BEGIN IMMEDIATE")
    for step in MIGRATIONS[_version(connection, path) :]:
        for statement in filter(str.strip, step.split(";")):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    connection.execute("COMMIT")

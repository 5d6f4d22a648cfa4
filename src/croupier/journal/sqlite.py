"""Journals in one SQLite file: the default, with nothing to install or to run."""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from croupier.journal.record import EMPTY, Head, Record
from croupier.journal.store import ClaimTaken, Fenced, NewerSchema, Snapshot, StoreError

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
    CREATE UNIQUE INDEX records_by_sender ON records (table_id, sender, number, part);
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

_INSERT: Final = "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_HEAD: Final = "INSERT OR REPLACE INTO heads VALUES (?, ?, ?)"
_READ_AT_ONCE: Final = 5_000


class SqliteStore:
    """Journals in a file. One connection writes; what returned from `append` is on the disk."""

    def __init__(self, path: Path | str) -> None:
        self._path = str(path)
        self._lock = threading.Lock()
        try:
            self._connection = _connect(self._path)
            _migrate(self._connection)
        except sqlite3.Error as error:
            raise StoreError(f"The journal {self._path!r} cannot be opened: {error}.") from error

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        """Writes records and claims in one transaction, synced to the disk before it returns."""
        if not records:
            raise ValueError("nothing to append")
        table = records[0].table

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            try:
                for key, sequence in claims:
                    try:
                        connection.execute("INSERT INTO claims VALUES (?, ?, ?)", (key, table, sequence))
                    except sqlite3.IntegrityError as error:
                        raise ClaimTaken(key) from error
                try:
                    connection.executemany(_INSERT, records)
                    last = records[-1]
                    connection.execute(_HEAD, (table, last.sequence, last.hash))
                except sqlite3.IntegrityError as error:
                    raise Fenced(f"Another writer has written to table {table}.") from error
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

        self._use(write)

    def head(self, table: str) -> Head:
        """Where the table's chain ends."""
        row = self._one("SELECT sequence, hash FROM heads WHERE table_id = ?", table)
        return EMPTY if row is None else Head(*row)

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        """The table's records behind a sequence number, in portions that never hold a writer up."""
        last = self.head(table).sequence
        query = (
            "SELECT * FROM records WHERE table_id = ? AND sequence > ? AND sequence <= ?"
            f" ORDER BY sequence LIMIT {_READ_AT_ONCE}"
        )
        while after < last:
            rows = self._all(query, table, after, last)
            if not rows:
                return
            yield from map(Record._make, rows)
            after = rows[-1][1]

    def tables(self) -> list[str]:
        """Every table that has records, by name."""
        query = "SELECT table_id FROM heads ORDER BY table_id"
        return [row[0] for row in self._all(query)]

    def claimant(self, key: str) -> tuple[str, int] | None:
        """Which record holds a claim."""
        row = self._one("SELECT table_id, sequence FROM claims WHERE key = ?", key)
        return None if row is None else (row[0], row[1])

    def first_of(self, table: str, sender: str, number: int) -> Record | None:
        """The first record that a sender's number led to."""
        query = "SELECT * FROM records WHERE table_id = ? AND sender = ? AND number = ? ORDER BY part LIMIT 1"
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
            except sqlite3.Error as error:
                raise StoreError(f"The journal {self._path!r} did not do as asked: {error}.") from error


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    """Brings the schema forward; two processes that start at once do it once."""
    connection.execute("BEGIN IMMEDIATE")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        connection.execute("ROLLBACK")
        raise NewerSchema(
            f"The journal was written by a newer croupier: its schema is version {version}, "
            f"and this one knows {len(MIGRATIONS)}. Install a newer croupier."
        )
    for step in MIGRATIONS[version:]:
        for statement in filter(str.strip, step.split(";")):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    connection.execute("COMMIT")

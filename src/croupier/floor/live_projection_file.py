"""The file of a live projection: a by-product that is made anew whenever it does not fit."""

import sqlite3
from pathlib import Path
from typing import Final

from croupier.floor import live_projection_vouchers

FORMAT: Final = 3
"""The shape of the file; one of another shape is thrown away and built again."""

_APPLICATION: Final = int.from_bytes(b"crop")

_SCHEMA: Final = """
    CREATE TABLE sources (
        table_id TEXT PRIMARY KEY,
        sequence INTEGER NOT NULL,
        hash BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE rounds (
        table_id TEXT NOT NULL,
        round INTEGER NOT NULL,
        opened_ms INTEGER NOT NULL,
        ended_ms INTEGER,
        state TEXT NOT NULL,
        result TEXT,
        PRIMARY KEY (table_id, round)
    ) WITHOUT ROWID;
    CREATE TABLE spans (
        table_id TEXT NOT NULL,
        round INTEGER NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER,
        PRIMARY KEY (table_id, round, first)
    ) WITHOUT ROWID;
    CREATE TABLE checkpoints (
        table_id TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        credits BLOB NOT NULL,
        PRIMARY KEY (table_id, sequence)
    );
    CREATE TABLE events (
        time_ms INTEGER NOT NULL,
        table_id TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        event TEXT NOT NULL,
        round INTEGER,
        seat TEXT,
        actor TEXT NOT NULL,
        position TEXT NOT NULL,
        second TEXT,
        clause TEXT,
        what TEXT NOT NULL,
        PRIMARY KEY (time_ms, table_id, sequence)
    ) WITHOUT ROWID;
    CREATE INDEX events_by_table ON events (table_id, time_ms, sequence);
    CREATE INDEX events_by_code ON events (event, time_ms, table_id, sequence);
"""
TABLES: Final = ("sources", "rounds", "spans", "checkpoints", "events", *live_projection_vouchers.TABLES)


def open_file(path: Path | str) -> sqlite3.Connection:
    """The file's connection; a file of another shape, or one that cannot be read, is replaced.

    Nothing in it has to survive a power cut: what is missing is read from the journal again.
    """
    try:
        return _open(path)
    except _DoesNotFit:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        return _open(path)


class _DoesNotFit(Exception):
    """The file is ours and of another shape, or damaged."""


def _open(path: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        application, version, entries = connection.execute(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
            " FROM pragma_application_id, pragma_user_version"
        ).fetchone()
        if entries and application != _APPLICATION:
            raise FileExistsError(f"The file {str(path)!r} holds something else.")
        if entries and version != FORMAT:
            raise _DoesNotFit
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if not entries:
            marks = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {FORMAT};"
            connection.executescript(f"BEGIN; {_SCHEMA} {live_projection_vouchers.SCHEMA} {marks} COMMIT;")
    except sqlite3.DatabaseError as error:
        connection.close()
        if error.sqlite_errorcode not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise
        raise _DoesNotFit from error
    except BaseException:
        connection.close()
        raise
    return connection

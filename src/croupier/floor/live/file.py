"""The file of a live projection: a by-product that is made anew whenever it does not fit."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from croupier.floor.live import visits, vouchers
from croupier.floor.live.seal import SOURCES
from croupier.journal import StoreError

LOG: Final = logging.getLogger("croupier.floor")

FORMAT: Final = 9
"""The shape of the file; one of another shape is thrown away and built again.

It is another one too where the same records give rows with other content: the sentences are among them.
"""

_APPLICATION: Final = int.from_bytes(b"crop")

_SCHEMA: Final = """
    CREATE TABLE sources (
        table_id TEXT PRIMARY KEY,
        sequence INTEGER NOT NULL,
        hash BLOB NOT NULL,
        seal BLOB NOT NULL
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
_BESIDE: Final = (visits, vouchers)
TABLES: Final = (
    *(SOURCES, "rounds", "spans", "checkpoints", "events"),
    *(name for beside in _BESIDE for name in beside.TABLES),
)

_MADE: Final = " ".join((_SCHEMA, *(beside.SCHEMA for beside in _BESIDE)))


def open_file(path: Path | str) -> sqlite3.Connection:
    """The file's connection; a file of another shape, or one that cannot be read, is replaced.

    Nothing in it has to survive a power cut: what is missing is read from the journal again.
    """
    try:
        return _open(path)
    except _DoesNotFit:
        return replace_file(path)


def replace_file(path: Path | str) -> sqlite3.Connection:
    """A new file in the place of one that cannot be used."""
    LOG.warning("the projection %s does not fit: it is built again from the journal", path)
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    return _open(path)


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the database cannot read its file, or has a text in it that is none."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return isinstance(error, sqlite3.OperationalError)
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _cannot_be_opened(path: Path | str, error: sqlite3.Error) -> StoreError:
    return StoreError(f"The projection {str(path)!r} cannot be opened: {error}.")


class _DoesNotFit(Exception):
    """The file is ours and of another shape, or damaged."""


def _open(path: Path | str) -> sqlite3.Connection:
    try:
        if path != ":memory:":
            # It holds whole numbers of vouchers; what SQLite keeps beside it gets the same mode.
            Path(path).touch(0o600)
            Path(path).chmod(0o600)
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except OSError as error:
        raise StoreError(f"The projection {str(path)!r} cannot be opened: {error.strerror}.") from error
    except sqlite3.Error as error:
        raise _cannot_be_opened(path, error) from error
    try:
        application, version, entries = connection.execute(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
            " FROM pragma_application_id, pragma_user_version"
        ).fetchone()
        if entries and application != _APPLICATION:
            raise StoreError(f"The file {str(path)!r} is no projection of a journal; move it away.")
        if entries and (version != FORMAT or _entries(connection) != _entries_made()):
            raise _DoesNotFit
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if not entries:
            marks = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {FORMAT};"
            connection.executescript(f"BEGIN; {_MADE} {marks} COMMIT;")
    except sqlite3.DatabaseError as error:
        connection.close()
        if not is_damage(error):
            raise _cannot_be_opened(path, error) from error
        raise _DoesNotFit from error
    except BaseException:
        connection.close()
        raise
    return connection


def _entries(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    """Everything that the database has beside rows: a trigger that somebody added could hide what comes."""
    return {*connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")}


def _entries_made() -> set[tuple[str, ...]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(_MADE)
        return _entries(connection)

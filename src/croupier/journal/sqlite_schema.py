"""The tables of a journal in SQLite, and how older ones become these."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from functools import cache
from typing import Any, Final

from croupier.journal.record import Record, canonical
from croupier.journal.schema_parts import Part, differences
from croupier.journal.segment import pack

SEGMENT: Final = 1_000
"""At most so many records lie together."""

Progress = Callable[[int, int], None]
"""What is told how many records are in their new form, and of how many."""

FIRST: Final = """
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
    """
"""A row for each record."""

SECOND: Final = """
    CREATE TABLE segments (
        table_id TEXT NOT NULL,
        first INTEGER NOT NULL,
        sizes BLOB NOT NULL,
        content BLOB NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (table_id, first)
    ) WITHOUT ROWID;
    CREATE TABLE sent (
        key TEXT PRIMARY KEY,
        sequence INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE VIEW appending AS
        SELECT '' AS table_id, 0 AS before, x'' AS previous, 0 AS last, x'' AS hash,
            x'' AS sizes, x'' AS content, '' AS sent, '' AS claims;
    CREATE TRIGGER append INSTEAD OF INSERT ON appending BEGIN
        SELECT RAISE(ABORT, 'fenced') WHERE
            coalesce((SELECT sequence FROM heads WHERE table_id = NEW.table_id), 0) <> NEW.before
            OR coalesce((SELECT hash FROM heads WHERE table_id = NEW.table_id), zeroblob(32)) <> NEW.previous;
        INSERT OR REPLACE INTO heads VALUES (NEW.table_id, NEW.last, NEW.hash);
        SELECT hex('append-headed');
        INSERT INTO claims SELECT json_extract(value, '$[0]'), NEW.table_id, json_extract(value, '$[1]')
            FROM json_each(NEW.claims);
        SELECT hex('append-claimed') WHERE NEW.claims IS NOT NULL;
        INSERT INTO segments VALUES (NEW.table_id, NEW.before + 1, NEW.sizes, NEW.content, NEW.hash);
        INSERT INTO sent SELECT NEW.table_id || char(10) || value, NEW.before + 1 + key
            FROM json_each(NEW.sent);
        SELECT hex('append-written');
    END;
    """
"""Records that were written together lie together; one statement into `appending` does all of an append."""


def number_key(sender: str, number: int, part: int) -> str:
    """What stands for a sender's number beside its table: senders of one evening count up side by side."""
    return f"{number}\n{sender}\n{part}"


def run(connection: sqlite3.Connection, script: str) -> None:
    """Carries out the statements of a script, within the transaction that is open."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


def first(connection: sqlite3.Connection, progress: Progress) -> None:
    """Makes the tables of the first version."""
    run(connection, FIRST)


def second(connection: sqlite3.Connection, progress: Progress) -> None:
    """From a row for each record to segments; tells how far it is, and nothing where there is nothing to do.

    When all is told, the old rows still have to be taken away and everything has to get to the disk.
    """
    run(connection, SECOND)
    # The heads say at once how many there are; counting them would be a walk over all rows.
    (total,) = connection.execute("SELECT CAST(total(sequence) AS INTEGER) FROM heads").fetchone()
    done = 0
    columns = ", ".join(name if name != "table" else "table_id" for name in Record._fields)
    rows = connection.execute(f"SELECT {columns} FROM records ORDER BY table_id, sequence")
    together: list[Record] = []
    for record in map(Record._make, rows):
        if together and (len(together) == SEGMENT or not _follows(together[-1], record)):
            progress(done, max(total, done + 1))
            _keep(connection, together)
            done += len(together)
            together = []
        together.append(record)
    if together:
        _keep(connection, together)
        done += len(together)
        progress(done, done)
    connection.execute("DROP TABLE records")


def _follows(one: Record, next_one: Record) -> bool:
    return (next_one.table, next_one.sequence, next_one.previous) == (one.table, one.sequence + 1, one.hash)


def _keep(connection: sqlite3.Connection, records: list[Record]) -> None:
    table, beginning, end = records[0].table, records[0].sequence, records[-1].hash
    segment = (table, beginning, *pack([canonical(record) for record in records]), end)
    connection.execute("INSERT INTO segments VALUES (?, ?, ?, ?, ?)", segment)
    connection.executemany("INSERT INTO sent VALUES (?, ?)", _numbers(records))


def _numbers(records: Iterable[Record]) -> Iterable[tuple[str, int]]:
    for record in records:
        key = number_key(record.sender, record.number, record.part)
        yield f"{record.table}\n{key}", record.sequence


MIGRATIONS: Final = (first, second)
"""One step for each version of the schema; a file remembers how many it has gone through."""

MADE: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master"
"""Asks a file what it consists of."""

_BY_SENDER: Final = ("index", "records_by_sender")
_OLD_BY_SENDER: Final = (
    "records: CREATE UNIQUE INDEX records_by_sender ON records (table_id, sender, number, part)"
)
"""How the first version had that index for a while: the same key in another order."""


def schema_faults(rows: Iterable[tuple[Any, ...]], version: int) -> list[str]:
    """What of a file of some version is not as it was made, by what `MADE` gives: each as half a sentence.

    Whoever takes a key or a trigger away can put in what no key would have taken, and what is written behind
    a trigger that was replaced goes wherever that one says.
    """
    made, found = _made(version), _parts(rows)
    if found.get(_BY_SENDER) == _OLD_BY_SENDER and _BY_SENDER in made:
        found[_BY_SENDER] = made[_BY_SENDER]
    return differences(made, found)


@cache
def _made(version: int) -> Mapping[Part, str]:
    """What a file of some version consists of."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for step in MIGRATIONS[:version]:
            step(connection, lambda done, total: None)
        return _parts(connection.execute(MADE))


def _parts(rows: Iterable[tuple[Any, ...]]) -> dict[Part, str]:
    """Tables, indexes, views and triggers with the statements that made them, whatever their spaces.

    Indexes without a statement follow from their table's, and what SQLite notes about how full tables are
    changes nothing.
    """
    return {
        (str(kind), str(name)): f"{table}: {' '.join(str(statement).split())}"
        for kind, name, table, statement in rows
        if statement is not None and not str(name).startswith("sqlite_stat")
    }

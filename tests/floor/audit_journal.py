"""Journals for audits: written from play, held in memory, and forged as an attacker would."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from croupier.floor.codec import drafts_of
from croupier.floor.verify.evidence import ClaimRow
from croupier.floor.verify.journal import Misfit, verify_journal
from croupier.journal import EMPTY, Draft, Head, Record, Snapshot, Store, link
from croupier.journal.segment import pack, unpack_anyhow
from croupier.journal.sqlite import APPLICATION_ID, SqliteStore
from croupier.journal.sqlite_schema import FIRST, run
from croupier.journal.store import COLUMNS
from croupier.table import Entry
from table.rig import Play

Event = dict[str, Any]


def drafts_of_play(entries: Iterable[Entry]) -> list[Draft]:
    """A table's history as its runner would have it written: the entries of each command together."""
    commands = groupby(entries, lambda entry: (entry.cause.sender, entry.cause.number))
    return [draft for _, command in commands for draft in drafts_of([*command])]


def records_of(play: Play) -> list[Record]:
    """A table's history as records in their places."""
    return [*link(play.settings.table, EMPTY, drafts_of_play(play.entries))]


def claims_of(play: Play) -> list[tuple[str, int]]:
    """What the records of a table's history claim."""
    drafts = enumerate(drafts_of_play(play.entries), start=1)
    return [(key, sequence) for sequence, draft in drafts for key in draft.claims]


def write(store: Store, *plays: Play) -> None:
    """Writes histories of tables down."""
    for play in plays:
        store.append(records_of(play), claims_of(play))


def write_journal(path: Path, *plays: Play) -> str:
    """A journal's file with the histories of tables; gives its address."""
    store = SqliteStore(path)
    write(store, *plays)
    store.close()
    return str(path)


def write_old_journal(path: Path, *plays: Play) -> str:
    """The same as the first version of the schema had it: a row for each record."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        run(connection, FIRST)
        for play in plays:
            records = records_of(play)
            table = play.settings.table
            connection.executemany(f"INSERT INTO records VALUES ({', '.join('?' * 12)})", records)
            claimed = [(key, table, sequence) for key, sequence in claims_of(play)]
            connection.executemany("INSERT INTO claims VALUES (?, ?, ?)", claimed)
            head = (table, records[-1].sequence, records[-1].hash)
            connection.execute("INSERT INTO heads VALUES (?, ?, ?)", head)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
    return str(path)


def change_file(journal: str, statement: str) -> None:
    """Changes a journal's file behind everybody's back; `records` has a row for each record."""
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")  # only what is read counts here
        if not re.search(r"(FROM|UPDATE) records", statement):
            connection.execute(statement)
            return
        _as_rows(connection)
        assert connection.execute(statement).rowcount > 0
        _as_segments(connection)


def put_rows(journal: str, rows: Iterable[Record]) -> None:
    """Puts other records in place of all that a journal's file holds."""
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        _as_rows(connection)
        connection.execute("DELETE FROM records")
        connection.executemany(f"INSERT INTO records VALUES ({', '.join('?' * 12)})", rows)
        _as_segments(connection)


def _as_rows(connection: sqlite3.Connection) -> None:
    connection.execute(f"CREATE TEMP TABLE records ({COLUMNS}, PRIMARY KEY (table_id, sequence))")
    segments = connection.execute("SELECT table_id, first, sizes, content, hash FROM segments").fetchall()
    rows = [record for segment in segments for record in unpack_anyhow(*segment)]
    connection.executemany(f"INSERT INTO records VALUES ({', '.join('?' * 12)})", rows)


def _as_segments(connection: sqlite3.Connection) -> None:
    """Each record in a segment of its own, whatever it holds, and its number in the index."""
    fields = [name for name in COLUMNS.split(", ") if name != "hash"]
    as_bytes = ", ".join(f"CAST({name} AS BLOB)" for name in fields)
    connection.execute("BEGIN")
    connection.execute("DELETE FROM segments")
    for rowid, *values in connection.execute(f"SELECT rowid, {as_bytes} FROM records").fetchall():
        *named, payload, previous = values
        form = previous + b"".join(value + b"\n" for value in named) + payload
        connection.execute(
            "INSERT INTO segments SELECT table_id, sequence, ?, ?, hash FROM records WHERE rowid = ?",
            (*pack([form]), rowid),
        )
    key = " || char(10) || ".join(("table_id", "number", "sender", "part"))
    connection.execute("DELETE FROM sent")
    connection.execute(f"INSERT OR IGNORE INTO sent SELECT {key}, sequence FROM records")
    connection.execute("COMMIT")
    connection.execute("DROP TABLE temp.records")


def at_table(name: str, play: Play) -> Play:
    """The same history at a table of another name."""
    play.settings = msgspec.structs.replace(play.settings, table=name)
    created = msgspec.structs.replace(play.entries[0].event, settings=play.settings)
    play.entries[0] = Entry(play.entries[0].cause, created)
    return play


class MemoryEvidence:
    """A journal's rows in memory, for whoever changes them a thousand times."""

    def __init__(self, *plays: Play) -> None:
        self.rows = {play.settings.table: records_of(play) for play in plays}
        self.heads = {table: Head(rows[-1].sequence, rows[-1].hash) for table, rows in self.rows.items()}
        self.claimed = [
            ClaimRow(key, play.settings.table, sequence)
            for play in plays
            for key, sequence in claims_of(play)
        ]

        self.snapshots: dict[str, Snapshot] = {}
        self.beats: dict[str, int] = {}

    def tables(self) -> list[str]:
        return sorted({*self.rows, *self.heads})

    def head(self, table: str) -> Head | None:
        return self.heads.get(table)

    def records(self, table: str, after: int = 0) -> Iterator[Record]:
        return (record for record in self.rows.get(table, []) if not after or record.sequence > after)

    def moments(self, table: str) -> Iterator[tuple[int, int]]:
        return ((record.sequence, record.at_ms) for record in self.records(table))

    def holding(self, table: str, text: bytes) -> Iterator[Record]:
        return (record for record in self.records(table) if text in record.payload)

    def everything(self, table: str) -> Iterator[Record]:
        return self.records(table)

    def claims(self) -> Iterator[ClaimRow]:
        return iter(self.claimed)

    def snapshot(self, table: str) -> Snapshot | None:
        return self.snapshots.get(table)

    def last_beat(self, table: str) -> int | None:
        return self.beats.get(table)

    def close(self) -> None:
        """Nothing to let go of."""

    def put(self, records: Sequence[Record], table: str = "T1") -> None:
        """Puts other records into a table's place, with the head that an attacker would give them."""
        self.rows[table] = [*records]
        self.heads[table] = Head(records[-1].sequence, records[-1].hash)


def first_misfit(evidence: MemoryEvidence, **options: Any) -> Misfit | None:
    """The first misfit of a journal with one table."""
    (report,) = verify_journal(evidence, **options)
    return report.first_misfit


def relink(records: Iterable[Record]) -> list[Record]:
    """Gives records their numbers and hashes anew: what is changed in them does not show in the chain."""
    fields = (record[2:10] for record in records)
    return [*link("T1", EMPTY, (Draft(*columns) for columns in fields))]


def edit(record: Record, change: Callable[[Event, Event], None]) -> Record:
    """A record with its payload changed, and its columns made to agree; `change` gets event and cause."""
    payload = json.loads(record.payload)
    change(payload["event"], payload["cause"])
    cause = payload["cause"]
    return record._replace(
        at_ms=cause["at_ms"],
        actor=cause["actor"]["id"],
        sender=cause["sender"],
        number=cause["number"],
        kind=payload["event"]["type"],
        payload=json.dumps(payload).encode(),
    )


def of_kind(records: Iterable[Record], kind: str, index: int = 0) -> int:
    """The number of a record of a kind: the first one, or another."""
    return [record.sequence for record in records if record.kind == kind][index]

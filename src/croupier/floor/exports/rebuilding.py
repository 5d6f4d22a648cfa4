"""Projections in a file of their own, rebuilt from the journal whenever somebody wants them."""

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.floor.cage.vouchers import CAGE
from croupier.floor.exports.projections import MetersFold, RoundRow, RoundsFold, VoucherRow, VouchersFold
from croupier.floor.exports.selection import entries_of, recalled_rounds
from croupier.floor.loading import DamagedJournal
from croupier.floor.significant.events import EventRow, event_rows
from croupier.floor.streams import is_table
from croupier.floor.verify.evidence import Evidence
from croupier.journal import EMPTY, Head
from croupier.journal.guarding import place_beside, refuse_to_replace
from croupier.journal.places import PRIVATE
from croupier.rulebook import BadInput, Book, load_book
from croupier.table import Meters, table_rules
from croupier.table.events import TableCreated

_TABLE: Final = ("table_id",)
COLUMNS: Final = {
    "sources": (*_TABLE, "sequence", "hash"),
    "rounds": (*_TABLE, *RoundRow.__struct_fields__),
    "meters": (*_TABLE, "seat", "credits_cents", *Meters.__struct_fields__),
    "vouchers": VoucherRow.__struct_fields__,
    "events": (*_TABLE, *EventRow.__struct_fields__),
}
"""The tables of the file. `sources` says which records of which table the others were built from."""


def rebuild(evidence: Evidence, path: Path, find_book: Callable[[str], Book] = load_book) -> dict[str, int]:
    """Builds all projections into a new file at a path; gives how many rows each has.

    The file takes its place only once it is whole, so that a reader finds the old one or the new one. A
    journal that lies there stays, and so does a link: what it leads to is replaced. As it has the
    numbers of vouchers, only the account that builds it may read it.
    """
    building = place_beside(refuse_to_replace(path))
    building.touch(PRIVATE, exist_ok=False)
    connection = sqlite3.connect(building, isolation_level=None)
    try:
        connection.execute("BEGIN")
        for name, columns in COLUMNS.items():
            connection.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        vouchers = VouchersFold()
        for table in evidence.tables():
            head = _build(evidence, table, find_book, connection, vouchers)
            _put(connection, "sources", [(table, head.sequence, head.hash.hex())])
        _put(connection, "vouchers", map(msgspec.structs.astuple, vouchers.rows()))
        counts = {
            name: int(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]) for name in COLUMNS
        }
        connection.execute("COMMIT")
        connection.close()
        building.replace(refuse_to_replace(path))  # something may have come to be there meanwhile
    finally:
        connection.close()
        building.unlink(missing_ok=True)
    return counts


def _build(
    evidence: Evidence,
    table: str,
    find_book: Callable[[str], Book],
    connection: sqlite3.Connection,
    vouchers: VouchersFold,
) -> Head:
    try:
        if table == CAGE:
            return _build_cage(evidence, vouchers)
        if not is_table(table):
            return _build_nothing(evidence, table)
        return _build_table(evidence, table, find_book, connection, vouchers)
    except BadInput:
        raise
    except (LookupError, RuntimeError, TypeError, ValueError) as error:
        # The folds take a sound journal for granted.
        raise DamagedJournal(f"The journal of table {table} does not fit together: {error}.") from error


def _build_cage(evidence: Evidence, vouchers: VouchersFold) -> Head:
    head = EMPTY
    for record in evidence.records(CAGE):
        vouchers.take_cage(record)
        head = Head(record.sequence, record.hash)
    return head


def _build_nothing(evidence: Evidence, stream: str) -> Head:
    """Only how far a stream was there: what the house and the office write has no rounds and no money."""
    head = EMPTY
    for record in evidence.records(stream):
        head = Head(record.sequence, record.hash)
    return head


def _build_table(
    evidence: Evidence,
    table: str,
    find_book: Callable[[str], Book],
    connection: sqlite3.Connection,
    vouchers: VouchersFold,
) -> Head:
    head, rounds = EMPTY, RoundsFold(recalled_rounds(evidence, table))
    meters: MetersFold | None = None
    for record, entry in entries_of(evidence, table):
        if meters is None:
            if not isinstance(entry.event, TableCreated):
                raise DamagedJournal(f"The journal of table {table} does not begin with its creation.")
            settings = entry.event.settings
            meters = MetersFold(table_rules(find_book(settings.book), settings))
        meters.take(entry)
        vouchers.take(record, entry)
        if (done := rounds.take(entry)) is not None:
            _put(connection, "rounds", [(table, *msgspec.structs.astuple(done.row))])
        for row in event_rows(record.sequence, entry, refusals=True):
            _put(connection, "events", [(table, *msgspec.structs.astuple(row))])
        head = Head(record.sequence, record.hash)
    _put(connection, "rounds", ((table, *msgspec.structs.astuple(left.row)) for left in rounds.rest()))
    if meters is not None:
        _put(connection, "meters", ((table, *row.values()) for row in meters.rows()))
    return head


def _put(connection: sqlite3.Connection, name: str, rows: Iterable[tuple[Any, ...]]) -> None:
    marks = ", ".join("?" * len(COLUMNS[name]))
    connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)

"""The live projection believes only rows that are as it left them; others are made again from the journal."""

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from croupier.floor import ManualClock
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.numbers import new_voucher_number
from croupier.floor.house.log import ClockStepped, HouseLog
from croupier.floor.live.projection import LiveProjection
from croupier.floor.significant.searching import EventQuery
from croupier.journal import Record, StoreError
from croupier.journal.sqlite import SqliteStore
from croupier.table import commands as c
from floor.audit_journal import at_table, write
from floor.audit_play import RandomTable
from floor.audit_scenes import roulette
from table.rig import START_MS, SUPERVISOR, Play, player

NOW_MS = START_MS + 60_000
DAYS = 30


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A floor with rounds, corrections, a paid voucher and an open one, and a word of the house."""
    with closing(SqliteStore(tmp_path / "journal.db")) as given:
        vouchers = [new_voucher_number() for _ in range(2)]
        play = Play().open(("1", "2"), 500)
        for seat, number in zip("12", vouchers, strict=True):
            play.do(player(seat), c.CashOut(seat=seat, voucher=number))
        write(given, roulette(), at_table("T2", RandomTable(6).rounds(8)), at_table("T3", play))
        clock = ManualClock(NOW_MS)
        Cage(given, clock).void(vouchers[0], SUPERVISOR, "torn")
        HouseLog(given, clock).note(ClockStepped(by_ms=-5_000))
        yield given


@pytest.fixture
def path(tmp_path: Path, store: SqliteStore) -> Path:
    """A projection of it that was left in good order."""
    with closing(LiveProjection(tmp_path / "live.db", store)) as live:
        live.catch_up()
    return tmp_path / "live.db"


def told(live: LiveProjection, store: SqliteStore) -> object:
    """Everything that a projection is asked for."""
    live.catch_up()
    events = live.search(EventQuery(refusals=True), limit=10_000).events
    vouchers = live.outstanding(NOW_MS, DAYS), live.overdue(NOW_MS, DAYS)
    recalled = [live.recall("T1", number) for number in (1, 2, 3)]
    results = [live.results(table, 100) for table in store.tables()]
    return events, vouchers, recalled, results, live.vouchers_of("T3", "1", 10, NOW_MS, DAYS)


def fresh(store: SqliteStore) -> object:
    with closing(LiveProjection(":memory:", store)) as live:
        return told(live, store)


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute(statement).rowcount != 0, statement


TAMPERED = {
    "an event removed": "DELETE FROM events WHERE event = 'clock-stepped'",
    "an event changed": "UPDATE events SET actor = 'nobody' WHERE event = 'result-corrected'",
    "an event added": (
        "INSERT INTO events SELECT time_ms + 1, table_id, sequence, event, round, seat, actor, position,"
        " second, clause, what FROM events WHERE event = 'result-corrected'"
    ),
    "events of a table that never was": (
        "INSERT INTO events SELECT time_ms, 'T9', sequence, event, round, seat, actor, position, second,"
        " clause, what FROM events WHERE table_id = 'T1'"
    ),
    "all of a table removed": "DELETE FROM events WHERE table_id = 'T1'",
    "a result changed": "UPDATE rounds SET result = '17' WHERE table_id = 'T1' AND round = 1",
    "a round moved": "UPDATE spans SET first = first + 1 WHERE table_id = 'T1' AND round = 2",
    "a voucher removed": "DELETE FROM vouchers WHERE number NOT IN (SELECT number FROM voucher_ends)",
    "an end removed": "DELETE FROM voucher_ends",
    "an open voucher hidden": "DELETE FROM open_vouchers",
    "an open voucher invented": (
        "INSERT INTO open_vouchers SELECT issued_ms, number FROM vouchers"
        " WHERE number IN (SELECT number FROM voucher_ends)"
    ),
    "a head put back": "UPDATE sources SET sequence = sequence - 5 WHERE table_id = 'T1'",
    "a head removed": "DELETE FROM sources WHERE table_id = 'T1'",
    "a seal changed": "UPDATE sources SET seal = x'00' WHERE table_id = 'T1'",
    "a text that is none": "UPDATE events SET what = CAST(x'fffe' AS TEXT) WHERE table_id = 'T1'",
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_changed_beside_the_server_is_made_again(
    store: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    change(path, TAMPERED[what])
    with closing(LiveProjection(path, store)) as live:
        assert told(live, store) == fresh(store)
    assert {record.levelno for record in caplog.records} == {logging.WARNING}
    caplog.clear()
    with closing(LiveProjection(path, store)) as live:  # and it is sealed again
        assert live.catch_up() == 0
        assert told(live, store) == fresh(store)
    assert caplog.records == []


@pytest.mark.parametrize("what", TAMPERED)
def test_so_is_what_is_changed_while_it_is_open(
    store: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    with closing(LiveProjection(path, store)) as live:
        assert told(live, store) == fresh(store)
        change(path, TAMPERED[what])
        assert told(live, store) == fresh(store)
    assert {record.levelno for record in caplog.records} == {logging.WARNING}


def test_rows_that_are_as_they_were_left_are_not_made_again(
    store: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(LiveProjection(path, store)) as live:
        HouseLog(store, ManualClock(NOW_MS)).note(ClockStepped(by_ms=7_000))
        assert live.catch_up() == 1
        assert told(live, store) == fresh(store)
    with closing(LiveProjection(path, store)) as live:
        assert live.catch_up() == 0
    assert caplog.records == []


def hide_what_comes(path: Path) -> None:
    change(
        path,
        "CREATE TRIGGER hide AFTER INSERT ON events BEGIN"
        " DELETE FROM events WHERE table_id = NEW.table_id AND sequence = NEW.sequence; END",
    )


def shadow_events(path: Path) -> None:
    change(path, "ALTER TABLE events RENAME TO kept")
    change(path, "CREATE VIEW events AS SELECT * FROM kept WHERE event <> 'clock-stepped'")


def damage_pages(path: Path) -> None:
    change(path, "PRAGMA journal_mode = DELETE")
    content = bytearray(path.read_bytes())
    for page in range(4096, len(content), 4096):
        content[page : page + 60] = b"\xff" * 60
    path.write_bytes(content)


@pytest.mark.parametrize("spoil", [hide_what_comes, shadow_events, damage_pages])
def test_a_file_that_was_made_over_is_built_again(
    store: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture, spoil: Callable[[Path], None]
) -> None:
    spoil(path)
    with closing(LiveProjection(path, store)) as live:
        HouseLog(store, ManualClock(NOW_MS)).note(ClockStepped(by_ms=9_000))
        assert told(live, store) == fresh(store)
    assert {record.levelno for record in caplog.records} == {logging.WARNING}


class TornStore(SqliteStore):
    """A store that can fail in the middle of a reading."""

    failing = False

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        for record in super().read(table, after):
            if self.failing and record.sequence > 30:
                raise StoreError("The disk does not answer.")
            yield record


def test_a_reading_that_fails_leaves_the_seals_right(
    store: SqliteStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(TornStore(tmp_path / "journal.db")) as torn:
        with closing(LiveProjection(tmp_path / "live.db", torn)) as live:
            torn.failing = True
            with pytest.raises(StoreError):
                live.catch_up("T1")
            torn.failing = False
            assert told(live, store) == fresh(store)
        with closing(LiveProjection(tmp_path / "live.db", torn)) as live:
            assert live.catch_up() == 0
    assert caplog.records == []


class FullDisk:
    """The connection of a projection while its disk is full: at the commit SQLite gives all of it up."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if statement == "COMMIT":
            self.connection.execute("ROLLBACK")
            raise sqlite3.OperationalError("database or disk is full")
        return self.connection.execute(statement, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


def test_rows_that_a_full_disk_did_not_take_are_written_later(store: SqliteStore, path: Path) -> None:
    with closing(LiveProjection(path, store)) as live:
        live.catch_up()
        HouseLog(store, ManualClock(NOW_MS)).note(ClockStepped(by_ms=9_000))
        connection = live._connection
        live._connection = cast("sqlite3.Connection", FullDisk(connection))
        with pytest.raises(StoreError, match="database or disk is full"):
            live.catch_up()
        live._connection = connection
        assert told(live, store) == fresh(store)


def test_so_are_those_of_a_file_that_must_not_grow(store: SqliteStore, tmp_path: Path) -> None:
    with closing(LiveProjection(tmp_path / "small.db", store)) as live:
        (pages,) = live._connection.execute("PRAGMA page_count").fetchone()
        live._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="database or disk is full"):
            live.catch_up()
        live._connection.execute("PRAGMA max_page_count = 1000000")
        assert told(live, store) == fresh(store)

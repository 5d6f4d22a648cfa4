"""A journal of an older schema is brought forward whole or not at all, and says how far it is."""

import contextlib
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.journal import EMPTY, Record, StoreError, link, open_store
from croupier.journal.sqlite import APPLICATION_ID, SqliteStore
from croupier.journal.sqlite_schema import FIRST, run
from journal.drafts import draft, drafts, write


def old_journal(path: Path, *streams: list[Record]) -> None:
    """A file with a row for each record."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        run(connection, FIRST)
        for records in streams:
            marks = ", ".join("?" * len(Record._fields))
            connection.executemany(f"INSERT INTO records VALUES ({marks})", records)
            head = (records[-1].table, records[-1].sequence, records[-1].hash)
            connection.execute("INSERT INTO heads VALUES (?, ?, ?)", head)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")


def as_it_was(path: Path) -> list[tuple[object, ...]]:
    """The rows of a file of the first version; an error where it is of another one."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        assert names.isdisjoint({"segments", "sent", "appending"})
        return connection.execute("SELECT * FROM records ORDER BY table_id, sequence").fetchall()


@pytest.fixture
def one() -> list[Record]:
    return list(link("wheel-1", EMPTY, drafts(2_500)))


@pytest.fixture
def two() -> list[Record]:
    return list(link("wheel-2", EMPTY, drafts(700)))


def test_it_tells_how_many_records_are_done_and_of_how_many(
    path: Path, one: list[Record], two: list[Record]
) -> None:
    old_journal(path, one, two)
    told: list[tuple[int, int]] = []

    store = open_store(str(path), must_exist=True, progress=lambda done, total: told.append((done, total)))

    assert told == [(0, 3_200), (1_000, 3_200), (2_000, 3_200), (3_200, 3_200)]
    assert [*store.read("wheel-1")] == one
    assert [*store.read("wheel-2")] == two
    store.close()


def test_a_journal_that_is_new_or_of_this_schema_has_nothing_to_tell(path: Path) -> None:
    told: list[tuple[int, int]] = []
    for _ in range(2):
        store = SqliteStore(path, progress=lambda done, total: told.append((done, total)))
        write(store, "wheel-1", [draft(store.head("wheel-1").sequence + 1)])
        store.close()
    assert told == []


@pytest.mark.parametrize("head", ["-5", "3", "9223372036854775807", "9e999", "'many'", "x'00'"])
def test_what_a_head_says_changes_no_more_than_what_is_told(path: Path, one: list[Record], head: str) -> None:
    old_journal(path, one)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"INSERT INTO heads VALUES ('forged', {head}, x'')")
        connection.execute(f"INSERT INTO heads VALUES ('forged too', {head}, x'')")
    told: list[tuple[int, int]] = []

    store = SqliteStore(path, progress=lambda done, total: told.append((done, total)))

    assert [done for done, _ in told] == [0, 1_000, 2_500]
    assert all(done < total for done, total in told[:-1])
    assert told[-1] == (2_500, 2_500)
    assert [*store.read("wheel-1")] == one
    store.close()


class Stopped(BaseException):
    """Somebody wants it to end."""


def test_whoever_is_told_may_stop_it_and_the_file_is_as_it_was_at_once(path: Path, one: list[Record]) -> None:
    old_journal(path, one)

    def stop(done: int, total: int) -> None:
        if done:
            raise Stopped

    with pytest.raises(Stopped) as held:  # and with it every cursor
        SqliteStore(path, progress=stop)

    assert as_it_was(path) == one
    SqliteStore(path).close()  # nobody holds the file
    assert held.value is not None


DIES = """
import os, signal, sys
from croupier.journal import open_store
def die(done, total):
    if done >= int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
open_store(sys.argv[1], progress=die)
"""


@pytest.mark.parametrize("at", [1_000, 2_500])
def test_a_process_that_is_killed_in_the_middle_leaves_it_as_it_was(
    path: Path, one: list[Record], at: int
) -> None:
    old_journal(path, one)

    died = subprocess.run([sys.executable, "-c", DIES, str(path), str(at)], check=False)

    assert died.returncode == -signal.SIGKILL
    assert as_it_was(path) == one
    store = SqliteStore(path)
    assert [*store.read("wheel-1")] == one
    store.close()


def test_a_damaged_one_has_told_how_far_it_came_and_stays_as_it_is(path: Path, one: list[Record]) -> None:
    old_journal(path, one)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE records SET payload = 'text' WHERE sequence = 1500")
    told: list[int] = []

    with pytest.raises(StoreError, match="damaged, so it stays as it is"):
        SqliteStore(path, progress=lambda done, total: told.append(done))

    assert told == [0, 1_000]
    assert len(as_it_was(path)) == 2_500

"""A journal's file that somebody writes over while it is in use: its name and its number stay the same."""

import contextlib
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.journal import StoreError, sqlite_place
from croupier.journal.sqlite import SqliteStore
from journal.drafts import draft, drafts, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def store(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteStore]:
    monkeypatch.setattr(sqlite_place, "_PAUSE_SECONDS", 0.02)
    with contextlib.closing(SqliteStore(path)) as store:
        yield store


def fold(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[0] == 0


def copy(path: Path) -> Path:
    """A copy of the journal as it is now, as a backup makes it."""
    to = path.with_name("night.db")
    with contextlib.closing(sqlite3.connect(path)) as one, contextlib.closing(sqlite3.connect(to)) as other:
        one.backup(other)
    return to


def more(store: SqliteStore, table: str, first: int, count: int = 3) -> None:
    write(store, table, [draft(number) for number in range(first, first + count)])


def test_an_older_copy_over_the_file_is_noticed_and_stays_noticed(store: SqliteStore, path: Path) -> None:
    more(store, "office", 1)
    assert store.holds_what_was_written()
    night = copy(path)
    more(store, "office", 4)
    fold(path)
    shutil.copyfile(night, path)
    assert store.is_in_place()
    assert not store.holds_what_was_written()

    with contextlib.closing(SqliteStore(path)) as another:  # goes on behind the older end, and further
        more(another, "office", 101, 20)
    assert not store.holds_what_was_written()


def test_what_others_wrote_is_known_once_it_was_looked_at(store: SqliteStore, path: Path) -> None:
    with contextlib.closing(SqliteStore(path)) as another:
        more(another, "office", 1)
        night = copy(path)
        more(another, "office", 4)
        assert store.holds_what_was_written()
        fold(path)
    shutil.copyfile(night, path)
    assert not store.holds_what_was_written()


def test_an_older_copy_is_noticed_also_where_the_log_hides_it(store: SqliteStore, path: Path) -> None:
    for first in range(1, 100, 3):
        more(store, "T1", first)
    night = copy(path)
    for first in range(101, 200, 3):
        more(store, "T1", first)
    fold(path)
    assert store.holds_what_was_written()
    more(store, "T1", 1_001)  # the heads are in the log again
    shutil.copyfile(night, path)
    more(store, "T1", 2_001)
    assert not store.holds_what_was_written()


def test_what_is_written_while_it_is_looked_at_hides_nothing(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more(store, "T1", 1)
    night = copy(path)
    more(store, "T1", 4)
    fold(path)
    shutil.copyfile(night, path)

    def write_on(seconds: float) -> None:
        more(store, "T1", 7)
        fold(path)

    monkeypatch.setattr("croupier.journal.sqlite_place.time.sleep", write_on)
    assert not store.holds_what_was_written()


def test_a_file_into_which_the_log_is_being_folded_is_looked_at_again(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more(store, "T1", 1)
    fold(path)
    assert store.holds_what_was_written()
    content, half_there = store._content, [None, {}, None]
    without_log = content._without_log
    monkeypatch.setattr(content, "_without_log", lambda: half_there.pop() if half_there else without_log())
    assert store.holds_what_was_written()
    assert half_there == []


@pytest.mark.parametrize("content", [b"", b"no database at all, " * 1_000])
def test_whatever_is_put_over_the_file_is_noticed(store: SqliteStore, path: Path, content: bytes) -> None:
    more(store, "T1", 1)
    fold(path)
    assert store.holds_what_was_written()
    path.write_bytes(content)
    assert not store.holds_what_was_written()


def test_what_is_written_from_memory_does_not_put_it_right(store: SqliteStore, path: Path) -> None:
    more(store, "T1", 1)
    night = copy(path)
    more(store, "T1", 4)
    fold(path)
    shutil.copyfile(night, path)
    assert not store.holds_what_was_written()
    more(store, "T1", 7)  # the end of the chain as this process remembers it, and a hole before it
    assert not store.holds_what_was_written()


def test_nobody_is_alarmed_while_several_write_and_fold(store: SqliteStore, path: Path) -> None:
    stop = threading.Event()

    def write_on() -> None:
        with contextlib.closing(SqliteStore(path)) as another:
            for number in range(1, 400):
                more(another, "T2", number, 1)
                more(another, f"of-{number % 150}-with-a-long-name-so-that-the-heads-take-pages", number, 1)
                if number % 20 == 0:
                    fold(path)
        stop.set()

    writing = threading.Thread(target=write_on)
    writing.start()
    number = 1
    while not stop.is_set():
        more(store, "T1", number, 1)
        number += 1
        assert store.holds_what_was_written()
    writing.join()
    assert store.holds_what_was_written()
    assert store.head("T2").sequence == 399


def test_whoever_looks_leaves_the_locks_of_the_process_alone(store: SqliteStore, path: Path) -> None:
    write(store, "T1", drafts(3))
    assert store.holds_what_was_written()
    comes_and_goes = (
        "import sqlite3, sys; connection = sqlite3.connect(sys.argv[1]);"
        "connection.execute('SELECT * FROM heads').fetchall(); connection.close()"
    )
    subprocess.run([sys.executable, "-c", comes_and_goes, str(path)], check=True)
    assert store.is_in_place()  # whoever believes to be the last one removes the log


def test_a_file_that_cannot_be_opened_is_not_known_to_be_another(store: SqliteStore, path: Path) -> None:
    write(store, "T1", drafts(3))
    path.rename(path.with_name("away.db"))
    with pytest.raises(StoreError, match="cannot be looked at"):
        store.holds_what_was_written()
    path.with_name("away.db").rename(path)
    assert store.holds_what_was_written()


def test_a_longer_journal_of_another_house_over_the_file_is_noticed(store: SqliteStore, path: Path) -> None:
    more(store, "office", 1)
    assert store.holds_what_was_written()
    with contextlib.closing(SqliteStore(path.with_name("other.db"))) as other:
        more(other, "office", 101, 20)
    with (
        contextlib.closing(sqlite3.connect(path.with_name("other.db"))) as source,
        contextlib.closing(sqlite3.connect(path)) as over,
    ):
        source.backup(over)
    assert not store.holds_what_was_written()

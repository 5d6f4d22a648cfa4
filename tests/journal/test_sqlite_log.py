"""The log of a SQLite journal is put into its places: in quiet moments, and at times where there are none."""

import shutil
from pathlib import Path

import pytest

import croupier.journal.sqlite as module
from croupier.journal import EMPTY, Snapshot
from croupier.journal.sqlite import SqliteStore
from journal.drafts import drafts, write


def in_its_place(store: SqliteStore, path: Path) -> int:
    """How far the table's journal goes in the file alone, without its log."""
    if store._folding is not None:
        store._folding.join()
    alone = shutil.copy(path, path.with_name("alone.db"))
    copy = SqliteStore(alone)
    head = copy.head("wheel-1") if copy.tables() else EMPTY
    copy.close()
    return head.sequence


def write_some(store: SqliteStore, batches: int) -> None:
    for number in range(batches):
        write(store, "wheel-1", drafts(10, first=1 + 10 * number))


def test_the_log_waits_for_a_quiet_moment(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PAGES_TO_FOLD", 20)
    monkeypatch.setattr(module, "_QUIET_SECONDS", 10**6)
    write_some(store, 10)
    store.beat("wheel-1", 1)
    assert in_its_place(store, path) == 0  # somebody is writing

    monkeypatch.setattr(module, "_QUIET_SECONDS", 0)
    store.beat("wheel-1", 2)

    assert in_its_place(store, path) == 100
    assert [record.sequence for record in store.read("wheel-1")] == [*range(1, 101)]


def test_a_short_log_is_left_alone(store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_QUIET_SECONDS", 0)
    write_some(store, 3)
    store.beat("wheel-1", 1)

    assert in_its_place(store, path) == 0


def test_where_there_is_no_quiet_moment_it_is_done_beside_the_writing(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PAGES_WHEN_BUSY", 40)
    write_some(store, 20)

    assert in_its_place(store, path) > 0
    assert [record.sequence for record in store.read("wheel-1")] == [*range(1, 201)]


def test_signs_of_life_and_snapshots_count_too(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PAGES_TO_FOLD", 50)
    monkeypatch.setattr(module, "_QUIET_SECONDS", 0)
    write_some(store, 1)
    store.save_snapshot("wheel-1", Snapshot(10, store.head("wheel-1").hash, "state/0", bytes(10 * 8_192)))
    store.beat("wheel-1", 1)
    assert in_its_place(store, path) == 0

    for at_ms in range(2, 40):
        store.beat("wheel-1", at_ms)

    assert in_its_place(store, path) == 10

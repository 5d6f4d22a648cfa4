"""A file whose tables, keys or triggers are not those that croupier makes is refused and left as it is."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from croupier.journal import EMPTY, StoreError, link
from croupier.journal.sqlite import SqliteStore
from croupier.journal.sqlite_schema import MADE, SECOND, schema_faults
from journal.drafts import drafts, write
from journal.test_sqlite_forward import old_journal

TRIGGER = "CREATE TRIGGER append INSTEAD OF INSERT ON appending BEGIN SELECT 1; END"


def change(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def faults(path: Path, version: int = 2) -> list[str]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return schema_faults(connection.execute(MADE), version)


def without_key(table: str) -> tuple[str, ...]:
    return (
        f"CREATE TABLE other AS SELECT * FROM {table}",
        f"DROP TABLE {table}",
        f"ALTER TABLE other RENAME TO {table}",
    )


@pytest.mark.parametrize(
    ("statements", "fault"),
    [
        (("DROP TRIGGER append",), "the trigger append is missing"),
        (("DROP TRIGGER append", TRIGGER), "the trigger append is another one"),
        (("CREATE TABLE notes (text)",), "the table notes was added"),
        (("CREATE INDEX quicker ON heads (sequence)",), "the index quicker was added"),
        (("CREATE VIEW everything AS SELECT * FROM heads",), "the view everything was added"),
        (
            ("CREATE TRIGGER also AFTER INSERT ON sent BEGIN DELETE FROM sent WHERE key = NEW.key; END",),
            "the trigger also was added",
        ),
        (("DROP TRIGGER append", *without_key("claims")), "the trigger append is missing, the table claims"),
        (("DROP TABLE beats",), "the table beats is missing"),
        (("ALTER TABLE heads ADD COLUMN note TEXT",), "the table heads is another one"),
    ],
)
def test_a_changed_schema_is_refused(path: Path, statements: tuple[str, ...], fault: str) -> None:
    SqliteStore(path).close()
    change(path, *statements)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=rf"is not as croupier makes it, .*: {fault}"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_changed_schema_of_the_first_version_is_refused(path: Path) -> None:
    old_journal(path, list(link("wheel-1", EMPTY, drafts(3))))
    change(path, "DROP INDEX records_by_sender")
    with pytest.raises(StoreError, match="the index records_by_sender is missing"):
        SqliteStore(path)


def test_a_file_that_was_brought_forward_is_as_a_new_one(path: Path, tmp_path: Path) -> None:
    old_journal(path, list(link("wheel-1", EMPTY, drafts(3))))
    assert faults(path, version=1) == []
    SqliteStore(path).close()
    assert faults(path) == []
    store = SqliteStore(path)  # and it can be opened again
    assert store.head("wheel-1").sequence == 3
    store.close()
    SqliteStore(tmp_path / "new.db").close()
    assert faults(tmp_path / "new.db") == []


def test_the_first_version_had_its_index_in_another_order_once(path: Path) -> None:
    old_journal(path, list(link("wheel-1", EMPTY, drafts(3))))
    index = "CREATE UNIQUE INDEX records_by_sender ON records (table_id, sender, number, part)"
    change(path, "DROP INDEX records_by_sender", index)
    assert faults(path, version=1) == []
    SqliteStore(path).close()
    assert faults(path) == []


def test_spaces_mean_nothing_and_statistics_neither(path: Path) -> None:
    store = SqliteStore(path)
    write(store, "wheel-1", drafts(3))
    store.close()
    start = SECOND.index("CREATE TRIGGER")
    change(path, "DROP TRIGGER append", " ".join(SECOND[start:].split()), "ANALYZE")
    assert faults(path) == []
    SqliteStore(path).close()

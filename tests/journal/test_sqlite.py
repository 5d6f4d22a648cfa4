"""Journals in SQLite: the contract of every store, and what is particular to a file."""

import contextlib
import os
import pwd
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.journal import EMPTY, Head, NumberUsed, Record, StoreError, link, open_store
from croupier.journal.sqlite import APPLICATION_ID, SqliteStore
from croupier.journal.sqlite_schema import FIRST, run
from journal.contract import OpeningContract, ReadingContract, StoreContract
from journal.contract_writing import RacingContract, WritingContract
from journal.drafts import draft, drafts, write


class InSqlite(StoreContract):
    set_version = "PRAGMA user_version = 99"
    forget_heads = "DELETE FROM heads"

    @pytest.fixture
    def address(self, tmp_path: Path) -> str:
        return str(tmp_path / "journals.db")

    def execute(self, address: str, statement: str) -> None:
        with contextlib.closing(sqlite3.connect(address)) as connection, connection:
            connection.execute(statement)


class TestReading(InSqlite, ReadingContract):
    pass


class TestWriting(InSqlite, WritingContract):
    pass


class TestRacing(InSqlite, RacingContract):
    pass


class TestOpening(InSqlite, OpeningContract):
    version = 2


def test_every_commit_waits_for_the_disk(store: SqliteStore) -> None:
    assert store._one("PRAGMA journal_mode") == ("wal",)
    assert store._one("PRAGMA synchronous") == (2,)  # FULL
    assert store._one("PRAGMA fullfsync") == (1,)


def test_a_journal_that_would_not_last_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match="cannot be kept durably"):
        open_store(":memory:")
    assert [*tmp_path.iterdir()] == [], "no file has that name either"


def test_what_is_acknowledged_is_in_the_files_without_the_writer(store: SqliteStore, tmp_path: Path) -> None:
    # The files as they are after the append, while the writer still has them open: what a crash leaves.
    written = write(store, "wheel-1", [draft(1, claims=("voucher/1",)), draft(2)])
    left = tmp_path / "left"
    left.mkdir()
    for file in tmp_path.glob("journals.db*"):
        if not file.name.endswith("-shm"):  # shared memory does not outlive a crash
            shutil.copy(file, left)
    again = open_store(str(left / "journals.db"), must_exist=True)
    assert list(again.read("wheel-1")) == written
    assert again.claimant("voucher/1") == ("wheel-1", 1)
    again.close()


def test_a_journal_with_a_row_for_each_record_is_brought_forward(path: Path) -> None:
    batch = [*drafts(1_500), *(draft(9_000, part=part) for part in range(3)), draft(9_001, sender="seat-1")]
    one, two = list(link("wheel-1", EMPTY, batch)), list(link("wheel-2", EMPTY, drafts(3)))
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        run(connection, FIRST)
        marks = ", ".join("?" * len(Record._fields))
        connection.executemany(f"INSERT INTO records VALUES ({marks})", [*two, *one])
        heads = [(records[-1].table, records[-1].sequence, records[-1].hash) for records in (one, two)]
        connection.executemany("INSERT INTO heads VALUES (?, ?, ?)", heads)
        connection.execute("INSERT INTO claims VALUES ('voucher/1', 'wheel-1', 7)")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")

    store = SqliteStore(path, must_exist=True)

    assert list(store.read("wheel-1")) == one
    assert list(store.read("wheel-2", 1)) == two[1:]
    assert store.head("wheel-1") == Head(one[-1].sequence, one[-1].hash)
    assert store.first_of("wheel-1", "console", 9_000) == one[1_500]
    assert store.first_of("wheel-1", "seat-1", 9_001) == one[-1]
    assert store.claimant("voucher/1") == ("wheel-1", 7)
    with pytest.raises(NumberUsed):
        write(store, "wheel-1", [draft(9_001, sender="seat-1")])
    assert write(store, "wheel-1", [draft(9_002)])[0].previous == one[-1].hash
    assert store._one("PRAGMA user_version") == (2,)
    store.close()


@pytest.mark.parametrize("damage", ["actor = 'a' || char(10) || 'b'", "payload = 'text'"])
def test_a_damaged_journal_of_the_first_version_stays_as_it_is(path: Path, damage: str) -> None:
    records = list(link("wheel-1", EMPTY, drafts(5)))
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        run(connection, FIRST)
        connection.executemany(f"INSERT INTO records VALUES ({', '.join('?' * 12)})", records)
        connection.execute("INSERT INTO heads VALUES ('wheel-1', 5, ?)", (records[-1].hash,))
        connection.execute(f"UPDATE records SET {damage} WHERE sequence = 3")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
    with pytest.raises(StoreError, match="damaged, so it stays as it is"):
        SqliteStore(path, must_exist=True)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM records").fetchone() == (5,)
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_a_file_that_was_moved_removed_or_replaced_is_not_in_place(
    store: SqliteStore, path: Path, suffix: str
) -> None:
    file, away = Path(f"{path}{suffix}"), path.with_name("away")
    write(store, "T1", drafts(3))
    with contextlib.closing(SqliteStore(path)):  # another one that comes and goes changes nothing
        pass
    assert store.is_in_place()
    file.rename(away)
    assert not store.is_in_place()
    shutil.copy(away, file)  # a copy is another file, and nothing is written to it
    assert not store.is_in_place()
    file.unlink()
    away.rename(file)
    assert store.is_in_place()


def test_a_link_to_the_journal_has_to_lead_to_it(store: SqliteStore, path: Path) -> None:
    named = path.with_name("named.db")
    named.symlink_to(path)
    with contextlib.closing(SqliteStore(named)) as linked:
        assert linked.is_in_place()
        named.unlink()
        named.symlink_to(named)
        assert not linked.is_in_place()
        named.unlink()
        named.symlink_to(path.with_name("other.db"))
        assert not linked.is_in_place()


def test_an_append_is_one_statement(store: SqliteStore) -> None:
    # Within a statement SQLite needs nothing of Python; between two it would wait for whoever decides bets.
    seen: list[str] = []
    records = list(link("wheel-1", EMPTY, drafts(2_500)))
    store._connection.set_trace_callback(seen.append)
    store.append(records, [("voucher/1", 1)])
    assert len({one for one in seen if not one.startswith("--")}) == 1  # told anew for each of its steps


def test_a_full_disk_is_an_error_and_leaves_nothing_behind(store: SqliteStore) -> None:
    written = write(store, "wheel-1", drafts(3))
    (pages,) = store._one("PRAGMA page_count")
    store._one(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="full"):
        write(store, "wheel-1", [draft(4, claims=("voucher/1",)), draft(5, payload=bytes(100_000))])
    assert list(store.read("wheel-1")) == written
    assert store.claimant("voucher/1") is None
    # Room was made.
    store._one("PRAGMA max_page_count = 100000")
    write(store, "wheel-1", [draft(4, claims=("voucher/1",)), draft(5, payload=bytes(100_000))])
    assert store.head("wheel-1").sequence == 5


@contextlib.contextmanager
def not_as_root() -> Iterator[None]:
    """Root may write to any file; nobody may not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(pwd.getpwnam("nobody").pw_uid)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_file_that_must_not_be_written_to_can_be_read(store: SqliteStore, path: Path) -> None:
    written = write(store, "wheel-1", drafts(2))
    for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        file.chmod(0o444)
    for directory in (path.parent, *path.parents):
        if directory.stat().st_uid == os.geteuid() and directory.stat().st_mode & 0o005 != 0o005:
            directory.chmod(directory.stat().st_mode | 0o055)
    with not_as_root():
        reader = SqliteStore(path)
        assert list(reader.read("wheel-1")) == written
        with pytest.raises(StoreError, match="readonly"):
            write(reader, "wheel-1", drafts(1, first=3))
        assert list(reader.read("wheel-1")) == written
        reader.close()


OPEN_EACH = """
import sys
from croupier.journal.sqlite import SqliteStore
for line in sys.stdin:
    try:
        SqliteStore(line.strip()).close()
        print("opened", flush=True)
    except Exception as error:
        print(error, flush=True)
"""


def test_processes_that_start_at_once_all_open_a_new_file(tmp_path: Path) -> None:
    # Threads are too well behaved to show it: SQLite does not wait by itself while a file gets its log.
    with contextlib.ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", OPEN_EACH],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for _ in range(6)
        ]
        for number in range(60):
            for process in processes:
                print(tmp_path / f"{number}.db", file=process.stdin, flush=True)
            answers = [process.stdout.readline() for process in processes if process.stdout]
            assert answers == ["opened\n"] * 6


def test_a_file_of_something_else_is_refused_and_left_as_it_is(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE guests (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="database of something else"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(path: Path) -> None:
    path.write_bytes(b"round,number\n1,17\n" * 100)
    with pytest.raises(StoreError, match="file is not a database"):
        SqliteStore(path)
    assert path.read_bytes() == b"round,number\n1,17\n" * 100


def test_an_empty_file_becomes_a_journal_unless_one_must_exist(path: Path) -> None:
    path.touch()
    with pytest.raises(StoreError, match="holds no journal"):
        SqliteStore(path, must_exist=True)
    assert path.read_bytes() == b""
    store = SqliteStore(path)
    assert store.head("wheel-1") == EMPTY
    store.close()


def test_a_place_where_no_file_can_be_is_an_error(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "missing" / "journals.db"):
        with pytest.raises(StoreError, match=f"The journal '{place}' cannot be opened: .*"):
            SqliteStore(place)


def test_a_damaged_file_is_an_error(store: SqliteStore, path: Path) -> None:
    write(store, "wheel-1", drafts(500))
    store.close()
    content = bytearray(path.read_bytes())
    first_page = int.from_bytes(content[16:18])  # it holds the schema; what is behind it is damaged
    content[first_page:] = b"\xff" * (len(content) - first_page)
    path.write_bytes(content)
    damaged = SqliteStore(path)
    with pytest.raises(StoreError, match="malformed"):
        list(damaged.read("wheel-1"))
    damaged.close()


def test_a_writer_that_holds_the_file_for_long_is_an_error_for_the_others(
    store: SqliteStore, path: Path
) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        store._one("PRAGMA busy_timeout = 0")
        with pytest.raises(StoreError, match="locked"):
            write(store, "wheel-1", drafts(1))
        holder.execute("ROLLBACK")
    write(store, "wheel-1", drafts(1))
    assert store.head("wheel-1").sequence == 1


def test_only_the_account_that_made_a_journal_reads_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = SqliteStore(tmp_path / "journal.db")
        write(store, "T1", drafts(3))
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        store.close()
    finally:
        os.umask(before)

    assert modes == dict.fromkeys(["journal.db", "journal.db-wal", "journal.db-shm"], 0o600)

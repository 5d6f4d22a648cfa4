"""Where a journal lies nothing else is written: it is known by its mark, whatever it is called."""

import errno
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from croupier.journal.guarding import is_journal, refuse_journal, refuse_to_replace
from croupier.journal.sqlite import APPLICATION_ID, SqliteStore
from croupier.rulebook import BadInput

BESIDE = (
    "-wal",
    "-shm",
    "-journal",
    ".projection",
    ".projection-wal",
    ".projection-shm",
    ".projection-journal",
)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    SqliteStore(tmp_path / "floor.db").close()
    return tmp_path / "floor.db"


def test_a_journal_is_known_by_its_mark_and_not_by_its_name(journal: Path) -> None:
    assert is_journal(journal)
    assert is_journal(journal.rename(journal.with_name("rounds.csv")))


def test_a_journal_whose_beginning_is_still_in_its_log_is_one(tmp_path: Path) -> None:
    path = tmp_path / "young.db"
    with closing(SqliteStore(path)):
        start = path.read_bytes()[:72]
        assert int.from_bytes(start[68:72]) != APPLICATION_ID, "it is in the log alone"
        assert is_journal(path)


def test_what_is_no_journal_may_be_written_over(tmp_path: Path) -> None:
    (tmp_path / "rounds.csv").write_text("round,opened\n")
    (tmp_path / "empty").touch()
    with closing(sqlite3.connect(tmp_path / "projection.db")) as connection:
        connection.execute("CREATE TABLE rounds (round)")
    with closing(sqlite3.connect(tmp_path / "logged.db")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE rounds (round)")
        assert (tmp_path / "logged.db-wal").exists()
        for name in ("rounds.csv", "empty", "projection.db", "logged.db", "absent", "absent-wal"):
            refuse_journal(tmp_path / name)
    (tmp_path / "damaged").write_bytes(b"SQLite format 3\0 and no more of it")
    (tmp_path / "damaged-wal").touch()
    refuse_journal(tmp_path / "damaged")
    refuse_journal(tmp_path)
    for name in ("rounds.csv", "absent"):
        assert refuse_to_replace(tmp_path / name) == tmp_path / name


def test_a_journal_is_refused_in_a_sentence(journal: Path) -> None:
    with pytest.raises(BadInput) as refused:
        refuse_journal(journal)
    assert refused.value.code == "journal-as-output"
    assert str(refused.value) == (
        f"{str(journal)!r} is a journal, and a journal is never overwritten. Name another file."
    )


@pytest.mark.parametrize("ending", BESIDE)
def test_what_lies_beside_a_journal_is_refused_whether_it_is_there_or_not(journal: Path, ending: str) -> None:
    beside = journal.with_name(f"floor.db{ending}")
    for _ in range(2):
        with pytest.raises(BadInput, match=r"belongs to the journal .*floor.db', and") as refused:
            refuse_journal(beside)
        assert refused.value.code == "journal-as-output"
        beside.touch()
    refuse_journal(journal.with_name(f"other.db{ending}"))
    refuse_journal(journal.with_name(ending))


def test_folders_and_devices_are_not_replaced(tmp_path: Path, journal: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path(os.devnull)):
        with pytest.raises(BadInput, match="cannot be written: it is no ordinary file"):
            refuse_to_replace(path)
    with pytest.raises(BadInput, match="is a journal"):
        refuse_to_replace(journal)


def test_what_cannot_be_read_may_be_a_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(path: Path, mode: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    (tmp_path / "locked.db").touch()
    monkeypatch.setattr(Path, "open", locked)
    with pytest.raises(BadInput, match="may be a journal and cannot be read") as refused:
        refuse_journal(tmp_path / "locked.db")
    assert refused.value.code == "file-unwritable"


def test_a_link_to_a_journal_is_the_journal(journal: Path) -> None:
    journal.with_name("link").symlink_to(journal)
    with pytest.raises(BadInput):
        refuse_journal(journal.with_name("link"))
    shutil.copy(journal, journal.with_name("copy"))
    with pytest.raises(BadInput):
        refuse_journal(journal.with_name("copy"))

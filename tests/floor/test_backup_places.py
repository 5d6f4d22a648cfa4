"""Where backups and restored journals are put: under a free name and whole, or not at all."""

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from croupier.floor.backup.backup import LINES, Progress, StreamHead, make_backup
from croupier.floor.backup.restore import restore
from croupier.floor.verify.evidence import open_evidence
from croupier.journal import StoreError
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import BadInput
from floor.audit_journal import at_table, change_file, write, write_journal
from floor.audit_play import RandomTable
from floor.audit_scenes import roulette
from table.rig import Play

Making = Callable[[str, Path, Progress], list[StreamHead]]
OTHERS = b"what somebody else has begun to write meanwhile"

MAKING: dict[str, tuple[str, Making]] = {
    "backup-exists": ("new.db", lambda journal, path, tell: make_backup(journal, path, tell).heads),
    "journal-exists": ("new.db", lambda journal, path, tell: restore(Path(journal), str(path), tell)),
}


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return write_journal(tmp_path / "floor.db", roulette(), at_table("T2", RandomTable(6).rounds(60)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "new").mkdir()
    return tmp_path / "new"


def without_links(source: object, target: object) -> None:
    raise PermissionError(errno.EPERM, "Operation not permitted")


@pytest.fixture(params=["links", "no-links"])
def disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A disk as it is, and one that has no hard links."""
    if request.param == "no-links":
        monkeypatch.setattr(os, "link", without_links)
    return str(request.param)


@pytest.mark.parametrize("code", MAKING)
@pytest.mark.usefixtures("disk")
def test_a_file_that_appears_meanwhile_stays(journal: str, folder: Path, code: str) -> None:
    name, make = MAKING[code]
    path = folder / name

    def appear(stream: str, done: int, total: int) -> None:
        path.write_bytes(OTHERS)

    with pytest.raises(BadInput, match="meanwhile, and it stays as it is") as refused:
        make(journal, path, appear)
    assert refused.value.code == code
    assert path.read_bytes() == OTHERS
    assert [*folder.iterdir()] == [path]


@pytest.mark.parametrize("suffix", [".db", LINES])
@pytest.mark.usefixtures("disk")
def test_what_is_made_is_one_file_under_its_name(journal: str, folder: Path, suffix: str) -> None:
    path = folder / f"copy{suffix}"
    heads = make_backup(journal, path).heads
    assert [*folder.iterdir()] == [path]
    assert path.stat().st_nlink == 1
    assert restore(path, str(folder / "again.db")) == heads
    assert {file.name for file in folder.iterdir()} == {path.name, "again.db"}


def test_what_is_written_into_a_name_that_was_only_taken_stays(
    journal: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, opened = folder / "new.db", os.open

    def write_at_once(name: object, flags: int, *mode: int) -> int:
        descriptor = opened(name, flags, *mode)  # type: ignore[arg-type]  # whatever the caller gave
        if name == path and flags & os.O_EXCL:
            os.write(descriptor, OTHERS)
        return descriptor

    monkeypatch.setattr(os, "link", without_links)
    monkeypatch.setattr(os, "open", write_at_once)
    with pytest.raises(BadInput, match="meanwhile, and it stays as it is"):
        make_backup(journal, path)
    assert path.read_bytes() == OTHERS


def test_a_name_that_was_taken_is_given_back_where_nothing_can_be_put_there(
    journal: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(place: Path, path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", without_links)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BadInput, match="cannot be written: No space left on device") as refused:
        make_backup(journal, folder / "new.db")
    assert refused.value.code == "file-unwritable"
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("suffix", [".db", LINES])
def test_a_stream_without_a_head_is_not_left_out(journal: str, folder: Path, suffix: str) -> None:
    change_file(journal, "DELETE FROM heads WHERE table_id = 'T2'")
    with pytest.raises(StoreError, match=r"T2.* head says"):
        make_backup(journal, folder / f"copy{suffix}")
    assert [*folder.iterdir()] == []


# A full disk

ROOM = 40_000
"""In bytes: enough for what SQLite keeps beside a journal that is read, and for nothing more."""

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
from croupier.cli import main
sys.exit(main(sys.argv[2:]))
"""
"""A command in a process whose files may not grow beyond a size; what is there already is only read."""


def with_room(size: int, *words: str) -> tuple[int, str, str]:
    command = [sys.executable, "-c", LIMITED, str(size), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("suffix", [".db", LINES])
def test_a_target_without_room_is_blamed_and_not_the_journal(journal: str, folder: Path, suffix: str) -> None:
    path = folder / f"copy{suffix}"
    status, out, said = with_room(ROOM, "backup", journal, str(path), "--without-note")
    assert (status, out) == (2, "")
    assert said.startswith(f"croupier: {str(path)!r} cannot be written: ")
    assert "verify" not in said
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("suffix", [".db", LINES])
def test_a_journal_without_room_is_not_restored_and_the_backup_is_not_blamed(
    journal: str, folder: Path, suffix: str
) -> None:
    backup, path = folder / f"copy{suffix}", folder / "again.db"
    make_backup(journal, backup)
    status, out, said = with_room(ROOM, "restore", str(backup), str(path))
    assert (status, out) == (2, "")
    assert said.startswith(f"croupier: {str(path)!r} cannot be written: ")
    assert "verify" not in said
    assert [*folder.iterdir()] == [backup]


def test_a_projection_without_room_is_not_built(journal: str, folder: Path) -> None:
    status, out, said = with_room(ROOM, "project", journal, "--out", str(folder / "out.db"))
    assert (status, out) == (2, "")
    assert said.startswith(f"croupier: {str(folder / 'out.db')!r} cannot be written: ")
    assert [*folder.iterdir()] == []
    with closing(open_evidence(journal)) as evidence:
        assert evidence.tables() == ["T1", "T2"]


@pytest.mark.parametrize("code", MAKING)
@pytest.mark.usefixtures("disk")
def test_two_that_write_to_one_name_do_not_share_what_they_build(
    journal: str, folder: Path, code: str
) -> None:
    """The one that is whole first has the name, and the other is refused."""
    name, make = MAKING[code]
    path, inner = folder / name, list[bytes]()

    def second(stream: str, done: int, total: int) -> None:
        if not inner:
            inner.append(b"")
            make(journal, path, lambda *_: None)
            inner.append(path.read_bytes())

    with pytest.raises(BadInput) as refused:
        make(journal, path, second)
    assert refused.value.code == code
    assert path.read_bytes() == inner[1]
    assert [file.name for file in folder.iterdir()] == [name]


# Who may read it


@pytest.mark.parametrize("suffix", [".db", LINES])
@pytest.mark.usefixtures("disk")
def test_nobody_else_reads_a_backup_or_a_restored_journal(journal: str, folder: Path, suffix: str) -> None:
    """Nor what lies beside it while it is made: it has whole numbers of vouchers."""
    seen = set[int]()

    def look(stream: str, done: int, total: int) -> None:
        seen.update(stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir())

    before = os.umask(0)
    try:
        make_backup(journal, folder / f"copy{suffix}", look)
        restore(folder / f"copy{suffix}", str(folder / "again.db"), look)
        with closing(SqliteStore(folder / "again.db")) as store:
            write(store, at_table("T3", Play()))
            look("", 0, 0)
    finally:
        os.umask(before)
    assert seen == {0o600}

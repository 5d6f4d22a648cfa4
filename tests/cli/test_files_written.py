"""Whatever writes a file writes it whole, over an earlier one of its kind, and never over a journal."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.running import refusal, run
from croupier.floor.verify.evidence import SqliteEvidence
from croupier.journal import Record
from croupier.journal.guarding import is_journal
from croupier.journal.sqlite import SqliteStore
from floor.audit_journal import at_table, write_journal
from floor.audit_scenes import money_wheel, roulette

Words = Callable[[str, str], tuple[str, ...]]

WRITERS: dict[str, Words] = {
    "rows": lambda journal, out: ("export", journal, "--table", "T1", "--what", "rounds", "--out", out),
    "bundle": lambda journal, out: ("export", journal, "--table", "T1", "--bundle", "1", "--out", out),
    "project": lambda journal, out: ("project", journal, "--out", out),
    "picture": lambda journal, out: ("wheel", "mbs-roulette", "--svg", out),
    "integrity": lambda journal, out: ("integrity", out, "--write"),
}
"""Commands that replace the file that they are told to write."""


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return write_journal(tmp_path / "floor.db", roulette())


@pytest.fixture
def other(tmp_path: Path) -> Path:
    return Path(write_journal(tmp_path / "other.zip", at_table("T2", money_wheel())))


def contents(folder: Path) -> dict[str, bytes]:
    """What is in a folder, without the empty logs that SQLite keeps for whoever reads."""
    files = (path for path in folder.iterdir() if not path.name.endswith(("-wal", "-shm")))
    return {path.name: path.read_bytes() for path in files}


@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
def test_no_journal_is_overwritten(journal: str, other: Path, tmp_path: Path, words: Words) -> None:
    before = contents(tmp_path)
    assert "a journal is never overwritten" in refusal(*words(journal, str(other)))
    for ending in ("", "-wal", "-shm", ".projection"):
        said = refusal(*words(journal, f"{journal}{ending}"))
        assert "a journal is never overwritten. Name another file." in said
    assert contents(tmp_path) == before


def test_a_folder_with_a_journal_under_the_name_of_an_export_is_refused(journal: str, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    kept = write_journal(folder / "round.txt", at_table("T2", money_wheel()))
    before = Path(kept).read_bytes()
    words = ("export", journal, "--table", "T1", "--bundle", "1", "--out", str(folder))
    assert "is a journal" in refusal(*words)
    assert Path(kept).read_bytes() == before


@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
def test_an_earlier_file_is_replaced(journal: str, tmp_path: Path, words: Words) -> None:
    out = tmp_path / "out.zip"
    assert run(*words(journal, str(out))).status == 0
    written = contents(tmp_path)
    out.write_text("something else")
    assert run(*words(journal, str(out))).status == 0
    assert contents(tmp_path) == written
    assert {*written} == {"floor.db", "out.zip"}


@pytest.mark.parametrize("kind", ["rows", "project"])
def test_a_journal_that_appears_meanwhile_stays(
    journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    read, kept = SqliteEvidence.records, tmp_path / "out.db"

    def appear(evidence: SqliteEvidence, table: str, after: int = 0) -> Iterator[Record]:
        if not kept.exists():
            write_journal(kept, at_table("T2", money_wheel()))
        return read(evidence, table, after)

    monkeypatch.setattr(SqliteEvidence, "records", appear)
    assert "is a journal" in refusal(*WRITERS[kind](journal, str(kept)))
    assert is_journal(kept)
    assert {*contents(tmp_path)} == {"floor.db", "out.db"}


def test_a_device_is_not_replaced(journal: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.zip")
    (tmp_path / "link.zip").symlink_to("pipe.zip")
    for words in WRITERS.values():
        for name in ("pipe.zip", "link.zip"):
            assert "it is no ordinary file" in refusal(*words(journal, str(tmp_path / name)))
    assert (tmp_path / "pipe.zip").is_fifo()
    assert (tmp_path / "link.zip").is_symlink()


@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_stays_and_what_it_leads_to_is_replaced(
    journal: str, tmp_path: Path, words: Words, is_there: bool
) -> None:
    (tmp_path / "deep").mkdir()
    real, link = tmp_path / "deep" / "real.zip", tmp_path / "link.zip"
    (tmp_path / "middle").symlink_to("deep/real.zip")
    link.symlink_to("middle")
    if is_there:
        real.write_text("something else")
    assert run(*words(journal, str(link))).status == 0
    assert (link.readlink(), (tmp_path / "middle").readlink()) == (Path("middle"), Path("deep/real.zip"))
    written = real.read_bytes()
    assert run(*words(journal, str(tmp_path / "plain.zip"))).status == 0
    assert (tmp_path / "plain.zip").read_bytes() == written
    assert [*(tmp_path / "deep").iterdir()] == [real]


@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
def test_a_link_to_a_file_of_a_journal_is_refused(journal: str, tmp_path: Path, words: Words) -> None:
    (tmp_path / "link.zip").symlink_to("floor.db-journal")
    assert "a journal is never overwritten" in refusal(*words(journal, str(tmp_path / "link.zip")))
    assert not (tmp_path / "floor.db-journal").exists()


@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
def test_links_that_go_round_are_refused(journal: str, tmp_path: Path, words: Words) -> None:
    (tmp_path / "one.zip").symlink_to("two.zip")
    (tmp_path / "two.zip").symlink_to("one.zip")
    assert "cannot be" in refusal(*words(journal, str(tmp_path / "one.zip")))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="there are no names for open files here")
def test_what_a_shell_writes_to_is_not_replaced(journal: str, tmp_path: Path) -> None:
    """The file behind such a name may be one that lines are added to."""
    with (tmp_path / "rows.csv").open("w") as shell:
        shell.write("earlier\n")
        shell.flush()
        place = f"/proc/self/fd/{shell.fileno()}"
        (tmp_path / "link").symlink_to(place)
        for name in (place, f"/dev/fd/{shell.fileno()}", str(tmp_path / "link")):
            assert "it is no ordinary file" in refusal(*WRITERS["rows"](journal, name))
    assert (tmp_path / "rows.csv").read_text() == "earlier\n"


FOLDERS: dict[str, Words] = {
    "all rows": lambda journal, out: ("export", journal, "--table", "T1", "--out", out),
    "lab report": lambda journal, out: ("lab", "report", "mbs-roulette", "--out", out),
    "backup": lambda journal, out: ("backup", journal, out, "--without-note"),
}
"""Commands that write files into a folder."""


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal", ".projection", ".projection-wal"])
@pytest.mark.parametrize("below", ["", "/deep/rows.csv"])
@pytest.mark.parametrize("name", ["rows", "bundle", "integrity", "all rows", "lab report", "demo"])
def test_no_folder_is_made_under_the_name_of_a_log(
    journal: str, tmp_path: Path, name: str, below: str, ending: str
) -> None:
    words = (WRITERS | FOLDERS | {"demo": lambda journal, out: ("demo", "--data", out)})[name]
    for gone in tmp_path.glob("floor.db-*"):
        gone.unlink()
    said = refusal(*words(journal, f"{journal}{ending}{below}"))
    if not below or "Not a directory" not in said:  # a log is there while a journal is read
        assert f"belongs to the journal {journal!r}, and a journal is never overwritten" in said
    assert not Path(f"{journal}{ending}").is_dir()
    SqliteStore(journal).close()


@pytest.mark.parametrize("words", (WRITERS | FOLDERS).values(), ids=WRITERS | FOLDERS)
@pytest.mark.parametrize("out", ["", "/", "//"])
def test_no_place_is_a_sentence_and_writes_nothing(
    journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: Words, out: str
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    at_root = {*Path("/").iterdir()}
    assert f"{out!r} is no place to write to." in refusal(*words(journal, out))
    assert [*here.iterdir()] == []
    assert {*Path("/").iterdir()} == at_root


def test_a_backup_is_not_named_like_the_log_of_a_journal(journal: str, tmp_path: Path) -> None:
    copy = str(tmp_path / "copy.db")
    assert run("backup", journal, copy, "--without-note").status == 0
    for name in ("floor.db-journal", "copy.db-wal", "copy.db.projection"):
        said = refusal("backup", journal, str(tmp_path / name), "--without-note")
        assert "belongs to the journal" in said
        assert "belongs to the journal" in refusal("restore", copy, str(tmp_path / name))
    assert {*contents(tmp_path)} == {"floor.db", "copy.db"}


def test_what_has_whole_numbers_of_vouchers_is_for_its_maker_alone(journal: str, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        assert run("export", journal, "--table", "T1", "--out", str(tmp_path / "new")).status == 0
        assert run(*WRITERS["bundle"](journal, str(tmp_path / "new" / "b.zip"))).status == 0
        assert run(*WRITERS["bundle"](journal, str(tmp_path / "new" / "bundle"))).status == 0
        assert run(*WRITERS["project"](journal, str(tmp_path / "new" / "p.db"))).status == 0
        assert run(*WRITERS["integrity"](journal, str(tmp_path / "new" / "record.json"))).status == 0
    finally:
        os.umask(before)
    files = [path for path in (tmp_path / "new").rglob("*") if path.is_file()]
    private = {path.name for path in files if path.stat().st_mode & 0o077 == 0}
    bundle = {path.name for path in (tmp_path / "new" / "bundle").iterdir()}
    assert private == {"records.jsonl", "b.zip", "p.db", *bundle}
    assert {path.name for path in files} - private == {
        "rounds.csv",
        "bets.csv",
        "postings.csv",
        "meters.csv",
        "events.csv",
        "record.json",
    }

"""A path in a folder that the account may not enter: a sentence and status 2, never a misfit."""

from pathlib import Path

import pytest

from cli.forbidding import forbid
from cli.running import refusal, run
from croupier.cli import entry
from croupier.cli.command import Command, Output
from floor.audit_journal import write_journal
from floor.audit_scenes import roulette
from server.test_config import SMALL


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "secret"
    folder.mkdir()
    write_journal(folder / "j.db", roulette())
    (tmp_path / "link.db").symlink_to(folder / "j.db")
    forbid(monkeypatch, folder)
    return folder


@pytest.mark.parametrize("name", ["secret/j.db", "link.db", "secret/none.db", "secret/deep/j.db"])
@pytest.mark.parametrize(
    "words",
    [
        ("verify", "PATH"),
        ("report", "PATH", "--by", "table"),
        ("events", "PATH"),
        ("export", "PATH", "--table", "T1"),
        ("project", "PATH", "--out", "out.db"),
        ("backup", "PATH", "copy.db"),
        ("wheel-watch", "PATH"),
        ("admin", "staff", "list", "--journal", "PATH"),
    ],
    ids=lambda words: words[0],
)
def test_a_journal_that_cannot_be_looked_at_is_bad_input(
    secret: Path, tmp_path: Path, words: tuple[str, ...], name: str
) -> None:
    said = refusal(*(str(tmp_path / name) if word == "PATH" else word for word in words))
    assert "cannot be opened: Permission denied" in said


@pytest.mark.parametrize("name", ["secret/out", "secret/deep/out.db", "link.db"])
@pytest.mark.parametrize(
    "words",
    [
        ("export", "JOURNAL", "--table", "T1", "--what", "rounds", "--out", "PATH"),
        ("export", "JOURNAL", "--table", "T1", "--out", "PATH"),
        ("export", "JOURNAL", "--table", "T1", "--bundle", "1", "--out", "PATH"),
        ("project", "JOURNAL", "--out", "PATH"),
        ("backup", "JOURNAL", "PATH", "--without-note"),
        ("restore", "JOURNAL", "PATH"),
        ("wheel", "mbs-roulette", "--svg", "PATH"),
        ("integrity", "PATH", "--write"),
        ("clauses", "--tests", "PATH"),
    ],
    ids=lambda words: words[0],
)
def test_a_place_that_cannot_be_looked_at_is_bad_input(
    secret: Path, tmp_path: Path, words: tuple[str, ...], name: str
) -> None:
    journal = write_journal(tmp_path / "floor.db", roulette())
    named = {"JOURNAL": journal, "PATH": str(tmp_path / name)}
    said = refusal(*(named.get(word, word) for word in words))
    assert "Permission denied" in said or "cannot be" in said or "There is a" in said


@pytest.mark.parametrize(
    ("key", "file"), [("voucher_key", "secret/deep/voucher.key"), ("journal", "link.db")]
)
def test_a_floor_whose_files_another_account_keeps_is_sound(
    secret: Path, tmp_path: Path, key: str, file: str
) -> None:
    floor = tmp_path / "croupier.toml"
    journal = 'journal = "journal.db"\n'
    written = journal.replace("journal.db", file) if key == "journal" else f'{journal}{key} = "{file}"\n'
    floor.write_text(SMALL.replace(journal, written))
    ran = run("admin", "check", str(floor))
    assert (ran.status, ran.err) == (0, "")


def test_what_no_command_has_a_sentence_for_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(args: object) -> Output:
        raise PermissionError(13, "Permission denied", "/odd/place")

    monkeypatch.setitem(entry.COMMANDS, "odd", Command("odd", "", "odd", lambda parser: None, refused))
    assert refusal("odd") == "'/odd/place' cannot be used: Permission denied."


def test_a_pipe_that_nobody_reads_is_left_to_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(args: object) -> Output:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setitem(entry.COMMANDS, "odd", Command("odd", "", "odd", lambda parser: None, broken))
    with pytest.raises(BrokenPipeError):
        run("odd")

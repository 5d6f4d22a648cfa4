"""Commands that write to a journal of an older schema show on a terminal how far they have brought it."""

import os
import pty
import re
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from cli.running import run, run_process
from floor.audit_journal import write_old_journal
from floor.audit_play import RandomTable


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return write_old_journal(tmp_path / "old.db", RandomTable(8).rounds(100))


def version_of(journal: str) -> int:
    with closing(sqlite3.connect(journal)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def on_a_terminal(*words: str) -> tuple[int, str]:
    """Runs a command whose standard error is a terminal; how it ended, and what stood there."""
    ours, theirs = pty.openpty()
    shown: list[bytes] = []

    def look() -> None:
        try:
            while chunk := os.read(ours, 1_024):
                shown.append(chunk)
        except OSError:  # the other end is gone
            return

    looking = threading.Thread(target=look)
    looking.start()
    try:
        command = [sys.executable, "-m", "croupier", *words]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, check=False)
    finally:
        os.close(theirs)
        looking.join()
        os.close(ours)
    return done.returncode, b"".join(shown).decode()


def left_standing(shown: str) -> str:
    """What is on the last line of a terminal in the end."""
    line = ""
    for part in shown.rpartition("\n")[2].split("\r"):
        line = part + line[len(part) :]
    return line.rstrip()


@pytest.mark.parametrize(
    "words",
    [
        ("admin", "staff", "list", "--journal", "JOURNAL"),
        ("backup", "JOURNAL", "COPY"),
    ],
)
def test_a_bar_shows_how_far_it_is_and_is_gone_in_the_end(
    journal: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    places = {"JOURNAL": journal, "COPY": str(tmp_path / "copy.db")}

    status, shown = on_a_terminal(*(places.get(word, word) for word in words))

    assert status == 0, shown
    assert re.search(r"\[\.{30}\] Bringing the journal forward: 0 of [0-9],[0-9]{3} records", shown)
    assert re.search(r"\[#{30}\] Writing it to the disk: ([0-9],[0-9]{3}) of \1 records", shown)
    assert left_standing(shown) == ""
    assert version_of(journal) == 2


def test_where_nobody_watches_nothing_is_drawn(journal: str) -> None:
    ran = run_process("admin", "staff", "list", "--journal", journal)
    assert (ran.status, ran.err) == (0, "")
    assert version_of(journal) == 2


@pytest.fixture
def floor(journal: str, tmp_path: Path) -> tuple[str, ...]:
    """A floor that is refused once its journal is open: the journal is not one of a demonstration."""
    folder = tmp_path / "data"
    folder.mkdir()
    Path(journal).rename(folder / "journal.db")
    return "serve", "--demonstration", "--data", str(folder), "--port", "0"


def test_a_server_on_a_terminal_shows_the_bar(floor: tuple[str, ...]) -> None:
    status, shown = on_a_terminal(*floor)
    assert status == 2
    assert re.search("Bringing the journal forward: 0 of [0-9],", shown)
    assert "older schema" not in shown
    # The line is free again when the next thing is said.
    assert left_standing(shown.rpartition("croupier: ")[0]) == ""


def test_a_server_elsewhere_has_it_in_its_log(floor: tuple[str, ...]) -> None:
    ran = run_process(*floor)
    assert ran.status == 2
    assert re.search("the journal is of an older schema and is brought forward: [0-9]", ran.err)
    assert '"message": "the journal is brought forward"' in ran.err
    assert "\r" not in ran.err


def test_what_only_reads_takes_an_old_journal_as_it_is(journal: str) -> None:
    status, shown = on_a_terminal("export", journal, "--table", "T1", "--what", "rounds")
    assert (status, shown) == (0, "")
    assert run("verify", journal).status == 0
    assert version_of(journal) == 1

"""Every command with a path that leads nowhere: one sentence, status 2, and nothing is written."""

from pathlib import Path

import pytest

from cli.forbidding import forbid
from cli.running import refusal
from floor.audit_journal import write_journal
from floor.audit_scenes import roulette

ODD = {
    "folder": "HERE",
    "empty": "",
    "missing parent": "HERE/no/such",
    "long name": f"HERE/{'x' * 300}",
    "long folder": f"HERE/{'x' * 300}/y",
    "null character": "HERE/a\0b",
    "below a file": "HERE/floor.db/x",
    "forbidden": "HERE/secret/x",
}

READING = [
    ("check", "PATH"),
    ("bets", "PATH"),
    ("announced", "PATH"),
    ("settle", "PATH", "--result", "17", "--bet", "red=5"),
    ("odds", "PATH"),
    ("clauses", "PATH"),
    ("wheel", "PATH"),
    ("wheel-watch", "PATH"),
    ("wheel-watch", "JOURNAL", "--book", "PATH"),
    ("wheel-emulator", "--pty", "--book", "PATH"),
    ("wheel-monitor", "--play", "PATH"),
    ("verify", "PATH"),
    ("verify", "JOURNAL", "--book", "PATH"),
    ("export", "PATH", "--table", "T1"),
    ("export", "JOURNAL", "--table", "T1", "--book", "PATH"),
    ("project", "PATH", "--out", "HERE/out.db"),
    ("project", "JOURNAL", "--out", "HERE/out.db", "--book", "PATH"),
    ("report", "PATH", "--by", "table"),
    ("events", "PATH"),
    ("backup", "PATH", "HERE/out.db"),
    ("restore", "PATH", "HERE/out.db"),
    ("integrity", "PATH"),
    ("integrity", "HERE/record.json", "--write", "--book", "PATH"),
    ("fair", "PATH", "T1", "--all"),
    ("fair", "JOURNAL", "T1", "--all", "--book", "PATH"),
    ("admin", "check", "PATH"),
    ("admin", "staff", "list", "--journal", "PATH"),
    ("admin", "staff", "list", "--floor", "PATH"),
    ("serve", "PATH"),
    ("lab", "report", "PATH", "--out", "HERE/out"),
    ("lab", "simulate", "mbs-roulette", "--system", "PATH.py:b", "--bet", "red", "--bankroll", "5"),
]
WRITING = [
    ("wheel", "mbs-roulette", "--svg", "PATH"),
    ("project", "JOURNAL", "--out", "PATH"),
    ("restore", "JOURNAL", "PATH"),
    ("wheel-monitor", "127.0.0.1:1", "--record", "PATH"),
]
IN_FOLDERS = [
    ("clauses", "--tests", "PATH"),
    ("backup", "JOURNAL", "PATH", "--without-note"),
]
"""A folder is right here."""
MAKING_FOLDERS = [
    ("integrity", "PATH", "--write"),
    ("export", "JOURNAL", "--table", "T1", "--what", "rounds", "--out", "PATH"),
    ("export", "JOURNAL", "--table", "T1", "--out", "PATH"),
    ("export", "JOURNAL", "--table", "T1", "--bundle", "1", "--out", "PATH"),
    ("lab", "report", "mbs-roulette", "--sessions", "10", "--out", "PATH"),
    ("demo", "--data", "PATH"),
]
"""So it is here, and those above it are made."""

CASES = [
    pytest.param(words, path, id=f"{' '.join(words)}-{name}")
    for commands, right in (
        (READING, ()),
        (WRITING, ()),
        (IN_FOLDERS, ("folder",)),
        (MAKING_FOLDERS, ("folder", "missing parent")),
    )
    for words in commands
    for name, path in ODD.items()
    if name not in right
]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    write_journal(folder / "floor.db", roulette())
    (folder / "secret").mkdir()
    (folder / "empty").mkdir()
    return folder


@pytest.mark.parametrize(("words", "path"), CASES)
def test_a_path_that_leads_nowhere(
    here: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], path: str
) -> None:
    monkeypatch.chdir(here / "empty")
    with monkeypatch.context() as faults:
        forbid(faults, here / "secret")
        named = (word.replace("JOURNAL", "HERE/floor.db").replace("PATH", path) for word in words)
        refusal(*(word.replace("HERE", str(here)) for word in named))
    found = {str(file.relative_to(here)) for file in here.rglob("*")}
    assert found - {"floor.db-wal", "floor.db-shm"} == {"floor.db", "secret", "empty"}

"""Whatever reads a file refuses what is none: a pipe would wait for ever, and a device may never end."""

import os
from pathlib import Path

import pytest

from cli.running import refusal

READERS = {
    "check": ("check", "FILE"),
    "book": ("wheel", "FILE"),
    "own book": ("verify", "none.db", "--book", "FILE"),
    "floor": ("admin", "check", "FILE"),
    "floor of staff": ("admin", "staff", "list", "--floor", "FILE"),
    "serve": ("serve", "FILE"),
    "backup": ("restore", "FILE", "new.db"),
    "integrity": ("integrity", "FILE"),
    "recording": ("wheel-monitor", "--play", "FILE"),
    "own system": (
        "lab",
        "simulate",
        "mbs-roulette",
        "--system",
        "FILE.py:best",
        "--bet",
        "red",
        "--bankroll",
        "5",
    ),
}


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
@pytest.mark.parametrize("name", ["null", "pipe"])
def test_what_is_no_ordinary_file_is_not_read(tmp_path: Path, words: tuple[str, ...], name: str) -> None:
    file = str(tmp_path / f"{name}.toml")
    for path in (file, f"{file}.py"):
        if name == "pipe":
            os.mkfifo(path)
        else:
            Path(path).symlink_to(os.devnull)
    said = refusal(*(word.replace("FILE", file) for word in words))
    assert "it is no ordinary file" in said


def test_a_recording_is_not_added_to_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", os.devnull):
        words = ("wheel-monitor", "127.0.0.1:1", "--record", str(tmp_path / name))
        assert "it is no ordinary file" in refusal(*words)

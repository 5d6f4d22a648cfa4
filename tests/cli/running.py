"""Runs the command line: in this process, where that is enough, or as a process of its own."""

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from croupier.cli import main

BOOKS: Final = Path(__file__).parents[2] / "src" / "croupier" / "rulebook" / "books"
LAYOUTS: Final = [
    ("mbs-roulette", "main"),
    ("rws-roulette-00", "A"),
    ("rws-roulette-00", "B"),
    ("rws-roulette-000", "main"),
    ("rws-money-wheel", "main"),
]


class Ran(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The answer to a command with `--json`; keys stand in the order in which they were printed."""
        assert (self.status, self.err) == (0, "")
        return json.loads(self.out)


def run(*words: str) -> Ran:
    """Runs a command in this process."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        status = main(words)
    return Ran(status, out.getvalue(), err.getvalue())


def run_process(*words: str, stdout: int = subprocess.PIPE, cwd: Path | None = None, **settings: str) -> Ran:
    """Runs a command as a process of its own, with further settings in its environment."""
    done = subprocess.run(
        [sys.executable, "-m", "croupier", *words],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "", **settings},
        check=False,
    )
    return Ran(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())


def refusal(*words: str) -> str:
    """What a command with bad input says: status 2, nothing on standard output, one line of sentences."""
    ran = run(*words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("croupier: ")
    assert ran.err.endswith("\n")
    assert ran.err.count("\n") == 1
    return ran.err.removeprefix("croupier: ").rstrip("\n")

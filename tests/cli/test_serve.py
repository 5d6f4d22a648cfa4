"""Serving a floor from the command line: a process of its own, real sockets, real signals."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.running import refusal, run

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@contextmanager
def serving(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process and its address; it is told to end where a test did not."""
    process = subprocess.Popen(
        [sys.executable, "-m", "croupier", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if (found := ADDRESS.search(line)) is not None:
                yield process, found[0]
                break
        else:
            raise AssertionError(process.communicate()[1])
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def until(holds: Callable[[], bool]) -> None:
    """Waits for what the other process has to do; a minute is more than it ever takes."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def ask(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=10) as response:
        return json.load(response)


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_the_demonstration_floor_serves_until_it_is_stopped(tmp_path: Path, signum: signal.Signals) -> None:
    data = str(tmp_path / "data")
    with serving("serve", "--demonstration", "--data", data, "--port", "0", "--bots", "0") as (process, url):
        assert ask(f"{url}/health") == {"status": "alive"}
        tables = ask(f"{url}/api/tables")
        assert len({(table["book"], table["layout"]) for table in tables}) == 5
        process.send_signal(signum)
        out, err = process.communicate(timeout=30)
        assert process.returncode == 0, err
        assert "croupier has stopped." in out
    verified = run("verify", f"{data}/journal.db")
    assert verified.status == 0, verified.out


def test_a_demonstration_goes_on_after_a_stop_in_the_middle_of_a_round_and_bots_play_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("demo", "--data", str(tmp_path / "data"), "--port", "0", "--bots", "1", "--speed", "20")
    with serving(*words) as (process, url):
        until(lambda: all(table["round"] is not None for table in ask(f"{url}/api/tables")))
        process.kill()
        process.wait()
    with serving(*words) as (process, url):
        until(lambda: all(table["round_number"] >= 2 for table in ask(f"{url}/api/tables")))
        for table in ask(f"{url}/api/tables"):
            assert {"round": 1, "result": None} in table["outcomes"]
        until(lambda: ask(f"{url}/api/tables/triple-zero")["round"] is not None)
        bots_play(url, monkeypatch)


def bots_play(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Further bots sit down at a table where a round runs; their books agree with the floor's."""
    monkeypatch.setenv("CROUPIER_PASSWORD", "demonstration")
    words = ["--url", url, "--table", "triple-zero", "--seats", "3", "--seconds", "6", "--think", "0.2"]
    ran = run("bots", *words, "--json")
    assert ran.status == 0, ran.err
    report = json.loads(ran.out)
    assert report["bets"] > 0
    assert report["books_that_disagree"] == []
    monkeypatch.setenv("CROUPIER_PASSWORD", "not the password")
    assert "password" in refusal("bots", *words)


def test_bad_input_is_refused_before_anything_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_PASSWORD", "whatever")
    assert "not both" in refusal("serve")
    assert "cannot be opened" in refusal("serve", str(tmp_path / "absent.toml"))
    (tmp_path / "croupier.toml").write_text('[floor]\nname = "X"\ntabels = 3\n')
    ran = run("serve", str(tmp_path / "croupier.toml"))
    assert ran.status == 2
    assert "croupier.toml:3:" in ran.err
    assert "faults" in ran.err
    assert not (tmp_path / "data").exists()
    assert "bots" in refusal("demo", "--bots", "99", "--data", str(tmp_path / "data"))
    assert "cannot play" in refusal("bots", "--table", "T", "--seats", "0")
    assert "no floor at" in refusal("bots", "--table", "T", "--url", "http://127.0.0.1:1")

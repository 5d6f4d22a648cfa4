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
from server.test_config import SMALL

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


def test_a_demonstration_floor_of_ones_own_is_set_up_and_started_again_and_lets_its_people_in(
    tmp_path: Path,
) -> None:
    file = tmp_path / "croupier.toml"
    wheel = 'betting_seconds = 30\nwheel = { source = "simulated" }'
    small = SMALL.replace("[listen]", "demonstration = true\n\n[listen]").replace(
        "betting_seconds = 30", wheel
    )
    file.write_text(small, encoding="utf-8")
    assert run("admin", "tables", "create", "--floor", str(file)).status == 0
    assert (
        run("admin", "staff", "add", "own-dealer", "--floor", str(file), "--position", "dealer").status == 0
    )
    for _ in range(2):
        with serving("serve", str(file), "--port", "0") as (process, url):
            assert process.stdout is not None
            assert 'Sign in with the password "demonstration" as' in process.stdout.readline()
            body = json.dumps({"name": "dealer", "password": "demonstration"}).encode()
            asked = urllib.request.Request(
                f"{url}/api/sign-in", body, {"Content-Type": "application/json", "Origin": url}
            )
            with urllib.request.urlopen(asked, timeout=10) as response:
                assert response.status == 200
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_demonstration_floor_serves_until_it_is_stopped(tmp_path: Path, signum: signal.Signals) -> None:
    data = str(tmp_path / "data")
    with serving("serve", "--demonstration", "--data", data, "--port", "0", "--bots", "0") as (process, url):
        assert ask(f"{url}/health") == {"status": "alive"}
        tables = ask(f"{url}/api/tables")
        assert len({(table["book"], *table["layouts"]) for table in tables}) == 4
        assert sum(len(table["layouts"]) for table in tables) == 5
        process.send_signal(signum)
        out, err = process.communicate(timeout=30)
        assert process.returncode == 0, err
        assert "croupier has stopped." in out
    verified = run("verify", f"{data}/journal.db")
    assert verified.status == 0, verified.out
    assert "it was asked to" in run("events", f"{data}/journal.db", "--code", "server-stopped").out


FLOOR = """\
[floor]
name = "Pit"
site = "Example"
journal = "data/journal.db"
voucher_key = "voucher.key"

[listen]
port = 0

[[table]]
id = "T1"
book = "mbs-roulette"
seats = 1
lock_up = 1000
voucher_limit = 500

[table.limits]
every-bet = [1, 100]
"""


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ('voucher_key = "absent/voucher.key"', "no-folder"),
        ('voucher_key = "folder"', "voucher-key-unusable"),
        (f'voucher_key = "{"x" * 300}"', "voucher-key-unusable"),
        ('voucher_key = "croupier.toml/voucher.key"', "voucher-key-unusable"),
        ('voucher_key = "a\\u0000b"', "control-character"),
        ('voucher_key = "empty.key"', "bad-voucher-key"),
        ('journal = "a\\u0000b"', "control-character"),
        ('journal = "postgresql:///a\\u0000b"', "control-character"),
        ('journal = "folder"', "bad-path"),
        ('journal = "croupier.toml/journal.db"', "bad-path"),
        (f'journal = "{"x" * 300}"', "bad-path"),
        ('integrity = "a\\u0000b"', "control-character"),
        ('integrity = "nope.json"', "manifest-unreadable"),
        ('integrity = "folder"', "manifest-unreadable"),
        ('integrity = "empty.key"', "manifest-unreadable"),
        (f'integrity = "{"x" * 300}"', "manifest-unreadable"),
    ],
)
def test_files_that_cannot_be_used_are_refused_by_the_check_and_by_a_start(
    tmp_path: Path, given: str, code: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.key").write_bytes(b"")
    key = given.partition(" ")[0]
    lines = [line for line in FLOOR.splitlines() if not line.startswith(f"{key} =")]
    lines.insert(1, given)
    file = tmp_path / "croupier.toml"
    file.write_text("\n".join(lines))
    for words in (("admin", "check"), ("serve",)):
        ran = run(*words, str(file))
        assert ran.status == 2
        assert ran.err.count(f"[{code}]") == 1, ran.err
        assert "has 1 fault:" in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["croupier.toml", "empty.key", "folder"]


def test_a_key_may_be_in_the_folder_that_is_made_for_the_journal(tmp_path: Path) -> None:
    file = tmp_path / "croupier.toml"
    file.write_text(FLOOR.replace('"voucher.key"', '"data/voucher.key"'))
    assert run("admin", "check", str(file)).status == 0
    with serving("serve", str(file)) as (process, url):
        assert ask(f"{url}/ready")["ready"]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    assert len((tmp_path / "data" / "voucher.key").read_bytes()) == 32


@pytest.mark.parametrize("port", ["99999", "-1", "65536"])
def test_a_port_that_is_none_is_refused(tmp_path: Path, port: str) -> None:
    file = tmp_path / "croupier.toml"
    file.write_text(FLOOR)
    data = str(tmp_path / "data")
    assert "from 0 to 65535" in refusal("serve", str(file), f"--port={port}")
    assert "from 0 to 65535" in refusal("demo", "--data", data, f"--port={port}")
    assert not (tmp_path / "data").exists()


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

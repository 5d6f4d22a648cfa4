"""`croupier wheel-emulator` and `croupier wheel-monitor`: one speaks, the other listens and records."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.running import refusal, run
from croupier.wheel.recording import read_recording

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "wheel-line.jsonl")


@contextmanager
def emulator(*words: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """An emulator in a process of its own, and where it is heard."""
    command = [sys.executable, "-m", "croupier", "wheel-emulator", "--json", "--speed", "40", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["address"], process
        finally:
            process.terminate()
            process.stdout.read()


@pytest.mark.parametrize("line", [("--pty",), ("--tcp", "127.0.0.1:0")], ids=["pty", "tcp"])
def test_what_the_emulator_speaks_the_monitor_records(tmp_path: Path, line: tuple[str, ...]) -> None:
    recorded = tmp_path / "line.jsonl"
    with emulator(*line, "--seed", "4", "--book", "rws-roulette-00") as (address, _):
        heard = run(
            "wheel-monitor", address, "--book", "rws-roulette-00", "--spins", "1", "--record", str(recorded)
        )
    assert (heard.status, heard.err) == (0, "")
    assert "the line is open" in heard.out
    assert "the spin has begun" in heard.out
    assert any(row.what == "line" and row.text.startswith("*X;5;") for row in read_recording(recorded))
    played = run("wheel-monitor", "--play", str(recorded), "--book", "rws-roulette-00")
    assert played.out == heard.out, "a recording shows what was shown live"


def test_an_emulator_ends_after_its_spins_and_a_seed_repeats_them() -> None:
    def life(seed: str) -> list[Any]:
        words = (
            "--tcp",
            "127.0.0.1:0",
            "--seed",
            seed,
            "--spins",
            "3",
            "--speed",
            "1000",
            "--fault",
            "garbage:1",
        )
        ran = run("wheel-emulator", *words, "--json")
        assert (ran.status, ran.err) == (0, "")
        return [json.loads(row) for row in ran.out.splitlines()][1:]

    spins = life("3")
    assert [(spin["spin"], spin["fault"]) for spin in spins] == [
        (1, "garbage"),
        (2, "garbage"),
        (3, "garbage"),
    ]
    assert life("3") == spins
    assert life("4") != spins


def test_an_emulator_in_words() -> None:
    ran = run("wheel-emulator", "--pty", "--seed", "3", "--spins", "1", "--speed", "1000")
    address, spin = ran.out.splitlines()
    assert address.startswith("The wheel of mbs-roulette is on /")
    assert spin.startswith("spin 1: ")
    assert not Path(address.rpartition(" ")[2]).exists(), "its line is gone with it"


def test_a_recording_for_programs() -> None:
    rows = [json.loads(row) for row in run("wheel-monitor", "--play", EXAMPLE, "--json").out.splitlines()]
    assert rows[0] == {"at_ms": 1_700_000_000_000, "what": "opened", "text": ""}
    signals = [row for row in rows if "signal" in row]
    assert {row["signal"] for row in signals} == {
        "ready",
        "ball-in-rim",
        "no-more-bets",
        "at-rest",
        "fault",
        "cleared",
    }
    assert [row["pocket"] for row in signals if row["signal"] == "at-rest"] == ["15", None]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("wheel-emulator",), "The wheel needs one line. Write --pty or --tcp HOST:PORT."),
        (("wheel-emulator", "--pty", "--tcp", "a:1"), "The wheel needs one line."),
        (("wheel-emulator", "--tcp", "nowhere"), "'nowhere' is no address."),
        (("wheel-emulator", "--tcp", "127.0.0.1:70000"), "'127.0.0.1:70000' is no address."),
        (("wheel-emulator", "--tcp", "a..b:0"), "'a..b:0' is no address: no host has such a name."),
        (("wheel-emulator", "--pty", "--speed", "0"), "A wheel cannot run at 0.0 times its speed."),
        (("wheel-emulator", "--pty", "--speed", "nan"), "A wheel cannot run at nan times its speed."),
        (("wheel-emulator", "--pty", "--spins", "0"), "0 spins are none."),
        (("wheel-emulator", "--pty", "--fault", "rain"), "This wheel has no fault 'rain'."),
        (("wheel-emulator", "--pty", "--fault", "garbage:7"), "'7' is not a rate."),
        (
            ("wheel-emulator", "--pty", "--book", "rws-money-wheel"),
            "There is no sensor wheel for rws-money",
        ),
        (("wheel-monitor",), "It has to be one line, live or from a recording."),
        (("wheel-monitor", "a:1", "--play", "b"), "It has to be one line, live or from a recording."),
        (("wheel-monitor", "--play", "a", "--record", "b"), "A recording cannot be recorded."),
        (("wheel-monitor", "--play", "nothing.jsonl"), "The recording 'nothing.jsonl' cannot be read"),
        (("wheel-monitor", "a:1", "--spins", "0"), "0 spins are none."),
        (("wheel-monitor", "a..b:4001"), "'a..b:4001' is no address: no host has such a name."),
        (("wheel-monitor", "127.0.0.1:99999"), "'127.0.0.1:99999' is no address: no host has such a port."),
        (("wheel-monitor", "127.0.0.1:0"), "'127.0.0.1:0' is no address: no host has such a port."),
        (("wheel-monitor", "[::1]:123456"), "'[::1]:123456' is no address: no host has such a port."),
        (("wheel-monitor", f"{'a' * 64}:4001"), f"'{'a' * 64}:4001' is no address"),
        (("wheel-monitor", "a:1", "--record", "no/where.jsonl"), "The recording cannot be written"),
        (("wheel-monitor", "--play", EXAMPLE, "--book", "rws-money-wheel"), "There is no sensor wheel"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(words: tuple[str, ...], said: str) -> None:
    assert refusal(*words).startswith(said)


def test_a_recording_from_after_the_year_9999_is_refused(tmp_path: Path) -> None:
    last = 253_402_300_799_999
    (tmp_path / "last.jsonl").write_text(f'{{"at_ms": {last}, "what": "opened"}}\n')
    (tmp_path / "late.jsonl").write_text(f'{{"at_ms": {last + 1}, "what": "opened"}}\n')
    assert (
        run("wheel-monitor", "--play", str(tmp_path / "last.jsonl")).out == "23:59:59.999  the line is open\n"
    )
    said = refusal("wheel-monitor", "--play", str(tmp_path / "late.jsonl"))
    assert said.startswith("Line 1 of ")


def test_a_port_that_is_taken_is_refused() -> None:
    with emulator("--tcp", "127.0.0.1:0") as (address, _):
        assert refusal("wheel-emulator", "--tcp", address).startswith(
            f"The wheel cannot be heard at {address}"
        )

"""The command as a process of its own: help, streams, status."""

import os
from pathlib import Path

import pytest

import croupier
from cli.running import BOOKS, run, run_process


def test_the_command_alone_prints_help() -> None:
    ran = run_process()
    assert (ran.status, ran.err) == (0, "")
    assert ran == run_process("--help") == run_process("-h")
    for name in ("books", "bets", "announced", "settle", "odds", "clauses", "wheel", "check"):
        assert f"\n  {name} " in ran.out
    assert "\nexamples:\n" in ran.out


def test_every_example_of_the_help_runs(tmp_path: Path) -> None:
    examples = run().out.partition("examples:\n")[2].splitlines()
    assert len(examples) == 6
    for example in examples:
        ran = run_process(*example.split()[1:], cwd=tmp_path)
        assert (ran.status, bool(ran.out)) == (0, True), example


@pytest.mark.parametrize(
    "command", ["books", "bets", "announced", "settle", "odds", "clauses", "wheel", "check"]
)
def test_every_command_explains_itself(command: str) -> None:
    ran = run(command, "-h")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: croupier {command} ")
    assert "--json" in ran.out


def test_the_version() -> None:
    for word in ("--version", "-V"):
        assert run(word) == (0, f"croupier {croupier.__version__}\n", "")


def test_a_process_says_what_the_function_says() -> None:
    for words in (("odds", "mbs-roulette", "--json"), ("bets", "absent"), ("wheel", "rws-roulette-00")):
        assert run_process(*words) == run(*words)


@pytest.mark.parametrize("words", [("bets", "mbs-roulette"), ("bets", "-h"), ("clauses", "--json"), ()])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_seen_enough_ends_the_command_quietly(
    words: tuple[str, ...], unbuffered: str
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = run_process(*words, stdout=writing, PYTHONUNBUFFERED=unbuffered)
    finally:
        os.close(writing)
    assert (ran.status, ran.err) == (0, "")


def test_an_output_that_cannot_be_written_is_reported() -> None:
    cannot_write = os.open(os.devnull, os.O_RDONLY)
    try:
        ran = run_process("books", stdout=cannot_write)
    finally:
        os.close(cannot_write)
    assert ran.status == 74, "no verdict of a command that checks something"
    assert ran.err.startswith("croupier: The output cannot be written: ")
    assert ran.err.count("\n") == 1


@pytest.fixture
def accented(tmp_path: Path) -> str:
    """A book whose title no ASCII terminal can show."""
    text = (BOOKS / "mbs-roulette.toml").read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    path.write_text(text.replace('"Electronic Roulette"', '"Roulette \u00e0 z\u00e9ro"'), encoding="utf-8")
    return str(path)


def test_a_terminal_that_knows_ascii_only_gets_a_stand_in(accented: str) -> None:
    ran = run_process("bets", accented, PYTHONIOENCODING="ascii")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("mbs-roulette (Roulette ? z?ro), layout main: 157 legal bets\n")


def test_json_is_the_same_for_every_terminal(accented: str) -> None:
    words = ("announced", accented, "--json")
    assert run_process(*words, PYTHONIOENCODING="ascii") == run_process(*words)


def test_a_refusal_reaches_an_ascii_terminal_too() -> None:
    ran = run_process("bets", "z\u00e9ro", PYTHONIOENCODING="ascii")
    assert (ran.status, ran.out) == (2, "")
    assert "'z\\xe9ro'" in ran.err


def test_nothing_heavy_is_loaded_for_a_table() -> None:
    ran = run_process("odds", "mbs-roulette", PYTHONPROFILEIMPORTTIME="1")
    loaded = {line.rpartition("|")[2].strip() for line in ran.err.splitlines()}
    assert "croupier.cli.entry" in loaded
    assert not loaded & {"numpy", "scipy", "numba", "matplotlib", "croupier.lab"}

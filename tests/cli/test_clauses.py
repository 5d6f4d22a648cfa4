"""`croupier clauses`."""

import shutil
from pathlib import Path

import pytest

import croupier
from cli.running import run, run_process
from croupier.rulebook import load_book, shipped_books


@pytest.mark.parametrize("book", shipped_books())
def test_clauses_of_a_book_as_json(book: str) -> None:
    listed = run("clauses", book, "--json").json
    assert [entry["clause"] for entry in listed] == [*load_book(book).clauses]
    for entry in listed:
        assert [*entry] == ["clause", "kind", "summary", "tests"]
        assert entry["clause"].startswith(f"{book}:")


def test_clauses_of_all_books_follow_each_other() -> None:
    every = run("clauses", "--json").json
    assert every == [entry for book in shipped_books() for entry in run("clauses", book, "--json").json]


def test_clauses_for_people() -> None:
    out = run("clauses", "rws-money-wheel").out
    lines = out.splitlines()
    assert lines[0] == "rws-money-wheel (Money Wheel): 42 clauses"
    assert lines[2].split() == ["CLAUSE", "KIND", "TESTS", "SUMMARY"]
    assert lines[3].split()[:2] == ["rws-money-wheel:1.1", "definition"]
    assert max(map(len, lines)) <= 100
    for clause in load_book("rws-money-wheel").clauses.values():
        assert all(word in out for word in clause.summary.split())


def test_the_readings_of_a_book_are_printed_as_such() -> None:
    lines = run("clauses", "mbs-roulette").out.splitlines()
    readings = lines[lines.index("What the text leaves open, and how it is read:") :]
    assert readings[1].startswith("  pocket-order: ")
    assert "23/24 is used." in " ".join(readings)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The package as an installation has it: without the folder of tests beside it."""
    folder = tmp_path / "site"
    shutil.copytree(
        Path(croupier.__file__).parent, folder / "croupier", ignore=shutil.ignore_patterns("*.pyc")
    )
    return folder


def test_without_tests_the_clauses_have_empty_lists(installed: Path) -> None:
    ran = run_process("clauses", "--json", cwd=installed, PYTHONPATH=str(installed))
    assert {tuple(entry["tests"]) for entry in ran.json} == {()}


def test_without_tests_there_is_nothing_to_trace(installed: Path) -> None:
    ran = run_process("clauses", "--trace", cwd=installed, PYTHONPATH=str(installed))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "croupier: There is no folder of tests here to trace clauses to. "
        "Run it in a source checkout, or name the folder with --tests DIR.\n"
    )


def test_tests_that_happen_to_lie_near_an_installation_are_not_its_own(installed: Path) -> None:
    (installed.parent / "tests").mkdir()
    ran = run_process("clauses", "--trace", cwd=installed, PYTHONPATH=str(installed))
    assert (ran.status, ran.out) == (2, "")


def test_an_installation_takes_the_tests_of_the_folder_one_stands_in(installed: Path) -> None:
    (installed / "tests").mkdir()
    (installed / "tests" / "test_a.py").write_text(
        'import clauses\n\n@clauses.clause("mbs-roulette:5.1")\ndef test_a(): ...\n'
    )
    ran = run_process("clauses", "mbs-roulette", "--json", cwd=installed, PYTHONPATH=str(installed))
    assert [entry["clause"] for entry in ran.json if entry["tests"] == ["tests/test_a.py::test_a"]] == [
        "mbs-roulette:5.1"
    ]

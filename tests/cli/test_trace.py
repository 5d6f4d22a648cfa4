"""Finding the tests that show a clause, in their sources."""

from pathlib import Path

import pytest

from cli.running import Ran, refusal, run, run_process

MARKED = '''
import pytest
from clauses import clause

CASES = [pytest.param(1, marks=clause("mbs-roulette:5.5")), pytest.param(2)]
CASES = [*CASES, pytest.param(3, marks=clause("mbs-roulette:5.9"))]
CASES += [pytest.param(4, marks=clause("mbs-roulette:5.10"))]


@clause("mbs-roulette:5.1", "mbs-roulette:5.2")
def test_function():
    """A mark may name several clauses."""


@pytest.mark.clause("mbs-roulette:5.1")
async def test_written_out():
    """The marker by its full name."""


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(1, marks=clause("mbs-roulette:5.3")),
        pytest.param(2, marks=[clause("mbs-roulette:5.4"), pytest.mark.usefixtures("tmp_path")]),
        3,
    ],
)
def test_cases(case):
    """Marks on single cases count for the test."""


@pytest.mark.parametrize("case", CASES)
def test_cases_from_a_table(case):
    """A table of cases is followed."""


@clause("mbs-roulette:5.6")
class TestClass:
    pytestmark = [clause("mbs-roulette:5.7")]

    @clause("mbs-roulette:5.6")
    def test_method(self):
        """It carries its own marks and those of its class, each once."""

    class TestInner:
        @clause("mbs-roulette:5.8")
        def test_inner_method(self):
            """So does a class in a class."""

    @clause("mbs-roulette:5.11")
    def no_test(self):
        """It is not called test."""


@clause("mbs-roulette:5.11")
def no_test():
    """It is not called test."""
'''

MARKED_AS_A_WHOLE = '''
from clauses import clause

pytestmark: object = clause("mbs-roulette:5.8")


def test_anything():
    """Marks of a module count for every test in it."""
'''


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    folder = tmp_path / "tests"
    (folder / "table").mkdir(parents=True)
    (folder / "test_marks.py").write_text(MARKED)
    (folder / "table" / "test_whole.py").write_text(MARKED_AS_A_WHOLE)
    (folder / "helpers.py").write_text(MARKED.replace("5.", "6."))
    return folder


def shown_by(ran: Ran) -> dict[str, list[str]]:
    return {entry["clause"].partition(":")[2]: entry["tests"] for entry in ran.json if entry["tests"]}


def test_every_way_to_mark_a_test_is_found(tests: Path) -> None:
    file = "tests/test_marks.py"
    method, inner = f"{file}::TestClass::test_method", f"{file}::TestClass::TestInner::test_inner_method"
    assert shown_by(run("clauses", "mbs-roulette", "--tests", str(tests), "--json")) == {
        "5.1": [f"{file}::test_function", f"{file}::test_written_out"],
        "5.2": [f"{file}::test_function"],
        "5.3": [f"{file}::test_cases"],
        "5.4": [f"{file}::test_cases"],
        "5.5": [f"{file}::test_cases_from_a_table"],
        "5.6": [method, inner],
        "5.7": [method, inner],
        "5.9": [f"{file}::test_cases_from_a_table"],
        "5.10": [f"{file}::test_cases_from_a_table"],
        "5.8": ["tests/table/test_whole.py::test_anything", inner],
    }


def test_the_matrix_as_json_is_the_list_of_clauses(tests: Path) -> None:
    words = ("clauses", "mbs-roulette", "--tests", str(tests), "--json")
    assert run(*words, "--trace").json == run(*words).json


def test_the_matrix_for_people(tests: Path) -> None:
    ran = run("clauses", "mbs-roulette", "--trace", "--tests", str(tests))
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "mbs-roulette (Electronic Roulette): clauses and the tests that show them"
    assert lines[2].split() == ["CLAUSE", "KIND", "STATUS", "TESTS"]
    at = next(index for index, line in enumerate(lines) if line.startswith("mbs-roulette:5.1 "))
    assert lines[at].split() == ["mbs-roulette:5.1", "irregularity", "shown", "2"]
    assert lines[at + 1 : at + 3] == [
        "    tests/test_marks.py::test_function",
        "    tests/test_marks.py::test_written_out",
    ]
    (opened,) = (line for line in lines if line.startswith("mbs-roulette:5.11 "))
    assert opened.split() == ["mbs-roulette:5.11", "irregularity", "open", "(table)", "0"]


def test_each_book_ends_with_its_sum(tests: Path) -> None:
    sums = [line for line in run("clauses", "--trace", "--tests", str(tests)).out.splitlines() if ";" in line]
    assert [line.partition(":")[0] for line in sums] == [
        "mbs-roulette",
        "rws-money-wheel",
        "rws-roulette-00",
        "rws-roulette-000",
    ]
    assert sums[0].startswith("mbs-roulette: 63 clauses; 10 shown, ")
    assert sums[1].startswith("rws-money-wheel: 42 clauses; 0 shown, ")


def test_a_clause_that_asks_for_no_behaviour_is_neither_shown_nor_open(tests: Path) -> None:
    (tests / "test_marks.py").write_text("")
    (tests / "table" / "test_whole.py").write_text("")
    lines = run("clauses", "rws-money-wheel", "--trace", "--tests", str(tests)).out.splitlines()
    states = [line.split()[2] for line in lines if line.startswith("rws-money-wheel:") and ";" not in line]
    assert set(states) == {"open", "-"}
    assert f"; 0 shown, {states.count('open')} open (" in lines[-1]
    assert lines[-1].endswith(f", {states.count('-')} without behaviour to show")


UNKNOWN = '''
from clauses import clause


@clause("mbs-roulette:99.9")
def test_unknown():
    """No book has that clause."""


NAME = "mbs-roulette:5.1"


@clause(NAME)
def test_unread():
    """The sources do not say which clause that is."""


@clause("house-rules:1.1")
def test_of_another_book():
    """A book that does not come with the package."""
'''


def test_a_test_that_cites_an_unknown_clause_is_a_fault(tests: Path) -> None:
    (tests / "test_marks.py").write_text(UNKNOWN)
    ran = run("clauses", "--trace", "--tests", str(tests))
    assert ran.status == 1
    assert "mbs-roulette:5.8" in ran.out
    assert ran.err.splitlines() == [
        "croupier: tests/test_marks.py::test_unknown (line 5) cites 'mbs-roulette:99.9', "
        "and no book lists that clause.",
        "croupier: tests/test_marks.py::test_unread (line 13) cites a clause that is not a text in quotes.",
        "croupier: tests/test_marks.py::test_of_another_book (line 18) cites 'house-rules:1.1', "
        "and no book lists that clause.",
    ]


def test_the_matrix_of_one_book_leaves_other_books_alone(tests: Path) -> None:
    (tests / "test_marks.py").write_text(UNKNOWN)
    ran = run("clauses", "rws-money-wheel", "--trace", "--tests", str(tests))
    assert ran.status == 1
    assert ran.err.splitlines() == [
        "croupier: tests/test_marks.py::test_unread (line 13) cites a clause that is not a text in quotes."
    ]


def test_without_trace_faults_of_the_tests_are_not_looked_for(tests: Path) -> None:
    (tests / "test_marks.py").write_text(UNKNOWN)
    ran = run("clauses", "--tests", str(tests))
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize("content", [b"def test(:\n", b"\xff\xfe", b"x = '\0'"])
def test_a_test_file_that_cannot_be_read(content: bytes, tests: Path) -> None:
    (tests / "test_marks.py").write_bytes(content)
    said = refusal("clauses", "--trace", "--tests", str(tests))
    assert said.startswith("The test file 'tests/test_marks.py' cannot be read: ")


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    said = refusal("clauses", "--tests", str(tmp_path / "absent"))
    assert said == f"'{tmp_path / 'absent'}' is not a folder. Name the folder of the tests."


def test_the_tests_of_this_checkout_are_found_from_anywhere(tmp_path: Path) -> None:
    ran = run_process("clauses", "mbs-roulette", "--json", cwd=tmp_path)
    test = "tests/cli/test_settle.py::test_a_number_pays_35_to_1_and_the_stake_comes_back"
    assert test in shown_by(ran)["4.1"]


def test_every_citation_in_this_checkout_is_of_a_listed_clause() -> None:
    ran = run("clauses", "--trace")
    assert (ran.status, ran.err) == (0, "")

"""Every clause of the texts is listed, whatever a book cites is listed, and the rulebook shows its own."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest

from croupier.cli.trace import find_citations
from croupier.rulebook import load_book
from rulebook.oracle import BOOKS

_RWS_ROULETTE = "1.1-1.11 2.1 2.1.1 3.1-3.9 5.1-5.10 5.1.1-5.1.2 5.2.1-5.2.2 5.3.1-5.3.9"
NUMBERED = {
    "mbs-roulette": """1.1 1.1.1-1.1.5 2.1 3.1-3.8 3.4.1-3.4.13 4.1-4.2 5.1-5.15 5.13.1-5.13.2
                       5.14.1-5.14.2 6.1-6.3 7 App.A-App.J""",
    "rws-roulette-00": f"{_RWS_ROULETTE} 4.1 4.1.1-4.1.2 App.A-App.D",
    "rws-roulette-000": f"{_RWS_ROULETTE} 4.1 App.A-App.B",
    "rws-money-wheel": """1.1-1.10 2.1 2.1.1 3.1-3.9 4.1 5.1-5.11 5.1.1-5.1.2 5.2.1 5.3.1-5.3.2
                          5.4.1-5.4.3 App.A""",
}
"""The numbered clauses and appendices of each text; a dash runs over the last step."""

COUNTS = {"mbs-roulette": 63, "rws-roulette-00": 52, "rws-roulette-000": 48, "rws-money-wheel": 42}

TESTS = Path(__file__).parents[1]


def expand(runs: str) -> list[str]:
    clauses = []
    for run in runs.split():
        first, _, last = run.partition("-")
        stem, dot, start = first.rpartition(".")
        end = last.rpartition(".")[2] or start
        if start.isdigit():
            clauses += [f"{stem}{dot}{step}" for step in range(int(start), int(end) + 1)]
        else:
            clauses += [f"{stem}{dot}{chr(step)}" for step in range(ord(start), ord(end) + 1)]
    return clauses


def citations(value: object) -> Iterator[str]:
    """Every clause or assumption that some part of a book rests on."""
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            inner = getattr(value, field)
            if field in ("clause", "source", "pay_clause"):
                yield inner
            else:
                yield from citations(inner)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from citations(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from citations(inner)


def marked_clauses() -> set[str | None]:
    """What the `@clause` markers of all tests cite."""
    return {citation.clause for citation in find_citations(TESTS)}


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_numbered_clause_and_appendix_is_listed(book_id: str) -> None:
    listed = [clause.id for clause in load_book(book_id).clauses.values()]

    assert sorted(listed) == sorted(f"{book_id}:{number}" for number in expand(NUMBERED[book_id]))
    assert len(listed) == COUNTS[book_id]


@pytest.mark.parametrize("book_id", BOOKS)
def test_whatever_a_book_cites_is_listed(book_id: str) -> None:
    book = load_book(book_id)
    known = {*book.clauses} | {f"assumption:{assumption}" for assumption in book.assumptions}

    cited = [*citations(book), *book.citations.values(), *book.placing.values()]

    assert len(cited) > 30
    assert [source for source in cited if source not in known] == []


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_clause_that_asks_for_behaviour_says_which_part_shows_it(book_id: str) -> None:
    silent = [clause for clause in load_book(book_id).clauses.values() if clause.shown_by is None]

    assert {clause.kind for clause in silent} <= {"definition"}


def test_every_clause_that_the_rulebook_shows_has_a_test() -> None:
    clauses = [clause for book_id in BOOKS for clause in load_book(book_id).clauses.values()]
    to_show = {clause.id for clause in clauses if clause.shown_by == "rulebook"}

    assert to_show - marked_clauses() == set()


@pytest.mark.parametrize(
    ("book_id", "title", "version", "effective"),
    [
        ("mbs-roulette", "Electronic Roulette", "3", "2020-03-18"),
        ("rws-roulette-00", "Roulette Double Zero", "3", "2019-11-15T08:00+08:00"),
        ("rws-roulette-000", "Roulette Triple Zero", "unnumbered", "2023-04-06T08:00+08:00"),
        ("rws-money-wheel", "Money Wheel", "2", "2019-07-30"),
    ],
)
def test_a_book_carries_the_title_version_and_date_of_its_text(
    book_id: str, title: str, version: str, effective: str
) -> None:
    book = load_book(book_id)

    assert (book.title, book.version, book.effective) == (title, version, effective)

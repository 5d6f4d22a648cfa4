"""`croupier clauses`: every clause of the rule texts, and the tests that show it."""

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from croupier.cli.command import Command, Output, add_json, as_json
from croupier.cli.files import is_folder
from croupier.cli.tables import Column, Row, render_table, render_text
from croupier.cli.trace import Citation, find_citations, find_tests_folder
from croupier.rulebook import BadInput, Book, Clause, load_book, shipped_books

Tests = Mapping[str, list[str]]
"""By clause, the tests that show it."""

FAULT_FOUND: Final = 1


def _run(args: argparse.Namespace) -> Output:
    books = [load_book(name) for name in ([args.book] if args.book is not None else shipped_books())]
    citations = find_citations(folder) if (folder := _tests_folder(args)) is not None else []
    tests = _group(citations)
    if args.json:
        text = as_json([_facts(clause, tests) for book in books for clause in book.clauses.values()])
    else:
        page = _trace_page if args.trace else _clause_page
        text = "\n".join(page(book, tests) for book in books)
    if not args.trace:
        return Output(text=text)
    faults = _faults(citations, books, only=args.book is not None)
    return Output(text=text, notes=faults, status=FAULT_FOUND if faults else 0)


def _group(citations: Iterable[Citation]) -> Tests:
    tests: dict[str, list[str]] = {}
    for citation in citations:
        if citation.clause is not None and citation.test not in tests.setdefault(citation.clause, []):
            tests[citation.clause].append(citation.test)
    return tests


def _tests_folder(args: argparse.Namespace) -> Path | None:
    if args.tests is not None:
        folder = Path(args.tests)
        if not args.tests or not is_folder(folder):
            raise BadInput("no-tests", f"{args.tests!r} is not a folder.", "Name the folder of the tests.")
        return folder
    found = find_tests_folder()
    if found is None and args.trace:
        raise BadInput(
            "no-tests",
            "There is no folder of tests here to trace clauses to.",
            "Run it in a source checkout, or name the folder with --tests DIR.",
        )
    return found


def _facts(clause: Clause, tests: Tests) -> dict[str, object]:
    return {
        "clause": clause.id,
        "kind": clause.kind,
        "summary": clause.summary,
        "tests": tests.get(clause.id, []),
    }


def _faults(citations: Iterable[Citation], books: Iterable[Book], *, only: bool) -> tuple[str, ...]:
    """What tests cite and no book lists; of one book alone where `only` that one is asked for."""
    listed = {clause for book in books for clause in book.clauses}
    ours = {book.id for book in books}
    faults = []
    for citation in citations:
        place = f"{citation.test} (line {citation.line})"
        if citation.clause is None:
            faults.append(f"{place} cites a clause that is not a text in quotes.")
        elif citation.clause not in listed and (not only or citation.clause.partition(":")[0] in ours):
            faults.append(f"{place} cites {citation.clause!r}, and no book lists that clause.")
    return tuple(dict.fromkeys(faults))


def _clause_page(book: Book, tests: Tests) -> str:
    columns = [
        Column("CLAUSE"),
        Column("KIND"),
        Column("TESTS", right=True),
        Column("SUMMARY", wraps=True),
    ]
    rows = [
        Row([clause.id, clause.kind, str(len(tests.get(clause.id, []))), clause.summary])
        for clause in book.clauses.values()
    ]
    title = f"{book.id} ({book.title}): {len(rows)} clauses"
    assumptions = "".join(
        render_text(f"{assumption.id}: {assumption.text}", "  ") for assumption in book.assumptions.values()
    )
    heading = "What the text leaves open, and how it is read:\n" if assumptions else ""
    return "\n".join([render_table(title, columns, rows), heading + assumptions])


def _trace_page(book: Book, tests: Tests) -> str:
    columns = [Column("CLAUSE"), Column("KIND"), Column("STATUS"), Column("TESTS", right=True)]
    rows = []
    for clause in book.clauses.values():
        shown_by = tests.get(clause.id, [])
        rows.append(Row([clause.id, clause.kind, _status(clause, tests), str(len(shown_by))], shown_by))
    title = f"{book.id} ({book.title}): clauses and the tests that show them"
    return f"{render_table(title, columns, rows)}\n{_trace_summary(book, tests)}\n"


def _status(clause: Clause, tests: Tests) -> str:
    """A clause that asks for no behaviour has no status; one whose part is still to come is open."""
    if clause.shown_by is None:
        return "-"
    return "shown" if tests.get(clause.id) else f"open ({clause.shown_by})"


def _trace_summary(book: Book, tests: Tests) -> str:
    asking = [clause for clause in book.clauses.values() if clause.shown_by is not None]
    opened = Counter(clause.shown_by for clause in asking if not tests.get(clause.id))
    by_part = ", ".join(f"{count} {part}" for part, count in opened.items())
    return (
        f"{book.id}: {len(book.clauses)} clauses; {len(asking) - opened.total()} shown, "
        f"{opened.total()} open{f' ({by_part})' if by_part else ''}, "
        f"{len(book.clauses) - len(asking)} without behaviour to show"
    )


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "book", metavar="BOOK", nargs="?", help="id of a book or path of a .toml file (all books)"
    )
    parser.add_argument("--trace", action="store_true", help="print which tests show each clause")
    parser.add_argument("--tests", metavar="DIR", help="folder of the tests (that of the source checkout)")
    add_json(parser)


CLAUSES: Final = Command(
    "clauses",
    "[BOOK] [--trace] [--tests DIR] [--json]",
    "every clause of the rule texts, and the tests that show it",
    _add_arguments,
    _run,
)

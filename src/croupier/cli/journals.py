"""Journals on the command line: opened for reading, and refused in a sentence."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.rulebook import BadInput, Book, load_book, load_book_file

if TYPE_CHECKING:
    from croupier.floor.evidence import Evidence


@contextmanager
def open_journal(address: str) -> Iterator["Evidence"]:
    """A journal for as long as a command reads it; what cannot be read is bad input."""
    # Only commands that read journals load what runs tables.
    from croupier.floor.evidence import open_evidence
    from croupier.journal import StoreError

    try:
        evidence = open_evidence(address)
        try:
            yield evidence
        finally:
            evidence.close()
    except StoreError as error:
        right = (
            "Name the file of a journal, or its PostgreSQL address; 'croupier verify' says what fits in it."
        )
        raise BadInput("journal-unreadable", str(error), right) from error


def known_table(evidence: "Evidence", table: str) -> str:
    """A table that the journal holds."""
    tables = evidence.tables()
    if table not in tables:
        known = f"Its tables are {', '.join(tables)}." if tables else "It holds no tables yet."
        raise BadInput("unknown-table", f"There is no table {table!r} in this journal.", known)
    return table


def find_books(files: list[str]) -> Callable[[str], Book]:
    """Finds books by their ids: those from the files of one's own first, then those that come along."""
    own = {book.id: book for book in (load_book_file(Path(name)) for name in files)}

    def find(book_id: str) -> Book:
        return own[book_id] if book_id in own else load_book(book_id)

    return find


def add_journal(parser: argparse.ArgumentParser) -> None:
    """The journal that a command reads."""
    parser.add_argument("journal", metavar="JOURNAL", help="a journal's file, or its PostgreSQL address")


def add_books(parser: argparse.ArgumentParser) -> None:
    """Books of one's own that tables of the journal were made with."""
    parser.add_argument(
        "--book",
        metavar="FILE",
        action="append",
        default=[],
        help="a book of your own that a table was made with",
    )

"""Journals on the command line: opened for reading or writing, and refused in a sentence."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier.cli.progress import bar_for
from croupier.rulebook import BadInput, Book, load_book, load_book_file, shipped_books

if TYPE_CHECKING:
    from croupier.floor.verify.evidence import Evidence
    from croupier.journal import Store

NAME_ITS_FILE: Final = "Name its file with --book FILE."


SHIFTS: Final = "06:00,14:00,22:00"
"""When shifts begin, where nobody says otherwise; the first begins the gaming day."""


@contextmanager
def open_journal(address: str) -> Iterator["Evidence"]:
    """A journal for as long as a command reads it; what cannot be read is bad input."""
    # Only commands that read journals load what runs tables.
    from croupier.floor.verify.evidence import open_evidence
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


def open_to_write(address: str, *, must_exist: bool) -> "Store":
    """A journal for whoever writes to it; where it is brought forward for that, a bar shows how far it is."""
    from croupier.journal import open_store

    with forward_bar() as show:
        return open_store(address, must_exist=must_exist, progress=show)


@contextmanager
def forward_bar() -> Iterator[Callable[[int, int], None] | None]:
    """A bar for a journal of an older schema that is brought forward, where somebody watches."""
    bar = bar_for(False, "records")
    if bar is None:
        yield None
        return
    try:
        yield lambda done, total: bar.show(
            "Bringing the journal forward" if done < total else "Writing it to the disk", done, total
        )
    finally:
        bar.clear()


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
        if book_id in own:
            return own[book_id]
        if book_id in shipped_books():
            return load_book(book_id)
        raise missing_book(book_id, NAME_ITS_FILE)

    return find


def missing_book(book_id: str, how: str) -> BadInput:
    """A book that a table was made with is not at hand, and how it is named."""
    sentence = (
        f"A table of this journal was made with the book {book_id!r}, which does not come with croupier."
    )
    return BadInput("unknown-book", sentence, how)


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

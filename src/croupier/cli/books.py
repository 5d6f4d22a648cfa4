"""`croupier books`: which games there are."""

import argparse
from typing import Final

from croupier.cli.command import Command, Output, add_json, as_json
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import Book, load_book, shipped_books


def _run_books(args: argparse.Namespace) -> Output:
    books = [load_book(book_id) for book_id in shipped_books()]
    return Output(text=as_json([_book_facts(book) for book in books]) if args.json else _book_table(books))


def _book_facts(book: Book) -> dict[str, object]:
    return {
        "book": book.id,
        "title": book.title,
        "operator": book.operator,
        "version": book.version,
        "effective": book.effective,
        "layouts": [*book.layouts],
        "terminals": [*book.terminals],
        "pockets": book.pockets,
    }


def _book_table(books: list[Book]) -> str:
    columns = [
        Column("BOOK"),
        Column("TITLE", wraps=True),
        Column("OPERATOR", wraps=True),
        Column("VERSION"),
        Column("IN FORCE FROM"),
        Column("POCKETS", right=True),
    ]
    rows = [
        Row(
            [
                book.id,
                book.title,
                book.operator,
                book.version,
                _local_time(book.effective),
                str(book.pockets),
            ],
            [_places_to_bet(book)],
        )
        for book in books
    ]
    return render_table(f"The {len(books)} books that come with croupier", columns, rows)


def _local_time(effective: str) -> str:
    """The date, and the time of day where there is one, by the clock of the casino."""
    date, _, time = effective.partition("T")
    return f"{date} {time[:5]}".strip()


def _places_to_bet(book: Book) -> str:
    layouts = ("layout " if len(book.layouts) == 1 else "layouts ") + ", ".join(book.layouts)
    terminals = "terminals " + ", ".join(book.terminals) if book.terminals else "played without terminals"
    return f"{layouts}; {terminals}"


BOOKS: Final = Command("books", "[--json]", "the games that come with croupier", add_json, _run_books)

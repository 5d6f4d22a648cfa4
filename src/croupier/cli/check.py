"""`croupier check`: whether books of one's own are sound, fault by fault."""

import argparse
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

from croupier.cli.command import Command, Output, add_json, as_json
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import BadInput, Bet, Book, BookFaults, Layout, house_edge, load_book_file

BAD_INPUT: Final = 2


class _Checked(NamedTuple):
    """A file, and the book in it or why there is none."""

    file: str
    book: Book | None
    refusal: BadInput | BookFaults | None


def _run(args: argparse.Namespace) -> Output:
    checked = [_check(name) for name in args.files]
    refusals = [str(one.refusal) for one in checked if one.refusal is not None]
    if args.json:
        return Output(text=as_json([_facts(one) for one in checked]), status=BAD_INPUT if refusals else 0)
    if refusals:
        raise BadInput("book-faults", "\n".join(refusals))
    books = [one.book for one in checked if one.book is not None]
    notes = tuple(f"{book.id}: {warning}" for book in books for warning in _warnings(book))
    return Output(text=_table(books), notes=notes)


def _check(name: str) -> _Checked:
    try:
        return _Checked(name, load_book_file(Path(name)), None)
    except (BadInput, BookFaults) as refusal:
        return _Checked(name, None, refusal)


def _facts(checked: _Checked) -> dict[str, object]:
    """What is known of a file; of one with faults that is the faults."""
    book = checked.book
    return {
        "file": checked.file,
        "faults": _fault_facts(checked.refusal),
        "book": None if book is None else book.id,
        "layouts": None if book is None else _layout_facts(book),
        "clauses": None if book is None else len(book.clauses),
        "warnings": [] if book is None else [*_warnings(book)],
    }


def _fault_facts(refusal: BadInput | BookFaults | None) -> list[dict[str, object]]:
    """Every fault with its place; a file that cannot be opened has no lines."""
    if isinstance(refusal, BookFaults):
        return [
            {"line": fault.line, "place": fault.place, "code": fault.code, "sentence": fault.sentence}
            for fault in refusal.faults
        ]
    if refusal is None:
        return []
    return [{"line": None, "place": "the file", "code": refusal.code, "sentence": str(refusal)}]


def _layout_facts(book: Book) -> list[dict[str, object]]:
    return [
        {
            "layout": layout.id,
            "bets": len(layout.bets),
            "announced": len(layout.announced),
            "edge_least_percent": float(round(min(edges) * 100, 4)),
            "edge_most_percent": float(round(max(edges) * 100, 4)),
        }
        for layout in book.layouts.values()
        for edges in [_edges(book, layout)]
    ]


def _edges(book: Book, layout: Layout) -> list[Fraction]:
    return [house_edge(book, bet) for bet in layout.bets.values()]


def _show_edges(edges: list[Fraction]) -> str:
    """The least and the most that the house keeps of a stake on this layout, in percent."""
    least, most = (f"{float(edge * 100):.2f}" for edge in (min(edges), max(edges)))
    return least if least == most else f"{least} to {most}"


def _warnings(book: Book) -> Iterator[str]:
    """Bets on which the house loses in the long run, the first of each kind by name."""
    for layout in book.layouts.values():
        losing: dict[tuple[str, Fraction], list[Bet]] = {}
        for bet in layout.bets.values():
            if (edge := house_edge(book, bet)) < 0:
                losing.setdefault((bet.kind, edge), []).append(bet)
        for (_, edge), (first, *others) in losing.items():
            more = f" (and {len(others)} more like it)" if others else ""
            yield (
                f"on layout {layout.id}, {first.id}{more} pays {first.pays} to 1, and the house loses by it: "
                f"its edge is {float(edge * 100):.2f} %."
            )


def _table(books: list[Book]) -> str:
    columns = [
        Column("BOOK"),
        Column("LAYOUTS"),
        Column("LEGAL BETS", right=True),
        Column("ANNOUNCED BETS", right=True),
        Column("HOUSE EDGE %", right=True),
        Column("CLAUSES", right=True),
    ]
    rows = [
        Row(
            [
                book.id,
                ", ".join(book.layouts),
                ", ".join(str(len(layout.bets)) for layout in book.layouts.values()),
                ", ".join(str(len(layout.announced)) for layout in book.layouts.values()),
                ", ".join(_show_edges(_edges(book, layout)) for layout in book.layouts.values()),
                str(len(book.clauses)),
            ]
        )
        for book in books
    ]
    return render_table("Checked whole, no fault found", columns, rows)


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="path of a book's .toml file")
    add_json(parser)


CHECK: Final = Command(
    "check", "FILE ... [--json]", "whether books of your own are sound, fault by fault", _add_files, _run
)

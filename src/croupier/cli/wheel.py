"""`croupier wheel`: the pockets or segments in their order, and the picture of wheel and layout."""

import argparse
from pathlib import Path
from typing import Final

from croupier.cli.command import Command, Output, add_book, add_json, add_layout, as_json
from croupier.cli.files import is_folder, named_place, write_bytes
from croupier.cli.tables import Column, Row, render_grid, render_table, render_text
from croupier.rulebook import BadInput, Book, Wheel, get_layout, load_book

_ORDER_ASSUMPTIONS: Final = ("pocket-order", "segment-order")
"""A reader of the order has to be told where it does not come from the rule text."""


def _run(args: argparse.Namespace) -> Output:
    book = load_book(args.book)
    layout = get_layout(book, args.layout)
    text = as_json(_facts(book)) if args.json else _page(book)
    if args.svg is None:
        return Output(text=text)
    if args.svg == "-" and args.json:
        raise BadInput(
            "two-outputs",
            "--json and --svg - both write to standard output.",
            "Name a file for the picture, or leave --json out.",
        )
    from croupier.rulebook.drawing import draw_svg  # only pictures need it

    picture = draw_svg(book, layout)
    if args.svg == "-":
        return Output(text=picture)
    _write(named_place(args.svg), picture)
    note = f"The picture of {book.id}, layout {layout.id}, is in {args.svg}."
    return Output(text=text, notes=(note,))


def _write(path: Path, picture: str) -> None:
    if not is_folder(path.parent):
        raise BadInput(
            "file-unwritable",
            f"{str(path)!r} cannot be written: there is no such folder.",
            "Name a file in a folder that exists.",
        )
    write_bytes(path, picture.encode())


def _facts(book: Book) -> dict[str, object]:
    return {
        "book": book.id,
        "kind": book.wheel.kind,
        "pockets": book.pockets,
        "order": [*book.wheel.order],
        "colours": {**book.wheel.colours},
    }


def _page(book: Book) -> str:
    is_ball = book.wheel.kind == "ball"
    places = "pockets" if is_ball else "segments"
    title = f"{book.id} ({book.title}): {book.pockets} {places}, clockwise seen from above\n"
    parts = [title, *(_pockets(book.wheel) if is_ball else _segments(book.wheel))]
    parts += [
        render_text(f"Assumption {assumption.id}: {assumption.text}")
        for assumption in book.assumptions.values()
        if assumption.id in _ORDER_ASSUMPTIONS
    ]
    return "\n".join(parts)


def _pockets(wheel: Wheel) -> list[str]:
    legend = ", ".join(f"{colour[0]} {colour}" for colour in dict.fromkeys(wheel.colours.values()))
    return [render_grid([f"{number} {wheel.colours[number][0]}" for number in wheel.order]), f"{legend}\n"]


def _segments(wheel: Wheel) -> list[str]:
    columns = [Column("SYMBOL"), Column("LABEL"), Column("SEGMENTS", right=True)]
    rows = [Row([symbol, wheel.labels[symbol], str(count)]) for symbol, count in wheel.outcomes.items()]
    return [render_text(", ".join(wheel.order)), render_table("How often each stands on it", columns, rows)]


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_book(parser)
    add_layout(parser)
    parser.add_argument(
        "--svg", metavar="FILE", help="write the picture of wheel and layout to FILE (- prints it)"
    )
    add_json(parser)


WHEEL: Final = Command(
    "wheel",
    "BOOK [--layout L] [--svg FILE] [--json]",
    "the order of the pockets, and a picture of wheel and layout",
    _add_arguments,
    _run,
)

"""Writes the views of books as JSON files, for the tests and the development page of the screens."""

import sys
from pathlib import Path
from typing import Final

import msgspec

from croupier.protocol.book_view import book_view
from croupier.rulebook import load_book

ROOT: Final = Path(__file__).resolve().parents[1]

SEATS: Final = {
    "mbs-select": ("mbs-roulette", "main", "rapid-select"),
    "mbs-fusion": ("mbs-roulette", "main", "rapid-fusion"),
    "mbs-alfastreet": ("mbs-roulette", "main", "alfastreet"),
    "rws-00-a": ("rws-roulette-00", "A", "rapid"),
    "rws-00-b": ("rws-roulette-00", "B", "rapid"),
    "rws-000": ("rws-roulette-000", "main", "rapid"),
    "money-wheel": ("rws-money-wheel", "main", "place"),
    "own-french": (str(ROOT / "examples/french-roulette.toml"), "main", "poste"),
    "own-money-wheel": (str(ROOT / "examples/money-wheel-54.toml"), "main", "place"),
}
"""Every kind of seat that the shipped books have, and two books of one's own."""


def main() -> None:
    """Writes one file for each kind of seat into the folder that the command line names."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "web" / "fixtures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, (book, layout, terminal) in SEATS.items():
        view = book_view(load_book(book), layout, terminal)
        (folder / f"{name}.json").write_bytes(msgspec.json.encode(view))


if __name__ == "__main__":
    main()

"""The pictures in docs/pictures are what the command draws, to the last character."""

from pathlib import Path

import pytest

from croupier.rulebook import load_book
from croupier.rulebook.drawing import draw_svg

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
PICTURES = {
    "mbs-roulette": ("mbs-roulette", "main"),
    "rws-roulette-00-a": ("rws-roulette-00", "A"),
    "rws-roulette-00-b": ("rws-roulette-00", "B"),
    "rws-roulette-000": ("rws-roulette-000", "main"),
    "rws-money-wheel": ("rws-money-wheel", "main"),
}
"""By file, the book and layout that it shows."""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_command_draws(name: str) -> None:
    book, layout = PICTURES[name]
    drawn = draw_svg(load_book(book), load_book(book).layouts[layout])
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == drawn


def test_every_picture_is_checked() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {*PICTURES}

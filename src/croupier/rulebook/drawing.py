"""A picture of a game: its wheel and one of its layouts beside each other, as one SVG file.

The picture is drawn from the book alone, so a book of one's own has one too.
"""

from collections import Counter
from typing import Final

from croupier.rulebook.drawing_felt import Felt, draw_felt, measure
from croupier.rulebook.drawing_ink import (
    FELT,
    FELT_DEEP,
    FELT_RAISED,
    GROUND,
    PANEL,
    PANEL_LINE,
    TEXT,
    TEXT_SECOND,
    TEXT_THIRD,
    element,
    figure,
    fitted,
    lettering,
    pip,
    plain,
    pockets_word,
)
from croupier.rulebook.drawing_wheel import RADIUS, draw_wheel
from croupier.rulebook.model import Book, Layout
from croupier.rulebook.vocabulary import COLOURS

_MARGIN: Final = 28
_HEAD: Final = 96
_PANEL_PADDING: Final = 28
_BETWEEN: Final = 20
_WHEEL_PANEL: Final = 2 * (RADIUS + _PANEL_PADDING)
_LEGEND: Final = 54
_FELT_ROOM: Final = (1300, 494)
_PANEL_HEIGHT: Final = _WHEEL_PANEL + _LEGEND


def draw_svg(book: Book, layout: Layout) -> str:
    """Wheel and layout as a self-contained SVG picture.

    >>> from croupier.rulebook import get_layout, load_book
    >>> book = load_book("mbs-roulette")
    >>> draw_svg(book, get_layout(book)).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    felt = measure(layout, *_FELT_ROOM)
    felt_panel = max(felt.width + 2 * _PANEL_PADDING, _WHEEL_PANEL)
    width = _MARGIN + _WHEEL_PANEL + _BETWEEN + felt_panel + _MARGIN
    height = _HEAD + _PANEL_HEIGHT + _MARGIN
    return (
        element(
            "svg",
            element("title", plain(_title(book, layout))),
            element("desc", plain(_description(book, layout))),
            element("rect", width=width, height=height, fill=GROUND),
            *_head(book, layout, width),
            _at(_MARGIN, _HEAD, *_wheel_panel(book)),
            _at(_MARGIN + _WHEEL_PANEL + _BETWEEN, _HEAD, *_felt_panel(book, layout, felt, felt_panel)),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {figure(width)} {figure(height)}",
            width=width,
            height=height,
            role="img",
            font_family="system-ui, sans-serif",
        )
        + "\n"
    )


def _title(book: Book, layout: Layout) -> str:
    return f"{book.title} · {book.operator} · {layout.title}"


def _description(book: Book, layout: Layout) -> str:
    return (
        f"Wheel with {book.pockets} {pockets_word(book.wheel)}, clockwise from the top: "
        f"{', '.join(book.wheel.labels[outcome] for outcome in book.wheel.order)}. "
        f"Layout with {len(layout.numbers)} numbers, {len(layout.boxes)} boxes "
        f"and {len(layout.bets)} legal bets."
    )


def _head(book: Book, layout: Layout, width: float) -> list[str]:
    """Title and operator on the left, what edition of the rules it is on the right."""
    half = width / 2 - _MARGIN
    house = f"{book.operator} · {layout.title}"
    edition = f"Version {book.version}, from {book.effective.replace('T', ' ')}"
    bets = f"{book.pockets} {pockets_word(book.wheel)} · {len(layout.bets)} legal bets"
    right = {"text_anchor": "end"}
    return [
        lettering(book.title, _MARGIN, 40, fitted(book.title, 30, half), fill=TEXT, font_weight=700),
        lettering(house, _MARGIN, 72, fitted(house, 17, half), fill=TEXT_SECOND),
        lettering(edition, width - _MARGIN, 40, fitted(edition, 17, half), fill=TEXT_SECOND, **right),
        lettering(bets, width - _MARGIN, 72, fitted(bets, 17, half), fill=TEXT_THIRD, **right),
    ]


def _wheel_panel(book: Book) -> list[str]:
    middle = _WHEEL_PANEL / 2
    return [
        element("rect", width=_WHEEL_PANEL, height=_PANEL_HEIGHT, rx=16, fill=PANEL, stroke=PANEL_LINE),
        _at(middle, middle, draw_wheel(book.wheel)),
        *_legend(book, middle),
    ]


def _legend(book: Book, middle: float) -> list[str]:
    """What the pips mean and how many numbers have each, and from when on a spin counts."""
    spin = f"A spin is valid from {book.wheel.revolutions} revolutions on"
    below = lettering(spin, middle, _PANEL_HEIGHT - 24, 14, fill=TEXT_THIRD, text_anchor="middle")
    if book.wheel.kind == "clapper":
        order = f"{book.pockets} segments, clockwise under the clapper"
        return [lettering(order, middle, _WHEEL_PANEL, 15, fill=TEXT_SECOND, text_anchor="middle"), below]
    counts = Counter(book.wheel.colours.values())
    present = [colour for colour in COLOURS if counts[colour]]
    entries = []
    for place, colour in enumerate(present):
        x = middle + 120 * (place - (len(present) - 1) / 2)
        word = f"{book.kind_names.get(colour, colour.capitalize())} {counts[colour]}"
        entries += [
            element("g", pip(colour, x - 36, _WHEEL_PANEL, 5), fill=TEXT_SECOND),
            lettering(word, x - 24, _WHEEL_PANEL, fitted(word, 15, 84), fill=TEXT_SECOND),
        ]
    return [*entries, below]


def _felt_panel(book: Book, layout: Layout, felt: Felt, width: float) -> list[str]:
    seam = {"x": 10, "y": 10, "width": width - 20, "height": _PANEL_HEIGHT - 20, "rx": 10}
    cloth = {"width": width, "height": _PANEL_HEIGHT, "rx": 16}
    return [
        element("rect", **cloth, fill=FELT, stroke=FELT_DEEP, stroke_width=4),
        element("rect", **seam, fill="none", stroke=FELT_RAISED),
        _at((width - felt.width) / 2, (_PANEL_HEIGHT - felt.height) / 2, draw_felt(book, layout, felt)),
    ]


def _at(x: float, y: float, *children: str) -> str:
    return element("g", *children, transform=f"translate({figure(x)} {figure(y)})")

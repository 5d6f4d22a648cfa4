"""Drawing a layout: every number and every box in the rectangle that the book gives it."""

from fractions import Fraction
from typing import Final, NamedTuple

from croupier.rulebook.drawing_ink import (
    COLOURS_OF_NUMBERS,
    FELT_DEEP,
    FELT_LINE,
    FELT_TEXT,
    element,
    face,
    fitted,
    lettering,
    marks,
    pip,
    pockets_word,
)
from croupier.rulebook.model import Bet, Book, Box, Layout, Rect

_GAP: Final = 1.5
"""Felt that shows between a rectangle and its own edge, so that neighbours stand apart."""


class Area(NamedTuple):
    """A rectangle of the picture, in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """Where both diagonals meet."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def least(self) -> float:
        """The shorter side."""
        return min(self.width, self.height)


class Felt(NamedTuple):
    """How the units of a layout become pixels: `along` to the right, `across` upwards."""

    bounds: Rect
    unit: Fraction

    @property
    def width(self) -> float:
        """How wide the whole layout is drawn."""
        return float(self.unit * (self.bounds.along_to - self.bounds.along))

    @property
    def height(self) -> float:
        """How high the whole layout is drawn."""
        return float(self.unit * (self.bounds.across_to - self.bounds.across))

    def area(self, rect: Rect) -> Area:
        """Where a rectangle of the layout is drawn; fractions keep it exact however large the units are.

        >>> Felt(Rect(0, -4, 28, 6), Fraction(10)).area(Rect(2, 0, 4, 2))
        Area(x=20.0, y=40.0, width=20.0, height=20.0)
        """
        return Area(
            float(self.unit * (rect.along - self.bounds.along)),
            float(self.unit * (self.bounds.across_to - rect.across_to)),
            float(self.unit * (rect.along_to - rect.along)),
            float(self.unit * (rect.across_to - rect.across)),
        )


def measure(layout: Layout, width: int, height: int) -> Felt:
    """The largest felt of this layout that fits into so many pixels."""
    rects = [*layout.numbers.values(), *(box.rect for box in layout.boxes)] or [Rect(0, 0, 1, 1)]
    bounds = Rect(
        min(rect.along for rect in rects),
        min(rect.across for rect in rects),
        max(rect.along_to for rect in rects),
        max(rect.across_to for rect in rects),
    )
    unit = min(
        Fraction(width, bounds.along_to - bounds.along), Fraction(height, bounds.across_to - bounds.across)
    )
    return Felt(bounds, unit)


def draw_felt(book: Book, layout: Layout, felt: Felt) -> str:
    """The numbers and boxes of a layout, with the top left corner at the origin."""
    cells = [_number(book, number, felt.area(rect)) for number, rect in layout.numbers.items()]
    boxes = [_box(book, layout.bets[box.bet], box, felt.area(box.rect)) for box in layout.boxes]
    return element("g", *cells, *boxes, text_anchor="middle", font_weight=700, fill="#fff")


def _number(book: Book, number: str, area: Area) -> str:
    size = fitted(number, min(0.42 * area.least, 40), 0.8 * area.width)
    colour = book.wheel.colours.get(number)
    return element(
        "g",
        _frame(area, face(book.wheel, number)),
        *([_corner_pip(colour, area)] if colour else []),
        lettering(number, *area.middle, size),
        data_number=number,
    )


def _box(book: Book, bet: Bet, box: Box, area: Area) -> str:
    if bet.kind == "symbol":
        content = _symbol_box(book, bet, box, area)
    else:
        fill = COLOURS_OF_NUMBERS.get(bet.kind, "#1a4c3d")
        size = fitted(box.label, min(0.32 * area.height, 24), 0.86 * area.width)
        content = [
            _frame(area, fill),
            *([_corner_pip(bet.kind, area)] if bet.kind in COLOURS_OF_NUMBERS else []),
            lettering(box.label, *area.middle, size, fill=FELT_TEXT),
        ]
    return element("g", *content, data_box=bet.id)


def _symbol_box(book: Book, bet: Bet, box: Box, area: Area) -> list[str]:
    """A box of a wheel with symbols: a plate with the mark, the label, the pay and the share of the wheel."""
    plate = area._replace(width=min(0.28 * area.width, 0.6 * area.height))
    text_x = area.x + plate.width + 0.06 * area.width
    room = area.width - plate.width - 0.1 * area.width
    segments = sum(book.wheel.outcomes[symbol] for symbol in bet.numbers)
    large = min(0.15 * area.height, 26.0)
    lines = [
        (box.label, large, FELT_TEXT, 700),
        (f"{bet.pays} to 1", large, "#fff", 700),
        (f"{segments} of {book.pockets} {pockets_word(book.wheel)}", 0.66 * large, FELT_LINE, 400),
    ]
    symbol = bet.numbers[0]
    mark = marks(book.wheel)[symbol]
    content = [
        _frame(area, FELT_DEEP),
        _frame(plate, face(book.wheel, symbol)),
        lettering(mark, *plate.middle, fitted(mark, 0.3 * area.height, 0.78 * plate.width)),
    ]
    y = area.middle[1] - 1.1 * large
    for text, size, fill, weight in lines:
        fit = fitted(text, size, room)
        content.append(lettering(text, text_x, y, fit, fill=fill, font_weight=weight, text_anchor="start"))
        y += 1.25 * large
    return content


def _frame(area: Area, fill: str) -> str:
    gap = min(_GAP, 0.1 * area.least)
    return element(
        "rect",
        x=area.x + gap,
        y=area.y + gap,
        width=area.width - 2 * gap,
        height=area.height - 2 * gap,
        rx=min(5.0, 0.1 * area.least),
        fill=fill,
        stroke=FELT_LINE,
        stroke_opacity=0.7,
        stroke_width=min(1.25, 0.1 * area.least),
    )


def _corner_pip(colour: str, area: Area) -> str:
    radius = min(3.6, 0.05 * area.least)
    spot = pip(colour, area.x + area.width - 4 * radius, area.y + 4 * radius, radius)
    return element("g", spot, fill_opacity=0.6)

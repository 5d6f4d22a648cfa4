"""The wheel and the layout of a game, drawn for paper: light, and with every number in its rectangle."""

from math import cos, radians, sin
from typing import Any, Final

from matplotlib.patches import Circle, Rectangle, Wedge

from croupier.lab.report.document import WIDTH_INCHES, Canvas
from croupier.rulebook import Book, Layout
from croupier.rulebook.drawing_felt import measure
from croupier.rulebook.drawing_ink import face, marks

PICTURE_INCHES: Final = 2.7
"""How high the picture is."""
_LINE: Final = "#ffffff"
_BOX: Final = "#e7efe9"
_INK: Final = "#1d2529"
_OF_COLOUR: Final = ("red", "black")


def draw_game(canvas: Canvas, book: Book, layout: Layout) -> None:
    """Wheel and layout beside each other."""
    wide = PICTURE_INCHES / WIDTH_INCHES
    _draw_wheel(canvas.add_axes((0.0, 0.02, wide, 0.96)), book)
    left = wide + 0.02
    _draw_layout(canvas.add_axes((left, 0.02, 1 - left, 0.96)), book, layout)


def _draw_wheel(axes: Any, book: Book) -> None:
    order = book.wheel.order
    shorts = marks(book.wheel)
    slice_ = 360 / len(order)
    axes.set_xlim(-1.06, 1.06)
    axes.set_ylim(-1.06, 1.06)
    axes.set_aspect("equal")
    axes.set_axis_off()
    size = min(6, 200 / len(order))
    for place, outcome in enumerate(order):
        middle = 90 - place * slice_
        colour = face(book.wheel, outcome)
        axes.add_patch(
            Wedge(
                (0, 0),
                1,
                middle - slice_ / 2,
                middle + slice_ / 2,
                width=0.42,
                facecolor=colour,
                edgecolor=_LINE,
                linewidth=0.6,
            )
        )
        x, y = _around(0.87, middle)
        axes.text(
            x,
            y,
            shorts[outcome],
            color="white",
            fontsize=size,
            ha="center",
            va="center",
            rotation=middle - 90,
            weight="bold",
        )
    axes.add_patch(Circle((0, 0), 1, fill=False, edgecolor=_INK, linewidth=1.2))
    axes.add_patch(Circle((0, 0), 0.58, fill=False, edgecolor=_INK, linewidth=0.8))
    kind = "segments" if book.wheel.kind == "clapper" else "pockets"
    axes.text(0, 0, f"{len(order)}\n{kind}", color=_INK, fontsize=9, ha="center", va="center")
    if book.wheel.kind == "clapper":
        axes.plot([0], [1.02], marker="v", color=_INK, markersize=7, clip_on=False)


def _around(radius: float, degrees: float) -> tuple[float, float]:
    return radius * cos(radians(degrees)), radius * sin(radians(degrees))


def _draw_layout(axes: Any, book: Book, layout: Layout) -> None:
    felt = measure(layout, 1000, 560)
    axes.set_xlim(-6, felt.width + 6)
    axes.set_ylim(felt.height + 6, -6)
    axes.set_aspect("equal")
    axes.set_axis_off()
    for number, rect in layout.numbers.items():
        _cell(axes, felt.area(rect), number, face(book.wheel, number), "white", 8)
    for box in layout.boxes:
        bet = layout.bets[box.bet]
        if bet.kind == "symbol":
            fill, label = face(book.wheel, bet.numbers[0]), f"{box.label}\n{bet.pays} to 1"
            _cell(axes, felt.area(box.rect), label, fill, "white", 8)
        elif bet.kind in _OF_COLOUR:
            number = next(number for number in bet.numbers)
            _cell(axes, felt.area(box.rect), box.label, face(book.wheel, number), "white", 7)
        else:
            _cell(axes, felt.area(box.rect), box.label, _BOX, _INK, 7)


def _cell(axes: Any, area: Any, text: str, fill: str, ink: str, size: float) -> None:
    axes.add_patch(
        Rectangle(
            (area.x, area.y), area.width, area.height, facecolor=fill, edgecolor="#9fb3a8", linewidth=0.8
        )
    )
    longest = max(map(len, text.split("\n")))
    # The layout is about 1000 units and 300 points wide, and a character six tenths of its size.
    fits = 0.3 * 0.9 * area.width / (0.62 * max(longest, 1))
    axes.text(*area.middle, text, color=ink, fontsize=min(size, fits), ha="center", va="center")

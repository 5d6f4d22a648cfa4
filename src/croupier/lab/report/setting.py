"""Setting type: how wide texts are, where lines break, and how the columns of a table share a page."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

from croupier.lab.report.document import Table

LINE: Final = 1.42
"""From one line to the next, in parts of the size of type."""
_GAP, _WIDEST_GAP = 9.0, 36.0
_SIZES: Final = (7.5, 7.0, 6.5, 6.0, 5.5, 5.0, 4.5)
_LEAST_WRAPPED: Final = 110.0


@cache
def width_of(text: str, weight: str = "normal") -> float:
    """How wide a text is, in parts of its size."""
    font = FontProperties(size=100, weight=weight)
    wide, _, _ = TextToPath().get_text_width_height_descent(text, font, ismath=False)
    return float(wide) / 100


def break_lines(text: str, size: float, room: float, weight: str = "normal") -> list[str]:
    """The text in lines no wider than the room; a word that is wider than that is broken."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if size * width_of(longer, weight) <= room:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        while size * width_of(word, weight) > room and len(word) > 1:
            fits = max(1, int(len(word) * room / (size * width_of(word, weight))))
            lines[-1] = word[:fits]
            lines.append("")
            word = word[fits:]
        lines[-1] = word
    return lines


class Setting:
    """A table's size of type and the places of its columns, as large as the room allows."""

    def __init__(self, table: Table, size: float, widths: Sequence[float], room: float) -> None:
        self.size = size
        self._columns = table.columns
        self._widths = widths
        gap = min(_WIDEST_GAP, (room - sum(widths)) / max(1, len(widths) - 1))
        self._starts = [sum(widths[:place]) + gap * place for place in range(len(widths))]
        self.head = [
            break_lines(column.heading, size, width, "bold")
            for column, width in zip(table.columns, widths, strict=True)
        ]

    def wrapped(self, row: Sequence[str]) -> list[list[str]]:
        """The lines of each cell; only columns that may wrap have several."""
        return [
            break_lines(cell, self.size, width) if column.wraps else [cell]
            for cell, width, column in zip(row, self._widths, self._columns, strict=True)
        ]

    def height(self, cells: Sequence[Sequence[str]]) -> float:
        """How high a row is, with a little space below."""
        return max(map(len, cells)) * LINE * self.size + 4

    def place(self, column: int) -> tuple[float, str]:
        """Where the text of a column stands, and which of its ends stands there."""
        if self._columns[column].right:
            return self._starts[column] + self._widths[column], "right"
        return self._starts[column], "left"


def set_table(table: Table, room: float) -> Setting:
    """The largest type in which the columns of a table fit into the room."""
    wrapping = [column.wraps for column in table.columns]
    for size in _SIZES:
        widths = [0.0 if wraps else size * _natural(table, place) for place, wraps in enumerate(wrapping)]
        left = room - sum(widths) - _GAP * (len(widths) - 1)
        if left >= _LEAST_WRAPPED * sum(wrapping):
            break
    share = max(left, _LEAST_WRAPPED) / max(1, sum(wrapping))
    widths = [share if wraps else width for width, wraps in zip(widths, wrapping, strict=True)]
    return Setting(table, size, widths, room)


def _natural(table: Table, place: int) -> float:
    """How wide a column is that does not wrap; its heading may break between words."""
    cells = {row[place] for group in table.groups for row in group.rows}
    words = table.columns[place].heading.split()
    return max(*(width_of(word, "bold") for word in words), *map(width_of, cells), 0.0)

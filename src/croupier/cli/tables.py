"""Tables in plain text."""

import textwrap
from collections.abc import Sequence
from typing import Final, NamedTuple

WIDTH: Final = 100
"""How wide a page is; a column that may wrap gives way to keep it."""

NO_BREAK: Final = "\u00a0"
"""Keeps the words on both sides of it in one line; printed as a plain space."""

_GAP: Final = "  "
_LEAST_WRAPPED: Final = 20
_INDENT: Final = "    "


class Column(NamedTuple):
    """A column: its heading, whether it holds numbers (set to the right), and whether it may wrap."""

    heading: str
    right: bool = False
    wraps: bool = False


class Row(NamedTuple):
    """A row: a cell for each column, and lines of their own that stand indented under it."""

    cells: Sequence[str]
    below: Sequence[str] = ()


def render_table(title: str, columns: Sequence[Column], rows: Sequence[Row]) -> str:
    """A table under its title.

    >>> columns = [Column("BET"), Column("PAYS", right=True)]
    >>> rows = [Row(["straight:0", "35 to 1"]), Row(["red", "1 to 1"])]
    >>> print(render_table("Bets", columns, rows), end="")
    Bets
    <BLANKLINE>
    BET            PAYS
    straight:0  35 to 1
    red          1 to 1
    """
    headings = [column.heading for column in columns]
    widths = _measure(columns, [headings, *(row.cells for row in rows)])
    lines = [title, "", *_lines_of(headings, columns, widths)]
    for row in rows:
        lines += _lines_of(row.cells, columns, widths)
        lines += [_INDENT + line for line in row.below]
    return "\n".join(lines) + "\n"


def render_text(text: str, indent: str = "") -> str:
    """A paragraph, no wider than a page."""
    lines = textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)
    return "\n".join(lines) + "\n"


def counted(count: int, noun: str) -> str:
    """A number of things, one or several.

    >>> counted(1, "session"), counted(20_000, "round")
    ('1 session', '20,000 rounds')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def render_grid(cells: Sequence[str]) -> str:
    """Cells in reading order, as many to a line as a page takes.

    >>> print(render_grid(["0 green", "32 red"]), end="")
    0 green   32 red
    """
    width = max(len(cell) for cell in cells)
    in_line = max(1, (WIDTH + len(_GAP)) // (width + len(_GAP)))
    lines = (cells[start : start + in_line] for start in range(0, len(cells), in_line))
    return "".join(_GAP.join(cell.rjust(width) for cell in line) + "\n" for line in lines)


def _measure(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[int]:
    widths = [max(len(row[index]) for row in rows) for index in range(len(columns))]
    over = sum(widths) + len(_GAP) * (len(columns) - 1) - WIDTH
    for index, column in enumerate(columns):
        if column.wraps and over > 0:
            given = min(over, max(0, widths[index] - _LEAST_WRAPPED))
            widths[index] -= given
            over -= given
    return widths


def _lines_of(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> list[str]:
    wrapped = [textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for number in range(max(len(cell) for cell in wrapped)):
        shown = (cell[number] if number < len(cell) else "" for cell in wrapped)
        placed = (
            text.rjust(width) if column.right else text.ljust(width)
            for text, column, width in zip(shown, columns, widths, strict=True)
        )
        lines.append(_GAP.join(placed).rstrip().replace(NO_BREAK, " "))
    return lines

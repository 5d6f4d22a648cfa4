"""What a report consists of, whatever it is written in: sections of text, tables, plots and pictures."""

from collections.abc import Callable
from typing import Any, NamedTuple

Canvas = Any
"""A figure of matplotlib or a part of one; it publishes no types."""
WIDTH_INCHES = 7.1
"""How wide plots and pictures are on paper; a page of HTML shows them as wide as it is itself."""


class Column(NamedTuple):
    """A column of a table: its heading, whether it holds numbers, and whether it may wrap."""

    heading: str
    right: bool = False
    wraps: bool = False


class Group(NamedTuple):
    """Rows that belong together, under a heading and a line about them where there are any."""

    rows: tuple[tuple[str, ...], ...]
    heading: str = ""
    note: str = ""


class Table(NamedTuple):
    """A table."""

    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    caption: str = ""


class Text(NamedTuple):
    """A paragraph."""

    text: str


class Plot(NamedTuple):
    """A plot, drawn when and where it is needed."""

    draw: Callable[[Canvas], None]
    height_inches: float
    caption: str


class Picture(NamedTuple):
    """The wheel and the layout: the picture of the book on the page, and a drawing for paper."""

    svg: str
    draw: Callable[[Canvas], None]
    height_inches: float
    caption: str


Item = Table | Text | Plot | Picture


class Section(NamedTuple):
    """A part of the report with a heading."""

    title: str
    items: tuple[Item, ...]


class Document(NamedTuple):
    """A whole report."""

    title: str
    subtitle: str
    facts: tuple[tuple[str, str], ...]
    """What stands out on the first page: a label and a value each."""
    sections: tuple[Section, ...]

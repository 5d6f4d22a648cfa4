"""A report on paper: the same sections on pages of A4, as PDF."""

import io
from typing import Any, Final

from matplotlib import rc_context
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from croupier.lab.report.document import Document, Group, Item, Picture, Plot, Section, Table, Text
from croupier.lab.report.setting import LINE, Setting, break_lines, set_table, width_of

WIDTH, HEIGHT = 595.0, 842.0
"""A4 in points."""
MARGIN: Final = 42.0
_BOTTOM: Final = 46.0
_INK, _SECOND, _FELT, _RULE = "#1d2529", "#5a676d", "#0e4435", "#d5dcda"
_BODY: Final = 8.5


def write_paper(document: Document) -> bytes:
    """The whole document as PDF; it carries no date, so that the same report has the same bytes."""
    file = io.BytesIO()
    about = {"Title": f"{document.title}: {document.subtitle}", "CreationDate": None}
    with rc_context({"pdf.fonttype": 42, "pdf.compression": 6}), PdfPages(file, metadata=about) as pages:
        paper = Paper(document, pages)
        for section in document.sections:
            paper.add_section(section)
        paper.finish()
    return file.getvalue()


class Paper:
    """Pages that fill from the top; what does not fit goes on to the next."""

    def __init__(self, document: Document, pages: Any) -> None:
        self._document = document
        self._pages = pages
        self._number = 0
        self._open()
        self._add_title()

    def finish(self) -> None:
        """Puts away the last page."""
        self._pages.savefig(self._page)

    def add_section(self, section: Section) -> None:
        """A heading and what stands under it."""
        self._need(120)
        self._y -= 12
        self._write(MARGIN, section.title, 13, _FELT, weight="bold")
        self._y -= 18
        self._rule(self._y + 2, _FELT, 1.2)
        self._y -= 6
        for item in section.items:
            self._add(item)

    def _add(self, item: Item) -> None:
        if isinstance(item, Text):
            self._paragraph(item.text, _BODY, _INK)
            self._y -= 6
        elif isinstance(item, Table):
            self._table(item)
        elif isinstance(item, Plot | Picture):
            self._draw(item)

    def _open(self) -> None:
        self._page = Figure(figsize=(WIDTH / 72, HEIGHT / 72))
        self._number += 1
        self._y = HEIGHT - MARGIN
        foot = f"{self._document.title} · {self._document.subtitle}"
        self._page.text(MARGIN / WIDTH, 24 / HEIGHT, foot, fontsize=7, color=_SECOND)
        self._page.text(
            1 - MARGIN / WIDTH, 24 / HEIGHT, str(self._number), fontsize=7, color=_SECOND, ha="right"
        )

    def _need(self, height: float) -> bool:
        """Goes on to a new page where so much does not fit; says whether it did."""
        if self._y - height >= _BOTTOM:
            return False
        self._pages.savefig(self._page)
        self._open()
        return True

    def _add_title(self) -> None:
        self._page.add_artist(
            Rectangle((0, 1 - 10 / HEIGHT), 1, 10 / HEIGHT, color=_FELT, transform=self._page.transFigure)
        )
        self._y -= 8
        self._write(MARGIN, self._document.title, 22, _FELT, weight="bold")
        self._y -= 30
        self._write(MARGIN, self._document.subtitle, 10, _SECOND)
        self._y -= 24
        x = MARGIN
        for name, value in self._document.facts:
            self._write(x, name, 7.5, _SECOND)
            self._y -= 11
            self._write(x, value, 11, _INK, weight="bold")
            self._y += 11
            x += max(7.5 * width_of(name), 11 * width_of(value, "bold")) + 26
        self._y -= 30

    def _write(self, x: float, text: str, size: float, colour: str, **style: Any) -> None:
        """A line of text whose top is at the current height."""
        self._page.text(x / WIDTH, self._y / HEIGHT, text, fontsize=size, color=colour, va="top", **style)

    def _rule(self, y: float, colour: str, width: float) -> None:
        across = [MARGIN / WIDTH, 1 - MARGIN / WIDTH]
        line = Line2D(
            across, [y / HEIGHT] * 2, color=colour, linewidth=width, transform=self._page.transFigure
        )
        self._page.add_artist(line)

    def _paragraph(self, text: str, size: float, colour: str) -> None:
        for line in break_lines(text, size, WIDTH - 2 * MARGIN):
            self._need(LINE * size)
            self._write(MARGIN, line, size, colour)
            self._y -= LINE * size

    def _draw(self, drawn: Plot | Picture) -> None:
        """Gives a plot a part of the page that is as high as it needs."""
        height = 72 * drawn.height_inches
        self._need(height + 24)
        grid = self._page.add_gridspec(
            3,
            3,
            width_ratios=(MARGIN, WIDTH - 2 * MARGIN, MARGIN),
            height_ratios=(HEIGHT - self._y, height, self._y - height),
        )
        drawn.draw(self._page.add_subfigure(grid[1, 1], facecolor="none"))
        self._y -= height + 4
        self._paragraph(drawn.caption, 7.5, _SECOND)
        self._y -= 8

    def _table(self, table: Table) -> None:
        setting = set_table(table, WIDTH - 2 * MARGIN)
        if table.caption:
            self._need(60)
            self._paragraph(table.caption, 7.5, _SECOND)
            self._y -= 2
        self._head(setting)
        for group in table.groups:
            self._group(group, setting)
        self._y -= 10

    def _head(self, setting: Setting) -> None:
        self._need(40)
        self._line(setting, setting.head, _INK, weight="bold")
        self._rule(self._y, _INK, 0.8)

    def _group(self, group: Group, setting: Setting) -> None:
        if group.heading:
            self._need(60)
            self._y -= 6
            self._write(MARGIN, group.heading, setting.size + 1, _FELT, weight="bold")
            self._y -= LINE * setting.size + 2
            if group.note:
                self._paragraph(group.note, setting.size, _SECOND)
        for row in group.rows:
            cells = setting.wrapped(row)
            if self._need(setting.height(cells)):
                self._line(setting, setting.head, _INK, weight="bold")
                self._rule(self._y, _INK, 0.8)
            self._line(setting, cells, _INK)
            self._rule(self._y, _RULE, 0.4)

    def _line(self, setting: Setting, cells: list[list[str]], colour: str, **style: Any) -> None:
        top = self._y - 3
        for place, lines in enumerate(cells):
            x, align = setting.place(place)
            for number, text in enumerate(lines):
                self._y = top - number * LINE * setting.size
                self._write(MARGIN + x, text, setting.size, colour, ha=align, **style)
        self._y = top + 3 - setting.height(cells)

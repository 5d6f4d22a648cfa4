"""`croupier lab report`: one page and one PDF that need nothing beside themselves."""

import re
from html.parser import HTMLParser
from pathlib import Path

from cli.running import refusal, run
from croupier.lab.origin import lab_sha256
from croupier.rulebook import get_layout, load_book, probability

SESSIONS = ("--sessions", "2000", "--seed", "3")
VOID = {"meta", "br", "hr", "img", "input", "link"}


class Sheet:
    """A report as it was written, and its text as somebody reads it."""

    def __init__(self, book: str, layout: str, html: str, pdf: bytes) -> None:
        self.book, self.layout, self.html, self.pdf = book, layout, html, pdf
        self.reader = Reader()
        self.reader.feed(html)
        self.text = " ".join(" ".join(self.reader.words).split())


class Reader(HTMLParser):
    """Reads the words of a page and insists that every element is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)


def write(folder: Path, book: str, layout: str) -> Sheet:
    ran = run("lab", "report", book, "--layout", layout, *SESSIONS, "--out", str(folder))
    assert (ran.status, ran.err) == (0, "")
    page, paper = folder / f"{book}-{layout}.html", folder / f"{book}-{layout}.pdf"
    assert ran.out == f"{page}: {page.stat().st_size:,} bytes\n{paper}: {paper.stat().st_size:,} bytes\n"
    return Sheet(book, layout, page.read_text(encoding="utf-8"), paper.read_bytes())


def the_page_is_whole_and_needs_nothing_beside_itself(sheet: Sheet) -> None:
    reader = sheet.reader
    assert reader.open == []
    links = [value for name, value in reader.attributes if name in ("href", "xlink:href", "src", "srcset")]
    assert links
    assert all(link.startswith("#") for link in links)
    assert not re.search(r"<(script|link|iframe|object|img)\b|@import|url\((?!#)", sheet.html)
    ids = [value for name, value in reader.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in links} <= set(ids)


def every_bet_stands_there_with_its_odds_in_the_names_of_the_book(sheet: Sheet) -> None:
    book = load_book(sheet.book)
    layout = get_layout(book, sheet.layout)
    for bet in layout.bets.values():
        name = book.wheel.labels[bet.numbers[0]] if bet.kind == "symbol" else bet.name
        odds = probability(book, bet)
        row = rf"<tr><td>{re.escape(name)}</td><td[^>]*>[^<]*</td><td[^>]*>{bet.pays} to 1</td><td[^>]*>"
        assert re.search(f"{row}{odds.numerator}/{odds.denominator}</td>", sheet.html)
        assert bet.clause in sheet.text
        assert book.placing_clause(layout, bet.kind) in sheet.text
    for announced in layout.announced.values():
        assert f"<td>{announced.label}</td>" in sheet.html


def clauses_and_assumptions_are_told(sheet: Sheet) -> None:
    book = load_book(sheet.book)
    for assumption in book.assumptions.values():
        assert " ".join(assumption.text.split()) in sheet.text
    clause = book.clauses[get_layout(book, sheet.layout).pay_clause]
    assert " ".join(clause.summary.split()) in sheet.text
    assert "Every pocket or segment is equally likely" in sheet.text


def what_made_it_is_told(sheet: Sheet) -> None:
    assert load_book(sheet.book).sha256 in sheet.text
    assert lab_sha256() in sheet.text
    for name in ("croupier", "Python", "numpy", "numba", "scipy", "matplotlib"):
        assert re.search(rf"<td>{name}</td><td[^>]*>\d+\.\d+", sheet.html)
    words = " ".join(SESSIONS)
    assert f"croupier lab report {sheet.book} --layout {sheet.layout} {words} --out DIR" in sheet.text


def pictures_and_plots_are_drawn(sheet: Sheet) -> None:
    assert sheet.html.count('<figure class="picture">') == 1
    assert sheet.html.count('<figure class="plot">') == 5
    pockets = sheet.html.count("data-pocket=")
    assert pockets == load_book(sheet.book).pockets


def the_paper_is_a_pdf_without_a_date(sheet: Sheet) -> None:
    assert sheet.pdf.startswith(b"%PDF-")
    assert sheet.pdf.rstrip().endswith(b"%%EOF")
    assert b"CreationDate" not in sheet.pdf
    pages = len(re.findall(rb"/Type /Page\b", sheet.pdf))
    assert pages >= (9 if sheet.book == "rws-roulette-00" else 5)


def the_simulation_agrees_with_the_exact_figures(sheet: Sheet) -> None:
    """The last column of the table of distances."""
    table = sheet.html.partition("Furthest z</th>")[2].partition("</table>")[0]
    furthest = [float(row) for row in re.findall(r">([\d.]+)</td></tr>", table)]
    assert len(furthest) == (12 if sheet.book == "rws-roulette-00" else 10)
    assert all(0 < distance < 5 for distance in furthest)


def the_known_edges_stand_there(sheet: Sheet) -> None:
    edges = {
        "rws-roulette-00": ["5.2632 %", "7.8947 %"],
        "rws-money-wheel": ["7.6923 %", "11.5385 %", "19.2308 %"],
    }
    for edge in edges[sheet.book]:
        assert edge in sheet.text


def a_chance_too_small_to_be_computed_is_not_called_none(sheet: Sheet) -> None:
    """After a million rounds hardly anybody is ahead with one to one, but it can be."""
    assert re.search(r"<td[^>]*>1,000,000</td>(<td[^>]*>[^<]*</td>){2}<td[^>]*>&lt; 1e-40</td>", sheet.html)
    table = sheet.html.partition("Player ahead</th>")[2].partition("</table>")[0]
    assert not re.search(r"<td[^>]*>0</td>", table)


HOLDS = (
    a_chance_too_small_to_be_computed_is_not_called_none,
    the_page_is_whole_and_needs_nothing_beside_itself,
    every_bet_stands_there_with_its_odds_in_the_names_of_the_book,
    clauses_and_assumptions_are_told,
    what_made_it_is_told,
    pictures_and_plots_are_drawn,
    the_paper_is_a_pdf_without_a_date,
    the_simulation_agrees_with_the_exact_figures,
    the_known_edges_stand_there,
)
"""Making a sheet takes seconds, so all that holds for it is checked on the same one."""


def test_the_sheet_of_a_roulette(tmp_path: Path) -> None:
    sheet = write(tmp_path, "rws-roulette-00", "B")
    for holds in HOLDS:
        holds(sheet)


def test_the_sheet_of_the_money_wheel_is_the_same_every_time(tmp_path: Path) -> None:
    once, again = (write(tmp_path / name, "rws-money-wheel", "main") for name in ("once", "again"))
    for holds in HOLDS:
        holds(once)
    assert once.html == again.html
    assert once.pdf == again.pdf


def test_a_folder_that_cannot_be_written_to_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    words = ("lab", "report", "rws-money-wheel", *SESSIONS, "--out", str(tmp_path / "file" / "deeper"))
    assert "cannot be used: " in refusal(*words)

"""Making a report."""

from typing import NamedTuple

from croupier.lab.report.contents import write_document
from croupier.lab.report.facts import Facts, Making, Told
from croupier.lab.report.page import write_page
from croupier.lab.report.paper import write_paper
from croupier.rulebook import Book, Layout, get_layout


class Report(NamedTuple):
    """A report in both forms; the same versions make the same bytes."""

    html: str
    pdf: bytes


def make_report(
    book: Book,
    layout: Layout | str | None = None,
    *,
    source: str | None = None,
    sessions: int = 100_000,
    seed: int = 1,
    tell: Told | None = None,
) -> Report:
    """The PAR sheet of a game on one layout.

    `source` is how the book is named in the command that makes the report again (its id, where not given).
    """
    felt = layout if isinstance(layout, Layout) else get_layout(book, layout)
    making = Making(source=source or book.id, sessions=sessions, seed=seed)
    facts = Facts(book, felt, sessions, seed, tell or _in_silence)
    document = write_document(facts, making)
    return Report(write_page(document), write_paper(document))


def _in_silence(what: str, done: int, total: int) -> None:
    """Tells nobody."""

"""Books: which there are, what they say, and one of them as a screen needs it."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from croupier.protocol.book_view import PayLine, RuleView, book_view
from croupier.rulebook import Book
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse
from croupier.server.http.screens import COMPRESSED_ALREADY, Asset, make_asset


class BookLine(msgspec.Struct, frozen=True, kw_only=True):
    """A book in the list of books."""

    id: str
    title: str
    operator: str
    version: str
    effective: str
    currency: str
    wheel: str
    """`ball` or `clapper`."""
    pockets: int
    layouts: tuple[str, ...]
    terminals: tuple[str, ...]
    """The kinds of terminals that it knows."""
    sha256: str


class LayoutRules(msgspec.Struct, frozen=True, kw_only=True):
    """What can be bet on one layout, and what it pays."""

    id: str
    title: str
    clause: str
    bets: int
    """How many different bets it takes."""
    pay_table: tuple[PayLine, ...]


class BookRules(msgspec.Struct, frozen=True, kw_only=True):
    """A book to read before the first bet: pay tables with the house edge, and the clauses restated."""

    book: BookLine
    layouts: tuple[LayoutRules, ...]
    rules: tuple[RuleView, ...]


@get("/api/books", name="books", summary="The books", tags=["Books"], sync_to_thread=False)
def list_books(house: NamedDependency[House]) -> list[BookLine]:
    """The books that come with the software, and those of the tables."""
    return [_line(book) for book in house.books().values()]


@get("/api/books/{book:str}", name="book", summary="A book's rules", tags=["Books"])
async def read_book(house: NamedDependency[House], book: FromPath[str]) -> BookRules:
    """Pay tables with probabilities and the house edge, and every clause restated."""
    return await house.run(_rules, house.book(book))


@get(
    "/api/books/{book:str}/view",
    name="book-view",
    summary="A book as a screen draws it",
    tags=["Books"],
    opt={COMPRESSED_ALREADY: True},
)
async def view_book(
    house: NamedDependency[House],
    request: Request[Any, Any, Any],
    book: FromPath[str],
    layout: Annotated[
        str | None, QueryParameter(description="Which layout; the book's first if none.")
    ] = None,
    terminal: Annotated[
        str | None,
        QueryParameter(description="For which kind of seat; none for a screen that takes no bets."),
    ] = None,
    table: Annotated[
        str | None,
        QueryParameter(description="At which table: its wheel may have another order than the book's."),
    ] = None,
) -> Response[Any]:
    """Felt, places of all bets, wheel, announced bets, notices, rules and pay table."""
    known = house.book(book)
    if table is not None:
        known = house.table(table).runner.rules.book
        if known.id != book:
            raise refuse("unknown-book", f"Table {table[:80]} plays another book, {known.id}.")
    key = known.sha256, known.wheel.order, layout, terminal
    view = house.book_views.get(key)
    if view is None:
        view = house.book_views[key] = await house.run(_view, known, layout, terminal)
    return view.response(request, "no-cache")


HANDLERS: Sequence[HTTPRouteHandler] = (list_books, read_book, view_book)


def _view(book: Book, layout: str | None, terminal: str | None) -> Asset:
    return make_asset(msgspec.json.encode(book_view(book, layout, terminal)), "application/json")


def _line(book: Book) -> BookLine:
    return BookLine(
        id=book.id,
        title=book.title,
        operator=book.operator,
        version=book.version,
        effective=book.effective,
        currency=book.currency,
        wheel=book.wheel.kind,
        pockets=book.pockets,
        layouts=tuple(book.layouts),
        terminals=tuple(book.terminals),
        sha256=book.sha256,
    )


def _rules(book: Book) -> BookRules:
    views = [book_view(book, layout) for layout in book.layouts]
    return BookRules(
        book=_line(book),
        layouts=tuple(
            LayoutRules(
                id=view.layout.id,
                title=view.layout.title,
                clause=view.layout.clause,
                bets=len(view.layout.spots),
                pay_table=view.pay_table,
            )
            for view in views
        ),
        rules=views[0].rules,
    )

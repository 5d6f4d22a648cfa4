"""A book at a wheel whose pockets stand in another order than the book assumes."""

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from croupier.rulebook.calls import NEIGHBOURS, beside
from croupier.rulebook.errors import BadInput
from croupier.rulebook.model import Announced, Book, Layout, Piece, frozen_map
from croupier.rulebook.reader import listed


def with_order(book: Book, order: Sequence[str]) -> Book:
    """The book with the pockets in this order, clockwise; none is the book's own.

    Neighbours follow the order. Everything else stays as the book has it, its hash as well: these are the
    same rules at another wheel.

    >>> from croupier.rulebook import get_layout, load_book
    >>> book = load_book("mbs-roulette")
    >>> turned = with_order(book, [*sorted(book.wheel.order, key=int)])
    >>> [part.bet.id for part in get_layout(turned).announced["neighbours:21+1"].parts]
    ['straight:20', 'straight:21', 'straight:22']
    """
    order = tuple(order)
    if not order or order == book.wheel.order:
        return book
    if faults := order_faults(book, order):
        raise BadInput("bad-order", f"This is no order of the wheel of {book.id}: {' '.join(faults)}")
    wheel = msgspec.structs.replace(
        book.wheel,
        order=order,
        outcomes=frozen_map({pocket: book.wheel.outcomes[pocket] for pocket in order}),
        labels=frozen_map({pocket: book.wheel.labels[pocket] for pocket in order}),
    )
    layouts = {layout.id: _turned(layout, order) for layout in book.layouts.values()}
    return msgspec.structs.replace(book, wheel=wheel, layouts=frozen_map(layouts))


def begun_at(first: str, order: Sequence[str]) -> tuple[str, ...]:
    """The same circle, told from this pocket on; where it is not in it, as it was told.

    >>> begun_at("0", ["32", "15", "0", "26"])
    ('0', '26', '32', '15')
    """
    start = order.index(first) if first in order else 0
    return (*order[start:], *order[:start])


def order_faults(book: Book, order: Sequence[str]) -> list[str]:
    """Everything that is wrong with an order of the pockets, each as a sentence; no order is none of them."""
    if not order:
        return []
    if book.wheel.kind != "ball":
        return [f"only a wheel with a ball has another order; at {book.title} the order changes nothing."]
    given = Counter(order)
    missing = [pocket for pocket in book.wheel.order if pocket not in given]
    faults = [f"{pocket!r} is not on the wheel." for pocket in given if pocket not in book.wheel.outcomes]
    faults += [f"{pocket!r} stands in it {count} times." for pocket, count in given.items() if count > 1]
    return faults + ([f"it does not have {listed(missing)}."] if missing else [])


def _turned(layout: Layout, order: tuple[str, ...]) -> Layout:
    announced = {
        name: msgspec.structs.replace(bet, parts=tuple(_parts(bet, layout, order)))
        if name.startswith(f"{NEIGHBOURS}:")
        else bet
        for name, bet in layout.announced.items()
    }
    return msgspec.structs.replace(layout, announced=frozen_map(announced))


def _parts(bet: Announced, layout: Layout, order: tuple[str, ...]) -> Iterator[Piece]:
    number, _, reach = bet.name.partition(":")[2].rpartition("+")
    for pocket in beside(order, number, int(reach)):
        if (straight := layout.bets.get(f"straight:{pocket}")) is not None:
            yield Piece(bet=straight, pieces=1)

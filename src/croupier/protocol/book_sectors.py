"""The racetrack: which pockets each series of announced bets takes on it.

Inside the ring of pockets a series is an area that ends at the pockets it covers. That only makes a
drawing where no two areas would cross, and where the pockets stand together: a series that does not fit, or
is scattered over the wheel as the book's are over another order, is listed beside the track instead.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Final, NamedTuple

from croupier.rulebook import Announced, Wheel

MOST_ARCS: Final = 2
"""A band across the track has two ends; what ends in more places is no area that anybody could name."""


class Arc(NamedTuple):
    """Pockets beside each other, by their place in the wheel's order; the last may lie before the first."""

    first: int
    last: int


def sectors(wheel: Wheel, series: Iterable[Announced]) -> Mapping[str, tuple[Arc, ...]]:
    """The arcs of every series, by name; none where the series cannot be drawn inside the track.

    Where one series lies wholly within another, the inner one has the pockets that both cover.

    >>> from croupier.rulebook import get_layout, load_book
    >>> book = load_book("mbs-roulette")
    >>> bets = get_layout(book).announced
    >>> arcs = sectors(book.wheel, [bets["tiers"]])["tiers"]
    >>> [(book.wheel.order[arc.first], book.wheel.order[arc.last]) for arc in arcs]
    [('27', '33')]
    """
    covered = {call.name: _pockets(wheel, call) for call in series}
    drawn: dict[str, frozenset[int]] = {}
    for name in sorted(covered, key=lambda name: len(covered[name])):
        own = covered[name]
        inner = [other for other in drawn if covered[other] <= own]
        if any(covered[other] & own for other in drawn if other not in inner):
            continue
        left = own.difference(*(covered[other] for other in inner))
        if len(_arcs(left, len(wheel.order))) > MOST_ARCS:
            continue
        if left and not any(_cross(left, pockets) for pockets in drawn.values()):
            drawn[name] = left
    return {name: _arcs(drawn.get(name, frozenset()), len(wheel.order)) for name in covered}


def _pockets(wheel: Wheel, call: Announced) -> frozenset[int]:
    numbers = {number for part in call.parts for number in part.bet.numbers}
    return frozenset(place for place, number in enumerate(wheel.order) if number in numbers)


def _cross(one: frozenset[int], other: frozenset[int]) -> bool:
    """Whether a line between two pockets of one crosses a line between two pockets of the other."""
    return any(
        len({low < pocket < high for pocket in other}) == 2 for low, high in combinations(sorted(one), 2)
    )


def _arcs(pockets: frozenset[int], size: int) -> tuple[Arc, ...]:
    if len(pockets) == size:
        return (Arc(0, size - 1),)
    firsts = sorted(pocket for pocket in pockets if (pocket - 1) % size not in pockets)
    return tuple(Arc(first, _last(first, pockets, size)) for first in firsts)


def _last(first: int, pockets: frozenset[int], size: int) -> int:
    last = first
    while (last + 1) % size in pockets:
        last = (last + 1) % size
    return last

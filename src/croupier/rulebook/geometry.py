"""The legal inside bets, derived from where the numbers lie on the felt.

A split is an edge that two rectangles share. A point where three touch is a street, where four touch a
corner. On the outside line a whole row is a street, and where two rows meet lies the bet on both of them.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from croupier.rulebook.model import Point, Rect

ROW_OF_NUMBERS: Final = 3
"""How many numbers stand beside each other across the table."""


class InsideBet(NamedTuple):
    """A bet that geometry allows: its kind, its numbers in layout order, and where it is placed."""

    kind: str
    numbers: tuple[str, ...]
    spot: Point


def inside_bets(rects: Mapping[str, Rect]) -> list[InsideBet]:
    """Every inside bet on numbers that lie like this; no set of numbers is there twice."""
    rank = {number: place for place, number in enumerate(rects)}
    found: dict[frozenset[str], InsideBet] = {}

    def add(kind: str, numbers: Iterable[str], spot: Point) -> None:
        ordered = tuple(sorted(numbers, key=rank.__getitem__))
        found.setdefault(frozenset(ordered), InsideBet(kind, ordered, spot))

    for number, rect in rects.items():
        add("straight", [number], _middle(rect))
    for (first, a), (second, b) in combinations(rects.items(), 2):
        if (spot := _shared_edge(a, b)) is not None:
            add("split", [first, second], spot)
    touching = _touching_points(rects)
    for point, numbers in touching.items():
        if len(numbers) in (3, 4):
            add("street" if len(numbers) == 3 else "corner", numbers, point)
    rows = _rows(rects)
    for row in rows:
        if len(row) == ROW_OF_NUMBERS:
            add("street", row, Point(_along_middle(rects[row[0]]), 0))
    for place, (head, row) in enumerate(pairwise(rows)):
        if rects[head[0]].along_to != rects[row[0]].along:
            continue  # rows that do not meet have no line in common
        spot = Point(2 * rects[row[0]].along, 0)
        if all(len(before) < len(row) for before in rows[: place + 1]):  # zeros stand in shorter rows
            both = {*_with_street_beyond(head, rects, touching.values()), *row}
            add({2: "split", 3: "street", 4: "corner"}.get(len(both), "top-line"), both, spot)
        elif len(head) == len(row) == ROW_OF_NUMBERS:
            add("six-line", [*head, *row], spot)
    return list(found.values())


def _rows(rects: Mapping[str, Rect]) -> list[tuple[str, ...]]:
    """The numbers beside each other that reach the outside line, row after row from the head."""
    rows: dict[tuple[int, int], list[str]] = {}
    for number, rect in rects.items():
        rows.setdefault((rect.along, rect.along_to), []).append(number)
    return [tuple(rows[span]) for span in sorted(rows) if any(rects[n].across == 0 for n in rows[span])]


def _with_street_beyond(
    row: tuple[str, ...], rects: Mapping[str, Rect], meetings: Iterable[frozenset[str]]
) -> tuple[str, ...]:
    """A row of zeros that ends in a street towards the head of the table counts with that whole street."""
    for numbers in meetings:
        beyond = numbers.difference(row)
        if (
            len(numbers) == 3
            and numbers.issuperset(row)
            and all(rects[n].along_to <= rects[row[0]].along for n in beyond)
        ):
            return tuple(numbers)
    return row


def _shared_edge(a: Rect, b: Rect) -> Point | None:
    """The middle of the edge that two rectangles have in common, if they have one."""
    along = max(a.along, b.along), min(a.along_to, b.along_to)
    across = max(a.across, b.across), min(a.across_to, b.across_to)
    is_edge = (along[0] == along[1] and across[0] < across[1]) or (
        across[0] == across[1] and along[0] < along[1]
    )
    return Point(sum(along), sum(across)) if is_edge else None


def _touching_points(rects: Mapping[str, Rect]) -> dict[Point, frozenset[str]]:
    """For each corner of a rectangle, every number whose rectangle touches that point."""
    points = {
        (along, across)
        for rect in rects.values()
        for along in (rect.along, rect.along_to)
        for across in (rect.across, rect.across_to)
    }
    return {
        Point(2 * along, 2 * across): frozenset(
            number
            for number, rect in rects.items()
            if rect.along <= along <= rect.along_to and rect.across <= across <= rect.across_to
        )
        for along, across in sorted(points)
    }


def _middle(rect: Rect) -> Point:
    return Point(_along_middle(rect), rect.across + rect.across_to)


def _along_middle(rect: Rect) -> int:
    return rect.along + rect.along_to

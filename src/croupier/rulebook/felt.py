"""Reading the layouts of a book: rectangles, boxes, pays, and the legal bets that follow."""

from collections.abc import Mapping
from itertools import combinations
from typing import Final, NamedTuple

from croupier.rulebook.covering import check_columns
from croupier.rulebook.geometry import inside_bets
from croupier.rulebook.model import Bet, Box, Layout, Point, Rect, Wheel, frozen_map
from croupier.rulebook.reader import Node, short
from croupier.rulebook.sources import Sources
from croupier.rulebook.vocabulary import INSIDE_KINDS, KINDS, NUMBERED_BOXES

_ANYWHERE: Final = Rect(0, 0, 1, 1)
"""Stands for a rectangle that could not be read."""


class Felt(NamedTuple):
    """A layout as it was read, and whether every place on it could be."""

    layout: Layout
    is_placed: bool


def read_layout(
    layout_id: str,
    node: Node,
    wheel: Wheel,
    boxes: Mapping[str, tuple[str, ...]],
    names: Mapping[str, str],
    sources: Sources,
) -> Felt:
    """One layout with every legal bet on it."""
    node.check_name(layout_id)
    title = node.text("title")
    clause = sources.clause(node, "clause")
    pay_clause = sources.clause(node, "pay_clause")
    places = _Places()
    numbers = _read_numbers(node, wheel, places)
    placed = _read_placed_boxes(node, boxes, places)
    pays = _Pays(node.table("pays"))
    bets: dict[str, Bet] = {}
    with node.log.silent(when=not places.are_read):
        places.check_overlaps()
        check_columns(node, boxes, placed, numbers, wheel)
        for inside in inside_bets(numbers):
            bet_id = f"{inside.kind}:{'/'.join(inside.numbers)}"
            bets[bet_id] = _bet(bet_id, inside.kind, inside.numbers, inside.spot, pays, pay_clause, names)
        for box in placed:
            kind = box.bet.partition(":")[0]
            middle = Point(box.rect.along + box.rect.along_to, box.rect.across + box.rect.across_to)
            bets[box.bet] = _bet(box.bet, kind, boxes[box.bet], middle, pays, pay_clause, names)
        pays.finish()
        if not bets:
            node.fault("empty", "nothing can be bet on here; draw numbers, or boxes that [boxes] lists.")
        _check_names(node, bets, names)
        aliases = _read_aliases(node, bets)
    node.finish()
    layout = Layout(
        id=layout_id,
        title=title,
        clause=clause,
        pay_clause=pay_clause,
        numbers=frozen_map(numbers),
        boxes=tuple(placed),
        bets=frozen_map(_in_listing_order(bets, [*numbers])),
        aliases=frozen_map(aliases),
        announced=frozen_map({}),
        announced_aliases=frozen_map({}),
    )
    return Felt(layout, places.are_read)


class _Pays:
    """What each kind of bet, or one bet by its id, pays; remembers what was used."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._pays = {key: self._read(key) for key in node.names()}
        self._used: set[str] = set()
        self._missing: set[str] = set()

    def _read(self, key: str) -> int:
        pays = self._node.raw(key)
        if isinstance(pays, str | float):
            sentence = (
                f"{short(pays)} is not a whole number of stakes for one; 3 to 2 cannot be expressed yet."
            )
            self._node.fault("wrong-type", sentence, key)
            return 1
        return self._node.whole(key, 1)

    def of(self, bet_id: str, kind: str) -> int:
        for key in (bet_id, kind):
            if key in self._pays:
                self._used.add(key)
                return self._pays[key]
        if kind not in self._missing:
            self._missing.add(kind)
            self._node.fault(
                "no-pay", f"the layout has bets of kind {kind} ({bet_id}), and nothing says what they pay."
            )
        return 1

    def finish(self) -> None:
        for key in self._pays:
            if key not in self._used:
                self._node.fault(
                    "pay-without-bet", f"{key} has a pay, and no bet on this layout is {key}.", key
                )


def _bet(
    bet_id: str,
    kind: str,
    numbers: tuple[str, ...],
    spot: Point,
    pays: _Pays,
    clause: str,
    names: Mapping[str, str],
) -> Bet:
    name = names.get(kind, kind)
    if kind in INSIDE_KINDS:
        name = f"{name} {'/'.join(numbers)}"
    elif kind in NUMBERED_BOXES:
        name = f"{name} {bet_id.partition(':')[2]}"
    return Bet(
        id=bet_id, kind=kind, name=name, numbers=numbers, pays=pays.of(bet_id, kind), clause=clause, spot=spot
    )


class _Places:
    """Where things lie on a layout, and where in the file that is said."""

    def __init__(self) -> None:
        self._drawn: list[tuple[str, Rect, Node, tuple[str | int, ...]]] = []
        self.are_read = True
        """Whether every place could be read; where not, nothing is known about which bets there are."""

    def add(self, name: str, rect: Rect, node: Node, *below: str | int) -> None:
        """Keeps a rectangle with the place in the file that draws it."""
        self._drawn.append((name, rect, node, below))

    def read_rect(self, node: Node) -> Rect:
        """A rectangle by two corners."""
        start, end = node.pair("from"), node.pair("to")
        if start is None or end is None:
            self.are_read = False
            return _ANYWHERE
        if start[0] >= end[0] or start[1] >= end[1]:
            node.fault("no-area", f"the rectangle from {list(start)} to {list(end)} has no area.", "to")
            self.are_read = False
            return _ANYWHERE
        return Rect(*start, *end)

    def read_cell(self, block: Node) -> Rect:
        """The first cell of a block."""
        corner, cell = block.pair("from"), block.pair("cell")
        if cell is not None and min(cell) < 1:
            block.fault("no-area", "cell must be a length and a width of at least 1 each.", "cell")
            cell = None
        if corner is None or cell is None:
            self.are_read = False
            return _ANYWHERE
        return Rect(*corner, corner[0] + cell[0], corner[1] + cell[1])

    def check_overlaps(self) -> None:
        """Reports rectangles that share an area, where the second of them stands."""
        for (first, a, _, _), (second, b, node, below) in combinations(self._drawn, 2):
            if a.overlaps(b):
                sentence = f"the rectangles of {first} {list(a)} and {second} {list(b)} overlap."
                node.fault("overlap", sentence, *below)


def _read_numbers(node: Node, wheel: Wheel, places: _Places) -> dict[str, Rect]:
    """The rectangle of every number: single ones first, then the blocks, in the file's order."""
    numbers: dict[str, Rect] = {}

    def add(where: Node, number: str, rect: Rect, *below: str | int) -> None:
        if number in numbers:
            where.fault("double-number", f"{number!r} has a rectangle already.", *below)
            return
        if number not in wheel.outcomes:
            where.fault("unknown-pocket", f"{number!r} is not on the wheel.", *below)
        numbers[number] = rect
        places.add(number, rect, where, *below)

    for rect_node in node.tables("rect"):
        add(rect_node, rect_node.text("number"), places.read_rect(rect_node), "number")
        rect_node.finish()
    for block in node.tables("block"):
        cell = places.read_cell(block)
        for i, row in enumerate(block.rows("rows")):
            for j, number in enumerate(row):
                add(block, number, cell.moved(i, j), "rows", i, j)
        block.finish()
    for number in wheel.outcomes:
        if wheel.kind == "ball" and number not in numbers:
            node.fault("number-not-on-layout", f"{number!r} is on the wheel and has no rectangle.")
    return numbers


def _read_placed_boxes(node: Node, boxes: Mapping[str, tuple[str, ...]], places: _Places) -> list[Box]:
    placed = []
    boxes_node = node.table("boxes")
    for bet_id, box in boxes_node.named_tables():
        label, rect = box.text("label"), places.read_rect(box)
        box.finish()
        if bet_id in boxes:
            placed.append(Box(bet=bet_id, label=label, rect=rect))
            places.add(bet_id, rect, boxes_node, bet_id)
        else:
            boxes_node.fault(
                "unknown-box", f"{bet_id!r} is drawn, and [boxes] does not say what it covers.", bet_id
            )
    return placed


def _check_names(node: Node, bets: Mapping[str, Bet], names: Mapping[str, str]) -> None:
    for kind in {bet.kind for bet in bets.values()} - set(names):
        node.fault("no-name", f"[names] does not say what bets of kind {kind} are called.")


def _read_aliases(node: Node, bets: Mapping[str, Bet]) -> dict[str, str]:
    if not node.has("aliases"):
        return {}
    aliases_node = node.table("aliases")
    aliases = {}
    for alias in aliases_node.names():
        aliases[alias] = aliases_node.text(alias)
        if aliases[alias] not in bets:
            aliases_node.fault("unknown-bet", f"{aliases[alias]!r} is not a bet on this layout.", alias)
        if alias in bets:
            aliases_node.fault("double-id", f"{alias!r} is a bet of its own on this layout.", alias)
    return aliases


def _in_listing_order(bets: Mapping[str, Bet], numbers: list[str]) -> dict[str, Bet]:
    """Kind after kind, the numbers in layout order, and boxes as they are drawn."""
    rank = {number: place for place, number in enumerate(numbers)}

    def key(bet: Bet) -> tuple[int, tuple[int, ...]]:
        is_inside = bet.kind in INSIDE_KINDS
        return KINDS.index(bet.kind), tuple(rank[n] for n in bet.numbers) if is_inside else ()

    return {bet.id: bet for bet in sorted(bets.values(), key=key)}

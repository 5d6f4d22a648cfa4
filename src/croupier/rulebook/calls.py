"""Reading the announced bets of a book: series by name, neighbours by the wheel, finales by digit."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from croupier.rulebook.model import Announced, Layout, Offer, Piece, Terminal, Wheel, frozen_map
from croupier.rulebook.reader import Node, listed
from croupier.rulebook.sources import Sources

NEIGHBOURS, FINALES = "neighbours", "finales"

PLACE = "place"
"""What a seat is called that is a player's place at the layout, without a terminal."""


class _Pattern(NamedTuple):
    """What neighbours or finales are called, and by layout the clause that has them."""

    label: str
    clauses: Mapping[str, str]


class Series:
    """The announced bets of a book as its file states them, before they are offered on a layout."""

    def __init__(
        self,
        root: Node,
        wheel: Wheel,
        layouts: Mapping[str, Layout],
        unplaced: Collection[str],
        sources: Sources,
    ) -> None:
        self._wheel = wheel
        self._unplaced = unplaced
        self._root = root
        self._named: dict[str, dict[str, Announced]] = {layout: {} for layout in layouts}
        self._aliases: dict[str, tuple[str, Node, int]] = {}
        for node in root.tables("announced"):
            self._read_named(node, layouts, sources)
        self._check_aliases(layouts)
        self._digits: dict[str, list[str]] = {}
        self._patterns = {kind: self._read_kind(root, kind, sources) for kind in (NEIGHBOURS, FINALES)}
        self.kinds = [*dict.fromkeys(name for named in self._named.values() for name in named)]
        self.kinds += [kind for kind in (NEIGHBOURS, FINALES) if root.has(kind)]

    def on(self, layout: Layout, offers: Iterable[Offer]) -> Layout:
        """The layout with every announced bet that some terminal offers on it."""
        offers = [offer for offer in offers if offer.layout == layout.id]
        offered = {kind for offer in offers for kind in offer.labels}
        found = {name: bet for name, bet in self._named[layout.id].items() if name in offered}
        if NEIGHBOURS in offered:
            reaches = sorted({reach for offer in offers for reach in offer.reaches})
            found |= {bet.name: bet for bet in self._all_neighbours(layout, reaches)}
        if FINALES in offered:
            found |= {bet.name: bet for bet in self._all_finales(layout)}
        aliases = {alias: name for alias, (name, _, _) in self._aliases.items() if name in found}
        return msgspec.structs.replace(
            layout, announced=frozen_map(found), announced_aliases=frozen_map(aliases)
        )

    def _all_neighbours(self, layout: Layout, reaches: Iterable[int]) -> Iterable[Announced]:
        label, clause = self._pattern(NEIGHBOURS, layout)
        order = self._wheel.order
        for number in layout.numbers:
            if number not in order:
                continue  # reported as an unknown pocket already
            for reach in reaches:
                name, numbers = f"{NEIGHBOURS}:{number}+{reach}", beside(order, number, reach)
                yield self._straights(name, f"{label} {number}+{reach}", clause, numbers, layout)

    def _all_finales(self, layout: Layout) -> Iterable[Announced]:
        label, clause = self._pattern(FINALES, layout)
        for digit, numbers in self._digits.items():
            yield self._straights(f"{FINALES}:{digit}", f"{label} {digit}", clause, numbers, layout)

    def _straights(
        self, name: str, label: str, clause: str, numbers: Iterable[str], layout: Layout
    ) -> Announced:
        known = [number for number in numbers if number in self._wheel.outcomes]
        bets = (layout.bets.get(f"straight:{number}") for number in known)
        parts = tuple(Piece(bet=bet, pieces=1) for bet in bets if bet is not None)
        if known and not parts:
            sentence = f"{name} has no piece on layout {layout.id}, where no number has a straight bet."
            self._root.fault("piece-is-no-bet", sentence, name.partition(":")[0])
        return Announced(name=name, label=label, clause=clause, parts=parts)

    def _read_named(self, node: Node, layouts: Mapping[str, Layout], sources: Sources) -> None:
        name, label = node.name("name"), node.text("label")
        if name in (NEIGHBOURS, FINALES):
            node.fault("bad-name", f"{name} follow from the wheel; they have a table of their own.", "name")
        clause = sources.clause(node, "clause")
        pieces = node.whole_if_read("pieces", 1)
        for index, alias in enumerate(node.texts("aliases") if node.has("aliases") else []):
            if self._aliases.get(alias, (name,))[0] != name:
                node.fault("double-id", f"{alias!r} is another bet's alias.", "aliases", index)
            self._aliases[alias] = name, node, index
        bets = node.table("bets")
        read = {bet_id: bets.whole_if_read(bet_id, 1) for bet_id in bets.names()}
        counts = {bet_id: count or 1 for bet_id, count in read.items()}
        if pieces is not None and None not in read.values() and sum(counts.values()) != pieces:
            sentence = f"{name} has {pieces} pieces, and its bets add up to {sum(counts.values())}."
            node.fault("pieces-do-not-add-up", sentence, "pieces")
        for index, layout_id in enumerate(node.texts("layouts")):
            if layout_id not in layouts:
                node.fault("unknown-layout", f"there is no layout {layout_id!r}.", "layouts", index)
                continue
            layout = layouts[layout_id]
            for bet_id in counts:
                if bet_id not in layout.bets and layout_id not in self._unplaced:
                    sentence = f"{bet_id!r} is not a legal bet on layout {layout_id}."
                    bets.fault("piece-is-no-bet", sentence, bet_id)
            if name in self._named[layout_id]:
                node.fault("double-id", f"layout {layout_id} has two announced bets {name!r}.", "name")
            if name in layout.bets or name in layout.aliases:
                node.fault("double-id", f"layout {layout_id} has an ordinary bet {name!r}.", "name")
            parts = tuple(
                Piece(bet=layout.bets[bet_id], pieces=count)
                for bet_id, count in counts.items()
                if bet_id in layout.bets
            )
            self._named[layout_id][name] = Announced(name=name, label=label, clause=clause, parts=parts)
        node.finish()

    def _check_aliases(self, layouts: Mapping[str, Layout]) -> None:
        """An alias that is another bet's name would take that bet's place."""
        names = {name for named in self._named.values() for name in named}
        names |= {bet_id for layout in layouts.values() for bet_id in [*layout.bets, *layout.aliases]}
        for alias, (_, node, index) in self._aliases.items():
            node.check_name(alias, "aliases", index)
            if alias in names:
                node.fault("double-id", f"{alias!r} is another bet's name.", "aliases", index)

    def _read_kind(self, root: Node, kind: str, sources: Sources) -> _Pattern:
        if not root.has(kind):
            return _Pattern("", {})
        node = root.table(kind)
        label = node.text("label")
        if node.is_table("clause"):
            by_layout = node.table("clause")
            clauses = {layout: sources.clause(by_layout, layout) for layout in by_layout.names()}
            for layout in clauses.keys() - self._named.keys():
                by_layout.fault("unknown-layout", f"there is no layout {layout!r}.", layout)
        else:
            clauses = dict.fromkeys(self._named, sources.clause(node, "clause"))
        if kind == FINALES:
            self._read_digits(node.table("digits"))
        node.finish()
        return _Pattern(label, clauses)

    def _pattern(self, kind: str, layout: Layout) -> tuple[str, str]:
        """The label of neighbours or finales, and the clause that has them on a layout."""
        label, clauses = self._patterns[kind]
        if layout.id not in clauses:
            sentence = f"{kind} are offered on layout {layout.id}, and nothing says by which clause."
            self._root.fault("missing", sentence, kind, "clause")
        return label, clauses.get(layout.id, "")

    def _read_digits(self, node: Node) -> None:
        for digit in node.names():
            if digit not in tuple("0123456789"):
                node.fault("unknown-word", f"{digit!r} is not a digit from 0 to 9.", digit)
            numbers = node.texts(digit)
            for index, number in enumerate(numbers):
                if number not in self._wheel.outcomes:
                    node.fault("unknown-pocket", f"{number!r} is not on the wheel.", digit, index)
                if number in numbers[:index]:
                    node.fault("double-number", f"{number!r} stands here twice.", digit, index)
                if len(digit) == 1 and number.isdecimal() and not number.endswith(digit):
                    node.fault("number-differs", f"{number} does not end with {digit}.", digit, index)
            self._digits[digit] = numbers

    def named_on(self, layout_id: str) -> list[str]:
        """The kinds of announced bets that a layout can offer."""
        patterns = [kind for kind in self.kinds if kind in (NEIGHBOURS, FINALES)]
        return [*self._named.get(layout_id, ()), *patterns]


def beside(order: Sequence[str], number: str, reach: int) -> list[str]:
    """A number between its neighbours on either side, in the order of the wheel.

    >>> beside(["0", "32", "15", "19"], "0", 1)
    ['19', '0', '32']
    """
    middle = order.index(number)
    return [order[(middle + step) % len(order)] for step in range(-reach, reach + 1)]


def read_terminals(
    root: Node, layouts: Mapping[str, Layout], series: Series, pockets: int, sources: Sources
) -> dict[str, Terminal]:
    """Every kind of terminal with what it offers on which layout, under its own names."""
    terminals: dict[str, Terminal] = {}
    for node in root.tables("terminal"):
        terminal_id, title = node.name("id"), node.text("title")
        offers = tuple(
            _read_offer(offer, terminal_id, layouts, series, pockets, sources)
            for offer in node.tables("offer")
        )
        for index, offer in enumerate(offers):
            if offer.layout in {other.layout for other in offers[:index]}:
                node.fault("double-id", f"two offers are for layout {offer.layout}.", "offer", index)
        node.finish()
        if terminal_id == PLACE:
            node.fault("bad-name", f"{PLACE} is a seat without a terminal; choose another name.", "id")
        if terminal_id in terminals:
            node.fault("double-id", f"terminal {terminal_id} is listed twice.", "id")
        terminals[terminal_id] = Terminal(id=terminal_id, title=title, offers=offers)
    return terminals


def _read_offer(
    node: Node,
    terminal_id: str,
    layouts: Mapping[str, Layout],
    series: Series,
    pockets: int,
    sources: Sources,
) -> Offer:
    layout = node.choice("layout", [*layouts])
    labels_node = node.table("labels")
    labels = {kind: labels_node.text(kind) for kind in labels_node.names()}
    known = series.named_on(layout)
    for kind in labels:
        if kind not in known:
            sentence = f"{kind!r} is not an announced bet on layout {layout}: {listed(known)}."
            labels_node.fault("unknown-announced", sentence, kind)
    reaches = node.wholes("reaches") if node.has("reaches") else []
    if (NEIGHBOURS in labels) != bool(reaches):
        sentence = "neighbours need reaches, and reaches need neighbours among the labels."
        node.fault("reach", sentence, "reaches")
    for index, reach in enumerate(reaches):
        if not 1 <= reach <= (pockets - 1) // 2:
            sentence = f"a reach of {reach} is not possible on {pockets} pockets."
            node.fault("reach", sentence, "reaches", index)
        if reach in reaches[:index]:
            node.fault("double-number", f"the reach {reach} stands here twice.", "reaches", index)
    offer = Offer(
        terminal=terminal_id,
        layout=layout,
        clause=sources.clause(node, "clause"),
        labels=frozen_map(labels),
        reaches=tuple(reach for reach in reaches if 1 <= reach <= (pockets - 1) // 2),
    )
    node.finish()
    return offer

"""Reading the wheel of a book: pockets or segments in order, colours, and what a valid spin is."""

from collections import Counter

from croupier.rulebook.model import Wheel, frozen_map
from croupier.rulebook.reader import Node
from croupier.rulebook.sources import Sources
from croupier.rulebook.vocabulary import COLOURS, WHEEL_KINDS


def read_wheel(node: Node, sources: Sources) -> Wheel:
    """The wheel, with every pocket coloured or every symbol's segments counted."""
    kind = node.choice("kind", WHEEL_KINDS)
    order = node.texts("order")
    for number in dict.fromkeys(order):
        node.check_name(number, "order", order.index(number))
    outcomes = Counter(order)
    pockets = node.whole_if_read("pockets", 1)
    if pockets is not None and order and len(order) != pockets:
        node.fault("segments-do-not-add-up", f"pockets is {pockets}, and order lists {len(order)}.", "order")
    if kind == "ball":
        for number, count in outcomes.items():
            if count > 1:
                node.fault("double-number", f"{number!r} stands in order {count} times.", "order")
        colours, labels = (
            _read_colours(node.table("colours"), outcomes),
            {number: number for number in outcomes},
        )
    else:
        colours, labels = {}, _read_symbols(node.table("symbols"), outcomes)
    wheel = Wheel(
        kind=kind,
        order=tuple(order),
        colours=frozen_map(colours),
        outcomes=frozen_map({label: outcomes[label] for label in labels if label in outcomes}),
        labels=frozen_map(labels),
        revolutions=node.whole("revolutions", 1),
        opposite_direction=node.flag("opposite_direction"),
        clause=sources.clause(node, "clause"),
    )
    node.finish()
    return wheel


def _read_colours(node: Node, outcomes: Counter[str]) -> dict[str, str]:
    colours: dict[str, str] = {}
    for colour in COLOURS:
        if node.has(colour):
            for index, number in enumerate(node.texts(colour)):
                if number not in outcomes:
                    node.fault("unknown-pocket", f"{number!r} is not on the wheel.", colour, index)
                elif number in colours:
                    node.fault("two-colours", f"{number!r} is {colours[number]} already.", colour, index)
                colours[number] = colour
    for number in outcomes:
        if number not in colours:
            node.fault("no-colour", f"{number!r} is on the wheel and has no colour.")
    node.finish()
    return colours


def _read_symbols(node: Node, outcomes: Counter[str]) -> dict[str, str]:
    labels: dict[str, str] = {}
    for symbol, entry in node.named_tables():
        segments = entry.whole_if_read("segments", 1)
        labels[symbol] = entry.text("label")
        entry.finish()
        if segments is not None and segments != outcomes[symbol]:
            sentence = f"{symbol} has {segments} segments, and order lists it {outcomes[symbol]} times."
            node.fault("segments-do-not-add-up", sentence, symbol, "segments")
    for symbol in outcomes:
        if symbol not in labels:
            node.fault("unknown-symbol", f"order lists {symbol!r}, and [wheel.symbols] does not know it.")
    return labels

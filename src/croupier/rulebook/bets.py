"""From what people write to bets: ids, layouts, terminals, results."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from croupier.rulebook.errors import BadInput
from croupier.rulebook.model import Announced, Bet, Book, Layout, Offer
from croupier.rulebook.reader import listed
from croupier.rulebook.vocabulary import INSIDE_KINDS

_BET_ID: Final = re.compile(r"[a-z][a-z-]*(?::[A-Za-z0-9+/-]+)?")


def get_layout(book: Book, layout_id: str | None = None) -> Layout:
    """A layout of the book; the first one where none is named.

    >>> from croupier.rulebook import load_book
    >>> get_layout(load_book("rws-roulette-00"), "B").title
    'Appendix B'
    """
    if layout_id is None:
        return next(iter(book.layouts.values()))
    if layout_id not in book.layouts:
        raise BadInput(
            "unknown-layout",
            f"{book.id} has no layout {layout_id!r}.",
            f"Its layouts are {', '.join(book.layouts)}.",
        )
    return book.layouts[layout_id]


def parse_bet(layout: Layout, text: str) -> Bet:
    """A bet by its id, its numbers in any order, or by another name it goes by.

    >>> from croupier.rulebook import load_book
    >>> layout = get_layout(load_book("rws-roulette-000"))
    >>> parse_bet(layout, "split:000/0").id, parse_bet(layout, "green").id
    ('split:0/000', 'street:0/00/000')
    """
    text = text.strip(" ")
    if text in layout.bets:
        return layout.bets[text]
    if text in layout.aliases:
        return layout.bets[layout.aliases[text]]
    if _BET_ID.fullmatch(text) is None:
        raise BadInput(
            "bet-malformed",
            f"{text!r} is not written like a bet.",
            f"Write {_written(layout, text)}.",
        )
    kind, _, rest = text.partition(":")
    if kind in INSIDE_KINDS:
        wanted = set(rest.split("/"))
        reordered = f"{kind}:{'/'.join(number for number in layout.numbers if number in wanted)}"
        if reordered in layout.bets and rest.count("/") + 1 == len(layout.bets[reordered].numbers):
            return layout.bets[reordered]
    if (announced := parse_announced(layout, text)) is not None:
        sentence = f"{text!r} is an announced bet of {announced.pieces} pieces, and no bet of its own."
        pieces = [part.bet.id for part in announced.parts]
        raise BadInput("bet-not-on-layout", sentence, f"Name its pieces: {', '.join(pieces)}.")
    raise BadInput(
        "bet-not-on-layout", f"There is no bet {text!r} on layout {layout.id}.", _suggest(layout, text)
    )


def parse_announced(layout: Layout, text: str) -> Announced | None:
    """An announced bet by its name or another name it goes by; None where the text is not one.

    >>> from croupier.rulebook import load_book
    >>> parse_announced(get_layout(load_book("mbs-roulette")), "small-series").pieces
    6
    """
    name = text.strip(" ")
    return layout.announced.get(layout.announced_aliases.get(name, name))


def parse_result(book: Book, text: str) -> str:
    """A result that the wheel can show; `0` and `00` are never mixed up."""
    pocket = text.strip(" ") if isinstance(text, str) else text
    if pocket not in book.wheel.outcomes:
        is_number = str(pocket) in book.wheel.outcomes  # 0 for "0", which cannot be told from "00"
        raise BadInput(
            "result-not-on-wheel",
            f"{pocket!r} is not on the wheel of {book.id}.",
            f"Results are texts: write {str(pocket)!r}."
            if is_number
            else f"It shows {_ranges([*book.wheel.outcomes])}.",
        )
    return pocket


def get_offer(book: Book, layout: Layout, terminal_id: str) -> Offer:
    """What a kind of terminal offers on a layout."""
    if terminal_id not in book.terminals:
        known = ", ".join(book.terminals)
        raise BadInput(
            "unknown-terminal",
            f"{book.id} has no terminal {terminal_id!r}.",
            f"Its terminals are {known}." if known else "It is played at a table, without terminals.",
        )
    for offer in book.terminals[terminal_id].offers:
        if offer.layout == layout.id:
            return offer
    raise BadInput(
        "terminal-without-layout",
        f"The terminal {terminal_id} has no layout {layout.id}.",
        f"It has {', '.join(offer.layout for offer in book.terminals[terminal_id].offers)}.",
    )


def offered(layout: Layout, offer: Offer) -> Mapping[str, str]:
    """The announced bets that a terminal offers, by name, with the label it shows them under.

    >>> from croupier.rulebook import load_book
    >>> book = load_book("mbs-roulette")
    >>> layout = get_layout(book)
    >>> offered(layout, get_offer(book, layout, "alfastreet"))["tiers"]
    'Small Series'
    """
    labels: dict[str, str] = {}
    for name in layout.announced:
        kind, _, choice = name.partition(":")
        if kind not in offer.labels or (
            kind == "neighbours" and int(choice.rpartition("+")[2]) not in offer.reaches
        ):
            continue
        labels[name] = f"{offer.labels[kind]} {choice}".strip()
    return labels


def _suggest(layout: Layout, text: str) -> str:
    names = [*layout.bets, *layout.aliases, *layout.announced, *layout.announced_aliases]
    near = get_close_matches(text, names, 3, 0.5)
    if near:
        return f"Near it are {', '.join(near)}."
    kinds = dict.fromkeys(bet.kind for bet in layout.bets.values())
    return f"Its kinds of bets are {', '.join(kinds)}."


def _written(layout: Layout, text: str) -> str:
    """How bets of this layout are written: those that the text may stand for, or else some others."""
    meant = [bet_id for bet_id in layout.bets if text and bet_id.partition(":")[2] == text]
    usual = [bet_id for bet_id in ("straight:17", "split:17/20", "dozen:3", "red") if bet_id in layout.bets]
    return listed(meant) if meant else f"for example {listed(usual or [*layout.bets][:3])}"


def _ranges(outcomes: list[str]) -> str:
    """Outcomes for a sentence: the numbers 1 to 36 in short, everything else by name."""
    whole = {str(number) for number in range(1, len(outcomes) + 1)} & set(outcomes)
    if len(whole) < 10:
        return ", ".join(outcomes)
    others = [outcome for outcome in outcomes if outcome not in whole]
    return ", ".join([*others, f"1 to {len(whole)}"])

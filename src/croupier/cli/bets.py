"""`croupier bets`, `announced` and `odds`: what can be staked on a layout, and at what odds."""

import argparse
from fractions import Fraction
from typing import Final

from croupier.cli.command import Command, Output, add_book, add_json, add_layout, as_json
from croupier.cli.tables import NO_BREAK, Column, Row, render_table
from croupier.rulebook import (
    Announced,
    Bet,
    Book,
    Layout,
    Piece,
    get_layout,
    get_offer,
    house_edge,
    load_book,
    offered,
    probability,
)
from croupier.rulebook.vocabulary import INSIDE_KINDS


def _run_bets(args: argparse.Namespace) -> Output:
    book = load_book(args.book)
    layout = get_layout(book, args.layout)
    if args.json:
        return Output(text=as_json([_bet_facts(bet) for bet in layout.bets.values()]))
    columns = [Column("BET"), Column("NUMBERS", wraps=True), Column("PAYS", right=True), Column("CLAUSE")]
    rows = [
        Row([bet.id, " ".join(bet.numbers), f"{bet.pays} to 1", bet.clause.removeprefix(f"{book.id}:")])
        for bet in layout.bets.values()
    ]
    return Output(text=render_table(f"{_place(book, layout)}: {len(rows)} legal bets", columns, rows))


def _bet_facts(bet: Bet) -> dict[str, object]:
    return {
        "bet": bet.id,
        "kind": bet.kind,
        "numbers": [*bet.numbers],
        "pays": bet.pays,
        "clause": bet.clause,
    }


def _run_announced(args: argparse.Namespace) -> Output:
    book = load_book(args.book)
    layout = get_layout(book, args.layout)
    labels = {announced.name: announced.label for announced in layout.announced.values()}
    place = _place(book, layout)
    if args.terminal is not None:
        labels = {**offered(layout, get_offer(book, layout, args.terminal))}
        place += f", terminal {book.terminals[args.terminal].title}"
    if args.json:
        facts = [_announced_facts(layout.announced[name], label) for name, label in labels.items()]
        return Output(text=as_json(facts))
    if not labels:
        return Output(text=f"{place}: no announced bets\n")
    columns = [Column("NAME"), Column("LABEL"), Column("PIECES", right=True), Column("BETS", wraps=True)]
    rows = [_announced_row(layout.announced[name], label) for name, label in labels.items()]
    return Output(text=render_table(f"{place}: {len(rows)} announced bets", columns, rows))


def _announced_facts(announced: Announced, label: str) -> dict[str, object]:
    return {
        "name": announced.name,
        "label": label,
        "pieces": announced.pieces,
        "bets": [{"bet": part.bet.id, "pieces": part.pieces} for part in announced.parts],
    }


def _announced_row(announced: Announced, label: str) -> Row:
    parts = ", ".join(_show_piece(part) for part in announced.parts)
    return Row([announced.name, label, str(announced.pieces), parts])


def _show_piece(part: Piece) -> str:
    """As the rule texts print it: numbers are enough to tell an inside bet."""
    shown = "/".join(part.bet.numbers) if part.bet.kind in INSIDE_KINDS else part.bet.id
    return shown if part.pieces == 1 else f"{part.pieces}x{NO_BREAK}{shown}"


def _run_odds(args: argparse.Namespace) -> Output:
    book = load_book(args.book)
    layout = get_layout(book, args.layout)
    facts = [_odds_facts(book, bet) for bet in layout.bets.values()]
    if args.json:
        return Output(text=as_json(facts))
    columns = [
        Column("BET"),
        Column("PAYS", right=True),
        Column("PROBABILITY", right=True),
        Column("HOUSE EDGE", right=True),
        Column("EDGE %", right=True),
    ]
    rows = [
        Row(
            [
                bet.id,
                f"{bet.pays} to 1",
                str(fact["probability"]),
                str(fact["edge"]),
                f"{fact['edge_percent']:.4f}",
            ]
        )
        for bet, fact in zip(layout.bets.values(), facts, strict=True)
    ]
    return Output(text=render_table(f"{_place(book, layout)}: odds of {len(rows)} bets", columns, rows))


def _odds_facts(book: Book, bet: Bet) -> dict[str, object]:
    edge = house_edge(book, bet)
    return {
        "bet": bet.id,
        "probability": _show_fraction(probability(book, bet)),
        "edge": _show_fraction(edge),
        "edge_percent": float(round(edge * 100, 4)),
    }


def _show_fraction(value: Fraction) -> str:
    """Always with its denominator, also where the value is whole."""
    return f"{value.numerator}/{value.denominator}"


def _place(book: Book, layout: Layout) -> str:
    return f"{book.id} ({book.title}), layout {layout.id}"


def _add_layout_of_book(parser: argparse.ArgumentParser) -> None:
    add_book(parser)
    add_layout(parser)
    add_json(parser)


def _add_terminal(parser: argparse.ArgumentParser) -> None:
    _add_layout_of_book(parser)
    parser.add_argument(
        "--terminal", metavar="T", help="only what this kind of terminal offers, as it says it"
    )


BETS: Final = Command(
    "bets",
    "BOOK [--layout L] [--json]",
    "every legal bet, what it covers and what it pays",
    _add_layout_of_book,
    _run_bets,
)
ANNOUNCED: Final = Command(
    "announced",
    "BOOK [--layout L] [--terminal T] [--json]",
    "bets called by name, and the bets they consist of",
    _add_terminal,
    _run_announced,
)
ODDS: Final = Command(
    "odds",
    "BOOK [--layout L] [--json]",
    "chance and house edge of every bet, exact",
    _add_layout_of_book,
    _run_odds,
)

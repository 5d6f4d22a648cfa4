"""`croupier settle`: what a result pays."""

import argparse
from collections.abc import Iterable
from typing import Final

from croupier.cli.command import Command, Output, add_book, add_json, add_layout, as_json
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import (
    BadInput,
    Book,
    Layout,
    Settlement,
    get_layout,
    load_book,
    parse_announced,
    parse_bet,
    parse_cents,
    settle,
    show_amount,
    show_cents,
)


def _run(args: argparse.Namespace) -> Output:
    book = load_book(args.book)
    layout = get_layout(book, args.layout)
    settlement = settle(book, layout, _read_stakes(layout, args.bet), args.result)
    if args.json:
        return Output(text=as_json(_facts(settlement)))
    return Output(text=_table(book, layout, settlement))


def _read_stakes(layout: Layout, texts: Iterable[str]) -> dict[str, int]:
    """Cents by bet id, in the order in which bets are first named; what is named again adds up."""
    stakes: dict[str, int] = {}
    for text in texts:
        name, equals, amount = text.partition("=")
        if not equals:
            raise BadInput(
                "bet-without-amount",
                f"{text!r} names no amount.",
                "Write ID=AMOUNT, for example red=5 or split:17/20=2.50.",
            )
        announced = parse_announced(layout, name)
        parts = (
            [(part.bet.id, part.pieces) for part in announced.parts]
            if announced is not None
            else [(parse_bet(layout, name).id, 1)]
        )
        piece_cents = parse_cents(amount)
        if piece_cents == 0:
            raise BadInput("amount-zero", f"{text!r} stakes nothing.", "Write an amount of 0.01 or more.")
        for bet_id, pieces in parts:
            stakes[bet_id] = stakes.get(bet_id, 0) + piece_cents * pieces
    return stakes


def _facts(settlement: Settlement) -> dict[str, object]:
    return {
        "result": settlement.result,
        "staked": show_cents(settlement.staked_cents),
        "returned": show_cents(settlement.returned_cents),
        "net": show_cents(settlement.net_cents),
        "bets": [
            {
                "bet": outcome.bet.id,
                "stake": show_cents(outcome.stake_cents),
                "won": outcome.won,
                "returned": show_cents(outcome.returned_cents),
            }
            for outcome in settlement.bets
        ],
    }


def _table(book: Book, layout: Layout, settlement: Settlement) -> str:
    columns = [Column("BET"), Column("STAKE", right=True), Column(""), Column("RETURNED", right=True)]
    rows = [
        Row(
            [
                outcome.bet.id,
                show_amount(outcome.stake_cents),
                "won" if outcome.won else "lost",
                show_amount(outcome.returned_cents),
            ]
        )
        for outcome in settlement.bets
    ]
    totals = [show_amount(settlement.staked_cents), "", show_amount(settlement.returned_cents)]
    rows.append(Row(["all bets", *totals]))
    title = f"{book.id} ({book.title}), layout {layout.id}: result {_show_result(book, settlement.result)}"
    net = f"Net {show_amount(settlement.net_cents)} {book.currency}, settled by clause {settlement.clause}.\n"
    return f"{render_table(title, columns, rows)}\n{net}"


def _show_result(book: Book, result: str) -> str:
    return f"{result} {book.wheel.colours[result]}" if result in book.wheel.colours else result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_book(parser)
    add_layout(parser)
    parser.add_argument(
        "--result", metavar="R", required=True, help="where the ball or the clapper came to rest"
    )
    parser.add_argument(
        "--bet",
        metavar="ID=AMOUNT",
        required=True,
        nargs="+",
        action="extend",
        help="a bet and its stake in dollars; for an announced bet the stake on each piece",
    )
    add_json(parser)


SETTLE: Final = Command(
    "settle",
    "BOOK [--layout L] --result R --bet ID=AMOUNT ... [--json]",
    "what a result pays",
    _add_arguments,
    _run,
)

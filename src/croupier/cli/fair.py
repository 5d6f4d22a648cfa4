"""`croupier fair`: whether rounds kept the commitments that were published before their bets closed."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier.cli.addresses import shown
from croupier.cli.command import Command, Output, add_json, as_json
from croupier.cli.journals import add_books, add_journal, find_books, known_table, open_journal
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import BadInput

if TYPE_CHECKING:
    from croupier.wheel.fair_check import Verdict

_NOT_SHOWN: Final = 1
_SHOWN_DIGITS: Final = 16


def _run(args: argparse.Namespace) -> Output:
    if (args.round is None) == (not args.all):
        raise BadInput("which-round", "It has to be one round or all of them.", "Write ROUND or --all.")
    find_book = find_books(args.book)
    with open_journal(args.journal) as evidence:
        from croupier.wheel.fair_check import check_journal

        verdicts = check_journal(evidence, known_table(evidence, args.table), args.round, find_book)
    status = 0 if all(verdict.is_shown for verdict in verdicts) else _NOT_SHOWN
    text = as_json(_facts(args, verdicts)) if args.json else _page(args.table, verdicts)
    return Output(text=text, status=status)


def _facts(args: argparse.Namespace, verdicts: Sequence["Verdict"]) -> dict[str, Any]:
    return {
        "journal": shown(args.journal),
        "table": args.table,
        "shown": all(verdict.is_shown for verdict in verdicts),
        "rounds": [msgspec.to_builtins(verdict) for verdict in verdicts],
    }


def _page(table: str, verdicts: Sequence["Verdict"]) -> str:
    if not verdicts:
        return f"Table {table} has finished no round yet.\n"
    columns = [
        Column("ROUND", right=True),
        Column("COMMITMENT"),
        Column("DRAWN"),
        Column("RESULT"),
        Column("VERDICT"),
        Column("", wraps=True),
    ]
    rows = [
        Row(
            [
                str(verdict.round),
                "-" if verdict.commitment is None else f"{verdict.commitment[:_SHOWN_DIGITS]}...",
                verdict.drawn_result or "-",
                verdict.result or "-",
                verdict.verdict,
                verdict.sentence,
            ]
        )
        for verdict in verdicts
    ]
    counts = {name: sum(verdict.verdict == name for verdict in verdicts) for name in _names(verdicts)}
    summary = ", ".join(f"{count} {name}" for name, count in counts.items())
    plural = "round" if len(verdicts) == 1 else "rounds"
    title = f"Whether table {table} kept its commitments"
    return f"{render_table(title, columns, rows)}\n{len(verdicts)} {plural}: {summary}.\n"


def _names(verdicts: Sequence["Verdict"]) -> list[str]:
    return [*dict.fromkeys(verdict.verdict for verdict in verdicts)]


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_journal(parser)
    parser.add_argument("table", metavar="TABLE", help="the table")
    parser.add_argument("round", metavar="ROUND", type=int, nargs="?", help="the number of the round")
    parser.add_argument("--all", action="store_true", help="every round of the table that is over")
    add_books(parser)
    add_json(parser)


FAIR: Final = Command(
    "fair",
    "JOURNAL TABLE (ROUND | --all) [--book FILE] [--json]",
    "whether a round kept the commitment that was published before its bets closed",
    _add_arguments,
    _run,
)

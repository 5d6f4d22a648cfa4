"""`croupier wheel-watch`: whether the wheels of a journal are fair, as far as their spins can tell."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.cli.addresses import shown
from croupier.cli.command import Command, Output, as_json
from croupier.cli.journals import add_books, add_journal, find_books, known_table, open_journal
from croupier.cli.lab import need_lab
from croupier.cli.lab_figures import add_forms, as_csv

if TYPE_CHECKING:
    from croupier.wheel.watch_report import WheelReport

_ALARM: Final = 1
_STANDARD_LEVEL: Final = "1e-4"


def _run(args: argparse.Namespace) -> Output:
    need_lab("Watching a wheel")
    from croupier.cli.wheel_watch_page import watch_page
    from croupier.wheel.watch_floor import watch_journal

    find_book = find_books(args.book)
    with open_journal(args.journal) as evidence:
        tables = None if args.table is None else [known_table(evidence, args.table)]
        reports = watch_journal(evidence, tables, args.alarm, find_book)
    if args.csv:
        text = _csv(reports)
    elif args.json:
        text = as_json({"journal": shown(args.journal), "wheels": msgspec.to_builtins(reports)})
    else:
        text = watch_page(shown(args.journal), reports, args.alarm)
    raised = any(report.alarm.raised is not None for report in reports)
    return Output(text=text, status=_ALARM if raised else 0)


def _csv(reports: Sequence["WheelReport"]) -> str:
    """A row for each pocket or symbol of each wheel."""
    headings = ["wheel", "book", "outcome", "places", "count", "expected", "log10_e", "alarm"]
    return as_csv(
        headings,
        [
            [
                report.wheel,
                report.book,
                outcome.outcome,
                outcome.places,
                outcome.count,
                outcome.expected,
                outcome.log10_e,
                int(report.alarm.raised is not None),
            ]
            for report in reports
            for outcome in report.outcomes
        ],
    )


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_journal(parser)
    parser.add_argument("--table", metavar="T", help="only the spins of this table")
    parser.add_argument(
        "--alarm",
        metavar="LEVEL",
        type=float,
        default=_STANDARD_LEVEL,
        help=f"how often a fair wheel may raise the alarm in its whole life ({_STANDARD_LEVEL})",
    )
    add_books(parser)
    add_forms(parser)


WHEEL_WATCH: Final = Command(
    "wheel-watch",
    "JOURNAL [--table T] [--alarm LEVEL] [--book FILE] [--json | --csv]",
    "whether the wheels of a journal are fair, as far as their spins tell",
    _add_arguments,
    _run,
)

"""`croupier verify`: whether a journal fits, and where it first does not."""

import argparse
import gc
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from croupier.cli.command import Command, Output, add_json, as_json
from croupier.cli.journals import add_books, add_journal, find_books, known_table, open_journal
from croupier.cli.progress import bar_for
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import BadInput

if TYPE_CHECKING:
    from croupier.floor.verify import TableReport

_MISFIT: Final = 1


def _run(args: argparse.Namespace) -> Output:
    anchors = _read_anchors(args.anchor)
    find_book = find_books(args.book)
    with open_journal(args.journal) as evidence:
        from croupier.floor.verify import verify_journal

        tables = None if args.table is None else [known_table(evidence, args.table)]
        bar = bar_for(args.progress, "records")
        gc.disable()  # what is read holds no cycles, and looking for them takes time
        try:
            reports = verify_journal(
                evidence,
                tables,
                find_book=find_book,
                anchors=anchors,
                progress=(lambda table, done, total: None) if bar is None else bar.show,
            )
        finally:
            gc.enable()
            if bar is not None:
                bar.clear()
    status = _MISFIT if any(report.first_misfit for report in reports) else 0
    text = as_json(_facts(args.journal, reports)) if args.json else _page(args.journal, reports)
    return Output(text=text, status=status)


def _read_anchors(texts: Iterable[str]) -> dict[str, dict[int, bytes]]:
    """Hashes that were noted down, by table and record."""
    anchors: dict[str, dict[int, bytes]] = {}
    for text in texts:
        table, _, rest = text.rpartition(":")[0].rpartition(":")
        digest = text.rpartition(":")[2]
        try:
            noted = bytes.fromhex(digest)
            if not table or len(noted) != 32:
                raise ValueError(text)
            anchors.setdefault(table, {})[int(rest)] = noted
        except ValueError as error:
            raise BadInput(
                "bad-anchor",
                f"{text!r} is not a table, a record's number and its hash.",
                "Write TABLE:RECORD:HASH with the 64 hexadecimal digits of the hash.",
            ) from error
    return anchors


def _facts(journal: str, reports: Sequence["TableReport"]) -> dict[str, Any]:
    return {
        "journal": journal,
        "fits": not any(report.first_misfit for report in reports),
        "tables": [
            {
                "table": report.table,
                "records": report.records,
                "rounds": report.rounds,
                "settlements": report.settlements,
                "head": {"sequence": report.head.sequence, "hash": report.head.hash.hex()},
                "first_misfit": None
                if report.first_misfit is None
                else {"sequence": report.first_misfit.sequence, "reason": report.first_misfit.reason},
            }
            for report in reports
        ],
    }


def _page(journal: str, reports: Sequence["TableReport"]) -> str:
    if not reports:
        return f"{journal} holds no tables.\n"
    columns = [
        Column("TABLE"),
        Column("RECORDS", right=True),
        Column("ROUNDS", right=True),
        Column("SETTLEMENTS", right=True),
        Column("HEAD"),
    ]
    rows = [
        Row(
            [
                report.table,
                str(report.records),
                str(report.rounds),
                str(report.settlements),
                f"{report.head.sequence}:{report.head.hash.hex()}",
            ]
        )
        for report in reports
    ]
    lines = [
        f"table {report.table}, record {misfit.sequence}: {misfit.reason}. "
        f"{report.records} {'record' if report.records == 1 else 'records'} before it fit.\n"
        for report in reports
        if (misfit := report.first_misfit) is not None
    ]
    verdict = "".join(lines) or "Everything fits.\n"
    return f"{render_table('What fits, from the first record on', columns, rows)}\n{verdict}"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_journal(parser)
    parser.add_argument("--table", metavar="T", help="verify this table only")
    parser.add_argument(
        "--anchor",
        metavar="TABLE:RECORD:HASH",
        action="append",
        default=[],
        help="a hash that was noted down outside; the record has to have it still",
    )
    add_books(parser)
    parser.add_argument("--progress", action="store_true", help="show a bar also where nobody watches")
    add_json(parser)


VERIFY: Final = Command(
    "verify",
    "JOURNAL [--table T] [--anchor TABLE:RECORD:HASH] [--book FILE] [--progress] [--json]",
    "whether a journal fits: chain, replay, money, every settlement",
    _add_arguments,
    _run,
)

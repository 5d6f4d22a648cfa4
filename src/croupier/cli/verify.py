"""`croupier verify`: whether a journal fits, and where it first does not."""

import argparse
import gc
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from croupier.cli.addresses import shown
from croupier.cli.command import Command, Output, add_json, as_json
from croupier.cli.journals import NAME_ITS_FILE, add_books, add_journal, find_books, known_table, open_journal
from croupier.cli.progress import bar_for
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import BadInput, Book, group_amounts

if TYPE_CHECKING:
    from croupier.floor.verify.evidence import Evidence
    from croupier.floor.verify.journal import TableReport

_MISFIT: Final = 1
_UNREAD: Final = 2


def _run(args: argparse.Namespace) -> Output:
    noted = _read_anchors(args.anchor)
    find_book = find_books(args.book)
    with open_journal(args.journal) as evidence:
        from croupier.floor.verify.journal import database_faults

        tables = None if args.table is None else [known_table(evidence, args.table)]
        _check_anchors(noted, evidence.tables() if noted else [], args.table)
        faults = database_faults(evidence)
        reports = _verified(evidence, tables, find_book, noted, args.progress, is_sound=not faults)
    fits = _fits(faults, reports)
    status = _UNREAD if fits is None else 0 if fits else _MISFIT
    journal = shown(args.journal)
    text = as_json(_facts(journal, faults, reports)) if args.json else _page(journal, faults, reports)
    return Output(text=text, status=status)


def _verified(
    evidence: "Evidence",
    tables: list[str] | None,
    find_book: Callable[[str], Book],
    anchors: dict[str, dict[int, bytes]],
    wants_bar: bool,
    *,
    is_sound: bool,
) -> list["TableReport"]:
    """What was found in the tables; nothing where the database was changed so that they cannot be read."""
    from croupier.floor.verify.journal import verify_journal
    from croupier.journal import StoreError

    bar = bar_for(wants_bar, "records")
    gc.disable()  # what is read holds no cycles, and looking for them takes time
    try:
        return verify_journal(
            evidence,
            tables,
            find_book=find_book,
            anchors=anchors,
            progress=(lambda table, done, total: None) if bar is None else bar.show,
        )
    except StoreError:
        if is_sound:
            raise
        return []
    finally:
        gc.enable()
        if bar is not None:
            bar.clear()


def _read_anchors(texts: Iterable[str]) -> dict[str, dict[int, bytes]]:
    """Hashes that were noted down, by table and record."""
    anchors: dict[str, dict[int, bytes]] = {}
    for text in texts:
        table, _, rest = text.rpartition(":")[0].rpartition(":")
        digest = text.rpartition(":")[2]
        try:
            noted, record = bytes.fromhex(digest), int(rest)
            if not table or len(noted) != 32:
                raise ValueError(text)
        except ValueError as error:
            raise BadInput(
                "bad-anchor",
                f"{text!r} is not a table, a record's number and its hash.",
                "Write TABLE:RECORD:HASH with the 64 hexadecimal digits of the hash.",
            ) from error
        if anchors.setdefault(table, {}).setdefault(record, noted) != noted:
            raise BadInput(
                "bad-anchor",
                f"Record {record} of table {table!r} is anchored with two different hashes.",
                "A record has one hash; leave the anchor out that is wrong.",
            )
    return anchors


def _check_anchors(anchors: Iterable[str], tables: Sequence[str], asked: str | None) -> None:
    """Refuses an anchor that nothing would be compared with."""
    for table in anchors:
        if table not in tables:
            held = f"Its tables are {', '.join(tables)}" if tables else "It holds no tables"
            raise BadInput(
                "unknown-table",
                f"An anchor is of table {table!r}, and there is no such table in this journal.",
                f"{held}. If the hash was noted down from this journal, the table was taken out of it.",
            )
        if asked is not None and table != asked:
            raise BadInput(
                "bad-anchor",
                f"An anchor is of table {table!r}, and only {asked!r} is verified.",
                "Leave --table out, or the anchor.",
            )


def _fits(faults: list[str], reports: Sequence["TableReport"]) -> bool | None:
    """Whether everything fits; None where a book is missing to say so, and nothing is known not to fit."""
    if faults or any(report.first_misfit for report in reports):
        return False
    return None if any(report.missing_book for report in reports) else True


def _facts(journal: str, faults: list[str], reports: Sequence["TableReport"]) -> dict[str, Any]:
    return {
        "journal": journal,
        "fits": _fits(faults, reports),
        "database": faults,
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
                "missing_book": report.missing_book,
            }
            for report in reports
        ],
    }


def _page(journal: str, faults: list[str], reports: Sequence["TableReport"]) -> str:
    changed = (
        f"The database is not as croupier makes it: {', '.join(faults)}. "
        "Somebody changed it past the software, and what its keys and triggers keep out may be in it.\n"
        if faults
        else ""
    )
    if not reports:
        return changed or f"{journal} holds no tables.\n"
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
                str(report.rounds) if report.missing_book is None else "-",
                str(report.settlements) if report.missing_book is None else "-",
                f"{report.head.sequence}:{report.head.hash.hex()}",
            ]
        )
        for report in reports
    ]
    lines = [
        f"table {report.table}, record {misfit.sequence}: {group_amounts(misfit.reason)}. "
        f"{report.records} {'record' if report.records == 1 else 'records'} before it fit.\n"
        for report in reports
        if (misfit := report.first_misfit) is not None
    ]
    lines += [
        f"table {report.table} was made with the book {report.missing_book!r}, which does not come with "
        "croupier: its records were not replayed, and nothing was settled again. " + f"{NAME_ITS_FILE}\n"
        for report in reports
        if report.missing_book is not None
    ]
    verdict = changed + "".join(lines) or "Everything fits.\n"
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

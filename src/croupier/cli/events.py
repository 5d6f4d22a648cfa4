"""`croupier events`: the significant events of a journal, searched."""

import argparse
from typing import TYPE_CHECKING, Any, Final

from croupier.cli.command import Command, Output, as_json
from croupier.cli.journals import add_journal, known_table, open_journal
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import BadInput, group_amounts

if TYPE_CHECKING:
    from croupier.floor.significant.searching import EventPage, EventQuery


def _run(args: argparse.Namespace) -> Output:
    from croupier.floor.significant.searching import search_journal
    from croupier.floor.significant.streams import STREAMS

    if args.json and args.csv:
        raise BadInput("two-formats", "--json and --csv are both given.", "Leave one of them out.")
    query = _query(args)
    with open_journal(args.journal) as evidence:
        if args.table is not None and args.table not in STREAMS:
            known_table(evidence, args.table)
        page = search_journal(evidence, query, after=args.after, limit=args.limit)
    if args.json:
        return Output(text=as_json({"events": _rows(page), "next": page.next}))
    notes = () if page.next is None else (f"There are more; go on with --after {page.next}",)
    if args.csv:
        from croupier.floor.exports.export import csv_lines

        return Output(text="".join(csv_lines(_rows(page), _columns())), notes=notes)
    return Output(text=_page(page), notes=notes)


def _query(args: argparse.Namespace) -> "EventQuery":
    from croupier.floor.significant.searching import EventQuery, read_codes, read_span

    from_ms, until_ms = read_span(args.begin, args.end, args.zone)
    return EventQuery(
        from_ms=from_ms,
        until_ms=until_ms,
        table=args.table,
        codes=read_codes(args.code),
        seat=args.seat,
        actor=args.actor,
        round=args.round,
        text=args.text,
        refusals=args.refusals,
        newest_first=not args.oldest_first,
    )


def _rows(page: "EventPage") -> list[dict[str, Any]]:
    import msgspec

    from croupier.floor.exports.export import shown

    try:
        return [shown(msgspec.structs.asdict(event)) for event in page.events]
    except OverflowError as error:
        sentence = "The journal holds an event at a time that no calendar has."
        raise BadInput("journal-unreadable", sentence, "'croupier verify' says what fits in it.") from error


def _columns() -> list[str]:
    from croupier.floor.significant.streams import SignificantEvent

    return [name.removesuffix("_ms") for name in SignificantEvent.__struct_fields__]


def _page(page: "EventPage") -> str:
    columns = [Column("TIME"), Column("TABLE"), Column("CODE"), Column("BY"), Column("WHAT", wraps=True)]
    rows = []
    for row in _rows(page):
        by = row["actor"] if row["second"] is None else f"{row['actor']} with {row['second']}"
        clause = "" if row["clause"] is None else f" ({row['clause']})"
        rows.append(
            Row([row["time"], row["table"], row["event"], by, f"{group_amounts(row['what'])}{clause}"])
        )
    return render_table("Significant events", columns, rows) if rows else "No event was found.\n"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_journal(parser)
    parser.add_argument(
        "--from", metavar="WHEN", dest="begin", help="a day, or a moment as 2024-05-31T18:30:00"
    )
    parser.add_argument("--to", metavar="WHEN", dest="end", help="a day, included, or a moment, which is not")
    parser.add_argument("--zone", metavar="Z", default="UTC", help="whose clocks: Asia/Singapore or +08:00")
    parser.add_argument("--table", metavar="T", help="this table; or cage, house or office")
    parser.add_argument(
        "--code", metavar="CODE", action="append", default=[], help="events of this kind; may be repeated"
    )
    parser.add_argument("--seat", metavar="S", help="this seat")
    parser.add_argument("--actor", metavar="WHO", help="this person or device")
    parser.add_argument("--round", metavar="N", type=int, help="this round")
    parser.add_argument("--text", metavar="WORDS", default="", help="these words in the sentence")
    parser.add_argument("--refusals", action="store_true", help="refused commands too")
    parser.add_argument("--oldest-first", action="store_true", help="in the order of time")
    parser.add_argument("--limit", metavar="N", type=int, default=100, help="at most so many")
    parser.add_argument("--after", metavar="PLACE", help="go on where a page ended")
    parser.add_argument("--csv", action="store_true", help="print CSV")
    parser.add_argument("--json", action="store_true", help="print JSON")


EVENTS: Final = Command(
    "events",
    "JOURNAL [--from WHEN] [--to WHEN] [--zone Z] [--table T] [--code CODE] [--seat S] [--actor WHO]\n"
    "           [--round N] [--text WORDS] [--refusals] [--oldest-first] [--limit N] [--after PLACE]\n"
    "           [--json | --csv]",
    "significant events: interruptions, lock-ups, voids, corrections, sign-ins, the house",
    _add_arguments,
    _run,
)

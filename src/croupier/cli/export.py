"""`croupier export`: a table, a gaming day or a round as files, and the dispute bundle of a round."""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier.cli.command import Command, Output
from croupier.cli.files import is_folder, named_place, write_bytes, write_lines
from croupier.cli.journals import SHIFTS, add_books, add_journal, find_books, known_table, open_journal
from croupier.rulebook import BadInput

if TYPE_CHECKING:
    from croupier.floor.exports.selection import Selection
    from croupier.floor.verify.evidence import Evidence

_KINDS: Final = ("records", "rounds", "bets", "postings", "meters", "events")
_FORMATS: Final = ("jsonl", "csv")


def _run(args: argparse.Namespace) -> Output:
    if args.bundle is not None:
        return _run_bundle(args)
    out = None if args.out is None else _place(args.out)
    with open_journal(args.journal) as evidence:
        known_table(evidence, args.table)
        _check_stream(args)
        selection = _select(evidence, args)
        if out is None:
            kind = args.what or "records"
            return Output(text="".join(_lines(evidence, args, selection, kind, _format(args, kind))))
        written = _write(evidence, args, selection, out)
    return Output(text="", notes=tuple(f"{path} has {count} lines." for path, count in written.items()))


def _run_bundle(args: argparse.Namespace) -> Output:
    from croupier.floor.exports.bundle import as_archive, make_bundle, seal_of

    if args.out is None:
        raise BadInput("no-out", "A bundle is several files.", "Name a .zip file or a folder with --out.")
    out = _place(args.out)
    others = (args.round, args.day, args.zone, args.shifts, args.what, args.format, args.refusals or None)
    if any(other is not None for other in others):
        right = "Leave --round, --day, --zone, --shifts, --what, --format and --refusals out."
        raise BadInput("bundle-alone", "A bundle is of one round and holds everything.", right)
    with open_journal(args.journal) as evidence:
        known_table(evidence, args.table)
        _check_stream(args)
        files = make_bundle(evidence, args.table, args.bundle)
    if out.suffix == ".zip":
        write_bytes(out, as_archive(files), private=True)
    else:
        for name, content in files.items():
            write_bytes(out / name, content, private=True)
    seal = f"Its seal, the SHA-256 of its proof.json, is {seal_of(files)}."
    return Output(text="", notes=(f"The bundle of round {args.bundle} is in {out}. {seal}",))


def _place(text: str) -> Path:
    """Where files go; not a folder under the name of a journal's log, which would keep it from opening."""
    from croupier.journal.guarding import refuse_journal

    place = named_place(text)
    refuse_journal(place)
    return place


def _check_stream(args: argparse.Namespace) -> None:
    """The cage, the house and the office play no rounds: only their records can be given."""
    from croupier.floor.streams import is_table

    if is_table(args.table):
        return
    sentence = f"The {args.table} has records and no rounds."
    if args.bundle is not None:
        right = "Name a table that plays; --what records gives what is here."
        raise BadInput(f"{args.table}-records", sentence, right)
    if args.what not in (None, "records") or args.round is not None:
        raise BadInput(f"{args.table}-records", sentence, "Write --what records.")
    args.what = "records"


def _select(evidence: "Evidence", args: argparse.Namespace) -> "Selection":
    from croupier.floor.exports.bearing import select_round
    from croupier.floor.exports.selection import Selection, select_time
    from croupier.floor.reports.calendar import Calendar

    if args.round is not None and args.day is not None:
        raise BadInput("two-selections", "--round and --day are both given.", "Leave one of them out.")
    if args.day is None and (args.zone is not None or args.shifts is not None):
        raise BadInput("zone-alone", "--zone and --shifts say when a day begins.", "Name the day with --day.")
    if args.round is not None:
        return select_round(evidence, args.table, args.round)
    if args.day is not None:
        calendar = Calendar(args.zone or "UTC", (args.shifts or SHIFTS).split(","))
        return select_time(evidence, args.table, *calendar.span_of(args.day))
    return Selection()


def _lines(
    evidence: "Evidence", args: argparse.Namespace, selection: "Selection", kind: str, form: str
) -> Iterable[str]:
    from croupier.floor.exports.export import as_lines, export_rows

    find_book = find_books(args.book)
    rows = export_rows(evidence, args.table, kind, selection, refusals=args.refusals, find_book=find_book)
    return as_lines(rows, form, kind)


def _format(args: argparse.Namespace, kind: str) -> str:
    return str(args.format or ("jsonl" if kind == "records" else "csv"))


def _write(
    evidence: "Evidence", args: argparse.Namespace, selection: "Selection", out: Path
) -> dict[Path, int]:
    """One file for one kind; a folder with a file for each where no kind is named."""
    kinds = _KINDS if args.what is None else (args.what,)
    takes_all = args.what is None or is_folder(out)
    written = {}
    for kind in kinds:
        form = _format(args, kind)
        path = out / f"{kind}.{form}" if takes_all else out
        lines = _lines(evidence, args, selection, kind, form)
        written[path] = write_lines(path, lines, private=kind == "records")  # they have vouchers' numbers
    return written


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_journal(parser)
    parser.add_argument("--table", metavar="T", required=True, help="the table")
    parser.add_argument("--round", metavar="N", type=int, help="only what bears on this round")
    parser.add_argument(
        "--day", metavar="YYYY-MM-DD", help="only this gaming day; it begins with the first shift"
    )
    parser.add_argument(
        "--zone", metavar="Z", help="whose clocks: Asia/Singapore or +08:00 (UTC, where not named)"
    )
    parser.add_argument(
        "--shifts",
        metavar="TIMES",
        help=f"when shifts begin, the day's first first ({SHIFTS}, where not named; 00:00 for midnight)",
    )
    parser.add_argument(
        "--what", choices=_KINDS, help="one kind of rows (all of them into a folder otherwise)"
    )
    parser.add_argument(
        "--format", choices=_FORMATS, help="jsonl for records and csv otherwise, where not named"
    )
    parser.add_argument("--refusals", action="store_true", help="refused commands count as events too")
    parser.add_argument("--bundle", metavar="N", type=int, help="the dispute bundle of this round")
    parser.add_argument(
        "--out", metavar="PATH", help="file, .zip or folder (standard output, where not named)"
    )
    add_books(parser)


EXPORT: Final = Command(
    "export",
    "JOURNAL --table T [--round N | --day YYYY-MM-DD [--zone Z] [--shifts TIMES]] [--what KIND]\n"
    "           [--format jsonl|csv] [--refusals] [--book FILE] [--out PATH]\n"
    "       croupier export JOURNAL --table T --bundle N --out FILE.zip",
    "a table, a gaming day or a round as JSON lines or CSV; the dispute bundle of a round",
    _add_arguments,
    _run,
)

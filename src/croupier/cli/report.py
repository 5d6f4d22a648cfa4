"""`croupier report`: drop, turnover, win and hold by table, dealer, gaming day, shift or hour; the cage."""

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from croupier.cli.command import Command, Output, as_json
from croupier.cli.journals import SHIFTS, add_books, add_journal, find_books, known_table, open_journal
from croupier.cli.report_cage import run_cage_report
from croupier.cli.report_money import Currencies
from croupier.cli.tables import Column, Row, render_table, render_text
from croupier.rulebook import BadInput, show_amount

if TYPE_CHECKING:
    from croupier.floor.reports.figures import ReportRow, VoidsOf
    from croupier.floor.reports.fold import Ruling
    from croupier.floor.reports.report import Report


def _run(args: argparse.Namespace) -> Output:
    from croupier.floor.reports.calendar import Calendar, read_days
    from croupier.floor.reports.report import make_report, report_csv, report_facts, rulings_csv

    if args.json and args.csv:
        raise BadInput("two-formats", "--json and --csv are both given.", "Leave one of them out.")
    calendar = Calendar(args.zone, args.shifts.split(","))
    days = read_days(args.from_day, args.to_day)
    if args.acts and not args.cage:
        raise BadInput("cage-records", "--acts are those of the cage.", "Take --cage with it.")
    if args.cage:
        return run_cage_report(args, calendar, days)
    with open_journal(args.journal) as evidence:
        table = None if args.table is None else _playing(known_table(evidence, args.table))
        report = make_report(
            evidence, args.by.split(","), calendar, days, table=table, find_book=find_books(args.book)
        )
    if args.json:
        return Output(text=as_json(report_facts(report)))
    if args.csv:
        return Output(text="".join(rulings_csv(report) if args.rulings else report_csv(report)))
    return Output(text=_rulings(report) if args.rulings else _page(report))


def _playing(stream: str) -> str:
    """A table that has figures; the cage, the house and the office are no tables."""
    from croupier.floor.streams import is_table

    if not is_table(stream):
        sentence = f"The {stream} has records and no rounds."
        right = "Take --cage for what it paid." if stream == "cage" else "Name a table that plays."
        raise BadInput(f"{stream}-records", sentence, right)
    return stream


def _page(report: "Report") -> str:
    """Money first, then play, each with its totals."""
    currencies = Currencies(total.currency for total in report.totals)
    labels = [
        *(currencies.label(_label(row, report.by), row.currency) for row in report.rows),
        *(currencies.label("all", total.currency) for total in report.totals),
    ]
    rows = [*report.rows, *report.totals]
    by = ", ".join(report.by)
    of_money = [
        Column(by.upper()),
        *(Column(name, right=True) for name in ("DROP", "VOUCHERS OUT", "BY HAND", "TURNOVER", "WIN")),
        *(Column(name, right=True) for name in ("HOLD %", "OF TURNOVER %")),
    ]
    of_play = [
        Column(by.upper()),
        *(Column(name, right=True) for name in ("ROUNDS", "AN HOUR", "AVERAGE BET")),
        *(Column(name, right=True) for name in ("VOIDS", "CORRECTIONS", "REFUSALS")),
    ]
    # Corrections seldom find credits spent, or a player gone.
    is_carried = any(any(_carried(row)) for row in rows)
    if is_carried:
        of_money += [Column(name, right=True) for name in ("SHORTFALL", "UNCLAIMED", "WRITTEN OFF")]
    money = [Row([label, *_money(row, is_carried)]) for label, row in zip(labels, rows, strict=True)]
    play = [Row([label, *_play(row)]) for label, row in zip(labels, rows, strict=True)]
    parts = [
        render_table(f"Money by {by}{_days(report)}", of_money, money),
        render_table(f"Play by {by}", of_play, play),
    ]
    if any(row.voids for row in rows):
        parts.append(_voids(labels, rows, by))
    if report.rulings:
        parts.append(_rulings(report))
    if refusals := sum((Counter(total.refusals_by_code) for total in report.totals), Counter[str]()):
        told = (f"{code} {count}" for code, count in sorted(refusals.items()))
        parts.append(render_text(f"Refusals: {', '.join(told)}."))
    return "\n".join(parts)


def _days(report: "Report") -> str:
    if report.from_day is None and report.to_day is None:
        return ""
    return f", gaming days {report.from_day or 'from the first'} to {report.to_day or 'the last'}"


def _label(row: "ReportRow", by: tuple[str, ...]) -> str:
    parts = []
    for name in by:
        if name == "dealer":
            parts.append(row.dealer or "(before the first round)")
        elif name in ("shift", "hour") and str(row.day) not in parts:
            parts += [str(row.day), str(getattr(row, name))]
        else:
            parts.append(str(getattr(row, name)))
    return " ".join(parts)


def _money(row: "ReportRow", is_carried: bool) -> list[str]:
    amounts = (
        row.drop_cents,
        row.vouchers_out_cents,
        row.attendant_pays_cents,
        row.turnover_cents,
        row.win_cents,
    )
    carried = _carried(row) if is_carried else ()
    shares = (row.hold_percent or "-", row.hold_of_turnover_percent or "-")
    return [*map(show_amount, amounts), *shares, *map(show_amount, carried)]


def _carried(row: "ReportRow") -> tuple[int, ...]:
    return row.shortfall_in_cents, row.unclaimed_out_cents, row.written_off_cents


def _play(row: "ReportRow") -> list[str]:
    average = "-" if row.average_bet_cents is None else show_amount(row.average_bet_cents)
    counts = (row.voids, row.corrections, row.refusals)
    return [str(row.rounds), row.rounds_an_hour or "-", average, *map(str, counts)]


def _voids(labels: Sequence[str], rows: Sequence["ReportRow"], by: str) -> str:
    """Voids by their cause, by what the wheel did then, and how many the sensor contradicted."""
    names = ("NOT SPUN", "ROLLING", "AT REST", "SETTLED", "AGAINST SENSOR")
    columns = [Column(by.upper()), Column("CAUSE"), *(Column(name, right=True) for name in names)]
    lines = [
        Row([label, cause, *map(str, _counts(voids))])
        for label, row in zip(labels, rows, strict=True)
        for cause, voids in row.voids_by_cause.items()
    ]
    return render_table(f"Voids by {by}, cause and what the wheel did", columns, lines)


def _counts(voids: "VoidsOf") -> tuple[int, ...]:
    return voids.not_spun, voids.rolling, voids.at_rest, voids.settled, voids.against_sensor


def _rulings(report: "Report") -> str:
    columns = [
        *(Column(name) for name in ("TIME", "TABLE")),
        Column("ROUND", right=True),
        Column("WHAT"),
        Column("CLAUSE"),
        Column("WIN CHANGES BY", right=True),
    ]
    return render_table("Voids, corrections and decisions", columns, [*map(_ruling, report.rulings)])


def _ruling(ruling: "Ruling") -> Row:
    from croupier.floor.exports.export import show_time
    from croupier.floor.significant.full_stop import unstopped

    what = f"{ruling.kind} ({ruling.cause})"
    by = ruling.actor if ruling.second is None else f"{ruling.actor} with {ruling.second}"
    result = "" if ruling.old is None else f", {ruling.old} to {ruling.new or 'none'}"
    result += f", {show_amount(ruling.carried_cents)}" if ruling.carried_cents else ""
    result += "" if ruling.wheel is None else f", wheel {ruling.wheel.replace('-', ' ')}"
    result += ", against the sensor" if ruling.against_sensor else ""
    cells = [show_time(ruling.time_ms), ruling.table, str(ruling.round), what, ruling.clause]
    return Row(
        [*cells, show_amount(ruling.win_change_cents)], [f"{unstopped(ruling.reason)}{result}; by {by}"]
    )


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_journal(parser)
    parser.add_argument(
        "--by",
        metavar="WHAT",
        required=True,
        help="table, dealer, day, shift, hour, or several: day,table; of the cage day, shift, cashier",
    )
    parser.add_argument("--from", metavar="DAY", dest="from_day", help="the first gaming day, YYYY-MM-DD")
    parser.add_argument("--to", metavar="DAY", dest="to_day", help="the last gaming day, included")
    parser.add_argument("--table", metavar="T", help="this table only")
    parser.add_argument("--cage", action="store_true", help="what the cage paid, by day, shift or cashier")
    parser.add_argument(
        "--acts", action="store_true", help="with --cage: only the single payments and the like"
    )
    parser.add_argument("--zone", metavar="Z", default="UTC", help="whose clocks: Asia/Singapore or +08:00")
    parser.add_argument(
        "--shifts", metavar="TIMES", default=SHIFTS, help="when shifts begin, the day's first first"
    )
    parser.add_argument("--rulings", action="store_true", help="only the voids, corrections and decisions")
    add_books(parser)
    parser.add_argument("--csv", action="store_true", help="print CSV")
    parser.add_argument("--json", action="store_true", help="print JSON")


REPORT: Final = Command(
    "report",
    "JOURNAL --by table|dealer|day|shift|hour [--from DAY] [--to DAY] [--table T] [--zone Z]\n"
    "           [--shifts 06:00,14:00,22:00] [--rulings] [--book FILE] [--json | --csv]\n"
    "       croupier report JOURNAL --cage --by day|shift|cashier [--acts] [--from DAY] [--to DAY]\n"
    "           [--zone Z] [--shifts 06:00,14:00,22:00] [--book FILE] [--json | --csv]",
    "drop, turnover, win, hold and rulings by table, dealer, day, shift or hour; what the cage paid",
    _add_arguments,
    _run,
)

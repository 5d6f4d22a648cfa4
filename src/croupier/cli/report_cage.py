"""`croupier report --cage`: what the cage paid, voided, let expire and reinstated."""

import argparse
from typing import TYPE_CHECKING

from croupier.cli.command import Output, as_json
from croupier.cli.journals import find_books, open_journal
from croupier.cli.report_money import Currencies
from croupier.cli.tables import Column, Row, render_table, render_text
from croupier.rulebook import BadInput, show_amount

if TYPE_CHECKING:
    from croupier.floor.cage.report import CageReport, CageRow
    from croupier.floor.reports.calendar import Calendar, GamingDays


def run_cage_report(args: argparse.Namespace, calendar: "Calendar", days: "GamingDays") -> Output:
    """The cage's figures with their totals, or every act behind them."""
    from croupier.floor.cage.report import (
        cage_acts_csv,
        cage_report_csv,
        cage_report_facts,
        make_cage_report,
    )

    if args.table is not None or args.rulings:
        raise BadInput(
            "cage-records", "The cage is no table and has no rulings.", "Leave --table and --rulings out."
        )
    with open_journal(args.journal) as evidence:
        report = make_cage_report(
            evidence, args.by.split(","), calendar, days, find_book=find_books(args.book)
        )
    if args.json:
        return Output(text=as_json(cage_report_facts(report)))
    if args.csv:
        return Output(text="".join(cage_acts_csv(report) if args.acts else cage_report_csv(report)))
    return Output(text=_acts(report) if args.acts else _page(report))


def _page(report: "CageReport") -> str:
    by = ", ".join(report.by)
    names = ("PAID", "AMOUNT", "VOIDED", "AMOUNT", "EXPIRED", "AMOUNT", "REINSTATED", "AMOUNT")
    money = _money_of(report)
    columns = [Column(by.upper()), *(Column(name, right=True) for name in names)]
    rows = [Row([money.label(_label(row), row.currency), *_sums(row)]) for row in report.rows]
    rows += [Row([money.label("all", total.currency), *_sums(total)]) for total in report.totals]
    last = "" if report.to_day is None else f" at the end of {report.to_day}"
    owed = (money.label(show_amount(cents), currency) for currency, cents in report.outstanding_cents.items())
    return "\n".join(
        [
            render_table(f"The cage by {by}", columns, rows),
            render_text(f"Outstanding{last}: {', '.join(owed) or show_amount(0)}."),
        ]
    )


def _money_of(report: "CageReport") -> Currencies:
    return Currencies([*report.outstanding_cents, *(total.currency for total in report.totals)])


def _label(row: "CageRow") -> str:
    return " ".join(part for part in (row.day, row.shift, row.cashier) if part is not None)


def _sums(row: "CageRow") -> list[str]:
    pairs = (
        (row.paid_count, row.paid_cents),
        (row.voided_count, row.voided_cents),
        (row.expired_count, row.expired_cents),
        (row.reinstated_count, row.reinstated_cents),
    )
    return [cell for count, cents in pairs for cell in (str(count), show_amount(cents))]


def _acts(report: "CageReport") -> str:
    from croupier.floor.exports.export import show_time

    money = _money_of(report)
    columns = [
        *(Column(name) for name in ("TIME", "SHIFT", "CASHIER", "WHAT", "NUMBER")),
        Column("AMOUNT", right=True),
    ]
    rows = [
        Row(
            [
                *(show_time(act.time_ms), act.shift, act.cashier, act.act, act.number),
                money.label(show_amount(act.cents), act.currency),
            ],
            [act.reason] if act.reason else [],
        )
        for act in report.acts
    ]
    return render_table("What the cage did", columns, rows)

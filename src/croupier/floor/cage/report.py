"""What the cage did with vouchers, by gaming day, shift and cashier: what a drawer is balanced against.

Amounts of several currencies are never added up: every row, total and act is of one.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from croupier.floor.cage.fold import CageAct, CageFold
from croupier.floor.cage.vouchers import CAGE
from croupier.floor.exports.export import csv_lines, shown
from croupier.floor.exports.selection import entries_of
from croupier.floor.loading import DamagedJournal
from croupier.floor.reports.calendar import ALL_DAYS, Calendar, GamingDays
from croupier.floor.streams import is_table
from croupier.floor.verify.evidence import Evidence
from croupier.rulebook import BadInput, Book, load_book, show_cents

DAY, SHIFT, CASHIER, CURRENCY = "day", "shift", "cashier", "currency"
CAGE_DIMENSIONS: Final = (DAY, SHIFT, CASHIER)
"""What a report of the cage can be by."""


class CageRow(msgspec.Struct, frozen=True, kw_only=True):
    """Counts and cents of one currency; what the report is not by is null."""

    day: str | None = None
    shift: str | None = None
    cashier: str | None = None
    currency: str
    """Empty where nobody can tell."""
    paid_count: int = 0
    paid_cents: int = 0
    voided_count: int = 0
    voided_cents: int = 0
    expired_count: int = 0
    expired_cents: int = 0
    reinstated_count: int = 0
    reinstated_cents: int = 0


class CageReport(msgspec.Struct, frozen=True, kw_only=True):
    """The cage's figures, their totals, and every act behind them."""

    by: tuple[str, ...]
    zone: str
    shifts: tuple[str, ...]
    """When each shift begins by the clocks of the zone; the first begins the gaming day."""
    from_day: str | None
    to_day: str | None
    cashier: str | None
    """The only one whose acts are counted; null where everybody's are."""
    rows: tuple[CageRow, ...]
    totals: tuple[CageRow, ...]
    """One for each currency."""
    acts: tuple[CageAct, ...]
    outstanding_cents: dict[str, int]
    """By currency, what was still to be paid at the end of the last gaming day, over the whole floor."""
    shift: str | None = None
    """The shift that runs, where a floor is asked."""


def cage_report_of(
    fold: CageFold,
    by: Sequence[str],
    days: GamingDays = ALL_DAYS,
    *,
    cashier: str | None = None,
    shift: str | None = None,
) -> CageReport:
    """A report from what was followed so far."""
    dimensions = _checked(by)
    acts = [(of, act) for of, act in fold.acts if act.day in days and cashier in (None, act.cashier)]
    groups: dict[tuple[str, ...], list[CageAct]] = {}
    for of, act in acts:
        parts = {DAY: (act.day,), SHIFT: (act.day, f"{of.from_ms:020}"), CASHIER: (act.cashier,)}
        group = (*(part for name in dimensions for part in parts[name]), act.currency)
        groups.setdefault(group, []).append(act)
    return CageReport(
        by=dimensions,
        zone=fold.calendar.zone,
        shifts=fold.calendar.starts,
        from_day=days.first,
        to_day=days.last,
        cashier=cashier,
        rows=tuple(_row(groups[group], _columns(dimensions)) for group in sorted(groups)),
        totals=tuple(
            _row([act for _, act in acts if act.currency == currency], (CURRENCY,))
            for currency in sorted({act.currency for _, act in acts})
        ),
        acts=tuple(act for _, act in acts),
        outstanding_cents=fold.money.outstanding_cents(days),
        shift=shift,
    )


def make_cage_report(
    evidence: Evidence,
    by: Sequence[str],
    calendar: Calendar,
    days: GamingDays = ALL_DAYS,
    *,
    cashier: str | None = None,
    find_book: Callable[[str], Book] = load_book,
) -> CageReport:
    """A report from a journal, read whole: what is outstanding follows from all that was issued."""
    _checked(by)
    fold = CageFold(calendar, find_book)
    for table in filter(is_table, evidence.tables()):
        try:
            for _, entry in entries_of(evidence, table):
                fold.follow(table, entry)
        except (ArithmeticError, ValueError) as error:  # a time that no calendar has
            raise DamagedJournal(f"The journal of table {table} does not fit together: {error}.") from error
    for record in evidence.records(CAGE):
        fold.take(record)
    return cage_report_of(fold, by, days, cashier=cashier)


def cage_report_facts(report: CageReport) -> dict[str, Any]:
    """A report as it is given away in JSON: dollars with two decimals, times in UTC."""
    return {
        "by": list(report.by),
        "zone": report.zone,
        "shifts": list(report.shifts),
        "from": report.from_day,
        "to": report.to_day,
        "cashier": report.cashier,
        "rows": [_facts(row, (*_columns(report.by), *_SUMS)) for row in report.rows],
        "totals": [_facts(total, (CURRENCY, *_SUMS)) for total in report.totals],
        "acts": [_facts(act, CageAct.__struct_fields__) for act in report.acts],
        "outstanding": {currency: show_cents(cents) for currency, cents in report.outstanding_cents.items()},
    }


def cage_report_csv(report: CageReport) -> Iterable[str]:
    """The rows of a report as lines of CSV, without the totals: a sheet adds them up by itself."""
    columns = (*_columns(report.by), *_SUMS)
    return csv_lines((_facts(row, columns) for row in report.rows), _names(columns))


def cage_acts_csv(report: CageReport) -> Iterable[str]:
    """Every act of a report as lines of CSV."""
    fields = CageAct.__struct_fields__
    return csv_lines((_facts(act, fields) for act in report.acts), _names(fields))


_SUMS: Final = tuple(name for name in CageRow.__struct_fields__ if name not in (*CAGE_DIMENSIONS, CURRENCY))


def _row(acts: Sequence[CageAct], named: Iterable[str]) -> CageRow:
    sums: dict[str, int] = {}
    for act in acts:
        sums[f"{act.act}_count"] = sums.get(f"{act.act}_count", 0) + 1
        sums[f"{act.act}_cents"] = sums.get(f"{act.act}_cents", 0) + act.cents
    names = {name: str(getattr(acts[0], name)) for name in named}
    return msgspec.convert({**names, **sums}, CageRow)


def _checked(by: Sequence[str]) -> tuple[str, ...]:
    unknown = [name for name in by if name not in CAGE_DIMENSIONS]
    if unknown or not by or len({*by}) != len(by):
        raise BadInput(
            "bad-report",
            f"A report of the cage is not by {', '.join(unknown or by) or 'nothing'}.",
            f"Name each of {', '.join(CAGE_DIMENSIONS)} at most once, as in day,cashier.",
        )
    return tuple(by)


def _columns(by: Sequence[str]) -> tuple[str, ...]:
    named = {*by, *(DAY for name in by if name == SHIFT)}
    return (*(name for name in CAGE_DIMENSIONS if name in named), CURRENCY)


def _facts(row: CageRow | CageAct, columns: Iterable[str]) -> dict[str, Any]:
    return shown({name: getattr(row, name) for name in columns})


def _names(fields: Iterable[str]) -> list[str]:
    return [name.removesuffix("_cents").removesuffix("_ms") for name in fields]

"""Reports from the journal alone: by table, dealer, gaming day, shift and hour, to the cent.

Amounts of several currencies are never added up: every row and total is of one.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

import msgspec

from croupier.floor.exports.export import csv_lines, shown
from croupier.floor.exports.selection import entries_of
from croupier.floor.loading import DamagedJournal
from croupier.floor.reports.calendar import ALL_DAYS, Calendar, GamingDays
from croupier.floor.reports.figures import Figures, ReportRow, row_of
from croupier.floor.reports.fold import Cell, ReportsFold, Ruling
from croupier.floor.streams import is_table
from croupier.floor.verify.evidence import Evidence
from croupier.rulebook import BadInput, Book, load_book

TABLE, DEALER, DAY, SHIFT, HOUR = "table", "dealer", "day", "shift", "hour"
DIMENSIONS: Final = (TABLE, DEALER, DAY, SHIFT, HOUR)
"""What a report can be by."""

_OF_A_DAY: Final = (SHIFT, HOUR)
"""What means nothing without its gaming day."""

_ALWAYS: Final = tuple(name for name in ReportRow.__struct_fields__ if name not in DIMENSIONS)
_RULING: Final = Ruling.__struct_fields__
_NOT_SEEN: Final[Mapping[str, int]] = MappingProxyType({})


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Figures by one or more dimensions, their totals, and every void, correction and decision behind."""

    by: tuple[str, ...]
    zone: str
    shifts: tuple[str, ...]
    """When each shift begins by the clocks of the zone; the first begins the gaming day."""
    from_day: str | None
    to_day: str | None
    rows: tuple[ReportRow, ...]
    totals: tuple[ReportRow, ...]
    """One for each currency."""
    rulings: tuple[Ruling, ...]


def report_of(
    fold: ReportsFold,
    by: Sequence[str],
    days: GamingDays = ALL_DAYS,
    *,
    table: str | None = None,
    seen_ms: Mapping[str, int] = _NOT_SEEN,
) -> Report:
    """A report from what was followed so far.

    `seen_ms` says by table up to when it surely ran: so long an open one was open, whatever was recorded.
    """
    dimensions = _checked(by)

    def takes(of_table: str, day: str) -> bool:
        return table in (None, of_table) and day in days

    groups: dict[tuple[str, ...], Figures] = {}
    totals: dict[str, Figures] = {}
    for cell, figures in chain(fold.cells.items(), fold.open_until(seen_ms)):
        if takes(cell.table, cell.shift.day):
            currency = fold.currencies.get(cell.table, "")
            groups.setdefault((*_group(cell, dimensions), currency), Figures()).add(figures)
            totals.setdefault(currency, Figures()).add(figures)
    rulings = [ruling for ruling in fold.rulings if takes(ruling.table, ruling.day)]
    return Report(
        by=dimensions,
        zone=fold.calendar.zone,
        shifts=fold.calendar.starts,
        from_day=days.first,
        to_day=days.last,
        rows=tuple(_row(groups[group], dimensions, group) for group in sorted(groups)),
        totals=tuple(row_of(totals[currency], currency) for currency in sorted(totals)),
        rulings=tuple(sorted(rulings, key=lambda ruling: (ruling.time_ms, ruling.table, ruling.sequence))),
    )


def make_report(
    evidence: Evidence,
    by: Sequence[str],
    calendar: Calendar,
    days: GamingDays = ALL_DAYS,
    *,
    table: str | None = None,
    find_book: Callable[[str], Book] = load_book,
) -> Report:
    """A report from a journal, read whole; who stood at a table follows from all that was before.

    An open table was open up to the last sign of life that its server left beside the records.
    """
    _checked(by)
    fold = ReportsFold(calendar, find_book)
    seen_ms: dict[str, int] = {}
    now_ms = time.time_ns() // 1_000_000
    for stream in evidence.tables():
        if is_table(stream) and table in (None, stream):
            follow(evidence, stream, fold)
            seen_ms[stream] = min(evidence.last_beat(stream) or 0, now_ms)  # it is not evidence by itself
    return report_of(fold, by, days, table=table, seen_ms=seen_ms)


def follow(evidence: Evidence, stream: str, fold: ReportsFold) -> None:
    """Has a fold take all that a table's journal holds."""
    try:
        for record, entry in entries_of(evidence, stream):
            fold.take(stream, record.sequence, entry)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        # The fold takes a sound journal for granted.
        raise DamagedJournal(f"The journal of table {stream} does not fit together: {error}.") from error


def _checked(by: Sequence[str]) -> tuple[str, ...]:
    unknown = [name for name in by if name not in DIMENSIONS]
    if unknown or not by or len({*by}) != len(by):
        raise BadInput(
            "bad-report",
            f"A report is not by {', '.join(unknown or by) or 'nothing'}.",
            f"Name each of {', '.join(DIMENSIONS)} at most once, as in day,table.",
        )
    return tuple(by)


def _group(cell: Cell, dimensions: tuple[str, ...]) -> tuple[str, ...]:
    """What a cell's row is found by; shifts and hours are those of a day, and show in its order."""
    day, shift, hour = cell.shift.day, cell.shift, cell.hour
    parts = {
        TABLE: (cell.table,),
        DEALER: (cell.dealer,),
        DAY: (day,),
        SHIFT: (day, f"{shift.from_ms:020}", shift.shift),
        HOUR: (day, f"{hour.from_ms:020}", hour.hour),
    }
    return tuple(part for name in dimensions for part in parts[name])


def _row(figures: Figures, dimensions: tuple[str, ...], group: tuple[str, ...]) -> ReportRow:
    *named_by, currency = group
    parts = iter(named_by)
    named: dict[str, str] = {}
    for name in dimensions:
        if name in _OF_A_DAY:
            named[DAY], _, named[name] = next(parts), next(parts), next(parts)
        else:
            named[name] = next(parts)
    return row_of(figures, currency, **named)


def report_facts(report: Report) -> dict[str, Any]:
    """A report as it is given away in JSON: dollars with two decimals, times in UTC."""
    columns = _columns(report)
    return {
        "by": list(report.by),
        "zone": report.zone,
        "shifts": list(report.shifts),
        "from": report.from_day,
        "to": report.to_day,
        "rows": [_facts(row, columns) for row in report.rows],
        "totals": [_facts(total, _ALWAYS) for total in report.totals],
        "voids_and_corrections": [shown(msgspec.structs.asdict(ruling)) for ruling in report.rulings],
    }


def report_csv(report: Report) -> Iterable[str]:
    """The rows of a report as lines of CSV, without the totals: a sheet adds them up by itself."""
    columns = _columns(report)
    return csv_lines((_facts(row, columns) for row in report.rows), _names(columns))


def rulings_csv(report: Report) -> Iterable[str]:
    """The voids, corrections and decisions of a report as lines of CSV."""
    rows = (shown(msgspec.structs.asdict(ruling)) for ruling in report.rulings)
    return csv_lines(rows, _names(_RULING))


def _columns(report: Report) -> tuple[str, ...]:
    named = {*report.by, *(DAY for name in report.by if name in _OF_A_DAY)}
    return (*(name for name in DIMENSIONS if name in named), *_ALWAYS)


def _facts(row: ReportRow, columns: Iterable[str]) -> dict[str, Any]:
    return shown({name: msgspec.to_builtins(getattr(row, name)) for name in columns})


def _names(fields: Iterable[str]) -> list[str]:
    return [name.removesuffix("_cents").removesuffix("_ms") for name in fields]

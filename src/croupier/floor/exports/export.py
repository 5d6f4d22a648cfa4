"""Exports: a table, a day or a round of it as JSON lines or CSV, for people and programs elsewhere."""

import csv
import datetime
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, Final

import msgspec

from croupier.floor.exports.projections import (
    BetRow,
    MetersFold,
    PostingRow,
    RoundBets,
    RoundRow,
    RoundsFold,
    posting_rows,
    round_of,
)
from croupier.floor.exports.selection import (
    Selection,
    entries_of,
    read_entries,
    recalled_rounds,
    records_taken,
)
from croupier.floor.loading import DamagedJournal
from croupier.floor.significant.events import EventRow, event_rows
from croupier.floor.verify.evidence import Evidence
from croupier.journal import Record
from croupier.rulebook import BadInput, Book, load_book, show_cents
from croupier.table import Entry, Meters, table_rules
from croupier.table.events import RoundOpened, TableCreated

Row = Mapping[str, Any]

RECORDS, ROUNDS, BETS, POSTINGS, METERS, EVENTS = "records", "rounds", "bets", "postings", "meters", "events"
KINDS: Final = (RECORDS, ROUNDS, BETS, POSTINGS, METERS, EVENTS)
JSONL, CSV = "jsonl", "csv"
FORMATS: Final = (JSONL, CSV)

_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    RECORDS: ("table", "sequence", "time_ms", *Record._fields[3:]),
    ROUNDS: RoundRow.__struct_fields__,
    BETS: BetRow.__struct_fields__,
    POSTINGS: PostingRow.__struct_fields__,
    METERS: ("seat", "credits_cents", *Meters.__struct_fields__),
    EVENTS: EventRow.__struct_fields__,
}

_EPOCH: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def export_rows(
    evidence: Evidence,
    table: str,
    kind: str,
    selection: Selection,
    *,
    refusals: bool = False,
    find_book: Callable[[str], Book] = load_book,
) -> Iterator[Row]:
    """Rows of one kind, in order, with amounts in dollars and times in UTC."""
    rows: Iterator[Row]
    match kind:
        case "records":
            rows = map(record_row, records_taken(evidence, table, selection))
        case "rounds":
            rows = (_facts(round_.row) for round_ in _rounds(evidence, table, selection))
        case "bets":
            rows = (_facts(bet) for round_ in _rounds(evidence, table, selection) for bet in round_.bets())
        case "postings":
            rows = (
                _facts(row)
                for record, entry in read_entries(records_taken(evidence, table, selection), table)
                for row in posting_rows(record.sequence, entry)
            )
        case "meters":
            rows = meter_rows(evidence, table, selection, find_book)
        case "events":
            rows = (
                _facts(row)
                for record, entry in read_entries(records_taken(evidence, table, selection), table)
                for row in event_rows(record.sequence, entry, refusals=refusals)
            )
        case _:
            raise ValueError(f"no export of {kind}")
    try:
        yield from map(shown, rows)
    except BadInput:
        raise
    except (LookupError, RuntimeError, TypeError, ValueError) as error:
        # The folds take a sound journal for granted.
        raise DamagedJournal(f"The journal of table {table} does not fit together: {error}.") from error


def _facts(row: Any) -> Row:
    return msgspec.structs.asdict(row)


def record_row(record: Record) -> Row:
    """A record with its payload decoded."""
    return {
        "table": record.table,
        "sequence": record.sequence,
        "time_ms": record.at_ms,
        "actor": record.actor,
        "sender": record.sender,
        "number": record.number,
        "part": record.part,
        "kind": record.kind,
        "version": record.version,
        "payload": msgspec.json.decode(record.payload),
        "previous": record.previous.hex(),
        "hash": record.hash.hex(),
    }


def _rounds(evidence: Evidence, table: str, selection: Selection) -> Iterator[RoundBets]:
    """The rounds that are taken."""
    if selection.round is None:
        yield from _rounds_begun(evidence, table, selection)
    else:
        entries = read_entries(records_taken(evidence, table, selection), table)
        yield round_of((entry for _, entry in entries), selection.round)


def _rounds_begun(evidence: Evidence, table: str, selection: Selection) -> Iterator[RoundBets]:
    """The rounds of a time, from the first one's beginning to where nothing can change them any more."""
    fold, waiting, oldest = RoundsFold(recalled_rounds(evidence, table)), set[int](), 0
    for record, entry in _entries_for_rounds(evidence, table, selection.first):
        event, number = entry.event, getattr(entry.event, "round", None)
        if isinstance(event, RoundOpened):
            oldest = oldest or event.round
            if selection.takes_time(entry.cause.at_ms):
                waiting.add(event.round)
        if selection.last is not None and record.sequence > selection.last and not waiting:
            break
        if selection.first > 1 and number is not None and (not oldest or number < oldest):
            continue  # it is about a round whose beginning was not read
        done = fold.take(entry)
        if done is not None and selection.takes_time(done.row.opened_ms):
            waiting.discard(done.row.round)
            yield done
    yield from (left for left in fold.rest() if selection.takes_time(left.row.opened_ms))


def _entries_for_rounds(evidence: Evidence, table: str, first: int) -> Iterator[tuple[Record, Entry]]:
    """The table's creation, and everything from a record on."""
    if first > 1:
        yield from islice(entries_of(evidence, table), 1)
    yield from entries_of(evidence, table, first - 1)


def meter_rows(
    evidence: Evidence, table: str, selection: Selection, find_book: Callable[[str], Book] = load_book
) -> Iterator[Row]:
    """The meters as they stood behind the last record that is taken, without what is of later days."""
    fold: MetersFold | None = None
    for record, entry in entries_of(evidence, table):
        if selection.last is not None and record.sequence > selection.last:
            break
        if fold is None:
            if not isinstance(entry.event, TableCreated):
                raise DamagedJournal(f"The journal of table {table} does not begin with its creation.")
            settings = entry.event.settings
            fold = MetersFold(table_rules(find_book(settings.book), settings))
        fold.take(entry, counts=selection.counts(record))
    if fold is not None:
        yield from fold.rows()


def shown(row: Row) -> dict[str, Any]:
    """A row as it is given away: dollars with two decimals, times in UTC.

    >>> shown({"seat": "4", "stake_cents": 250, "opened_ms": 1_700_000_000_000})
    {'seat': '4', 'stake': '2.50', 'opened': '2023-11-14T22:13:20.000Z'}
    """
    facts: dict[str, Any] = {}
    for name, value in row.items():
        if name.endswith("_cents"):
            facts[name.removesuffix("_cents")] = None if value is None else show_cents(value)
        elif name.endswith("_ms"):
            facts[name.removesuffix("_ms")] = None if value is None else show_time(value)
        else:
            facts[name] = value
    return facts


def show_time(at_ms: int) -> str:
    """A time in UTC, to the millisecond."""
    time = _EPOCH + datetime.timedelta(milliseconds=at_ms)
    return time.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def columns_of(kind: str) -> list[str]:
    """The columns of an export, which stand above it even where it has no rows."""
    return [name.removesuffix("_cents").removesuffix("_ms") for name in _FIELDS[kind]]


def as_lines(rows: Iterable[Row], form: str, kind: str) -> Iterator[str]:
    """Rows as lines of text, each with its line feed.

    >>> print(*as_lines([], "csv", "postings"), end="")
    sequence,time,source,destination,amount
    """
    return _json_lines(rows) if form == JSONL else csv_lines(rows, columns_of(kind))


def _json_lines(rows: Iterable[Row]) -> Iterator[str]:
    encode = msgspec.json.Encoder().encode
    for row in rows:
        yield encode(row).decode() + "\n"


def csv_lines(rows: Iterable[Row], columns: list[str]) -> Iterator[str]:
    """Rows under their columns as lines of CSV."""
    line = io.StringIO()
    writer = csv.writer(line, lineterminator=_BOTH)
    for cells in chain([columns], ([_cell(row[column]) for column in columns] for row in rows)):
        line.seek(0)
        line.truncate()
        writer.writerow(cells)
        yield line.getvalue().removesuffix(_BOTH) + "\n"


_BOTH: Final = "\r\n"
"""Has the writer put either of them in quotes where it stands in a text."""
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a text must not begin with in a table that a spreadsheet may open: it would be worked out."""
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict | list):
        return msgspec.json.encode(value).decode()
    if isinstance(value, str) and value.startswith(_FORMULAS) and _NUMBER.fullmatch(value) is None:
        return f"'{value}"
    return "" if value is None else value

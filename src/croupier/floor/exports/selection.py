"""Which part of a table's journal is asked for: all of it, one round, or some time such as a gaming day."""

import datetime
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from croupier.floor.codec import UnreadableRecord, entry_of
from croupier.floor.loading import DamagedJournal
from croupier.floor.verify.evidence import Evidence
from croupier.journal import Record
from croupier.rulebook import BadInput
from croupier.table import Entry
from croupier.table.events import RoundRecalled

DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""How a day is written, everywhere; Python itself would read 20240531 and 2024-W22-5 as well."""

_FAR: Final = 1_000
"""From how many records on it is worth looking for the next one instead of reading up to it."""

_OFFSET: Final = re.compile(r"([+-])([0-9]{2}):([0-9]{2})")


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What is taken of a table's journal; everything where nothing is said."""

    round: int | None = None
    sequences: frozenset[int] | None = None
    """The records that bear on the round."""
    from_ms: int | None = None
    until_ms: int | None = None
    first: int = 1
    """The first record that may be taken."""
    last: int | None = None
    """The last record that is taken; None where that is the table's last."""

    def takes(self, record: Record) -> bool:
        """Whether a record is taken."""
        if self.sequences is not None:
            return record.sequence in self.sequences
        return self.takes_time(record.at_ms)

    def counts(self, record: Record) -> bool:
        """Whether a record counts for the meters: it may be of a later day, and the clock was set back."""
        return self.until_ms is None or record.at_ms < self.until_ms

    def takes_time(self, at_ms: int) -> bool:
        """Whether what is of a moment is taken; a day takes the rounds that began on it."""
        return self.from_ms is None or self.until_ms is None or self.from_ms <= at_ms < self.until_ms


def records_taken(evidence: Evidence, table: str, selection: Selection) -> Iterator[Record]:
    """The records of a table that are taken; what lies before the first and behind the last is not read."""
    whole = [(selection.first, selection.last)]
    for first, last in whole if selection.sequences is None else _spans(selection.sequences):
        for record in evidence.records(table, first - 1):
            if last is not None and record.sequence > last:
                break
            if selection.takes(record):
                yield record


def _spans(sequences: Iterable[int]) -> Iterator[tuple[int, int]]:
    """From where to where records stand, with a span for each part that lies far from the others."""
    places = sorted(sequences)
    begins = 0
    for place, (one, next_one) in enumerate(pairwise(places), start=1):
        if next_one - one > _FAR:
            yield places[begins], one
            begins = place
    yield places[begins], places[-1]


def entries_of(evidence: Evidence, table: str, after: int = 0) -> Iterator[tuple[Record, Entry]]:
    """A table's records behind a number, with what they hold."""
    return read_entries(evidence.records(table, after), table)


def recalled_rounds(evidence: Evidence, table: str) -> frozenset[int]:
    """The rounds of a table that were read from its journal again, to be corrected."""
    kind = "round-recalled"
    told = (record for record in evidence.holding(table, kind.encode()) if record.kind == kind)
    events = (entry.event for _, entry in read_entries(told, table))
    return frozenset(event.round for event in events if isinstance(event, RoundRecalled))


def read_entries(records: Iterable[Record], table: str) -> Iterator[tuple[Record, Entry]]:
    """Records of a table with what they hold."""
    for record in records:
        try:
            yield record, entry_of(record)
        except UnreadableRecord as error:
            raise DamagedJournal(
                f"Record {record.sequence} of table {table} {error.verdict}: {error}."
            ) from error


def select_time(evidence: Evidence, table: str, from_ms: int, until_ms: int) -> Selection:
    """What was recorded from a moment on and before another one, which are those of a gaming day mostly."""
    # A day without records has the meters of the day before: what counts are all records before its end.
    # Times are no order of records: where a clock was set back, they come again.
    first, last = None, 0
    for sequence, at_ms in evidence.moments(table):
        if at_ms < until_ms:
            last = sequence
            if first is None and at_ms >= from_ms:
                first = sequence
    return Selection(from_ms=from_ms, until_ms=until_ms, first=first or last + 1, last=last)


def read_date(text: str) -> datetime.date:
    """A day, written in the one form that nobody can take for something else.

    >>> read_date("2024-05-31")
    datetime.date(2024, 5, 31)
    """
    if DAY.fullmatch(text) is None:
        raise no_day(text)
    try:
        return datetime.date.fromisoformat(text)
    except ValueError as error:
        raise no_day(text) from error


def no_day(text: str) -> BadInput:
    """Why a text is not taken for a day."""
    return BadInput("bad-day", f"{text!r} is not a day.", "Write it as in 2024-05-31.")


def read_zone(zone: str) -> datetime.tzinfo:
    """A zone by its name or by its distance from UTC.

    >>> read_zone("+08:00").utcoffset(None)
    datetime.timedelta(seconds=28800)
    """
    if (match := _OFFSET.fullmatch(zone)) is not None:
        sign, hours, minutes = match.groups()
        offset = datetime.timedelta(hours=int(hours), minutes=int(minutes))
        if offset < datetime.timedelta(hours=24):
            return datetime.timezone(-offset if sign == "-" else offset)
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(
            "unknown-zone", f"There is no time zone {zone!r}.", "Write for example Asia/Singapore or +08:00."
        ) from error

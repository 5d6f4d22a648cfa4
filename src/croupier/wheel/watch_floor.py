"""All wheels under watch: fed with the entries of every table, live or from a journal."""

import heapq
from collections.abc import Callable, Iterable, Iterator

from croupier.floor.codec import UnreadableRecord, entry_of
from croupier.floor.loading import DamagedJournal
from croupier.floor.verify.evidence import Evidence
from croupier.journal import Record
from croupier.lab.bias_alarm import STANDARD_LEVEL, alarm_at
from croupier.rulebook import BadInput, Book, begun_at, load_book, with_order
from croupier.table import Entry, Settings
from croupier.wheel.watch import WheelWatch
from croupier.wheel.watch_report import WheelReport
from croupier.wheel.watch_spins import KINDS, TableSpins


class FloorWatch:
    """The wheels of a floor.

    A wheel is known by the id in its tables' settings, and where they name none, by the table's own. Tables
    with the same id share a wheel; a wheel with other pockets is another wheel, whatever its id.
    """

    def __init__(self, level: float = STANDARD_LEVEL, find_book: Callable[[str], Book] = load_book) -> None:
        alarm_at(level)  # refused here rather than with the first table
        self._level, self._find_book = level, find_book
        self._tables: dict[str, tuple[TableSpins, WheelWatch | None]] = {}
        self._wheels: dict[tuple[str, tuple[str, ...]], WheelWatch] = {}

    def take(self, table: str, entry: Entry) -> WheelWatch | None:
        """The next entry of a table; gives the table's wheel, where it has said something new."""
        spins, wheel = self._tables.get(table) or (TableSpins(), None)
        is_new = False
        for news in spins.take(entry):
            if wheel is None:
                raise ValueError("a table's history begins with its creation")
            wheel.take(table, news)
            is_new = True
        if wheel is None and spins.settings is not None:
            wheel = self._wheel_of(table, spins.settings)
        self._tables[table] = spins, wheel
        return wheel if is_new else None

    def _wheel_of(self, table: str, settings: Settings) -> WheelWatch:
        name = settings.wheel or table
        book = with_order(self._find_book(settings.book), settings.pocket_order)
        order = book.wheel.order
        key = name, begun_at(min(order), order)  # a circle is the same one wherever it is begun
        if key not in self._wheels:
            self._wheels[key] = WheelWatch(name, book, self._level)
        self._wheels[key].join(table)
        return self._wheels[key]

    def wheels(self) -> tuple[WheelWatch, ...]:
        """Every wheel, by name."""
        return tuple(self._wheels[key] for key in sorted(self._wheels))


def watch_journal(
    evidence: Evidence,
    tables: Iterable[str] | None = None,
    level: float = STANDARD_LEVEL,
    find_book: Callable[[str], Book] = load_book,
) -> list[WheelReport]:
    """What a journal says about the wheels of all its tables, or of some.

    Tables that share a wheel are read side by side in the order of time, as the floor went through them.
    """
    floor = FloorWatch(level, find_book)
    streams = [_telling(evidence, table) for table in (evidence.tables() if tables is None else tables)]
    try:
        for record in heapq.merge(*streams, key=_time):
            floor.take(record.table, _entry(record))
    except BadInput:
        raise
    except (LookupError, RuntimeError, TypeError, ValueError) as error:
        # The watch takes a sound journal for granted.
        raise DamagedJournal(f"The journal does not fit together: {error}.") from error
    return [wheel.report() for wheel in floor.wheels()]


def _entry(record: Record) -> Entry:
    try:
        return entry_of(record)
    except UnreadableRecord as error:
        sentence = f"Record {record.sequence} of table {record.table} {error.verdict}: {error}."
        raise DamagedJournal(sentence) from error


def _telling(evidence: Evidence, table: str) -> Iterator[Record]:
    """The records of a table that say something about spins."""
    return filter(_tells, evidence.records(table))


def _tells(record: Record) -> bool:
    return record.kind in KINDS


def _time(record: Record) -> int:
    return record.at_ms

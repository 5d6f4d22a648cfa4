"""Follows tables and keeps what reports are made of, by table, dealer, shift and hour.

Everything counts when it was recorded, so the figures of a shift are what the meters moved by in it, and
those of a shift that is over do not change any more: a correction counts when it is made. Only time needs no
record: what has passed at an open table since its last one is counted for each report anew.

A dealer's share is by rounds. Whatever names a round counts for whoever opened that round, a correction of
it included, whoever makes it. Whatever names none (buying credits, payments, refusals, the time that the
table is open) counts for whoever opened the latest round: that is who stands at the table.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from operator import itemgetter
from typing import Final, NamedTuple

import msgspec

from croupier.floor.loading import currency_by
from croupier.floor.reports.calendar import Calendar, Hour, Shift
from croupier.floor.reports.figures import Figures
from croupier.rulebook import Book, load_book
from croupier.table import Entry, postings
from croupier.table import events as e
from croupier.table.ledger import HOUSE
from croupier.table.ruling import RETURN_BETS

NOBODY: Final = ""
"""Stands for the dealer before a table's first round."""

VOID, CORRECTION, DECISION, CARRIED = "void", "correction", "decision", "carried"
_CARRIED_OUT: Final = ("void",)
"""Rulings that show as the void or the correction that they lead to."""


class Ruling(msgspec.Struct, kw_only=True):
    """A void, a correction, a decision, or the end of what one left open: who, why, and what it moved."""

    table: str
    sequence: int
    time_ms: int
    day: str
    shift: str
    dealer: str
    round: int
    kind: str
    """`void`, `correction`, `decision` for one that is neither, or `carried` for how that ended."""
    old: str | None
    new: str | None
    cause: str
    reason: str
    clause: str
    actor: str
    second: str | None
    win_change_cents: int = 0
    """By how much the win of the house rose or fell."""
    returned_cents: int = 0
    """Stakes that went back while the round ran."""
    carried_cents: int = 0
    """What a correction had left open and was paid, collected or written off: which of these is its cause."""
    wheel: str | None = None
    """What the wheel did when the round was void: `not-spun`, `rolling`, `at-rest`; None of a settled one."""
    against_sensor: bool = False
    """Whether the sensor contradicted the cause of a void."""


class Cell(NamedTuple):
    """The smallest part that has figures of its own."""

    table: str
    dealer: str
    shift: Shift
    hour: Hour


class TableNow(msgspec.Struct):
    """What has to be known of a table to attribute the next entry."""

    on_duty: str = NOBODY
    openers: list[tuple[int, str]] = msgspec.field(default_factory=list)
    """Who opened rounds, and from which number on, where it is somebody else than before."""
    running: int | None = None
    """The round that runs."""
    is_open: bool = False
    last_ms: int = 0
    command: tuple[str, int] = ("", 0)
    moved: dict[int, list[int]] = msgspec.field(default_factory=dict)
    """By round, how much the present command moved into the house and returned."""
    rulings: dict[int, Ruling] = msgspec.field(default_factory=dict)
    """By round, what the present command ruled."""


class TablePart(msgspec.Struct):
    """All that a fold knows of one table."""

    cells: list[tuple[Cell, Figures]]
    rulings: list[Ruling]
    now: TableNow

    def days(self) -> set[str]:
        """The gaming days that it has figures of."""
        return {cell.shift.day for cell, _ in self.cells}


class ReportsFold:
    """Takes entries of any number of tables, each table's in order, and keeps figures by cell."""

    def __init__(self, calendar: Calendar, find_book: Callable[[str], Book] = load_book) -> None:
        self.calendar = calendar
        self.currencies: dict[str, str] = {}
        """By table; "" where the book is not at hand that it was created with."""
        self._find_book = find_book
        self.cells: dict[Cell, Figures] = {}
        self.rulings: list[Ruling] = []
        self._tables: dict[str, TableNow] = {}
        self._latest: dict[str, tuple[Cell, Figures]] = {}
        """By table, the cell that was found last: looking for one takes longer than counting in it."""

    def take(self, table_id: str, sequence: int, entry: Entry) -> None:
        """The next entry of a table."""
        table = self._tables.setdefault(table_id, TableNow())
        event, at_ms = entry.event, entry.cause.at_ms
        self._count_time(table_id, table, entry)
        if isinstance(event, e.RoundOpened):
            self._open_round(table, event.round, entry.cause.actor.id)
        elif isinstance(event, e.RoundSettled | e.RoundVoided):
            table.running = None
        elif isinstance(event, e.TableCreated):
            self.currencies[table_id] = currency_by(event, self._find_book)
        number: int | None = getattr(event, "round", None)
        dealer = table.on_duty if number is None else _opener(table, number)
        cell, figures = self._cell(table_id, dealer, at_ms)
        figures.count(entry)
        figures.corrections += _settles_again(table, event)
        if isinstance(event, e.TableOpened | e.TableClosed):
            table.is_open = isinstance(event, e.TableOpened)
        if number is not None:
            self._rule(cell, table, sequence, entry, number)

    def part_of(self, table_id: str) -> TablePart:
        """All that is known of a table."""
        return TablePart(
            cells=[(cell, figures) for cell, figures in self.cells.items() if cell.table == table_id],
            rulings=[ruling for ruling in self.rulings if ruling.table == table_id],
            now=self._tables.get(table_id, TableNow()),
        )

    def go_on_from(self, table_id: str, currency: str, part: TablePart) -> None:
        """Knows of a table what was known of it before, as if its entries up to there had been taken."""
        self.currencies[table_id] = currency
        self.cells.update(part.cells)
        self.rulings += part.rulings
        self._tables[table_id] = now = part.now
        # What the present command still moves is added to the rulings that reports show, not to copies.
        by_record = {ruling.sequence: ruling for ruling in part.rulings}
        now.rulings = {number: by_record[ruling.sequence] for number, ruling in now.rulings.items()}

    def open_until(self, seen_ms: Mapping[str, int]) -> Iterator[tuple[Cell, Figures]]:
        """The time since the last entries of open tables, up to when each was last seen; nothing is kept."""
        for table_id, table in self._tables.items():
            if table.is_open:
                for shift, hour, ms in self.calendar.split(table.last_ms, seen_ms.get(table_id, 0)):
                    yield Cell(table_id, table.on_duty, shift, hour), Figures(open_ms=ms)

    def _cell(self, table_id: str, dealer: str, at_ms: int) -> tuple[Cell, Figures]:
        """The cell of a moment, and what is counted in it."""
        shift, hour = self.calendar.shift_of(at_ms), self.calendar.hour_of(at_ms)
        found = self._latest.get(table_id)
        if found is not None:
            latest = found[0]
            if latest.shift is shift and latest.hour is hour and latest.dealer == dealer:
                return found
        cell = Cell(table_id, dealer, shift, hour)
        self._latest[table_id] = found = cell, self._figures(cell)
        return found

    def _figures(self, cell: Cell) -> Figures:
        figures = self.cells.get(cell)
        if figures is None:
            figures = self.cells[cell] = Figures()
        return figures

    def _count_time(self, table_id: str, table: TableNow, entry: Entry) -> None:
        """Counts the time since the entry before as open, up to where an interruption began.

        Behind one of unknown length the clock may have been set back: time counts on from there.
        """
        event, until_ms = entry.event, entry.cause.at_ms
        if table.is_open:
            if isinstance(event, e.TableInterrupted):
                until_ms = event.began_ms
            for shift, hour, ms in self.calendar.split(table.last_ms, until_ms):
                self._figures(Cell(table_id, table.on_duty, shift, hour)).open_ms += ms
        is_new_time = isinstance(event, e.TableInterrupted) and not event.length_known
        table.last_ms = entry.cause.at_ms if is_new_time else max(table.last_ms, entry.cause.at_ms)

    def _open_round(self, table: TableNow, number: int, dealer: str) -> None:
        if dealer != table.on_duty or not table.openers:
            table.openers.append((number, dealer))
        table.on_duty, table.running = dealer, number

    def _rule(self, cell: Cell, table: TableNow, sequence: int, entry: Entry, number: int) -> None:
        """Notes a ruling with all that its command moved in the round."""
        cause, event = entry.cause, entry.event
        if table.command != (cause.sender, cause.number):
            table.command = cause.sender, cause.number
            table.moved.clear()
            table.rulings.clear()
        moved = table.moved.setdefault(number, [0, 0])
        for posting in postings(event):
            moved[0] += posting.cents * ((posting.destination == HOUSE) - (posting.source == HOUSE))
        if isinstance(event, e.SeatReturned):
            moved[1] += event.cents
        if (ruling := _ruling_of(cell, sequence, entry)) is not None:
            table.rulings[number] = ruling
            self.rulings.append(ruling)
        if (found := table.rulings.get(number)) is not None:
            found.win_change_cents, found.returned_cents = moved


def _settles_again(table: TableNow, event: e.Event) -> bool:
    """Whether a decision gives bets back that were settled already, as a correction does."""
    if not isinstance(event, e.DecisionRecorded) or event.ruling != RETURN_BETS:
        return False
    return event.round != table.running


def _opener(table: TableNow, number: int) -> str:
    """Who opened a round, whatever its age."""
    behind = bisect_right(table.openers, number, key=itemgetter(0))
    return table.openers[behind - 1][1] if behind else table.on_duty


def _ruling_of(cell: Cell, sequence: int, entry: Entry) -> Ruling | None:
    event, cause = entry.event, entry.cause
    old: str | None = None
    new: str | None = None
    carried_cents = 0
    match event:
        case e.RoundVoided():
            kind, of = VOID, event.cause
        case e.ResultCorrected():
            kind, of = (VOID if event.new is None else CORRECTION), event.cause
            old, new = event.old, event.new
        case e.DecisionRecorded() if event.ruling not in _CARRIED_OUT:
            kind, of = DECISION, event.ruling
        case e.CarriedSettled():
            kind, of, carried_cents = CARRIED, event.how, event.cents
        case _:
            return None
    return Ruling(
        table=cell.table,
        sequence=sequence,
        time_ms=cause.at_ms,
        day=cell.shift.day,
        shift=cell.shift.shift,
        dealer=cell.dealer,
        round=event.round,
        kind=kind,
        old=old,
        new=new,
        cause=of,
        reason=event.reason,
        clause=event.clause,
        actor=cause.actor.id,
        second=None if cause.second is None else cause.second.id,
        carried_cents=carried_cents,
        wheel=event.wheel if isinstance(event, e.RoundVoided) else None,
        against_sensor=isinstance(event, e.RoundVoided) and event.against_sensor,
    )

"""The wheels of a running floor under watch: after every round the evidence is looked at again."""

import asyncio
import contextlib
import heapq
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from croupier.floor import Published
from croupier.floor.codec import entry_of
from croupier.floor.house.log import WheelSuspected
from croupier.floor.streams import is_table
from croupier.journal import Record, Store, StoreError
from croupier.rulebook import Book
from croupier.server.floor import Floor
from croupier.server.threads import Stopping
from croupier.server.watching import MachineWatch
from croupier.table.events import ResultCorrected, RoundSettled, RoundVoided
from croupier.wheel.watch import WheelWatch
from croupier.wheel.watch_floor import FloorWatch
from croupier.wheel.watch_report import Moment, WheelReport
from croupier.wheel.watch_spins import KINDS

LOG: Final = logging.getLogger("croupier.wheel")

AGAIN_SECONDS: Final = 5.0
"""When a look that failed is taken again, if no round is over before."""

_TELLING: Final = (RoundSettled, RoundVoided, ResultCorrected)


class Raised(NamedTuple):
    """An alarm, and the record of its table that raised it."""

    alarm: WheelSuspected
    sequence: int


class WheelsWatched:
    """Follows the journal; may be used from any thread."""

    def __init__(self, store: Store, one_in: int, find_book: Callable[[str], Book]) -> None:
        self.one_in = one_in
        self._store = store
        self._watch = FloorWatch(1 / one_in, find_book)
        self._read_to: dict[str, int] = {}
        """By table, the last record that was taken."""
        self._damaged: set[str] = set()
        self._lock = threading.Lock()
        self._raised: dict[WheelWatch, Raised] = {}
        self._stopped = False

    def stop_reading(self) -> None:
        """Ends whatever reads."""
        self._stopped = True

    def catch_up(self) -> None:
        """Reads what was written since; where that fails, it is read the next time."""
        with self._lock:
            self._follow()

    def raised(self) -> tuple[Raised, ...]:
        """Every alarm so far, in the order in which they were raised."""
        with self._lock:
            return tuple(self._raised.values())

    def reports(self) -> list[WheelReport]:
        """How every wheel stands."""
        with self._lock:
            self._follow()
            return [wheel.report() for wheel in self._watch.wheels()]

    def _follow(self) -> None:
        # All is read before anything is taken: tables that share a wheel are taken in the order of time.
        tables = [table for table in self._store.tables() if is_table(table) and table not in self._damaged]
        for record in heapq.merge(*map(self._since, tables), key=lambda record: record.at_ms):
            self._go_on()
            if record.table not in self._damaged:
                self._take(record)

    def _since(self, table: str) -> list[Record]:
        """The records that say something about spins; one behind them that does not says how far it goes."""
        found: list[Record] = []
        skipped: Record | None = None
        for record in self._store.read(table, self._read_to.get(table, 0)):
            self._go_on()
            if record.kind in KINDS:
                found.append(record)
                skipped = None
            else:
                skipped = record
        return found if skipped is None else [*found, skipped]

    def _go_on(self) -> None:
        if self._stopped:
            raise Stopping

    def _take(self, record: Record) -> None:
        """Takes a record, and remembers that it did; a damaged table keeps no other wheel from its watch."""
        try:
            wheel = self._watch.take(record.table, entry_of(record)) if record.kind in KINDS else None
        except Exception:
            LOG.exception("table %s: not watched from record %s on", record.table, record.sequence)
            self._damaged.add(record.table)
            return
        self._read_to[record.table] = record.sequence
        if wheel is not None and wheel.raised is not None and wheel not in self._raised:
            self._raised[wheel] = Raised(self._alarm(wheel, wheel.raised), record.sequence)

    def _alarm(self, wheel: WheelWatch, moment: Moment) -> WheelSuspected:
        return WheelSuspected(
            wheel=wheel.wheel,
            table=moment.table,
            round=moment.round,
            spins=moment.spins,
            one_in=self.one_in,
        )


class Suspecting:
    """Has the watch look after every round, and tells the pit."""

    def __init__(self, floor: Floor, watched: WheelsWatched, machine: MachineWatch) -> None:
        self._floor = floor
        self._watched = watched
        self._machine = machine
        self._news = asyncio.Event()
        self._began = {name: live.runner.state.sequence for name, live in floor.tables.items()}
        """How far each table was; an alarm that was raised by then is not news."""
        self._marked = 0
        """How many alarms are shown at the pit."""
        self._unwritten: list[WheelSuspected] = []
        for live in floor.tables.values():
            live.followers.append(self._follow)

    def _follow(self, published: Sequence[Published]) -> None:
        if any(isinstance(item.entry.event, _TELLING) for item in published):
            self._news.set()

    async def run(self) -> None:
        """Looks whenever a round is over, until it is cancelled; what fails is tried again before that."""
        while True:
            self._news.clear()
            is_done = await self._look()
            await self._mark_new()
            is_done = await self._write() and is_done
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if is_done else AGAIN_SECONDS):
                    await self._news.wait()

    async def _look(self) -> bool:
        try:
            await asyncio.to_thread(self._watched.catch_up)
        except Stopping:
            return True
        except StoreError as error:
            LOG.warning("the watch on the wheels waits: %s", error)
        except Exception:  # a watch that ends would be one that finds nothing
            LOG.exception("the watch on the wheels waits")
        else:
            return True
        return False

    async def _mark_new(self) -> None:
        """Shows the alarms that are not shown yet; whoever looked at the wheels may have been first."""
        raised = await asyncio.to_thread(self._watched.raised)  # somebody may be reading meanwhile
        for alarm, sequence in raised[self._marked :]:
            self._mark(alarm)
            if sequence > self._began.get(alarm.table, sequence):
                self._unwritten.append(alarm)
        self._marked = len(raised)

    def _mark(self, alarm: WheelSuspected) -> None:
        for name, live in self._floor.tables.items():
            if alarm.wheel == (live.runner.state.settings.wheel or name):
                live.hub.suspect = alarm.wheel
                self._floor.pit.table_changed(live.hub)

    async def _write(self) -> bool:
        """Writes down what is news, one server of the floor for each; says whether all of it is written."""
        here = self._floor.neighbours.runs_here
        self._unwritten = [
            alarm for alarm in self._unwritten if here(alarm.table) and not await self._machine.note(alarm)
        ]
        return not self._unwritten

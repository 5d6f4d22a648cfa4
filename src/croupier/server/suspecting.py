"""The wheels of a running floor under watch: after every round the evidence is looked at again."""

import asyncio
import heapq
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from croupier.floor import Published
from croupier.floor.codec import entry_of
from croupier.floor.house_log import WheelSuspected
from croupier.floor.streams import is_table
from croupier.journal import Record, Store, StoreError
from croupier.rulebook import Book
from croupier.server.floor import Floor
from croupier.server.watching import MachineWatch
from croupier.table.events import ResultCorrected, RoundSettled, RoundVoided
from croupier.wheel.watch_floor import FloorWatch
from croupier.wheel.watch_report import WheelReport
from croupier.wheel.watch_spins import KINDS

LOG: Final = logging.getLogger("croupier.wheel")

_TELLING: Final = (RoundSettled, RoundVoided, ResultCorrected)


class WheelsWatched:
    """Follows the journal; may be used from any thread."""

    def __init__(self, store: Store, one_in: int, find_book: Callable[[str], Book]) -> None:
        self.one_in = one_in
        self._store = store
        self._watch = FloorWatch(1 / one_in, find_book)
        self._read_to: dict[str, int] = {}
        self._lock = threading.Lock()
        self._told: set[str] = set()

    def catch_up(self) -> list[WheelSuspected]:
        """Reads what was written since; gives the wheels that raised the alarm for the first time."""
        with self._lock:
            streams = [self._since(table) for table in self._store.tables() if is_table(table)]
            for record in heapq.merge(*streams, key=lambda record: record.at_ms):
                self._watch.take(record.table, entry_of(record))
            return [*self._new_alarms()]

    def reports(self) -> list[WheelReport]:
        """How every wheel stands."""
        self.catch_up()
        with self._lock:
            return [wheel.report() for wheel in self._watch.wheels()]

    def _since(self, table: str) -> list[Record]:
        found = []
        for record in self._store.read(table, self._read_to.get(table, 0)):
            self._read_to[table] = record.sequence
            if record.kind in KINDS:
                found.append(record)
        return found

    def _new_alarms(self) -> Iterable[WheelSuspected]:
        for wheel in self._watch.wheels():
            if wheel.raised is not None and wheel.wheel not in self._told:
                self._told.add(wheel.wheel)
                yield WheelSuspected(
                    wheel=wheel.wheel,
                    table=wheel.raised.table,
                    round=wheel.raised.round,
                    spins=wheel.raised.spins,
                    one_in=self.one_in,
                )


class Suspecting:
    """Has the watch look after every round, and tells the pit."""

    def __init__(self, floor: Floor, watched: WheelsWatched, machine: MachineWatch) -> None:
        self._floor = floor
        self._watched = watched
        self._machine = machine
        self._news = asyncio.Event()
        for live in floor.tables.values():
            live.followers.append(self._follow)

    def _follow(self, published: Sequence[Published]) -> None:
        if any(isinstance(item.entry.event, _TELLING) for item in published):
            self._news.set()

    async def run(self) -> None:
        """Looks whenever a round is over, until it is cancelled; what was known before is not news."""
        for alarm in await self._look():
            self._mark(alarm)
        while True:
            await self._news.wait()
            self._news.clear()
            for alarm in await self._look():
                self._mark(alarm)
                if self._floor.neighbours.runs_here(alarm.table):  # one server writes it down
                    await self._machine.note(alarm)

    async def _look(self) -> list[WheelSuspected]:
        try:
            return await asyncio.to_thread(self._watched.catch_up)
        except StoreError as error:
            LOG.warning("the watch on the wheels waits: %s", error)
        except Exception:  # a watch that ends would be one that finds nothing
            LOG.exception("the watch on the wheels waits")
        return []

    def _mark(self, alarm: WheelSuspected) -> None:
        for name, live in self._floor.tables.items():
            if alarm.wheel == (live.runner.state.settings.wheel or name):
                live.hub.suspect = alarm.wheel
                self._floor.pit.table_changed(live.hub)

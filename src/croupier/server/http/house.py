"""What every handler has at hand: the floor, and threads for whatever reads the journal."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

import msgspec

from croupier.floor.cage.records import CLERK
from croupier.floor.house.clock_doubt import ClockDoubt
from croupier.floor.house.log import SoftwareChecked
from croupier.floor.office.office import Office
from croupier.floor.reports.calendar import STARTS, Calendar
from croupier.floor.streams import is_table
from croupier.floor.verify.evidence import Evidence, open_evidence
from croupier.journal import StoreError
from croupier.rulebook import Book, load_book, shipped_books
from croupier.server.access.hashing import Hasher
from croupier.server.floor import Floor, LiveTable
from croupier.server.http.documents import Documents
from croupier.server.http.lab_desk import LabDesk
from croupier.server.http.refusing import LOG, NotDone, refuse
from croupier.server.http.remembering import Remembering
from croupier.server.http.screens import Asset, Screens
from croupier.server.http.staff_desk import StaffDesk
from croupier.server.threads import Stopping, Threads

if TYPE_CHECKING:
    from croupier.server.suspecting import WheelsWatched

P = ParamSpec("P")
T = TypeVar("T")


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """Something that has to be right before people can play."""

    name: str
    ok: bool
    sentence: str


EXPIRY_MS: Final = 600_000
"""How often it is looked which vouchers' time is over; none of them is taken in between."""

READING_MS: Final = 600_000
"""How often what was recorded is added up where nobody asks, so that a start has little to read again."""

_THREADS: Final = 4
_LONG_AT_ONCE: Final = 2
_LONG_WAITING: Final = 8
_EXPORTS_AT_ONCE: Final = 2
"""How many exports read the journal at the same moment, apart from all other long questions."""
_EXPORTS_OPEN: Final = 8
"""How many are on their way to somebody, however slowly they are taken."""
_LINES_AT_ONCE: Final = 500


class House:
    """A floor as HTTP serves it."""

    def __init__(
        self,
        floor: Floor,
        journal: str,
        *,
        zone: str = "UTC",
        shifts: tuple[str, ...] = STARTS,
        projection: str = ":memory:",
        site: str | None = None,
        screens: Screens | None = None,
        openapi: Callable[[], dict[str, Any]] = dict,
        wheels: "WheelsWatched | None" = None,
        check_software: Callable[[], Awaitable[SoftwareChecked | None]] | None = None,
    ) -> None:
        """`journal` is the address of the floor's store: what reads a lot has a connection of its own."""
        self.floor = floor
        self.zone = zone
        self.site = site or floor.name
        self.calendar = Calendar(zone, shifts)
        self.remembering = Remembering(
            floor.store, projection, self.calendar, floor.figures_key, floor.find_book
        )
        self.desk = StaffDesk(Office(floor.store, floor.clock))
        self.hasher = Hasher(floor.hash_cost, workers=1, waiting=8)
        self.screens = screens or Screens()
        self.documents = Documents(openapi)
        self.book_views: dict[tuple[str, tuple[str, ...], str | None, str | None], Asset] = {}
        """By book, order of the wheel, layout and terminal, what was asked for before; only so many exist."""
        self.wheels = wheels
        self.check_software = check_software
        self.checks: list[Callable[[], Check]] = []
        """What has to be right before people can play, beside tables and journal."""
        self.trying_journal: asyncio.Task[Check] | None = None
        self.journal_tried: tuple[float, Check] | None = None
        """When it was last found out whether the journal takes anything, and what came of it."""
        self._journal = journal
        self._threads = Threads(_THREADS, "http-read")
        self.lab = LabDesk(self.run_long)
        self._long = asyncio.Semaphore(_LONG_AT_ONCE)
        self._waiting = 0
        self._exports = asyncio.Semaphore(_EXPORTS_AT_ONCE)
        self._exports_open = 0
        self._warming: asyncio.Task[None] | None = None
        self._expiring: asyncio.Task[None] | None = None
        self._doubt = ClockDoubt(floor.store, floor.clock)
        floor.readers.append(self.stop_reading)

    async def warm_up(self) -> None:
        """Begins to read what reports, histories and the cage rest on, so that nobody waits for it later."""
        self._warming = asyncio.create_task(self._read_on(), name="reading")

    async def _read_on(self) -> None:
        while True:
            await self.run(self._read_ahead)
            await self.floor.clock.sleep_until(self.floor.clock.now_ms() + READING_MS)

    def _read_ahead(self) -> None:
        try:
            self.remembering.read_ahead()
        except Stopping:
            pass
        except StoreError as error:
            LOG.warning("the journal was not read ahead: %s", error)
        except Exception:  # in a thread that nobody asks how it went
            LOG.exception("the journal was not read ahead")

    async def keep_expiring(self) -> None:
        """Begins to write down the end of vouchers whose time is over."""
        self._expiring = asyncio.create_task(self._expire_on(), name="vouchers")

    async def _expire_on(self) -> None:
        while True:
            await self.floor.clock.sleep_until(self.floor.clock.now_ms() + EXPIRY_MS)
            try:
                if await self.run(self._doubt.is_doubted):
                    LOG.warning("the clock is doubted: no voucher's end is written down for now")
                    continue
                ended = await self.run(self.remembering.let_expire, self.floor.cage, CLERK)
                if ended:
                    LOG.info("the time of %d vouchers is over", len(ended))
            except Stopping:
                return
            except StoreError as error:
                LOG.warning("vouchers whose time is over stay as they are for now: %s", error)
            except Exception:  # whatever it is, the others' time will be over as well
                LOG.exception("vouchers whose time is over stay as they are for now")

    def stop_reading(self) -> None:
        """Has whoever waits for years of records told that the server stops."""
        self.remembering.stop_reading()
        if self.wheels is not None:
            self.wheels.stop_reading()

    def close(self) -> None:
        """Lets go of the threads and of what is remembered."""
        self.stop_reading()
        for task in (self._warming, self._expiring):
            if task is not None:
                task.cancel()
        self.lab.close()
        self._threads.close(cancel=True)
        self.hasher.close()
        self.remembering.close()

    def table(self, name: str) -> LiveTable:
        """A table that runs here."""
        live = self.floor.tables.get(name)
        if live is None:
            raise _no_table(name)
        return live

    async def recorded_table(self, name: str) -> str:
        """A table of the journal, also one that is not run any more."""
        if name not in self.floor.tables and name not in filter(
            is_table, await self.run(self.floor.store.tables)
        ):
            raise _no_table(name)
        return name

    def books(self) -> dict[str, Book]:
        """The books that come with the software and those of the tables; never a file that a client names."""
        books = {book_id: load_book(book_id) for book_id in shipped_books()}
        for live in self.floor.tables.values():
            book_id = live.runner.rules.book.id
            books[book_id] = self.floor.find_book(book_id)  # the table's own has the order of its wheel
        return dict(sorted(books.items()))

    def book(self, name: str) -> Book:
        """One of the books."""
        books = self.books()
        if name not in books:
            raise refuse("unknown-book", f"There is no book {name[:80]!r}; use one of {', '.join(books)}.")
        return books[name]

    async def run(self, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does something that blocks for a moment, in a thread."""
        return await self._threads.begin(lambda: act(*args, **kwargs))

    async def run_long(self, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does something that reads much; only few at once, so that everybody else has threads left."""
        if self._waiting >= _LONG_WAITING:
            raise refuse("busy", "Too many long questions are asked at once; try again.")
        self._waiting += 1
        try:
            async with self._long:
                return await self.run(act, *args, **kwargs)
        finally:
            self._waiting -= 1

    async def with_evidence(self, act: Callable[[Evidence], T]) -> T:
        """Reads the journal as it is now, on a connection that holds no writer up."""

        def read() -> T:
            evidence = open_evidence(self._journal)
            try:
                return act(evidence)
            finally:
                evidence.close()

        return await self.run_long(read)

    async def stream(self, make: Callable[[Evidence], Iterator[str]]) -> AsyncIterator[bytes]:
        """Text from the journal as it is now, portion by portion; refusals come before the first of them."""
        portions = self._portions(make)
        first = await anext(portions, b"")

        async def all_of_it() -> AsyncIterator[bytes]:
            yield first
            async for portion in portions:
                yield portion

        return all_of_it()

    async def _portions(self, make: Callable[[Evidence], Iterator[str]]) -> AsyncIterator[bytes]:
        """A thread of its own reads, because a connection stays with the thread that made it.

        Its place is held while a portion is read, never while somebody takes it.
        """
        if self._exports_open >= _EXPORTS_OPEN:
            raise refuse("busy", "Too many exports are made at once; try again.")
        self._exports_open += 1
        loop = asyncio.get_running_loop()
        thread = ThreadPoolExecutor(1, thread_name_prefix="http-export")
        reading = _Reading(self._journal, make)
        try:
            while True:
                async with self._exports:
                    portion = await loop.run_in_executor(thread, reading.portion)
                if not portion:
                    return
                yield portion
        finally:
            self._exports_open -= 1
            thread.submit(reading.close)
            thread.shutdown(wait=False)


def _no_table(name: str) -> NotDone:
    return refuse("unknown-table", f"There is no table {name[:80]!r}.")


class _Reading:
    """An open export."""

    def __init__(self, journal: str, make: Callable[[Evidence], Iterator[str]]) -> None:
        self._journal = journal
        self._make = make
        self._evidence: Evidence | None = None
        self._lines: Iterator[str] = iter(())

    def portion(self) -> bytes:
        """Some more lines; nothing where that was all."""
        if self._evidence is None:
            self._evidence = open_evidence(self._journal)
            self._lines = self._make(self._evidence)
        return "".join(islice(self._lines, _LINES_AT_ONCE)).encode("utf-8", "surrogateescape")

    def close(self) -> None:
        """Lets go of the journal."""
        if self._evidence is not None:
            self._evidence.close()

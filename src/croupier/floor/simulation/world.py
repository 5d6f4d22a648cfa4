"""A whole floor in one process on simulated time: one seed, one history."""

import asyncio
import hashlib
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine
from copy import copy
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from croupier.floor.creating import create_table
from croupier.floor.simulation.auditing import audit
from croupier.floor.simulation.calls import Calls
from croupier.floor.simulation.cashier import Cashier
from croupier.floor.simulation.chancer import SEAT, Chancer
from croupier.floor.simulation.correspondence import Gone
from croupier.floor.simulation.disk import Disk
from croupier.floor.simulation.house import House
from croupier.floor.simulation.instant import START_MS, SimulatedLoop
from croupier.floor.simulation.meddler import Meddler
from croupier.floor.simulation.people import DEALER, SUPERVISOR
from croupier.floor.simulation.player import Player
from croupier.floor.simulation.sender import Sender
from croupier.floor.simulation.staff import Staff
from croupier.floor.simulation.stops import Stops
from croupier.floor.simulation.trouble import Trouble, draw
from croupier.floor.simulation.wheel import Wheel
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal import Store
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import Book, load_book, shipped_books
from croupier.table import Limits, Range, Rules, Settings
from croupier.table.commands import OpenRound

SECONDS: Final = 120
"""How long the trouble lasts, in simulated time."""
REST_SECONDS: Final = 200
"""How long everybody has to finish once nothing goes wrong any more."""
PLAYERS: Final = 6


class Outcome(NamedTuple):
    """What came of one seed."""

    seed: int
    events: int
    kinds: frozenset[str]
    """The kinds of events that happened."""
    counts: dict[str, int]
    """What went wrong, and how often."""
    digest: str
    """A hash over all journals: the same for the same seed."""
    faults: list[str]
    """What the audit found; empty where all is right."""


class World:
    """Every game on one journal, with its staff, its players and its trouble."""

    def __init__(
        self,
        seed: int,
        store: Store,
        games: Collection[str] | None = None,
        trouble: Trouble | None = None,
    ) -> None:
        self._seed = seed
        self._store = store
        self.trouble = draw(self._random("trouble")) if trouble is None else copy(trouble)
        self._disk = Disk(store, self.trouble, self._random("disk"))
        self._cashier = Cashier(self._disk, self._random("cashier"))
        self._is_over = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._houses = [
            self._house(book_id) for book_id in shipped_books() if games is None or book_id in games
        ]
        self._senders: list[Sender] = []
        self._staffs: list[Staff] = []
        self._kinds_of_trouble = 0

    def _random(self, name: str) -> Random:
        return Random(f"{self._seed}/{name}")

    def _house(self, book_id: str) -> House:
        """A table of a book, with terminals of all its layouts."""
        book = load_book(book_id)
        rules = Rules(book, book.layouts)
        settings = _settings(rules, self._random(f"settings/{book_id}"))
        create_table(self._store, rules, settings, START_MS, SUPERVISOR)
        random = self._random(f"house/{settings.table}")
        return House(self._disk, self._store, settings, self.trouble, random)

    async def run(self) -> Outcome:
        """Lets everybody act until the time is over, then has everybody finish, then audits."""
        acting: list[Coroutine[Any, Any, None]] = []
        seats = [str(1 + number) for number in range(PLAYERS)]
        for house in self._houses:
            book = load_book(house.settings.book)
            randoms = (self._random(f"staff/{house.table}"), self._random(f"wheel/{house.table}"))
            staff = Staff(house, book, [*seats, SEAT], self.trouble, *randoms)
            self._staffs.append(staff)
            self._senders += staff.senders
            self._senders += self._adversaries(house, book, seats, staff.wheel, acting)
            calls = Calls(house, seats, self.trouble, self._random(f"calls/{house.table}"))
            self._senders += calls.senders
            acts = (staff.deal, staff.supervise, staff.lose_terminals, staff.speak, calls.ring)
            acting += [act(self._is_over) for act in acts]
            self._background(house.keep_running(self._welcome(house)))
            self._background(self._now_and_then("crash_every", house.crash))
            self._background(self._now_and_then("stall_every", house.stall))
            self._background(self._now_and_then("restart_every", house.restart))
        self._background(self._now_and_then("full_disk_every", self._fill_disk))
        places = [(house, load_book(house.settings.book)) for house in self._houses]
        for seat in seats:
            random = self._random(f"player/{seat}")
            player = Player(seat, places, self._store, self._cashier, self.trouble, random)
            self._senders += player.senders
            acting.append(player.play(self._is_over))
        self._background(self._end())
        try:
            async with asyncio.timeout(SECONDS + REST_SECONDS):
                await asyncio.gather(*acting)
                await asyncio.gather(*(house.be_open() for house in self._houses))
                await asyncio.gather(*(staff.end_disputes() for staff in self._staffs))
                await asyncio.gather(*(sender.drain() for sender in self._senders))
        except TimeoutError:
            return self._outcome("somebody still waits although nothing has gone wrong for long")
        for task in self._tasks:
            if task.done():
                task.result()
        return self._outcome()

    def _adversaries(
        self,
        house: House,
        book: Book,
        seats: list[str],
        wheel: Wheel,
        acting: list[Coroutine[Any, Any, None]],
    ) -> list[Sender]:
        """A player and a dealer who try what they may not, and what stops play and gives them reason to."""
        chancer = Chancer(house, book, wheel, self.trouble, self._random(f"chancer/{house.table}"))
        stops = Stops(house, wheel, self.trouble, self._random(f"stops/{house.table}"))
        meddler_random = self._random(f"meddler/{house.table}")
        meddler = Meddler(house, book, seats, wheel, self.trouble, meddler_random)
        acting += [
            chancer.play(self._is_over),
            self._now_and_then("halt_every", stops.stop),
            self._now_and_then("meddling_every", meddler.meddle),
        ]
        return [chancer.sender, *stops.senders, *meddler.senders]

    def _welcome(self, house: House) -> Callable[[Gone], Awaitable[None]]:
        random = self._random(f"reception/{house.table}")
        reception = Sender(house, f"reception/{house.table}", DEALER, self.trouble, random)
        self._senders.append(reception)
        return lambda gone: reception.ask_after(gone, OpenRound())

    def _background(self, act: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(act))

    async def _end(self) -> None:
        await asyncio.sleep(SECONDS)
        self.trouble.end()
        self._disk.full = False
        self._is_over.set()

    async def _now_and_then(self, every: str, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        random = self._random(f"{every}/{self._kinds_of_trouble}")
        self._kinds_of_trouble += 1
        while mean := getattr(self.trouble, every):
            try:
                async with asyncio.timeout(random.expovariate(1 / mean)):
                    await self._is_over.wait()
            except TimeoutError:
                await act()

    async def _fill_disk(self) -> None:
        self._disk.full = True
        await asyncio.sleep(self._random(f"full/{asyncio.get_running_loop().time()}").uniform(0, 30))
        self._disk.full = False

    def _outcome(self, *faults_before: str) -> Outcome:
        counts = Counter(self._disk.counts)
        faults = [*faults_before]
        tables = [(house.settings, house.correspondence) for house in self._houses]
        faults += audit(self._store, tables, self._cashier.paid)
        events, digest = 0, hashlib.sha256()
        kinds: set[str] = set()
        for house in self._houses:
            counts += house.counts
            faults += house.faults
        for table in self._store.tables():
            for record in self._store.read(table):
                events += 1
                kinds.add(record.kind)
            digest.update(self._store.head(table).hash)
        return Outcome(self._seed, events, frozenset(kinds), dict(counts), digest.hexdigest()[:16], faults)


def _settings(rules: Rules, random: Random) -> Settings:
    kinds = sorted({bet.kind for bet in rules.bets.values()})
    maximum_cents = random.choice((2_500, 20_000))
    seat_cents, table_cents, exposure_cents = (
        random.choice((None, cents)) for cents in (100_000, 100_000, 2_000_000)
    )
    limits = Limits(
        bets=dict.fromkeys(kinds, Range(minimum_cents=100, maximum_cents=maximum_cents)),
        seat_cents=None if rules.marks_boxes else seat_cents,
        table_cents=table_cents,
        exposure_cents=None if rules.marks_boxes else exposure_cents,
    )
    return Settings(
        table=rules.book.id,
        book=rules.book.id,
        layouts=tuple(rules.layouts),
        limits=limits,
        lock_up_cents=200_000,
        voucher_limit_cents=400_000,
        betting_seconds=random.choice((None, 12, 20)),
        grace_seconds=10,
        rounds_kept=2,
        spin_source=random.choice(("hand", "sensor")),
    )


def simulate(
    seed: int,
    journal: Path | None = None,
    games: Collection[str] | None = None,
    trouble: Trouble | None = None,
) -> Outcome:
    """Plays the history of a seed and audits it; its journal can be kept in a file.

    `games` are the books that are played, all that are shipped if none is named; `trouble` is what goes wrong
    if that is not for the seed to draw.

    >>> simulate(27).faults
    []
    """
    with tempfile.TemporaryDirectory(dir=_memory()) as directory:
        path = journal or Path(directory, "journal.db")
        store = SqliteStore(path)

        async def play() -> Outcome:
            return await World(seed, store, games, trouble).run()

        try:
            with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
                outcome = runner.run(play())
        finally:
            store.close()
        return outcome._replace(faults=outcome.faults + _misfits(path))


def _misfits(journal: Path) -> list[str]:
    """What the verification of the journal finds, which knows nothing of who asked what."""
    evidence = open_evidence(str(journal))
    try:
        reports = verify_journal(evidence)
    finally:
        evidence.close()
    return [
        f"{report.table}: record {report.first_misfit.sequence} does not fit: {report.first_misfit.reason}"
        for report in reports
        if report.first_misfit is not None
    ]


def _memory() -> str | None:
    """A directory in memory, where there is one: nothing here is about how long a disk takes."""
    memory = Path("/dev/shm")
    return str(memory) if memory.is_dir() else None

"""A live table to test with: a journal in a file, a clock that stands still, a store that can be watched."""

import asyncio
import functools
import gc
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Self

from croupier.floor import Ask, ManualClock, Published, Runner, create_table, load_table
from croupier.journal import Record, Snapshot, StoreError
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import load_book
from croupier.table import Actor, Do, Event, Reply, Rules, Settings, State
from croupier.table import commands as c
from table.rig import DEALER, START_MS, SUPERVISOR, player, wide_limits

TABLE = "T1"
PATIENCE_SECONDS = 60
"""After this a test that waits for something has failed; none of them ever waits that long."""


def played(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that lives on an event loop of its own."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        async def within_patience() -> None:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await test(*args, **kwargs)

        try:
            asyncio.run(within_patience())
        finally:
            gc.collect()  # what a failed test leaves behind is cleared here, and not while the next one runs

    return run


class WatchedStore(SqliteStore):
    """A SQLite store that remembers what was appended, and fails or waits where a test says so."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(path)
        self.appends: list[list[Record]] = []
        self.attempts = 0
        self.failures_before = 0
        """How many of the next appends fail with nothing written."""
        self.failures_after = 0
        """How many of the next appends fail once they are on the disk."""
        self.failing_reads = False
        self.snapshots = 0
        self._gate = threading.Event()
        self._gate.set()
        self._reached = threading.Event()

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        self.attempts += 1
        self._reached.set()
        self._gate.wait()
        if self.failures_before:
            self.failures_before -= 1
            raise StoreError("The disk is full.")
        super().append(records, claims)
        self.appends.append(list(records))
        if self.failures_after:
            self.failures_after -= 1
            raise StoreError("The connection was lost after the commit.")

    def head(self, table: str) -> Any:
        if self.failing_reads:
            raise StoreError("The disk cannot be read.")
        return super().head(table)

    def save_snapshot(self, table: str, snapshot: Snapshot) -> None:
        self.snapshots += 1
        super().save_snapshot(table, snapshot)

    def hold(self) -> None:
        """Holds appends up until they are let through."""
        self._reached.clear()
        self._gate.clear()

    def let_through(self) -> None:
        """Lets appends through again."""
        self._gate.set()

    async def reached(self) -> None:
        """Returns once an append has been asked for and is held up."""
        await asyncio.to_thread(self._reached.wait)


def settings(book: str = "mbs-roulette", layout: str | None = None, **chosen: Any) -> tuple[Rules, Settings]:
    """Rules, and settings that suit most tests."""
    rules = Rules(load_book(book), layout)
    fields = {
        "table": TABLE,
        "limits": wide_limits(rules),
        "lock_up_cents": 100_000_000,
        "voucher_limit_cents": 500_000,
        "betting_seconds": 30,
        **chosen,
    }
    return rules, Settings(book=book, layouts=tuple(rules.layouts), **fields)


class Live:
    """A table in a file that is run, stopped, dropped and run again; numbers go on over all of it."""

    def __init__(self, path: Path, *, store: WatchedStore | None = None, **chosen: Any) -> None:
        self.rules, self.settings = settings(**chosen)
        self.store = store or WatchedStore(path / "journal.db")
        self.clock = ManualClock(START_MS)
        self.published: list[Published] = []
        self.alarms: list[str] = []
        self._numbers: dict[str, int] = {}
        self._news = asyncio.Event()
        if self.settings.table not in self.store.tables():
            create_table(self.store, self.rules, self.settings, START_MS, SUPERVISOR)

    def runner(self, **options: Any) -> Runner:
        """A runner for the table; several of them write to the same journal."""
        return Runner(
            self.store,
            self.settings.table,
            self.clock,
            **{"publish": self._publish, "alarm": self._alarm, **options},
        )

    async def start(self, **options: Any) -> Self:
        """Runs the table."""
        self.run = self.runner(**options)
        await self.run.start()
        return self

    async def stop(self) -> None:
        """Stops the table in good order and lets go of the file."""
        await self.run.stop()
        self.store.close()

    def next_number(self, sender: str) -> int:
        """The sender's next number."""
        self._numbers[sender] = self._numbers.get(sender, 0) + 1
        return self._numbers[sender]

    def send(
        self, actor: Actor, do: Do, second: Actor | None = None, round_: int | None = None
    ) -> "asyncio.Task[Reply]":
        """Sends a command without waiting for the answer."""
        number = self.next_number(actor.id)
        return asyncio.create_task(self.run.submit(Ask(actor, do, actor.id, number, second, round_)))

    async def ask(self, actor: Actor, do: Do, second: Actor | None = None) -> Reply:
        """Has an actor ask for something; it may be refused."""
        return await self.send(actor, do, second)

    async def do(self, actor: Actor, do: Do, second: Actor | None = None) -> list[Event]:
        """Has an actor do something that must be carried out; gives what happened."""
        reply = await self.ask(actor, do, second)
        assert reply.rejection is None, reply.rejection
        return [entry.event for entry in reply.entries]

    async def refused(self, actor: Actor, do: Do, second: Actor | None = None) -> str:
        """Has an actor ask for something that must be refused; gives the code."""
        reply = await self.ask(actor, do, second)
        assert reply.rejection is not None, reply.entries
        return reply.rejection.code

    async def open(self, *seats: str, cents: int = 100_000) -> Self:
        """Opens the table with seats that have bought credits."""
        await self.do(SUPERVISOR, c.OpenTable())
        for seat in seats or ("1",):
            await self.do(DEALER, c.OpenSeat(seat=seat, kind=self.rules.seat_kinds[0]))
            await self.do(player(seat), c.BuyCredits(seat=seat, cents=cents))
        return self

    def bet(self, seat: str, bet: str, cents: int) -> "asyncio.Task[Reply]":
        """Sends a bet without waiting for the answer."""
        return self.send(player(seat), c.PlaceBets(seat=seat, stakes=(c.Stake(bet, cents),)))

    def replayed(self) -> State:
        """The table as its journal has it, read through an own connection without any snapshot."""
        loaded = load_table(_WithoutSnapshot(self.store), self.settings.table)
        assert loaded is not None
        return loaded.state

    def kinds(self) -> list[str]:
        """The kinds of the records in the journal, in order."""
        return [record.kind for record in self.store.read(self.settings.table)]

    async def until(self, kind: type) -> Any:
        """The latest published event of a kind, as soon as there is one."""
        while True:
            self._news.clear()
            found = [item.entry.event for item in self.published if isinstance(item.entry.event, kind)]
            if found:
                return found[-1]
            await self._news.wait()

    def _publish(self, published: Sequence[Published]) -> None:
        self.published += published
        self._news.set()

    def _alarm(self, table: str, reason: str) -> None:
        self.alarms.append(f"{table}: {reason}")


class _WithoutSnapshot:
    """A store that keeps no snapshots."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def snapshot(self, table: str) -> None:
        return None


async def answers(*sent: Awaitable[Reply]) -> list[str | None]:
    """The codes of several answers; None where something was carried out."""
    return [
        None if reply.rejection is None else reply.rejection.code for reply in await asyncio.gather(*sent)
    ]


async def turns(count: int = 50) -> None:
    """Lets whoever is ready go on, back and forth through other threads; time does not pass."""
    for _ in range(count):
        await asyncio.to_thread(int)

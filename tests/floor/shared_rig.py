"""Several servers of one floor in one process, with a bus and leases that fail where a test says so."""

import asyncio
import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from croupier.floor import Ask, ManualClock, Published, create_table, load_table
from croupier.floor.shared.bus import Heard
from croupier.floor.shared.messages import Subjects
from croupier.floor.shared.sealing import Seal
from croupier.floor.shared.table import SharedTable
from croupier.floor.shared.voice import Company
from croupier.journal import StoreError
from croupier.table import Actor, Do, Reply, State
from croupier.table import commands as c
from floor.sim_live import TABLE, WatchedStore, settings
from table.rig import DEALER, START_MS, SUPERVISOR, player

KEY = bytes(range(32))


class Exchange:
    """Where the buses of all servers meet."""

    def __init__(self) -> None:
        self.buses: list[LocalBus] = []
        self.drop: Callable[[str], bool] = lambda subject: False
        """Whether a message on a subject gets lost."""
        self.twice: Callable[[str], bool] = lambda subject: False
        self.passed: list[tuple[str, bytes]] = []

    def bus(self) -> "LocalBus":
        """A bus for one more server."""
        bus = LocalBus(self)
        self.buses.append(bus)
        return bus

    def carry(self, sender: "LocalBus", heard: Heard) -> None:
        """Brings a message to everybody who listens, in the order in which they were sent."""
        self.passed.append((heard.subject, heard.data))
        if self.drop(heard.subject):
            return
        for _ in range(2 if self.twice(heard.subject) else 1):
            found = [hear for bus in self.buses for hear in bus.hears(heard.subject)]
            for hear in found:
                asyncio.get_running_loop().call_soon(hear, heard)
            if not found and heard.reply_to:
                for hear in sender.hears(heard.reply_to):
                    asyncio.get_running_loop().call_soon(hear, Heard(heard.reply_to, b"", "", True))


class _Listening:
    def __init__(self, bus: "LocalBus", pattern: str, hear: Callable[[Heard], None]) -> None:
        self.pattern = re.compile(re.escape(pattern).replace(r"\*", "[^.]+"))
        self._bus = bus
        self._hear = hear
        self.is_on = True

    def hear(self, heard: Heard) -> None:
        if self.is_on and self._bus.is_up:
            self._hear(heard)

    async def stop(self) -> None:
        self.is_on = False
        if self in self._bus.listenings:
            self._bus.listenings.remove(self)


class LocalBus:
    """One server's connection."""

    def __init__(self, exchange: Exchange) -> None:
        self.is_up = True
        self.listenings: list[_Listening] = []
        self._exchange = exchange

    async def listen(self, subject: str, hear: Callable[[Heard], None]) -> _Listening:
        listening = _Listening(self, subject, hear)
        self.listenings.append(listening)
        return listening

    def hears(self, subject: str) -> list[Callable[[Heard], None]]:
        if not self.is_up:
            return []
        return [one.hear for one in self.listenings if one.pattern.fullmatch(subject)]

    def send(self, subject: str, data: bytes, reply_to: str = "") -> None:
        if self.is_up:
            self._exchange.carry(self, Heard(subject, data, reply_to, False))

    async def close(self) -> None:
        self.is_up = False


class Holders:
    """Which server holds which table."""

    def __init__(self) -> None:
        self.of: dict[str, LocalLeases] = {}


class LocalLeases:
    """One server's leases."""

    def __init__(self, holders: Holders) -> None:
        self._holders = holders
        self.is_reachable = True

    def take(self, table: str) -> bool:
        if not self.is_reachable:
            raise StoreError("The database is not reachable.")
        return self._holders.of.setdefault(table, self) is self

    def held(self) -> frozenset[str]:
        if not self.is_reachable:
            raise StoreError("The database is not reachable.")
        return frozenset(table for table, holder in self._holders.of.items() if holder is self)

    def give_back(self, table: str) -> None:
        if self._holders.of.get(table) is self:
            del self._holders.of[table]

    def evict(self, table: str) -> None:
        self._holders.of.pop(table, None)

    def lose(self) -> None:
        """The connection is gone, and everything that it held."""
        for table in self.held():
            self.give_back(table)

    def close(self) -> None:
        self.lose()


class OwnClock:
    """One server's clock: the floor's, set wrong by so much."""

    def __init__(self, clock: ManualClock) -> None:
        self.ahead_ms = 0
        self._clock = clock

    def now_ms(self) -> int:
        return self._clock.now_ms() + self.ahead_ms

    async def sleep_until(self, at_ms: int) -> None:
        await self._clock.sleep_until(at_ms - self.ahead_ms)


class Server:
    """One server with one table."""

    def __init__(self, floor: "SharedFloor", name: str, **options: Any) -> None:
        self.floor = floor
        self.name = name
        self.bus = floor.exchange.bus()
        self.leases = LocalLeases(floor.holders)
        self.clock = OwnClock(floor.clock)
        self.news: list[tuple[Published, int]] = []
        """What whoever listens here was told, and how far the state was then."""
        self.answers: list[tuple[Reply, int]] = []
        company = Company(
            name=name,
            id=f"{name}-{len(floor.servers)}",
            bus=self.bus,
            leases=self.leases,
            seal=Seal(floor.key, self.clock),
            subjects=Subjects("test"),
        )
        self.table = SharedTable(floor.store, TABLE, self.clock, company, compose=self._compose, **options)
        self.first_told = self.first_told_ms = 0

    async def start(self) -> "Server":
        await self.table.start()
        self.first_told, self.first_told_ms = self.table.state.sequence + 1, self.floor.clock.now_ms()
        return self

    def _compose(self, published: Sequence[Published]) -> Callable[[], None]:
        if not self.first_told:
            return lambda: None
        at = self.table.state.sequence

        def send() -> None:
            self.news.extend((item, at) for item in published)

        return send

    @property
    def sequences(self) -> list[int]:
        """The numbers of what was told here."""
        return [item.sequence for item, _ in self.news]

    def send(
        self, actor: Actor, do: Do, number: int | None = None, round_: int | None = None
    ) -> "asyncio.Future[Reply]":
        """Gives a command here; the answer comes with what had been told here by then."""
        if number is None:
            number = self.floor.next_number(actor.id)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

        def answered(reply: Reply) -> None:
            told = self.news[-1][0].sequence if self.news else self.first_told - 1
            self.answers.append((reply, told))
            future.set_result(reply)

        self.table.submit_nowait(Ask(actor, do, actor.id, number, round=round_), answered)
        return future

    async def do(self, actor: Actor, do: Do) -> Reply:
        """Has something done that must be carried out."""
        reply = await self.floor.wait(self.send(actor, do))
        assert reply.rejection is None, reply.rejection
        return reply

    def bet(self, seat: str, bet: str, cents: int) -> "asyncio.Future[Reply]":
        return self.send(player(seat), c.PlaceBets(seat=seat, stakes=(c.Stake(bet, cents),)))

    def die(self) -> None:
        """Ends as a killed process does: nothing of it is heard any more, and its connections are gone."""
        self.leases.lose()
        self.hang()

    def hang(self) -> None:
        """Stands still for ever, with its connections open."""
        self.bus.is_up = False
        table: Any = self.table
        for task in (table._looking, table._asking._tending, *table._answers._tasks):
            if task is not None:
                task.cancel()
        if table._following is not None:
            table._following.stop()
        if table._runner is not None:
            self.floor.abandoned.append(table._runner)
            flying = table._runner._flow._flying
            if flying is not None:  # nobody hears any more how it ends
                flying.done.add_done_callback(lambda done: done.cancelled() or done.exception())
            for task in table._runner._tasks:
                task.cancel()


class SharedFloor:
    """A floor with any number of servers."""

    def __init__(self, path: Path, key: bytes = KEY, **chosen: Any) -> None:
        rules, chosen_settings = settings(**chosen)
        self.key = key
        self.store = WatchedStore(path / "journal.db")
        self.clock = ManualClock(START_MS)
        self.exchange = Exchange()
        self.holders = Holders()
        self.servers: list[Server] = []
        self.abandoned: list[Any] = []
        self._numbers: dict[str, int] = {}
        create_table(self.store, rules, chosen_settings, START_MS, SUPERVISOR)

    async def server(self, name: str, **options: Any) -> Server:
        """One more server."""
        server = Server(self, name, **options)
        self.servers.append(server)
        return await server.start()

    def next_number(self, sender: str) -> int:
        self._numbers[sender] = self._numbers.get(sender, 0) + 1
        return self._numbers[sender]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Lets time pass until something holds."""
        while not holds():
            await asyncio.sleep(0.001)
            self.clock.advance(50)

    async def wait(self, future: "asyncio.Future[Reply]") -> Reply:
        """Lets time pass until an answer is there."""
        await self.until(future.done)
        return future.result()

    async def open(self, server: Server, *seats: str) -> None:
        """Opens the table with seats that have credits, and bets."""
        await server.do(SUPERVISOR, c.OpenTable())
        for seat in seats:
            await server.do(DEALER, c.OpenSeat(seat=seat, kind=server.table.rules.seat_kinds[0]))
            await server.do(player(seat), c.BuyCredits(seat=seat, cents=100_000))
        await server.do(DEALER, c.OpenRound())

    def replayed(self) -> State:
        """The table as the journal alone has it."""
        loaded = load_table(self.store, TABLE)
        assert loaded is not None
        return loaded.state

    async def together(self, *servers: Server) -> None:
        """Returns once all of them have come as far as the journal."""
        head = self.store.head(TABLE).sequence
        await self.until(lambda: all(server.table.state.sequence >= head for server in servers))

    async def stop(self) -> None:
        """Stops all servers that are alive."""
        for server in self.servers:
            if server.bus.is_up:
                stopping = asyncio.ensure_future(server.table.stop())
                await self.until(stopping.done)
                stopping.result()
        for runner in self.abandoned:
            runner._own_thread.shutdown()
        self.store.close()


def owners(*servers: Server) -> list[Server]:
    """Who runs the table."""
    return [server for server in servers if server.bus.is_up and server.table.is_owner]


def chance(seed: int, one_in: int) -> Callable[[str], bool]:
    """Yes once in so many times."""
    source = random.Random(seed)
    return lambda subject: source.randrange(one_in) == 0


UNHURRIED: Mapping[str, int] = {"betting_seconds": 3_600, "grace_seconds": 3_600}
"""For a round that goes on however long threads take while its clock runs."""


async def two(
    path: Path, chosen: Mapping[str, int] = MappingProxyType({}), **options: Any
) -> tuple[SharedFloor, Server, Server]:
    """A floor with two servers, and bets open for two seats at the first one's table."""
    floor = SharedFloor(path, **chosen)
    here = await floor.server("a", **options)
    there = await floor.server("b", **options)
    assert owners(here, there) == [here]
    await floor.open(here, "1", "2")
    await floor.together(here, there)
    return floor, here, there

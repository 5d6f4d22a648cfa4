"""Several servers of one floor in one process: real sockets, one journal, a clock that runs fast."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from croupier.client import Connection
from croupier.floor import ManualClock
from croupier.floor.house.log import HOUSE_STREAM, HouseEvent, house_entry_of
from croupier.floor.writer import entries_behind
from croupier.journal import open_store
from croupier.server.neighbours import SharingNeighbours
from croupier.table import Event
from floor.shared_rig import KEY, Exchange, Holders, LocalBus, LocalLeases
from server.floor_rig import FloorRig, a_floor

START_MS = 1_800_000_000_000
AWAY_SECONDS = 10


class OneOfSeveral:
    """One of the servers, with what holds it to the others."""

    def __init__(self, rig: FloorRig, bus: LocalBus, leases: LocalLeases) -> None:
        self.rig = rig
        self.floor = rig.floor
        self.bus = bus
        self.leases = leases

    def runs(self, table: str = "R1") -> bool:
        """Whether it runs a table."""
        return self.floor.neighbours.runs_here(table)

    def die(self) -> None:
        """Nothing of it is heard any more, and it can reach nothing: to the others it is dead."""
        self.bus.is_up = False
        self.leases.lose()
        self.leases.is_reachable = False


class Several:
    """Servers over one journal."""

    def __init__(self, path: Path, stack: AsyncExitStack) -> None:
        self.path = path
        self.store = open_store(str(path / "journal.db"))
        self.clock = ManualClock(START_MS)
        self.exchange = Exchange()
        self._holders = Holders()
        self._stack = stack
        self._tokens: dict[Any, str] = {}

    async def server(self, name: str, first: Collection[str] = ("R1",), **options: Any) -> OneOfSeveral:
        """One more server, without tables."""
        bus, leases = self.exchange.bus(), LocalLeases(self._holders)
        neighbours = SharingNeighbours(name, bus, leases, KEY, self.clock, first)
        floor = a_floor(
            self.path,
            store=self.store,
            clock=self.clock,
            neighbours=neighbours,
            away_seconds=AWAY_SECONDS,
            **options,
        )
        rig = await self._stack.enter_async_context(floor)
        rig._tokens = self._tokens  # a device is the same at every server
        return OneOfSeveral(rig, bus, leases)

    async def pass_seconds(self, seconds: int) -> None:
        """Returns once so much time has passed by the floor's clock."""
        await self.clock.sleep_until(self.clock.now_ms() + 1_000 * seconds)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Returns once something holds."""
        while not holds():
            await asyncio.sleep(0.002)

    async def seat(self, server: OneOfSeveral, seat: str = "1") -> Connection:
        """A terminal that is connected to a server, wherever it was enrolled."""
        return await (await server.rig.seat(seat)).__aenter__()

    async def display(self, server: OneOfSeveral) -> Connection:
        """A display that is connected to a server, wherever it was enrolled."""
        return await (await server.rig.display()).__aenter__()

    def happened(self, *kinds: type[Event], table: str = "R1") -> list[type[Event]]:
        """Which of some kinds of events are in the journal of a table."""
        found = [type(item.entry.event) for item in entries_behind(self.store, table, 0)]
        return [kind for kind in found if kind in kinds]

    def noted(self, *kinds: type[HouseEvent]) -> list[type[HouseEvent]]:
        """Which of some kinds of events are in the house's log."""
        found = [type(house_entry_of(record).event) for record in self.store.read(HOUSE_STREAM)]
        return [kind for kind in found if kind in kinds]


@asynccontextmanager
async def several(path: Path) -> AsyncIterator[Several]:
    """A floor of several servers; its clock runs for as long as this lasts."""
    async with AsyncExitStack() as stack:
        floor = Several(path, stack)
        running = asyncio.create_task(_run(floor.clock))
        try:
            yield floor
            await stack.aclose()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    floor.store.close()


async def _run(clock: ManualClock) -> None:
    while True:
        await asyncio.sleep(0.002)
        clock.advance(50)

"""One table on the simulated floor: its processes come and go, and messages reach it or not."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from typing import Final

from croupier.floor.refusals import CODES, answer
from croupier.floor.simulation.correspondence import Correspondence, Gone
from croupier.floor.simulation.disk import Disk
from croupier.floor.simulation.instant import SimulatedClock
from croupier.floor.simulation.life import Life
from croupier.floor.simulation.trouble import Trouble
from croupier.floor.waiting import Ask
from croupier.journal import Store, StoreError
from croupier.table import Command, Do, Reply, Settings, State

CLOCK: Final = SimulatedClock()
PATIENCE_SECONDS: Final = 20


class House:
    """Keeps one table running, as a floor does: a process that is gone is replaced after a while."""

    def __init__(
        self, disk: Disk, store: Store, settings: Settings, trouble: Trouble, random: Random
    ) -> None:
        self.table = settings.table
        self.settings = settings
        self.correspondence = Correspondence(settings.table)
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self._disk = disk
        self._store = store
        self._trouble = trouble
        self._random = random
        self._lives: list[Life] = []
        """The process that runs the table, and after it those before it; some may wake up again."""
        self._is_open = False
        self.stopped = asyncio.Event()
        """Set whenever play has stopped, or goes on after it; whoever waits for it clears it."""

    async def keep_running(self, welcome: Callable[[Gone], Awaitable[None]]) -> None:
        """Starts one process after another; each opens once the staff has asked what became of the round."""
        while True:
            gone = self._gone()
            life = Life(self._disk, self.table, self._trouble, self._random, self._alarm)
            self._lives.insert(0, life)
            try:
                await life.race(life.runner.start())
                await life.race(_awaited(welcome(gone)))
            except StoreError:
                self.counts["failed starts"] += 1
                life.end()
            except Exception as error:  # whatever it is, it is a finding and not the end of the simulation
                self.faults.append(f"{self.table} could not be started: {error!r}")
                life.end()
            self._is_open = not life.over.done()
            self.tell_of_stop()
            await life.over
            self._is_open = False
            if self._random.random() < self._trouble.damaged_snapshot:
                self._disk.damage_snapshot(self.table)
            await asyncio.sleep(self._random.choice((0.01, 1, 5, 30)) * self._random.random())

    def tell_of_stop(self) -> None:
        """Lets everybody in the hall know that play has stopped, or goes on."""
        self.stopped.set()

    def _gone(self) -> Gone:
        """Since when nobody has run the table; a process that stands still may wake up meanwhile."""
        since_ms = max((old.silent_ms for old in self._lives), default=0)
        return Gone(since_ms, CLOCK.now_ms(), all(old.ended for old in self._lives))

    def _alarm(self, life: Life, reason: str) -> None:
        if reason != CODES["stepped-down"]:
            self.faults.append(f"{self.table} was halted: {reason}")
        self.counts["step-downs"] += 1
        asyncio.get_running_loop().call_later(0.001, life.end)  # its last answers are on their way

    # What goes wrong with processes.

    async def crash(self) -> None:
        """The process is killed."""
        self.counts["crashes"] += 1
        self._lives[0].end()

    async def stall(self) -> None:
        """The process stands still for a while, is replaced, wakes up, and is ended at last."""
        self.counts["stalls"] += 1
        life = self._lives[0]
        life.stall()
        await asyncio.sleep(self._random.uniform(0, 60))
        life.wake()
        await asyncio.sleep(self._random.uniform(0, 20))
        life.end()

    async def restart(self) -> None:
        """The process is stopped in good order."""
        self.counts["restarts"] += 1
        life = self._lives[0]
        self._is_open = False
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await life.race(life.runner.stop())
        except TimeoutError:
            self.counts["stops that took too long"] += 1
        life.end()

    # What reaches the table.

    async def deliver(self, command: Command, *, by_staff: bool = False) -> Reply | None:
        """The answer to a command, or None where the connection broke before there was one.

        A process that was taken for dead and woke up gets some of the messages, as behind a router that is
        late to know. While the door is closed only the staff that opens it gets through.
        """
        if not self._lives or not (self._is_open or by_staff):
            return answer("table-down")
        awake = [old for old in self._lives[1:] if not old.ended and not old.stalled]
        life = self._random.choice(awake) if awake and self._random.random() < 0.3 else self._lives[0]
        asking = life.runner.submit(
            Ask(command.actor, command.do, command.sender, command.number, command.second, command.round)
        )
        if self._random.random() >= self._trouble.hung_up:
            return await life.race(asking)
        self.counts["senders that hung up"] += 1
        try:
            async with asyncio.timeout(self._random.uniform(0, 2 * self._trouble.slow_disk_seconds)):
                return await life.race(asking)
        except TimeoutError:
            return None

    async def look(self) -> State | None:
        """The table as a screen shows it; None where it is dark. What it shows has to be on the disk."""
        if not self._is_open:
            return None
        return await self._lives[0].race(self._settled(self._lives[0]))

    async def _settled(self, life: Life) -> State | None:
        try:
            state = await life.runner.settled_state()
        except StoreError:
            return None
        if state.sequence > self._store.head(self.table).sequence:
            self.faults.append(f"{self.table} showed event {state.sequence}, which is not on the disk")
        return state

    async def be_open(self) -> None:
        """Returns once the table is open for everybody."""
        while not self._is_open:
            await asyncio.sleep(0.5)

    async def report(self, do: Do) -> None:
        """Has the system itself report something; nobody asks again."""
        if self._is_open:
            await self._lives[0].race(self._lives[0].runner.submit_as_system(do))


async def _awaited(work: Awaitable[None]) -> None:
    await work

"""One life of a table's process: it can end or stand still between any two of its steps."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from random import Random
from typing import Any, NamedTuple, TypeVar

from croupier.floor.runner import Runner
from croupier.floor.simulation.disk import Disk
from croupier.floor.simulation.instant import SimulatedClock
from croupier.floor.simulation.trouble import Trouble

T = TypeVar("T")

QUEUE_LIMIT, BATCH_LIMIT, SNAPSHOT_EVERY = 12, 8, 20
"""Small, so that queues fill, batches split and snapshots are taken in a short history."""


class Life:
    """A runner with a disk and a clock that stop serving it once its process has ended.

    Nothing reaches a runner but commands, the clock and the disk, so a runner that is cut off from all three
    behaves like a process that was killed, and one that gets them late like one that stood still.
    """

    def __init__(
        self, disk: Disk, table: str, trouble: Trouble, random: Random, alarm: Callable[["Life", str], None]
    ) -> None:
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once the floor has to look for another process."""
        self.ended = False
        self.stalled = False
        self.silent_ms = 0
        """Since when it has done nothing, where it has ended or stands still."""
        self._held: list[Callable[[], None]] = []
        self.runner = Runner(
            disk,
            table,
            _LifeClock(self),
            alarm=lambda table, reason: alarm(self, reason),
            queue_limit=QUEUE_LIMIT,
            batch_limit=BATCH_LIMIT,
            snapshot_every=SNAPSHOT_EVERY,
            executor=_LifeExecutor(self, trouble, random),
        )

    def replace(self) -> None:
        """Has the floor look for another process."""
        if not self.over.done():
            self.over.set_result(None)

    def end(self) -> None:
        """The process is gone; whatever it was doing stays as it is."""
        if not self.stalled:
            self.silent_ms = SimulatedClock().now_ms()
        self.ended, self._held = True, []
        self.replace()

    def stall(self) -> None:
        """The process stands still, and is taken for dead."""
        self.stalled, self.silent_ms = True, SimulatedClock().now_ms()
        self.replace()

    def wake(self) -> None:
        """The process goes on as if nothing had happened."""
        self.stalled = False
        held, self._held = self._held, []
        for act in held:
            self.when_awake(act)

    def when_awake(self, act: Callable[[], None]) -> None:
        """Does something in this process: now, or when it wakes, or never."""
        if self.stalled:
            self._held.append(act)
        elif not self.ended:
            act()

    async def race(self, work: Coroutine[Any, Any, T]) -> T | None:
        """The result of some work, or None where the process ended or was replaced before."""
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait((task, self.over), return_when=asyncio.FIRST_COMPLETED)
            return await task if task.done() else None
        finally:
            task.cancel()


class _LifeClock:
    def __init__(self, life: Life) -> None:
        self._life = life
        self._clock = SimulatedClock()

    def now_ms(self) -> int:
        return self._clock.now_ms()

    async def sleep_until(self, at_ms: int) -> None:
        await self._clock.sleep_until(at_ms)
        awake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._life.when_awake(lambda: None if awake.done() else awake.set_result(None))
        await awake


class _Job(NamedTuple):
    answer: "Future[Any]"
    act: Callable[[], Any]


class _LifeExecutor(Executor):
    """Does one thing after another, each some time after it was asked for, and tells of it later still."""

    def __init__(self, life: Life, trouble: Trouble, random: Random) -> None:
        self._life = life
        self._trouble = trouble
        self._random = random
        self._jobs: deque[_Job] = deque()
        self._busy = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        job = _Job(Future(), lambda: fn(*args, **kwargs))
        self._jobs.append(job)
        if not self._busy:
            self._next()
        return job.answer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing to let go of: no thread stands behind it."""

    def _next(self) -> None:
        self._busy = bool(self._jobs)
        if self._jobs:
            job = self._jobs.popleft()
            self._later(lambda: self._run(job))

    def _run(self, job: _Job) -> None:
        if not job.answer.set_running_or_notify_cancel():
            self._next()
            return
        try:
            result = job.act()
        except Exception as error:  # whoever asked for it gets it
            failed = error
            self._later(lambda: self._tell(job.answer.set_exception, failed))
        else:
            self._later(lambda: self._tell(job.answer.set_result, result))

    def _tell(self, say: Callable[[Any], None], what: Any) -> None:
        say(what)
        self._next()

    def _later(self, act: Callable[[], None]) -> None:
        seconds = self._random.uniform(0, self._trouble.slow_disk_seconds)
        asyncio.get_running_loop().call_later(seconds, lambda: self._life.when_awake(act))

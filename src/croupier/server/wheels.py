"""The wheels of a floor: each table's source of spins, from the time it opens until it is closed."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from croupier.floor import Clock, Published
from croupier.server.floor import LiveTable
from croupier.wheel.feed import WheelFeed
from croupier.wheel.line_source import LineSource
from croupier.wheel.signals import SpinSource
from croupier.wheel.simulated import SimulatedSource
from croupier.wheel.simulated_play import SimulatedPlay
from croupier.wheel.uniform import ChanceOf, from_system

LOG: Final = logging.getLogger("croupier.wheel")


class TableWheel:
    """What stands between one table and its wheel while the server runs."""

    def __init__(self, live: LiveTable, source: SpinSource, clock: Clock) -> None:
        self.source = source
        self.feed = WheelFeed(live.runner, source, clock)
        self._followers = live.followers
        self._tell: Callable[[Sequence[Published]], None] | None = None
        self._tasks = [asyncio.create_task(self.feed.keep_running(), name=f"wheel of {live.runner.table}")]
        if isinstance(source, SimulatedSource):
            play = SimulatedPlay(live.runner, source, clock)
            self._tell = play.tell
            live.followers.append(play.tell)
            self._tasks.append(asyncio.create_task(play.run(), name=f"simulation of {live.runner.table}"))
        for task in self._tasks:
            task.add_done_callback(_report)

    async def stop(self) -> None:
        """Lets go of the wheel."""
        if self._tell in self._followers:
            self._followers.remove(self._tell)
        await self.source.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _report(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and task.exception() is not None:
        LOG.error("the %s has failed", task.get_name(), exc_info=task.exception())


def simulated_wheel(
    live: LiveTable, clock: Clock, *, speed: float = 1.0, chance_of: ChanceOf | None = None
) -> TableWheel:
    """A wheel that is not there; it draws from the operating system's random source where nothing is said."""
    rules = live.runner.rules
    source = SimulatedSource(live.runner.table, rules.book, clock, chance_of or from_system(), speed=speed)
    return TableWheel(live, source, clock)


def sensor_wheel(live: LiveTable, clock: Clock, address: str) -> TableWheel:
    """A wheel with sensors on a serial line or a TCP connection."""
    source = LineSource(address.removeprefix("tcp://"), live.runner.rules.book.pockets, clock)
    return TableWheel(live, source, clock)

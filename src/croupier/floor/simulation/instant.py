"""Simulated time: an event loop that never waits, because it moves its own clock to whatever comes next."""

import asyncio
import selectors
from collections.abc import Mapping
from typing import Any, Final

START_MS: Final = 1_700_000_000_000
"""When every simulation begins."""


class NothingLeft(RuntimeError):
    """Everybody waits for somebody else: no timer is set and nothing is ready."""


class _InstantSelector(selectors.BaseSelector):
    """Looks at the loop's own wake-up pipe as usual, and moves the time instead of waiting."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._pipes = selectors.SelectSelector()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready now; where nothing is, the time has passed."""
        ready = self._pipes.select(0)
        if not ready:
            if timeout is None:
                raise NothingLeft("nothing will ever happen again in this simulation")
            self.seconds += max(0.0, timeout)
        return ready

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """As of any selector."""
        return self._pipes.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        """As of any selector."""
        return self._pipes.unregister(fileobj)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        """As of any selector."""
        return self._pipes.get_map()

    def close(self) -> None:
        """As of any selector."""
        self._pipes.close()


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop on simulated time; what runs on it runs in the same order every time."""

    def __init__(self) -> None:
        self._instant = _InstantSelector()
        super().__init__(self._instant)

    def time(self) -> float:
        """Simulated seconds since the start."""
        return self._instant.seconds


class SimulatedClock:
    """The clock of everybody who lives on a simulated loop."""

    def now_ms(self) -> int:
        """The simulated time."""
        return START_MS + round(1000 * asyncio.get_running_loop().time())

    async def sleep_until(self, at_ms: int) -> None:
        """Returns once the simulated time has come."""
        while (left_ms := at_ms - self.now_ms()) > 0:
            await asyncio.sleep(left_ms / 1000)

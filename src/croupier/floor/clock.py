"""Time as the floor sees it: one clock stamps everything, and tests can drive it."""

import asyncio
import heapq
import time
from itertools import count
from typing import Protocol


class Clock(Protocol):
    """Milliseconds since 1970, UTC, that never go back."""

    def now_ms(self) -> int:
        """The time."""

    async def sleep_until(self, at_ms: int) -> None:
        """Returns once the time has come."""


class SystemClock:
    """The machine's clock, held where it is while the machine's clock is set back."""

    def __init__(self) -> None:
        self._latest_ms = 0

    def now_ms(self) -> int:
        """The time."""
        self._latest_ms = max(self._latest_ms, time.time_ns() // 1_000_000)
        return self._latest_ms

    async def sleep_until(self, at_ms: int) -> None:
        """Returns once the time has come."""
        while (left_ms := at_ms - self.now_ms()) > 0:
            await asyncio.sleep(left_ms / 1000)


class ManualClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now_ms: int = 0) -> None:
        self._now_ms = now_ms
        self._order = count()
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []

    def now_ms(self) -> int:
        """The time."""
        return self._now_ms

    async def sleep_until(self, at_ms: int) -> None:
        """Returns once the clock has been moved far enough."""
        if at_ms > self._now_ms:
            waiting = asyncio.get_running_loop().create_future()
            heapq.heappush(self._sleepers, (at_ms, next(self._order), waiting))
            await waiting

    def advance(self, ms: int) -> None:
        """Moves the clock on and wakes whoever waited for it."""
        self._now_ms += ms
        while self._sleepers and self._sleepers[0][0] <= self._now_ms:
            _, _, waiting = heapq.heappop(self._sleepers)
            if not waiting.done():
                waiting.set_result(None)

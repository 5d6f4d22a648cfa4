"""Time as the floor sees it: one clock stamps everything, and tests can drive it."""

import asyncio
import heapq
import time
from itertools import count
from typing import Final, Protocol


class Clock(Protocol):
    """Milliseconds since 1970, UTC, that never go back."""

    def now_ms(self) -> int:
        """The time."""

    async def sleep_until(self, at_ms: int) -> None:
        """Returns once the time has come."""


TOLERANCE_MS: Final = 1_000
"""By how much two clocks may be apart without one of them having been set."""

_BEHIND_PERCENT: Final = 99
"""How fast a clock goes that is ahead of the machine's: a second stays a second, and they meet again."""
MEETING: Final = 100 // (100 - _BEHIND_PERCENT)
"""How many times as long as it is ahead that takes."""


class SystemClock:
    """The machine's clock; where that is set back, it goes on by itself, a little slower, until they meet."""

    def __init__(self) -> None:
        self._latest_ns = 0
        self._counted_ns = 0
        """What the clock that only counts showed then."""

    def now_ms(self) -> int:
        """The time."""
        counted_ns = time.monotonic_ns()
        at_least_ns = self._latest_ns + (counted_ns - self._counted_ns) * _BEHIND_PERCENT // 100
        self._latest_ns = now_ns = max(time.time_ns(), at_least_ns)
        self._counted_ns = counted_ns
        return now_ns // 1_000_000

    def ahead_ms(self) -> int:
        """By how much it is ahead of the machine's, which was set back; 0 where they go together."""
        return max(0, self.now_ms() - time.time_ns() // 1_000_000)

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

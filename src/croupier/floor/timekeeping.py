"""What a running table does by the clock: the warning, the close, and a sign of life."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from croupier.floor.clock import Clock
from croupier.floor.timing import Due
from croupier.journal import StoreError

LOG: Final = logging.getLogger("croupier.floor")

BEAT_SECONDS: Final = 1
RETRY_SECONDS: Final = 1


class Timekeeper:
    """Keeps the times of one table, on a clock that tests can drive."""

    def __init__(
        self,
        clock: Clock,
        changed: asyncio.Event,
        due: Callable[[], Awaitable[Due | None]],
        give: Callable[[Due], Awaitable[bool]],
        beat: Callable[[], Awaitable[None]],
    ) -> None:
        self._clock = clock
        self._changed = changed
        self._due = due
        self._give = give
        self._beat = beat

    async def keep_time(self) -> None:
        """Gives the commands that time gives, for ever."""
        while True:
            self._changed.clear()
            try:
                is_given = await self._give_next()
            except StoreError:
                is_given = False
            except Exception:  # a table whose clock has stopped would never close its bets
                LOG.exception("what time asks of a table could not be given")
                is_given = False
            if not is_given:
                await self._pause(RETRY_SECONDS)

    async def _give_next(self) -> bool:
        """Waits for what time asks next, or for a change; whether the table did it, where it was time."""
        due = await self._due()
        if due is None:
            await self._changed.wait()
            return True
        await self._wait_until(due.at_ms)
        return self._clock.now_ms() < due.at_ms or await self._give(due)

    async def keep_beating(self) -> None:
        """Gives a sign of life now and then, for ever."""
        while True:
            await self._pause(BEAT_SECONDS)
            try:
                await self._beat()
            except Exception:
                LOG.exception("a table could give no sign of life")

    async def _pause(self, seconds: int) -> None:
        await self._clock.sleep_until(self._clock.now_ms() + 1000 * seconds)

    async def _wait_until(self, at_ms: int) -> None:
        """Waits for a time, or for anything to happen at the table."""
        sleeping = asyncio.ensure_future(self._clock.sleep_until(at_ms))
        changing = asyncio.ensure_future(self._changed.wait())
        try:
            await asyncio.wait((sleeping, changing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            changing.cancel()

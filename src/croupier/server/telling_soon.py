"""News that are told a moment after something has changed, once for all that changed meanwhile."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from croupier.journal import StoreError

LOG: Final = logging.getLogger("croupier.server")

AGAIN_SECONDS: Final = 1.0
"""When it is tried again where the journal could not be read."""


class TellingSoon:
    """Waits a moment and tells; what could not be told is told later, and never forgotten."""

    def __init__(self, what: str, seconds: float, tell: Callable[[], Awaitable[None]]) -> None:
        """`tell` may wait for the journal, and is called again where that could not be read."""
        self._what = what
        self._seconds = seconds
        self._tell = tell
        self._is_wanted = self._is_stopped = False
        self._task: asyncio.Task[None] | None = None

    def touch(self) -> None:
        """Something has changed."""
        self._is_wanted = True
        if self._task is None and not self._is_stopped:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._is_wanted:
                await asyncio.sleep(self._seconds)
                self._is_wanted = False
                await self._insist()
        finally:
            self._task = None

    async def _insist(self) -> None:
        """Tells, however long it cannot be told; the log has it once."""
        is_late = False
        while True:
            try:
                await self._tell()
                return
            except StoreError as error:
                if not is_late:
                    LOG.warning("%s: the news wait: %s", self._what, error)
                is_late = True
            except Exception:  # what changes next is told all the same
                LOG.exception("%s: the news could not be told", self._what)
                return
            await asyncio.sleep(AGAIN_SECONDS)

    def stop(self) -> None:
        """Lets go of the timer; nothing is told any more."""
        self._is_stopped = True
        if self._task is not None:
            self._task.cancel()

"""Whether the server that has a table hangs: it holds the table, and gives no sign of life any more."""

import asyncio
from typing import Final

from croupier.floor.clock import Clock
from croupier.floor.house.log import HOUSE_STREAM
from croupier.journal import Store

HUNG_MS: Final = 10_000
"""How long an owner may be without a sign of life in the journal; it gives one every second."""


class Suspicion:
    """Watches the signs of life that one table's owner leaves in the journal.

    An owner that neither says nor writes anything hangs; one that only cannot be heard plays on. Where this
    server cannot write either, the owner's silence says nothing. What protects the table is the fence: should
    the owner wake up, it can write nothing.
    """

    def __init__(self, store: Store, table: str, clock: Clock) -> None:
        self._store = store
        self._table = table
        self._clock = clock
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forgets what was seen: whoever could not write until now has as long again to show itself."""
        self._last: tuple[int | None, int] = None, self._clock.now_ms()
        """The last sign of life, and since when it has been the last."""

    async def is_confirmed(self) -> bool:
        """Whether the owner hangs; whoever has taken the table from it has as long again to show itself."""
        beat_ms = await asyncio.to_thread(self._written_and_read)
        now_ms = self._clock.now_ms()
        if beat_ms != self._last[0]:
            self._last = beat_ms, now_ms
        if now_ms - self._last[1] < HUNG_MS:
            return False
        self._last = beat_ms, now_ms
        return True

    def _written_and_read(self) -> int | None:
        """Leaves a sign of life of this server, the way that owners do, and reads the owner's last one."""
        self._store.beat(HOUSE_STREAM, self._clock.now_ms())
        return self._store.last_beat(self._table)

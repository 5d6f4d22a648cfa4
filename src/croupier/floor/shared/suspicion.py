"""Whether the server that has a table hangs: it holds the table, and gives no sign of life any more."""

import asyncio
from typing import Final

from croupier.floor.clock import Clock
from croupier.floor.house.log import HOUSE_STREAM
from croupier.journal import Store

HUNG_MS: Final = 10_000
"""How long an owner may be without a sign of life in the journal; it gives one every second."""

_MOST_BETWEEN_MS: Final = 2_000
"""How much time counts at most from one look to the next: a clock that was set ahead has not passed it."""


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
        self._last: int | None = None
        """The last sign of life, as far as one was seen."""
        self._unchanged_ms = 0
        """For how long it has been the last."""
        self._looked_ms: int | None = None

    async def is_confirmed(self) -> bool:
        """Whether the owner hangs; whoever has taken the table from it has as long again to show itself."""
        beat_ms = await asyncio.to_thread(self._written_and_read)
        now_ms = self._clock.now_ms()
        looked_ms, self._looked_ms = self._looked_ms, now_ms
        if looked_ms is None or beat_ms != self._last:
            self._last, self._unchanged_ms = beat_ms, 0
            return False
        self._unchanged_ms += min(max(0, now_ms - looked_ms), _MOST_BETWEEN_MS)
        if self._unchanged_ms < HUNG_MS:
            return False
        self._unchanged_ms = 0
        return True

    def _written_and_read(self) -> int | None:
        """Leaves a sign of life of this server, the way that owners do, and reads the owner's last one."""
        self._store.beat(HOUSE_STREAM, self._clock.now_ms())
        return self._store.last_beat(self._table)

"""Doubts about the clock: after a jump forward, nothing is ended for good that ends by date alone.

A voucher whose time is over by such a clock is not taken, and no record says so yet: where the clock is put
right, it is good again.
"""

import time
from collections.abc import Callable
from typing import Final

from croupier.floor.clock import Clock, SystemClock
from croupier.floor.house.log import HOUSE_STREAM, ClockStepped, ServerStarted, house_entry_of
from croupier.floor.house.watching import ClockWatch
from croupier.journal import Record, Store
from croupier.table.crediting import DAY_MS

JUMP_MS: Final = 3_600_000
"""From how large a jump on the clock is doubted."""
SILENCE_MS: Final = 2 * DAY_MS
"""A server that starts so long after the house's last word may as well have a wrong clock."""


class ClockDoubt:
    """Says whether the clock jumped forward within the last day, in this process or by the house's log."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        monotonic_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000,
    ) -> None:
        self._store = store
        self._clock = clock
        self._watch = ClockWatch(clock.now_ms, monotonic_ms, JUMP_MS)
        self._read_to = 0
        self._written_ms: int | None = None
        self._jumps: list[int] = []
        """When the clock had jumped, by what it showed then; another server's may be of another time."""

    def is_doubted(self) -> bool:
        """Whether it is too early to believe the clock."""
        now_ms = self._clock.now_ms()
        stepped = self._watch.tick()
        if stepped is not None and stepped.by_ms > 0:
            self._jumps.append(now_ms)
        for record in self._store.read(HOUSE_STREAM, self._read_to):
            self._follow(record)
        return self._is_ahead() or any(0 <= now_ms - jump_ms < DAY_MS for jump_ms in self._jumps)

    def _follow(self, record: Record) -> None:
        event = house_entry_of(record).event
        is_jump = isinstance(event, ClockStepped) and event.by_ms >= JUMP_MS
        if isinstance(event, ServerStarted) and self._written_ms is not None:
            is_jump = record.at_ms - self._written_ms >= SILENCE_MS
        if is_jump:
            self._jumps.append(record.at_ms)
        self._read_to, self._written_ms = record.sequence, record.at_ms

    def _is_ahead(self) -> bool:
        """Whether the machine's clock was set back since, and the floor's goes on by itself."""
        return isinstance(self._clock, SystemClock) and self._clock.ahead_ms() >= JUMP_MS

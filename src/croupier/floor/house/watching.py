"""Watches on the machine: the clock and the disk. A server lets them look now and then."""

from collections.abc import Callable
from typing import Final

from croupier.floor.clock import TOLERANCE_MS
from croupier.floor.house.log import ClockStepped, DiskLow, DiskRecovered
from croupier.journal import Store

LOW_BYTES: Final = 1_000_000_000


class ClockWatch:
    """Compares the clock on the wall with one that only counts, from one look to the next.

    A clock that is set shows as a jump; one that a time service corrects little by little does not. What was
    written last before the first look, by whomever, is not in the future either.
    """

    def __init__(
        self,
        wall_ms: Callable[[], int],
        monotonic_ms: Callable[[], int],
        tolerance_ms: int = TOLERANCE_MS,
        *,
        written_ms: int | None = None,
    ) -> None:
        self._wall_ms = wall_ms
        self._monotonic_ms = monotonic_ms
        self._tolerance_ms = tolerance_ms
        now_ms = wall_ms()
        self._apart_ms = max(now_ms, written_ms or 0) - monotonic_ms()

    def tick(self) -> ClockStepped | None:
        """By how much the clock jumped since the last look; None where it did not."""
        apart_ms = self._wall_ms() - self._monotonic_ms()
        by_ms, self._apart_ms = apart_ms - self._apart_ms, apart_ms
        return ClockStepped(by_ms=by_ms) if abs(by_ms) > self._tolerance_ms else None


def last_written_ms(store: Store) -> int | None:
    """When the latest record of all streams was written; None in an empty journal."""
    heads = {stream: store.head(stream) for stream in store.tables()}
    records = (next(store.read(stream, head.sequence - 1), None) for stream, head in heads.items())
    return max((record.at_ms for record in records if record is not None), default=None)


class DiskWatch:
    """Says once when room gets scarce, and once when there is enough again.

    Enough is half as much again as low is, so that a disk on the border is not reported over and over.
    """

    def __init__(self, free_bytes: Callable[[], int], low_bytes: int = LOW_BYTES) -> None:
        self._free_bytes = free_bytes
        self._low_bytes = low_bytes
        self.is_low = False

    def tick(self) -> DiskLow | DiskRecovered | None:
        """What has changed since the last look."""
        free = self._free_bytes()
        if not self.is_low and free < self._low_bytes:
            self.is_low = True
            return DiskLow(free_bytes=free, low_bytes=self._low_bytes)
        if self.is_low and 2 * free >= 3 * self._low_bytes:
            self.is_low = False
            return DiskRecovered(free_bytes=free)
        return None

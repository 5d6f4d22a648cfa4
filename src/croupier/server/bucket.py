"""How often something may happen: so much at once, and so much a second after that."""

import time
from collections.abc import Callable


class Bucket:
    """Holds permissions that are used up and come back with time."""

    __slots__ = ("_at", "_burst", "_left", "_now", "_rate")

    def __init__(self, rate: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._now = now
        self._at = now()

    def take(self, much: float) -> bool:
        """Whether there is that much left; if so it is used up."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < much:
            return False
        self._left -= much
        return True

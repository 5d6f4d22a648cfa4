"""How long answers take: kept in narrow classes, so that millions cost no more than hundreds."""

import math
from typing import Final

_CLASSES_A_DOUBLING: Final = 16
_SHORTEST_SECONDS: Final = 1e-6


class Latencies:
    """Times in classes of about four percent."""

    def __init__(self) -> None:
        self.count = 0
        self.longest = 0.0
        self._classes: dict[int, int] = {}

    def add(self, seconds: float) -> None:
        """One more."""
        place = round(_CLASSES_A_DOUBLING * math.log2(max(seconds, _SHORTEST_SECONDS) / _SHORTEST_SECONDS))
        self._classes[place] = self._classes.get(place, 0) + 1
        self.count += 1
        self.longest = max(self.longest, seconds)

    def percentile(self, percent: float) -> float:
        """The time, in seconds, within which so many percent of the answers came; 0 where there are none.

        >>> times = Latencies()
        >>> for milliseconds in range(1, 101):
        ...     times.add(milliseconds / 1000)
        >>> 0.047 < times.percentile(50) < 0.053
        True
        """
        wanted = self.count * percent / 100
        seen = 0
        for place in sorted(self._classes):
            seen += self._classes[place]
            if seen >= wanted:
                return float(_SHORTEST_SECONDS * 2 ** (place / _CLASSES_A_DOUBLING))
        return 0.0

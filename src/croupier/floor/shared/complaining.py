"""What is wrong with a table or with the bus, told so seldom that the log stays one that somebody reads."""

import logging
import re
from typing import Final

from croupier.floor.clock import Clock

LOG: Final = logging.getLogger("croupier.floor")

MOST_REMEMBERED: Final = 50
"""Sentences that hold a number may be new each time; they are not kept for ever."""


UNREAD_MS: Final = 60_000
"""How often it is said that messages of one kind cannot be read: there may be hundreds a second."""

_NUMBER: Final = re.compile("[0-9]+")


class Complaints:
    """What was said about one table since it was last well; it is looked at twice a second."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._said: set[str] = set()

    def is_new(self, what: str) -> bool:
        """Whether it was not said yet; from now on it was."""
        if what in self._said:
            return False
        if len(self._said) >= MOST_REMEMBERED:
            self._said.clear()
        self._said.add(what)
        return True

    def warn(self, what: str) -> None:
        """Says what is wrong, unless that was said."""
        if self.is_new(what):
            LOG.warning("table %s: %s", self._table, what)

    def over(self) -> None:
        """The table is well: what comes next is said again."""
        self._said.clear()


class Unread:
    """Messages of the bus that are not taken: the first one is told, and once a minute how many followed."""

    def __init__(self, clock: Clock, what: str) -> None:
        """`what` begins each line."""
        self._clock = clock
        self._what = what
        self._told: dict[str, tuple[int, int]] = {}
        """By reason without its numbers, when it was told and how often it came since."""

    def warn(self, why: Exception) -> None:
        """Says why a message is not taken, unless that was just said of another one."""
        reason, now_ms = _NUMBER.sub("", str(why)), self._clock.now_ms()
        told_ms, more = self._told.get(reason, (None, 0))
        # A clock that was ahead is set back: what was said by it was not said lately.
        if told_ms is not None and 0 <= now_ms - told_ms < UNREAD_MS:
            self._told[reason] = told_ms, more + 1
            return
        if len(self._told) >= MOST_REMEMBERED:
            self._told.clear()
        self._told[reason] = now_ms, 0
        LOG.warning("%s: %s%s", self._what, why, f" (so were {more} more before)" if more else "")

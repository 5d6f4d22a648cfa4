"""A journal that takes nothing, in the log: a line when it begins, a count now and then, one at its end."""

import logging
import time
from collections.abc import Callable
from typing import Final

LOG: Final = logging.getLogger("croupier.floor")

AGAIN_SECONDS: Final = 60
"""How often the log is told that it goes on: a line for each command would fill the log's disk as well."""
_MOST_REASONS: Final = 8
"""How many reasons are told at once; one that holds a number may be new each time."""


class Failing:
    """How often a table's journal has failed since it last took something."""

    def __init__(
        self, table: str, tell: Callable[[str], None] | None, now: Callable[[], float] = time.monotonic
    ) -> None:
        """`tell` is how it is said where the log of errors is not the place."""
        self._table = table
        self._tell = tell or self._say
        self._now = now
        self._reasons: set[str] = set()
        self._commands = 0
        self._told_at = 0.0

    def failed(self, reason: str, commands: int) -> None:
        """The journal has failed once more, and so many commands are not registered."""
        self._commands += commands
        is_new = reason not in self._reasons and len(self._reasons) < _MOST_REASONS
        if not is_new and self._now() - self._told_at < AGAIN_SECONDS:
            return
        is_first = not self._reasons
        if is_new:
            self._reasons.add(reason)
        self._told_at = self._now()
        self._tell(
            reason if is_first else f"{reason} ({self._commands} commands answered not-registered so far)"
        )

    def over(self) -> None:
        """The journal has taken something."""
        if self._reasons:
            LOG.info(
                "table %s: its journal takes records again; %d commands were answered not-registered",
                self._table,
                self._commands,
            )
            self._reasons.clear()
            self._commands = 0

    def _say(self, what: str) -> None:
        LOG.error("table %s: %s", self._table, what)

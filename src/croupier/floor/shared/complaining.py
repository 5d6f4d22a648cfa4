"""What is wrong with a table, told once for as long as it stays so, as it is looked at twice a second."""

import logging
from typing import Final

LOG: Final = logging.getLogger("croupier.floor")

MOST_REMEMBERED: Final = 50
"""Sentences that hold a number may be new each time; they are not kept for ever."""


class Complaints:
    """What was said about one table since it was last well."""

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

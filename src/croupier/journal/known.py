"""How far the chains of a journal are known: they only grow, so what was there once is there still."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from croupier.journal.record import EMPTY, Head


class Lost(NamedTuple):
    """A chain that does not hold what it held."""

    table: str
    known: int
    """How far it was written, or found."""
    now: int
    """How far it goes now: not as far, or over other records."""


class KnownChains:
    """How far each chain was written here, or found; others may write to them as well."""

    def __init__(self) -> None:
        self._heads: dict[str, Head] = {}

    def wrote(self, table: str, before: Head, after: Head) -> None:
        """Keeps in mind what was written; behind what others wrote, it is learned with theirs."""
        if self._heads.get(table, EMPTY) == before:
            self._heads[table] = after

    def heads(self) -> dict[str, Head]:
        """What is known now: to be asked for before the journal, which may be ahead of it but not behind."""
        return self._heads.copy()

    def found(
        self,
        known: Mapping[str, Head],
        found: Mapping[str, Head],
        hash_at: Callable[[str, int], bytes | None],
    ) -> list[Lost]:
        """Which chains do not go on behind what was known of them; where all do, what is new is learned."""
        lost = []
        for table, head in known.items():
            now = found.get(table, EMPTY)
            is_short = now.sequence < head.sequence
            if is_short or (now != head and hash_at(table, head.sequence) != head.hash):
                lost.append(Lost(table, head.sequence, now.sequence))
        if not lost:
            for table, head in found.items():
                self.wrote(table, known.get(table, EMPTY), head)
        return lost

"""A journal on a disk that fails: before it has written, right after it has, or for a long time."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeVar

from croupier.floor.simulation.trouble import Trouble
from croupier.journal import Head, Record, Snapshot, Store, StoreError, Stretch

T = TypeVar("T")


class Disk:
    """Stands before a store and lets some calls fail; what it says it has written, it has."""

    def __init__(self, store: Store, trouble: Trouble, random: Random) -> None:
        self.counts: Counter[str] = Counter()
        self.full = False
        """While it is, nothing can be written."""
        self._store = store
        self._trouble = trouble
        self._random = random

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        """Writes, or fails with nothing written, or writes and fails to say so."""
        self._write(lambda: self._store.append(records, claims))

    def save_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Writes or fails."""
        self._write(lambda: self._store.save_snapshot(table, snapshot))

    def beat(self, table: str, at_ms: int) -> None:
        """Writes or fails."""
        self._write(lambda: self._store.beat(table, at_ms))

    def head(self, table: str) -> Head:
        """Reads or fails."""
        return self._read(lambda: self._store.head(table))

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        """Reads or fails."""
        return self._read(lambda: self._store.read(table, after))

    def stretches(self, table: str, after: int = 0) -> Iterator[Stretch]:
        """Reads or fails."""
        return self._read(lambda: self._store.stretches(table, after))

    def tables(self) -> list[str]:
        """Reads or fails."""
        return self._read(self._store.tables)

    def claimant(self, key: str) -> tuple[str, int] | None:
        """Reads or fails."""
        return self._read(lambda: self._store.claimant(key))

    def claims(self, prefix: str) -> list[str]:
        """Reads or fails."""
        return self._read(lambda: self._store.claims(prefix))

    def first_of(self, table: str, sender: str, number: int) -> Record | None:
        """Reads or fails."""
        return self._read(lambda: self._store.first_of(table, sender, number))

    def snapshot(self, table: str) -> Snapshot | None:
        """Reads or fails."""
        return self._read(lambda: self._store.snapshot(table))

    def last_beat(self, table: str) -> int | None:
        """Reads or fails."""
        return self._read(lambda: self._store.last_beat(table))

    def close(self) -> None:
        """Lets go of the store."""
        self._store.close()

    def damage_snapshot(self, table: str) -> None:
        """Turns one bit of a kept snapshot over, as a bad sector does."""
        kept = self._store.snapshot(table)
        if kept is None or not kept.content:
            return
        content = bytearray(kept.content)
        content[self._random.randrange(len(content))] ^= 1 << self._random.randrange(8)
        self._store.save_snapshot(table, kept._replace(content=bytes(content)))
        self.counts["damaged snapshots"] += 1

    def _write(self, act: Callable[[], None]) -> None:
        if self.full:
            self.counts["writes to a full disk"] += 1
            raise StoreError("The disk is full.")
        if self._random.random() < self._trouble.failed_write:
            self.counts["failed writes"] += 1
            raise StoreError("The write failed.")
        act()
        if self._random.random() < self._trouble.lost_acknowledgement:
            self.counts["lost acknowledgements"] += 1
            raise StoreError("The connection was lost after the commit.")

    def _read(self, act: Callable[[], T]) -> T:
        if self._random.random() < self._trouble.failed_read:
            self.counts["failed reads"] += 1
            raise StoreError("The read failed.")
        return act()

"""What every store of journals does, whatever database is behind it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from croupier.journal.record import Head, Record


class Snapshot(NamedTuple):
    """A table's state at one record: a cache that is checked against the chain, never a source of truth."""

    sequence: int
    hash: bytes
    """The hash of the record it was taken behind."""
    format: str
    content: bytes


class StoreError(Exception):
    """The store did not do what it was asked; nothing was written."""


class Fenced(StoreError):
    """Somebody else has written to this table: whoever gets this is not its writer any more."""


class ClaimTaken(StoreError):
    """Something that can be used once was used already."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} was used already")
        self.key = key


class NewerSchema(StoreError):
    """The store was written by a newer version of the software."""


class Store(Protocol):
    """Append-only journals, one numbered stream for each table."""

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        """Writes records of one table and their claims (key, sequence) durably, all or none.

        Raises `Fenced` where a sequence is taken, `ClaimTaken` where a claim is, and `StoreError` for
        whatever else goes wrong.
        """

    def head(self, table: str) -> Head:
        """Where the table's chain ends."""

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        """The table's records behind a sequence number, in order, as they were when the reading began."""

    def tables(self) -> list[str]:
        """Every table that has records, by name."""

    def claimant(self, key: str) -> tuple[str, int] | None:
        """Which record, by table and sequence, holds a claim."""

    def first_of(self, table: str, sender: str, number: int) -> Record | None:
        """The first record that a sender's number led to."""

    def save_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Keeps a snapshot in place of an older one."""

    def snapshot(self, table: str) -> Snapshot | None:
        """The kept snapshot."""

    def beat(self, table: str, at_ms: int) -> None:
        """Notes that the table's writer is alive; not part of the journal."""

    def last_beat(self, table: str) -> int | None:
        """When the table's writer was last noted to be alive."""

    def close(self) -> None:
        """Lets go of the database."""

"""What every store of journals does, whatever database is behind it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, repeat
from typing import Final, NamedTuple, Protocol

from croupier.journal.record import Head, Record, Run, Stretch

COLUMNS: Final = (
    "table_id, sequence, at_ms, actor, sender, number, part, kind, version, payload, previous, hash"
)
"""The columns that every database keeps a record in, in the order of its fields."""


class Snapshot(NamedTuple):
    """A table's state at one record: a cache that is checked against the chain, never a source of truth."""

    sequence: int
    hash: bytes
    """The hash of the record it was taken behind."""
    format: str
    content: bytes


class StoreError(Exception):
    """The store did not do what it was asked.

    Nothing was written, with one exception: where the connection or the disk failed in the very moment of
    the commit, nobody can know, and only the table's head tells.
    """


class Fenced(StoreError):
    """Somebody else has written to this table: whoever gets this is not its writer any more."""


class ClaimTaken(StoreError):
    """Something that can be used once was used already."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} was used already")
        self.key = key


class NumberUsed(StoreError):
    """A sender's number was written down before: whoever has forgotten the answer finds it in the journal."""


class NewerSchema(StoreError):
    """The store was written by a newer version of the software."""


class Span(NamedTuple):
    """What an append is to do to a table's chain: take its head from one place to another."""

    table: str
    before: Head
    after: Head


def span(records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> Span:
    """From where to where the records take their table; anything but a run of one table is a mistake.

    >>> from croupier.journal.record import EMPTY, Draft, link
    >>> records = list(link("wheel-1", EMPTY, [Draft(0, "dealer", "console", 1, 0, "opened", 1, b"{}")] * 2))
    >>> whole = span(records, claims=[])
    >>> whole.table, whole.before.sequence, whole.after.sequence
    ('wheel-1', 0, 2)
    """
    if not records:
        raise ValueError("nothing to append")
    if any("\0" in key for key, _ in claims):
        raise ValueError("no claim may contain a null character")
    if isinstance(records, Run):
        return Span(*records.span)
    first, last = records[0], records[-1]
    for one, next_one in pairwise(records):
        if (
            next_one.previous != one.hash
            or next_one.sequence != one.sequence + 1
            or next_one.table != first.table
        ):
            raise ValueError(f"record {next_one.sequence} does not follow record {one.sequence}")
    before = Head(first.sequence - 1, first.previous)
    return Span(first.table, before, Head(last.sequence, last.hash))


def portions() -> Iterator[int]:
    """How many records to read at once: few for whoever wants the next one, more for whoever reads on."""
    yield 100
    yield from repeat(5_000)


class Store(Protocol):
    """Append-only journals, one numbered stream for each table."""

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        """Writes records of one table and their claims (key, sequence) durably, all or none.

        Raises `Fenced` where the table's chain does not end where the records begin, else `ClaimTaken` for
        the first claim that is taken, and `StoreError` for whatever else goes wrong.
        """

    def head(self, table: str) -> Head:
        """Where the table's chain ends."""

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        """The table's records behind a sequence number, in order, as they were when the reading began."""

    def stretches(self, table: str, after: int = 0) -> Iterator[Stretch]:
        """The same as they were hashed: for whoever checks the chain before anything is read of them."""

    def tables(self) -> list[str]:
        """Every table that has records, by name."""

    def claimant(self, key: str) -> tuple[str, int] | None:
        """Which record, by table and sequence, holds a claim."""

    def claims(self, prefix: str) -> list[str]:
        """Every claim that begins with a text, in order."""

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

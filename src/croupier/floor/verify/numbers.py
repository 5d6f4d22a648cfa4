"""The index of senders' numbers beside the records of a SQLite file: a row for each, and no other.

It keeps a number from being used twice. A row that is taken out of it would let somebody use one again, so it
is compared with the records: all of it at once, whatever its order, and row by row only where that differs.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import mul
from typing import Final, TypeVar

from croupier.floor.verify.evidence import Evidence, SqliteEvidence
from croupier.floor.verify.stream import Misfit
from croupier.journal import StoreError
from croupier.journal.sqlite_schema import number_key

T = TypeVar("T")

_MANY: Final = 5_000
"""How many rows are looked at at once."""


class NumbersCheck:
    """What the index has to say of one stream; journals that keep their records in rows have none."""

    def __init__(self, evidence: Evidence, table: str) -> None:
        self._evidence = evidence if isinstance(evidence, SqliteEvidence) and evidence.has_stretches else None
        self._table = table
        self._marks = _Marks()
        self._noted: _Marks | None = None
        """What the index holds, once it was looked at."""

    def look(self) -> None:
        """Reads the index; it can be done at any time, since it tells nothing of the order of records.

        One that cannot be read is a fault of the database, see `index_faults`, and of no record.
        """
        if self._evidence is None or self._noted is not None:
            return
        self._noted = _Marks()
        try:
            for rows in _by_many(self._evidence.numbers(self._table)):
                keys, sequences = zip(*rows, strict=True)
                if {*map(type, sequences)} != {int}:
                    self._noted.spoil()  # somebody has put something else there
                    return
                self._noted.add(keys, sequences)
        except StoreError:
            self._evidence = None

    def take(self, first: int, numbers: list[str]) -> None:
        """The next records, from a place on, and what stands for the number that each was asked for by."""
        if self._evidence is not None:
            keys = [f"{self._table}\n{number}" for number in numbers]
            self._marks.add(keys, range(first, first + len(keys)))

    def misfit(self) -> Misfit | None:
        """The first record whose number is not in the index, or else what it holds beside."""
        self.look()
        if self._evidence is None or self._noted == self._marks:
            return None
        noted = Counter(self._evidence.numbers(self._table))
        for record in self._evidence.everything(self._table):
            key = f"{self._table}\n{number_key(record.sender, record.number, record.part)}"
            asked = key, record.sequence
            if not noted[asked]:
                reason = f"number {record.number} of {record.sender} is not noted as used by it"
                return Misfit(sequence=record.sequence, reason=reason)
            noted[asked] -= 1
        return _too_much(self._table, [*noted.elements()])


class _Marks:
    """Two sums over keys and records, the same for the same pairs in whatever order.

    Hashes of texts differ from run to run, so nobody can aim at sums of them, nor at sums that weigh each by
    its record, in which no two keys can change their records.
    """

    __slots__ = ("_is_whole", "_sum", "_weighed")

    def __init__(self) -> None:
        self._sum = self._weighed = 0
        self._is_whole = True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Marks):
            return NotImplemented
        is_same = (self._sum, self._weighed) == (other._sum, other._weighed)
        return is_same and self._is_whole and other._is_whole

    def spoil(self) -> None:
        """There is more that cannot be added up: they are the same as no others."""
        self._is_whole = False

    def add(self, keys: Sequence[str], sequences: Sequence[int]) -> None:
        """So many pairs more."""
        marks = [*map(hash, keys)]
        self._sum += sum(marks)
        self._weighed += sum(map(mul, marks, sequences))


def _by_many(rows: Iterator[T]) -> Iterator[list[T]]:
    while some := [*islice(rows, _MANY)]:
        yield some


def tables_numbered(evidence: Evidence) -> list[str]:
    """Every table that the index names, as far as it can be read."""
    try:
        return evidence.numbered() if isinstance(evidence, SqliteEvidence) else []
    except StoreError:
        return []


def index_faults(evidence: Evidence) -> list[str]:
    """What keeps the index from being read, as half a sentence."""
    try:
        if isinstance(evidence, SqliteEvidence):
            evidence.read_numbers()
    except StoreError as error:
        return [f"its index of senders' numbers cannot be read to its end ({error.__cause__})"]
    return []


def _too_much(table: str, rows: Sequence[tuple[str, object]]) -> Misfit:
    """What the index holds beside what the records ask for."""
    key, sequence = min(rows, key=lambda row: (row[0], repr(row[1])))
    number, sender, *_ = f"{key[len(table) + 1 :]}\n\n".split("\n")
    reason = f"number {number} of {sender} is noted as used by it, and it has not used that"
    return Misfit(sequence=sequence if isinstance(sequence, int) else 0, reason=reason)

"""The index of senders' numbers beside the records of a SQLite file: a row for each, and no other.

It keeps a number from being used twice. A row that is taken out of it would let somebody use one again, so it
is compared with the records: all of it at once, whatever its order, and row by row only where that differs.
"""

from collections import Counter

from croupier.floor.verify.evidence import Evidence, SqliteEvidence
from croupier.floor.verify.stream import Misfit
from croupier.journal import StoreError
from croupier.journal.sqlite_schema import number_key


class NumbersCheck:
    """What the index has to say of one stream; journals that keep their records in rows have none."""

    def __init__(self, evidence: Evidence, table: str) -> None:
        self._evidence = evidence if isinstance(evidence, SqliteEvidence) and evidence.has_stretches else None
        self._table = table
        self._mark = 0
        """A sum over what all records ask for. Hashes of texts differ from run to run, so nobody can aim;
        those of numbers do not, so a record's number is made part of the text."""

    def take(self, sequence: int, sender: str, number: int, part: int) -> None:
        """The next record, and by which number of whom it was asked for."""
        if self._evidence is not None:
            self._mark += hash((f"{number_key(sender, number, part)}\n{sequence}",))

    def misfit(self) -> Misfit | None:
        """The first record whose number is not in the index, or else what it holds beside.

        An index that cannot be read is a fault of the database, see `index_faults`, and of no record.
        """
        try:
            if self._evidence is None or sum(map(hash, self._evidence.numbers(self._table))) == self._mark:
                return None
        except StoreError:
            return None
        noted = Counter(row for (row,) in self._evidence.numbers(self._table))
        for record in self._evidence.everything(self._table):
            asked = f"{number_key(record.sender, record.number, record.part)}\n{record.sequence}"
            if not noted[asked]:
                reason = f"number {record.number} of {record.sender} is not noted as used by it"
                return Misfit(sequence=record.sequence, reason=reason)
            noted[asked] -= 1
        return _too_much(min(noted.elements()))


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


def _too_much(row: str) -> Misfit:
    """What the index holds beside what the records ask for."""
    key, _, sequence = row.rpartition("\n")
    number, sender, *_ = f"{key}\n\n".split("\n")
    reason = f"number {number} of {sender} is noted as used by it, and it has not used that"
    return Misfit(sequence=int(sequence) if sequence.isdecimal() else 0, reason=reason)

"""One stream of a journal, checked from its first record to its head."""

import os
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from croupier.floor.audit import DoesNotFit
from croupier.floor.cage.vouchers import CAGE
from croupier.floor.codec import UnreadableRecord
from croupier.floor.house.log import HOUSE_STREAM
from croupier.floor.office.check import OfficeCheck
from croupier.floor.office.records import OFFICE
from croupier.floor.verify.beside import Elsewhere
from croupier.floor.verify.cage import CageCheck
from croupier.floor.verify.evidence import Addressed, Evidence, SqliteEvidence
from croupier.floor.verify.house import HouseCheck
from croupier.floor.verify.numbers import NumbersCheck
from croupier.floor.verify.replay import REPLAY_ERRORS
from croupier.floor.verify.stream import Misfit, Seen, StreamCheck
from croupier.floor.verify.table import TableCheck
from croupier.journal import Head, Snapshot, Stretch
from croupier.journal.sqlite_schema import number_key
from croupier.rulebook import Book

FindBook = Callable[[str], Book]

Progress = Callable[[str, int, int], None]
"""Told now and then what is being read, how many of its records are done, and of how many."""

_TELL_EVERY: Final = 500

OF_NO_TABLE: Final[Mapping[str, type[StreamCheck]]] = {
    CAGE: CageCheck,
    HOUSE_STREAM: HouseCheck,
    OFFICE: OfficeCheck,
}
"""How the streams are checked that are of no table."""


class Stream(NamedTuple):
    """A stream that is to be checked, with what stands about it elsewhere in the journal or outside of it."""

    name: str
    promised: Head | None
    """Where it is said to end."""
    claimed: Mapping[int, set[str]]
    """What is noted as used up, by record."""
    anchors: Mapping[int, bytes]
    snapshot: Snapshot | None

    @property
    def length(self) -> int:
        """About how many records it has; a damaged file may hold something else for a number."""
        said = None if self.promised is None else self.promised.sequence
        return max(0, said) if isinstance(said, int) else 0


class Checked(NamedTuple):
    """What was seen of a stream, and the first record of it that does not fit."""

    seen: Seen
    misfit: Misfit | None


def check_stream(
    evidence: Evidence, stream: Stream, find_book: FindBook, progress: Progress, beside_from: int | None
) -> Checked:
    """Checks a stream; with at least `beside_from` records, another process shares the work on it."""
    facts = stream.name, stream.claimed, stream.anchors
    own = OF_NO_TABLE.get(stream.name)
    if own is not None:
        check = own(*facts)
    else:
        elsewhere = None if beside_from is None else _elsewhere(evidence, stream, beside_from)
        check = TableCheck(*facts, find_book, elsewhere, stream.snapshot)
    try:
        misfit = _first_misfit(evidence, check, stream.promised, progress)
    finally:
        check.close()
    return Checked(check.seen(), misfit)


def _elsewhere(evidence: Evidence, stream: Stream, beside_from: int) -> Elsewhere | None:
    """Where another process finds a table, as far as it goes here; None where one has to do."""
    if not isinstance(evidence, Addressed) or (os.cpu_count() or 1) < 2:
        return None
    if isinstance(evidence, SqliteEvidence) and evidence.has_stretches:
        last = evidence.last_stretch(stream.name)
        is_long = stream.length >= beside_from and isinstance(last, int)
        return Elsewhere(evidence.address, last_stretch=last) if is_long else None
    rows = evidence.count(stream.name)
    return Elsewhere(evidence.address, rows=rows) if rows >= beside_from else None


def _first_misfit(
    evidence: Evidence, check: StreamCheck, promised: Head | None, progress: Progress
) -> Misfit | None:
    total = 0 if promised is None else promised.sequence
    numbers = NumbersCheck(evidence, check.table)
    try:
        for done in _taken(evidence, check, numbers):
            progress(check.table, done, total)
        if (missing := check.missing(promised)) is not None:
            return missing
        check.finish()
    except (DoesNotFit, UnreadableRecord) as error:
        reason = str(error)
    except REPLAY_ERRORS as error:
        # The replay takes it for granted that what was decided could happen; this could not.
        reason = f"it cannot have happened ({type(error).__name__}: {error})"
    else:
        progress(check.table, check.head.sequence, total)
        return numbers.misfit()
    # A damaged file may hold something else for a number.
    return Misfit(sequence=check.at if isinstance(check.at, int) else check.head.sequence + 1, reason=reason)


def _first_apart(stretches: Iterator[Stretch]) -> Iterator[Stretch]:
    """Stretches, and the first record of all by itself."""
    for first, forms, hashes in islice(stretches, 1):
        yield Stretch(first, forms[:1], hashes[:1])
        if len(forms) > 1:
            yield Stretch(first + 1, forms[1:], hashes[1:])
    yield from stretches


def _taken(evidence: Evidence, check: StreamCheck, numbers: NumbersCheck) -> Iterator[int]:
    """Has every record checked, as it was hashed where a table's are kept so; tells now and then how far."""
    if isinstance(check, TableCheck) and isinstance(evidence, SqliteEvidence) and evidence.has_stretches:
        for stretch in _first_apart(evidence.stretches(check.table)):
            check.take_stretch(stretch, numbers.take)
            numbers.look()  # behind the first record, while a process beside begins its work
            yield check.head.sequence
        return
    for record in evidence.everything(check.table):
        check.take(record)
        numbers.take(record.sequence, [number_key(record.sender, record.number, record.part)])
        if record.sequence % _TELL_EVERY == 0:
            yield record.sequence

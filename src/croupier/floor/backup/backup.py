"""Backups of a running journal: copied as of one moment, checked record by record, then put in place."""

import errno
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from croupier.floor.backup.files import building, refuse_existing
from croupier.floor.backup.lines import LinesEvidence, write_lines
from croupier.floor.loading import DamagedJournal
from croupier.floor.verify.evidence import Evidence, Inspected, SqliteEvidence, open_evidence
from croupier.floor.verify.numbers import index_faults
from croupier.journal import EMPTY, Head, Record, StoreError, misfit
from croupier.journal.opening import is_postgres
from croupier.journal.places import what_is_at
from croupier.rulebook import BadInput
from croupier.rulebook.files import NOT_ORDINARY

Progress = Callable[[str, int, int], None]
"""Told now and then which stream is being read, how many of its records are done, and of how many."""

LINES: Final = ".jsonl"
"""How the name of a backup ends that is written as JSON lines; PostgreSQL has no other."""

_PAGES_AT_ONCE: Final = 2_000
_TELL_EVERY: Final = 500


class StreamHead(msgspec.Struct, frozen=True, kw_only=True):
    """How far a stream of a journal goes."""

    stream: str
    sequence: int
    hash: str
    last_ms: int | None
    last_round: int | None


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds."""

    heads: list[StreamHead]
    faults: list[str]
    """What of the journal beside its records is not as croupier makes it: half a sentence each."""


def in_silence(stream: str, done: int, total: int) -> None:
    """Tells nobody."""


def make_backup(address: str, destination: Path, progress: Progress = in_silence) -> Backup:
    """Copies a journal, which may be written to meanwhile, into a new file; gives how far its streams go.

    The file takes its place once every record in it was found to fit and its heads are those of the journal
    at the moment of the copy; until then nothing is there. What else is not as croupier makes it is told, and
    the copy is kept as evidence of it.
    """
    refuse_existing(destination, "backup-exists")
    as_lines = is_postgres(address) or destination.suffix == LINES
    with building(destination, "backup-exists") as path:
        if as_lines:
            promised, faults = _copy_lines(address, path, progress)
        else:
            promised, faults = _copy_file(address, path, progress), []
        copy: Evidence = LinesEvidence(path) if as_lines else SqliteEvidence(str(path))
        with closing(copy):
            heads = follow(copy, progress)
            faults += _faults(copy)
        found = {head.stream: Head(head.sequence, bytes.fromhex(head.hash)) for head in heads}
        if found != promised:
            raise StoreError("The copy does not end where the journal does; make it again.")
    return Backup(heads=heads, faults=faults)


def _faults(evidence: Evidence) -> list[str]:
    """What may keep a journal from being restored, or from being written to, although every record fits."""
    if isinstance(evidence, Inspected) and (faults := evidence.schema_faults()):
        return faults
    try:
        for _ in evidence.claims():
            pass
    except StoreError as error:
        return [f"its claims cannot be read to their end ({error.__cause__})"]
    return index_faults(evidence)


def _copy_file(address: str, path: Path, progress: Progress) -> dict[str, Head]:
    """A copy page by page of what one read transaction sees: writers go on, and it never starts anew."""
    SqliteEvidence(address).close()  # says in a sentence why something is no journal
    uri = f"{Path(address).resolve().as_uri()}?mode=ro"
    try:
        source = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=5)
        target = sqlite3.connect(path, isolation_level=None)
        try:
            source.execute("BEGIN")
            rows = source.execute("SELECT table_id, sequence, hash FROM heads ORDER BY table_id").fetchall()
            if not all(isinstance(sequence, int) for _, sequence, _ in rows):
                raise StoreError(f"The journal {address!r} is damaged: a head of it is none.")
            records = sum(sequence for _, sequence, _ in rows)

            def tell(status: int, remaining: int, total: int) -> None:
                progress("copying", records * (total - remaining) // max(1, total), records)

            source.backup(target, pages=_PAGES_AT_ONCE, progress=tell)
            # One file, without a log beside it: whoever carries it away cannot leave half of it behind.
            target.execute("PRAGMA journal_mode = DELETE")
        finally:
            target.close()
            source.close()
    except sqlite3.Error as error:
        raise StoreError(f"The journal {address!r} cannot be copied: {error}.") from error
    return {table: Head(sequence, hash_) for table, sequence, hash_ in rows}


def _copy_lines(address: str, path: Path, progress: Progress) -> tuple[dict[str, Head], list[str]]:
    """A copy in lines; with what is wrong with the journal's tables, which no lines show."""
    with closing(open_evidence(address)) as evidence:
        return write_lines(evidence, path, progress), _faults(evidence)


def open_backup(path: Path) -> Evidence:
    """A backup of either form, for reading."""
    try:
        if what_is_at(path) == "other":
            raise OSError(errno.EINVAL, NOT_ORDINARY)
        with path.open("rb") as file:
            start = file.read(16)
    except OSError as error:
        raise BadInput(
            "backup-unreadable",
            f"The backup {str(path)!r} cannot be opened: {error.strerror}.",
            "Name a file that 'croupier backup' made.",
        ) from error
    return SqliteEvidence(str(path)) if start == b"SQLite format 3\0" else LinesEvidence(path)


def follow(
    evidence: Evidence, progress: Progress = in_silence, take: Callable[[Record], None] | None = None
) -> list[StreamHead]:
    """Follows every chain of a journal from its first record to its head; hands each record on that fits."""
    return [_follow_stream(evidence, stream, progress, take) for stream in evidence.tables()]


def _follow_stream(
    evidence: Evidence, stream: str, progress: Progress, take: Callable[[Record], None] | None
) -> StreamHead:
    promised = evidence.head(stream)
    total = 0 if promised is None else promised.sequence
    head, last_ms, opened = EMPTY, None, None
    for record in evidence.records(stream):
        if (reason := misfit(record, head)) is not None:
            raise DamagedJournal(f"Record {record.sequence} of {stream} does not fit: {reason}.")
        head, last_ms = Head(record.sequence, record.hash), record.at_ms
        if record.kind == "round-opened":
            opened = record
        if take is not None:
            take(record)
        if head.sequence % _TELL_EVERY == 0:
            progress(stream, head.sequence, total)
    if head != promised:
        raise DamagedJournal(f"The records of {stream} end at {head.sequence}, not where its head says.")
    progress(stream, head.sequence, total)
    number = None if opened is None else msgspec.json.decode(opened.payload, type=_Opened).event.round
    return StreamHead(
        stream=stream, sequence=head.sequence, hash=head.hash.hex(), last_ms=last_ms, last_round=number
    )


class _Round(msgspec.Struct):
    round: int


class _Opened(msgspec.Struct):
    """What has to be known of the payload of a round's opening."""

    event: _Round

"""Restoring a backup into a new journal: what does not fit is not restored, and nothing is overwritten."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from croupier.floor.backup.backup import Progress, StreamHead, follow, in_silence, open_backup
from croupier.floor.backup.claims import ClaimsCheck
from croupier.floor.backup.files import building, refuse_existing
from croupier.floor.verify.evidence import Evidence, open_evidence
from croupier.journal import Record, StoreError
from croupier.journal.opening import is_postgres
from croupier.journal.sqlite import SqliteStore

_AT_ONCE: Final = 5_000


def restore(backup: Path, address: str, progress: Progress = in_silence) -> list[StreamHead]:
    """Makes a journal from a backup; gives how far its streams go. Whatever came later is not in it."""
    with closing(open_backup(backup)) as evidence:
        if is_postgres(address):
            from croupier.floor.backup.postgres import restore_postgres

            heads = restore_postgres(evidence, address, progress)
            with closing(open_evidence(address)) as restored:
                _compare(restored, heads)
            return heads
        path = Path(address)
        refuse_existing(path, "journal-exists")
        with building(path, "journal-exists") as place:
            heads = _write(evidence, place, progress)
            with closing(open_evidence(str(place))) as restored:
                _compare(restored, heads)
    return heads


def _compare(restored: Evidence, heads: list[StreamHead]) -> None:
    if follow(restored) != heads:
        raise StoreError("What was restored is not what the backup holds.")


def _write(evidence: Evidence, place: Path, progress: Progress) -> list[StreamHead]:
    claimed, check = claims_by_record(evidence), ClaimsCheck(evidence.claims())
    waiting: list[Record] = []
    with closing(SqliteStore(place)) as store:

        def write() -> None:
            if waiting:
                keys = [(record, claimed.get((record.table, record.sequence), ())) for record in waiting]
                store.append(waiting, [(key, record.sequence) for record, held in keys for key in held])
                waiting.clear()

        def take(record: Record) -> None:
            check.take(record)
            if waiting and (len(waiting) >= _AT_ONCE or waiting[0].table != record.table):
                write()
            waiting.append(record)

        heads = follow(evidence, progress, take)
        check.finish()
        write()
    with closing(sqlite3.connect(place)) as connection:
        # One file, with nothing in a log beside it, so that it can be given its name.
        connection.execute("PRAGMA journal_mode = DELETE")
    return heads


def claims_by_record(evidence: Evidence) -> dict[tuple[str, int], list[str]]:
    """The claims of a journal by the record that makes them."""
    claimed: dict[tuple[str, int], list[str]] = {}
    for claim in evidence.claims():
        claimed.setdefault((claim.table, claim.sequence), []).append(claim.key)
    return claimed

"""Restoring a backup into PostgreSQL, in one transaction: all of it is there, or nothing."""

import psycopg

from croupier.floor.backup.backup import Progress, StreamHead, follow
from croupier.floor.backup.claims import ClaimsCheck
from croupier.floor.verify.evidence import Evidence
from croupier.journal import Record, StoreError
from croupier.journal.postgres_database import Address, bring_forward
from croupier.journal.store import COLUMNS
from croupier.rulebook import BadInput


def restore_postgres(evidence: Evidence, address: str, progress: Progress) -> list[StreamHead]:
    """Puts a journal into a database that has none."""
    where = Address(address)
    try:
        with where.connect() as connection:
            bring_forward(connection, where.place, must_exist=False)
            with connection.transaction():
                return _copy(connection, evidence, where.place, progress)
    except psycopg.Error as error:
        # The error itself is not passed on: it may repeat a password.
        raise StoreError(f"Nothing was restored into {where.place}: {where.sentence(error)}.") from None


def _copy(
    connection: "psycopg.Connection[tuple[object, ...]]", evidence: Evidence, place: str, progress: Progress
) -> list[StreamHead]:
    connection.execute("LOCK TABLE croupier.heads, croupier.records, croupier.claims IN EXCLUSIVE MODE")
    held = connection.execute(
        "SELECT EXISTS (SELECT FROM croupier.heads) OR EXISTS (SELECT FROM croupier.records)"
        " OR EXISTS (SELECT FROM croupier.claims)"
    ).fetchone()
    if held != (False,):
        raise BadInput(
            "journal-exists", f"There is a journal in {place} already.", "Name a database that has none."
        )
    cursor, check = connection.cursor(), ClaimsCheck(evidence.claims())
    with cursor.copy(f"COPY croupier.records ({COLUMNS}) FROM STDIN") as copy:

        def take(record: Record) -> None:
            check.take(record)
            copy.write_row(record)

        heads = follow(evidence, progress, take)
        check.finish()
    with cursor.copy("COPY croupier.heads (table_id, sequence, hash) FROM STDIN") as copy:
        for head in heads:
            copy.write_row((head.stream, head.sequence, bytes.fromhex(head.hash)))
    with cursor.copy("COPY croupier.claims (key, table_id, sequence) FROM STDIN") as copy:
        for claim in evidence.claims():
            copy.write_row(claim)
    return heads

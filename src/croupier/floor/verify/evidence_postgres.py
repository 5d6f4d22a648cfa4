"""A journal in PostgreSQL as evidence: one read-only transaction sees one moment of it."""

from collections.abc import Iterator
from typing import Any, Final

import psycopg

from croupier.floor.verify.evidence import ClaimRow
from croupier.journal import Head, Record, Snapshot, StoreError
from croupier.journal.postgres_database import Address, bring_forward
from croupier.journal.postgres_schema import MADE, schema_faults
from croupier.journal.record import as_records
from croupier.journal.store import COLUMNS

_READ_AT_ONCE: Final = 5_000

_RECORDS: Final = (
    f"SELECT {COLUMNS} FROM croupier.records WHERE table_id = %s AND sequence > %s ORDER BY sequence LIMIT %s"
)
_HOLDING: Final = (
    f"SELECT {COLUMNS} FROM croupier.records WHERE table_id = %s AND position(%s IN payload) > 0"
    " AND sequence > %s ORDER BY sequence LIMIT %s"
)
_MOMENTS: Final = (
    "SELECT sequence, at_ms FROM croupier.records"
    " WHERE table_id = %s AND sequence > %s ORDER BY sequence LIMIT %s"
)
_TABLES: Final = """
    WITH RECURSIVE named (table_id) AS (
        SELECT min(table_id) FROM croupier.records
        UNION ALL
        SELECT (SELECT min(table_id) FROM croupier.records WHERE table_id > named.table_id)
        FROM named WHERE table_id IS NOT NULL
    )
    SELECT table_id FROM named WHERE table_id IS NOT NULL UNION SELECT table_id FROM croupier.heads ORDER BY 1
"""
"""A step through the index for each table, instead of a walk over all records."""

_SMALLEST: Final = -(2**63)


class PostgresEvidence:
    """A journal in a database that nobody writes to through this."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._address = Address(address)
        try:
            self._connection = self._address.connect()
        except psycopg.Error as error:
            # The error itself is not passed on: it may repeat a password.
            sentence = self._address.sentence(error)
            raise StoreError(f"The journal in {self._address.place} cannot be opened: {sentence}.") from None
        try:
            self._look()
        except BaseException:
            self.close()
            raise

    def _look(self) -> None:
        try:
            bring_forward(self._connection, self._address.place, must_exist=True)
            self._connection.execute("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            self._connection.execute("SELECT 1")  # the moment that is seen is that of the first question
        except psycopg.Error as error:
            raise self._unreadable(error) from None

    def schema_faults(self) -> list[str]:
        """What of its tables, keys and triggers is not as croupier makes it: half a sentence each."""
        return schema_faults(self._all(MADE))

    def tables(self) -> list[str]:
        """Every table that a record or a head names, in order."""
        return [row[0] for row in self._all(_TABLES)]

    def head(self, table: str) -> Head | None:
        """Where the table's chain is said to end; None where nothing says it."""
        rows = self._all("SELECT sequence, hash FROM croupier.heads WHERE table_id = %s", table)
        return Head(*rows[0]) if rows else None

    def records(self, table: str, after: int = _SMALLEST) -> Iterator[Record]:
        """A table's records behind a number, in the order of their numbers, whatever they hold."""
        while rows := self._all(_RECORDS, table, after, _READ_AT_ONCE):
            yield from as_records(rows)
            after = rows[-1][1]

    def moments(self, table: str) -> Iterator[tuple[int, int]]:
        """When each record of a table was written, behind its number: what it says is not read for that."""
        after = _SMALLEST
        while rows := self._all(_MOMENTS, table, after, _READ_AT_ONCE):
            yield from rows
            after = rows[-1][0]

    def holding(self, table: str, text: bytes) -> Iterator[Record]:
        """The records of a table in whose payload a text stands, in order: the database finds them."""
        after = _SMALLEST
        while rows := self._all(_HOLDING, table, text, after, _READ_AT_ONCE):
            yield from as_records(rows)
            after = rows[-1][1]

    def everything(self, table: str) -> Iterator[Record]:
        """All records: each is a row with columns of its own."""
        return self.records(table)

    def count(self, table: str) -> int:
        """How many records of a table there are."""
        return int(self._all("SELECT count(*) FROM croupier.records WHERE table_id = %s", table)[0][0])

    def claims(self) -> Iterator[ClaimRow]:
        """Every row of claims."""
        return map(
            ClaimRow._make, self._all("SELECT key, table_id, sequence FROM croupier.claims ORDER BY key")
        )

    def snapshot(self, table: str) -> Snapshot | None:
        """The state of a table that is kept beside its records; None where none is."""
        query = "SELECT sequence, hash, format, content FROM croupier.snapshots WHERE table_id = %s"
        rows = self._all(query, table)
        return Snapshot(*rows[0]) if rows else None

    def last_beat(self, table: str) -> int | None:
        """When the table's writer was last noted to be alive; None where nothing says it."""
        rows = self._all("SELECT at_ms FROM croupier.beats WHERE table_id = %s", table)
        return int(rows[0][0]) if rows else None

    def close(self) -> None:
        """Lets go of the database."""
        self._connection.close()

    def _all(self, query: str, *values: object) -> list[Any]:
        try:
            return self._connection.cursor(binary=True).execute(query, values).fetchall()
        except psycopg.Error as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: psycopg.Error) -> StoreError:
        sentence = self._address.sentence(error)
        return StoreError(f"The journal in {self._address.place} cannot be read to its end: {sentence}.")

"""Journals in a PostgreSQL database, for tables that run on more than one machine."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any, Final, TypeVar

import psycopg
from psycopg.rows import TupleRow

from croupier.journal.known import KnownChains, Lost
from croupier.journal.postgres_database import Address, bring_forward, refuse_another_schema
from croupier.journal.postgres_limit import ANSWER_SECONDS, answered_within
from croupier.journal.postgres_session import Session, session_after
from croupier.journal.record import EMPTY, Head, Record, Stretch, as_records, stretched
from croupier.journal.store import (
    COLUMNS,
    ClaimTaken,
    Fenced,
    NumberUsed,
    Snapshot,
    StoreError,
    portions,
    span,
)

T = TypeVar("T")

_FIRST_HEAD: Final = """
    INSERT INTO croupier.heads (table_id, sequence, hash) VALUES (%(table)s, %(after)s, %(after_hash)s)
    ON CONFLICT DO NOTHING RETURNING 1
"""
_NEXT_HEAD: Final = """
    UPDATE croupier.heads SET sequence = %(after)s, hash = %(after_hash)s
    WHERE table_id = %(table)s AND sequence = %(before)s AND hash = %(before_hash)s RETURNING 1
"""


def _appending(moving: str) -> str:
    """One statement, which is one transaction: no writer that stops amid it leaves a lock behind.

    The head moves first. Then claims are made, in the order of their keys, so that no two writers wait for
    each other. Counting them has the records come last.
    """
    return f"""
        WITH moved AS ({moving}), claimed AS (
            INSERT INTO croupier.claims (key, table_id, sequence)
            SELECT key, %(table)s, sequence
            FROM unnest(%(keys)b::text[], %(claiming)b::bigint[]) AS claim (key, sequence)
            WHERE EXISTS (SELECT FROM moved) ORDER BY key RETURNING 1
        )
        INSERT INTO croupier.records ({COLUMNS})
        SELECT %(table)s, record.* FROM unnest(
            %(sequence)b::bigint[], %(at_ms)b::bigint[], %(actor)b::text[], %(sender)b::text[],
            %(number)b::bigint[], %(part)b::bigint[], %(kind)b::text[], %(version)b::bigint[],
            %(payload)b::bytea[], %(previous)b::bytea[], %(hash)b::bytea[]
        ) AS record
        WHERE EXISTS (SELECT FROM moved) AND (SELECT count(*) FROM claimed) = cardinality(%(keys)b::text[])
    """


_APPEND_FIRST: Final = _appending(_FIRST_HEAD)
_APPEND_NEXT: Final = _appending(_NEXT_HEAD)
_MANY_SECONDS: Final = 60
"""How long it may take to list what may be very many."""
_PORTION: Final = (
    f"SELECT {COLUMNS} FROM croupier.records WHERE table_id = %s AND sequence > %s AND sequence <= %s"
    " ORDER BY sequence LIMIT %s"
)

_HASH: Final = "SELECT hash FROM croupier.records WHERE table_id = %s AND sequence = %s"


class PostgresStore:
    """Journals in a database's schema `croupier`. What returned from `append` is on the server's disk.

    A call that loses its connection, is not answered in time, or may not write, fails with `StoreError`; the
    next one connects anew, and ends what the server may still be doing for the one before.
    """

    def __init__(self, address: str, *, must_exist: bool = False) -> None:
        self._address = Address(address)
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[TupleRow] | None = None
        self._session: Session | None = None
        self._closed = False
        self._chains = KnownChains()
        self._lost: list[Lost] = []
        """Nothing that comes later puts it right: others write on behind what is left."""
        try:
            self._use(lambda on: bring_forward(on, self._address.place, must_exist=must_exist), None)
            self._use(lambda on: refuse_another_schema(on, self._address.place), None)
        except BaseException:
            self.close()
            raise

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        """Writes records and claims in one transaction, synced to the disk before it returns."""
        whole = span(records, claims)
        statement = _APPEND_FIRST if whole.before == EMPTY else _APPEND_NEXT
        values: dict[str, object] = {
            name: list(column)
            for name, column in zip(Record._fields, zip(*records, strict=True), strict=True)
        }
        values["table"] = whole.table
        values["before"], values["before_hash"] = whole.before
        values["after"], values["after_hash"] = whole.after
        values["keys"] = [key for key, _ in claims]
        values["claiming"] = [sequence for _, sequence in claims]

        def write(on: psycopg.Connection[TupleRow]) -> None:
            try:
                written = on.execute(statement, values).rowcount
            except psycopg.errors.UniqueViolation as error:
                raise _refusal(error, on, whole.table, claims) from error
            if not written:
                raise Fenced(f"Another writer has written to table {whole.table}.")

        self._use(write)
        self._chains.wrote(*whole)

    def lost(self) -> list[Lost]:
        """Which chains do not hold any more what was written or found: a standby without it took over."""
        if not self._lost:
            self._lost = self._use(self._look)
        return self._lost

    def _look(self, on: psycopg.Connection[TupleRow]) -> list[Lost]:
        known = self._chains.heads()
        recovering = on.execute("SELECT pg_is_in_recovery()").fetchone()
        if recovering is None or recovering[0]:
            return []  # a standby that may have received what it does not show yet
        rows = on.execute("SELECT table_id, sequence, hash FROM croupier.heads").fetchall()

        def hash_at(table: str, sequence: int) -> bytes | None:
            row = on.execute(_HASH, (table, sequence)).fetchone()
            return None if row is None else bytes(row[0])

        return self._chains.found(known, {row[0]: Head(row[1], bytes(row[2])) for row in rows}, hash_at)

    def head(self, table: str) -> Head:
        """Where the table's chain ends."""
        row = self._one("SELECT sequence, hash FROM croupier.heads WHERE table_id = %s", table)
        return EMPTY if row is None else Head(*row)

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        """The table's records behind a sequence number, in portions that never hold a writer up."""
        last = self.head(table).sequence
        for size in portions():
            rows = self._all(_PORTION, table, after, last, size)
            yield from as_records(rows)
            if len(rows) < size:
                return
            after = rows[-1][1]

    def stretches(self, table: str, after: int = 0) -> Iterator[Stretch]:
        """The same as they were hashed; a new one begins where a number is missing."""
        try:
            yield from stretched(self.read(table, after))
        except ValueError as error:
            raise StoreError(f"The journal is damaged: {error}.") from error

    def tables(self) -> list[str]:
        """Every table that has records, by name."""
        return [row[0] for row in self._all("SELECT table_id FROM croupier.heads ORDER BY table_id")]

    def claimant(self, key: str) -> tuple[str, int] | None:
        """Which record holds a claim."""
        row = self._one("SELECT table_id, sequence FROM croupier.claims WHERE key = %s", key)
        return None if row is None else (row[0], row[1])

    def claims(self, prefix: str) -> list[str]:
        """Every claim that begins with a text, in order."""
        query = "SELECT key FROM croupier.claims WHERE key >= %s AND starts_with(key, %s) ORDER BY key"
        rows = self._use(lambda on: on.execute(query, (prefix, prefix)).fetchall(), _MANY_SECONDS)
        return [row[0] for row in rows]

    def first_of(self, table: str, sender: str, number: int) -> Record | None:
        """The first record that a sender's number led to."""
        query = (
            f"SELECT {COLUMNS} FROM croupier.records WHERE table_id = %s AND sender = %s AND number = %s"
            " ORDER BY part LIMIT 1"
        )
        row = self._one(query, table, sender, number)
        return None if row is None else Record._make(row)

    def save_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Keeps a snapshot in place of an older one."""
        query = """
            INSERT INTO croupier.snapshots (table_id, sequence, hash, format, content)
            VALUES (%s, %s, %s, %s, %s)
            ON CONFLICT (table_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash,
            format = excluded.format, content = excluded.content
        """
        self._use(lambda on: on.execute(query, (table, *snapshot)))

    def snapshot(self, table: str) -> Snapshot | None:
        """The kept snapshot."""
        query = "SELECT sequence, hash, format, content FROM croupier.snapshots WHERE table_id = %s"
        row = self._one(query, table)
        return None if row is None else Snapshot(*row)

    def beat(self, table: str, at_ms: int) -> None:
        """Notes that the table's writer is alive."""
        query = """
            INSERT INTO croupier.beats (table_id, at_ms) VALUES (%s, %s)
            ON CONFLICT (table_id) DO UPDATE SET at_ms = excluded.at_ms
        """
        self._use(lambda on: on.execute(query, (table, at_ms)))

    def last_beat(self, table: str) -> int | None:
        """When the table's writer was last noted to be alive."""
        row = self._one("SELECT at_ms FROM croupier.beats WHERE table_id = %s", table)
        return None if row is None else int(row[0])

    def close(self) -> None:
        """Lets go of the database."""
        with self._lock:
            self._closed = True
            self._disconnect()

    def _one(self, query: str, *values: object) -> Any:
        return self._use(lambda on: on.cursor(binary=True).execute(query, values).fetchone())

    def _all(self, query: str, *values: object) -> list[Any]:
        return self._use(lambda on: on.cursor(binary=True).execute(query, values).fetchall())

    def _use(
        self, act: Callable[[psycopg.Connection[TupleRow]], T], seconds: float | None = ANSWER_SECONDS
    ) -> T:
        """Does something with the database, one thread after the other; without a limit for None."""
        if not self._lock.acquire(timeout=ANSWER_SECONDS):
            raise self._failed("it is still busy with something else")
        try:
            if self._closed:
                raise StoreError(f"The journal in {self._address.place} is closed.")
            try:
                on = self._connected()
                with nullcontext() if seconds is None else answered_within(on, seconds):
                    return act(on)
            except psycopg.Error as error:
                sentence = self._address.sentence(error)
                if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
                    self._disconnect()  # a session may be such for its life, while another one could write
            finally:
                if self._connection is not None and self._connection.closed:
                    self._disconnect()
        finally:
            self._lock.release()
        # The error itself is not passed on: it may repeat a password.
        raise self._failed(sentence) from None

    def _failed(self, sentence: str) -> StoreError:
        return StoreError(f"The journal in {self._address.place} did not do as asked: {sentence}.")

    def _connected(self) -> psycopg.Connection[TupleRow]:
        if self._connection is None:
            connection = self._address.connect()
            try:
                with answered_within(connection):
                    self._session = session_after(connection, self._session)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _refusal(
    error: psycopg.errors.UniqueViolation,
    on: psycopg.Connection[TupleRow],
    table: str,
    claims: Sequence[tuple[str, int]],
) -> StoreError:
    """What it means that something is there already."""
    match error.diag.constraint_name:
        case "claims_by_key":
            keys = [key for key, _ in claims]
            rows = on.execute("SELECT key FROM croupier.claims WHERE key = ANY(%s)", (keys,)).fetchall()
            return ClaimTaken(_first_taken(keys, {row[0] for row in rows}))
        case "records_by_sequence":
            return Fenced(f"Another writer has written to table {table}.")
        case _:
            return NumberUsed(f"Table {table} has a record of the same sender, number and part.")


def _first_taken(keys: Sequence[str], taken: set[str]) -> str:
    """The first key that could not be claimed: somebody has it, or this batch claims it twice."""
    for key in keys:
        if key in taken:
            return key
        taken.add(key)
    raise AssertionError("a claim was refused, and none of the claims is taken")

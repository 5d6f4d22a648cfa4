"""A journal as evidence: every row that is there, read as it was at one moment and without changing anything.

A store reads what its heads vouch for, and it brings an older schema forward. Whoever audits a journal wants
neither: rows behind the head and claims that no record makes are what an auditor looks for, and the file that
was handed in has to stay as it is.
"""

import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

from croupier.journal import Head, NewerSchema, Record, Snapshot, StoreError, Stretch
from croupier.journal.opening import is_postgres
from croupier.journal.places import need_journal_file, what_is_at
from croupier.journal.record import as_records, stretched
from croupier.journal.segment import count_of, stretch_of, time_of, unpack, unpack_anyhow, unpack_holding
from croupier.journal.sqlite import APPLICATION_ID
from croupier.journal.sqlite_schema import MADE, MIGRATIONS, schema_faults
from croupier.journal.store import COLUMNS


class ClaimRow(NamedTuple):
    """A row of claims: what is used up, and by which record."""

    key: str
    table: str
    sequence: int


class Evidence(Protocol):
    """The rows of a journal at one moment."""

    def tables(self) -> list[str]:
        """Every table that a record or a head names, in order."""

    def head(self, table: str) -> Head | None:
        """Where the table's chain is said to end; None where nothing says it."""

    def records(self, table: str, after: int = 0) -> Iterator[Record]:
        """A table's records behind a number, in the order of their numbers; what is none is an error."""

    def moments(self, table: str) -> Iterator[tuple[int, int]]:
        """When each record of a table was written, behind its number: what it says is not read for that."""

    def holding(self, table: str, text: bytes) -> Iterator[Record]:
        """The records of a table in whose payload a text stands, in order, and maybe more of them."""

    def everything(self, table: str) -> Iterator[Record]:
        """All records for whoever checks the chain: what is no record is one that cannot fit."""

    def claims(self) -> Iterator[ClaimRow]:
        """Every row of claims."""

    def snapshot(self, table: str) -> Snapshot | None:
        """The state of a table that is kept beside its records, whatever it holds; None where none is."""

    def last_beat(self, table: str) -> int | None:
        """When the table's writer was last noted to be alive; None where nothing says it."""

    def close(self) -> None:
        """Lets go of the database."""


@runtime_checkable
class Addressed(Protocol):
    """Evidence that another process can read as well, as far as it goes here."""

    address: str

    def count(self, table: str) -> int:
        """How many records of a table there are."""


@runtime_checkable
class Inspected(Protocol):
    """Evidence that lies in a database of croupier's making."""

    def schema_faults(self) -> list[str]:
        """What of its tables, keys and triggers is not as croupier makes it: half a sentence each."""


def open_evidence(address: str) -> Evidence:
    """The journal in a file or at a PostgreSQL address, for reading only."""
    if is_postgres(address):
        try:
            from croupier.floor.verify.evidence_postgres import PostgresEvidence
        except ImportError as error:
            raise StoreError("PostgreSQL needs an extra: install croupier[postgres].") from error
        return PostgresEvidence(address)
    return SqliteEvidence(address)


def as_hashed(evidence: Evidence, table: str) -> Iterator[Stretch]:
    """A table's records as they were hashed; raises `ValueError` at the first row that is none."""
    if isinstance(evidence, SqliteEvidence) and evidence.has_stretches:
        return evidence.stretches(table)
    return stretched(evidence.records(table))


class SqliteEvidence:
    """A journal in a SQLite file that nobody writes to through this."""

    def __init__(self, address: str) -> None:
        self.address = address
        path = Path(address)
        need_journal_file(address)
        try:
            self._connection = _connect(path)
            version, application = self._connection.execute(
                "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id"
            ).fetchone()
        except sqlite3.Error as error:
            raise StoreError(f"The journal {address!r} cannot be opened: {error}.") from error
        if application != APPLICATION_ID:
            self.close()
            raise StoreError(f"The file {address!r} is not a journal.")
        if not 1 <= version <= len(MIGRATIONS):
            self.close()
            raise _other_schema(address, version)
        self._version = version
        self._has_rows = version == 1
        """Whether it is as old as a row for each record; it is read as it is."""

    def schema_faults(self) -> list[str]:
        """What of the file's tables, keys and triggers is not as croupier makes it: half a sentence each."""
        return schema_faults(self._rows(MADE), self._version)

    def tables(self) -> list[str]:
        """Every table that a record or a head names, in order."""
        named = ("records" if self._has_rows else "segments", "heads")
        return sorted({_name(table) for rows in named for table in self._each_table(rows)})

    def _each_table(self, rows: str) -> Iterator[object]:
        """Each table once: a step through the index for each, instead of a walk over all rows."""
        found = self._one(f"SELECT min(table_id) FROM {rows}")
        while found is not None and found[0] is not None:
            yield found[0]
            value = "CAST(? AS TEXT)" if isinstance(found[0], str) else "?"
            found = self._one(f"SELECT min(table_id) FROM {rows} WHERE table_id > {value}", _raw(found[0]))

    def head(self, table: str) -> Head | None:
        """Where the table's chain is said to end; None where nothing says it."""
        row = self._one("SELECT sequence, hash FROM heads WHERE table_id = CAST(? AS TEXT)", _raw(table))
        return None if row is None else Head(*row)

    def records(self, table: str, after: int = 0) -> Iterator[Record]:
        """A table's records behind a number, in the order of their numbers; what is none is an error."""
        if self._has_rows:
            yield from (record for record in self._old_rows(table) if not after or record.sequence > after)
            return
        try:
            for segment in self._segments(table, after):
                for record in unpack(table, *segment):
                    if not after or record.sequence > after:
                        yield record
        except ValueError as error:
            raise self._damaged(error) from error

    def moments(self, table: str) -> Iterator[tuple[int, int]]:
        """When each record of a table was written, behind its number: what it says is not read for that."""
        if self._has_rows:
            yield from ((record.sequence, record.at_ms) for record in self._old_rows(table))
            return
        try:
            for first, forms, _ in self.stretches(table):
                yield from enumerate(map(time_of, forms), first)
        except ValueError as error:
            raise self._damaged(error) from error

    def holding(self, table: str, text: bytes) -> Iterator[Record]:
        """The records of a table in whose payload a text stands, in order, and maybe more of them."""
        if self._has_rows:
            yield from self._old_rows(table, "instr(CAST(payload AS BLOB), ?)", text)
            return
        try:
            for segment in self._segments(table):
                yield from unpack_holding(table, text, *segment)
        except ValueError as error:
            raise self._damaged(error) from error

    def everything(self, table: str) -> Iterator[Record]:
        """All records for whoever checks the chain: what is no record is one that cannot fit."""
        if self._has_rows:
            yield from self._old_rows(table)
            return
        for segment in self._segments(table):
            yield from unpack_anyhow(table, *segment)

    def _old_rows(self, table: str, condition: str = "1", *values: object) -> Iterator[Record]:
        query = f"SELECT {COLUMNS} FROM records WHERE table_id = CAST(? AS TEXT) AND {condition}"
        return as_records(self._rows(f"{query} ORDER BY sequence", _raw(table), *values))

    @property
    def has_stretches(self) -> bool:
        """Whether records are kept as they were hashed."""
        return not self._has_rows

    def stretches(self, table: str) -> Iterator[Stretch]:
        """Every record as it was hashed, where they are kept so."""
        for segment in self._segments(table):
            yield stretch_of(*segment)

    def _segments(self, table: str, after: int = 0) -> Iterator[Any]:
        """The segments of a table; behind a record, from the one on that may have the next record in it."""
        query = "SELECT first, sizes, content, hash FROM segments WHERE table_id = CAST(? AS TEXT)"
        given = [_raw(table)]
        if after:
            beginning = "SELECT max(first) FROM segments WHERE table_id = CAST(? AS TEXT) AND first <= ?"
            query += f" AND first >= coalesce(({beginning}), 0)"
            given += [_raw(table), after + 1]
        return self._rows(f"{query} ORDER BY first", *given)

    def numbered(self) -> list[str]:
        """Every table that the index of senders' numbers names; none where there is no such index."""
        tables: list[str] = []
        first = None if self._has_rows else self._one("SELECT min(key) FROM sent")
        while first is not None and first[0] is not None:
            if not isinstance(first[0], str):  # somebody put it there; such keys come last
                return [*tables, _name(first[0])]
            tables.append(first[0].partition("\n")[0])
            first = self._one(
                "SELECT min(key) FROM sent WHERE key >= CAST(? AS TEXT)", _raw(f"{tables[-1]}\v")
            )
        return tables

    def numbers(self, table: str) -> Iterator[tuple[str, object]]:
        """Every row of that index for a table: what stands for a number of it, and the record.

        Whoever has been at the file may have put anything else in place of a record's number.
        """
        bounds = _raw(f"{table}\n"), _raw(f"{table}\v")  # what follows a line feed
        query = "SELECT key, sequence FROM sent WHERE key >= CAST(? AS TEXT) AND key < CAST(? AS TEXT)"
        return self._rows(query, *bounds)

    def read_numbers(self) -> None:
        """Reads that index from end to end, and gives nothing of it; raises where it cannot be read."""
        if not self._has_rows:
            self._one("SELECT max(length(key)), max(sequence) FROM sent")

    def count(self, table: str) -> int:
        """How many records of a table there are."""
        if self._has_rows:
            (rows,) = self._one("SELECT count(*) FROM records WHERE table_id = CAST(? AS TEXT)", _raw(table))
            return int(rows)
        query = "SELECT sizes, coalesce(length(content), 0) FROM segments WHERE table_id = CAST(? AS TEXT)"
        return sum(count_of(*segment) for segment in self._rows(query, _raw(table)))

    def last_stretch(self, table: str) -> object:
        """By which number the last stretch of a table begins; anything may stand there in a damaged file."""
        return self._one("SELECT max(first) FROM segments WHERE table_id = CAST(? AS TEXT)", _raw(table))[0]

    def claims(self) -> Iterator[ClaimRow]:
        """Every row of claims."""
        for key, table, sequence in self._rows("SELECT key, table_id, sequence FROM claims ORDER BY key"):
            yield ClaimRow(_name(key), _name(table), sequence)

    def snapshot(self, table: str) -> Snapshot | None:
        """The state of a table that is kept beside its records, whatever it holds; None where none is."""
        query = "SELECT sequence, hash, format, content FROM snapshots WHERE table_id = CAST(? AS TEXT)"
        row = self._one(query, _raw(table))
        return None if row is None else Snapshot(*row)

    def last_beat(self, table: str) -> int | None:
        """When the table's writer was last noted to be alive; None where nothing says it, or no number."""
        row = self._one("SELECT at_ms FROM beats WHERE table_id = CAST(? AS TEXT)", _raw(table))
        return row[0] if row is not None and isinstance(row[0], int) else None

    def close(self) -> None:
        """Lets go of the file."""
        self._connection.close()

    def _one(self, query: str, *values: object) -> Any:
        return next(self._rows(query, *values), None)

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        given = 0
        try:
            for row in self._connection.execute(query, values):
                given += 1
                yield row
        except sqlite3.OperationalError as error:
            if "decode" not in str(error):
                raise self._unreadable(error) from error
            # Text that is not UTF-8 is what somebody put there: it is read as it is and judged elsewhere.
            self._connection.text_factory = _any_text
            yield from islice(self._connection.execute(query, values), given, None)
        except sqlite3.Error as error:
            raise self._unreadable(error) from error

    def _damaged(self, error: ValueError) -> StoreError:
        return StoreError(f"The journal {self.address!r} is damaged: {error}.")

    def _unreadable(self, error: sqlite3.Error) -> StoreError:
        return StoreError(f"The journal {self.address!r} cannot be read to its end: {error}.")


def _other_schema(address: str, version: int) -> StoreError:
    known = len(MIGRATIONS)
    if version > known:
        return NewerSchema(
            f"The journal {address!r} was written by a newer croupier: its schema is version {version}, "
            f"and this one knows {known}. Install a newer croupier."
        )
    return StoreError(f"The journal {address!r} has no schema that croupier has ever written.")


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that sees the file as it is now for as long as it is open."""
    path = path.resolve()  # what SQLite keeps beside a journal lies there
    address = path.as_uri()
    try:
        return _begin(f"{address}?mode=ro")
    except sqlite3.OperationalError:
        # A folder that cannot be written to has no room for what SQLite keeps beside an open journal.
        if _has_log(path):
            raise
        return _begin(f"{address}?immutable=1")


def _has_log(path: Path) -> bool:
    """Whether a log lies beside a file, or may do so for all that can be seen."""
    try:
        return what_is_at(path.with_name(f"{path.name}-wal")) != "nothing"
    except OSError:
        return True


def _begin(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=5)
    try:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _any_text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _raw(table: object) -> object:
    return table.encode("utf-8", "surrogateescape") if isinstance(table, str) else table


def _name(table: object) -> str:
    return table if isinstance(table, str) else repr(table)

"""A seal over the rows of a live projection: rows that somebody else removed, added or changed are noticed.

The rows of a stream are summed up, each by its hash, as the database writes them; which of them are written
first does not matter, and a row that is changed or removed is taken out of the sum. With the head of the
stream, the sum is the stream's seal. There is no secret in it: whoever removes rows and makes the seal anew
is not found out by it. What counts is in the journal, and everything here can be made again from it.
"""

import hashlib
import sqlite3
from typing import Any, Final

import msgspec

from croupier.journal import Head

SOURCES: Final = "sources"
"""The table that has the seals."""

_MODULUS: Final = 2**256
_ENCODE: Final = msgspec.msgpack.Encoder().encode


class Seals:
    """By stream, the sum of the rows that a connection has written, and of those that it found."""

    def __init__(self, connection: sqlite3.Connection, tables: tuple[str, ...]) -> None:
        self._connection = connection
        self._tables = [name for name in tables if name != SOURCES]
        self._sums: dict[str, int] = {}
        connection.create_function("summed", -1, self._sum)
        # A row that is replaced is one that is removed, and only so are the triggers told of it.
        connection.execute("PRAGMA recursive_triggers = ON")
        for name in self._tables:
            self._follow(name)

    def _follow(self, table: str) -> None:
        """Has the database tell of every row; triggers of this connection alone, which no file has."""
        columns = [row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")]
        place = columns.index("table_id")

        def told(row: str, sign: int) -> str:
            values = ", ".join(f"{row}.{column}" for column in columns)
            return f"SELECT summed({sign}, {place}, '{table}', {values});"

        for act, does in (
            ("INSERT", told("NEW", 1)),
            ("DELETE", told("OLD", -1)),
            ("UPDATE", told("OLD", -1) + told("NEW", 1)),
        ):
            name = f"summed_{table}_{act.lower()}"
            self._connection.execute(
                f"CREATE TEMP TRIGGER {name} AFTER {act} ON main.{table} BEGIN {does} END"
            )

    def _sum(self, sign: int, place: int, table: str, *row: Any) -> None:
        stream = row[place]
        self._sums[stream] = (self._sums.get(stream, 0) + sign * _number_of(table, row)) % _MODULUS

    def measure(self) -> set[str]:
        """Sums up the rows that are there; gives the streams that they are of."""
        self._sums = {}
        for table in self._tables:
            rows = self._connection.execute(f"SELECT * FROM {table}")
            place = [column[0] for column in rows.description].index("table_id")
            for row in rows:
                self._sum(1, place, table, *row)
        return {*self._sums}

    def seal(self, stream: str, head: Head) -> bytes:
        """What is kept with the head of a stream's rows."""
        return hashlib.sha256(_ENCODE((stream, *head, str(self._sums.get(stream, 0))))).digest()


def _number_of(table: str, row: tuple[Any, ...]) -> int:
    return int.from_bytes(hashlib.sha256(_ENCODE((table, row))).digest(), "big")

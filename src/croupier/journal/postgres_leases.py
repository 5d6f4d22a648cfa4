"""Leases on tables as advisory locks of the PostgreSQL database that holds their journals."""

import threading
from contextlib import suppress
from hashlib import sha256
from typing import Final

import psycopg
from psycopg.rows import TupleRow

from croupier.journal.postgres_database import Address
from croupier.journal.postgres_limit import answered_within
from croupier.journal.postgres_session import Session, session_after
from croupier.journal.store import StoreError

_ANYBODYS: Final = """
    FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
_OURS: Final = f"{_ANYBODYS} AND pid = pg_backend_pid()"
_KEY: Final = "(classid::bigint << 32 | objid::bigint)"
"""The key of a lock as it was given: the server shows it in two halves."""

# A session may take the same lock again, and would have to give it back as often: what it has is not taken.
# One that can only read takes nothing: it may be with a standby, whose locks hold nobody else off.
_TAKE: Final = f"""
    SELECT CASE WHEN EXISTS (SELECT {_OURS} AND {_KEY} = %(key)s) THEN true
    WHEN current_setting('transaction_read_only')::boolean THEN null
    ELSE pg_try_advisory_lock(%(key)s) END
"""
_HELD: Final = f"SELECT {_KEY} {_OURS}"
_EVICT: Final = f"""
    SELECT pg_terminate_backend(pid, 5000) {_ANYBODYS} AND pid <> pg_backend_pid() AND {_KEY} = %(key)s
"""
_GIVE_BACK: Final = "SELECT pg_advisory_unlock(%(key)s)"
_GIVE_ALL_BACK: Final = "SELECT pg_advisory_unlock_all()"


def lease_key(table: str) -> int:
    """The number of a table's advisory lock; always negative, and so never another lock of a journal's.

    >>> lease_key("roulette-1") == lease_key("roulette-1"), lease_key("roulette-1") == lease_key("roulette-2")
    (True, False)
    """
    whole = int.from_bytes(sha256(f"croupier lease\n{table}".encode()).digest()[:8])
    return whole // 2 - 2**63


class PostgresLeases:
    """Leases as advisory locks of a connection to the journal's database: they end with it, however it ends.

    The connection has to be one to the server itself: a pool in between that lends connections for single
    transactions would take the locks along. Every call waits for the database; any thread may make it.
    """

    def __init__(self, address: str) -> None:
        self._address = Address(address)
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[TupleRow] | None = None
        self._session: Session | None = None
        self._held: set[str] = set()
        self._was_lost = ""
        """How something that was held has been lost, until whoever held it has been told."""
        self._is_closed = False

    def take(self, table: str) -> bool:
        """Whether the table is ours now, or was already; connects where there is no connection any more."""
        with self._lock:
            self._check_open()
            if self._connection is not None:
                try:
                    return self._take(self._connection, table)
                except psycopg.Error as error:
                    sentence = self._address.sentence(error)
                    if not self._noticed_loss(sentence):
                        raise self._refused(sentence) from None
            try:
                self._connection = self._connected()
                return self._take(self._connection, table)
            except psycopg.Error as error:
                sentence = self._address.sentence(error)
                self._noticed_loss(sentence)
            # The error itself is not passed on: it may repeat a password.
            raise self._refused(sentence) from None

    def held(self) -> frozenset[str]:
        """What is ours still, as the database says; raises `StoreError` once where something was lost."""
        with self._lock:
            self._check_open()
            if self._connection is not None and not self._was_lost:
                try:
                    with answered_within(self._connection):
                        keys = {row[0] for row in self._connection.execute(_HELD).fetchall()}
                except psycopg.Error as error:
                    self._lose(self._address.sentence(error))
                else:
                    self._held = {table for table in self._held if lease_key(table) in keys}
            if self._was_lost:
                # What was taken since goes too: whoever is told that nothing is ours any more can rely on it.
                sentence, self._was_lost = self._was_lost, ""
                self._disconnect()
                raise StoreError(
                    "The tables of this server are its own no longer: the connection to "
                    f"{self._address.place} that held them was lost: {sentence}."
                )
            return frozenset(self._held)

    def give_back(self, table: str) -> None:
        """Lets another have the table; what was lost with the connection is given back already."""
        with self._lock:
            if table not in self._held or self._connection is None:
                return
            try:
                with answered_within(self._connection):
                    self._connection.execute(_GIVE_BACK, {"key": lease_key(table)})
            except psycopg.Error as error:
                sentence = self._address.sentence(error)
                if not self._connection.closed:
                    raise self._refused(sentence) from None
                self._held.discard(table)  # nobody misses this one
                self._lose(sentence)
            self._held.discard(table)

    def evict(self, table: str) -> None:
        """Ends the connection of another that holds a table, with all that it holds."""
        with self._lock:
            self._check_open()
            if self._connection is None:
                return  # whoever wants the table has tried to take it before, and is connected
            try:
                with answered_within(self._connection):
                    self._connection.execute(_EVICT, {"key": lease_key(table)})
            except psycopg.Error as error:
                sentence = self._address.sentence(error)
                self._noticed_loss(sentence)
                raise self._refused(sentence) from None

    def close(self) -> None:
        """Gives everything back; another can have it as soon as this returns."""
        with self._lock:
            self._is_closed = True
            if self._connection is not None and not self._connection.closed:
                # Where that fails, the server does it once it notices that nobody is there any more.
                with suppress(psycopg.Error), answered_within(self._connection):
                    self._connection.execute(_GIVE_ALL_BACK)
            self._disconnect()

    def _connected(self) -> psycopg.Connection[TupleRow]:
        """A new connection; the one before it holds nothing any more, even if the server has not noticed."""
        connection = self._address.connect()
        try:
            with answered_within(connection):
                self._session = session_after(connection, self._session)
        except BaseException:
            connection.close()
            raise
        return connection

    def _take(self, connection: psycopg.Connection[TupleRow], table: str) -> bool:
        key = {"key": lease_key(table)}
        try:
            with answered_within(connection):
                row = connection.execute(_TAKE, key).fetchone()
        except psycopg.Error:
            if table not in self._held and not connection.closed:
                self._undo(connection, key)
            raise
        if row == (None,):
            if not self._held:
                connection.close()  # it may be such for its life, while another one could write
            raise psycopg.errors.ReadOnlySqlTransaction("the session can only read")
        if row == (True,):
            self._held.add(table)
            return True
        self._held.discard(table)
        return False

    def _undo(self, connection: psycopg.Connection[TupleRow], key: dict[str, int]) -> None:
        """Nobody knows whether a lock was taken before the statement failed: it must not stay behind."""
        try:
            with answered_within(connection):
                connection.execute(_GIVE_BACK, key)
        except psycopg.Error:
            connection.close()

    def _noticed_loss(self, sentence: str) -> bool:
        """Whether the connection is gone, and everything that was held with it."""
        if self._connection is not None and not self._connection.closed:
            return False
        self._lose(sentence)
        return True

    def _lose(self, sentence: str) -> None:
        if self._held:
            self._was_lost = sentence
        self._disconnect()

    def _disconnect(self) -> None:
        self._held.clear()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreError(f"The leases in {self._address.place} are closed.")

    def _refused(self, sentence: str) -> StoreError:
        return StoreError(f"The database of leases {self._address.place} did not do as asked: {sentence}.")

"""Opening a store by its address: a file's path, or a PostgreSQL address."""

from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import Store, StoreError


def is_postgres(address: str) -> bool:
    """Whether an address names a PostgreSQL server.

    >>> is_postgres("postgresql://pit@db.example/casino"), is_postgres("journals.db")
    (True, False)
    """
    return address.startswith(("postgresql://", "postgres://"))


def open_store(address: str, *, must_exist: bool = False) -> Store:
    """The store at an address; made where there is none, unless it must exist."""
    if is_postgres(address):
        try:
            from croupier.journal.postgres import PostgresStore
        except ImportError as error:
            raise StoreError("PostgreSQL needs an extra: install croupier[postgres].") from error
        return PostgresStore(address, must_exist=must_exist)
    return SqliteStore(address, must_exist=must_exist)

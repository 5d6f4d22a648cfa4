"""Opening a store by its address: a file's path, or a PostgreSQL address."""

from pathlib import Path

from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import Store, StoreError


def is_postgres(address: str) -> bool:
    """Whether an address names a PostgreSQL server."""
    return address.startswith(("postgresql://", "postgres://"))


def open_store(address: str, *, must_exist: bool = False) -> Store:
    """The store at an address; a file is made where there is none, unless it must exist."""
    if is_postgres(address):
        try:
            from croupier.journal.postgres import PostgresStore
        except ImportError as error:
            raise StoreError("PostgreSQL needs an extra: install croupier[postgres].") from error
        return PostgresStore(address)
    path = Path(address)
    if must_exist and not path.is_file():
        raise StoreError(f"There is no journal {address!r}.")
    return SqliteStore(path)

"""Opening a store by its address: a file's path, or a PostgreSQL address."""

import ipaddress
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import Store, StoreError


def is_postgres(address: str) -> bool:
    """Whether an address names a PostgreSQL server.

    >>> is_postgres("postgresql://pit@db.example/casino"), is_postgres("journals.db")
    (True, False)
    """
    return address.startswith(("postgresql://", "postgres://"))


_CHECKED_TLS: Final = ("verify-ca", "verify-full")


def hosts_in_the_clear(address: str) -> list[str]:
    """The other machines that a PostgreSQL address reaches without TLS, or without asking who they are.

    >>> hosts_in_the_clear("postgresql://pit@db.example/casino")
    ['db.example']
    >>> hosts_in_the_clear("postgresql://pit@db.example/casino?sslmode=verify-full")
    []
    >>> hosts_in_the_clear("postgresql://pit@localhost/casino")
    []
    """
    parts = urlsplit(address)
    asked = parse_qs(parts.query)
    if asked.get("sslmode", [""])[-1] in _CHECKED_TLS:
        return []
    places = parts.netloc.rpartition("@")[2].split(",")
    named = [unquote(_without_port(place)) for place in places]
    for key in ("host", "hostaddr"):
        named += [host for given in asked.get(key, []) for host in given.split(",")]
    return [host for host in named if not _is_here(host)]


def _without_port(place: str) -> str:
    return place[1:].partition("]")[0] if place.startswith("[") else place.partition(":")[0]


def _is_here(host: str) -> bool:
    """Whether a name stands for this machine: none at all, a socket in a folder, or loopback."""
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def open_store(
    address: str, *, must_exist: bool = False, progress: Callable[[int, int], None] | None = None
) -> Store:
    """The store at an address; made where there is none, unless it must exist.

    Bringing a large file of an older schema forward takes minutes: `progress` is told how many records are
    done, and of how many. When it is told of all, what was done still has to get to the disk.
    """
    if is_postgres(address):
        try:
            from croupier.journal.postgres import PostgresStore
        except ImportError as error:
            raise StoreError("PostgreSQL needs an extra: install croupier[postgres].") from error
        return PostgresStore(address, must_exist=must_exist)
    return SqliteStore(address, must_exist=must_exist, progress=progress)

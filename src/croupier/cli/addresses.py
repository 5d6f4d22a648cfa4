"""Addresses of journals as they may be shown."""


def shown(address: str) -> str:
    """An address without a password in it.

    >>> shown("floor.db")
    'floor.db'
    """
    from croupier.journal.opening import is_postgres

    if not is_postgres(address):
        return address
    from croupier.journal.postgres_database import Address

    return Address(address).place

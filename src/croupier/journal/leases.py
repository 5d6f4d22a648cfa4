"""Which server runs which table, where several servers share one journal in PostgreSQL.

A lease keeps servers from getting into each other's way. What protects the books is the fence of the journal:
whoever writes without a lease, or with one that ended unnoticed, is fenced as soon as another has written.
"""

from typing import Protocol


class Leases(Protocol):
    """Which tables this process may run: a table has one owner at a time."""

    def take(self, table: str) -> bool:
        """Whether the table is ours now, or was already; False where another holds it."""

    def held(self) -> frozenset[str]:
        """What is ours still, as the database says.

        Raises `StoreError` where it cannot be asked, or where what was held has been lost: then nothing is
        ours any more, and whoever runs a table steps down.
        """

    def give_back(self, table: str) -> None:
        """Lets another have the table; nothing happens where it is not ours."""

    def evict(self, table: str) -> None:
        """Ends the lease of another that has it and shows no sign of life; it can be taken then.

        It may wake up again, and finds that it has been fenced.
        """

    def close(self) -> None:
        """Gives everything back."""

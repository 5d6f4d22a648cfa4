"""A store whose appends are timed."""

from collections.abc import Sequence

from croupier.journal import Record, Store
from croupier.server.metrics import Metrics


class TimedStore:
    """Does what the store behind it does, and has the time of every durable write counted."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._commit = metrics.commit
        self.head = store.head
        self.tables = store.tables
        self.claimant = store.claimant
        self.claims = store.claims
        self.first_of = store.first_of
        self.save_snapshot = store.save_snapshot
        self.snapshot = store.snapshot
        self.beat = store.beat
        self.last_beat = store.last_beat
        self.close = store.close
        self.read = store.read
        self.stretches = store.stretches

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        """Writes records and claims durably, all or none."""
        with self._commit.time():
            self._store.append(records, claims)

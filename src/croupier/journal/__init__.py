"""Append-only journals: numbered, hash-chained, durable, in SQLite or PostgreSQL."""

from croupier.journal.opening import open_store
from croupier.journal.record import (
    EMPTY,
    GENESIS,
    Draft,
    Head,
    Link,
    Record,
    Run,
    Stretch,
    canonical,
    hash_of,
    is_plain,
    link,
    linked,
    loose,
    misfit,
)
from croupier.journal.store import ClaimTaken, Fenced, NewerSchema, NumberUsed, Snapshot, Store, StoreError

__all__ = [
    "EMPTY",
    "GENESIS",
    "ClaimTaken",
    "Draft",
    "Fenced",
    "Head",
    "Link",
    "NewerSchema",
    "NumberUsed",
    "Record",
    "Run",
    "Snapshot",
    "Store",
    "StoreError",
    "Stretch",
    "canonical",
    "hash_of",
    "is_plain",
    "link",
    "linked",
    "loose",
    "misfit",
    "open_store",
]

"""Opening a table from its journal: the latest snapshot that fits the chain, and what came after it."""

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from croupier.floor.codec import entry_of
from croupier.journal import EMPTY, Head, Snapshot, Store, StoreError, misfit
from croupier.rulebook import Book, load_book
from croupier.table import Rules, State, evolve
from croupier.table.events import TableCreated
from croupier.table.state import new_state

STATE_FORMAT: Final = "state/1"
"""Names the shape of a state in snapshots; one of another shape is not used."""

_STATE: Final = msgspec.msgpack.Decoder(State)


class DamagedJournal(StoreError):
    """A journal whose chain does not hold."""


class Loaded(NamedTuple):
    """A table as its journal has it."""

    rules: Rules
    state: State
    head: Head


def load_table(store: Store, table: str, find_book: Callable[[str], Book] = load_book) -> Loaded | None:
    """The table's present state, replayed from its journal; None where it has none."""
    promised = store.head(table)
    if promised == EMPTY:
        return None
    rules = rules_of(store, table, find_book)
    state, head = _from_snapshot(store, table)
    for record in store.read(table, head.sequence):
        if (reason := misfit(record, head)) is not None:
            raise DamagedJournal(f"Record {record.sequence} of table {table} does not fit: {reason}.")
        entry = entry_of(record)
        if state is None:
            state = new_state(_created(entry.event).settings)
        evolve(rules, state, entry)
        head = Head(record.sequence, record.hash)
    if head != promised or state is None:
        raise DamagedJournal(
            f"The journal of table {table} ends at {head.sequence}, not at {promised.sequence}."
        )
    return Loaded(rules, state, head)


def rules_of(store: Store, table: str, find_book: Callable[[str], Book] = load_book) -> Rules:
    """The rules that a table was created with; refuses a book that has changed since."""
    created = _created(entry_of(next(store.read(table))).event)
    book = find_book(created.settings.book)
    if book.sha256 != created.book_sha256:
        raise StoreError(
            f"Table {table} was created with another version of the book {book.id}; "
            "open it with the file it was created with."
        )
    return Rules(book, created.settings.layout)


def _created(event: object) -> TableCreated:
    if not isinstance(event, TableCreated):
        raise DamagedJournal("The first record of a table is its creation; this one is something else.")
    return event


def _from_snapshot(store: Store, table: str) -> tuple[State | None, Head]:
    """A snapshot's state, if it is of our format and stands behind the record it says."""
    snapshot = store.snapshot(table)
    if snapshot is None or snapshot.format != STATE_FORMAT or snapshot.sequence < 1:
        return None, EMPTY
    record = next(store.read(table, snapshot.sequence - 1), None)
    if record is None or record.sequence != snapshot.sequence or record.hash != snapshot.hash:
        return None, EMPTY
    try:
        state = _STATE.decode(snapshot.content)
    except msgspec.MsgspecError:
        return None, EMPTY  # a cache that cannot be read is no cache
    if state.sequence != snapshot.sequence:
        return None, EMPTY
    return state, Head(snapshot.sequence, snapshot.hash)


def snapshot_of(state: State, head: Head) -> Snapshot:
    """A snapshot of a table behind the record it has come to."""
    return Snapshot(head.sequence, head.hash, STATE_FORMAT, msgspec.msgpack.encode(state))

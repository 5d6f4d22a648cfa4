"""Opening a table from its journal: the latest snapshot that fits the chain, and what came after it."""

import contextlib
import gc
import hashlib
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from croupier.floor.codec import UnreadableRecord, entry_of
from croupier.floor.reading import OffChain, told_behind
from croupier.journal import EMPTY, Head, Record, Snapshot, Store, StoreError, misfit
from croupier.rulebook import BadInput, Book, BookFaults, load_book
from croupier.table import Entry, Rules, State, evolve, table_rules
from croupier.table.events import TableCreated
from croupier.table.state import new_state

STATE_FORMAT: Final = "state/1"
"""Names the shape of a state in snapshots; one of another shape is not used.

It is another one too where records lead to another state than before: a verifier compares the two.
"""

_STATE: Final = msgspec.msgpack.Decoder(State)


class DamagedJournal(StoreError):
    """A journal whose chain does not hold."""


class Loaded(NamedTuple):
    """A table as its journal has it."""

    rules: Rules
    state: State
    head: Head
    kept: int
    """The record that the snapshot stood behind; 0 where none was used."""


def load_table(store: Store, table: str, find_book: Callable[[str], Book] = load_book) -> Loaded | None:
    """The table's present state, replayed from its journal; None where it has none."""
    with _no_collector():
        return _loaded(store, table, find_book)


@contextlib.contextmanager
def _no_collector() -> Iterator[None]:
    """Has Python not look for rings of garbage: a history leaves none, and looking takes time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _loaded(store: Store, table: str, find_book: Callable[[str], Book]) -> Loaded | None:
    promised = store.head(table)
    if promised == EMPTY:
        return None
    rules = rules_of(store, table, find_book)
    state, head = _from_snapshot(store, table)
    kept = head.sequence
    try:
        for first, entries, hashes in told_behind(table, head, store.stretches(table, head.sequence)):
            for entry in entries:
                if state is None:
                    state = new_state(_created(entry.event).settings)
                evolve(rules, state, entry)
            head = _head_behind(head, first, hashes[: len(entries)], promised)
            if head.sequence == promised.sequence and head != promised:
                break
    except OffChain as error:
        raise DamagedJournal(f"Record {error.sequence} of table {table} does not fit: {error}.") from None
    except UnreadableRecord as error:
        raise DamagedJournal(
            f"Record {head.sequence + 1} of table {table} cannot be read: {error}."
        ) from error
    is_behind = head.sequence < promised.sequence or (head.sequence == promised.sequence and head != promised)
    if is_behind or state is None:
        raise DamagedJournal(
            f"The journal of table {table} ends at {head.sequence}, not at {promised.sequence}."
        )
    return Loaded(rules, state, head, kept)


def _head_behind(head: Head, first: int, hashes: list[bytes], promised: Head) -> Head:
    """Where the chain has come to; where it has passed the promised head and is another one, that place."""
    if not hashes:
        return head
    last = first + len(hashes) - 1
    if first <= promised.sequence <= last and hashes[promised.sequence - first] != promised.hash:
        return Head(promised.sequence, hashes[promised.sequence - first])
    return Head(last, hashes[-1])


def rules_of(store: Store, table: str, find_book: Callable[[str], Book] = load_book) -> Rules:
    """The rules that a table was created with; refuses a book that has changed since."""
    created = creation_of(store, table)
    book = find_book(created.settings.book)
    if book.sha256 != created.book_sha256:
        raise StoreError(
            f"Table {table} was created with another version of the book {book.id}; "
            "open it with the file it was created with."
        )
    return table_rules(book, created.settings)


def currency_of(store: Store, table: str, find_book: Callable[[str], Book] = load_book) -> str:
    """The currency that a table plays in; "" where the book is not at hand that it was created with."""
    try:
        created = creation_of(store, table)
    except DamagedJournal:
        return ""
    return currency_by(created, find_book)


def currency_by(created: TableCreated, find_book: Callable[[str], Book] = load_book) -> str:
    """The currency that a table plays in which was created so; "" where its book is not at hand."""
    try:
        book = find_book(created.settings.book)
    except (BadInput, BookFaults):
        return ""
    return book.currency if book.sha256 == created.book_sha256 else ""


def creation_of(store: Store, table: str) -> TableCreated:
    """How a table was created, by the first record of its journal."""
    first = next(store.read(table), None)
    if first is None or (reason := misfit(first, EMPTY)) is not None:
        reason = "it is not there" if first is None else reason
        raise DamagedJournal(f"The first record of table {table} does not fit: {reason}.")
    return _created(_entry(first).event)


def _entry(record: Record) -> Entry:
    try:
        return entry_of(record)
    except UnreadableRecord as error:
        sentence = f"Record {record.sequence} of table {record.table} cannot be read: {error}."
        raise DamagedJournal(sentence) from error


def _created(event: object) -> TableCreated:
    if not isinstance(event, TableCreated):
        raise DamagedJournal("The first record of a table is its creation; this one is something else.")
    return event


def _from_snapshot(store: Store, table: str) -> tuple[State | None, Head]:
    """A snapshot's state, if it can be used and stands behind the record it says."""
    snapshot = store.snapshot(table)
    state = None if snapshot is None else state_of(table, snapshot)
    if snapshot is None or state is None:
        return None, EMPTY
    record = next(store.read(table, snapshot.sequence - 1), None)
    if record is None or record.sequence != snapshot.sequence or record.hash != snapshot.hash:
        return None, EMPTY
    return state, Head(snapshot.sequence, snapshot.hash)


def state_of(table: str, snapshot: Snapshot) -> State | None:
    """The state that a snapshot holds; None where it is of another format, was changed or cannot be read."""
    # A damaged database may hold something else in each of these places.
    values: tuple[Any, ...] = snapshot
    sequence, own, format_, content = values
    if not (isinstance(sequence, int) and isinstance(own, bytes) and isinstance(content, bytes)):
        return None
    if sequence < 1 or format_ != _format_of(table, snapshot):
        return None
    try:
        state = _STATE.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None  # a cache that cannot be read is no cache
    return state if state.sequence == sequence else None


def snapshot_of(table: str, state: State, head: Head) -> Snapshot:
    """A snapshot of a table behind the record it has come to."""
    snapshot = Snapshot(head.sequence, head.hash, "", msgspec.msgpack.encode(state))
    return snapshot._replace(format=_format_of(table, snapshot))


def _format_of(table: str, snapshot: Snapshot) -> str:
    """The shape of a snapshot and a hash of all of it: one that was changed or mixed up is not used."""
    content = hashlib.sha256(f"{table}\n{snapshot.sequence}\n".encode() + snapshot.hash + snapshot.content)
    return f"{STATE_FORMAT} {content.hexdigest()}"

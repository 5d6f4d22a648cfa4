"""Recall of any round at any age: read straight from the journal, and only where it stands there."""

import sqlite3
from collections.abc import Iterator

from croupier.floor.live_projection_rows import credits_before, read_entry
from croupier.journal import Store
from croupier.table import Entry, RoundRecall, postings
from croupier.table import events as e
from croupier.table.ledger import credits_of, post


def recall_from(connection: sqlite3.Connection, store: Store, table: str, number: int) -> RoundRecall | None:
    """A round with what was done to it later, as `recall_round` gives it; None where it never was.

    A round stands in one span of the journal, and every later act on it in a span of its own. Before each,
    no more records are read than stand between two notes of all credits.
    """
    spans = connection.execute(
        "SELECT first, last FROM spans WHERE table_id = ? AND round = ? ORDER BY first", (table, number)
    ).fetchall()
    if not spans:
        return None
    recall = RoundRecall(number=number)
    for first, last in spans:
        after, balances = credits_before(connection, table, first)
        for sequence, entry in _entries(store, table, after, last):
            event = entry.event
            if sequence >= first and getattr(event, "round", None) in (None, number):
                _join(recall, event, balances)
                post(balances, postings(event))
                recall.entries.append(entry)
                _note_credits(recall, event, balances)
            else:
                post(balances, postings(event))
    recall.holders = len(recall.credits_before_cents)
    return recall


def _entries(store: Store, table: str, after: int, last: int | None) -> Iterator[tuple[int, Entry]]:
    for record in store.read(table, after):
        if last is not None and record.sequence > last:
            return
        yield record.sequence, read_entry(record)


def _join(recall: RoundRecall, event: e.Event, balances: dict[str, int]) -> None:
    """A seat takes part from its first bet on."""
    if isinstance(event, e.BetsChanged) and event.seat not in recall.credits_before_cents:
        recall.credits_before_cents[event.seat] = balances.get(credits_of(event.seat), 0)


def _note_credits(recall: RoundRecall, event: e.Event, balances: dict[str, int]) -> None:
    seat: str | None = getattr(event, "seat", None)
    if seat is not None and seat in recall.credits_before_cents:
        account = credits_of(seat)
        if any(account in (posting.source, posting.destination) for posting in postings(event)):
            recall.credits_after_cents[seat] = balances.get(account, 0)

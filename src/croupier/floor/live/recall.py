"""Recall of any round at any age: read straight from the journal, and only where it stands there."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from croupier.floor.live.rows import credits_before, head_of, read_entry
from croupier.journal import Store
from croupier.table import History, RoundRecall
from croupier.table.recall import SEAT_ROUNDS

_FIRST: Final = 1
"""Where a journal begins."""


_Span = tuple[int, int | None]
"""The first record and the last; None where that is the table's last."""


class _Kept(NamedTuple):
    stands: tuple[tuple[_Span, ...], int | None]
    """Where the round stands; up to which record, where its last span goes on."""
    recall: RoundRecall


class Recalls:
    """Rounds with what was done to them later, as `recall_round` gives each.

    A round stands in one span of the journal, and every later act on it in a span of its own. What moved
    credits before the round began stands behind the round before, and what moved them since it ended before
    the next one. Before each span, no more records are read than stand between two notes of all credits.

    The seats of a table look back at the same rounds, all at once where they come in again: the last ones
    that were asked for are kept of each table, for as long as they stand where they stood.
    """

    def __init__(self) -> None:
        self._kept: dict[str, dict[int, _Kept]] = {}

    def forget(self) -> None:
        """Believes no round that was read before."""
        self._kept.clear()

    def find(
        self, connection: sqlite3.Connection, store: Store, table: str, numbers: Iterable[int]
    ) -> dict[int, RoundRecall]:
        """Some rounds of a table, by number, without those that never were."""
        kept = self._kept.setdefault(table, {})
        head = head_of(connection, table).sequence
        parts = {number: _parts(connection, table, number) for number in numbers}
        stands = {
            number: (tuple(spans), head if any(last is None for _, last in spans) else None)
            for number, spans in parts.items()
        }
        known = {number: kept.pop(number) for number in parts if number in kept}
        known = {number: found for number, found in known.items() if found.stands == stands[number]}
        unknown = {number: spans for number, spans in parts.items() if number not in known}
        for number, recall in _read(connection, store, table, unknown).items():
            known[number] = _Kept(stands[number], recall)
        kept.update(known)
        for number in [*kept][:-SEAT_ROUNDS]:
            del kept[number]
        return {number: found.recall for number, found in known.items()}


def _read(
    connection: sqlite3.Connection, store: Store, table: str, parts: Mapping[int, list[_Span]]
) -> dict[int, RoundRecall]:
    history = History(seat_rounds=1, table_rounds=1, pinned=parts)
    read_to = 0
    for first, last in sorted((span for spans in parts.values() for span in spans), key=lambda span: span[0]):
        noted, balances = credits_before(connection, table, first)
        if noted > read_to:
            history.go_on_from(balances)
            read_to = noted
        for record in store.read(table, read_to):
            if last is not None and record.sequence > last:
                break
            history.record(read_entry(record))
            read_to = record.sequence
    found = {number: history.round(number) for number in parts}
    return {number: recall for number, recall in found.items() if recall is not None}


def _parts(connection: sqlite3.Connection, table: str, number: int) -> list[_Span]:
    """Where everything stands that is read for a round."""
    spans = _spans(connection, table, number)
    if not spans:
        return []
    before, behind = (_spans(connection, table, beside) for beside in (number - 1, number + 1))
    begins = before[0][0] if before else _FIRST
    ends = behind[0][0] if behind else None
    return [(begins, ends), *spans[1:]]


def _spans(connection: sqlite3.Connection, table: str, number: int) -> list[_Span]:
    return connection.execute(
        "SELECT first, last FROM spans WHERE table_id = ? AND round = ? ORDER BY first", (table, number)
    ).fetchall()

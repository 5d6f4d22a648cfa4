"""What a running journal adds up to in reports: followed from where it was last kept, and kept again."""

import logging
from collections.abc import Callable
from typing import Final

from croupier.floor.cage.fold import CageFold, CagePart
from croupier.floor.cage.vouchers import CAGE
from croupier.floor.codec import UnreadableRecord, entry_of
from croupier.floor.loading import DamagedJournal
from croupier.floor.reports.calendar import Calendar
from croupier.floor.reports.fold import ReportsFold, TablePart
from croupier.floor.reports.keeping import Keeping
from croupier.floor.streams import is_table
from croupier.journal import EMPTY, Head, Store, StoreError
from croupier.rulebook import Book, load_book

LOG: Final = logging.getLogger("croupier.floor")

KEEP_EVERY: Final = 20_000
"""How many records are read again at most after a start, of a table that was followed to its end before."""
_AT_LEAST_EVERY: Final = 500_000
"""The same on the way through a long journal, which a stop may end."""

_OF_TABLE: Final = "table "
_OF_CAGE: Final = "cage"


class LiveFigures:
    """The figures of all tables and of the cage, up to date whenever they are followed."""

    def __init__(
        self,
        store: Store,
        calendar: Calendar,
        key: bytes,
        find_book: Callable[[str], Book] = load_book,
        go_on: Callable[[], None] = lambda: None,
    ) -> None:
        """`key` is what the floor seals kept figures with, and nothing else."""
        self._store = store
        self._calendar = calendar
        self._find_book = find_book
        self._go_on = go_on
        """Asked before each record; raises where it is not to be read any more."""
        self._keeping = Keeping(store, calendar, key, find_book)
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Knows nothing but what is kept."""
        self.reports = ReportsFold(self._calendar, self._find_book)
        self.cage = CageFold(self._calendar, self._find_book)
        self._heads: dict[str, Head] = {}
        """By table, the last record that reports have taken."""
        self._cage_heads: dict[str, Head] | None = None
        """By table and for the cage, the last record that the cage's figures have taken."""
        self._not_kept: dict[str, int] = {}
        """By what is kept, how many records it has taken since."""

    def tables(self) -> list[str]:
        """The tables that were followed."""
        return [*self._heads]

    def follow(self) -> None:
        """Reads what tables have recorded since the last time."""
        self._look_back()
        self._follow_tables()

    def follow_cage(self) -> None:
        """Reads what tables and the cage have recorded since the last time."""
        self._look_back()
        cage_heads = self._of_cage()
        # Read before the tables are: whatever they are about, its issue is then among what tables have.
        records = [*self._store.read(CAGE, cage_heads.get(CAGE, EMPTY).sequence)]
        self._follow_tables()
        for record in records:
            self.cage.take(record)
            cage_heads[CAGE] = Head(record.sequence, record.hash)

    def _look_back(self) -> None:
        """Adds up nothing behind records that the journal does not hold any more, and keeps no such sums.

        A database that lost its newest records, or a backup that was put back, has others in their places.
        """
        read = {*self._heads.items(), *(self._cage_heads or {}).items()}
        if not all(self._keeping.holds(stream, head) for stream, head in read if head != EMPTY):
            LOG.warning("the journal lacks records that figures were made of: they are added up again")
            self._begin_anew()

    def _follow_tables(self) -> None:
        for stream in self._store.tables():
            if is_table(stream):
                self._follow(stream)
                self._keep_now_and_then(stream, KEEP_EVERY)

    def _follow(self, table: str) -> None:
        cage_heads = self._of_cage()
        if table not in self._heads:
            self._heads[table] = self._begin(table)
        read_to = self._heads[table].sequence
        for_cage = cage_heads.get(table, EMPTY).sequence
        for record in self._store.read(table, min(read_to, for_cage)):
            self._go_on()
            try:
                entry = entry_of(record)
            except UnreadableRecord as error:
                sentence = f"Record {record.sequence} of table {table} {error.verdict}: {error}."
                raise DamagedJournal(sentence) from error
            head = Head(record.sequence, record.hash)
            if record.sequence > read_to:
                self.reports.take(table, record.sequence, entry)
                self._heads[table] = head
                self._count(_OF_TABLE + table)
            if record.sequence > for_cage:
                self.cage.follow(table, entry)
                cage_heads[table] = head
                self._count(_OF_CAGE)
            if record.sequence % _AT_LEAST_EVERY == 0:
                self._keep_now_and_then(table, _AT_LEAST_EVERY)

    def _begin(self, table: str) -> Head:
        """Where a table's figures end that were kept; they are those of today if they are used."""
        kept = self._keeping.kept(_OF_TABLE + table, TablePart)
        if kept is None:
            return EMPTY
        heads, currencies, part = kept
        self.reports.go_on_from(table, currencies[table], part)
        return heads[table]

    def _of_cage(self) -> dict[str, Head]:
        """Where what the cage's figures have taken ends; those that were kept are looked for once."""
        if self._cage_heads is None:
            kept = self._keeping.kept(_OF_CAGE, CagePart)
            if kept is None:
                self._cage_heads = {}
            else:
                self._cage_heads, currencies, part = kept
                self.cage.go_on_from(currencies, part)
        return self._cage_heads

    def _count(self, name: str) -> None:
        self._not_kept[name] = self._not_kept.get(name, 0) + 1

    def _keep_now_and_then(self, table: str, every: int) -> None:
        """Keeps what has taken many records since; where that fails, it is read again some day."""
        try:
            if self._is_due(_OF_TABLE + table, every):
                currencies = {table: self.reports.currencies[table]}
                part = self.reports.part_of(table)
                self._keeping.keep(_OF_TABLE + table, {table: self._heads[table]}, currencies, part)
            if self._is_due(_OF_CAGE, every):
                money = self.cage.money
                self._keeping.keep(_OF_CAGE, self._of_cage(), money.currencies, self.cage.part())
        except StoreError as error:
            LOG.warning("the figures of table %s are not kept: %s", table, error)

    def _is_due(self, name: str, every: int) -> bool:
        is_due = self._not_kept.get(name, 0) >= every
        if is_due:
            self._not_kept[name] = 0
        return is_due

"""Follows the journal for what is asked again and again: reports, seats' last rounds, recall, events.

Everything is read in threads. Reports read the journal from where their figures were last kept, all else
from where the file of the projection ends, so that nobody who looks back at a round waits for them; later
only what was written since is read.
"""

import threading
from collections.abc import Callable, Container, Sequence

from croupier.floor.cage.cage import Cage
from croupier.floor.cage.report import CageReport, cage_report_of
from croupier.floor.cage.vouchers import Voucher
from croupier.floor.live.figures import LiveFigures
from croupier.floor.live.projection import LiveProjection, RoundResult
from croupier.floor.reports.calendar import ALL_DAYS, Calendar, GamingDays
from croupier.floor.reports.report import Report, report_of
from croupier.floor.significant.searching import EventPage, EventQuery
from croupier.journal import Store
from croupier.rulebook import Book, load_book
from croupier.server.threads import Stopping
from croupier.table import Actor, RoundRecall


class Remembering:
    """What the journal adds up to, up to date whenever it is asked; may be used from any thread."""

    def __init__(
        self,
        store: Store,
        projection: str,
        calendar: Calendar,
        figures_key: bytes,
        find_book: Callable[[str], Book] = load_book,
    ) -> None:
        self._store = store
        self._projection = LiveProjection(projection, store, self._read_on)
        self._lock = threading.Lock()
        self._figures = LiveFigures(store, calendar, figures_key, find_book, self._read_on)
        self._closed = False

    def close(self) -> None:
        """Lets go of the projection; what reads is to be over by then."""
        self._projection.close()

    def stop_reading(self) -> None:
        """Ends whatever reads."""
        self._closed = True

    def _read_on(self) -> None:
        if self._closed:
            raise Stopping

    def read_ahead(self) -> None:
        """Does what the first questions would wait for: looks the projection over, and reads all tables."""
        self._projection.look_over()
        self.keep_up()

    def keep_up(self) -> None:
        """Adds up what was recorded since the last time, so that it is kept, and no question waits for it."""
        with self._lock:
            self._figures.follow()

    def report(
        self,
        by: Sequence[str],
        days: GamingDays,
        table: str | None,
        *,
        running: Container[str],
        now_ms: int,
    ) -> Report:
        """A report over gaming days.

        What was not recorded yet is time: `running` tables were seen just now, others when their server was.
        """
        with self._lock:
            self._figures.follow()
            seen_ms = {
                name: now_ms if name in running else self._store.last_beat(name) or 0
                for name in self._figures.tables()
            }
            return report_of(self._figures.reports, by, days, table=table, seen_ms=seen_ms)

    def cage_report(
        self, by: Sequence[str], days: GamingDays, cashier: str | None, now_ms: int
    ) -> CageReport:
        """What the cage did over gaming days; where none is named, in the one that runs."""
        with self._lock:
            self._figures.follow_cage()
            cage = self._figures.cage
            now = cage.calendar.shift_of(now_ms)
            if days == ALL_DAYS:
                days = GamingDays(now.day, now.day)
            return cage_report_of(cage, by, days, cashier=cashier, shift=now.shift)

    def rounds_of_visit(self, table: str, seat: str) -> list[RoundRecall]:
        """What whoever sits at a seat now may look back at, newest first, with that seat's part alone."""
        return self._projection.rounds_of_visit(table, seat)

    def recall(self, table: str, number: int) -> RoundRecall | None:
        """Any round of a table, whole, whatever its age; None where it never was."""
        return self._projection.recall(table, number)

    def results(self, table: str, count: int) -> list[RoundResult]:
        """The last rounds of a table that are over, newest first."""
        self._projection.catch_up(table)
        return self._projection.results(table, count)

    def outstanding(self, now_ms: int, valid_days: int) -> list[Voucher]:
        """Every voucher without an end on record, oldest first."""
        self._projection.catch_up()
        return self._projection.outstanding(now_ms, valid_days)

    def vouchers_of(self, table: str, seat: str, count: int, now_ms: int, valid_days: int) -> list[Voucher]:
        """The last vouchers that a seat was given, newest first, whatever became of them."""
        self._projection.catch_up()
        return self._projection.vouchers_of(table, seat, count, now_ms, valid_days)

    def let_expire(self, cage: Cage, actor: Actor) -> list[Voucher]:
        """Records the end of every voucher whose time is over."""
        return cage.expire(actor, self._projection)

    def search(self, query: EventQuery, after: str | None, limit: int) -> EventPage:
        """A page of the significant events that are looked for."""
        self._projection.catch_up()
        return self._projection.search(query, after=after, limit=limit)

"""What a dispute bundle says of a round, brought together from a journal whose whole chain is checked.

Credits come from all records before them, so what lies before the round is read for the money that it moved.
Behind what bears on the round only the chain is followed: nothing there changes what the bundle says.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from croupier.floor.codec import UnreadableRecord
from croupier.floor.exports.bearing import found_bearing_on
from croupier.floor.loading import DamagedJournal
from croupier.floor.reading import OffChain, on_chain, read_told
from croupier.floor.verify.evidence import Evidence, as_hashed
from croupier.journal import EMPTY, Head, Record, Stretch
from croupier.journal.segment import record_of
from croupier.table import Entry, History, Limits, RoundRecall, postings
from croupier.table import events as e
from croupier.table.ledger import post
from croupier.table.recall import credits_moved

Told = tuple[Record, Entry]
"""A record, with what it holds."""


class Gathered(NamedTuple):
    """All that a bundle has of a round."""

    table: str
    number: int
    created: e.TableCreated
    limits: Limits | None
    """The limits in force when the round began."""
    head: Head
    """Where the chain ends."""
    recall: RoundRecall
    """The round as it is recalled."""
    bearing: Sequence[Told]
    """The records that bear on it, in order: their entries are those of the recall."""
    between: Sequence[Told]
    """The records of what moved credits between the round before and this one."""
    after: Sequence[Told]
    """The same of the time since the round, up to the next one."""


def gather(evidence: Evidence, table: str, number: int) -> Gathered:
    """What there is about a round; refuses a chain that does not hold, for then nothing is proved."""
    walk = _Walk(table, number, found_bearing_on(evidence, table, number))
    try:
        for stretch in on_chain(EMPTY, as_hashed(evidence, table)):
            walk.follow(stretch)
    except OffChain as error:
        raise DamagedJournal(f"Record {error.sequence} of table {table} does not fit: {error}.") from error
    except ValueError as error:
        raise DamagedJournal(f"The journal of table {table} is damaged: {error}.") from error
    if walk.head != evidence.head(table):
        raise DamagedJournal(f"The records of table {table} do not end where its head says.")
    return walk.gathered()


class _Walk:
    """Follows a table's chain, and reads of it what has to be known for one round."""

    def __init__(self, table: str, number: int, bearing: Sequence[Told]) -> None:
        self._table = table
        self._number = number
        self._bearing = bearing
        self._left = {record.sequence: entry for record, entry in bearing}
        """What the history has not been told yet of what bears on the round."""
        moving = (record.sequence for record, entry in bearing if credits_moved(entry.event) is not None)
        self._moves_to = max(moving, default=0)
        """The last of it that moved credits: these are told as they stood then."""
        self._created: e.TableCreated | None = None
        self._limits: Limits | None = None
        self.head = EMPTY
        self._balances: dict[str, int] = {}
        """Those before the first record that the history is told."""
        self._history = History(seat_rounds=1, table_rounds=1, pinned={number})
        self._is_near = number <= 1
        """Whether the round before has begun: from there on the history is told everything."""
        self._is_over = False
        """Whether the next round has begun."""
        self._idle: list[Told] | None = []
        """The records since a round last ended; None while one runs."""
        self._beside: list[Told] = []
        """The same of the time before the round and of the time after it."""

    def follow(self, stretch: Stretch) -> None:
        """The next records, which continue the chain; they are read only where they have to be known."""
        if not self._is_known_behind(self.head.sequence):
            self._read(stretch)
        self.head = Head(stretch.first + len(stretch.forms) - 1, stretch.hashes[-1])

    def _is_known_behind(self, sequence: int) -> bool:
        """Whether nothing behind a record has to be known but what bears on the round."""
        return self._is_over and sequence >= self._moves_to

    def _read(self, stretch: Stretch) -> None:
        entries, unreadable = list[Entry](), None
        try:
            read_told(self._table, stretch.first, stretch.forms, entries)
        except UnreadableRecord as error:
            unreadable = error
        for (sequence, form, own), entry in zip(stretch.numbered(), entries, strict=False):
            self._mark(entry.event)
            if not self._is_near:
                post(self._balances, postings(entry.event))
                continue
            told = self._left.pop(sequence, entry)
            self._history.record(told)
            if self._is_over:
                if self._is_known_behind(sequence):
                    return
            elif self._idle is not None:
                self._idle.append((record_of(self._table, sequence, form, own), told))
        if unreadable is not None:
            where = f"Record {stretch.first + len(entries)} of table {self._table}"
            raise DamagedJournal(f"{where} {unreadable.verdict}: {unreadable}.") from unreadable

    def _mark(self, event: e.Event) -> None:
        """Notes how the table is set, and where it stands."""
        if isinstance(event, e.TableCreated):
            self._created, self._limits = event, event.settings.limits
        elif isinstance(event, e.LimitsChanged) and self._recall is None:
            self._limits = event.new
        elif isinstance(event, e.RoundOpened):
            self._open(event.round)
        elif isinstance(event, e.RoundSettled | e.RoundVoided):
            self._idle = []

    def _open(self, number: int) -> None:
        if number in (self._number, self._number + 1):
            self._beside += self._idle or []
        if number == self._number - 1:
            self._history.go_on_from(self._balances)
            self._is_near = True
        elif number == self._number and not self._is_near:
            raise DamagedJournal(f"The journal of table {self._table} has no round before round {number}.")
        self._is_over = self._is_over or number == self._number + 1
        self._idle = None

    @property
    def _recall(self) -> RoundRecall | None:
        return self._history.round(self._number)

    def gathered(self) -> Gathered:
        """What was found, once the chain was followed to its end."""
        self._beside += self._idle or []
        for entry in self._left.values():
            self._history.record(entry)
        if (recall := self._recall) is None:
            sentence = f"The journal of table {self._table} has no beginning of round {self._number}."
            raise DamagedJournal(sentence)
        if self._created is None:
            raise DamagedJournal(f"The journal of table {self._table} does not begin with its creation.")
        return Gathered(
            self._table,
            self._number,
            self._created,
            self._limits,
            self.head,
            recall,
            self._bearing,
            self._records_of(recall.between),
            self._records_of(recall.after),
        )

    def _records_of(self, entries: Iterable[Entry]) -> list[Told]:
        wanted = {id(entry) for entry in entries}  # entries may be alike: the same sum bought twice
        return [(record, entry) for record, entry in self._beside if id(entry) in wanted]

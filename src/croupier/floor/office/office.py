"""The office: writes down who comes in and who may, in a stream of its own, and knows what it adds up to."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from croupier.floor.clock import Clock
from croupier.floor.codec import UnreadableRecord
from croupier.floor.loading import DamagedJournal
from croupier.floor.office.records import OFFICE, OfficeEntry, OfficeEvent, office_draft, office_entry_of
from croupier.floor.office.state import ImpossibleRecord, OfficeState, fold
from croupier.journal import EMPTY, ClaimTaken, Fenced, Head, Record, Store, StoreError, link, misfit

_TRIES: Final = 20
"""How often a record is tried again behind those of other writers."""


_READ_AT_ONCE: Final = 5_000


class Who(NamedTuple):
    """Who is behind something, in which position, and from where on the network."""

    actor: str
    position: str = ""
    address: str = ""


class Office:
    """A window on the office's stream; any number of them may be open at once, in any number of processes.

    It may be used from one thread at a time. `state` is replaced and never changed, so that everybody else
    may look at it whenever they like.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        tell: Callable[[Sequence[OfficeEntry]], None] = lambda entries: None,
    ) -> None:
        """`tell` hears of everything that anybody has written, in order, in the thread that is used."""
        self.state = OfficeState()
        self.tell = tell
        self._store = store
        self._clock = clock
        self._head: Head = EMPTY

    def catch_up(self) -> None:
        """Reads what was written since."""
        promised = self._store.head(OFFICE)
        if promised == self._head:
            return
        unread = self._store.read(OFFICE, self._head.sequence)
        before = self._head
        while portion := list(islice(unread, _READ_AT_ONCE)):
            self._publish(self._behind(portion))
        if self._head == before:
            raise StoreError("The office's journal is older than what was read before; start again.")
        if self._head.sequence < promised.sequence or (
            self._head.sequence == promised.sequence and self._head != promised
        ):
            raise DamagedJournal(
                f"The journal of the office ends at {self._head.sequence}, not at {promised.sequence}."
            )

    def write(
        self, who: Who, decide: Callable[[OfficeState, int], Sequence[OfficeEvent]]
    ) -> Sequence[OfficeEvent]:
        """Writes down what is decided on the latest state; decides again where another writer was faster.

        Gives what was written. What `decide` raises passes through, and nothing is written.
        """
        for _ in range(_TRIES):
            self.catch_up()
            now_ms = self._clock.now_ms()
            events = decide(self.state, now_ms)
            if not events:
                return events
            records, claims = self._records(who, events, now_ms)
            after = self._behind(records)  # what cannot be read again is not written
            try:
                self._store.append(records, claims)
            except (Fenced, ClaimTaken):
                continue  # another writer was faster; behind that record then
            self._publish(after)
            return events
        raise StoreError("The office is too busy; try again.")

    def _records(
        self, who: Who, events: Sequence[OfficeEvent], now_ms: int
    ) -> tuple[list[Record], list[tuple[str, int]]]:
        drafts = [
            office_draft(
                OfficeEntry(actor=who.actor, position=who.position, address=who.address, event=event),
                now_ms,
                self._head.sequence + place,
            )
            for place, event in enumerate(events, 1)
        ]
        records = list(link(OFFICE, self._head, drafts))
        claims = [
            (key, record.sequence)
            for draft, record in zip(drafts, records, strict=True)
            for key in draft.claims
        ]
        return records, claims

    def _behind(self, records: Iterable[Record]) -> "_After":
        state, head, entries = self.state.copy(), self._head, []
        for record in records:
            if (reason := misfit(record, head)) is not None:
                raise DamagedJournal(f"Record {record.sequence} of the office does not fit: {reason}.")
            try:
                entry = office_entry_of(record)
                fold(state, entry, record.at_ms)
            except (UnreadableRecord, ImpossibleRecord) as error:
                sentence = f"Record {record.sequence} of the office cannot be read: {error}."
                raise DamagedJournal(sentence) from error
            entries.append(entry)
            head = Head(record.sequence, record.hash)
        return _After(state, head, entries)

    def _publish(self, after: "_After") -> None:
        self.state, self._head, entries = after
        self.tell(entries)


class _After(NamedTuple):
    state: OfficeState
    head: Head
    entries: list[OfficeEntry]

"""A table's stream, checked: columns, replay, the auditor's books, and that the two agree about all money."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count

from croupier.floor.audit import Auditor, DoesNotFit
from croupier.floor.audit.limits import faults_of_settings
from croupier.floor.cage.vouchers import REDEEMED
from croupier.floor.codec import entry_of
from croupier.floor.loading import state_of
from croupier.floor.reading import OffChain, on_chain
from croupier.floor.senders import Numbers
from croupier.floor.verify.beside import Beside, Elsewhere, Errand
from croupier.floor.verify.replay import ENDS, Reading, Replay
from croupier.floor.verify.stream import StreamCheck, VoucherAct
from croupier.floor.verify.telling import BEGINNING, Place, Telling, told_by_payloads
from croupier.journal import Link, Record, Snapshot, Stretch, loose
from croupier.journal.segment import record_anyhow
from croupier.journal.sqlite_schema import number_key
from croupier.rulebook import BadInput, Book, BookFaults, load_book, shipped_books, with_order
from croupier.table import Entry, Rules, claims
from croupier.table.events import (
    CLAIMING,
    MOVING,
    BetsChanged,
    Cause,
    CreditsBought,
    CreditsPaidOut,
    TableCreated,
)

Note = Callable[[int, list[str]], None]
"""Told of the place of some records, and by which number each was asked for, as `number_key` has it."""


class TableCheck(StreamCheck):
    """A table's records, one after the other, replayed and audited."""

    def __init__(
        self,
        table: str,
        claimed: Mapping[int, set[str]],
        anchors: Mapping[int, bytes],
        find_book: Callable[[str], Book],
        elsewhere: Elsewhere | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        """`elsewhere` is where a process beside finds the table."""
        super().__init__(table, claimed, anchors)
        self._find_book = find_book
        self._numbers = Numbers()
        self._telling = Telling(table)
        self._last: Entry | None = None
        self._part = -1
        self._elsewhere = elsewhere
        self._snapshot = snapshot
        self._kept_at = 0 if snapshot is None else snapshot.sequence
        self._replay: Replay
        self._beside: Beside | None = None
        self._auditor: Auditor

    def counts(self) -> tuple[int, int]:
        """How many rounds were opened, and how many settlements, returns and corrections worked out again."""
        is_audited = self._last is not None and self.missing_book is None
        return (0, 0) if not is_audited else (self._auditor.books.rounds, self._auditor.books.worked_out)

    def take_stretch(self, stretch: Stretch, note: Note) -> None:
        """Records as they were hashed: what `take` does with each, without taking most of them apart."""
        first, forms, hashes = stretch
        fitting, done = self._fitting(stretch), 0
        while done < len(forms):
            # In a damaged database something else may stand for the first number, and is judged as it is.
            place = first + done if done else first
            entries = self._usual(place, forms[done:fitting])
            if entries:
                self._take_usual(place, entries, hashes[done:], note)
                done += len(entries)
            else:
                self._take_apart(Link(place, forms[done], hashes[done]), note)
                done += 1

    def _fitting(self, stretch: Stretch) -> int:
        """How many records of a stretch are known to continue the chain, from the first on.

        None are where that is asked of each, which says why one does not.
        """
        if self._last is None or self.missing_book is not None or stretch.first != self.head.sequence + 1:
            return 0
        if self._beside is not None:
            return len(stretch.forms)  # as far as the process beside has come
        try:
            return len(next(on_chain(self.head, [stretch])).forms)
        except OffChain:
            return 0

    def _usual(self, first: int, forms: Sequence[bytes]) -> list[Entry]:
        """The entries of the next records, as far as all of their fields say what their payload says."""
        if not forms:
            return []
        if self._beside is not None:
            return told_by_payloads(forms[: self._beside.usual(first)])
        last = BEGINNING if self._last is None else Place(self._last.cause, self._part)
        return self._telling.usual(first, forms, last)[0]

    def _take_apart(self, link: Link, note: Note) -> None:
        """The next record, whatever it is; where it is not on the chain, that is said before all else."""
        self.at = link.sequence
        if self._beside is None and (reason := loose(link, self.head)) is not None:
            raise DoesNotFit(reason)
        record = record_anyhow(self.table, *link)
        self.take(record)
        note(link.sequence, [number_key(record.sender, record.number, record.part)])

    def _take_usual(self, first: int, entries: list[Entry], hashes: Sequence[bytes], note: Note) -> None:
        """The next records, which are on the chain and have told all that they hold."""
        # Journals are long, and this is done for each of their records: so much of it is in one loop.
        audit, is_new, seats = self._auditor.take, self._numbers.take, self._auditor.books.seats
        read = self._readings(entries).__next__
        last, part = None if self._last is None else self._last.cause, self._part
        numbers: list[str] = []
        for sequence, entry, own in zip(count(first), entries, hashes, strict=False):
            self.at = sequence
            if self._anchors:
                self._check_anchor(sequence, own)
            cause, event = entry.cause, entry.event
            sender, number = cause.sender, cause.number
            if cause == last:
                part += 1
            elif is_new(sender, number):
                last, part = cause, 0
            else:
                raise DoesNotFit(_used_before(cause))
            audit(entry, part)
            kind, reading = type(event), read()
            if kind is BetsChanged:  # which is almost everything
                seat = seats[event.seat]  # type: ignore[union-attr]  # mypy knows no kind that is named
                credits_cents, staked_cents = seat.credits_cents, seat.staked_cents
                agreed = credits_cents, staked_cents, staked_cents, credits_cents
                if reading != agreed or credits_cents < 0:
                    self._compare_seat(seat.id, reading)
            else:
                self._compare(sequence, entry, reading)
            self._last, self._part = entry, part
            if sequence == self._kept_at:
                self._check_snapshot(own)
            self._go_on(sequence, own, claims(event) if kind in CLAIMING else ())
            numbers.append(f"{number}\n{sender}\n{part}")
        note(first, numbers)

    def _readings(self, entries: list[Entry]) -> Iterator[Reading]:
        """What the replay reads behind the next records; here each is carried out when it is asked for."""
        if self._beside is not None:
            return self._beside.readings(len(entries))
        return map(self._replay.take, entries)

    def _follow(self, record: Record) -> Iterable[str]:
        entry = entry_of(record)
        self._check_columns(record, entry.cause)
        self._check_number(entry.cause, record.part)
        made = self._carry_out(record.sequence, record.part, entry)
        if record.sequence == self._kept_at:
            self._check_snapshot(record.hash)
        return made

    def _carry_out(self, sequence: int, part: int, entry: Entry) -> Iterable[str]:
        """Replays and audits; gives what is used up by it."""
        if self._last is None:
            self._create(entry)
        elif self.missing_book is None:
            self._auditor.take(entry, part)
            self._compare(sequence, entry, self._read(entry))
        else:
            self._note_voucher(sequence, entry)
        self._last, self._part = entry, part
        return claims(entry.event) if type(entry.event) in CLAIMING else ()

    def _check_columns(self, record: Record, cause: Cause) -> None:
        """The columns say what the payload says."""
        if (
            record.at_ms != cause.at_ms
            or record.actor != cause.actor.id
            or record.sender != cause.sender
            or record.number != cause.number
        ):
            raise DoesNotFit("its time, actor, sender or number is not what its payload says")

    def _check_number(self, cause: Cause, part: int) -> None:
        """A number is used once, and the records of one command stand together."""
        if part == 0:
            if not self._numbers.take(cause.sender, cause.number):
                raise DoesNotFit(_used_before(cause))
        elif part != self._part + 1 or self._last is None or cause != self._last.cause:
            raise DoesNotFit(f"it is part {part} of a command, and the part before it is missing")

    def _create(self, entry: Entry) -> None:
        """The first record is the table's creation, with the book that is at hand."""
        event = entry.event
        if not isinstance(event, TableCreated):
            raise DoesNotFit("a journal begins with the creation of its table, and this is something else")
        settings = event.settings
        if settings.table != self.table:
            raise DoesNotFit(f"it creates table {settings.table!r}")
        try:
            book = self._find_book(settings.book)
        except (BadInput, BookFaults):
            _check_name(settings.book, event.book_sha256)
            self.missing_book = settings.book
            return
        if book.sha256 != event.book_sha256:
            raise DoesNotFit(
                f"it was made with a book {book.id} whose SHA-256 is {event.book_sha256}, "
                f"and that of the book at hand is {book.sha256}"
            )
        try:
            rules = Rules(book, settings.layouts)
        except BadInput as error:
            raise DoesNotFit(f"its book has no such layout: {str(error).rstrip('.')}") from error
        if faults := faults_of_settings(rules, settings):
            raise DoesNotFit(f"its settings are not sound: {' '.join(faults)}")
        self.currency = book.currency
        book = with_order(book, settings.pocket_order)
        self._auditor = Auditor(book, settings)
        if self._elsewhere is None:
            kept = None if self._snapshot is None else state_of(self.table, self._snapshot)
            self._replay = Replay(book, settings, kept)
            self._replay.take(entry)
        else:
            self._beside = Beside(Errand(self._elsewhere, self.table, book, settings, self._snapshot))
            self._beside.next_reading()

    def _check_snapshot(self, own: bytes) -> None:
        """A server would open the table with the snapshot behind this record; it has to be what they lead to.

        One that a server would not use, because it is of another form or of another chain, is nothing.
        """
        if self.missing_book is not None:
            return
        strays = (self._replay if self._beside is None else self._beside).strays
        if strays and self._snapshot is not None and self._snapshot.hash == own:
            raise DoesNotFit(
                "the snapshot that is kept behind it, a cache, is not the state that the records lead to"
            )

    def _misfit(self, record: Record) -> str | None:
        if self._beside is None or record.sequence != self.head.sequence + 1:
            return super()._misfit(record)
        return self._beside.off_chain()

    def _read(self, entry: Entry) -> Reading:
        """What the replay reads behind an entry: here, or in the process beside."""
        if self._beside is None:
            return self._replay.take(entry)
        if (reason := self._beside.impossible) is not None:
            raise DoesNotFit(reason)
        return self._beside.next_reading()

    def _compare(self, sequence: int, entry: Entry, reading: Reading) -> None:
        """The replay and the auditor agree about the money that an event touched."""
        event = entry.event
        kind = type(event)
        if kind in MOVING:
            self._compare_seat(event.seat, reading)  # type: ignore[union-attr]  # what moves money names its seat
            if kind is not BetsChanged:  # which is almost everything
                self._note_voucher(sequence, entry)
        elif kind in ENDS:
            self._compare_accounts(reading)

    def _note_voucher(self, sequence: int, entry: Entry) -> None:
        """Notes a voucher that was issued or taken."""
        event, at_ms = entry.event, entry.cause.at_ms
        if isinstance(event, CreditsPaidOut) and event.voucher is not None:
            act = VoucherAct(sequence, event.cents, at_ms, expires_ms=event.expires_ms)
            self._issue(event.voucher, act)
        elif isinstance(event, CreditsBought) and event.voucher is not None:
            self._use(event.voucher, VoucherAct(sequence, event.cents, at_ms, ending=REDEEMED))

    def _compare_seat(self, seat_id: str, reading: Reading) -> None:
        seat = self._auditor.books.seats[seat_id]
        credits_cents, stakes_cents, staked_cents, by_meters_cents = reading
        if seat.credits_cents < 0:
            raise DoesNotFit(f"seat {seat_id} has {seat.credits_cents} cents of credits behind it")
        if credits_cents != seat.credits_cents:
            raise DoesNotFit(f"replay and auditor disagree about the credits of seat {seat_id}")
        if not seat.staked_cents == staked_cents == stakes_cents:
            raise DoesNotFit(f"replay and auditor disagree about the stakes of seat {seat_id}")
        if by_meters_cents != seat.credits_cents:
            raise DoesNotFit(f"the meters of seat {seat_id} do not give its credits")

    def _compare_accounts(self, reading: Reading) -> None:
        together, *accounts = reading
        if together != 0:
            raise DoesNotFit("all accounts together do not hold nothing")
        for (account, cents), replayed in zip(self._auditor.books.accounts.items(), accounts, strict=True):
            if replayed != cents:
                raise DoesNotFit(f"replay and auditor disagree about the account {account}")

    def finish(self) -> None:
        """Nothing is left undone where the records end; raises `DoesNotFit` for the last of them."""
        if self._last is None or self.missing_book is not None:
            return
        if (unfinished := self._auditor.unfinished()) is not None:
            raise DoesNotFit(f"the journal ends with it, and {unfinished}")
        if self._beside is None:
            accounts, faults = self._replay.accounts(), self._replay.faults()
        else:
            end = self._beside.end()
            accounts, faults = end.accounts, end.faults
        self._compare_accounts(accounts)
        if faults:
            raise DoesNotFit(f"the books are wrong behind it: {' '.join(faults)}")

    def close(self) -> None:
        """Lets go of the process beside."""
        if self._beside is not None:
            self._beside.close()


def _used_before(cause: Cause) -> str:
    return f"number {cause.number} of {cause.sender} was used before"


def _check_name(book: str, sha256: str) -> None:
    """A book that is not at hand may be anybody's; one that comes along goes by its own name."""
    for known in shipped_books():
        if load_book(known).sha256 == sha256:
            raise DoesNotFit(f"it names the book {book!r}, and the SHA-256 is that of {known}")

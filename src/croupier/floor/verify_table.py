"""A table's stream, checked: columns, replay, the auditor's books, and that the two agree about all money."""

from collections.abc import Callable, Iterable, Mapping

from croupier.floor.audit import Auditor, DoesNotFit
from croupier.floor.codec import entry_of
from croupier.floor.senders import Numbers
from croupier.floor.verify_beside import Beside, Errand
from croupier.floor.verify_replay import ENDS, Reading, Replay
from croupier.floor.verify_stream import StreamCheck
from croupier.journal import Record
from croupier.rulebook import BadInput, Book, BookFaults
from croupier.table import Entry, Rules, claims, settings_faults
from croupier.table.events import CLAIMING, MOVING, BetsChanged, CreditsBought, CreditsPaidOut, TableCreated


class TableCheck(StreamCheck):
    """A table's records, one after the other, replayed and audited."""

    def __init__(
        self,
        table: str,
        claimed: Mapping[int, set[str]],
        anchors: Mapping[int, bytes],
        find_book: Callable[[str], Book],
        elsewhere: tuple[str, int] | None = None,
    ) -> None:
        """`elsewhere` is the journal's address and how many rows the table has, for a process beside."""
        super().__init__(table, claimed, anchors)
        self._find_book = find_book
        self._numbers = Numbers()
        self._last: Entry | None = None
        self._part = -1
        self._elsewhere = elsewhere
        self._replay: Replay
        self._beside: Beside | None = None
        self._auditor: Auditor

    def counts(self) -> tuple[int, int]:
        """How many rounds were opened, and how many settlements, returns and corrections worked out again."""
        return (0, 0) if self._last is None else (self._auditor.books.rounds, self._auditor.books.worked_out)

    def _follow(self, record: Record) -> Iterable[str]:
        entry = entry_of(record)
        self._check_columns(record, entry)
        if self._last is None:
            self._create(entry)
        else:
            self._auditor.take(entry, record.part)
            self._compare(record.sequence, entry, self._read(entry))
        self._last, self._part = entry, record.part
        return claims(entry.event) if type(entry.event) in CLAIMING else ()

    def _check_columns(self, record: Record, entry: Entry) -> None:
        """The columns say what the payload says, and the records of one command stand together."""
        cause = entry.cause
        if (
            record.at_ms != cause.at_ms
            or record.actor != cause.actor.id
            or record.sender != cause.sender
            or record.number != cause.number
        ):
            raise DoesNotFit("its time, actor, sender or number is not what its payload says")
        if record.part == 0:
            if not self._numbers.take(cause.sender, cause.number):
                raise DoesNotFit(f"number {cause.number} of {cause.sender} was used before")
        elif record.part != self._part + 1 or self._last is None or cause != self._last.cause:
            raise DoesNotFit(f"it is part {record.part} of a command, and the part before it is missing")

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
            rules = Rules(book, settings.layout)
        except (BadInput, BookFaults) as error:
            raise DoesNotFit(f"its book cannot be had: {error}") from error
        if book.sha256 != event.book_sha256:
            raise DoesNotFit(
                f"it was made with a book {book.id} whose SHA-256 is {event.book_sha256}, "
                f"and that of the book at hand is {book.sha256}"
            )
        if faults := settings_faults(rules, settings):
            raise DoesNotFit(f"its settings are not sound: {' '.join(faults)}")
        self._auditor = Auditor(book, settings)
        if self._elsewhere is None:
            self._replay = Replay(book, settings)
            self._replay.take(entry)
        else:
            address, rows = self._elsewhere
            self._beside = Beside(Errand(address, self.table, rows, book, settings))
            self._beside.next_reading()

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
            if kind is BetsChanged:  # almost everything
                return
            if isinstance(event, CreditsPaidOut) and event.voucher is not None:
                self.issued[event.voucher] = event.cents
            elif isinstance(event, CreditsBought) and event.voucher is not None:
                self.used[event.voucher] = sequence, event.cents
        elif kind in ENDS:
            self._compare_accounts(reading)

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
        if self._last is None:
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

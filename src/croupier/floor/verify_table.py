"""A table's stream, checked: columns, replay, the auditor's books, and that the two agree about all money."""

from collections.abc import Callable, Iterable, Mapping

from croupier.floor.audit import Auditor, DoesNotFit
from croupier.floor.codec import entry_of
from croupier.floor.senders import Numbers
from croupier.floor.verify_stream import StreamCheck
from croupier.journal import Record
from croupier.rulebook import BadInput, Book, BookFaults
from croupier.table import Entry, Rules, State, check, claims, evolve, settings_faults
from croupier.table.events import CreditsBought, CreditsPaidOut, RoundSettled, RoundVoided, TableCreated
from croupier.table.state import new_state


class TableCheck(StreamCheck):
    """A table's records, one after the other, replayed and audited."""

    def __init__(
        self,
        table: str,
        claimed: Mapping[int, set[str]],
        anchors: Mapping[int, bytes],
        find_book: Callable[[str], Book],
    ) -> None:
        super().__init__(table, claimed, anchors)
        self._find_book = find_book
        self._numbers = Numbers()
        self._last: Entry | None = None
        self._part = -1
        self._rules: Rules
        self._state: State
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
            evolve(self._rules, self._state, entry)
            self._compare(entry)
        self._last, self._part = entry, record.part
        return claims(entry.event)

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
        self._rules, self._auditor = rules, Auditor(book, settings)
        self._state = new_state(settings)
        evolve(rules, self._state, entry)

    def _compare(self, entry: Entry) -> None:
        """The replay and the auditor agree about the money that an event touched."""
        event = entry.event
        if getattr(event, "postings", None) is not None:
            self._compare_seat(event.seat)  # type: ignore[union-attr]  # what moves money names its seat
            if isinstance(event, CreditsPaidOut) and event.voucher is not None:
                self.issued[event.voucher] = event.cents
            elif isinstance(event, CreditsBought) and event.voucher is not None:
                self.used[event.voucher] = self._state.sequence, event.cents
        elif isinstance(event, RoundSettled | RoundVoided):
            self._compare_accounts()

    def _compare_seat(self, seat_id: str) -> None:
        state, seat = self._state, self._auditor.books.seats[seat_id]
        replayed = state.seats[seat_id]
        if seat.credits_cents < 0:
            raise DoesNotFit(f"seat {seat_id} has {seat.credits_cents} cents of credits behind it")
        if state.balances.get(seat.credits_account, 0) != seat.credits_cents:
            raise DoesNotFit(f"replay and auditor disagree about the credits of seat {seat_id}")
        if not seat.staked_cents == replayed.staked_cents == state.balances.get(seat.stakes_account, 0):
            raise DoesNotFit(f"replay and auditor disagree about the stakes of seat {seat_id}")
        if replayed.meters.credits_cents != seat.credits_cents:
            raise DoesNotFit(f"the meters of seat {seat_id} do not give its credits")

    def _compare_accounts(self) -> None:
        balances = self._state.balances
        if sum(balances.values()) != 0:
            raise DoesNotFit("all accounts together do not hold nothing")
        for account, cents in self._auditor.books.accounts.items():
            if balances.get(account, 0) != cents:
                raise DoesNotFit(f"replay and auditor disagree about the account {account}")

    def finish(self) -> None:
        """Nothing is left undone where the records end; raises `DoesNotFit` for the last of them."""
        if self._last is None:
            return
        if (unfinished := self._auditor.unfinished()) is not None:
            raise DoesNotFit(f"the journal ends with it, and {unfinished}")
        self._compare_accounts()
        if faults := check(self._state):
            raise DoesNotFit(f"the books are wrong behind it: {' '.join(faults)}")

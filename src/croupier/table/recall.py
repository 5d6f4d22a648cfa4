"""Recall: any round shown whole as it was, and the last ones of each seat at once."""

from collections import Counter, deque
from collections.abc import Container, Iterable, Iterator, Mapping

import msgspec

from croupier.table import events as e
from croupier.table.carrying import WRITTEN_OFF
from croupier.table.ledger import credits_of, post

SEAT_ROUNDS = 10
"""How many rounds back each seat can look."""


class RoundRecall(msgspec.Struct, kw_only=True):
    """One round with everything that happened in it, in order, and who did it."""

    number: int
    between: list[e.Entry] = msgspec.field(default_factory=list)
    """What moved seats' credits between the round before and this one: bought, paid out, corrected."""
    entries: list[e.Entry] = msgspec.field(default_factory=list)
    """What names the round, what names none and happened while it ran, and what moved credits meanwhile for
    another round, which was corrected."""
    after: list[e.Entry] = msgspec.field(default_factory=list)
    """What else moved seats' credits since the round ended, up to the next one, which has it `between`."""
    credits_before_cents: dict[str, int] = msgspec.field(default_factory=dict)
    """Each seat's credits before its first bet of the round."""
    credits_after_cents: dict[str, int] = msgspec.field(default_factory=dict)
    """Each seat's credits after the last movement of its money while the round ran."""
    credits_corrected_cents: dict[int, int] = msgspec.field(default_factory=dict)
    """By the place of a correction among the entries, its seat's credits behind it, where it moved them."""

    @property
    def result(self) -> str | None:
        """The result that counts; None while there is none, and of a void round."""
        result = None
        for entry in self.entries:
            if isinstance(entry.event, e.ResultConfirmed):
                result = entry.event.result
            elif isinstance(entry.event, e.ResultCorrected) and entry.event.settled:
                result = entry.event.new
        return result

    @property
    def notices(self) -> list[tuple[int, str]]:
        """What players read, and when."""
        shown = ((entry.cause.at_ms, getattr(entry.event, "notice", None)) for entry in self.entries)
        return [(at_ms, notice) for at_ms, notice in shown if notice is not None]

    def settlement(self, seat: str) -> tuple[e.Line, ...]:
        """How the seat's bets ended, after the last correction."""
        lines: tuple[e.Line, ...] = ()
        for entry in self.entries:
            event = entry.event
            if isinstance(event, e.SeatSettled | e.SeatCorrected) and self._is_own(event, seat):
                lines = event.lines
        return lines

    def layout(self, seat: str) -> str | None:
        """The layout of the seat's bets; None before they ended, and at a table with one."""
        for entry in reversed(self.entries):
            event = entry.event
            if isinstance(event, e.SeatSettled | e.SeatReturned) and (event.seat, event.round) == (
                seat,
                self.number,
            ):
                return event.layout
        return None

    def seen_by(self, seat: str, *, stayed: bool = False) -> "RoundRecall":
        """The round as one seat may see it: the table's events and its own.

        Who has `stayed`, in the visit in which the round was played, sees its corrections also where the
        money on the seat is new and they left it alone, and what was paid or collected by hand since.
        """
        places = [*self._places_seen(seat, stayed)]
        corrected = self.credits_corrected_cents
        return RoundRecall(
            number=self.number,
            between=self._since_paid_out(seat),
            entries=[self.entries[place] for place in places],
            after=self._until_paid_out(seat),
            credits_before_cents={k: v for k, v in self.credits_before_cents.items() if k == seat},
            credits_after_cents={k: v for k, v in self.credits_after_cents.items() if k == seat},
            credits_corrected_cents={
                new: corrected[place] for new, place in enumerate(places) if place in corrected
            },
        )

    def _places_seen(self, seat: str, stayed: bool) -> Iterator[int]:
        """Which entries a seat sees: nothing of its own from before whoever bet there first sat down."""
        began = 0
        for place, entry in enumerate(self.entries):
            if getattr(entry.event, "seat", None) == seat:
                if isinstance(entry.event, e.BetsChanged):
                    break
                if isinstance(entry.event, e.CreditsPaidOut | e.SeatClosed):
                    began = place + 1
        for place, entry in enumerate(self.entries):
            event, to = entry.event, e.audience(entry.event)
            is_owed = stayed and self._is_owed(event, seat)
            if to == e.TABLE or (place >= began and (to == f"seat/{seat}" or is_owed)):
                yield place

    def _is_owed(self, event: e.Event, seat: str) -> bool:
        """Whether it is a correction of the seat, or money that has passed between it and the house since.

        What the house gives up for itself is nothing that has happened to the player.
        """
        if isinstance(event, e.CarriedSettled) and event.how == WRITTEN_OFF:
            return False
        if not isinstance(event, e.SeatCorrected | e.CarriedNetted | e.CarriedSettled):
            return False
        return self._is_own(event, seat)

    def _is_own(
        self, event: e.SeatSettled | e.SeatCorrected | e.CarriedNetted | e.CarriedSettled, seat: str
    ) -> bool:
        return event.seat == seat and event.round == self.number

    def _since_paid_out(self, seat: str) -> list[e.Entry]:
        """What moved a seat's credits before the round, without what was the business of whoever left it."""
        own = _of_seat(self.between, seat)
        left = _payouts(own)
        return own[left[-1] :] if left else own

    def _until_paid_out(self, seat: str) -> list[e.Entry]:
        """What moved a seat's credits after the round, without what is the business of whoever came next."""
        own = _of_seat(self.after, seat)
        left = _payouts(own)
        return own[: left[0]] if left else own


class History:
    """Follows a table's events and keeps the last rounds of the table and of each seat.

    Rounds can be pinned: these are kept however many come after them.
    """

    def __init__(
        self, seat_rounds: int = SEAT_ROUNDS, table_rounds: int = SEAT_ROUNDS, pinned: Container[int] = ()
    ) -> None:
        self._pinned = pinned
        self._seat_rounds = seat_rounds
        self._table_rounds = table_rounds
        self._rounds: dict[int, RoundRecall] = {}
        self._holders: Counter[int] = Counter()
        """By round, how many seats still have it among their last ones."""
        self._by_seat: dict[str, deque[int]] = {}
        self._visit_began: dict[str, int] = {}
        self._balances: dict[str, int] = {}
        self._between: list[e.Entry] = []
        self._running: int | None = None
        self._ended: RoundRecall | None = None
        """The round that ended last, until the next one opens."""
        self._newest = 0

    def go_on_from(self, balances: Mapping[str, int]) -> None:
        """Leaves out entries that bear on no round that is kept: these are the balances behind them."""
        self._balances = dict(balances)
        self._between = []
        self._running = self._ended = None

    def record(self, entry: e.Entry) -> None:
        """Takes the next entry of the table's history."""
        event = entry.event
        if isinstance(event, e.RoundOpened):
            self._open(event.round)
        if isinstance(event, e.BetsChanged):
            self._join(event)
        if isinstance(event, e.CreditsPaidOut | e.SeatClosed):
            self._visit_began[event.seat] = self._first_round_of_next(event.seat)
        post(self._balances, e.postings(event))
        number = getattr(event, "round", None) or self._running
        recall = self._kept(number)
        moved = credits_moved(event)
        if self._running is None and moved is not None:
            self._between.append(entry)
            if self._ended is not None and self._ended is not recall:
                self._ended.after.append(entry)
        if recall is not None:
            self._add(recall, entry, moved)
        if moved is not None and self._running != number and (running := self._kept(self._running)):
            self._add(running, entry, moved)
        if isinstance(event, e.RoundSettled | e.RoundVoided):
            self._running, self._between, self._ended = None, [], recall

    def _add(self, recall: RoundRecall, entry: e.Entry, moved: str | None) -> None:
        """Adds an entry to a round, and the credits of the seat whose credits it `moved`."""
        if moved is not None:
            cents = self._balances.get(credits_of(moved), 0)
            if recall.number == self._running and moved in recall.credits_before_cents:
                recall.credits_after_cents[moved] = cents
            if isinstance(entry.event, e.SeatCorrected):
                recall.credits_corrected_cents[len(recall.entries)] = cents
        recall.entries.append(entry)

    def _kept(self, number: int | None) -> RoundRecall | None:
        return None if number is None else self._rounds.get(number)

    def round(self, number: int) -> RoundRecall | None:
        """A round that is still kept."""
        return self._rounds.get(number)

    def last_rounds(self) -> list[RoundRecall]:
        """The table's last rounds, newest first."""
        oldest = max(1, self._newest - self._table_rounds + 1)
        return [self._rounds[number] for number in range(self._newest, oldest - 1, -1)]

    def last_rounds_of(self, seat: str) -> list[RoundRecall]:
        """The last rounds that a seat took part in, newest first, with that seat's part alone."""
        return [self._rounds[number].seen_by(seat) for number in reversed(self._by_seat.get(seat, ()))]

    def rounds_of_visit(self, seat: str) -> list[RoundRecall]:
        """What whoever sits at a seat now may look back at: nothing from before the last payout."""
        first = self._visit_began.get(seat, 0)
        numbers = (number for number in reversed(self._by_seat.get(seat, ())) if number >= first)
        return [self._rounds[number].seen_by(seat, stayed=True) for number in numbers]

    def _first_round_of_next(self, seat: str) -> int:
        """The first round that whoever comes next to a seat can have bets in, and nobody before them has."""
        running = None if self._running is None else self._rounds.get(self._running)
        has_joined = running is not None and seat in running.credits_before_cents
        return self._newest if running is not None and not has_joined else self._newest + 1

    def _open(self, number: int) -> None:
        self._rounds[number] = RoundRecall(number=number, between=self._between)
        self._running = self._newest = number
        self._ended = None
        self._drop_if_free(number - self._table_rounds)

    def _join(self, event: e.BetsChanged) -> None:
        recall = self._rounds.get(event.round)
        if recall is None or event.seat in recall.credits_before_cents:
            return
        recall.credits_before_cents[event.seat] = self._balances.get(credits_of(event.seat), 0)
        self._holders[event.round] += 1
        numbers = self._by_seat.setdefault(event.seat, deque())
        numbers.append(event.round)
        if len(numbers) > self._seat_rounds:
            dropped = numbers.popleft()
            self._holders[dropped] -= 1
            self._drop_if_free(dropped)

    def _drop_if_free(self, number: int) -> None:
        is_old = number <= self._newest - self._table_rounds
        if is_old and number not in self._pinned and not self._holders[number]:
            self._rounds.pop(number, None)
            del self._holders[number]


def _of_seat(entries: Iterable[e.Entry], seat: str) -> list[e.Entry]:
    return [entry for entry in entries if e.audience(entry.event) == f"seat/{seat}"]


def _payouts(entries: Iterable[e.Entry]) -> list[int]:
    """Behind which places of a list the seat was paid out."""
    return [
        place for place, entry in enumerate(entries, start=1) if isinstance(entry.event, e.CreditsPaidOut)
    ]


def credits_moved(event: e.Event) -> str | None:
    """The seat whose credits an event moves, if it does."""
    seat: str | None = getattr(event, "seat", None)
    if seat is None:
        return None
    account = credits_of(seat)
    moves = any(account in (posting.source, posting.destination) for posting in e.postings(event))
    return seat if moves else None


def recall_round(entries: Iterable[e.Entry], number: int) -> RoundRecall | None:
    """Any round of a table's whole history, with what was done to it later; None where it never was."""
    history = History(seat_rounds=1, table_rounds=1, pinned={number})
    for entry in entries:
        history.record(entry)
    return history.round(number)

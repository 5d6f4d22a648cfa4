"""What a command is judged by, and how it is refused."""

from typing import Final

from croupier.rulebook import show_cents
from croupier.table.actors import Actor
from croupier.table.events import BetChange, CarriedNetted, Event, SeatCorrected, postings
from croupier.table.rejections import Rejection
from croupier.table.rules import Rules
from croupier.table.state import Round, Seat, SeatRound, State

MOST_CENTS: Final = 1_000_000_000_00
"""The largest amount of one command: far above any that is played, and far below where numbers end."""


class Ask:
    """Who asks what of which table, and when."""

    __slots__ = (
        "_carried_cents",
        "_locked_for",
        "_moved_cents",
        "actor",
        "at_ms",
        "changes",
        "rules",
        "second",
        "state",
        "voucher_days",
    )

    def __init__(
        self,
        rules: Rules,
        state: State,
        at_ms: int,
        actor: Actor,
        second: Actor | None,
        voucher_days: int | None,
    ) -> None:
        self.rules = rules
        self.state = state
        self.at_ms = at_ms
        self.actor = actor
        self.second = second
        self.voucher_days = voucher_days
        self.changes: tuple[BetChange, ...] | None = None
        """The changed stakes that a command asks for, worked out once for guard and maker."""
        self._moved_cents: dict[str, int] = {}
        self._carried_cents: dict[tuple[int, str], int] = {}
        self._locked_for: dict[str, tuple[int, ...]] = {}

    def credits_cents(self, seat_id: str) -> int:
        """The credits of a seat after what this command has moved so far."""
        return self.state.credits_cents(seat_id) + self._moved_cents.get(seat_id, 0)

    def carried_cents(self, number: int, seat_id: str, part: SeatRound) -> int:
        """What is carried of a seat's part in a round after what this command has done so far."""
        return self._carried_cents.get((number, seat_id), part.carried_cents)

    def locked_for(self, seat_id: str) -> tuple[int, ...]:
        """The rounds whose large wins still lock a seat after what this command has done so far."""
        return self._locked_for.get(seat_id, self.state.seats[seat_id].locked_for)

    def forget_lock(self, seat_id: str, number: int) -> None:
        """Remembers that this command takes back a large win that has locked a seat."""
        locked_for = self.locked_for(seat_id)
        self._locked_for[seat_id] = tuple(locking for locking in locked_for if locking != number)

    def note(self, event: Event) -> None:
        """Remembers what an event of this command moves and carries, for those that follow it."""
        if isinstance(event, SeatCorrected | CarriedNetted):
            self._carried_cents[event.round, event.seat] = event.carried_cents
        if isinstance(event, CarriedNetted):
            self._carried_cents[event.against, event.seat] = event.against_carried_cents
        for posting in postings(event):
            for account, cents in ((posting.source, -posting.cents), (posting.destination, posting.cents)):
                if account.startswith("credits/"):
                    seat_id = account.removeprefix("credits/")
                    self._moved_cents[seat_id] = self._moved_cents.get(seat_id, 0) + cents

    def seat(self, seat_id: str) -> Seat:
        """A seat that the form check has found to be in use."""
        return self.state.seats[seat_id]

    def round(self) -> Round:
        """The round that a guard has found to be running."""
        if self.state.round is None:
            raise RuntimeError("a guard let a command through that needs a round")
        return self.state.round

    def over(self, number: int) -> Round:
        """A round that a guard has found to be over and in memory."""
        round_ = self.state.over(number)
        if round_ is None:
            raise RuntimeError(f"a guard let a command through that needs round {number}")
        return round_


def refuse(code: str, sentence: str, clause: str | None = None, **facts: str | int) -> Rejection:
    """A rejection with its facts."""
    return Rejection(code=code, sentence=sentence, facts=facts, clause=clause)


def unknown_seat(ask: Ask, seat_id: str) -> Rejection | None:
    """Refuses a seat that is not in use."""
    seat = ask.state.seats.get(seat_id)
    if seat is None or not seat.in_use:
        return refuse("unknown-seat", f"Seat {seat_id!r} is not in use at this table.", seat=seat_id)
    return None


def unknown_result(ask: Ask, result: str) -> Rejection | None:
    """Refuses a result that is not on the wheel."""
    if result not in ask.rules.book.wheel.outcomes:
        return refuse(
            "unknown-result", f"{result!r} is not on the wheel of {ask.rules.book.id}.", result=result
        )
    return None


def no_reason(reason: str) -> Rejection | None:
    """Refuses an act that has to be explained and is not."""
    if not reason.strip():
        return refuse("no-reason", "State the reason; it stays in the record.")
    return None


def bad_amount(cents: int) -> Rejection | None:
    """Refuses an amount that is not above zero, or that no table has ever seen."""
    if cents < 1:
        return refuse("bad-amount", "The amount must be at least 0.01.", cents=cents)
    if cents > MOST_CENTS:
        return refuse("bad-amount", f"The amount must be at most {show_cents(MOST_CENTS)}.", cents=str(cents))
    return None


def seat_not_free(ask: Ask, seat: Seat) -> Rejection | None:
    """Refuses what a lost or locked seat cannot do."""
    if seat.lost:
        sentence = f"The terminal of seat {seat.id} is lost; wait until it is back."
        return refuse("seat-lost", sentence, ask.rules.clause_of("terminal-lost-unregistered"), seat=seat.id)
    if seat.lock is not None:
        return refuse(
            "seat-locked",
            f"Seat {seat.id} is locked and waits for a pit employee.",
            seat=seat.id,
            reason=seat.lock,
        )
    return None

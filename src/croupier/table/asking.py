"""What a command is judged by, and how it is refused."""

from typing import Final

from croupier.rulebook import show_cents
from croupier.table.actors import Actor
from croupier.table.events import BetChange, Event, postings
from croupier.table.rejections import Rejection
from croupier.table.rules import Rules
from croupier.table.state import Round, Seat, State

MOST_CENTS: Final = 1_000_000_000_00
"""The largest amount of one command: far above any that is played, and far below where numbers end."""


class Ask:
    """Who asks what of which table, and when."""

    __slots__ = ("_moved_cents", "actor", "at_ms", "changes", "rules", "second", "state", "voucher_days")

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

    def credits_cents(self, seat_id: str) -> int:
        """The credits of a seat after what this command has moved so far."""
        return self.state.credits_cents(seat_id) + self._moved_cents.get(seat_id, 0)

    def note(self, event: Event) -> None:
        """Remembers what an event of this command moves, for those that follow it."""
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

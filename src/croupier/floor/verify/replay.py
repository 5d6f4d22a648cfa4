"""The replay of a table for whoever verifies it: the table's own `evolve`, and what there is to compare."""

from typing import Final

from croupier.floor.audit.books import COMMON_ACCOUNTS
from croupier.rulebook import Book
from croupier.table import Entry, Rules, Settings, check, evolve
from croupier.table.events import MOVING, RoundSettled, RoundVoided
from croupier.table.state import State, new_state

ENDS: Final = (RoundSettled, RoundVoided)
"""The events behind which all accounts are compared."""

Reading = tuple[int, ...]
"""Amounts behind an event. Where it moved a seat's money: the account of its credits and of its stakes, what
lies on its bets, and what its meters give for credits. Where it ended a round: all accounts together, and
those that are of no seat. Otherwise nothing."""

REPLAY_ERRORS: Final = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What the replay raises where an event could not happen: it takes it for granted that it could."""


class Replay:
    """A table that does what its records say."""

    def __init__(self, book: Book, settings: Settings, kept: State | None = None) -> None:
        """`kept` is a state that a server would open the table with, in place of the records up to it."""
        self._rules = Rules(book, settings.layouts)
        self._state = new_state(settings)
        self._kept = kept
        self._kept_at = 0 if kept is None else kept.sequence
        self.strays = False
        """Whether the records have led to another state than the one that is kept."""

    def take(self, entry: Entry) -> Reading:
        """Carries the next entry out and reads what it touched."""
        event, state = entry.event, self._state
        evolve(self._rules, state, entry)
        if state.sequence == self._kept_at:
            self.strays, self._kept = state != self._kept, None
        kind = type(event)
        if kind in MOVING:
            seat_id: str = event.seat  # type: ignore[union-attr]  # what moves money names its seat, by test
            seat, balances = state.seats[seat_id], state.balances
            return (
                balances.get(f"credits/{seat_id}", 0),  # by `credits_of` and `stakes_of`, without the calls
                balances.get(f"stakes/{seat_id}", 0),
                seat.staked_cents,
                seat.meters.credits_cents,
            )
        return self.accounts() if kind in ENDS else ()

    def accounts(self) -> Reading:
        """All accounts together, and those that are of no seat."""
        balances = self._state.balances
        return sum(balances.values()), *(balances.get(account, 0) for account in COMMON_ACCOUNTS)

    def faults(self) -> list[str]:
        """Every invariant of money that does not hold at the end."""
        return check(self._state)

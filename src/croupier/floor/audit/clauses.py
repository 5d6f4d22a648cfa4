"""Which clause an event has to cite: looked up in the book by what happened."""

from collections.abc import Mapping, Sequence, Set

from croupier.rulebook import Book, Layout
from croupier.table import events as e


class Clauses:
    """The clauses of one book that events rest on; None where its text has none for them."""

    def __init__(self, book: Book, layouts: Sequence[Layout]) -> None:
        topic, limits = book.citations.get, book.limits.source
        self._book = book
        self._paid = {layout.id: layout.pay_clause for layout in layouts}
        self.placed = topic("place")
        self.placed_for_player = topic("place-for-player") or topic("place")
        self.stakes_stand = topic("stakes-stand")
        self.returned = topic("void-returns")
        """By which stakes of a void round go back; None where the clause that voids it says so."""
        self.entered = topic("result") or book.wheel.clause
        self.confirmed = book.notices["result"].source
        self.outcome = self.of("interruption-outcome")
        self.no_outcome = self.of("interruption-no-outcome")
        self.not_covered = self.of("not-covered")
        self.excess_rejected = self.of("box-over-maximum") or limits
        self.advice = self.of("box-under-minimum") or limits
        self.table_excess = self.of("table-excess-not-rejected")
        self.by_kind: Mapping[type, str | None] = {
            e.TableOpened: topic("limits"),
            e.LimitsChanged: topic("limits"),
            e.CreditsBought: topic("credits"),
            e.CreditsPaidOut: topic("credits"),
            e.RoundOpened: book.notices["open"].source,
            e.BetsClosed: book.notices["closed"].source,
            e.SpinStarted: book.wheel.clause,
            e.SpinFinished: book.wheel.clause,
            e.BoxMarked: self.of("box-over-maximum"),
            e.MinimumAdvised: self.advice,
        }
        """What each such event cites, whatever else it says; the others depend on what led to them."""

    def of(self, cause: str) -> str | None:
        """The clause that an irregularity falls under."""
        found = self._book.irregularities.get(cause)
        return None if found is None else found.clause

    def of_pay_table(self, layout: str) -> str:
        """The clause with the pay table of a layout."""
        return self._paid[layout]

    def of_pay_tables(self, layouts: Set[str]) -> str:
        """The clause that a settled round rests on: the pay table of the one layout that was played.

        Where several were, or nobody played at a table with several, it is the clause around their tables;
        where the book has no such clause, that of the first of them.
        """
        clauses = [clause for layout, clause in self._paid.items() if layout in layouts or not layouts]
        around = clauses[0]
        while not all(f"{clause}.".startswith(f"{around}.") for clause in clauses) and around:
            around = around.rpartition(".")[0]
        return around if around in self._book.clauses else clauses[0]

    def of_lost_seat(self, staked_cents: int) -> str | None:
        """What the text says of a lost terminal depends on whether it has bets registered."""
        return self.of("terminal-lost" if staked_cents > 0 else "terminal-lost-unregistered")

    def of_stake_in_box(
        self, stake: int, in_box: int, least: int, most: int, *, was_advised: bool
    ) -> str | None:
        """By which clause a stake counts that is too small, or lies in a betting box that holds too much."""
        if in_box > most:
            return self.of("small-bet-in-full-box" if stake < least else "excess-not-rejected")
        if stake >= least:
            return None
        return self.of("box-under-minimum" if was_advised else "minimum-not-noticed")

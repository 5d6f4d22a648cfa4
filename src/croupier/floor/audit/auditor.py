"""The auditor follows a table's history with books of its own and finds the first event that does not fit."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from croupier.floor.audit import bets, calls, corrections, credits, rounds, wheel
from croupier.floor.audit.books import Books, DoesNotFit, expect_clause, refuse
from croupier.floor.audit.following import check_following
from croupier.floor.audit.limits import faults_of_limits
from croupier.floor.audit.notices import check_notice
from croupier.floor.audit.people import check_people
from croupier.floor.clock import TOLERANCE_MS
from croupier.rulebook import Book
from croupier.table import events as e
from croupier.table.actors import WHEEL
from croupier.table.rules import Rules
from croupier.table.settings import Settings

_AT_A_HALTED_TABLE: Final = frozenset(
    {
        e.TableHalted,
        e.TableResumed,
        e.SeatLost,
        e.SeatRestored,
        e.AttendantCalled,
        e.CallEnded,
        e.TableInterrupted,
        e.WheelReported,
        e.CommitmentOpened,
        e.CommandRefused,
        e.SpinReportedLate,
        e.SeatReturned,
        e.RoundVoided,
    }
)
"""A round that is void at a halted table is looked at where it ends."""

_EVIDENCE: Final = frozenset({e.SpinStarted, e.SpinFinished})
"""What the wheel may report there as well."""


class Auditor:
    """Takes one entry after the other; raises `DoesNotFit` at the first against the rules or the books."""

    def __init__(self, book: Book, settings: Settings) -> None:
        self.books = Books(book, settings)

    def take(self, entry: e.Entry, part: int) -> None:
        """The next entry, and its place among those of its command."""
        books, event = self.books, entry.event
        if part == 0:
            self._begin(books, entry)
        else:
            check_following(books, event)
        kind = type(event)
        if kind is not e.BetsChanged:  # almost everything, and checked with the rest of it
            _check_clause(books, kind, getattr(event, "clause", None))
        handler = _HANDLERS.get(kind)
        if handler is not None:
            handler(books, entry.cause, event)
            if kind is not e.BetsChanged:
                check_notice(books.book, event)

    def _begin(self, books: Books, entry: e.Entry) -> None:
        if books.owed:
            refuse(f"another command begins, and {self.unfinished()}")
        kind = type(entry.event)
        is_evidence = kind in _EVIDENCE and entry.cause.actor.position == WHEEL
        if books.halted and kind not in _AT_A_HALTED_TABLE and not is_evidence:
            refuse("it happens at a halted table")
        at_ms = entry.cause.at_ms
        if at_ms < books.at_ms:
            _check_step_back(books, kind, at_ms)
        books.began = entry.event
        books.before_ms, books.at_ms = books.at_ms, at_ms
        books.void_cause = books.rejections = books.outcome = books.decision = None
        books.returned_by = books.corrected_by = books.corrected_for = books.named = None
        check_people(books, entry.cause, entry.event)

    def unfinished(self) -> str | None:
        """What the last command has begun and not finished, as half a sentence."""
        return next(iter(self.books.owed.values()), None)


def _check_step_back(books: Books, kind: type, at_ms: int) -> None:
    """The clock of a running table never goes back; another machine's, or one that was set, may have.

    Whoever runs a table anew reports an interruption first. A halt overtakes what waits in the queue.
    """
    if kind is not e.TableInterrupted and not books.halted and books.at_ms - at_ms > TOLERANCE_MS:
        seconds = (books.at_ms - at_ms) / 1000
        refuse(
            f"it is {seconds:.1f} seconds earlier than the record before it, and no interruption is between"
        )


def _check_clause(books: Books, kind: type, cited: str | None) -> None:
    """An event cites a clause that the book has, and the one that it rests on where its kind alone tells."""
    if cited not in books.citable:
        refuse(f"the book has no clause {cited}")
    expect_clause(cited, books.clauses.by_kind.get(kind, cited))


def _created(books: Books, cause: e.Cause, event: e.TableCreated) -> None:
    refuse("a table is created once")


def _opened(books: Books, cause: e.Cause, event: e.TableOpened) -> None:
    if books.open:
        refuse("the table is open already")
    if event.limits != books.limits:
        refuse("the limits that it shows are not those in force")
    books.open, books.rounds_left = True, None


def _closed(books: Books, cause: e.Cause, event: e.TableClosed) -> None:
    if not books.open or books.round is not None:
        refuse("the table cannot close here")
    if books.rounds_left is None:
        refuse("the table closes, and players were not told of its last round")
    has_credits = any(seat.credits_cents for seat in books.seats.values())
    if books.rounds_left and has_credits:
        refuse("the table closes, and the last round that players were told of was not played")
    books.open, books.rounds_left = False, None


def _last_round_announced(books: Books, cause: e.Cause, event: e.LastRoundAnnounced) -> None:
    if not books.open or books.rounds_left is not None:
        refuse("no last round can be announced here")
    has_open_bets = books.round is not None and books.round.betting
    if event.rounds_left != (0 if has_open_bets else 1):
        refuse(f"it says that {event.rounds_left} rounds follow, and the last one is another")
    books.rounds_left = event.rounds_left


def _halted(books: Books, cause: e.Cause, event: e.TableHalted) -> None:
    if not books.halted:
        books.halted_ms = cause.at_ms
    books.halted = True
    rounds.owe_close(books)


def _resumed(books: Books, cause: e.Cause, event: e.TableResumed) -> None:
    if not books.halted:
        refuse("the table was not halted")
    books.halted = False
    rounds.owe_interruption(books, cause)


def _limits_changed(books: Books, cause: e.Cause, event: e.LimitsChanged) -> None:
    if books.round is not None:
        refuse(f"limits change under the bets of round {books.round.number}")
    if event.old != books.limits:
        refuse("the limits that it replaces were not in force")
    if faults := faults_of_limits(Rules(books.book, books.settings.layouts), event.new):
        refuse(f"its limits are not sound: {' '.join(faults)}")
    books.limits = event.new


_HANDLERS: Final[Mapping[type, Callable[[Books, e.Cause, Any], None]]] = {
    e.TableCreated: _created,
    e.TableOpened: _opened,
    e.TableClosed: _closed,
    e.LastRoundAnnounced: _last_round_announced,
    e.TableHalted: _halted,
    e.TableResumed: _resumed,
    e.LimitsChanged: _limits_changed,
    e.SeatOpened: credits.seat_opened,
    e.SeatClosed: credits.seat_closed,
    e.SeatLost: credits.seat_lost,
    e.SeatRestored: credits.seat_restored,
    e.SeatLocked: credits.seat_locked,
    e.SeatUnlocked: credits.seat_unlocked,
    e.AttendantCalled: calls.attendant_called,
    e.CallEnded: calls.call_ended,
    e.CreditsBought: credits.credits_bought,
    e.CreditsPaidOut: credits.credits_paid_out,
    e.BetsChanged: bets.bets_changed,
    e.BoxMarked: bets.box_marked,
    e.MinimumAdvised: bets.minimum_advised,
    e.BetsRejected: bets.bets_rejected,
    e.RoundOpened: rounds.round_opened,
    e.ClosingWarned: rounds.closing_warned,
    e.BetsClosed: rounds.bets_closed,
    e.SpinStarted: rounds.spin_started,
    e.SpinFinished: rounds.spin_finished,
    e.ResultEntered: rounds.result_entered,
    e.ResultConfirmed: rounds.result_confirmed,
    e.SeatSettled: rounds.seat_settled,
    e.RoundSettled: rounds.round_settled,
    e.SeatReturned: bets.seat_returned,
    e.RoundVoided: rounds.round_voided,
    e.ResultCorrected: corrections.result_corrected,
    e.SeatCorrected: corrections.seat_corrected,
    e.ShortfallRaised: corrections.shortfall_raised,
    e.CarriedNetted: corrections.carried_netted,
    e.CarriedSettled: corrections.carried_settled,
    e.RoundRecalled: corrections.round_recalled,
    e.TableInterrupted: rounds.table_interrupted,
    e.OutcomeStated: rounds.outcome_stated,
    e.DecisionRecorded: corrections.decision_recorded,
    e.WheelReported: wheel.wheel_reported,
    e.SpinReportedLate: wheel.spin_reported_late,
    e.ResultUpheld: wheel.result_upheld,
    e.SpinCommitted: wheel.spin_committed,
    e.CommitmentOpened: wheel.commitment_opened,
}
"""How each event is audited; the others only tell."""

__all__ = ["Auditor", "DoesNotFit"]

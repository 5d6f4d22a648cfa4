"""What may follow the event that a command began with: people are asked about its beginning alone."""

from collections.abc import Mapping, Set
from typing import Final

from croupier.floor.audit.books import Books, refuse
from croupier.floor.audit.people import kind_name
from croupier.table import events as e

_NOTHING: Final[Set[type]] = frozenset()
_VOID: Final[Set[type]] = frozenset({e.SeatReturned, e.RoundVoided})
_SETTLED: Final[Set[type]] = frozenset({e.SeatSettled, e.SeatLocked, e.RoundSettled})
_CONCLUDED: Final[Set[type]] = frozenset({e.ResultEntered, e.ResultConfirmed, *_SETTLED})
_RETURNED: Final[Set[type]] = frozenset({e.SeatCorrected, e.CarriedNetted, e.ShortfallRaised, e.SeatUnlocked})
_SETTLED_AGAIN: Final[Set[type]] = _RETURNED | {e.SeatLocked}
_DECLARED: Final[Set[type]] = _VOID | _RETURNED | {e.ResultCorrected}
"""Something voids the round that runs, or earlier ones, or both; versions differ in which comes first."""

_FOLLOWING: Final[Mapping[type, Set[type]]] = {
    e.SeatClosed: frozenset({e.CallEnded}),
    e.BetsChanged: frozenset({e.BoxMarked}),
    e.BetsRejected: frozenset({e.BetsRejected}),
    e.TableHalted: frozenset({e.BetsClosed}),
    e.TableResumed: _VOID | {e.TableInterrupted, e.BetsClosed},
    e.SpinStarted: _VOID | {e.BetsClosed},
    e.SpinFinished: _VOID,
    e.ResultConfirmed: _SETTLED,
    e.SeatReturned: _DECLARED,
    e.RoundVoided: _DECLARED,
}
"""By the kind of the event that a command began with, where that is all that counts."""

_RULED: Final[Mapping[str, Set[type]]] = {
    "void": _DECLARED,
    "return-bets": _RETURNED | {e.SeatReturned},
}
"""By the ruling of a decision; nothing follows from any other."""


def check_following(books: Books, event: e.Event) -> None:
    """Finds an event in a command that cannot have led to it."""
    if books.began is None:
        refuse("nothing else comes with the creation of a table")
    if type(event) not in _may_follow(books.began):
        began = kind_name(books.began)
        refuse(f"{kind_name(event)} does not follow from the {began} that its command began with")


def check_void(books: Books) -> None:
    """Finds a round that is void in a command in which nothing asks for that, and nobody declares it."""
    if books.void_cause is None and not isinstance(
        books.began, e.SeatReturned | e.RoundVoided | e.ResultCorrected
    ):
        refuse("the round is void, and nothing that came before it in its command asks for that")


def _may_follow(began: e.Event) -> Set[type]:
    following = _FOLLOWING.get(type(began))
    return _may_follow_as_told(began) if following is None else following


def _may_follow_as_told(began: e.Event) -> Set[type]:
    """Where not only the kind of the first event counts, but also what it says."""
    match began:
        case e.BetsRejected(cause="box-over-maximum"):
            return {e.BetsRejected}
        case e.CreditsPaidOut(voucher=None):
            return {e.SeatUnlocked, e.CallEnded}
        case e.BetsClosed(closed_by="wheel"):
            return _VOID | {e.SpinFinished}
        case e.TableInterrupted(consequence="void") | e.OutcomeStated(result=None):
            return _VOID
        case e.TableInterrupted(consequence="wait"):
            return {e.BetsClosed}
        case e.OutcomeStated():
            return _CONCLUDED
        case e.ResultCorrected(settled=True):
            return _DECLARED if began.new is None else _SETTLED_AGAIN
        case e.DecisionRecorded():
            return _RULED.get(began.ruling, _NOTHING)
    return _NOTHING

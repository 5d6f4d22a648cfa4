"""Whether the person behind a command was allowed to give it, by the book's own table of positions."""

from collections.abc import Mapping
from typing import Any, Final

from croupier.floor.audit.books import Books, refuse
from croupier.floor.audit.calls import check_caller
from croupier.rulebook.vocabulary import POSITIONS
from croupier.table import events as e
from croupier.table.actors import SYSTEM, WHEEL, Actor

_PLAYER: Final = "player"
"""Stands apart from the positions of the house: what is the player's is done by no other."""
_RANKS: Final = {position: rank for rank, position in enumerate(POSITIONS)}
_BY_SERVER: Final = frozenset({"announce-last-round", "close-bets"})
"""A server that stops announces the last round, and its timer closes bets."""
_BY_WHEEL: Final = frozenset({"close-bets", "spin", "enter-result", "declare-irregularity"})

_BY_SYSTEM: Final = frozenset(
    {e.TableHalted, e.SeatLost, e.SeatRestored, e.ClosingWarned, e.TableInterrupted, e.RoundRecalled}
)
"""What only the system itself reports."""

_BY_WHEEL_ALONE: Final = (e.SpinCommitted, e.CommitmentOpened, e.SpinReportedLate)
"""What only the wheel does."""

_BY_ANYBODY: Final = frozenset({e.TableCreated, e.CommandRefused})

_ACTIONS: Final[Mapping[type, str]] = {
    e.TableOpened: "open-table",
    e.TableClosed: "close-table",
    e.LastRoundAnnounced: "announce-last-round",
    e.TableResumed: "resume-table",
    e.LimitsChanged: "change-limits",
    e.SeatOpened: "manage-seats",
    e.SeatClosed: "manage-seats",
    e.SeatLocked: "cash-out",
    e.SeatUnlocked: "clear-lock-up",
    e.BetsRejected: "reject-bets",
    e.MinimumAdvised: "reject-bets",
    e.RoundOpened: "open-round",
    e.SpinStarted: "spin",
    e.SpinFinished: "spin",
    e.ResultEntered: "enter-result",
    e.ResultConfirmed: "confirm-result",
    e.DecisionRecorded: "decide",
    e.OutcomeStated: "state-outcome",
    e.ResultUpheld: "correct-settled-result",
}
"""The action of the book behind a command that begins with such an event."""


_OWN_BET: Final = ("place-bets", _PLAYER)


def check_people(books: Books, cause: e.Cause, event: Any) -> None:
    """Finds a command that whoever gave it may not give, from the first event that it led to."""
    kind = type(event)
    actor = cause.actor
    if kind is e.BetsChanged and _is_own_bet(books, cause, event):
        return
    if kind in _BY_ANYBODY:
        return
    if kind is e.TableInterrupted and event.declared is not None:
        check_action(books, cause, "declare-interruption")
        return
    if kind in _BY_SYSTEM:
        if actor.position != SYSTEM:
            refuse(f"only the system itself reports this, and {actor.id} is a {actor.position}")
        return
    if kind is e.WheelReported or kind in _BY_WHEEL_ALONE:
        if actor.position != WHEEL and (kind in _BY_WHEEL_ALONE or actor.position != SYSTEM):
            refuse(f"only the wheel itself reports this, and {actor.id} is a {actor.position}")
        return
    if isinstance(event, e.AttendantCalled | e.CallEnded):
        check_caller(books, cause, event)
    elif (action := _ACTIONS.get(kind) or _action_of(books, actor, event)) is not None:
        check_action(books, cause, action)
    if actor.position == _PLAYER and getattr(event, "seat", actor.seat) != actor.seat:
        refuse(f"{actor.id} is a player at seat {actor.seat} and acts for seat {event.seat}")


def _is_own_bet(books: Books, cause: e.Cause, event: e.BetsChanged) -> bool:
    """Whether a player alone bets at the own seat, which was found to be allowed: almost every command."""
    actor = cause.actor
    return (
        actor.position == _PLAYER == event.placed_by
        and actor.seat == event.seat
        and cause.second is None
        and _OWN_BET in books.allowed
    )


def _action_of(books: Books, actor: Actor, event: Any) -> str | None:
    match event:
        case e.BetsChanged():
            if event.placed_by != actor.position:
                refuse(
                    f"it says that a {event.placed_by} placed the bets, and {actor.id} is a {actor.position}"
                )
            return _by_staff(books, actor, "place-for-player") or "place-bets"
        case e.CreditsBought(voucher=None):
            return _by_staff(books, actor, "sell-credits") or "buy-credits"
        case e.CreditsBought():
            return "buy-credits"
        case e.CreditsPaidOut():
            return "pay-by-attendant" if event.voucher is None else "cash-out"
        case e.BetsClosed():
            # The end of a spin closes bets that are still open, whoever reports it.
            return "spin" if event.closed_by == "wheel" and actor.position != WHEEL else "close-bets"
        case e.ResultCorrected(settled=False):
            return "correct-result"
        case e.ResultCorrected():
            return "void-settled-rounds" if event.new is None else "correct-settled-result"
        case e.CarriedSettled():
            settling = ("correct-settled-result", "void-settled-rounds", "decide")
            return next((action for action in settling if action in books.book.authority), settling[0])
        case e.SeatReturned() | e.RoundVoided():
            return None  # its end names the cause, and with it the action
    return refuse(f"no command begins with a {kind_name(event)}")


def _by_staff(books: Books, actor: Actor, action: str) -> str | None:
    """What staff do in place of a player's own act; None where the book lacks it, or a player acts."""
    return action if actor.position != _PLAYER and action in books.book.authority else None


def check_action(books: Books, cause: e.Cause, action: str) -> None:
    """Finds an action by somebody whose position does not allow it, or by one person where it takes two."""
    actor, second = cause.actor, cause.second
    if second is None and (action, actor.position) in books.allowed:
        return
    if actor.position in (SYSTEM, WHEEL):
        if action not in (_BY_SERVER if actor.position == SYSTEM else _BY_WHEEL):
            refuse(f"{action} takes a person, and {actor.id} is the {actor.position}")
        return
    rule = books.book.authority.get(action)
    if rule is None:
        refuse(f"the book does not know the action {action}")
    if rule.position == _PLAYER:
        if actor.position != _PLAYER:
            refuse(f"{action} is the player's own act, and {actor.id} is a {actor.position}")
        if second is not None:
            refuse(f"{action} is the player's own act, and {second.id} signed beside {actor.id}")
    else:
        ranks = [_rank(actor)] if second is None else [_rank(actor), _rank(second)]
        if max(ranks) < _RANKS[rule.position] or min(ranks) < _RANKS["dealer"]:
            refuse(f"{action} takes a {rule.position}, and {actor.id} is a {actor.position}")
        check_two_people(books, cause, action)
    if second is None:
        books.allowed.add((action, actor.position))


def check_two_people(books: Books, cause: e.Cause, action: str) -> None:
    """Finds an action that takes two people, the second one an employee, and was done by one."""
    takes_two = books.book.authority[action].people == 2 or action in books.settings.two_people
    if takes_two and not _has_second(cause):
        refuse(f"{action} takes two people, and {cause.actor.id} was alone")


def check_witness(cause: e.Cause, what: str) -> None:
    """Finds something that one employee did alone where another has to see it, whatever the book says."""
    if not _has_second(cause):
        refuse(f"{what} are paid by hand in front of a second employee, and {cause.actor.id} was alone")


def _has_second(cause: e.Cause) -> bool:
    second = cause.second
    return second is not None and second.id != cause.actor.id and _rank(second) >= _RANKS["dealer"]


def check_signed(cause: e.Cause, position: str, what: str) -> None:
    """Finds an act that takes two employees, one of them of a position, and did not have them."""
    if not _has_second(cause) or _rank(cause.actor) < _RANKS["dealer"]:
        refuse(f"{what} takes two people, and {cause.actor.id} was alone")
    if not has_signed(cause, position):
        refuse(f"{what} takes a {position}, and none has signed")


def has_signed(cause: e.Cause, position: str) -> bool:
    """Whether one of the people behind a command is in a position, or a higher one."""
    people = (cause.actor,) if cause.second is None else (cause.actor, cause.second)
    return max(map(_rank, people)) >= _RANKS[position]


def check_said_by(said_by: str, cause: e.Cause) -> None:
    """Finds a report that names another source than whoever made it."""
    if said_by != cause.actor.position:
        refuse(f"it says that the {said_by} reported this, and {cause.actor.id} is a {cause.actor.position}")


def kind_name(event: Any) -> str:
    """An event's kind as it is recorded."""
    return str(type(event).__struct_config__.tag)


def _rank(actor: Actor) -> int:
    return _RANKS.get(actor.position, -1)

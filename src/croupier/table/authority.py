"""Who may do what: the book says from which position on, and whether it takes two people."""

from typing import Final

import msgspec

from croupier.rulebook import Authority
from croupier.rulebook.vocabulary import PLAYER
from croupier.table import commands as c
from croupier.table.actors import MACHINES, SYSTEM, WHEEL, holds
from croupier.table.asking import Ask, refuse
from croupier.table.calling import CALL_ACTIONS, rule_of_call
from croupier.table.rejections import Rejection
from croupier.table.rules import PLACE
from croupier.table.sensor import sensor_denies
from croupier.table.state import SETTLED

_MACHINE_ACTIONS: Final = {
    SYSTEM: frozenset({"announce-last-round", "close-bets"}),
    WHEEL: frozenset({"close-bets", "spin", "enter-result", "declare-irregularity"}),
}
"""What machines do of what people may do as well; they never confirm, correct or decide."""

_REPORTED_BY: Final = {"system": (SYSTEM,), "wheel": (WHEEL,), "machine": MACHINES}
"""Who reports what no person does, by the word before the colon of the action."""


_BETTING: Final = frozenset({c.PlaceBets, c.TakeBets, c.MoveBet, c.ClearBets})


_FOR_PLAYER: Final = "place-for-player"
"""Staff bet for a player, where the book lets them."""
_SELLING: Final = "sell-credits"
"""Staff take cash for credits, where the book lets them."""

_CARRYING: Final = ("correct-settled-result", "void-settled-rounds", "decide")
"""What may leave money open with a seat: whoever may do the first of these that the book knows, ends it."""


def action_of(ask: Ask, do: c.Do) -> str:
    """The action that a command amounts to: a settled round takes more authority than a running one.

    What a player does is another action where staff do it, or none at all: then it stays the player's own.
    """
    kind, known = type(do), ask.rules.book.authority
    if kind in _BETTING:
        if _FOR_PLAYER in known and holds(ask.actor, "dealer"):
            return _FOR_PLAYER
    elif isinstance(do, c.BuyCredits):
        if do.voucher is None and _SELLING in known and holds(ask.actor, "dealer"):
            return _SELLING
    elif isinstance(do, c.CorrectResult):
        if _is_settled(ask, do.round):
            return "correct-settled-result"
    elif isinstance(do, c.SettleCarried | c.UpholdResult):
        return next((action for action in _CARRYING if action in known), do.action)
    elif isinstance(do, c.DeclareIrregularity) and any(_is_settled(ask, number) for number in do.rounds):
        return "void-settled-rounds"
    return do.action


def unknown_action(ask: Ask, action: str) -> Rejection | None:
    """Refuses what is not part of the game, such as "no spin" where the book does not know it."""
    if action in ask.rules.book.authority or ":" in action:
        return None
    sentence = f"{ask.rules.book.title} does not know the action {action}."
    return refuse("not-in-this-game", sentence, action=action)


def not_authorised(ask: Ask, do: c.Do, action: str) -> Rejection | None:
    """Refuses what the actor, and the second person where there is one, may not do."""
    actor, second = ask.actor, ask.second
    is_floor_matter = action in CALL_ACTIONS
    if ":" in action and not is_floor_matter:
        reporters = _REPORTED_BY[action.partition(":")[0]]
        if actor.position not in reporters:
            sentence = f"Only the {' or the '.join(reporters)} itself reports this."
            return refuse("not-allowed", sentence, action=action)
        return None
    if actor.position in _MACHINE_ACTIONS:
        if action not in _MACHINE_ACTIONS[actor.position]:
            sentence = f"The {actor.position} may not do this; a person has to."
            return refuse("not-allowed", sentence, action=action)
        return None
    if is_floor_matter:
        if actor.position == PLAYER:
            return _not_own_seat(ask, do, action)
        return _position_too_low(ask, rule_of_call(ask, action))
    rule = _rule(ask, do, action)
    if rule.position == PLAYER:
        return _not_the_player(ask, do, rule)
    done_by = _done_by(ask, do, action)
    for done in done_by:
        found = _position_too_low(ask, rule if done == action else ask.rules.book.authority[done])
        if found is not None:
            return found
    is_employee = second is not None and second.id != actor.id and holds(second, "dealer")
    takes_two = (
        _takes_witness(ask, do) or _is_denied(ask, do) or any(_takes_two(ask, done) for done in done_by)
    )
    if not is_employee and takes_two:
        sentence = "This takes two people; a second one has to authorise it."
        return refuse("second-person", sentence, _clause(rule), action=action)
    return None


def _rule(ask: Ask, do: c.Do, action: str) -> Authority:
    """Who may do it; what concerns the minimum is up to whoever rejects bets, and has a clause of its own."""
    rule = ask.rules.book.authority[action]
    is_minimum = isinstance(do, c.AdviseMinimum | c.RejectAdvised)
    if is_minimum and (clause := ask.rules.clause_of("box-under-minimum")) is not None:
        return msgspec.structs.replace(rule, source=clause)
    return rule


def _not_the_player(ask: Ask, do: c.Do, rule: Authority) -> Rejection | None:
    """Refuses everybody but the player of the seat, who acts alone: nobody signs beside a player."""
    actor = ask.actor
    if actor.position != PLAYER and not holds(actor, "dealer"):
        facts = {"action": rule.action, "position": rule.position}
        return refuse("not-allowed", "Only players do this.", _clause(rule), **facts)
    if actor.position == PLAYER and (found := _not_own_seat(ask, do, rule.action)) is not None:
        return found
    if actor.position != PLAYER or ask.second is not None:
        sentence = "Only the player at the seat does this, alone and at the terminal."
        if (seat := ask.state.seats.get(getattr(do, "seat", ""))) is not None and seat.kind == PLACE:
            sentence = (
                "Only a player does this, at a terminal; a place is paid by hand, a voucher at the cage."
            )
        return refuse("players-own-act", sentence, _clause(rule), action=rule.action)
    return None


def _not_own_seat(ask: Ask, do: c.Do, action: str) -> Rejection | None:
    """Refuses players who act for somebody else's seat."""
    actor = ask.actor
    if (seat := getattr(do, "seat", actor.seat)) != actor.seat:
        return refuse("not-your-seat", f"Seat {seat} is somebody else's.", action=action, seat=str(seat))
    return None


def _done_by(ask: Ask, do: c.Do, action: str) -> tuple[str, ...]:
    """What a command does in all: paying a locked seat out by hand also releases it.

    A decision of the shift manager stays one action, also where it changes what is settled: rule texts give
    it to the shift manager alone, and a table that wants two people for it says so in its settings.
    """
    if isinstance(do, c.PayByAttendant) and ask.seat(do.seat).lock is not None:
        return action, "clear-lock-up"
    if isinstance(do, c.DeclareIrregularity) and action != do.action and _names_running(ask, do):
        return action, do.action
    return (action,)


def _is_denied(ask: Ask, do: c.Do) -> bool:
    """Whether the sensor contradicts the cause that somebody declares for the running round."""
    running = ask.state.round
    if not isinstance(do, c.DeclareIrregularity) or running is None:
        return False
    is_meant = not do.rounds or running.number in do.rounds
    return is_meant and sensor_denies(running.spin, do.cause)


def _names_running(ask: Ask, do: c.DeclareIrregularity) -> bool:
    return ask.state.round is not None and ask.state.round.number in do.rounds


def _takes_witness(ask: Ask, do: c.Do) -> bool:
    """Whether credits go into an employee's hand with no terminal at which the player asks for them.

    No text gives it a clause: a lost terminal, and a place that never had one, show the player nothing and
    print nothing, so a second employee sees the money go.
    """
    if not isinstance(do, c.PayByAttendant):
        return False
    seat = ask.seat(do.seat)
    return seat.lost or seat.kind == PLACE


def _takes_two(ask: Ask, action: str) -> bool:
    return ask.rules.book.authority[action].people == 2 or action in ask.state.settings.two_people


def _position_too_low(ask: Ask, rule: Authority) -> Rejection | None:
    """The one who asks and the one who authorises count together, but neither may be a player."""
    actor, second = ask.actor, ask.second
    people = (actor,) if second is None else (actor, second)
    facts = {"action": rule.action, "position": rule.position}
    if not all(holds(person, "dealer") for person in people):
        is_player = any(person.position == PLAYER for person in people)
        sentence = "Players may not do this." if is_player else "Only employees may do this."
        return refuse("not-allowed", sentence, _clause(rule), **facts)
    if not any(holds(person, rule.position) for person in people):
        position = rule.position.replace("-", " ")
        return refuse("not-allowed", f"This takes a {position}.", _clause(rule), **facts)
    return None


def _clause(rule: Authority) -> str | None:
    return None if rule.source.startswith("assumption:") else rule.source


def _is_settled(ask: Ask, number: int) -> bool:
    over = ask.state.over(number)
    if over is not None:
        return over.phase == SETTLED
    running = ask.state.round
    # Of one that has to be read from the journal it is not known whether it is void; then that comes out.
    return 1 <= number <= ask.state.round_number and (running is None or running.number != number)

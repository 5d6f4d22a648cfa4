"""Who may do what: the book says from which position on, and whether it takes two people."""

from typing import Final

from croupier.table import commands as c
from croupier.table.actors import SYSTEM, WHEEL, holds, is_player
from croupier.table.asking import Ask, refuse
from croupier.table.rejections import Rejection
from croupier.table.state import SETTLED

_MACHINE_ACTIONS: Final = {
    SYSTEM: frozenset({"close-bets"}),
    WHEEL: frozenset({"close-bets", "spin", "enter-result", "declare-irregularity"}),
}
"""What machines do of what people may do as well; they never confirm, correct or decide."""


def action_of(ask: Ask, do: c.Do) -> str:
    """The action that a command amounts to: a settled round takes more authority than a running one."""
    if isinstance(do, c.CorrectResult) and _is_settled(ask, do.round):
        return "correct-settled-result"
    if isinstance(do, c.DeclareIrregularity) and any(_is_settled(ask, number) for number in do.rounds):
        return "void-settled-rounds"
    if isinstance(do, c.PlaceBets | c.TakeBets | c.MoveBet | c.ClearBets) and not is_player(ask.actor):
        return "place-for-player" if "place-for-player" in ask.rules.book.authority else do.action
    return do.action


def unknown_action(ask: Ask, do: c.Do) -> Rejection | None:
    """Refuses what is not part of the game, such as "no spin" where the book does not know it."""
    action = action_of(ask, do)
    if not action.startswith("system:") and action not in ask.rules.book.authority:
        return refuse(
            "not-in-this-game", f"{ask.rules.book.title} does not know the action {action}.", action=action
        )
    return None


def not_authorised(ask: Ask, do: c.Do) -> Rejection | None:
    """Refuses what the actor, and the second person where there is one, may not do."""
    action = action_of(ask, do)
    actor, second = ask.actor, ask.second
    if action.startswith("system:"):
        if actor.position != SYSTEM:
            return refuse("not-allowed", "Only the system itself reports this.", action=action)
        return None
    if actor.position in _MACHINE_ACTIONS:
        if action not in _MACHINE_ACTIONS[actor.position]:
            return refuse(
                "not-allowed", f"The {actor.position} may not do this; a person has to.", action=action
            )
        return None
    rule = ask.rules.book.authority[action]
    clause = rule.source if not rule.source.startswith("assumption:") else None
    people = [actor] if second is None else [actor, second]
    if rule.position != "player" and not all(holds(person, "dealer") for person in people):
        return refuse(
            "not-allowed", "Players may not do this.", clause, action=action, position=rule.position
        )
    if not any(holds(person, rule.position) for person in people):
        position = rule.position.replace("-", " ")
        return refuse(
            "not-allowed", f"This takes a {position}.", clause, action=action, position=rule.position
        )
    if is_player(actor) and (seat := getattr(do, "seat", actor.seat)) != actor.seat:
        return refuse("not-your-seat", f"Seat {seat} is somebody else's.", action=action, seat=str(seat))
    takes_two = rule.people == 2 or action in ask.state.settings.two_people
    if takes_two and (second is None or second.id == actor.id):
        return refuse(
            "second-person", "This takes two people; a second one has to authorise it.", clause, action=action
        )
    return None


def _is_settled(ask: Ask, number: int) -> bool:
    kept = ask.state.kept.get(number)
    return kept is not None and kept.phase == SETTLED

"""What a decision, or voiding rounds, would do to each seat, worked out by the table before anybody signs."""

from collections.abc import Iterable, Sequence

import msgspec

from croupier.table.actors import Actor
from croupier.table.commands import Command, Decide, DeclareIrregularity
from croupier.table.decide import decide
from croupier.table.events import Event, ResultCorrected, SeatCorrected, SeatReturned
from croupier.table.foreseeing import (
    NO_REASON_YET,
    SIGNS,
    carried_by,
    moved_by,
    netted_by,
    won_by_house,
)
from croupier.table.ledger import HOUSE, credits_of
from croupier.table.rejections import Rejection
from croupier.table.rules import Rules
from croupier.table.state import State


class ForeseenCredits(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision, or voiding rounds, would do to one seat, over all rounds concerned."""

    seat: str
    before_cents: int
    """The credits at the seat now, whoever plays there."""
    after_cents: int
    difference_cents: int
    returned_cents: int
    """What of the difference are stakes of the round that runs."""
    shortfall_cents: int
    """What could not be taken back in all of these rounds: credits spent already, or a player who left."""
    unclaimed_cents: int
    """What is owed in all of these rounds to players who have left, and has to be paid by hand."""
    netted_cents: int
    """What gains of one round have covered of the shortfalls of another, these rounds or earlier ones."""
    has_left: bool
    """Whether whoever had bets in one of these rounds has left: for it, the credits are not touched."""


class ForeseenRound(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision, or voiding rounds, would do to one settled round."""

    round: int
    registered: str
    """The result that counts now."""
    result: str | None
    """The result that would count; None where the round would be void."""
    house_before_cents: int
    """What the house has won in the round as it is settled now; negative where it has lost."""
    house_after_cents: int


class Foreseen(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision, or voiding rounds, would do as the table is now."""

    rounds: tuple[ForeseenRound, ...]
    """The settled rounds that would change; a round that runs is nobody's win yet."""
    seats: tuple[ForeseenCredits, ...]
    """The seats that have bets in any of the rounds, the one that runs included."""


def foresee(
    rules: Rules, state: State, at_ms: int, actor: Actor, do: DeclareIrregularity | Decide
) -> Foreseen | Rejection:
    """What would become of seats and settled rounds, or why it cannot be done whoever signs it."""
    if isinstance(do, Decide):
        do = msgspec.structs.replace(do, reason=NO_REASON_YET)
    command = Command(at_ms=at_ms, actor=actor, sender=actor.id, number=0, do=do, second=SIGNS)
    events = decide(rules, state, command)
    if isinstance(events, Rejection):
        return events
    return Foreseen(rounds=tuple(_rounds(state, events)), seats=tuple(_seats(state, events)))


def _seats(state: State, events: Sequence[Event]) -> Iterable[ForeseenCredits]:
    moved, returned = moved_by(events), dict[str, int]()
    carried, netted = carried_by(events), netted_by(events)
    parts: dict[str, list[SeatCorrected]] = {}
    for event in events:
        if isinstance(event, SeatReturned):
            parts.setdefault(event.seat, [])
            returned[event.seat] = event.cents
        elif isinstance(event, SeatCorrected):
            parts.setdefault(event.seat, []).append(event)
    for seat, corrected in parts.items():
        before_cents, difference_cents = state.credits_cents(seat), moved.get(credits_of(seat), 0)
        yield ForeseenCredits(
            seat=seat,
            before_cents=before_cents,
            after_cents=before_cents + difference_cents,
            difference_cents=difference_cents,
            returned_cents=returned.get(seat, 0),
            shortfall_cents=sum(max(-carried[event.round, seat], 0) for event in corrected),
            unclaimed_cents=sum(max(carried[event.round, seat], 0) for event in corrected),
            netted_cents=netted.get(seat, 0),
            has_left=any(event.has_left for event in corrected),
        )


def _rounds(state: State, events: Sequence[Event]) -> Iterable[ForeseenRound]:
    results: dict[int, str | None] = {}
    for event in events:
        if isinstance(event, SeatCorrected):
            results[event.round] = event.result
        elif isinstance(event, ResultCorrected) and event.settled:
            results[event.round] = event.new
    for number, result in results.items():
        round_ = state.over(number)
        if round_ is None:
            raise RuntimeError(f"round {number} was corrected without being in memory")
        before_cents = won_by_house(round_)
        of_round = [event for event in events if isinstance(event, SeatCorrected) and event.round == number]
        yield ForeseenRound(
            round=number,
            registered=str(round_.result),
            result=result,
            house_before_cents=before_cents,
            house_after_cents=before_cents + moved_by(of_round).get(HOUSE, 0),
        )

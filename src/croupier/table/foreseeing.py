"""What a correction would do to each seat, worked out by the table before anybody signs it."""

from collections.abc import Iterable
from typing import Final

import msgspec

from croupier.table.actors import Actor
from croupier.table.asking import refuse
from croupier.table.commands import Command, CorrectResult
from croupier.table.decide import decide
from croupier.table.events import CarriedNetted, Event, ResultCorrected, SeatCorrected, postings
from croupier.table.ledger import HOUSE, credits_of, post
from croupier.table.rejections import Rejection
from croupier.table.rules import Rules
from croupier.table.state import Round, State

SIGNS: Final = Actor(id="", position="shift-manager")
"""Whoever will sign: who may is judged when it is done."""
NO_REASON_YET: Final = "asked"
"""It is given when it is signed."""


class ForeseenSeat(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction would do to one seat of a settled round."""

    seat: str
    before_cents: int
    """What came back as the round is settled now."""
    due_cents: int
    """What comes back on the new result."""
    difference_cents: int
    credits_after_cents: int
    """The credits at the seat, whoever plays there now."""
    shortfall_cents: int
    """What could not be taken back in all: credits already spent, or a player who has left."""
    unclaimed_cents: int
    """What is owed in all to a player who has left, and has to be paid by hand."""
    netted_cents: int
    """What of it covers shortfalls of the same visit in other rounds, or is covered by what these owe."""
    written_off_cents: int
    """What the house has written off before, and the player keeps beside what came back: where more comes
    back now, it is not given a second time."""
    has_left: bool
    """Whether whoever had the bets has left: the credits at the seat are not touched."""


class ForeseenCorrection(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction would do as the table is now."""

    round: int
    registered: str
    """The result that counts now."""
    result: str
    seats: tuple[ForeseenSeat, ...]
    house_before_cents: int
    """What the house has won in the round as it is settled now; negative where it has lost."""
    house_after_cents: int


def foresee_correction(
    rules: Rules, state: State, at_ms: int, actor: Actor, round_: int, result: str
) -> ForeseenCorrection | Rejection:
    """What would become of a settled round with another result, or why it cannot have it."""
    do = CorrectResult(round=round_, result=result, reason=NO_REASON_YET)
    command = Command(at_ms=at_ms, actor=actor, sender=actor.id, number=0, do=do, second=SIGNS)
    events = decide(rules, state, command)
    if isinstance(events, Rejection):
        return events
    corrected = next(event for event in events if isinstance(event, ResultCorrected))
    if not corrected.settled:
        sentence = f"Round {round_} is running; nothing of it is settled."
        return refuse("round-running", sentence, round=round_)
    moved, carried = moved_by(events), carried_by(events)
    kept = state.over(round_)
    if kept is None:
        raise RuntimeError(f"round {round_} was corrected without being in memory")
    before_cents = won_by_house(kept)
    return ForeseenCorrection(
        round=round_,
        registered=str(corrected.old),
        result=result,
        seats=tuple(
            ForeseenSeat(
                seat=event.seat,
                before_cents=event.returned_before_cents,
                due_cents=event.returned_cents,
                difference_cents=event.returned_cents - event.returned_before_cents,
                credits_after_cents=state.credits_cents(event.seat) + moved.get(credits_of(event.seat), 0),
                shortfall_cents=max(-carried[round_, event.seat], 0),
                unclaimed_cents=max(carried[round_, event.seat], 0),
                netted_cents=netted_by(events).get(event.seat, 0),
                written_off_cents=kept.seats[event.seat].given_up_cents(event.returned_before_cents),
                has_left=event.has_left,
            )
            for event in events
            if isinstance(event, SeatCorrected)
        ),
        house_before_cents=before_cents,
        house_after_cents=before_cents + moved.get(HOUSE, 0),
    )


def moved_by(events: Iterable[Event]) -> dict[str, int]:
    """By how much events change each account."""
    moved: dict[str, int] = {}
    for event in events:
        post(moved, postings(event))
    return moved


def carried_by(events: Iterable[Event]) -> dict[tuple[int, str], int]:
    """What is carried at the end of what was corrected, by round and seat."""
    carried: dict[tuple[int, str], int] = {}
    for event in events:
        if isinstance(event, SeatCorrected | CarriedNetted):
            carried[event.round, event.seat] = event.carried_cents
        if isinstance(event, CarriedNetted):
            carried[event.against, event.seat] = event.against_carried_cents
    return carried


def netted_by(events: Iterable[Event]) -> dict[str, int]:
    """What gains of one round have covered of the shortfalls of another, by seat."""
    netted: dict[str, int] = {}
    for event in events:
        if isinstance(event, CarriedNetted):
            netted[event.seat] = netted.get(event.seat, 0) + event.cents
    return netted


def won_by_house(round_: Round) -> int:
    """What the house has won in a settled round, less what it has written off since."""
    return sum(
        sum(line.stake_cents for line in part.lines)
        - part.returned_cents
        - part.given_up_cents(part.returned_cents)
        for part in round_.seats.values()
    )

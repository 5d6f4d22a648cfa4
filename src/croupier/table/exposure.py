"""What each result would cost the house."""

from collections.abc import Iterable

from croupier.table.events import BetChange
from croupier.table.rules import Rules
from croupier.table.settling import counted_in_boxes
from croupier.table.state import State


def pays_by_result(rules: Rules, changes: Iterable[BetChange]) -> dict[str, int]:
    """How changed stakes change what the house pays on each result, on top of the stakes."""
    pays: dict[str, int] = {}
    for change in changes:
        bet = rules.bet(change.bet)
        for number in bet.numbers:
            pays[number] = pays.get(number, 0) + change.cents * bet.pays
    return pays


def house_results(rules: Rules, state: State) -> dict[str, int]:
    """What the house would win on each result if bets closed now; negative where it would lose.

    Of boxes over their maximum only that part of the stakes counts which will.
    """
    round_ = state.round
    if round_ is None:
        return dict.fromkeys(rules.book.wheel.outcomes, 0)
    spots, back = round_.spots, dict[str, int]()
    if rules.marks_boxes:
        stakes = {seat: state.seats[seat].stakes for seat in round_.playing}
        spots = {}
        for (_, bet_id), counted in counted_in_boxes(rules, round_.limits, stakes, round_.advised).items():
            spots[bet_id] = spots.get(bet_id, 0) + counted.cents
    in_play_cents = sum(spots.values())
    for bet_id, cents in spots.items():
        bet = rules.bet(bet_id)
        back_cents = cents * (bet.pays + 1)
        for number in bet.numbers:
            back[number] = back.get(number, 0) + back_cents
    return {result: in_play_cents - back.get(result, 0) for result in rules.book.wheel.outcomes}

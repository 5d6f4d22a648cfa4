"""What each result would cost the house."""

from collections.abc import Iterable, Mapping

from croupier.table.events import BetChange
from croupier.table.rules import Rules, SeatRules
from croupier.table.settling import counted_in_boxes
from croupier.table.state import Round, State


def pays_by_result(own: SeatRules, changes: Iterable[BetChange]) -> dict[str, int]:
    """How changed stakes of a seat change what the house pays on each result, on top of the stakes."""
    pays: dict[str, int] = {}
    for change in changes:
        bet = own.layout.bets[change.bet]
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
    in_play_cents, back = 0, dict[str, int]()
    for layout, spots in _spots_by_layout(rules, state, round_).items():
        bets = rules.layouts[layout].bets
        in_play_cents += sum(spots.values())
        for bet_id, cents in spots.items():
            bet = bets[bet_id]
            back_cents = cents * (bet.pays + 1)
            for number in bet.numbers:
                back[number] = back.get(number, 0) + back_cents
    return {result: in_play_cents - back.get(result, 0) for result in rules.book.wheel.outcomes}


def _spots_by_layout(rules: Rules, state: State, round_: Round) -> Mapping[str, Mapping[str, int]]:
    """What counts on each bet over all seats with a layout: each layout has its own pay table."""
    if len(rules.layouts) == 1 and not rules.marks_boxes:
        return {rules.layout.id: round_.spots}
    stakes = {seat: state.seats[seat].stakes for seat in round_.playing}
    counted = counted_in_boxes(rules, round_.limits, stakes, round_.advised) if rules.marks_boxes else {}
    by_layout: dict[str, dict[str, int]] = {}
    for seat, bets in stakes.items():
        spots = by_layout.setdefault(state.seats[seat].layout, {})
        for bet_id, cents in bets.items():
            counts = counted.get((seat, bet_id))
            spots[bet_id] = spots.get(bet_id, 0) + (cents if counts is None else counts.cents)
    return by_layout

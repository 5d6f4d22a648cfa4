"""What lies on the bets, and where that is limited what each result would cost, as stakes move."""

from croupier.table import events as e
from croupier.table.rules import Rules, SeatRules
from croupier.table.settings import Limits
from croupier.table.state import Placement, Round, Seat, State


def running_round(state: State) -> Round:
    """The round that runs; its own events come while it does."""
    if state.round is None:
        raise RuntimeError("an event of a round that does not run")
    return state.round


def change_stakes(rules: Rules, state: State, seat_id: str, changes: tuple[e.BetChange, ...]) -> int:
    """Changes what lies on the bets; gives by how much in all."""
    seat, round_ = state.seats[seat_id], running_round(state)
    stakes, spots, more_cents = seat.stakes, round_.spots, 0
    for change in changes:
        bet_id, cents = change.bet, change.cents
        if cents > 0:
            stakes[bet_id] = stakes.get(bet_id, 0) + cents
            spots[bet_id] = spots.get(bet_id, 0) + cents
        else:
            _add(stakes, bet_id, cents)
            _add(spots, bet_id, cents)
        more_cents += cents
        if rules.marks_boxes:
            _place(round_, seat_id, change)
    if round_.advised and seat_id in round_.advised:
        _end_advice(rules, round_, seat)
    if round_.limits.exposure_cents is not None:
        _expose(rules.seats[seat.layout], round_, changes)
    seat.staked_cents += more_cents
    round_.total_cents += more_cents
    if stakes:
        round_.playing[seat_id] = None
    else:
        round_.playing.pop(seat_id, None)
    return more_cents


def _end_advice(rules: Rules, round_: Round, seat: Seat) -> None:
    """Advice on a bet ends where the bet was raised to the minimum or is gone; a smaller raise keeps it."""
    left = [bet for bet in round_.advised[seat.id] if is_below_minimum(rules, round_.limits, seat, bet)]
    if left:
        round_.advised[seat.id] = left
    else:
        del round_.advised[seat.id]


def is_below_minimum(rules: Rules, limits: Limits, seat: Seat, bet_id: str) -> bool:
    """Whether a seat has a bet in a box that is under the box's minimum by itself."""
    return 0 < seat.stakes.get(bet_id, 0) < limits.of_bet(bet_id, rules.bet(bet_id).kind).minimum_cents


def _expose(own: SeatRules, round_: Round, changes: tuple[e.BetChange, ...]) -> None:
    """Counts what each result would cost; nobody else asks for it than the limit of the house's exposure."""
    pays, bets = round_.pays, own.layout.bets
    for change in changes:
        bet = bets[change.bet]
        more_cents = change.cents * bet.pays
        for number in bet.numbers:
            pays[number] = pays.get(number, 0) + more_cents


def _place(round_: Round, seat_id: str, change: e.BetChange) -> None:
    """Keeps the order of placements; what goes off again goes off the seat's latest."""
    if change.cents > 0:
        round_.placements.append(Placement(change.bet, seat_id, change.cents))
        return
    left = -change.cents
    for placement in reversed(round_.placements):
        if placement.seat == seat_id and placement.bet == change.bet:
            taken = min(left, placement.cents)
            placement.cents -= taken
            left -= taken
    round_.placements[:] = [placement for placement in round_.placements if placement.cents]


def _add(amounts: dict[str, int], key: str, cents: int) -> None:
    total = amounts.get(key, 0) + cents
    if total:
        amounts[key] = total
    elif key in amounts:
        del amounts[key]

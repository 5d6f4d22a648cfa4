"""What corrections and the end of what they carried change of a table."""

from croupier.table.carrying import PAID, WRITTEN_OFF
from croupier.table.events import CarriedSettled, Line, SeatCorrected
from croupier.table.rules import Rules
from croupier.table.state import Meters, State


def meters_of(state: State, seat: str) -> tuple[Meters, Meters]:
    """The meters that follow what happens at a seat: its own and the table's."""
    return state.seats[seat].meters, state.meters


def count_lines(both: tuple[Meters, Meters], lines: tuple[Line, ...], sign: int) -> None:
    """Books settled bets into the meters of a seat and of the table, or out of them."""
    returned_cents = not_counted_cents = 0
    has_won = False
    for line in lines:
        returned_cents += line.returned_cents
        not_counted_cents += line.stake_cents - line.counted_cents
        has_won = has_won or line.won
    for meters in both:
        meters.wins_cents += sign * (returned_cents - not_counted_cents)
        meters.returned_cents += sign * not_counted_cents
        meters.games_won += sign * has_won


def seat_corrected(rules: Rules, state: State, event: SeatCorrected) -> None:
    """A settlement is reversed and made again; what the credits could not take is carried."""
    settled, both = state.kept[event.round].seats[event.seat], meters_of(state, event.seat)
    before, after = settled.carried_cents, event.carried_cents
    count_lines(both, event.reversed, -1)
    count_lines(both, event.lines, 1)
    for meters in both:
        meters.shortfall_in_cents += max(-after, 0) - max(-before, 0)
        meters.written_off_cents += event.given_up_cents
        meters.unclaimed_out_cents += max(after, 0) - max(before, 0)
        meters.games_played -= event.result is None
    seat_meters = state.seats[event.seat].meters
    seat_meters.corrections += 1
    seat_meters.voids += event.result is None
    settled.lines, settled.returned_cents, settled.carried_cents = event.lines, event.returned_cents, after
    settled.clause = event.clause if after else None


def carried_settled(rules: Rules, state: State, event: CarriedSettled) -> None:
    """Nothing is carried any more: what was paid or collected is cash, what was written off is given up."""
    round_ = state.kept.get(event.round) or state.owing[event.round]
    settled, seat = round_.seats[event.seat], state.seats[event.seat]
    settled.carried_cents, settled.clause = 0, None
    if not round_.owes:
        state.owing.pop(event.round, None)
    if event.how == WRITTEN_OFF:
        settled.written_off_cents = settled.given_up_cents(settled.returned_cents) + event.cents
        settled.written_off_at_cents = settled.returned_cents
    else:
        settled.by_hand_cents += event.cents if event.how == PAID else -event.cents
    followed = [*meters_of(state, event.seat)]
    if settled.visit != seat.visit:
        followed.append(seat.before_visit)  # it is not the business of whoever plays there now
    for meters in followed:
        if event.how == PAID:
            meters.attendant_pays_cents += event.cents
            meters.unclaimed_out_cents -= event.cents
        else:
            meters.shortfall_in_cents -= event.cents
            if event.how == WRITTEN_OFF:
                meters.written_off_cents += event.cents
            else:
                meters.cash_in_cents += event.cents

"""What corrections and the end of what they carried change of a table."""

from croupier.table.actors import WHEEL
from croupier.table.carrying import PAID, WRITTEN_OFF
from croupier.table.events import CarriedNetted, CarriedSettled, Line, RoundRecalled, SeatCorrected
from croupier.table.events_of_settlement import won_cents
from croupier.table.rules import Rules
from croupier.table.state import Meters, Round, SeatRound, Spin, State


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


def over(state: State, number: int) -> Round:
    """A round that is over and in memory, as whatever corrects it takes for granted."""
    round_ = state.over(number)
    if round_ is None:
        raise LookupError(f"round {number} is not in memory")
    return round_


def seat_corrected(rules: Rules, state: State, event: SeatCorrected) -> None:
    """A settlement is reversed and made again; what the credits could not take is carried."""
    settled, both = over(state, event.round).seats[event.seat], meters_of(state, event.seat)
    before, after = settled.carried_cents, event.carried_cents
    count_lines(both, event.reversed, -1)
    count_lines(both, event.lines, 1)
    for meters in both:
        meters.shortfall_in_cents += max(-after, 0) - max(-before, 0)
        meters.written_off_cents += event.given_up_cents
        meters.unclaimed_out_cents += max(after, 0) - max(before, 0)
        meters.games_played -= event.result is None
    seat = state.seats[event.seat]
    seat.meters.corrections += 1
    seat.meters.voids += event.result is None
    if event.round in seat.locked_for and won_cents(event.lines) < state.settings.lock_up_cents:
        seat.locked_for = tuple(number for number in seat.locked_for if number != event.round)
    settled.lines, settled.returned_cents, settled.carried_cents = event.lines, event.returned_cents, after
    settled.clause = event.clause if after else None


def carried_netted(rules: Rules, state: State, event: CarriedNetted) -> None:
    """A shortfall is covered by what another round gave back: from the credits, or unclaimed money."""
    short = over(state, event.round).seats[event.seat]
    gives = over(state, event.against).seats[event.seat]
    covered = [(short, event.carried_cents)]
    if event.has_left:
        covered.append((gives, event.against_carried_cents))
    for part, carried_cents in covered:
        part.carried_cents = carried_cents
        part.clause = part.clause if carried_cents else None
    for meters in meters_of(state, event.seat):
        meters.shortfall_in_cents -= event.cents
        if event.has_left:
            meters.unclaimed_out_cents -= event.cents


def round_recalled(rules: Rules, state: State, event: RoundRecalled) -> None:
    """An earlier round can be corrected again, until the next round is over."""
    seats = {
        part.seat: SeatRound(
            visit=part.visit,
            layout=part.layout,
            fresh_from=part.fresh_from,
            lines=part.lines,
            returned_cents=part.returned_cents,
            written_off_cents=part.written_off_cents,
            written_off_at_cents=part.written_off_at_cents,
            by_hand_cents=part.by_hand_cents,
        )
        for part in event.seats
    }
    round_ = Round(
        number=event.round, phase=event.phase, limits=event.limits, result=event.result, seats=seats
    )
    if event.sensed is not None:
        round_.spin = Spin(
            ball=None,
            wheel=None,
            wheel_turning=None,
            started_by=WHEEL,
            finished_by=WHEEL,
            pocket=event.sensed,
        )
    state.owing[event.round], state.recalled_at = round_, state.sequence


def carried_settled(rules: Rules, state: State, event: CarriedSettled) -> None:
    """Nothing is carried any more: what was paid or collected is cash, what was written off is given up."""
    round_ = over(state, event.round)
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

"""The usual case, straight to its event: a player's ordinary bets that nothing speaks against.

Almost every command at a busy table is one of these. What is here gives the very event that the rules of
`betting`, `limiting` and `authority` give, or nothing at all: whatever is unusual is left to them, with every
refusal and its sentence.
"""

from croupier.table import commands as c
from croupier.table.asking import MOST_CENTS
from croupier.table.events import BetChange, BetsChanged
from croupier.table.ledger import Posting
from croupier.table.rules import Rules, SeatRules
from croupier.table.settings import Limits
from croupier.table.state import BETTING, Round, Seat, State


def plain_bet(rules: Rules, state: State, command: c.Command) -> BetsChanged | None:
    """The event of plain bets; None where the command is anything else, or anything might be against it."""
    do, actor, round_ = command.do, command.actor, state.round
    if type(do) is not c.PlaceBets or round_ is None:
        return None
    seat_id = do.seat
    seat = state.seats.get(seat_id)
    if (
        seat is None
        or not seat.in_use
        or seat.lost
        or seat.lock is not None
        or actor.position != "player"
        or actor.seat != seat_id
        or command.second is not None
        or not rules.players_place_alone
        or state.settings.two_people
        or not state.open
        or state.halted is not None
        or round_.phase != BETTING
        or (command.round is not None and command.round != round_.number)
        or (round_.closes_ms is not None and command.at_ms >= round_.closes_ms)
    ):
        return None
    changes, cents = _changes(rules, state, seat, do.stakes)
    if not changes:
        return None
    credits = f"credits/{seat_id}"
    if cents > state.balances.get(credits, 0) or _near_other_limits(state, round_, seat.staked_cents, cents):
        return None
    return BetsChanged(
        seat=seat_id,
        round=round_.number,
        changes=changes,
        placed_by="player",
        clause=rules.place_clause,
        postings=(Posting(credits, f"stakes/{seat_id}", cents),),
    )


def _changes(
    rules: Rules, state: State, seat: Seat, stakes: tuple[c.Stake, ...]
) -> tuple[tuple[BetChange, ...], int]:
    """Stakes on bets of the seat's layout, each named once and within its limits, with their sum.

    There are none where anything is unusual.
    """
    own = rules.seats[seat.layout]
    if own.ranged is not state.limits:
        _look_up_ranges(own, state.limits)
    ranges, on_bets, changes, sum_cents = own.ranges, seat.stakes, dict[str, BetChange](), 0
    for stake in stakes:
        bet_id, cents = stake.bet, stake.cents
        if bet_id not in ranges or bet_id in changes or not 1 <= cents <= MOST_CENTS:
            return (), 0
        least_cents, most_cents = ranges[bet_id]
        if not least_cents <= on_bets.get(bet_id, 0) + cents <= most_cents:
            return (), 0
        changes[bet_id] = BetChange(bet_id, cents)
        sum_cents += cents
    return tuple(changes.values()), sum_cents


def _look_up_ranges(own: SeatRules, limits: Limits) -> None:
    """Limits stay the same for many bets, so that each bet's are looked up once."""
    ranges = {bet.id: limits.of_bet(bet.id, bet.kind) for bet in own.layout.bets.values()}
    own.ranges = {bet: (limit.minimum_cents, limit.maximum_cents) for bet, limit in ranges.items()}
    own.ranged = limits


def _near_other_limits(state: State, round_: Round, staked_cents: int, cents: int) -> bool:
    """Whether a limit of the seat, the spot, the table or the house has to be looked at."""
    limits = state.limits
    return (
        limits.exposure_cents is not None
        or bool(limits.spots)
        or (limits.seat_cents is not None and staked_cents + cents > limits.seat_cents)
        or (limits.table_cents is not None and round_.total_cents + cents > limits.table_cents)
    )

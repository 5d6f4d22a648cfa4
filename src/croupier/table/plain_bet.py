"""The usual case, straight to its event: a player's one ordinary bet that nothing speaks against.

Almost every command at a busy table is one of these. What is here gives the very event that the rules of
`betting`, `limiting` and `authority` give, or nothing at all: whatever is unusual is left to them, with every
refusal and its sentence.
"""

from croupier.table import commands as c
from croupier.table.asking import MOST_CENTS
from croupier.table.events import BetChange, BetsChanged
from croupier.table.ledger import Posting
from croupier.table.rules import Rules
from croupier.table.state import BETTING, Round, State


def plain_bet(rules: Rules, state: State, command: c.Command) -> BetsChanged | None:
    """The event of a plain bet; None where the command is anything else, or anything might be against it."""
    do, actor, round_ = command.do, command.actor, state.round
    if type(do) is not c.PlaceBets or len(do.stakes) != 1 or round_ is None:
        return None
    seat_id, stake = do.seat, do.stakes[0]
    bet_id, cents = stake.bet, stake.cents
    bet, seat = rules.layout.bets.get(bet_id), state.seats.get(seat_id)
    if (
        bet is None
        or seat is None
        or not 1 <= cents <= MOST_CENTS
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
        or (round_.closes_ms is not None and command.at_ms >= round_.closes_ms)
    ):
        return None
    credits = f"credits/{seat_id}"
    bets = state.limits.bets
    limit = bets.get(bet_id) or bets[bet.kind]
    if (
        cents > state.balances.get(credits, 0)
        or not limit.minimum_cents <= seat.stakes.get(bet_id, 0) + cents <= limit.maximum_cents
        or _near_other_limits(state, round_, seat.staked_cents, cents)
    ):
        return None
    return BetsChanged(
        seat=seat_id,
        round=round_.number,
        changes=(BetChange(bet_id, cents),),
        placed_by="player",
        clause=rules.place_clause,
        postings=(Posting(credits, f"stakes/{seat_id}", cents),),
    )


def _near_other_limits(state: State, round_: Round, staked_cents: int, cents: int) -> bool:
    """Whether a limit of the seat, the spot, the table or the house has to be looked at."""
    limits = state.limits
    return (
        limits.exposure_cents is not None
        or bool(limits.spots)
        or (limits.seat_cents is not None and staked_cents + cents > limits.seat_cents)
        or (limits.table_cents is not None and round_.total_cents + cents > limits.table_cents)
    )

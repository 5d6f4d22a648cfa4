"""Bets: placed, raised, reduced, moved, cleared, and on the Money Wheel rejected."""

import contextlib
from collections.abc import Iterable
from typing import Final

from croupier.rulebook import BadInput, parse_bet, show_cents
from croupier.table import commands as c
from croupier.table.asking import MOST_CENTS, Ask, bad_amount, refuse, seat_not_free, unknown_seat
from croupier.table.events import BetChange, BetsChanged, BetsRejected, BoxMarked, Event, MinimumAdvised
from croupier.table.evolve_stakes import is_below_minimum
from croupier.table.ledger import credits_of, move, stakes_of
from croupier.table.limiting import excess_cents, outside_limits
from croupier.table.rejections import Rejection, first_of
from croupier.table.rules import TABLE_EXCESS, Rules, SeatRules
from croupier.table.state import BETTING, Seat

TABLE_TOTAL = "table"
"""Names the whole table where a box is expected."""

_WITHDRAWALS: Final = (
    c.TakeBets,
    c.MoveBet,
    c.ClearBets,
    c.RejectExcess,
    c.AdviseMinimum,
    c.RejectAdvised,
)

_UNNOTICED: Final = {
    c.RejectExcess: "excess-not-rejected",
    c.AdviseMinimum: "minimum-not-noticed",
    c.RejectAdvised: "box-under-minimum",
}
"""What follows where the dealer did not act before the close, by the command that comes too late for it."""


def form_stakes(ask: Ask, do: c.PlaceBets | c.TakeBets) -> Rejection | None:
    """Refuses unknown seats and bets, and amounts that are none."""
    own = _rules_at(ask, do.seat)
    bets = own.layout.bets
    if do.stakes and all(0 < stake.cents <= MOST_CENTS and stake.bet in bets for stake in do.stakes):
        return unknown_seat(ask, do.seat)
    return first_of(
        unknown_seat(ask, do.seat),
        *(_unknown_bet(own, stake.bet) for stake in do.stakes),
        *(bad_amount(stake.cents) for stake in do.stakes),
        None if do.stakes else refuse("nothing-to-do", "Name at least one bet."),
    )


def form_move(ask: Ask, do: c.MoveBet) -> Rejection | None:
    """Refuses unknown seats and bets, and amounts that are none."""
    own, bets = _rules_at(ask, do.seat), (do.source, do.destination)
    return first_of(
        unknown_seat(ask, do.seat),
        *(_unknown_bet(own, bet) or _announced_bet(own, bet) for bet in bets),
        bad_amount(do.cents),
        _same_bet(own, do),
    )


def _rules_at(ask: Ask, seat_id: str) -> SeatRules:
    """What the seat plays by; for one that does not exist, which is refused for that, the first layout's."""
    seat = ask.state.seats.get(seat_id)
    return ask.rules.seats[None if seat is None else seat.layout]


def _same_bet(own: SeatRules, do: c.MoveBet) -> Rejection | None:
    """Refuses a move to where the bet lies, however either is written; what is no bet is found elsewhere."""
    with contextlib.suppress(BadInput):
        source, destination = (parse_bet(own.layout, bet).id for bet in (do.source, do.destination))
        if source == destination:
            return refuse("nothing-to-do", "The bet is there already.")
    return None


def form_clear(ask: Ask, do: c.ClearBets) -> Rejection | None:
    """Refuses unknown seats."""
    return unknown_seat(ask, do.seat)


def guard_change(ask: Ask, do: c.PlaceBets | c.TakeBets | c.MoveBet | c.ClearBets) -> Rejection | None:
    """Refuses what comes late, what the seat cannot do or pay, and what is outside the limits."""
    seat = ask.seat(do.seat)
    if (found := bets_not_open(ask, do) or seat_not_free(ask, seat)) is not None:
        return found
    if isinstance(do, c.PlaceBets) and (found := _not_offered(ask, seat, do.stakes)) is not None:
        return found
    changes = _changes(ask, seat, do)
    return (
        _not_on_bet(seat, changes, do)
        or _not_enough_credits(ask, seat, changes)
        or outside_limits(ask, seat, changes)
    )


def make_change(ask: Ask, do: c.PlaceBets | c.TakeBets | c.MoveBet | c.ClearBets) -> tuple[Event, ...]:
    """Registers changed bets, and marks boxes that went over their maximum."""
    seat, round_ = ask.seat(do.seat), ask.round()
    changes = _changes(ask, seat, do)
    topic = "place" if ask.actor.position == "player" else "place-for-player"
    changed = BetsChanged(
        seat=seat.id,
        round=round_.number,
        changes=changes,
        placed_by=ask.actor.position,
        clause=ask.rules.cite(topic) or ask.rules.cite("place"),
        postings=move(credits_of(seat.id), stakes_of(seat.id), sum(change.cents for change in changes)),
    )
    return (changed, *_marks(ask, changes)) if ask.rules.marks_boxes else (changed,)


def bets_not_open(ask: Ask, do: c.Do) -> Rejection | None:
    """Refuses what only open bets allow; the betting time counts even before anybody has closed them."""
    round_ = ask.state.round
    if round_ is None:
        opening = ask.rules.book.notices["open"].source
        return refuse("no-round", "No round is running; wait until bets are open.", opening)
    if round_.phase != BETTING or (round_.closes_ms is not None and ask.at_ms >= round_.closes_ms):
        return refuse(
            "bets-closed",
            f"{ask.rules.notice('closed')}: bets are closed for this round.",
            late_clause(ask.rules, do),
            round=round_.number,
        )
    return None


def late_clause(rules: Rules, do: c.Do) -> str | None:
    """The clause by which a command on bets comes too late; None where it is about something else."""
    if isinstance(do, c.PlaceBets):
        return rules.cite("late-placement")
    unnoticed = rules.clause_of(_unnoticed(do))
    return unnoticed or (rules.cite("late-withdrawal") if isinstance(do, _WITHDRAWALS) else None)


def _unnoticed(do: c.Do) -> str:
    if isinstance(do, c.RejectExcess) and do.bet == TABLE_TOTAL:
        return TABLE_EXCESS
    return _UNNOTICED.get(type(do), "")


def _changes(
    ask: Ask, seat: Seat, do: c.PlaceBets | c.TakeBets | c.MoveBet | c.ClearBets
) -> tuple[BetChange, ...]:
    if ask.changes is None:
        ask.changes = tuple(_expand_command(ask.rules.seats[seat.layout], seat, do))
    return ask.changes


def _expand_command(
    own: SeatRules, seat: Seat, do: c.PlaceBets | c.TakeBets | c.MoveBet | c.ClearBets
) -> Iterable[BetChange]:
    if isinstance(do, c.ClearBets):
        return (BetChange(bet_id, -cents) for bet_id, cents in seat.stakes.items())
    if isinstance(do, c.MoveBet):
        source, destination = (parse_bet(own.layout, bet).id for bet in (do.source, do.destination))
        return BetChange(source, -do.cents), BetChange(destination, do.cents)
    return _expand(own, do.stakes, 1 if isinstance(do, c.PlaceBets) else -1)


def _expand(own: SeatRules, stakes: Iterable[c.Stake], sign: int) -> Iterable[BetChange]:
    """Stakes as changes of ordinary bets; the usual case, a bet by its own id, comes first."""
    bets = own.layout.bets
    for stake in stakes:
        if stake.bet in bets:
            yield BetChange(stake.bet, sign * stake.cents)
        elif (announced := own.announced(stake.bet)) is not None:
            for part in announced.parts:
                yield BetChange(part.bet.id, sign * stake.cents * part.pieces, announced.name)
        else:
            yield BetChange(parse_bet(own.layout, stake.bet).id, sign * stake.cents)


def _unknown_bet(own: SeatRules, text: str) -> Rejection | None:
    if text in own.layout.bets or own.announced(text) is not None:
        return None
    try:
        parse_bet(own.layout, text)
    except BadInput as error:
        return refuse("unknown-bet", str(error), bet=text)
    return None


def _announced_bet(own: SeatRules, text: str) -> Rejection | None:
    if own.announced(text) is None:
        return None
    return refuse("unknown-bet", "Only an ordinary bet can be moved, not an announced one.", bet=text)


def _unknown_box(rules: Rules, bet_id: str) -> Rejection | None:
    if bet_id in rules.bets:
        return None
    where = " or ".join(rules.layouts)
    return refuse("unknown-bet", f"There is no box {bet_id!r} on layout {where}.", bet=bet_id)


def _not_offered(ask: Ask, seat: Seat, stakes: Iterable[c.Stake]) -> Rejection | None:
    own = ask.rules.seats[seat.layout]
    for stake in stakes:
        if stake.bet in own.layout.bets:
            continue
        announced = own.announced(stake.bet)
        if announced is not None and announced.name not in own.offers[seat.kind]:
            sentence = f"The terminal {seat.kind} does not offer {announced.name}."
            clause = own.offer_clause(seat.kind)
            return refuse("announced-not-offered", sentence, clause, bet=announced.name, terminal=seat.kind)
    return None


def _not_on_bet(seat: Seat, changes: tuple[BetChange, ...], do: c.Do) -> Rejection | None:
    if isinstance(do, c.ClearBets) and not changes:
        return refuse("not-on-bet", f"Seat {seat.id} has no bets in play.", seat=seat.id)
    left = dict(seat.stakes)
    for change in changes:
        left[change.bet] = left.get(change.bet, 0) + change.cents
        if left[change.bet] < 0:
            on_it = seat.stakes.get(change.bet, 0)
            sentence = f"Only {show_cents(on_it)} lies on {change.bet}."
            return refuse("not-on-bet", sentence, bet=change.bet, stake_cents=on_it)
    return None


def _not_enough_credits(ask: Ask, seat: Seat, changes: tuple[BetChange, ...]) -> Rejection | None:
    cost, credits_cents = sum(change.cents for change in changes), ask.state.credits_cents(seat.id)
    if cost > credits_cents:
        sentence = f"The bets cost {show_cents(cost)} and the credits are {show_cents(credits_cents)}."
        short = cost - credits_cents
        return refuse(
            "not-enough-credits", sentence, cost_cents=cost, credits_cents=credits_cents, short_cents=short
        )
    return None


def _marks(ask: Ask, changes: tuple[BetChange, ...]) -> Iterable[Event]:
    """Boxes, and the table as a whole, that hold more than their maximum after these changes."""
    clause = ask.rules.clause_of("box-over-maximum")
    if clause is None:
        return
    round_ = ask.round()
    raised = {change.bet for change in changes if change.cents > 0}
    for bet_id in sorted(raised):
        more = sum(change.cents for change in changes if change.bet == bet_id)
        total = round_.spots.get(bet_id, 0) + more
        maximum = round_.limits.of_bet(bet_id, ask.rules.bet(bet_id).kind).maximum_cents
        if total > maximum:
            yield BoxMarked(
                round=round_.number, bet=bet_id, total_cents=total, maximum_cents=maximum, clause=clause
            )
    total = round_.total_cents + sum(change.cents for change in changes)
    if raised and round_.limits.table_cents is not None and total > round_.limits.table_cents:
        yield BoxMarked(
            round=round_.number,
            bet=TABLE_TOTAL,
            total_cents=total,
            maximum_cents=round_.limits.table_cents,
            clause=clause,
        )


def form_reject(ask: Ask, do: c.RejectExcess) -> Rejection | None:
    """Refuses a box that does not exist."""
    return None if do.bet == TABLE_TOTAL else _unknown_box(ask.rules, do.bet)


def guard_reject(ask: Ask, do: c.RejectExcess) -> Rejection | None:
    """Refuses to reject after the close, or where nothing is over the maximum."""
    if (found := bets_not_open(ask, do)) is not None:
        return found
    if _excess(ask, do.bet) == 0:
        return refuse(
            "no-excess",
            f"{do.bet} is not over its maximum.",
            ask.rules.clause_of("box-over-maximum"),
            bet=do.bet,
        )
    return None


def make_reject(ask: Ask, do: c.RejectExcess) -> tuple[Event, ...]:
    """Gives the excess back, what was placed latest first."""
    clause = ask.rules.clause_of("box-over-maximum") or ask.rules.book.limits.source
    left = _excess(ask, do.bet)
    rejected: dict[tuple[str, str], int] = {}
    for placement in reversed(ask.round().placements):
        if left and (do.bet in (TABLE_TOTAL, placement.bet)):
            cents = min(left, placement.cents)
            key = placement.seat, placement.bet
            rejected[key] = rejected.get(key, 0) + cents
            left -= cents
    return tuple(
        BetsRejected(
            seat=seat,
            round=ask.round().number,
            bet=bet_id,
            cents=cents,
            clause=clause,
            postings=move(stakes_of(seat), credits_of(seat), cents),
        )
        for (seat, bet_id), cents in rejected.items()
    )


def _excess(ask: Ask, bet: str) -> int:
    round_ = ask.round()
    if bet == TABLE_TOTAL:
        return excess_cents(round_, None, round_.limits.table_cents)
    maximum = round_.limits.of_bet(bet, ask.rules.bet(bet).kind).maximum_cents
    return excess_cents(round_, bet, maximum)


def form_advise(ask: Ask, do: c.AdviseMinimum | c.RejectAdvised) -> Rejection | None:
    """Refuses unknown seats and boxes."""
    return unknown_seat(ask, do.seat) or _unknown_box(ask.rules, do.bet)


def guard_advise(ask: Ask, do: c.AdviseMinimum) -> Rejection | None:
    """Refuses to advise after the close, or where the player's bet meets the minimum.

    In a box whose total is under its minimum every bet is under it, so that one question answers both.
    """
    if (found := bets_not_open(ask, do)) is not None:
        return found
    seat = ask.seat(do.seat)
    if not is_below_minimum(ask.rules, ask.round().limits, seat, do.bet):
        stake, minimum = seat.stakes.get(do.bet, 0), _minimum(ask, do.bet)
        sentence = f"Seat {do.seat} has nothing on {do.bet}, or its bet meets the minimum."
        clause = ask.rules.clause_of("box-under-minimum")
        return refuse(
            "not-below-minimum", sentence, clause, bet=do.bet, stake_cents=stake, minimum_cents=minimum
        )
    return None


def make_advise(ask: Ask, do: c.AdviseMinimum) -> tuple[Event, ...]:
    """Tells the player."""
    clause = ask.rules.clause_of("box-under-minimum") or ask.rules.book.limits.source
    minimum = _minimum(ask, do.bet)
    return (
        MinimumAdvised(
            seat=do.seat, round=ask.round().number, bet=do.bet, minimum_cents=minimum, clause=clause
        ),
    )


def guard_reject_advised(ask: Ask, do: c.RejectAdvised) -> Rejection | None:
    """Refuses after the close, and where the player was not advised or has followed the advice."""
    if (found := bets_not_open(ask, do)) is not None:
        return found
    if do.bet not in ask.round().advised.get(do.seat, ()):
        sentence = (
            f"Seat {do.seat} was not advised of the minimum on {do.bet}, or its bet is not under it any more."
        )
        clause, stake = ask.rules.clause_of("box-under-minimum"), ask.seat(do.seat).stakes.get(do.bet, 0)
        return refuse(
            "not-advised",
            sentence,
            clause,
            bet=do.bet,
            stake_cents=stake,
            minimum_cents=_minimum(ask, do.bet),
        )
    return None


def make_reject_advised(ask: Ask, do: c.RejectAdvised) -> tuple[Event, ...]:
    """Gives the whole bet back."""
    cents = ask.seat(do.seat).stakes[do.bet]
    rejected = BetsRejected(
        seat=do.seat,
        round=ask.round().number,
        bet=do.bet,
        cents=cents,
        clause=ask.rules.clause_of("box-under-minimum") or ask.rules.book.limits.source,
        postings=move(stakes_of(do.seat), credits_of(do.seat), cents),
        cause="box-under-minimum",
    )
    return (rejected,)


def _minimum(ask: Ask, bet_id: str) -> int:
    return ask.round().limits.of_bet(bet_id, ask.rules.bet(bet_id).kind).minimum_cents

"""What a correction could not give or take, moved on by hand: paid, collected, or given up."""

from typing import Final

from croupier.rulebook import show_cents
from croupier.table import commands as c
from croupier.table.asking import Ask, bad_amount, no_reason, refuse
from croupier.table.correcting import unknown_round
from croupier.table.events import CarriedSettled, Event
from croupier.table.ledger import CASH, HOUSE, SHORTFALL, UNCLAIMED, move
from croupier.table.rejections import Rejection, first_of
from croupier.table.state import SeatRound

PAID, COLLECTED, WRITTEN_OFF = "paid", "collected", "written-off"
WAYS: Final = {PAID: (UNCLAIMED, CASH), COLLECTED: (CASH, SHORTFALL), WRITTEN_OFF: (HOUSE, SHORTFALL)}
"""How carried money is settled, and from which account it goes to which."""


def form_settle(ask: Ask, do: c.SettleCarried) -> Rejection | None:
    """Refuses seats, rounds, ways and amounts that do not exist, and a missing reason."""
    seat = way = None
    if do.seat not in ask.state.seats:
        seat = refuse("unknown-seat", f"There is no seat {do.seat!r} at this table.", seat=do.seat)
    if do.how not in WAYS:
        way = refuse("unknown-way", f"What a correction left open is one of {', '.join(WAYS)}.", how=do.how)
    return first_of(seat, unknown_round(ask, do.round), way, bad_amount(do.cents), no_reason(do.reason))


def guard_settle(ask: Ask, do: c.SettleCarried) -> Rejection | None:
    """Refuses anything but the whole of what is carried, the way that it can end."""
    settled = _settled(ask, do)
    carried_cents = 0 if settled is None else settled.carried_cents
    if carried_cents == 0:
        sentence = f"Seat {do.seat} has nothing unclaimed and no shortfall in round {do.round}."
        return refuse("nothing-carried", sentence, round=do.round, seat=do.seat)
    is_unclaimed = carried_cents > 0
    fits = is_unclaimed == (do.how == PAID)
    if fits and do.cents == abs(carried_cents):
        return None
    what = f"{show_cents(abs(carried_cents))} {'unclaimed' if is_unclaimed else 'of shortfall'}"
    ends = "which is paid" if is_unclaimed else "which is collected or written off"
    advice = "; settle all of it at once" if fits else f", {ends}"
    return refuse(
        "carried-differs" if fits else "carried-otherwise",
        f"Seat {do.seat} has {what} in round {do.round}{advice}.",
        round=do.round,
        seat=do.seat,
        open_cents=abs(carried_cents),
    )


def make_settle(ask: Ask, do: c.SettleCarried) -> tuple[Event, ...]:
    """Moves the whole amount; a later correction of the round begins from nothing carried."""
    settled, (source, destination) = _settled(ask, do), WAYS[do.how]
    if settled is None or settled.clause is None:
        raise RuntimeError("a guard let a command through that needs something carried")
    ended = CarriedSettled(
        seat=do.seat,
        round=do.round,
        how=do.how,
        cents=do.cents,
        reason=do.reason,
        clause=settled.clause,
        postings=move(source, destination, do.cents),
    )
    return (ended,)


def _settled(ask: Ask, do: c.SettleCarried) -> SeatRound | None:
    over = ask.state.over(do.round)
    return None if over is None else over.seats.get(do.seat)

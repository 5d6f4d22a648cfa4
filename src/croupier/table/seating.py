"""Seats: put into use and out of it, lost and restored."""

from typing import Final

from croupier.table import commands as c
from croupier.table.asking import Ask, refuse, unknown_seat
from croupier.table.calling import ended
from croupier.table.events import Event, SeatClosed, SeatLost, SeatOpened, SeatRestored
from croupier.table.rejections import Rejection

LONGEST_SEAT: Final = 40


def form_open(ask: Ask, do: c.OpenSeat) -> Rejection | None:
    """Refuses a seat that is in use, and a layout or a kind of seat that the table does not have."""
    if not (do.seat.isprintable() and do.seat == do.seat.strip() and 0 < len(do.seat) <= LONGEST_SEAT):
        sentence = f"A seat's id is up to {LONGEST_SEAT} characters that print, without blanks around it."
        return refuse("seat-malformed", sentence)
    seat = ask.state.seats.get(do.seat)
    if seat is not None and seat.in_use:
        return refuse("seat-exists", f"Seat {do.seat} is in use already.", seat=do.seat)
    if do.layout is not None and do.layout not in ask.rules.layouts:
        sentence = f"This table has no layout {do.layout!r}; use {', '.join(ask.rules.layouts)}."
        return refuse("unknown-layout", sentence, layout=do.layout)
    known = ask.rules.seat_kinds if do.layout is None else ask.rules.seats[do.layout].seat_kinds
    if do.kind not in known:
        where = "here" if do.layout is None else f"with layout {do.layout}"
        sentence = f"{do.kind!r} is not a kind of seat {where}; use {', '.join(known)}."
        return refuse("unknown-seat-kind", sentence, kind=do.kind)
    return None


def make_open(ask: Ask, do: c.OpenSeat) -> tuple[Event, ...]:
    """Puts the seat into use; which layout it has is said where the table has several."""
    layout = do.layout or ask.rules.layout_of(do.kind)
    return (SeatOpened(seat=do.seat, kind=do.kind, layout=ask.rules.told(layout)),)


def form_seat(ask: Ask, do: c.CloseSeat | c.LoseSeat | c.RestoreSeat) -> Rejection | None:
    """Refuses unknown seats."""
    return unknown_seat(ask, do.seat)


def guard_close(ask: Ask, do: c.CloseSeat) -> Rejection | None:
    """Refuses while anything of value is on the seat."""
    seat = ask.seat(do.seat)
    if seat.staked_cents or ask.state.credits_cents(do.seat):
        return refuse("seat-has-money", f"Seat {do.seat} still has credits or stakes.", seat=do.seat)
    return None


def make_close(ask: Ask, do: c.CloseSeat) -> tuple[Event, ...]:
    """Takes the seat out of use; whoever does so has answered its call."""
    return (SeatClosed(seat=do.seat), *ended(ask, do.seat))


def guard_lose(ask: Ask, do: c.LoseSeat) -> Rejection | None:
    """Refuses to lose a seat twice."""
    if ask.seat(do.seat).lost:
        return refuse("seat-lost", f"Seat {do.seat} is lost already.", seat=do.seat)
    return None


def make_lose(ask: Ask, do: c.LoseSeat) -> tuple[Event, ...]:
    """The round goes on; what the seat has registered stands."""
    round_ = ask.state.round
    number = round_.number if round_ is not None else None
    return (SeatLost(seat=do.seat, round=number, clause=_lost_clause(ask, do.seat)),)


def _lost_clause(ask: Ask, seat_id: str) -> str | None:
    """What the text says of a lost terminal depends on whether it has bets registered."""
    staked = ask.seat(seat_id).staked_cents > 0
    return ask.rules.clause_of("terminal-lost" if staked else "terminal-lost-unregistered")


def guard_restore(ask: Ask, do: c.RestoreSeat) -> Rejection | None:
    """Refuses to restore a seat that is there."""
    if not ask.seat(do.seat).lost:
        return refuse("seat-not-lost", f"Seat {do.seat} is not lost.", seat=do.seat)
    return None


def make_restore(ask: Ask, do: c.RestoreSeat) -> tuple[Event, ...]:
    """The terminal is back."""
    return (SeatRestored(seat=do.seat, clause=_lost_clause(ask, do.seat)),)

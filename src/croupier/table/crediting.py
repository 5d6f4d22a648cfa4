"""Credits: bought, paid out, and locked until a pit employee has come."""

from typing import Final

from croupier.rulebook import show_cents
from croupier.table import commands as c
from croupier.table.asking import Ask, bad_amount, no_reason, refuse, seat_not_free, unknown_seat
from croupier.table.calling import ended
from croupier.table.events import CreditsBought, CreditsPaidOut, Event, SeatLocked, SeatUnlocked
from croupier.table.ledger import CASH, VOUCHERS, credits_of, move
from croupier.table.rejections import Rejection
from croupier.table.rules import PLACE
from croupier.table.state import Seat

WIN, ATTENDANT_PAY = "win", "attendant-pay"
"""Why a seat is locked."""

LOST_TERMINAL, NO_TERMINAL, LOCKED_SEAT, ABOVE_LIMIT = (
    "lost-terminal",
    "no-terminal",
    "locked-seat",
    "above-limit",
)
"""Why an attendant paid by hand: the first that applies."""

DAY_MS: Final = 24 * 60 * 60 * 1000
MOST_VOUCHER_DAYS: Final = 3_650
"""For how many days a voucher may be good, from one on."""


def form_buy(ask: Ask, do: c.BuyCredits) -> Rejection | None:
    """Refuses unknown seats, amounts that are none, and a voucher without a number."""
    found = unknown_seat(ask, do.seat) or bad_amount(do.cents)
    if found is None and do.voucher is not None:
        found = _no_voucher_number(do.voucher)
    return found


def guard_buy(ask: Ask, do: c.BuyCredits) -> Rejection | None:
    """Refuses seats that are lost or locked, and cash that a terminal cannot have taken."""
    return seat_not_free(ask, ask.seat(do.seat)) or _too_much_cash(ask, do)


def _too_much_cash(ask: Ask, do: c.BuyCredits) -> Rejection | None:
    limit_cents = ask.state.settings.cash_limit_cents
    if do.voucher is not None or ask.actor.position != "player" or limit_cents is None:
        return None
    if do.cents <= limit_cents:
        return None
    takes = f"{show_cents(limit_cents)} in cash at once" if limit_cents else "no cash"
    sentence = f"Terminals here take {takes}; an attendant sells credits for it."
    return refuse("cash-limit", sentence, limit_cents=limit_cents)


def make_buy(ask: Ask, do: c.BuyCredits) -> tuple[Event, ...]:
    """Puts bought credits on the seat."""
    source = CASH if do.voucher is None else VOUCHERS
    bought = CreditsBought(
        seat=do.seat,
        cents=do.cents,
        voucher=do.voucher,
        clause=ask.rules.cite("credits"),
        postings=move(source, credits_of(do.seat), do.cents),
    )
    return (bought,)


def form_cash_out(ask: Ask, do: c.CashOut) -> Rejection | None:
    """Refuses unknown seats, and a voucher without a number."""
    return unknown_seat(ask, do.seat) or _no_voucher_number(do.voucher)


def guard_cash_out(ask: Ask, do: c.CashOut) -> Rejection | None:
    """Refuses to pay out while stakes are in play, or where there is nothing to pay."""
    seat = ask.seat(do.seat)
    return seat_not_free(ask, seat) or _not_payable(ask, seat)


def make_cash_out(ask: Ask, do: c.CashOut) -> tuple[Event, ...]:
    """Issues a voucher, or locks the seat for an attendant where it would be above the limit."""
    credits_cents = ask.state.credits_cents(do.seat)
    if credits_cents > ask.state.settings.voucher_limit_cents:
        return (SeatLocked(seat=do.seat, round=None, reason=ATTENDANT_PAY, cents=credits_cents),)
    return (_paid_out(ask, do.seat, do.voucher),)


def form_seat(ask: Ask, do: c.PayByAttendant | c.ClearLockUp) -> Rejection | None:
    """Refuses unknown seats."""
    return unknown_seat(ask, do.seat)


def guard_attendant(ask: Ask, do: c.PayByAttendant) -> Rejection | None:
    """Refuses where stakes are in play, nothing is to pay, or the terminal prints a voucher."""
    seat = ask.seat(do.seat)
    if (found := _not_payable(ask, seat)) is not None:
        return found
    if _occasion(ask, seat) is None:
        limit = ask.state.settings.voucher_limit_cents
        return refuse(
            "below-voucher-limit",
            f"Up to {show_cents(limit)} the terminal pays a voucher.",
            limit_cents=limit,
        )
    return None


def _occasion(ask: Ask, seat: Seat) -> str | None:
    """Why an attendant pays the seat by hand; None where its player takes a voucher at the terminal."""
    if seat.lost:
        return LOST_TERMINAL
    if seat.kind == PLACE:
        return NO_TERMINAL
    if seat.lock is not None:
        return LOCKED_SEAT
    is_above = ask.state.credits_cents(seat.id) > ask.state.settings.voucher_limit_cents
    return ABOVE_LIMIT if is_above else None


def make_attendant(ask: Ask, do: c.PayByAttendant) -> tuple[Event, ...]:
    """Pays by hand, releases the seat, and has answered its call: an attendant stands there."""
    released = (SeatUnlocked(seat=do.seat),) if ask.seat(do.seat).lock is not None else ()
    return (_paid_out(ask, do.seat, None), *released, *ended(ask, do.seat))


def guard_clear(ask: Ask, do: c.ClearLockUp) -> Rejection | None:
    """Refuses where nothing is locked."""
    if ask.seat(do.seat).lock is None:
        return refuse("seat-not-locked", f"Seat {do.seat} is not locked.", seat=do.seat)
    return None


def make_clear(ask: Ask, do: c.ClearLockUp) -> tuple[Event, ...]:
    """Releases the seat."""
    return (SeatUnlocked(seat=do.seat),)


def _paid_out(ask: Ask, seat_id: str, voucher: str | None) -> Event:
    credits_cents, days = ask.state.credits_cents(seat_id), ask.voucher_days
    return CreditsPaidOut(
        seat=seat_id,
        cents=credits_cents,
        voucher=voucher,
        clause=ask.rules.cite("credits"),
        postings=move(credits_of(seat_id), CASH if voucher is None else VOUCHERS, credits_cents),
        expires_ms=None if voucher is None or days is None else ask.at_ms + days * DAY_MS,
        occasion=_occasion(ask, ask.seat(seat_id)) if voucher is None else None,
    )


def _not_payable(ask: Ask, seat: Seat) -> Rejection | None:
    if seat.staked_cents:
        staked = seat.staked_cents
        return refuse(
            "stakes-in-play",
            f"{show_cents(staked)} is in play; wait until the round is over.",
            staked_cents=staked,
        )
    if ask.state.credits_cents(seat.id) == 0:
        return refuse("no-credits", f"Seat {seat.id} has no credits to pay out.", seat=seat.id)
    return None


def _no_voucher_number(voucher: str) -> Rejection | None:
    if no_reason(voucher) is not None:
        return refuse("no-voucher-number", "A voucher needs its number.")
    return None

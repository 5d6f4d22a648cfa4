"""Seats and their credits, audited: bought, paid out whole, locked above the thresholds."""

from croupier.floor.audit.books import (
    Books,
    SeatBooks,
    expect_amount,
    expect_clause,
    expect_postings,
    refuse,
    told_layout,
)
from croupier.floor.audit.calls import owe_answer
from croupier.floor.audit.people import check_action, check_witness
from croupier.rulebook import show_cents
from croupier.table import events as e
from croupier.table.crediting import DAY_MS, MOST_VOUCHER_DAYS
from croupier.table.ledger import CASH, VOUCHERS


def seat_opened(books: Books, cause: e.Cause, event: e.SeatOpened) -> None:
    """A seat is put into use that was not in it."""
    seat, layout = books.seats.get(event.seat), told_layout(books, event.layout)
    if event.kind not in books.seat_kinds[layout]:
        refuse(f"the book has no seats of the kind {event.kind!r} for layout {layout}")
    if seat is None:
        accounts = f"credits/{event.seat}", f"stakes/{event.seat}"
        seat = SeatBooks(event.seat, *accounts, layout, event.kind)
        books.seats[event.seat] = seat
    elif seat.in_use:
        refuse(f"seat {event.seat} is in use already")
    else:
        seat.in_use, seat.layout, seat.kind = True, layout, event.kind


def seat_closed(books: Books, cause: e.Cause, event: e.SeatClosed) -> None:
    """A seat is put out of use with nothing on it; whoever sits there next is somebody else."""
    seat = books.seat(event.seat)
    if seat.credits_cents or seat.staked_cents:
        refuse(f"seat {event.seat} is put out of use with money on it")
    seat.in_use = seat.lost = seat.locked = False
    seat.locked_for.clear()
    seat.visit += 1
    owe_answer(books, event.seat)


def seat_lost(books: Books, cause: e.Cause, event: e.SeatLost) -> None:
    """A terminal is lost that was there."""
    seat = books.seat(event.seat)
    if seat.lost:
        refuse(f"seat {event.seat} is lost already")
    if event.round != (None if books.round is None else books.round.number):
        refuse(f"round {event.round} is not the one that is running")
    expect_clause(event.clause, books.clauses.of_lost_seat(seat.staked_cents))
    seat.lost = True


def seat_restored(books: Books, cause: e.Cause, event: e.SeatRestored) -> None:
    """A terminal is back that was lost."""
    seat = books.seat(event.seat)
    if not seat.lost:
        refuse(f"seat {event.seat} was not lost")
    expect_clause(event.clause, books.clauses.of_lost_seat(seat.staked_cents))
    seat.lost = False


def seat_locked(books: Books, cause: e.Cause, event: e.SeatLocked) -> None:
    """A lock-up has its reason: a win that reached the threshold, or credits above the voucher limit."""
    seat = books.seat(event.seat)
    if event.reason == "win" and event.round is not None:
        if books.owed.pop(("lock", event.seat, event.round, event.cents), None) is None:
            refuse(f"seat {event.seat} has not won {show_cents(event.cents)} in round {event.round}")
        seat.locked_for.add(event.round)
    elif seat.locked:
        refuse(f"seat {event.seat} is locked already")
    elif (
        event.reason != "attendant-pay"
        or event.round is not None
        or not isinstance(books.began, e.SeatLocked)
        or seat.credits_cents <= books.settings.voucher_limit_cents
    ):
        refuse(f"nothing asks for a lock-up of seat {event.seat}")
    else:
        expect_amount("the amount to be paid by hand", event.cents, seat.credits_cents)
    seat.locked = True


def seat_unlocked(books: Books, cause: e.Cause, event: e.SeatUnlocked) -> None:
    """A seat is released that was locked."""
    seat = books.seat(event.seat)
    if not seat.locked:
        refuse(f"seat {event.seat} was not locked")
    if event.round is not None:
        if books.owed.pop(("release", event.seat, event.round), None) is None:
            refuse(f"no win of round {event.round} that had locked seat {event.seat} was taken back")
    elif books.owed.pop(("unlock", event.seat), None) is None and not isinstance(books.began, e.SeatUnlocked):
        refuse(f"seat {event.seat} is released with something that was done at another seat")
    seat.locked = False
    seat.locked_for.clear()


def owe_lock_up(
    books: Books, seat: SeatBooks, number: int, lines: tuple[e.Line, ...], before: tuple[e.Line, ...] = ()
) -> None:
    """A win that reaches the threshold has to lock the seat in the same step.

    A correction that leaves the win no higher than it was does not lock it again.
    """
    won_cents = _won_cents(lines)
    waits_for_another = bool(seat.locked_for) and number not in seat.locked_for
    if (
        won_cents >= books.settings.lock_up_cents
        and (not seat.locked or waits_for_another)
        and (not before or won_cents > _won_cents(before))
    ):
        books.owed["lock", seat.id, number, won_cents] = (
            f"seat {seat.id} won {show_cents(won_cents)} and is not locked"
        )


def owe_release(books: Books, seat: SeatBooks, number: int, lines: tuple[e.Line, ...]) -> None:
    """A seat waits no longer where the last large win that has locked it is taken back."""
    if number not in seat.locked_for or _won_cents(lines) >= books.settings.lock_up_cents:
        return
    seat.locked_for.remove(number)
    if not seat.locked_for:
        books.owed["release", seat.id, number] = (
            f"the win of round {number} that locked seat {seat.id} was taken back, and it is not released"
        )


def _won_cents(lines: tuple[e.Line, ...]) -> int:
    won_cents = 0
    for line in lines:
        if line.won:
            won_cents += line.returned_cents - line.stake_cents
    return won_cents


def credits_bought(books: Books, cause: e.Cause, event: e.CreditsBought) -> None:
    """What was paid in is what is on the seat."""
    seat, source = books.free_seat(event.seat), CASH if event.voucher is None else VOUCHERS
    if not books.open:
        refuse("credits are bought at a closed table")
    if event.cents < 1:
        refuse(f"credits of {show_cents(event.cents)} are bought")
    limit_cents = books.settings.cash_limit_cents
    is_at_terminal = event.voucher is None and cause.actor.position == "player"
    if is_at_terminal and limit_cents is not None and event.cents > limit_cents:
        refuse(
            f"a terminal takes {show_cents(event.cents)} in cash, and its limit is {show_cents(limit_cents)}"
        )
    expect_postings(event.postings, (source, seat.credits_account, event.cents))
    if not seat.credits_cents and not seat.staked_cents:
        seat.fresh_from = books.rounds + (books.round is None)
    seat.credits_cents += event.cents
    books.accounts[source] -= event.cents


def credits_paid_out(books: Books, cause: e.Cause, event: e.CreditsPaidOut) -> None:
    """All credits are paid out, none while stakes are in play, and no voucher above its limit."""
    seat = books.seat(event.seat)
    if seat.staked_cents:
        refuse(f"seat {event.seat} is paid out with {show_cents(seat.staked_cents)} in play")
    if seat.credits_cents < 1:
        refuse(f"seat {event.seat} has no credits to pay out")
    expect_amount("what is paid out", event.cents, seat.credits_cents)
    if event.expires_ms is not None:
        _check_validity(event, event.expires_ms - cause.at_ms)
    takes_attendant = seat.lost or seat.locked or event.cents > books.settings.voucher_limit_cents
    if event.voucher is not None and takes_attendant:
        refuse(f"seat {event.seat} gets a voucher where only an attendant may pay")
    if event.voucher is None and seat.has_terminal and not takes_attendant:
        refuse(f"seat {event.seat} is paid by hand where it gets a voucher")
    occasion = None if event.voucher is not None else _occasion(seat)
    if event.occasion != occasion:
        refuse(f"it gives {event.occasion} as why it was paid by hand, and that is {occasion}")
    if event.voucher is None and not seat.has_terminal:
        check_witness(cause, f"credits of seat {event.seat}, which has no terminal,")
    destination = CASH if event.voucher is None else VOUCHERS
    expect_postings(event.postings, (seat.credits_account, destination, event.cents))
    seat.credits_cents = 0
    seat.visit += 1
    books.accounts[destination] += event.cents
    if event.voucher is None:
        owe_answer(books, event.seat)
    if seat.locked:
        check_action(books, cause, "clear-lock-up")
        books.owed["unlock", event.seat] = f"seat {event.seat} was paid by hand and is not released"


def _occasion(seat: SeatBooks) -> str:
    """Why an attendant pays a seat by hand."""
    if not seat.has_terminal:
        return "lost-terminal" if seat.lost else "no-terminal"
    return "locked-seat" if seat.locked else "above-limit"


def _check_validity(event: e.CreditsPaidOut, good_ms: int) -> None:
    """A voucher is good for whole days, as many as a floor may be set to."""
    if event.voucher is None:
        refuse("it says until when a voucher is good, and there is none")
    if good_ms % DAY_MS or not 1 <= good_ms // DAY_MS <= MOST_VOUCHER_DAYS:
        refuse(f"its voucher is good for {good_ms} ms, and not for whole days from 1 to {MOST_VOUCHER_DAYS}")

"""Stakes in play, audited: registered while bets are open, paid from credits, rejected latest first."""

from croupier.floor.audit.announced import check_announced
from croupier.floor.audit.books import (
    Books,
    RoundBooks,
    SeatBooks,
    expect_amount,
    expect_clause,
    expect_layout,
    expect_postings,
    refuse,
)
from croupier.floor.audit.following import check_void
from croupier.rulebook import show_cents
from croupier.table import events as e
from croupier.table.ledger import Posting

TABLE_TOTAL = "table"
"""Names the whole table where a box is expected."""


def bets_changed(books: Books, cause: e.Cause, event: e.BetsChanged) -> None:
    """Bets are registered only while they are open, and cost what they change."""
    seat, round_ = books.free_seat(event.seat), open_round(books, cause, event.round)
    stakes, legal, cost_cents, is_announced = seat.stakes, books.layouts[seat.layout].bets, 0, False
    clauses = books.clauses
    if event.clause != (clauses.placed if event.placed_by == "player" else clauses.placed_for_player):
        refuse(f"it cites {event.clause}, which is not what bets of a {event.placed_by} rest on")
    for change in event.changes:
        bet_id, cents = change.bet, change.cents
        if bet_id not in legal:
            refuse(f"{bet_id!r} is not a bet on layout {seat.layout}, which seat {seat.id} has")
        on_it = stakes.get(bet_id, 0) + cents
        if on_it > 0:
            stakes[bet_id] = on_it
        elif on_it == 0:
            stakes.pop(bet_id, None)
        else:
            refuse(
                f"{show_cents(-cents)} is taken off {bet_id}, and only {show_cents(on_it - cents)} lies on it"
            )
        cost_cents += cents
        is_announced = is_announced or change.announced is not None
        if books.marks_boxes:
            _note_placement(round_, event.seat, bet_id, cents)
    if not event.changes:
        refuse("it changes no bet")
    if round_.advised:
        _end_advice(books, round_, seat)
    if is_announced:
        check_announced(books.layouts[seat.layout], event.changes)
    if cost_cents > seat.credits_cents:
        refuse(
            f"the bets cost {show_cents(cost_cents)}, and the credits are {show_cents(seat.credits_cents)}"
        )
    if not _is_paid(event.postings, seat, cost_cents):
        expect_postings(event.postings, (seat.credits_account, seat.stakes_account, cost_cents))
    seat.credits_cents -= cost_cents
    seat.staked_cents += cost_cents
    round_.total_cents += cost_cents
    if books.marks_boxes:
        _owe_marks(books, round_, {change.bet for change in event.changes if change.cents > 0})


def _is_paid(postings: tuple[Posting, ...], seat: SeatBooks, cost_cents: int) -> bool:
    """Whether one posting takes what the bets cost from the seat's credits: the usual case."""
    if len(postings) != 1 or cost_cents <= 0:
        return False
    paid = postings[0]
    return (
        paid.cents == cost_cents
        and paid.source == seat.credits_account
        and paid.destination == seat.stakes_account
    )


def _owe_marks(books: Books, round_: RoundBooks, raised: set[str]) -> None:
    """A box that was raised and is over its maximum has to be marked, and the table with it."""
    for bet in (*raised, TABLE_TOTAL) if raised else ():
        total, most = _box(books, round_, bet)
        if most is not None and total > most:
            books.owed["mark", bet] = f"{bet} is over its maximum and is not marked"


def open_round(books: Books, cause: e.Cause, number: int) -> RoundBooks:
    """The round whose bets are open, also by the time that was set for them."""
    round_ = books.running(number)
    if not round_.betting:
        refuse(f"bets of round {number} are closed")
    if cause.at_ms < round_.opened_ms:
        refuse(f"round {number} was opened only later")
    if round_.closes_ms is not None and cause.at_ms >= round_.closes_ms:
        refuse(f"the betting time of round {number} was over")
    return round_


def _stake(seat: SeatBooks, round_: RoundBooks, cents: int) -> None:
    """Moves an amount from a seat's credits into play, or back where it is below zero."""
    seat.credits_cents -= cents
    seat.staked_cents += cents
    round_.total_cents += cents


def _note_placement(round_: RoundBooks, seat: str, bet_id: str, cents: int) -> None:
    round_.boxes[bet_id] = round_.boxes.get(bet_id, 0) + cents
    if cents > 0:
        round_.placements.append((seat, bet_id, cents))
        return
    left, kept = -cents, []
    for placement in reversed(round_.placements):
        if placement[:2] == (seat, bet_id):
            taken = min(left, placement[2])
            left -= taken
            placement = (seat, bet_id, placement[2] - taken)
        if placement[2]:
            kept.append(placement)
    round_.placements = kept[::-1]


def box_marked(books: Books, cause: e.Cause, event: e.BoxMarked) -> None:
    """A marked box holds what is said, and that is over its maximum."""
    total, most = _box(books, open_round(books, cause, event.round), event.bet)
    if books.owed.pop(("mark", event.bet), None) is None or most is None:
        refuse(f"{event.bet} was not raised over its maximum")
    if (event.total_cents, event.maximum_cents) != (total, most):
        refuse(f"{event.bet} holds {show_cents(total)}, and its maximum is {show_cents(most)}")


def _box(books: Books, round_: RoundBooks, bet: str) -> tuple[int, int | None]:
    """What a box, or the whole table, holds, and the most that it takes."""
    if bet == TABLE_TOTAL:
        return round_.total_cents, round_.limits.table_cents
    if bet not in books.kinds_of_boxes:
        refuse(f"{bet!r} is not a box on layout {' or '.join(books.layouts)}")
    return round_.boxes.get(bet, 0), box_limits(books, round_, bet)[1]


def box_limits(books: Books, round_: RoundBooks, bet: str) -> tuple[int, int]:
    """The least and the most that a box takes: its own limits, or those of its kind."""
    limits = round_.limits.bets
    found = limits[bet] if bet in limits else limits[books.kinds_of_boxes[bet]]
    return found.minimum_cents, found.maximum_cents


def minimum_advised(books: Books, cause: e.Cause, event: e.MinimumAdvised) -> None:
    """A player is told of the minimum of a box where the own bet is under it, as in a box that is."""
    round_, seat = open_round(books, cause, event.round), books.seat(event.seat)
    if event.bet not in seat.stakes:
        refuse(f"seat {event.seat} has nothing on {event.bet}")
    least, _ = box_limits(books, round_, event.bet)
    expect_amount("the minimum", event.minimum_cents, least)
    if (stake := seat.stakes[event.bet]) >= least:
        refuse(f"seat {event.seat} has {show_cents(stake)} on {event.bet}, which meets the minimum")
    round_.advised.add((event.seat, event.bet))


def _end_advice(books: Books, round_: RoundBooks, seat: SeatBooks) -> None:
    """Advice is over where nothing of the bet is left, or it has reached the minimum of its box."""
    for owner, bet in [*round_.advised]:
        if owner == seat.id and not 1 <= seat.stakes.get(bet, 0) < box_limits(books, round_, bet)[0]:
            round_.advised.remove((owner, bet))


def bets_rejected(books: Books, cause: e.Cause, event: e.BetsRejected) -> None:
    """The dealer rejects an advised bet whole, or exactly an excess."""
    round_, seat = open_round(books, cause, event.round), books.seat(event.seat)
    if not books.marks_boxes:
        refuse("this game rejects no bets that were taken")
    if event.cause == "box-under-minimum":
        _check_advised(books, round_, seat, event)
    elif event.cause == "box-over-maximum":
        _check_excess(books, round_, event)
    else:
        refuse(f"no bet is rejected for {event.cause}")
    expect_postings(event.postings, (seat.stakes_account, seat.credits_account, event.cents))
    take_off(seat, event.bet, event.cents)
    _note_placement(round_, event.seat, event.bet, -event.cents)
    _stake(seat, round_, -event.cents)
    _end_advice(books, round_, seat)
    books.worked_out += 1


def _check_advised(books: Books, round_: RoundBooks, seat: SeatBooks, event: e.BetsRejected) -> None:
    """A whole bet goes back whose player was told of the minimum and has neither raised nor withdrawn it."""
    expect_clause(event.clause, books.clauses.advice)
    if event is not books.began:
        refuse("an advised bet is rejected by a command of its own")
    if (event.seat, event.bet) not in round_.advised:
        refuse(f"seat {event.seat} was not advised of the minimum on {event.bet}, or its bet meets it")
    expect_amount("what is rejected", event.cents, seat.stakes[event.bet])


def _check_excess(books: Books, round_: RoundBooks, event: e.BetsRejected) -> None:
    """The excess of a box or of the table goes back, what was placed latest first, and all of it."""
    expect_clause(event.clause, books.clauses.excess_rejected)
    if books.rejections is None:
        books.rejections = [_excess(books, round_, bet) for bet in (event.bet, TABLE_TOTAL)]
    key = event.seat, event.bet
    books.rejections = [left for left in books.rejections if left.get(key) == event.cents]
    if not books.rejections:
        refuse(f"{show_cents(event.cents)} of seat {event.seat} on {event.bet} is not the latest excess")
    for left in books.rejections:
        del left[key]
    if all(books.rejections):
        books.owed["reject",] = "the rest of the excess was not rejected"
    else:
        books.owed.pop(("reject",), None)


def _excess(books: Books, round_: RoundBooks, bet: str) -> dict[tuple[str, str], int]:
    """What has to be rejected of each seat and bet for a box, or the table, to be at its maximum."""
    total, most = _box(books, round_, bet)
    left = 0 if most is None else max(0, total - most)
    excess: dict[tuple[str, str], int] = {}
    for seat, placed_on, cents in reversed(round_.placements):
        if left and bet in (TABLE_TOTAL, placed_on):
            taken = min(left, cents)
            excess[seat, placed_on] = excess.get((seat, placed_on), 0) + taken
            left -= taken
    return excess


def take_off(seat: SeatBooks, bet: str, cents: int) -> None:
    """Takes an amount off a bet that has it."""
    left = seat.stakes.get(bet, 0) - cents
    if left < 0:
        refuse(f"{show_cents(cents)} of {bet} goes back, and only {show_cents(left + cents)} lies on it")
    if left:
        seat.stakes[bet] = left
    else:
        del seat.stakes[bet]


def seat_returned(books: Books, cause: e.Cause, event: e.SeatReturned) -> None:
    """Stakes go back whole: all of the seat where the round is void, the named ones by a decision."""
    round_, seat = books.running(event.round), books.seats.get(event.seat)
    if seat is None or not seat.stakes:
        refuse(f"seat {event.seat} has nothing in play that could go back")
    expect_layout(books, seat, event.layout)
    cents = 0
    for change in event.bets:
        if seat.stakes.get(change.bet) != -change.cents:
            refuse(f"{show_cents(-change.cents)} goes back from {change.bet}, which is not what lies on it")
        del seat.stakes[change.bet]
        cents -= change.cents
        if books.marks_boxes:
            _note_placement(round_, event.seat, change.bet, change.cents)
    _end_advice(books, round_, seat)
    if event.void:
        check_void(books)
        if seat.stakes:
            refuse(f"the round is void, and {', '.join(seat.stakes)} of seat {event.seat} does not go back")
        books.owed["void",] = f"stakes of round {round_.number} went back, and it was not declared void"
        expect_clause(event.clause, books.clauses.returned or books.returned_by or event.clause)
        books.returned_by = event.clause
    elif books.decision != (round_.number, "return-bets"):
        refuse("stakes go back without a decision")
    elif not event.bets:
        refuse(f"the decision returns no bet of seat {event.seat}")
    else:
        expect_clause(event.clause, books.clauses.not_covered)
    books.owed.pop(("return",), None)
    if event.cents != cents:
        refuse(f"{show_cents(event.cents)} goes back, and the stakes are {show_cents(cents)}")
    expect_postings(event.postings, (seat.stakes_account, seat.credits_account, cents))
    _stake(seat, round_, -cents)
    books.worked_out += 1

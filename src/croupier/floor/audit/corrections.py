"""Corrections and decisions, audited: a reversal and a new settlement that touch one round only."""

from typing import Final

from croupier.floor.audit.books import (
    Books,
    Move,
    Part,
    RoundBooks,
    SeatBooks,
    expect_amount,
    expect_clause,
    expect_postings,
    mark_of,
    refuse,
)
from croupier.floor.audit.credits import owe_lock_up, owe_release
from croupier.floor.audit.people import check_action
from croupier.floor.audit.rounds import check_line, check_named, forget_settled
from croupier.floor.audit.wheel import check_sensor
from croupier.rulebook import Irregularity
from croupier.rulebook.vocabulary import VOIDING
from croupier.table import events as e
from croupier.table.ledger import CASH, HOUSE, SHORTFALL, UNCLAIMED

RULINGS: Final = ("void", "return-bets", "none")
NOT_COVERED: Final = "not-covered"
WRONG_RESULT: Final = "wrong-result"
NEVER_DECLARED: Final = ("no-spin", "interruption-no-outcome")
"""What voids the running round alone, by a call or an interruption."""


def decision_recorded(books: Books, cause: e.Cause, event: e.DecisionRecorded) -> None:
    """A decision is about a round that was, cites its clause, and is carried out in the same step."""
    books.irregularity(NOT_COVERED, event.clause)
    if not 1 <= event.round <= books.rounds or event.ruling not in RULINGS:
        refuse(f"{event.ruling!r} cannot be decided on round {event.round}")
    books.decision = event.round, event.ruling
    books.corrected_by = event.clause
    unfinished = f"the decision to {event.ruling} in round {event.round} is not carried out"
    is_running = books.round is not None and books.round.number == event.round
    if event.ruling == "void" and is_running:
        books.void_cause = NOT_COVERED
        books.owed["void",] = unfinished
    elif event.ruling == "void":
        books.owed["result", event.round] = unfinished
    elif event.ruling == "return-bets":
        books.owed["return",] = unfinished


def result_corrected(books: Books, cause: e.Cause, event: e.ResultCorrected) -> None:
    """A result is corrected from what it was; a settled round is settled again for each seat in it."""
    irregularity = books.irregularity(event.cause, event.clause)
    if books.decision is not None:
        _check_ruling(books, *books.decision, event)
    elif event.new is None:
        _check_declared(books, irregularity, event)
    elif event is not books.began:
        refuse(f"round {event.round} is given another result in a command that voids rounds")
    elif event.cause != WRONG_RESULT:
        refuse(f"{event.cause} gives no round another result")
    if event.named_rounds and (books.decision is not None or event.new is not None):
        refuse("rounds are named with an irregularity, and this is none")
    if event.new is not None and event.new == event.old:
        refuse(f"{event.new} is corrected to itself")
    round_ = _settled(books, event.round) if event.settled else books.running(event.round)
    if event.old != round_.entered:
        refuse(f"it corrects {event.old}, and the result of round {event.round} was {round_.entered}")
    if event.settled:
        _correct_settled(books, round_, cause, event)
    elif round_.entered is None or round_.confirmed or event.new is None:
        refuse(f"round {event.round} has no result that could be corrected before its settlement")
    else:
        stand = check_sensor(books, round_, event.new, cause)
        if event.sensor != stand:
            refuse(f"the sensor has {stand} to {event.new}, and it says {event.sensor}")
    round_.entered = None if event.new is None else books.result(event.new)
    if books.corrected_for not in (None, event.cause):
        refuse(f"it is corrected for {event.cause}, and another round with it for {books.corrected_for}")
    books.corrected_by, books.corrected_for = event.clause, event.cause


def _check_ruling(books: Books, number: int, ruling: str, event: e.ResultCorrected) -> None:
    """A decision corrects the round that it is about, once and as it says."""
    is_owed = books.owed.pop(("result", event.round), None) is not None
    if not is_owed or event.new is not None:
        does = "voids" if event.new is None else "corrects"
        refuse(f"the decision is to {ruling} in round {number}, and it {does} round {event.round}")
    if event.cause != NOT_COVERED:
        refuse(f"a decision is about what no clause covers, and it names {event.cause}")


def _check_declared(books: Books, irregularity: Irregularity, event: e.ResultCorrected) -> None:
    """What is found later voids the settled rounds that were named, unless the book lets them stand."""
    cause = irregularity.cause
    if irregularity.consequence not in VOIDING or cause in NEVER_DECLARED:
        refuse(f"{cause} does not void a settled round")
    settled = books.book.settled
    if settled.value == "stand" and irregularity.consequence != "void-affected-rounds":
        refuse(f"{cause} does not void a settled round, which stands by {settled.source}")
    if event.round not in event.named_rounds:
        refuse(f"round {event.round} is settled and void, and it was not named")
    check_named(books, event)


def _settled(books: Books, number: int) -> RoundBooks:
    if books.book.corrections.value == "until-next-round" and number != books.rounds:
        refuse(f"round {number} stands, because the next one has begun")
    round_ = books.kept.get(number) or books.owing.get(number)
    if round_ is None:
        refuse(f"round {number} is not a settled round, or was not recalled before it is corrected")
    if round_.voided:
        refuse(f"round {number} is void")
    return round_


def _correct_settled(books: Books, round_: RoundBooks, cause: e.Cause, event: e.ResultCorrected) -> None:
    if isinstance(books.began, e.SeatReturned | e.RoundVoided):
        check_action(books, cause, "void-settled-rounds")
    round_.voided = event.new is None
    round_.void_cause = event.cause if round_.voided else None
    dispute = books.disputes.pop(round_.number, None)
    sensed = round_.sensed if dispute is None else dispute[1]
    is_known = dispute is not None or sensed is not None
    if is_known and event.new not in (None, sensed):
        books.disputes[round_.number] = (event.new, sensed)
    if round_.voided and books.rounds_left == 0 and books.round is None and event.round == books.rounds:
        books.rounds_left = 1  # as where it is void at once
    for seat in round_.parts:
        books.owed["correct", round_.number, seat] = (
            f"round {round_.number} was corrected, and seat {seat} was not"
        )


def seat_corrected(books: Books, cause: e.Cause, event: e.SeatCorrected) -> None:
    """A seat's settlement is reversed as it was and made again as the new result, or the decision, asks."""
    round_ = books.kept.get(event.round) or books.owing.get(event.round)
    part = None if round_ is None else round_.parts.get(event.seat)
    if round_ is None or part is None:
        refuse(f"seat {event.seat} has no settlement in round {event.round}")
    if event.result != round_.entered:
        refuse(f"it settles round {event.round} on {event.result}, and the result is {round_.entered}")
    if event.reversed != part.lines:
        refuse(f"what it reverses is not how seat {event.seat} was settled")
    expect_amount("what went back before", event.returned_before_cents, part.returned_cents)
    if books.owed.pop(("correct", event.round, event.seat), None) is not None:
        _check_resettled(books, round_, part, event)
    elif books.decision == (event.round, "return-bets") and not round_.voided:
        _check_decided(part, event)
        books.owed.pop(("return",), None)
    else:
        refuse(f"nothing asks for another settlement of seat {event.seat} in round {event.round}")
    returned_cents = sum(line.returned_cents for line in event.lines)
    expect_amount("the sum that goes back", event.returned_cents, returned_cents)
    expect_clause(event.clause, books.corrected_by)
    _book(books, part, event)
    books.worked_out += 1


def _check_resettled(books: Books, round_: RoundBooks, part: Part, event: e.SeatCorrected) -> None:
    """Every bet ends as the new result says; what a decision gave back stays with the player."""
    wins = {} if round_.entered is None else books.payouts[part.layout].on(round_.entered)
    before = {line.bet: line for line in part.lines}
    for line in event.lines:
        old = before.pop(line.bet, None)
        if old is None:
            refuse(f"{line.bet} was not a bet of seat {event.seat}")
        if round_.voided or old.counted_cents == 0:
            check_line(line, old.stake_cents, 0, False, old.stake_cents)
        else:
            back, counted = wins.get(line.bet, 0), old.counted_cents
            returned = old.stake_cents - counted + counted * back
            check_line(line, old.stake_cents, counted, back > 0, returned, old.clause)
    if before:
        refuse(f"{', '.join(before)} of seat {event.seat} is not settled again")


def _check_decided(part: Part, event: e.SeatCorrected) -> None:
    """A decision gives stakes back whole and leaves every other bet as it was settled."""
    if len(event.lines) != len(part.lines) or event.lines == part.lines:
        refuse(f"the decision returns no bet of seat {event.seat}")
    for old, line in zip(part.lines, event.lines, strict=True):
        if line != old:
            if old.bet != line.bet or old.counted_cents == 0:
                refuse(f"the decision changes {line.bet} of seat {event.seat} to something else")
            check_line(line, old.stake_cents, 0, False, old.stake_cents)


def _book(books: Books, part: Part, event: e.SeatCorrected) -> None:
    """Moves the difference; what the credits cannot take is carried by the house, and raised."""
    seat = books.seats[event.seat]
    # If everything was lost since, nobody knows who bought the new credits.
    has_left = seat.visit != part.visit or event.round < seat.fresh_from
    if event.has_left is not has_left:
        refuse(f"the player of seat {event.seat} {'has left' if has_left else 'is still there'}")
    regained = _given_up(part, part.returned_cents) - _given_up(part, event.returned_cents)
    more = event.returned_cents - part.returned_cents - regained
    carried = _carried(seat, part, more, has_left)
    expect_amount("what is carried", event.carried_cents, carried)
    expect_amount("what stays written off beside it", event.given_up_cents, -regained)
    shortfall = max(0, -carried) - max(0, -part.carried_cents)
    unclaimed = max(0, carried) - max(0, part.carried_cents)
    moves: tuple[Move, ...]
    moved = 0 if has_left else more + shortfall - unclaimed
    expect_amount("what the credits move by", event.moved_cents, moved)
    if has_left:
        moves = (HOUSE, UNCLAIMED, unclaimed), (SHORTFALL, HOUSE, shortfall)
    else:
        credits = seat.credits_account
        moves = (
            (HOUSE, credits, event.returned_cents),
            (credits, HOUSE, part.returned_cents),
            (SHORTFALL, credits, shortfall),
            (credits, UNCLAIMED, unclaimed),
            (credits, HOUSE, regained),
        )
        seat.credits_cents += moved
    expect_postings(event.postings, *moves)
    books.accounts[HOUSE] -= more
    books.accounts[SHORTFALL] -= shortfall
    books.accounts[UNCLAIMED] += unclaimed
    before = part.carried_cents
    left_open = _owe_netting(books, part, event, carried, has_left)
    if not left_open == before == carried:
        books.owed["shortfall", event.seat, event.round, left_open] = (
            f"what seat {event.seat} could not be given or take back is not raised"
        )
    if not has_left:
        owe_lock_up(books, seat, event.round, event.lines, part.lines)
    owe_release(books, seat, event.round, event.lines)
    part.lines, part.returned_cents, part.carried_cents = event.lines, event.returned_cents, carried
    part.clause = event.clause


def _owe_netting(books: Books, part: Part, event: e.SeatCorrected, carried: int, has_left: bool) -> int:
    """What of the visit's other rounds has to be netted with this one; gives what this one leaves open.

    While the player is there, what the correction gave covers what other rounds are short of. Of a player
    who has left, unclaimed money of one round covers the shortfall of another, whichever was corrected last.
    """
    given = carried if has_left else max(0, event.moved_cents)
    for number, round_ in sorted({**books.owing, **books.kept}.items()):
        other = round_.parts.get(event.seat)
        if other is None or number == event.round:
            continue
        if (other.visit, other.fresh_from) != (part.visit, part.fresh_from):
            continue
        if given > 0 and other.carried_cents < 0:
            cents = min(given, -other.carried_cents)
            given -= cents
            carried -= cents if has_left else 0
            ends = number, event.round, cents, other.carried_cents + cents, given if has_left else 0
        elif has_left and given < 0 < other.carried_cents:
            cents = min(-given, other.carried_cents)
            given += cents
            carried += cents
            ends = event.round, number, cents, given, other.carried_cents - cents
            books.owed["shortfall", event.seat, number, other.carried_cents - cents] = (
                f"what seat {event.seat} is owed in round {number} has become less, and that is not raised"
            )
        else:
            continue
        books.owed["netted", event.seat, *ends] = (
            f"what rounds {event.round} and {number} leave open with seat {event.seat} is not netted"
        )
    return carried


def carried_netted(books: Books, cause: e.Cause, event: e.CarriedNetted) -> None:
    """What one round of a visit gave back covers what another is short of, as far as it goes."""
    figures = event.cents, event.carried_cents, event.against_carried_cents
    if books.owed.pop(("netted", event.seat, event.round, event.against, *figures), None) is None:
        refuse(f"rounds {event.round} and {event.against} of seat {event.seat} have nothing so to be netted")
    seat = books.seats[event.seat]
    short, gives = (
        (books.kept.get(number) or books.owing[number]).parts[event.seat]
        for number in (event.round, event.against)
    )
    has_left = gives.visit != seat.visit or event.against < seat.fresh_from
    if event.has_left is not has_left:
        refuse(f"the player of seat {event.seat} {'has left' if has_left else 'is still there'}")
    expect_clause(event.clause, books.corrected_by)
    source = UNCLAIMED if has_left else seat.credits_account
    expect_postings(event.postings, (source, SHORTFALL, event.cents))
    short.carried_cents += event.cents
    books.accounts[SHORTFALL] += event.cents
    if has_left:
        gives.carried_cents -= event.cents
        books.accounts[UNCLAIMED] -= event.cents
    else:
        seat.credits_cents -= event.cents


def round_recalled(books: Books, cause: e.Cause, event: e.RoundRecalled) -> None:
    """A round that was let go of is recalled as its own records have left it."""
    newest = books.rounds - (books.round is not None)
    number = event.round
    if not 1 <= number <= newest - books.settings.rounds_kept or number in books.owing:
        refuse(f"round {number} is recalled, and it was not let go of")
    round_ = RoundBooks(
        number=number,
        limits=event.limits,
        opened_ms=0,
        closes_ms=None,
        betting=False,
        entered=event.result,
        sensed=event.sensed,
        confirmed=event.phase == "settled",
        voided=event.phase == "voided",
        parts={
            part.seat: Part(
                part.visit,
                part.layout,
                part.lines,
                part.returned_cents,
                part.fresh_from,
                by_hand_cents=part.by_hand_cents,
                written_off_cents=part.written_off_cents,
                kept_cents=part.written_off_at_cents + part.written_off_cents,
            )
            for part in event.seats
        },
    )
    kept = books.kept.pop(number, None)
    own = books.past.get(number) if kept is None else mark_of(kept)
    is_told = event.phase == ("voided" if event.result is None else "settled")
    if not is_told or len(event.seats) != len(round_.parts) or mark_of(round_) != own:
        refuse(f"round {number} is recalled as something else than its own records have left it")
    books.owing[number] = round_


def _given_up(part: Part, returned_cents: int) -> int:
    """What the player keeps because it was written off, where the round gives back so much."""
    return max(0, min(part.kept_cents - returned_cents, part.written_off_cents))


def _carried(seat: SeatBooks, part: Part, more: int, has_left: bool) -> int:
    """What is owed to a player who has left (above zero) or was not there to take back (below)."""
    carried = part.carried_cents
    if has_left:
        return carried + more
    if more < 0:
        missing = -more - seat.credits_cents
        return carried - missing if missing > 0 else carried
    return min(carried + more, 0) if carried < 0 else carried


def shortfall_raised(books: Books, cause: e.Cause, event: e.ShortfallRaised) -> None:
    """What a correction carries is raised as it is."""
    if books.owed.pop(("shortfall", event.seat, event.round, event.carried_cents), None) is None:
        refuse(f"seat {event.seat} has no such shortfall in round {event.round}")
    expect_clause(event.clause, books.corrected_by)


def carried_settled(books: Books, cause: e.Cause, event: e.CarriedSettled) -> None:
    """What a seat's corrections left open ends whole, by a way that fits, and is not carried any more."""
    round_ = books.kept.get(event.round) or books.owing.get(event.round)
    part = None if round_ is None else round_.parts.get(event.seat)
    carried = 0 if part is None else part.carried_cents
    if part is None or carried == 0:
        refuse(f"no correction has left anything open with seat {event.seat} in round {event.round}")
    if event is not books.began:
        refuse("what was left open ends by another command")
    if event.how not in (("paid",) if carried > 0 else ("collected", "written-off")):
        refuse(f"{'unclaimed money' if carried > 0 else 'a shortfall'} is {event.how}")
    expect_amount("what ends", event.cents, abs(carried))
    expect_clause(event.clause, part.clause)
    by_hand = HOUSE if event.how == "written-off" else CASH
    expect_postings(event.postings, (UNCLAIMED if carried > 0 else SHORTFALL, by_hand, carried))
    books.accounts[UNCLAIMED if carried > 0 else SHORTFALL] -= carried
    books.accounts[by_hand] += carried
    part.carried_cents = 0
    if by_hand == CASH:
        part.by_hand_cents += carried
    if by_hand == HOUSE:
        part.written_off_cents = _given_up(part, part.returned_cents) + event.cents
        part.kept_cents = part.returned_cents + part.written_off_cents
    if event.round in books.owing:
        forget_settled(books, books.owing[event.round])

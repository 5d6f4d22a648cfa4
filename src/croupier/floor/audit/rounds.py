"""Rounds, audited: the order of their steps, and every settlement worked out again."""

from croupier.floor.audit.bets import box_limits
from croupier.floor.audit.books import (
    Books,
    Part,
    RoundBooks,
    expect_amount,
    expect_clause,
    expect_layout,
    expect_postings,
    mark_of,
    refuse,
)
from croupier.floor.audit.credits import owe_lock_up
from croupier.floor.audit.following import check_void
from croupier.floor.audit.payouts import counted_in_box
from croupier.floor.audit.people import check_action, check_said_by, check_signed, has_signed
from croupier.floor.audit.wheel import (
    CONTRADICTED,
    check_launch,
    check_sensor,
    check_sound,
    is_denied,
    sees_spin,
    stand_of_sensor,
    wheel_state,
)
from croupier.floor.clock import TOLERANCE_MS
from croupier.rulebook import Irregularity, show_cents
from croupier.rulebook.vocabulary import VOIDING
from croupier.table import events as e
from croupier.table.actors import SYSTEM, WHEEL
from croupier.table.ledger import HOUSE


def round_opened(books: Books, cause: e.Cause, event: e.RoundOpened) -> None:
    """Rounds are numbered without a gap, one at a time, at an open table."""
    if books.round is not None:
        refuse(f"round {books.round.number} is still running")
    if not books.open:
        refuse("a round begins at a closed table")
    if books.rounds_left == 0:
        refuse("the last round that players were told of was played")
    if event.round != books.rounds + 1:
        refuse(f"it opens round {event.round}, and {books.rounds + 1} has to follow")
    seconds = books.settings.betting_seconds
    if event.closes_ms != (None if seconds is None else cause.at_ms + 1000 * seconds):
        refuse("its betting time is not the table's")
    books.rounds = event.round
    if books.rounds_left:
        books.rounds_left -= 1
    books.round = RoundBooks(
        number=event.round, limits=books.limits, opened_ms=cause.at_ms, closes_ms=event.closes_ms
    )


def closing_warned(books: Books, cause: e.Cause, event: e.ClosingWarned) -> None:
    """Players are warned while bets are open."""
    if not books.running(event.round).betting:
        refuse(f"bets of round {event.round} are closed")


def bets_closed(books: Books, cause: e.Cause, event: e.BetsClosed) -> None:
    """Bets close once."""
    is_owed = books.owed.pop(("close",), None) is not None
    round_ = books.running(event.round) if is_owed else _in_order(books, event.round)
    if not round_.betting:
        refuse(f"bets of round {event.round} are closed already")
    by = {SYSTEM: ("timer",), WHEEL: ("wheel",)}.get(cause.actor.position, ("dealer", "wheel"))
    if is_owed:
        by = ("interruption",)
    if event.closed_by not in by:
        refuse(f"it says that the {event.closed_by} closed the bets, and {cause.actor.id} did")
    if event.closed_by == "timer" and (round_.closes_ms is None or cause.at_ms < round_.closes_ms):
        refuse(f"the timer closes the bets of round {event.round} before their time")
    expect_clause(event.stakes_clause, books.clauses.stakes_stand)
    round_.betting = False
    if event.closed_by == "wheel" and cause.actor.position != WHEEL:
        books.owed["spin-end",] = "the end of the spin that closed the bets is not told"


def spin_started(books: Books, cause: e.Cause, event: e.SpinStarted) -> None:
    """A spin begins once, after the close where the book says so; a wrong one voids the round.

    Where a person told of it, a wheel without a fault may still say what it saw, until the spin is over.
    """
    round_ = _in_order(books, event.round, by_wheel=event.said_by == WHEEL)
    is_over = round_.entered is not None or round_.spin_ended_by is not None
    if not _is_told_first(round_.spun_by, event.said_by) or is_over:
        refuse(f"the spin of round {event.round} has begun already")
    if round_.betting and books.book.bets_close.value == "before-spin" and not books.halted:
        refuse(f"bets of round {event.round} are still open")
    check_said_by(event.said_by, cause)
    check_launch(books, event)
    wrong = _wrong_launch(books, event)
    is_first = round_.spun_by is None
    if is_first:
        round_.faulted = books.wheel_fault is not None
    if not is_first or wrong is not None:
        check_sound(books, round_, event.said_by, "what it saw of the launch")
    round_.spun_by = event.said_by
    if event.said_by == WHEEL:
        is_told = event.ball is not None and event.wheel is not None
        round_.is_opposed = event.ball != event.wheel if is_told else None
        round_.is_turning = event.wheel_turning
    if is_first:
        round_.spun_in_halt = books.halted or books.awaits_outcome
    if wrong is not None:
        _owe_void(books, round_, wrong)
    elif books.halted:
        owe_close(books)


def owe_close(books: Books) -> None:
    """When play stops while the ball rolls, no more bets may follow on that spin."""
    round_ = books.round
    if round_ is not None and round_.betting and round_.spun_by is not None:
        books.owed["close",] = f"play stopped during the spin, and bets of round {round_.number} stay open"


def _wrong_launch(books: Books, event: e.SpinStarted) -> str | None:
    """Why a spin that begins so does not count."""
    if event.wheel_turning is False and "wheel-still" in books.book.irregularities:
        return "wheel-still"
    is_same = event.ball is not None and event.ball == event.wheel
    return "same-direction" if is_same and books.book.wheel.opposite_direction else None


def spin_finished(books: Books, cause: e.Cause, event: e.SpinFinished) -> None:
    """A spin ends once, with bets closed; one that does not count voids the round.

    Here too the wheel may tell of it behind a person.
    """
    round_ = _in_order(books, event.round, by_wheel=event.said_by == WHEEL)
    books.owed.pop(("spin-end",), None)
    if event.said_by not in (WHEEL, SYSTEM) and sees_spin(books, round_):
        refuse(f"the sensor sees the spin of round {event.round}, and the {event.said_by} ends it")
    is_late = round_.entered is not None
    is_short = event.revolutions is not None and event.revolutions < books.book.wheel.revolutions
    is_void = is_short or not event.at_rest
    says_much = event.pocket is not None or is_void
    if (
        round_.spun_by is None
        or round_.betting
        or not _is_told_first(round_.spin_ended_by, event.said_by)
        or (is_late and (event.said_by != WHEEL or not says_much))
    ):
        refuse(f"the spin of round {event.round} cannot end here")
    check_said_by(event.said_by, cause)
    if event.pocket is not None or is_late or is_void:
        what = "what it saw of the end" if event.pocket is None else "its own result"
        check_sound(books, round_, event.said_by, what)
    round_.spin_ended_by, round_.sensed_late = event.said_by, is_late
    pocket = None if event.pocket is None else books.result(event.pocket)
    round_.sensed = pocket if event.said_by == WHEEL and not is_void else None
    if is_short:
        _owe_void(books, round_, "too-few-revolutions")
    elif not event.at_rest:
        _owe_void(books, round_, "no-compartment")


def _is_told_first(told_by: str | None, said_by: str) -> bool:
    return told_by is None or (said_by == WHEEL and told_by != WHEEL)


def _in_order(books: Books, number: int, *, by_wheel: bool = False) -> RoundBooks:
    """The running round, unless an interruption waits for its outcome; what the wheel sees is evidence."""
    round_ = books.running(number)
    if books.awaits_outcome and not by_wheel:
        refuse(f"round {number} waits for its outcome to be stated")
    return round_


def _owe_void(books: Books, round_: RoundBooks, cause: str) -> None:
    books.void_cause = cause
    books.owed["void",] = f"round {round_.number} has to be void ({cause}), and it was not declared so"


def result_entered(books: Books, cause: e.Cause, event: e.ResultEntered) -> None:
    """A result is registered once, after the close and a spin, or as it was stated after an interruption."""
    round_ = _in_order(books, event.round)
    if round_.betting or round_.entered is not None:
        refuse(f"round {event.round} cannot have a result entered while it is {round_.phase}")
    check_said_by(event.said_by, cause)
    if isinstance(books.began, e.OutcomeStated):
        if event.result != books.outcome:
            refuse(f"{event.result} is entered, and {books.outcome} was stated")
        expect_clause(event.clause, books.clauses.outcome)
        stand = None if round_.sensed is None else stand_of_sensor(books, round_, event.result)
    elif round_.spun_by is None:
        refuse(f"round {event.round} has a result and no spin")
    else:
        check_sound(books, round_, event.said_by, "its own result")
        stand = check_sensor(books, round_, event.result, cause)
        expect_clause(event.clause, books.clauses.entered)
    if event.sensor != stand:
        refuse(f"the sensor's stand to {event.result} is {stand}, and it says {event.sensor}")
    round_.entered = books.result(event.result)


def result_confirmed(books: Books, cause: e.Cause, event: e.ResultConfirmed) -> None:
    """What is confirmed is what was registered; the round is settled in the same step."""
    round_ = _in_order(books, event.round)
    if round_.entered is None:
        refuse(f"no result of round {event.round} was entered")
    if event.result != round_.entered:
        refuse(f"{event.result} is confirmed, and {round_.entered} was entered")
    if round_.confirmed:
        refuse(f"the result of round {event.round} is confirmed already")
    if round_.sensed_late:
        check_sensor(books, round_, event.result, cause)
    is_against = stand_of_sensor(books, round_, event.result) == CONTRADICTED
    if event.against_sensor is not is_against:
        refuse(f"the sensor says {round_.sensed}, and {event.result} is confirmed as if it did not matter")
    is_stated = isinstance(books.began, e.OutcomeStated)
    expect_clause(event.clause, books.clauses.outcome if is_stated else books.clauses.confirmed)
    round_.confirmed = True
    if books.marks_boxes:
        _apportion(books, round_)
    books.owed.pop(("outcome",), None)
    books.owed["settle",] = f"round {event.round} was confirmed and is not settled whole"


def _apportion(books: Books, round_: RoundBooks) -> None:
    """Notes what counts in each box, by which clause, and whether the whole table holds too much."""
    table_cents = round_.limits.table_cents
    round_.over_table = table_cents is not None and sum(round_.boxes.values()) > table_cents
    for box, total in round_.boxes.items():
        least, most = box_limits(books, round_, box)
        stakes = {seat.id: seat.stakes[box] for seat in books.seats.values() if box in seat.stakes}
        for seat_id, cents in counted_in_box(stakes, least, most).items():
            round_.counted[seat_id, box] = cents
            clause = books.clauses.of_stake_in_box(
                stakes[seat_id], total, least, most, was_advised=(seat_id, box) in round_.advised
            )
            round_.by_clause[seat_id, box] = clause


def seat_settled(books: Books, cause: e.Cause, event: e.SeatSettled) -> None:
    """Every stake of the seat is settled by the result, and nothing else is."""
    round_, seat = books.running(event.round), books.seats.get(event.seat)
    if not round_.confirmed or round_.entered is None:
        refuse(f"round {event.round} is settled before its result is confirmed")
    if seat is None or not seat.stakes:
        refuse(f"seat {event.seat} has nothing in play that could be settled")
    expect_layout(books, seat, event.layout)
    stakes, wins = seat.stakes, books.payouts[seat.layout].on(round_.entered)
    staked_cents = returned_cents = 0
    for line in event.lines:
        stake = stakes.pop(line.bet, 0)
        counted = round_.counted.get((event.seat, line.bet), stake) if round_.counted else stake
        back = wins.get(line.bet, 0)
        returned = stake - counted + counted * back
        clause = round_.by_clause.get((event.seat, line.bet)) if round_.by_clause else None
        check_line(line, stake, counted, back > 0, returned, clause)
        staked_cents += stake
        returned_cents += returned
    if stakes:
        refuse(f"{', '.join(stakes)} of seat {event.seat} is not settled")
    expect_amount("the sum of the stakes", event.staked_cents, staked_cents)
    expect_amount("the sum that goes back", event.returned_cents, returned_cents)
    expect_clause(event.clause, books.clauses.of_pay_table(seat.layout))
    expect_postings(
        event.postings,
        (seat.stakes_account, HOUSE, staked_cents),
        (HOUSE, seat.credits_account, returned_cents),
    )
    seat.staked_cents = 0
    seat.credits_cents += returned_cents
    round_.total_cents -= staked_cents
    books.accounts[HOUSE] += staked_cents - returned_cents
    round_.parts[event.seat] = Part(seat.visit, seat.layout, event.lines, returned_cents, seat.fresh_from)
    owe_lock_up(books, seat, event.round, event.lines)
    books.worked_out += 1


def check_line(
    line: e.Line, stake: int, counted: int, won: bool, returned: int, clause: str | None = None
) -> None:
    """Finds a settled bet that does not end as it has to."""
    if (
        line.stake_cents != stake
        or line.counted_cents != counted
        or line.won is not won
        or line.returned_cents != returned
    ):
        should_be = _told_of(stake, counted, won, returned)
        refuse(f"{line.bet} is settled as {_told(line)}, and it has to be {should_be}")
    if line.clause != clause:
        expect_clause(line.clause, clause)


def _told(line: e.Line) -> str:
    return _told_of(line.stake_cents, line.counted_cents, line.won, line.returned_cents)


def _told_of(stake: int, counted: int, won: bool, returned: int) -> str:
    part = "" if counted == stake else f" ({show_cents(counted)} counted)"
    return f"{show_cents(stake)}{part} {'won' if won else 'lost'}, {show_cents(returned)} back"


def round_settled(books: Books, cause: e.Cause, event: e.RoundSettled) -> None:
    """A settled round leaves no stakes."""
    round_ = books.running(event.round)
    if not round_.confirmed or event.result != round_.entered:
        refuse(f"round {event.round} is settled with {event.result}, which was not confirmed")
    if round_.sensed not in (None, event.result):
        books.disputes[event.round] = (event.result, round_.sensed)
    wanted = books.clauses.table_excess if round_.over_table else None
    if event.excess_clause != wanted:
        why = "was over" if round_.over_table else "was not over"
        refuse(
            f"the table {why} its maximum, and the round cites {event.excess_clause or 'nothing'} for that"
        )
    played = {part.layout for part in round_.parts.values()}
    expect_clause(event.clause, books.clauses.of_pay_tables(played))
    _end(books, round_)
    books.owed.pop(("settle",), None)


def round_voided(books: Books, cause: e.Cause, event: e.RoundVoided) -> None:
    """A void round has a cause that the book lists, cites its clause, and leaves no stakes."""
    check_void(books)
    round_ = books.running(event.round)
    irregularity = books.irregularity(event.cause, event.clause)
    by_decision = books.decision == (round_.number, "void") and event.cause == "not-covered"
    if irregularity.consequence not in VOIDING and not by_decision:
        refuse(f"{event.cause} does not void a round")
    if books.void_cause not in (None, event.cause):
        refuse(f"the round is void by {books.void_cause}, and it names {event.cause}")
    if not may_have_happened(round_, irregularity):
        refuse(f"{event.cause} cannot have happened yet")
    if round_.confirmed:
        refuse(f"round {event.round} has a confirmed result")
    if books.corrected_for not in (None, event.cause):
        refuse(f"earlier rounds are void by {books.corrected_for} with it, and it names {event.cause}")
    if books.void_cause is None:
        # A person declares it, for this round alone or for earlier ones too.
        if event.cause == "interruption-no-outcome":
            refuse(f"{event.cause} voids the round without an interruption")
        check_action(books, cause, "call-no-spin" if event.cause == "no-spin" else "declare-irregularity")
        if books.halted and event.cause != "no-spin" and cause.actor.position != WHEEL:
            refuse(f"{event.cause} is declared at a halted table")
    denied = is_denied(round_, event.cause)
    if denied and cause.actor.position not in (WHEEL, SYSTEM) and books.void_cause is None:
        check_signed(cause, "dealer", f"{event.cause} against the sensor")
    if (event.wheel, event.against_sensor) != (wheel_state(round_), denied):
        refuse(f"the wheel was {wheel_state(round_)}, sensor against it: {denied}; it says otherwise")
    is_declared = books.void_cause is None and event.cause != "no-spin"
    if event.named_rounds and not is_declared:
        refuse(f"rounds are named with a void by {event.cause}, which nobody declares")
    if is_declared:
        if event.named_rounds and round_.number not in event.named_rounds:
            refuse(f"round {round_.number} is void, and {_rounds(event.named_rounds)} named")
        check_named(books, event)
    if books.returned_by is not None:
        expect_clause(books.returned_by, books.clauses.returned or event.clause)
    round_.void_cause, round_.entered = event.cause, None
    round_.voided, books.corrected_for = True, event.cause
    if books.rounds_left == 0:
        books.rounds_left = 1  # a void round has no result: players still have their last one to come
    _end(books, round_)
    books.owed.pop(("void",), None)


def check_named(books: Books, event: e.RoundVoided | e.ResultCorrected) -> None:
    """All rounds that were named with an irregularity are void, and its records name the same ones."""
    if books.named is None:
        books.named = event.named_rounds
        for number in event.named_rounds:
            books.owed["named", number] = f"round {number} was named and is not void"
    elif books.named != event.named_rounds:
        one, other = _rounds(books.named), _rounds(event.named_rounds)
        refuse(f"by this record {other} named with the irregularity, and by another {one}")
    books.owed.pop(("named", event.round), None)


def _rounds(numbers: tuple[int, ...]) -> str:
    if not numbers:
        return "no round was"
    listed = ", ".join(map(str, numbers))
    return f"round {listed} was" if len(numbers) == 1 else f"rounds {listed} were"


def may_have_happened(round_: RoundBooks, irregularity: Irregularity) -> bool:
    """Whether something can have happened yet in the round that runs."""
    if irregularity.since == "spin":
        return round_.spun_by is not None
    return irregularity.since != "close" or not round_.betting


def _end(books: Books, round_: RoundBooks) -> None:
    if round_.total_cents:
        left = ", ".join(seat.id for seat in books.seats.values() if seat.stakes)
        refuse(f"round {round_.number} ends with {show_cents(round_.total_cents)} in play at seat {left}")
    round_.placements, round_.boxes, round_.counted, round_.by_clause = [], {}, {}, {}
    books.kept[round_.number] = round_
    # One more than the table keeps: a command may end this round and void the oldest that was still kept.
    oldest = books.kept.pop(round_.number - books.settings.rounds_kept - 1, None)
    if oldest is not None:
        books.owing[oldest.number] = oldest
    for earlier in [*books.owing.values()]:
        forget_settled(books, earlier)
    books.round, books.awaits_outcome = None, False


def forget_settled(books: Books, round_: RoundBooks) -> None:
    """Lets go of an earlier round that has left nothing open, but for a mark of it."""
    if not any(part.carried_cents for part in round_.parts.values()):
        books.past[round_.number] = mark_of(round_)
        del books.owing[round_.number]


def owe_interruption(books: Books, cause: e.Cause) -> None:
    """A halt that is over was an interruption for the round that it met, unless that simply runs on."""
    if books.round is None:
        return
    length_ms = cause.at_ms - books.halted_ms
    if _consequence(books, books.round, length_ms if length_ms >= 0 else None) != "continue":
        books.owed["halt",] = f"what the halt did to round {books.round.number} is not told"


def table_interrupted(books: Books, cause: e.Cause, event: e.TableInterrupted) -> None:
    """An interruption has the consequence of the phase that it met."""
    round_ = books.round
    length_ms = event.ended_ms - event.began_ms if event.length_known else None
    if event.declared is not None:
        if round_ is None or length_ms != 0:
            refuse("an interruption is declared for the running round, as of now")
        length_ms = None
    elif event.spun:
        refuse("nobody declared the interruption, and somebody states a spin")
    expected = "none" if round_ is None else _consequence(books, round_, length_ms, event.spun)
    number, phase = (None, "idle") if round_ is None else (round_.number, round_.phase)
    if (event.round, event.phase, event.consequence) != (number, phase, expected):
        refuse(f"the interruption met {phase}, from which follows {expected}, and not {event.consequence}")
    if event.ended_ms != cause.at_ms or event.began_ms > event.ended_ms:
        refuse("the interruption does not end when it was reported")
    if isinstance(books.began, e.TableResumed):
        _check_halt(books, cause, event)
    elif event.length_known and event.declared is None:
        was_there = books.before_ms < event.ended_ms and event.began_ms < books.before_ms - TOLERANCE_MS
        if was_there:
            refuse("the interruption began before the record before it, when the table was there")
    by_consequence = {"conclude": books.clauses.outcome, "void": books.clauses.no_outcome}
    expect_clause(event.clause, by_consequence.get(expected))
    if round_ is not None:
        round_.opened_ms = min(round_.opened_ms, event.ended_ms)
    books.awaits_outcome = expected == "wait"
    if expected == "void" and round_ is not None:
        _owe_void(books, round_, "interruption-no-outcome")
    if expected == "wait" and round_ is not None and round_.betting:
        books.owed["close",] = f"the outcome is awaited, and bets of round {round_.number} stay open"


def _check_halt(books: Books, cause: e.Cause, event: e.TableInterrupted) -> None:
    if books.owed.pop(("halt",), None) is None:
        refuse("the halt left the round running, and is told as an interruption")
    began_ms, is_known = min(books.halted_ms, cause.at_ms), books.halted_ms <= cause.at_ms
    if (event.began_ms, event.length_known) != (began_ms, is_known):
        refuse("the interruption did not begin with the halt")


def _consequence(
    books: Books, round_: RoundBooks, length_ms: int | None, is_spin_stated: bool = False
) -> str:
    if round_.entered is not None:
        return "conclude"
    if round_.spun_by is not None or books.awaits_outcome or is_spin_stated:
        return "wait"
    is_short = length_ms is not None and length_ms < 1000 * books.settings.grace_seconds
    return "continue" if is_short else "void"


def outcome_stated(books: Books, cause: e.Cause, event: e.OutcomeStated) -> None:
    """An outcome is stated where one was awaited; the round is concluded with it, or void without."""
    round_ = books.running(event.round)
    if not books.awaits_outcome:
        refuse("nobody has asked for an outcome")
    books.awaits_outcome = False
    is_recorded = round_.spun_by is not None and not round_.spun_in_halt
    if event.result is not None and not is_recorded:
        check_signed(cause, "pit-manager", f"{event.result} without a spin on record")
    if event.spun is not (event.result is not None and not is_recorded):
        refuse(f"it says otherwise than the record whether round {event.round} had its spin")
    if event.sensed != round_.sensed:
        refuse(f"the sensor said {round_.sensed}, and it says {event.sensed}")
    if round_.sensed not in (None, event.result) and not has_signed(cause, "shift-manager"):
        refuse(f"the sensor says {round_.sensed}, and no shift manager has signed {event.result}")
    clauses = books.clauses
    expect_clause(event.clause, clauses.no_outcome if event.result is None else clauses.outcome)
    if event.result is None:
        _owe_void(books, round_, "interruption-no-outcome")
    else:
        books.outcome = books.result(event.result)
        books.owed["outcome",] = f"the outcome of round {event.round} was stated and not concluded"

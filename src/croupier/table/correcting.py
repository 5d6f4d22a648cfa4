"""Putting a wrong result right: a reversal and a new settlement, never an edit."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from croupier.table import commands as c
from croupier.table.asking import Ask, no_reason, refuse, unknown_result
from croupier.table.events import (
    CarriedNetted,
    Event,
    Line,
    ResultCorrected,
    SeatCorrected,
    ShortfallRaised,
)
from croupier.table.ledger import HOUSE, SHORTFALL, UNCLAIMED, Posting, credits_of, move
from croupier.table.rejections import Rejection, first_of
from croupier.table.sensor import sensor_objects, stand_of_sensor
from croupier.table.settling import lock_up, release, returned_line, settle_lines
from croupier.table.state import RESULTED, SETTLED, VOIDED, Round, SeatRound


def form_correct(ask: Ask, do: c.CorrectResult) -> Rejection | None:
    """Refuses rounds that were not, results that are not on the wheel, and a missing reason."""
    return first_of(unknown_round(ask, do.round), unknown_result(ask, do.result), no_reason(do.reason))


def unknown_round(ask: Ask, number: int) -> Rejection | None:
    """Refuses rounds that were not."""
    if not 1 <= number <= ask.state.round_number:
        return refuse("unknown-round", f"There was no round {number}.", round=number)
    return None


def guard_correct(ask: Ask, do: c.CorrectResult) -> Rejection | None:
    """Refuses where there is nothing to correct, or nothing that may be corrected any more."""
    running = ask.state.round
    if running is not None and running.number == do.round:
        if running.phase != RESULTED:
            return refuse("no-result", "No result is registered for this round.", round=do.round)
        return sensor_objects(ask, do.result) or _same_result(running, do.result)
    over = ask.state.over(do.round)
    return (_same_result(over, do.result) if over else None) or guard_settled_round(ask, do.round)


def guard_settled_round(ask: Ask, number: int) -> Rejection | None:
    """Refuses rounds that are void, that stand by the rules, or that the journal has to be asked for."""
    over = ask.state.over(number)
    if over is not None and over.phase == VOIDED:
        return refuse("round-void", f"Round {number} is void; it has no result.", round=number)
    if ask.rules.corrects_until_next_round and number != ask.state.round_number:
        sentence = f"Round {number} stands: the next round has begun."
        return refuse("round-stands", sentence, ask.rules.book.corrections.source, round=number)
    if over is None:
        sentence = f"Round {number} has to be read from the journal first; ask again."
        return refuse("round-not-recalled", sentence, round=number)
    return None


def _same_result(round_: Round, result: str) -> Rejection | None:
    if round_.result == result:
        return refuse("same-result", f"Round {round_.number} has the result {result} already.", result=result)
    return None


def make_correct(ask: Ask, do: c.CorrectResult) -> tuple[Event, ...]:
    """Corrects the registered result, or reverses a settlement and makes it again."""
    clause = ask.rules.book.irregularities["wrong-result"].clause
    return correct(ask, do.round, do.result, "wrong-result", do.reason, clause)


def correct(ask: Ask, number: int, result: str, cause: str, reason: str, clause: str) -> tuple[Event, ...]:
    """Gives a round another result; no other round is touched."""
    running = ask.state.round
    if running is not None and running.number == number:
        return (_corrected(ask, running, result, cause, reason, clause),)
    round_ = ask.over(number)
    layouts = {seat: settled.layout for seat, settled in round_.seats.items()}
    stakes = stakes_of_round(round_)
    settled = settle_lines(ask.rules, round_.limits, stakes, layouts, result, round_.advised)

    def lines_of(seat: str, old: SeatRound) -> tuple[Line, ...]:
        # What the shift manager had returned stays returned whatever the result.
        returned = {line.bet for line in old.lines if line.counted_cents == 0}
        return tuple(
            returned_line(line.bet, line.stake_cents) if line.bet in returned else line
            for line in settled[seat]
        )

    seats = adjust_seats(ask, round_, result, lines_of, clause)
    return _corrected(ask, round_, result, cause, reason, clause), *seats


def void_settled(
    ask: Ask, numbers: Sequence[int], cause: str, reason: str, clause: str, named: tuple[int, ...] = ()
) -> tuple[Event, ...]:
    """Voids settled rounds: their settlements are reversed and every bet goes back."""
    rounds = [ask.over(number) for number in numbers]
    corrected = [_corrected(ask, round_, None, cause, reason, clause, named) for round_ in rounds]
    parts: dict[str, list[tuple[int, Round, tuple[Line, ...]]]] = {}
    for round_ in rounds:
        for seat, old in round_.seats.items():
            lines = tuple(returned_line(line.bet, line.stake_cents) for line in old.lines)
            lost_cents = old.returned_cents - sum(line.returned_cents for line in lines)
            parts.setdefault(seat, []).append((lost_cents, round_, lines))
    seats: list[Event] = []
    for seat, of_seat in parts.items():
        # What one round gives back covers what another takes, so a seat gains before it loses.
        for _, round_, lines in sorted(of_seat, key=lambda part: part[0]):
            seats += adjust_seat(ask, round_, seat, None, lines, clause)
    return *corrected, *seats


def stakes_of_round(round_: Round) -> dict[str, dict[str, int]]:
    """The stakes of a settled round, by seat and bet."""
    return {
        seat: {line.bet: line.stake_cents for line in settled.lines} for seat, settled in round_.seats.items()
    }


def adjust_seats(
    ask: Ask,
    round_: Round,
    result: str | None,
    lines_of: Callable[[str, SeatRound], tuple[Line, ...]],
    clause: str,
) -> Iterable[Event]:
    """Reverses what each seat got in a settled round, and settles it with other lines."""
    for seat, old in round_.seats.items():
        yield from adjust_seat(ask, round_, seat, result, lines_of(seat, old), clause)


def adjust_seat(
    ask: Ask, round_: Round, seat_id: str, result: str | None, lines: tuple[Line, ...], clause: str
) -> Iterable[Event]:
    """Reverses and renews one seat's settlement; credits never go below zero."""
    old, seat = round_.seats[seat_id], ask.state.seats[seat_id]
    old = msgspec.structs.replace(old, carried_cents=ask.carried_cents(round_.number, seat_id, old))
    returned_cents = sum(line.returned_cents for line in lines)
    has_left = seat.visit != old.visit or round_.number < seat.fresh_from
    given_up_cents = old.given_up_cents(returned_cents) - old.given_up_cents(old.returned_cents)
    more_cents = returned_cents - old.returned_cents + given_up_cents
    carried_cents = _carried(old, more_cents, ask.credits_cents(seat_id), has_left)
    postings = _postings(seat_id, old, returned_cents, given_up_cents, carried_cents, has_left)
    corrected = SeatCorrected(
        seat=seat_id,
        round=round_.number,
        result=result,
        reversed=old.lines,
        lines=lines,
        returned_before_cents=old.returned_cents,
        returned_cents=returned_cents,
        carried_cents=carried_cents,
        moved_cents=0 if has_left else more_cents - (carried_cents - old.carried_cents),
        given_up_cents=given_up_cents,
        has_left=has_left,
        clause=clause,
        postings=postings,
    )
    ask.note(corrected)
    yield corrected
    number, raised = round_.number, dict[int, int]()
    for netted in _netted(ask, number, seat_id, corrected, old):
        yield netted
        if netted.against != number:  # unclaimed money of another round has become less
            raised[netted.against] = netted.against_carried_cents
    carried_cents = ask.carried_cents(number, seat_id, old)
    if not carried_cents == old.carried_cents == corrected.carried_cents:
        raised[number] = carried_cents
    for other, cents in raised.items():
        yield ShortfallRaised(seat=seat_id, round=other, carried_cents=cents, clause=clause)
    if not has_left:
        yield from lock_up(ask, round_, seat, lines, old.lines)
    yield from release(ask, round_, seat, lines)


def _netted(
    ask: Ask, number: int, seat_id: str, corrected: SeatCorrected, old: SeatRound
) -> Iterable[CarriedNetted]:
    """Covers shortfalls of a visit with what its other rounds have given back, the oldest round first."""
    gained_cents = max(corrected.moved_cents, 0)
    for other, part in _same_visit(ask, number, seat_id, old):
        own_cents = ask.carried_cents(number, seat_id, old)
        other_cents = ask.carried_cents(other, seat_id, part)
        if own_cents < 0 < other_cents:
            short, short_cents, gives, gives_cents = number, own_cents, other, other_cents
        else:
            gives_cents = own_cents if corrected.has_left else gained_cents
            short, short_cents, gives = other, other_cents, number
        cents = min(-short_cents, gives_cents)
        if cents <= 0:
            continue
        gained_cents -= cents
        source = UNCLAIMED if corrected.has_left else credits_of(seat_id)
        netted = CarriedNetted(
            seat=seat_id,
            round=short,
            against=gives,
            cents=cents,
            carried_cents=short_cents + cents,
            against_carried_cents=gives_cents - cents if corrected.has_left else 0,
            has_left=corrected.has_left,
            clause=corrected.clause,
            postings=move(source, SHORTFALL, cents),
        )
        ask.note(netted)
        yield netted


def _same_visit(ask: Ask, number: int, seat_id: str, old: SeatRound) -> list[tuple[int, SeatRound]]:
    """The seat's parts in other rounds of the same visit and money that have left something open."""
    open_rounds = sorted((ask.state.owing | ask.state.kept).items())
    return [
        (other, part)
        for other, round_ in open_rounds
        if other != number
        and (part := round_.seats.get(seat_id)) is not None
        and (part.visit, part.fresh_from) == (old.visit, old.fresh_from)
        and ask.carried_cents(other, seat_id, part)
    ]


def _carried(old: SeatRound, more: int, credits_cents: int, has_left: bool) -> int:
    """What the credits cannot take in all: a shortfall where negative, unclaimed where positive."""
    if has_left:
        return old.carried_cents + more
    if more >= 0:
        repaid = min(max(-old.carried_cents, 0), more)
        return old.carried_cents + repaid
    return old.carried_cents - max(0, -more - credits_cents)


def _postings(
    seat_id: str,
    old: SeatRound,
    returned_cents: int,
    given_up_cents: int,
    carried_cents: int,
    has_left: bool,
) -> tuple[Posting, ...]:
    """New settlement first, then the reversal, so that no account of a seat is below zero in between."""
    shortfall = max(-carried_cents, 0) - max(-old.carried_cents, 0)
    unclaimed = max(carried_cents, 0) - max(old.carried_cents, 0)
    if has_left:
        return move(HOUSE, UNCLAIMED, unclaimed) + move(SHORTFALL, HOUSE, shortfall)
    credits = credits_of(seat_id)
    return (
        move(HOUSE, credits, returned_cents)
        + move(HOUSE, credits, given_up_cents)
        + move(SHORTFALL, credits, shortfall)
        + move(credits, HOUSE, old.returned_cents)
    )


def _corrected(
    ask: Ask,
    round_: Round,
    new: str | None,
    cause: str,
    reason: str,
    clause: str,
    named: tuple[int, ...] = (),
) -> ResultCorrected:
    is_settled = round_.phase == SETTLED
    return ResultCorrected(
        round=round_.number,
        old=round_.result,
        new=new,
        settled=is_settled,
        cause=cause,
        reason=reason,
        notice=_notice_of(ask, round_.number, new, reason) if is_settled else None,
        clause=clause,
        sensor=None if is_settled or new is None else stand_of_sensor(ask, new),
        named_rounds=named,
    )


def _notice_of(ask: Ask, number: int, new: str | None, reason: str) -> str:
    if new is None:
        return ask.rules.notice("void", round=number, reason=reason)
    return ask.rules.notice("correction", round=number, result=ask.rules.book.wheel.labels[new])

"""Settlement of a round over all seats, with the Money Wheel's apportionment."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from croupier.rulebook import Layout
from croupier.table.asking import Ask
from croupier.table.crediting import WIN
from croupier.table.events import (
    BetChange,
    Event,
    Line,
    ResultConfirmed,
    RoundSettled,
    RoundVoided,
    SeatLocked,
    SeatReturned,
    SeatSettled,
    SeatUnlocked,
)
from croupier.table.events_of_settlement import won_cents
from croupier.table.ledger import HOUSE, credits_of, move, stakes_of
from croupier.table.rules import TABLE_EXCESS, Rules
from croupier.table.sensor import sensor_denies, wheel_state
from croupier.table.settings import Limits
from croupier.table.state import Round, Seat

Stakes = Mapping[str, Mapping[str, int]]
"""Cents by seat and bet."""

Advised = Mapping[str, Collection[str]]
"""By seat, the bets under the minimum whose player was advised and that were left so."""


class Counted(NamedTuple):
    """The part of a stake that takes part, and the clause of it if that or its box is outside limits."""

    cents: int
    clause: str | None = None


def settle_lines(
    rules: Rules,
    limits: Limits,
    stakes: Stakes,
    layouts: Mapping[str, str],
    result: str,
    advised: Advised,
) -> dict[str, tuple[Line, ...]]:
    """How every bet of every seat ends on a result, by the pay table of the seat's layout."""
    times = {layout: _times(rules.layouts[layout], result) for layout in dict.fromkeys(layouts.values())}
    if rules.marks_boxes:
        counted = counted_in_boxes(rules, limits, stakes, advised)
        return {
            seat: tuple(
                settle_line(bet, cents, counted[seat, bet], times[layouts[seat]][bet])
                for bet, cents in bets.items()
            )
            for seat, bets in stakes.items()
        }
    # Players bet alike: a stake on a bet ends as the same stake of another seat with the same layout does,
    # and is worked out once.
    known = {layout: _Lines(own) for layout, own in times.items()}
    lines = {}
    for seat, bets in stakes.items():
        of_layout = known[layouts[seat]]
        lines[seat] = tuple([of_layout[staked] for staked in bets.items()])
    return lines


def _times(layout: Layout, result: str) -> dict[str, int]:
    """How many times each bet of a layout comes back on a result, the stake of a winner included."""
    return {bet.id: bet.pays + 1 if result in bet.numbers else 0 for bet in layout.bets.values()}


class _Lines(dict[tuple[str, int], Line]):
    """How stakes on bets end, all of which count; each is worked out when it is first asked for."""

    def __init__(self, times: Mapping[str, int]) -> None:
        super().__init__()
        self._times = times

    def __missing__(self, staked: tuple[str, int]) -> Line:
        bet_id, cents = staked
        line = self[staked] = settle_line(bet_id, cents, None, self._times[bet_id])
        return line


def settle_line(bet_id: str, stake_cents: int, counted: Counted | None, times: int) -> Line:
    """How one bet ends that comes back so many times, the stake of a winner included.

    What does not count of a stake goes back; all counts where nothing is named.
    """
    if counted is None:
        return Line(bet_id, stake_cents, stake_cents, times > 0, stake_cents * times)
    counted_cents, clause = counted
    returned_cents = stake_cents - counted_cents + counted_cents * times
    return Line(bet_id, stake_cents, counted_cents, times > 0, returned_cents, clause)


def returned_line(bet_id: str, stake_cents: int) -> Line:
    """A bet that goes back whole, because its round is void or the shift manager decided so."""
    return Line(bet_id, stake_cents, 0, False, stake_cents)


def apportion(stakes: Mapping[str, int], minimum_cents: int, maximum_cents: int) -> dict[str, int]:
    """What counts of each player's stake in a box whose excess was not rejected (Money Wheel 5.1.1, 5.1.2).

    >>> apportion({"1": 80000, "2": 60000, "3": 500}, 1000, 100000)
    {'1': 56939, '2': 42704, '3': 500}
    """
    total = sum(stakes.values())
    if total <= maximum_cents:
        return dict(stakes)
    return {
        seat: stake if stake < minimum_cents else max(minimum_cents, stake * maximum_cents // total)
        for seat, stake in stakes.items()
    }


def counted_in_boxes(
    rules: Rules, limits: Limits, stakes: Stakes, advised: Advised
) -> dict[tuple[str, str], Counted]:
    """What counts of every stake in the boxes, by seat and bet.

    In a box over its maximum the clause on that says how a small bet counts, advised or not. In every other
    box a bet under the minimum counts as it is: by the clause on advice, or by that on what nobody noticed.
    """
    boxes: dict[str, dict[str, int]] = {}
    for seat, bets in stakes.items():
        for bet_id, cents in bets.items():
            boxes.setdefault(bet_id, {})[seat] = cents
    counted = {}
    for bet_id, in_box in boxes.items():
        limit = limits.of_bet(bet_id, rules.bet(bet_id).kind)
        total = sum(in_box.values())
        for seat, cents in apportion(in_box, limit.minimum_cents, limit.maximum_cents).items():
            clause, is_small = None, in_box[seat] < limit.minimum_cents
            if total > limit.maximum_cents:
                clause = rules.clause_of("small-bet-in-full-box" if is_small else "excess-not-rejected")
            elif is_small:
                is_advised = bet_id in advised.get(seat, ())
                clause = rules.clause_of("box-under-minimum" if is_advised else "minimum-not-noticed")
            counted[seat, bet_id] = Counted(cents, clause)
    return counted


def conclude(ask: Ask, result: str, clause: str, *, against_sensor: bool = False) -> tuple[Event, ...]:
    """The result counts, every seat is settled, and the round is over."""
    round_ = ask.round()
    notice = ask.rules.notice("result", result=ask.rules.book.wheel.labels[result])
    confirmed = ResultConfirmed(
        round=round_.number, result=result, notice=notice, clause=clause, against_sensor=against_sensor
    )
    playing = {seat: ask.state.seats[seat] for seat in round_.playing}
    stakes = {seat_id: seat.stakes for seat_id, seat in playing.items()}
    layouts = {seat_id: seat.layout for seat_id, seat in playing.items()}
    lines_by_seat = settle_lines(ask.rules, round_.limits, stakes, layouts, result, round_.advised)
    seats: list[Event] = []
    for seat_id, lines in lines_by_seat.items():
        seats += _settle_seat(ask, round_, playing[seat_id], lines)
    settled = RoundSettled(
        round=round_.number,
        result=result,
        notice=ask.rules.notice("settled"),
        clause=ask.rules.pay_clause(layouts.values()),
        excess_clause=_excess_clause(ask.rules, round_),
    )
    return confirmed, *seats, settled


def _excess_clause(rules: Rules, round_: Round) -> str | None:
    """What says how stakes over the maximum of the table count; none where there was no such excess."""
    most_cents = round_.limits.table_cents
    is_over = rules.marks_boxes and most_cents is not None and round_.total_cents > most_cents
    return rules.clause_of(TABLE_EXCESS) if is_over else None


def _settle_seat(ask: Ask, round_: Round, seat: Seat, lines: tuple[Line, ...]) -> Iterable[Event]:
    staked_cents = sum([line.stake_cents for line in lines])
    returned_cents = sum([line.returned_cents for line in lines])
    yield SeatSettled(
        seat=seat.id,
        round=round_.number,
        lines=lines,
        staked_cents=staked_cents,
        returned_cents=returned_cents,
        clause=ask.rules.layouts[seat.layout].pay_clause,
        postings=move(stakes_of(seat.id), HOUSE, staked_cents)
        + move(HOUSE, credits_of(seat.id), returned_cents),
        layout=ask.rules.told(seat.layout),
    )
    yield from lock_up(ask, round_, seat, lines)


def lock_up(
    ask: Ask, round_: Round, seat: Seat, lines: tuple[Line, ...], before: tuple[Line, ...] = ()
) -> Iterable[Event]:
    """Locks a seat whose win reaches the table's threshold, unless a correction leaves it no higher."""
    won = won_cents(lines)
    is_large = won >= ask.state.settings.lock_up_cents and won > won_cents(before)
    # One that waits already waits for this win as well, so that it is not released with the other alone.
    is_new = seat.lock is None or (seat.lock == WIN and round_.number not in ask.locked_for(seat.id))
    if is_large and is_new:
        yield SeatLocked(seat=seat.id, round=round_.number, reason=WIN, cents=won)


def release(ask: Ask, round_: Round, seat: Seat, lines: tuple[Line, ...]) -> Iterable[Event]:
    """Releases a seat where a correction takes back the last large win that has locked it."""
    locked_for = ask.locked_for(seat.id)
    if round_.number not in locked_for or won_cents(lines) >= ask.state.settings.lock_up_cents:
        return
    ask.forget_lock(seat.id, round_.number)
    if len(locked_for) == 1:
        yield SeatUnlocked(seat=seat.id, round=round_.number)


def void(
    ask: Ask,
    cause: str,
    reason: str,
    clause: str,
    *,
    step: str = "void",
    wheel: str | None = None,
    named: tuple[int, ...] = (),
) -> tuple[Event, ...]:
    """Every bet of the running round goes back, and the round is over without a result.

    `wheel` is where the ball or the wheel is, if this command says more than the state does.
    """
    round_ = ask.round()
    returned_clause = ask.rules.cite("void-returns") or clause
    seats = (
        return_bets(ask, ask.state.seats[seat], ask.state.seats[seat].stakes, returned_clause, void=True)
        for seat in round_.playing
    )
    voided = RoundVoided(
        round=round_.number,
        cause=cause,
        reason=reason,
        notice=ask.rules.notice(step, round=round_.number, reason=reason),
        clause=clause,
        wheel=wheel or wheel_state(round_),
        against_sensor=sensor_denies(round_.spin, cause),
        named_rounds=named,
    )
    return *seats, voided


def return_bets(ask: Ask, seat: Seat, bets: Mapping[str, int], clause: str, *, void: bool) -> SeatReturned:
    """Gives stakes in play back to a seat."""
    cents = sum(bets.values())
    return SeatReturned(
        seat=seat.id,
        round=ask.round().number,
        bets=tuple(BetChange(bet_id, -stake) for bet_id, stake in bets.items()),
        cents=cents,
        void=void,
        clause=clause,
        postings=move(stakes_of(seat.id), credits_of(seat.id), cents),
        layout=ask.rules.told(seat.layout),
    )

"""Makes what a screen shows from a table's state; nothing here decides anything."""

from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import Final

import msgspec

from croupier.protocol.views import (
    ActionView,
    AttendantCall,
    Box,
    BoxPart,
    ConsoleView,
    DisputeView,
    Outcome,
    PitLine,
    RoundView,
    SeatCall,
    SeatLine,
    SeatView,
    ShownNotice,
    SmallBet,
    SpinView,
    StakesView,
    TableView,
)
from croupier.rulebook.vocabulary import VOIDING
from croupier.table import WHEEL, Actor, Command, Do, Rejection, Rules, State, house_results, may
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.betting import TABLE_TOTAL
from croupier.table.interrupting import NO_OUTCOME
from croupier.table.rules import PLACE
from croupier.table.state import BETTING, CLOSED, RESULTED, SETTLED, SPINNING, VOIDED, Round, Seat

OUTCOMES_SHOWN: Final = 20

_TAKES_ANOTHER: Final = frozenset({"not-allowed", "second-person"})
"""What somebody who signs beside makes up for."""
_SIGNS: Final = Actor(id="signs", position="shift-manager")
_BESIDE: Final = Actor(id="beside", position="shift-manager")
"""Two people who may do together whatever people may do at a table."""

_STEPS: Final = {BETTING: "open", CLOSED: "closed", SPINNING: "spinning", RESULTED: "spinning"}
_STEPS_OF: Final[Mapping[type, str]] = {
    e.TableClosed: "table-closed",
    e.LastRoundAnnounced: "last-round",
    e.TableHalted: "interrupted",
    e.TableInterrupted: "interrupted",
    e.DecisionRecorded: "decision",
    e.RoundOpened: "open",
    e.ClosingWarned: "warning",
    e.BetsClosed: "closed",
    e.SpinStarted: "spinning",
    e.ResultConfirmed: "result",
    e.RoundSettled: "settled",
}


def notice_now(rules: Rules, state: State) -> ShownNotice | None:
    """What players read where no event has said it yet: after a start of the server."""
    if not state.open:
        step = "table-closed"
    elif state.halted is not None or state.awaits_outcome:
        step = "interrupted"
    elif state.round is not None:
        step = _STEPS[state.round.phase]
    else:
        return None
    return _shown(rules, step, rules.notice(step))


def notice_of(rules: Rules, event: e.Event) -> ShownNotice | None:
    """What players read of an event; None where they are told nothing new."""
    text: str | None = getattr(event, "notice", None)
    return None if text is None else _shown(rules, _step_of(event), text)


def _step_of(event: e.Event) -> str:
    match event:
        case e.RoundVoided(cause="no-spin"):
            return "no-spin"
        case e.RoundVoided() | e.ResultCorrected(new=None):
            return "void"
        case e.ResultCorrected():
            return "correction"
    return _STEPS_OF[type(event)]


def _shown(rules: Rules, step: str, text: str) -> ShownNotice:
    return ShownNotice(step=step, text=text, clause=rules.book.notices[step].clause)


def notices_now(rules: Rules, state: State, said: ShownNotice | None) -> tuple[ShownNotice, ...]:
    """What holds for players: whether bets are open, or the result; then what they were told since."""
    standing = _standing(rules, state)
    if standing is None:
        return () if said is None else (said,)
    if said is None or said.step == standing.step:
        return (standing,)
    return standing, said


def _standing(rules: Rules, state: State) -> ShownNotice | None:
    """Whether bets are open or closed, for as long as they are; between rounds the result of the last one."""
    if not state.open or state.halted is not None or state.awaits_outcome:
        return None
    if state.round is not None:
        step = "open" if state.round.phase == BETTING else "closed"
        return _shown(rules, step, rules.notice(step))
    last = next(iter(outcomes(state)), None)
    if last is None or last.round != state.round_number or last.result is None:
        return None
    return _shown(rules, "result", rules.notice("result", result=rules.book.wheel.labels[last.result]))


def table_view(rules: Rules, state: State, said: ShownNotice | None, clause: str | None) -> TableView:
    """A table as everybody at it sees it; `said` is what players were told last, `clause` is behind it."""
    settings = state.settings
    return TableView(
        table=settings.table,
        book=settings.book,
        layouts=settings.layouts,
        open=state.open,
        halted=state.halted is not None,
        awaits_outcome=state.awaits_outcome,
        wheel_fault=state.wheel_fault is not None,
        rounds_left=state.rounds_left,
        round_number=state.round_number,
        round=None if state.round is None else _round_view(state, state.round),
        notice="" if said is None else said.text,
        clause=clause,
        limits=state.limits,
        cash_limit_cents=settings.cash_limit_cents,
        betting_seconds=settings.betting_seconds,
        warning_seconds=settings.warning_seconds,
        outcomes=tuple(islice(outcomes(state), OUTCOMES_SHOWN)),
        notices=notices_now(rules, state, said),
    )


def outcomes(state: State) -> Iterable[Outcome]:
    """How the rounds that the table keeps ended, newest first."""
    for number in reversed(state.kept):
        yield Outcome(round=number, result=state.kept[number].result)


def _round_view(state: State, round_: Round) -> RoundView:
    spin, seconds = round_.spin, state.settings.betting_seconds
    opened_ms = None if round_.closes_ms is None or seconds is None else round_.closes_ms - 1000 * seconds
    return RoundView(
        number=round_.number,
        phase=round_.phase,
        opened_ms=opened_ms,
        closes_ms=round_.closes_ms,
        warned=round_.warned,
        spin=None
        if spin is None
        else SpinView(
            ball=spin.ball,
            wheel=spin.wheel,
            finished=spin.finished_by is not None,
            pocket=spin.pocket,
            revolutions=spin.revolutions,
            sensed=spin.started_by == WHEEL,
            sensor_failed=spin.faulted,
            on_record=not spin.in_halt,
        ),
        result=round_.result,
        sensor=round_.sensor,
    )


def last_wins(state: State) -> dict[str, tuple[int, int]]:
    """By seat, the last settled round of whoever plays there now, and what came back in it.

    A round that is void has given stakes back and is no win, also where it was settled before.
    """
    found = {seat: last_win(state, seat) for seat in state.seats}
    return {seat: last for seat, last in found.items() if last is not None}


def last_win(state: State, seat: str) -> tuple[int, int] | None:
    """The same of one seat; what a correction gave and the credits did not take has not come back."""
    for number in reversed(state.kept):
        round_ = state.kept[number]
        part = round_.seats.get(seat)
        if part is not None and round_.phase != VOIDED and part.visit == state.seats[seat].visit:
            return number, part.credited_cents
    return None


def boxes_cents(rules: Rules, state: State) -> Mapping[str, int] | None:
    """What lies in each betting box over all players: sums, and nothing about whose they are."""
    return state.round.spots if rules.marks_boxes and state.round is not None else None


def seat_view(rules: Rules, state: State, seat_id: str, last: tuple[int, int] | None) -> SeatView:
    """A seat as whoever sits there sees it."""
    seat = state.seats[seat_id]
    now, before = seat.meters, seat.before_visit
    in_now = now.cash_in_cents + now.vouchers_in_cents
    in_before = before.cash_in_cents + before.vouchers_in_cents
    return SeatView(
        seat=seat_id,
        kind=seat.kind,
        layout=seat.layout,
        in_use=seat.in_use,
        visit=seat.visit,
        lost=seat.lost,
        lock=seat.lock,
        call=_call_view(seat),
        credits_cents=state.credits_cents(seat_id),
        staked_cents=seat.staked_cents,
        stakes=seat.stakes,
        boxes_cents=boxes_cents(rules, state),
        last_round=None if last is None else last[0],
        last_win_cents=0 if last is None else last[1],
        visit_in_cents=in_now - in_before,
        visit_out_cents=now.attendant_pays_cents - before.attendant_pays_cents,
        visit_turnover_cents=now.turnover_cents - before.turnover_cents,
    )


def seat_line(state: State, seat: Seat, connected: bool, last: tuple[int, int] | None) -> SeatLine:
    """A seat as the console lists it."""
    return SeatLine(
        seat=seat.id,
        kind=seat.kind,
        layout=seat.layout,
        in_use=seat.in_use,
        connected=connected,
        lost=seat.lost,
        lock=seat.lock,
        call=_call_view(seat),
        credits_cents=state.credits_cents(seat.id),
        staked_cents=seat.staked_cents,
        bets=len(seat.stakes),
        last_win_cents=0 if last is None else last[1],
        stakes=seat.stakes if seat.kind == PLACE else {},
    )


def stakes_view(rules: Rules, state: State) -> StakesView | None:
    """Live stakes by spot, and what each result would mean for the house."""
    round_ = state.round
    if round_ is None:
        return None
    return StakesView(
        total_cents=round_.total_cents,
        spots=round_.spots,
        house_cents=house_results(rules, state),
        exposure_cents=round_.limits.exposure_cents,
        boxes=tuple(_boxes(rules, state, round_)) if rules.marks_boxes else (),
    )


def _boxes(rules: Rules, state: State, round_: Round) -> Iterable[Box]:
    """Boxes with something to sort out, and then the table as a whole where it holds too much."""
    for bet_id, total_cents in round_.spots.items():
        limit = round_.limits.of_bet(bet_id, rules.bet(bet_id).kind)
        small = tuple(_small_bets(state, round_, bet_id, limit.minimum_cents))
        excess_cents = max(0, total_cents - limit.maximum_cents)
        if excess_cents or small:
            yield Box(
                bet=bet_id,
                total_cents=total_cents,
                minimum_cents=limit.minimum_cents,
                maximum_cents=limit.maximum_cents,
                excess_cents=excess_cents,
                latest=_latest(round_, excess_cents, bet_id),
                small=small,
            )
    most_cents = round_.limits.table_cents
    if most_cents is not None and round_.total_cents > most_cents:
        excess_cents = round_.total_cents - most_cents
        yield Box(
            bet=TABLE_TOTAL,
            total_cents=round_.total_cents,
            minimum_cents=0,
            maximum_cents=most_cents,
            excess_cents=excess_cents,
            latest=_latest(round_, excess_cents),
            small=(),
        )


def _latest(round_: Round, excess_cents: int, bet_id: str | None = None) -> tuple[BoxPart, ...]:
    """What would be rejected of a box, or of the whole table, the latest bet first."""
    latest, left = [], excess_cents
    for placement in reversed(round_.placements):
        if left and bet_id in (None, placement.bet):
            part = min(left, placement.cents)
            latest.append(BoxPart(seat=placement.seat, bet=placement.bet, cents=part))
            left -= part
    return tuple(latest)


def _small_bets(state: State, round_: Round, bet_id: str, minimum_cents: int) -> Iterable[SmallBet]:
    for seat in round_.playing:
        cents = state.seats[seat].stakes.get(bet_id, 0)
        if 0 < cents < minimum_cents:
            yield SmallBet(seat=seat, cents=cents, advised=bet_id in round_.advised.get(seat, ()))


def _boxes_over(rules: Rules, state: State) -> tuple[Box, ...]:
    if state.round is None or not rules.marks_boxes:
        return ()
    return tuple(box for box in _boxes(rules, state, state.round) if box.excess_cents)


def action_views(rules: Rules, state: State, actor: Actor, at_ms: int) -> tuple[ActionView, ...]:
    """What the person at the console may do now, judged by the table itself."""
    return tuple(
        ActionView(action=action, refusal=_refusal(rules, state, actor, at_ms, do))
        for action, do in _questions(rules, state)
    )


def _refusal(rules: Rules, state: State, actor: Actor, at_ms: int, do: Do) -> Rejection | None:
    """Why not; nobody is fetched to sign for what would be refused to everybody."""
    asked = Command(at_ms=at_ms, actor=actor, sender=actor.id, number=0, do=do)
    refusal = may(rules, state, asked)
    if refusal is None or refusal.code not in _TAKES_ANOTHER:
        return refusal
    signed = msgspec.structs.replace(asked, actor=_SIGNS, second=_BESIDE)
    for_all = may(rules, state, signed)
    return refusal if for_all is None or for_all.code in _TAKES_ANOTHER else for_all


def _questions(rules: Rules, state: State) -> Iterable[tuple[str, Do]]:
    round_, some = state.round, next(iter(rules.book.wheel.outcomes))
    result = round_.result if round_ is not None and round_.result is not None else some
    number = state.round_number if round_ is None else round_.number
    last = state.kept.get(number)
    other = next(o for o in rules.book.wheel.outcomes if o != (last.result if last else result))
    yield "open-table", c.OpenTable()
    yield "close-table", c.CloseTable()
    yield "announce-last-round", c.AnnounceLastRound()
    yield "resume-table", c.ResumeTable(reason="asked")
    yield "change-limits", c.ChangeLimits(limits=state.limits, reason="asked")
    yield "open-round", c.OpenRound()
    yield "close-bets", c.CloseBets()
    yield "start-spin", c.StartSpin()
    yield "finish-spin", c.FinishSpin()
    yield "enter-result", c.EnterResult(result=_sensed(round_) or some)
    yield "confirm-result", c.ConfirmResult(result=result)
    yield "call-no-spin", c.CallNoSpin(reason="asked")
    yield "state-outcome", c.StateOutcome(result=_sensed(round_))
    yield "declare-interruption", c.DeclareInterruption(reason="asked")
    yield "uphold-result", c.UpholdResult(round=next(iter(state.disputes), 0), reason="asked")
    yield "correct-result", c.CorrectResult(round=max(1, number), result=other, reason="asked")
    yield "decide", c.Decide(ruling="none", reason="asked", round=max(1, number))
    for cause in rules.book.irregularities:
        yield f"declare-irregularity/{cause}", c.DeclareIrregularity(cause=cause)
    if (void := _void_of_settled(rules, state)) is not None:
        yield "void-settled-rounds", void


def _void_of_settled(rules: Rules, state: State) -> c.DeclareIrregularity | None:
    """An irregularity that voids the last settled round, if the book has one and there is such a round."""
    wanted = ("void-affected-rounds",) if rules.settled_stand else VOIDING
    causes = [each.cause for each in rules.book.irregularities.values() if each.consequence in wanted]
    cause = next((cause for cause in causes if cause not in ("no-spin", NO_OUTCOME)), None)
    settled = next((kept.number for kept in reversed(state.kept.values()) if kept.phase == SETTLED), None)
    return None if cause is None or settled is None else c.DeclareIrregularity(cause=cause, rounds=(settled,))


def _sensed(round_: Round | None) -> str | None:
    return None if round_ is None or round_.spin is None else round_.spin.pocket


def console_view(
    rules: Rules,
    state: State,
    connected: Collection[str],
    last: Mapping[str, tuple[int, int] | None],
    people: tuple[str, ...],
    actor: Actor,
    at_ms: int,
) -> ConsoleView:
    """A table as the dealer sees it."""
    return ConsoleView(
        halted_reason=state.halted,
        wheel_fault=state.wheel_fault,
        disputes=dispute_views(state),
        stakes=stakes_view(rules, state),
        seats=tuple(
            seat_line(state, seat, seat.id in connected, last.get(seat.id)) for seat in state.seats.values()
        ),
        people=people,
        actions=action_views(rules, state, actor, at_ms),
    )


def dispute_views(state: State) -> tuple[DisputeView, ...]:
    """The rounds that the sensor contradicts."""
    return tuple(
        DisputeView(round=number, registered=dispute.registered, sensed=dispute.sensed)
        for number, dispute in state.disputes.items()
    )


def _call_view(seat: Seat) -> AttendantCall | None:
    return None if seat.call is None else AttendantCall(reason=seat.call.reason, since_ms=seat.call.since_ms)


def _open_calls(state: State) -> tuple[SeatCall, ...]:
    waiting = [(seat.id, seat.call) for seat in state.seats.values() if seat.call is not None]
    waiting.sort(key=lambda each: each[1].since_ms)
    return tuple(
        SeatCall(seat=seat_id, reason=call.reason, since_ms=call.since_ms) for seat_id, call in waiting
    )


def pit_line(rules: Rules, state: State, view: TableView, connected: int, suspect: str | None) -> PitLine:
    """A table at a glance."""
    round_ = state.round
    return PitLine(
        view=view,
        halted_reason=state.halted,
        wheel_fault=state.wheel_fault,
        disputes=dispute_views(state),
        total_cents=0 if round_ is None else round_.total_cents,
        worst_cents=0 if round_ is None else min(house_results(rules, state).values()),
        seats_in_use=sum(seat.in_use for seat in state.seats.values()),
        seats_connected=connected,
        locked=tuple(seat.id for seat in state.seats.values() if seat.lock is not None),
        lost=tuple(seat.id for seat in state.seats.values() if seat.lost),
        calls=_open_calls(state),
        boxes=_boxes_over(rules, state),
        suspect=suspect,
        meters=state.meters,
    )

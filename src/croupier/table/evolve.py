"""Events change the table. This never refuses: what `decide` let happen has happened."""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import Any, Final

from croupier.table import events as e
from croupier.table.actors import WHEEL
from croupier.table.crediting import WIN
from croupier.table.evolve_calls import CALLS
from croupier.table.evolve_carried import (
    carried_netted,
    carried_settled,
    count_lines,
    meters_of,
    over,
    round_recalled,
    seat_corrected,
)
from croupier.table.evolve_stakes import change_stakes, running_round
from croupier.table.evolve_wheel import commitment_opened, spin_committed, wheel_reported
from croupier.table.ledger import post
from croupier.table.rules import Rules
from croupier.table.state import (
    BETTING,
    CLOSED,
    RESULTED,
    SETTLED,
    SPINNING,
    VOIDED,
    Answer,
    Dispute,
    Round,
    Seat,
    SeatRound,
    Spin,
    State,
    new_state,
)

SENDERS_KEPT: Final = 20_000
"""How many senders' answers are remembered; the ones silent for longest are forgotten first."""


def evolve(rules: Rules, state: State, entry: e.Entry) -> None:
    """Carries one event out on the table."""
    cause, event = entry.cause, entry.event
    if type(event) is e.BetsChanged:
        answers = state.answers.get(cause.sender)
        if answers and next(reversed(answers)) < cause.number:
            carry_out_bets(rules, state, cause, event, answers)
            return
    evolve_at_length(rules, state, entry)


def carry_out_bets(
    rules: Rules, state: State, cause: e.Cause, event: e.BetsChanged, answers: dict[int, Answer]
) -> None:
    """Changes bets by a sender whose `answers` are of lower numbers: `evolve_at_length`, in one go.

    Almost every event of a busy table is one of these.
    """
    at_ms, sender, seat_id = cause.at_ms, cause.sender, event.seat
    sequence = state.sequence = state.sequence + 1
    state.at_ms = at_ms
    balances, by_sender = state.balances, state.answers
    for posting in event.postings:
        source, destination, cents = posting.source, posting.destination, posting.cents
        balances[source] = balances.get(source, 0) - cents
        balances[destination] = balances.get(destination, 0) + cents
    more_cents = change_stakes(rules, state, seat_id, event.changes)
    state.seats[seat_id].meters.turnover_cents += more_cents
    state.meters.turnover_cents += more_cents
    # Who was heard of last stands last, and of a sender's numbers the highest.
    del by_sender[sender]
    by_sender[sender] = answers
    answers[cause.number] = Answer(cause.fingerprint, sequence, sequence)
    if len(answers) > state.settings.answers_kept:
        del answers[next(iter(answers))]


def evolve_at_length(rules: Rules, state: State, entry: e.Entry) -> None:
    """Carries out any event, step by step."""
    event = entry.event
    state.sequence += 1
    state.at_ms = entry.cause.at_ms
    kind = type(event)
    if kind in e.MOVING:
        post(state.balances, e.postings(event))
    change = _CHANGES.get(kind)
    if change is not None:
        change(rules, state, event)
    _remember_answer(state, entry.cause, event)


def replay(rules: Rules, entries: Iterable[e.Entry]) -> State:
    """The table that a history leads to; it begins with the table's creation."""
    iterator = iter(entries)
    first = next(iterator)
    if not isinstance(first.event, e.TableCreated):
        raise ValueError("a table's history begins with its creation")
    state = new_state(first.event.settings)
    evolve(rules, state, first)
    for entry in iterator:
        evolve(rules, state, entry)
    return state


def _remember_answer(state: State, cause: e.Cause, event: e.Event) -> None:
    sender, number, sequence, by_sender = cause.sender, cause.number, state.sequence, state.answers
    answers = by_sender.pop(sender, None)
    if answers is None:
        answers = {}
        if len(by_sender) >= SENDERS_KEPT:
            del by_sender[next(iter(by_sender))]
    by_sender[sender] = answers
    known = answers.get(number)
    if known is not None:
        known.last = sequence
        return
    rejection = event.rejection if type(event) is e.CommandRefused else None
    in_order = not answers or next(reversed(answers)) < number
    answers[number] = Answer(cause.fingerprint, sequence, sequence, rejection)
    if not in_order:  # numbers stay sorted, so that the lowest is always the first to be forgotten
        by_sender[sender] = answers = dict(sorted(answers.items()))
    if len(answers) > state.settings.answers_kept:
        del answers[next(iter(answers))]


def _table_opened(rules: Rules, state: State, event: e.TableOpened) -> None:
    state.open = True
    state.rounds_left = None


def _table_closed(rules: Rules, state: State, event: e.TableClosed) -> None:
    state.open = False
    state.rounds_left = None


def _last_round(rules: Rules, state: State, event: e.LastRoundAnnounced) -> None:
    state.rounds_left = event.rounds_left


def _halted(rules: Rules, state: State, event: e.TableHalted) -> None:
    if state.halted is None:
        state.halted_ms = state.at_ms
    state.halted = event.reason


def _resumed(rules: Rules, state: State, event: e.TableResumed) -> None:
    state.halted = state.halted_ms = None


def _limits_changed(rules: Rules, state: State, event: e.LimitsChanged) -> None:
    state.limits = event.new


def _seat_opened(rules: Rules, state: State, event: e.SeatOpened) -> None:
    seat, layout = state.seats.get(event.seat), event.layout or rules.layout.id
    if seat is None:
        state.seats[event.seat] = Seat(id=event.seat, kind=event.kind, layout=layout)
    else:
        seat.kind, seat.layout, seat.in_use = event.kind, layout, True


def _seat_closed(rules: Rules, state: State, event: e.SeatClosed) -> None:
    seat = state.seats[event.seat]
    seat.in_use, seat.lost, seat.lock, seat.locked_for = False, False, None, ()
    _end_visit(seat)


def _seat_lost(rules: Rules, state: State, event: e.SeatLost) -> None:
    state.seats[event.seat].lost = True


def _seat_restored(rules: Rules, state: State, event: e.SeatRestored) -> None:
    state.seats[event.seat].lost = False


def _seat_locked(rules: Rules, state: State, event: e.SeatLocked) -> None:
    seat = state.seats[event.seat]
    seat.lock = event.reason
    if event.reason == WIN and event.round is not None:
        seat.locked_for = (*seat.locked_for, event.round)


def _seat_unlocked(rules: Rules, state: State, event: e.SeatUnlocked) -> None:
    state.seats[event.seat].lock, state.seats[event.seat].locked_for = None, ()


def _credits_bought(rules: Rules, state: State, event: e.CreditsBought) -> None:
    for meters in meters_of(state, event.seat):
        if event.voucher is None:
            meters.cash_in_cents += event.cents
        else:
            meters.vouchers_in_cents += event.cents
    seat = state.seats[event.seat]
    if state.credits_cents(event.seat) == event.cents and not seat.staked_cents:
        seat.fresh_from = state.round_number + 1 if state.round is None else state.round.number


def _credits_paid_out(rules: Rules, state: State, event: e.CreditsPaidOut) -> None:
    for meters in meters_of(state, event.seat):
        if event.voucher is None:
            meters.attendant_pays_cents += event.cents
        else:
            meters.vouchers_out_cents += event.cents
    _end_visit(state.seats[event.seat])


def _end_visit(seat: Seat) -> None:
    """Whoever plays at the seat from now on may be somebody else."""
    seat.visit += 1
    seat.before_visit = copy(seat.meters)


def _bets_changed(rules: Rules, state: State, event: e.BetsChanged) -> None:
    seat_id = event.seat
    more_cents = change_stakes(rules, state, seat_id, event.changes)
    state.seats[seat_id].meters.turnover_cents += more_cents
    state.meters.turnover_cents += more_cents


def _bets_rejected(rules: Rules, state: State, event: e.BetsRejected) -> None:
    change_stakes(rules, state, event.seat, (e.BetChange(event.bet, -event.cents),))
    for meters in meters_of(state, event.seat):
        meters.turnover_cents -= event.cents


def _minimum_advised(rules: Rules, state: State, event: e.MinimumAdvised) -> None:
    advised = running_round(state).advised.setdefault(event.seat, [])
    if event.bet not in advised:
        advised.append(event.bet)


def _round_opened(rules: Rules, state: State, event: e.RoundOpened) -> None:
    state.round_number = event.round
    state.round = Round(number=event.round, phase=BETTING, limits=state.limits, closes_ms=event.closes_ms)
    if state.rounds_left:
        state.rounds_left -= 1


def _closing_warned(rules: Rules, state: State, event: e.ClosingWarned) -> None:
    running_round(state).warned = True


def _bets_closed(rules: Rules, state: State, event: e.BetsClosed) -> None:
    round_ = running_round(state)
    round_.phase = CLOSED if round_.spin is None else SPINNING


def _spin_started(rules: Rules, state: State, event: e.SpinStarted) -> None:
    round_ = running_round(state)
    spin = round_.spin
    if spin is None:
        round_.spin = Spin(
            ball=event.ball,
            wheel=event.wheel,
            wheel_turning=event.wheel_turning,
            started_by=event.said_by,
            faulted=state.wheel_fault is not None,
            in_halt=state.halted is not None or state.awaits_outcome,
        )
    else:  # the wheel's own word for what a person has told of
        spin.ball, spin.wheel, spin.wheel_turning = event.ball, event.wheel, event.wheel_turning
        spin.started_by = event.said_by
    if round_.phase == CLOSED:
        round_.phase = SPINNING


def _spin_finished(rules: Rules, state: State, event: e.SpinFinished) -> None:
    round_ = running_round(state)
    spin = round_.spin
    if spin is not None:
        spin.finished_by, spin.late = event.said_by, round_.phase == RESULTED
        spin.revolutions, spin.pocket = event.revolutions, event.pocket


def _result_entered(rules: Rules, state: State, event: e.ResultEntered) -> None:
    round_ = running_round(state)
    round_.phase, round_.result, round_.sensor = RESULTED, event.result, event.sensor


def _reported_late(rules: Rules, state: State, event: e.SpinReportedLate) -> None:
    spin = state.kept[event.round].spin
    if spin is not None:
        spin.finished_by, spin.late = WHEEL, True
        spin.revolutions = event.revolutions
        spin.pocket = event.pocket if event.irregularity is None else None
    if event.disagrees:
        sensed = event.pocket if event.irregularity is None else None
        state.disputes[event.round] = Dispute(registered=event.registered, sensed=sensed)


def _upheld(rules: Rules, state: State, event: e.ResultUpheld) -> None:
    state.disputes.pop(event.round, None)


def _seat_settled(rules: Rules, state: State, event: e.SeatSettled) -> None:
    seat = state.seats[event.seat]
    running_round(state).seats[event.seat] = SeatRound(
        visit=seat.visit,
        layout=seat.layout,
        fresh_from=seat.fresh_from,
        lines=event.lines,
        returned_cents=event.returned_cents,
    )
    seat.stakes, seat.staked_cents = {}, 0
    count_lines(meters_of(state, event.seat), event.lines, 1)
    seat.meters.games_played += 1
    state.meters.games_played += 1


def _round_settled(rules: Rules, state: State, event: e.RoundSettled) -> None:
    round_ = running_round(state)
    round_.phase, round_.result = SETTLED, event.result
    sensed = round_.spin_sensed
    if sensed not in (None, event.result):
        state.disputes[event.round] = Dispute(registered=event.result, sensed=sensed)
    _keep(state, round_)


def _seat_returned(rules: Rules, state: State, event: e.SeatReturned) -> None:
    change_stakes(rules, state, event.seat, event.bets)
    for meters in meters_of(state, event.seat):
        meters.returned_cents += event.cents
    if event.void:
        state.seats[event.seat].meters.voids += 1


def _round_voided(rules: Rules, state: State, event: e.RoundVoided) -> None:
    round_ = running_round(state)
    round_.phase, round_.result, round_.cause = VOIDED, None, event.cause
    state.meters.voids += 1
    if state.rounds_left == 0:
        state.rounds_left = 1  # a void round has no result: players still have their last one to come
    _keep(state, round_)


def _keep(state: State, round_: Round) -> None:
    """Files a round that is over, without what only a running one needs."""
    state.round, state.awaits_outcome = None, False
    round_.spots, round_.pays, round_.playing, round_.placements = {}, {}, {}, []
    state.kept[round_.number] = round_
    oldest = state.kept.pop(round_.number - state.settings.rounds_kept, None)
    if oldest is not None and oldest.owes:
        state.owing[oldest.number] = oldest
    for number in [number for number, earlier in state.owing.items() if not earlier.owes]:
        del state.owing[number]


def _result_corrected(rules: Rules, state: State, event: e.ResultCorrected) -> None:
    state.meters.corrections += 1
    if not event.settled:
        round_ = running_round(state)
        round_.result, round_.sensor = event.new, event.sensor
        return
    round_ = over(state, event.round)
    round_.result = event.new
    _decide_dispute(state, event)
    if event.new is None:
        round_.phase, round_.cause = VOIDED, event.cause
        state.meters.voids += 1
        if state.rounds_left == 0 and state.round is None and event.round == state.round_number:
            state.rounds_left = 1  # as where it is void at once: players still have their last one to come


def _decide_dispute(state: State, event: e.ResultCorrected) -> None:
    """A correction to the sensor ends a dispute, as a void does; one away from it begins one."""
    dispute = state.disputes.pop(event.round, None)
    sensed = over(state, event.round).spin_sensed if dispute is None else dispute.sensed
    is_known = dispute is not None or sensed is not None
    if is_known and event.new not in (None, sensed):
        state.disputes[event.round] = Dispute(registered=event.new, sensed=sensed)


def _decided(rules: Rules, state: State, event: e.DecisionRecorded) -> None:
    if event.ruling == "return-bets" and state.over(event.round) is not None:
        state.meters.corrections += 1


def _interrupted(rules: Rules, state: State, event: e.TableInterrupted) -> None:
    state.awaits_outcome = event.consequence == "wait"


def _outcome_stated(rules: Rules, state: State, event: e.OutcomeStated) -> None:
    state.awaits_outcome = False


_CHANGES: Final[Mapping[type, Callable[[Rules, State, Any], None]]] = {
    e.TableOpened: _table_opened,
    e.TableClosed: _table_closed,
    e.LastRoundAnnounced: _last_round,
    e.TableHalted: _halted,
    e.TableResumed: _resumed,
    e.LimitsChanged: _limits_changed,
    e.SeatOpened: _seat_opened,
    e.SeatClosed: _seat_closed,
    e.SeatLost: _seat_lost,
    e.SeatRestored: _seat_restored,
    e.SeatLocked: _seat_locked,
    e.SeatUnlocked: _seat_unlocked,
    e.CreditsBought: _credits_bought,
    e.CreditsPaidOut: _credits_paid_out,
    e.BetsChanged: _bets_changed,
    e.BetsRejected: _bets_rejected,
    e.MinimumAdvised: _minimum_advised,
    e.RoundOpened: _round_opened,
    e.ClosingWarned: _closing_warned,
    e.BetsClosed: _bets_closed,
    e.SpinStarted: _spin_started,
    e.SpinFinished: _spin_finished,
    e.ResultEntered: _result_entered,
    e.SpinReportedLate: _reported_late,
    e.ResultUpheld: _upheld,
    e.SeatSettled: _seat_settled,
    e.RoundSettled: _round_settled,
    e.SeatReturned: _seat_returned,
    e.RoundVoided: _round_voided,
    e.ResultCorrected: _result_corrected,
    e.SeatCorrected: seat_corrected,
    e.CarriedNetted: carried_netted,
    e.CarriedSettled: carried_settled,
    e.RoundRecalled: round_recalled,
    e.DecisionRecorded: _decided,
    e.TableInterrupted: _interrupted,
    e.OutcomeStated: _outcome_stated,
    e.WheelReported: wheel_reported,
    e.SpinCommitted: spin_committed,
    e.CommitmentOpened: commitment_opened,
    **CALLS,
}
"""What each event changes; the others only tell."""

"""Commands in, events or a rejection out. Nothing here changes anything."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from croupier.table import (
    betting,
    calling,
    carrying,
    committing,
    correcting,
    crediting,
    earlier_rounds,
    interrupting,
    playing,
    ruling,
    running,
    seating,
    sensor,
)
from croupier.table import commands as c
from croupier.table.actors import WHEEL
from croupier.table.asking import Ask, refuse
from croupier.table.authority import action_of, not_authorised, unknown_action
from croupier.table.events import Cause, CommandRefused, Entry, Event
from croupier.table.plain_bet import plain_bet
from croupier.table.rejections import Rejection
from croupier.table.rules import Rules
from croupier.table.state import State


def _always(ask: Ask, do: Any) -> Rejection | None:
    return None


class _Handler(NamedTuple):
    """How one kind of command is judged and carried out."""

    make: Callable[[Ask, Any], tuple[Event, ...]]
    guard: Callable[[Ask, Any], Rejection | None] = _always
    form: Callable[[Ask, Any], Rejection | None] = _always
    needs_open: bool = True
    """Whether the table has to be open."""
    when_halted: bool = False
    """Whether it works at a halted table."""
    when_awaiting: bool = True
    """Whether it works while an outcome is awaited after an interruption."""
    is_evidence: bool = False
    """Whether the wheel may report it in either case."""


_HANDLERS: Final[Mapping[type, _Handler]] = {
    c.OpenTable: _Handler(running.make_open, running.guard_open, needs_open=False),
    c.CloseTable: _Handler(running.make_close, running.guard_close),
    c.AnnounceLastRound: _Handler(running.make_last_round, running.guard_last_round),
    c.HaltTable: _Handler(running.make_halt, form=running.form_reason, needs_open=False, when_halted=True),
    c.ResumeTable: _Handler(
        running.make_resume, running.guard_resume, running.form_reason, needs_open=False, when_halted=True
    ),
    c.ChangeLimits: _Handler(
        running.make_limits, running.guard_limits, running.form_limits, needs_open=False
    ),
    c.OpenSeat: _Handler(seating.make_open, form=seating.form_open, needs_open=False),
    c.CloseSeat: _Handler(seating.make_close, seating.guard_close, seating.form_seat, needs_open=False),
    c.LoseSeat: _Handler(
        seating.make_lose, seating.guard_lose, seating.form_seat, needs_open=False, when_halted=True
    ),
    c.RestoreSeat: _Handler(
        seating.make_restore, seating.guard_restore, seating.form_seat, needs_open=False, when_halted=True
    ),
    c.BuyCredits: _Handler(crediting.make_buy, crediting.guard_buy, crediting.form_buy),
    c.CashOut: _Handler(
        crediting.make_cash_out, crediting.guard_cash_out, crediting.form_cash_out, needs_open=False
    ),
    c.PayByAttendant: _Handler(
        crediting.make_attendant, crediting.guard_attendant, crediting.form_seat, needs_open=False
    ),
    c.ClearLockUp: _Handler(
        crediting.make_clear, crediting.guard_clear, crediting.form_seat, needs_open=False
    ),
    c.CallAttendant: _Handler(
        calling.make_call, calling.guard_call, calling.form_call, needs_open=False, when_halted=True
    ),
    c.AnswerCall: _Handler(
        calling.make_answer, calling.guard_answer, calling.form_answer, needs_open=False, when_halted=True
    ),
    c.PlaceBets: _Handler(betting.make_change, betting.guard_change, betting.form_stakes),
    c.TakeBets: _Handler(betting.make_change, betting.guard_change, betting.form_stakes),
    c.MoveBet: _Handler(betting.make_change, betting.guard_change, betting.form_move),
    c.ClearBets: _Handler(betting.make_change, betting.guard_change, betting.form_clear),
    c.RejectExcess: _Handler(betting.make_reject, betting.guard_reject, betting.form_reject),
    c.AdviseMinimum: _Handler(betting.make_advise, betting.guard_advise, betting.form_advise),
    c.RejectAdvised: _Handler(betting.make_reject_advised, betting.guard_reject_advised, betting.form_advise),
    c.OpenRound: _Handler(playing.make_open, playing.guard_open, when_awaiting=False),
    c.WarnClosing: _Handler(playing.make_warn, playing.guard_warn, when_awaiting=False),
    c.CloseBets: _Handler(playing.make_close, playing.guard_close, when_awaiting=False),
    c.StartSpin: _Handler(
        playing.make_start, playing.guard_start, playing.form_start, when_awaiting=False, is_evidence=True
    ),
    c.FinishSpin: _Handler(
        playing.make_finish,
        playing.guard_finish,
        playing.form_finish,
        needs_open=False,
        when_awaiting=False,
        is_evidence=True,
    ),
    c.EnterResult: _Handler(
        playing.make_enter, playing.guard_enter, playing.form_result, when_awaiting=False
    ),
    c.ConfirmResult: _Handler(
        playing.make_confirm, playing.guard_confirm, playing.form_result, when_awaiting=False
    ),
    c.CallNoSpin: _Handler(
        playing.make_no_spin, playing.guard_no_spin, playing.form_no_spin, when_halted=True
    ),
    c.DeclareIrregularity: _Handler(
        playing.make_irregularity, playing.guard_irregularity, playing.form_irregularity, is_evidence=True
    ),
    c.CorrectResult: _Handler(
        correcting.make_correct, correcting.guard_correct, correcting.form_correct, needs_open=False
    ),
    c.SettleCarried: _Handler(
        carrying.make_settle, carrying.guard_settle, carrying.form_settle, needs_open=False
    ),
    c.Interrupt: _Handler(
        interrupting.make_interrupt, form=interrupting.form_interrupt, needs_open=False, when_halted=True
    ),
    c.DeclareInterruption: _Handler(
        interrupting.make_declare, interrupting.guard_declare, interrupting.form_declare
    ),
    c.StateOutcome: _Handler(
        interrupting.make_outcome, interrupting.guard_outcome, interrupting.form_outcome
    ),
    c.UpholdResult: _Handler(sensor.make_uphold, sensor.guard_uphold, sensor.form_uphold, needs_open=False),
    c.Decide: _Handler(ruling.make_decide, ruling.guard_decide, ruling.form_decide, needs_open=False),
    c.RecallRound: _Handler(
        earlier_rounds.make_recall, earlier_rounds.guard_recall, earlier_rounds.form_recall, needs_open=False
    ),
    c.ReportWheel: _Handler(
        sensor.make_report, sensor.guard_report, sensor.form_report, needs_open=False, when_halted=True
    ),
    c.CommitSpin: _Handler(committing.make_commit, committing.guard_commit, committing.form_commit),
    c.OpenCommitment: _Handler(
        committing.make_opening,
        committing.guard_opening,
        committing.form_opening,
        needs_open=False,
        when_halted=True,
    ),
}


def may(rules: Rules, state: State, command: c.Command) -> Rejection | None:
    """Why a command would be refused now; None where it would be carried out.

    The same answer greys a screen's buttons and guards the command itself.
    """
    return _judge(_ask(rules, state, command), command, _HANDLERS[type(command.do)])


def decide(rules: Rules, state: State, command: c.Command) -> tuple[Event, ...] | Rejection:
    """What follows from a command: events, or the reason why not."""
    plain = plain_bet(rules, state, command)
    return decide_at_length(rules, state, command) if plain is None else (plain,)


def decide_at_length(rules: Rules, state: State, command: c.Command) -> tuple[Event, ...] | Rejection:
    """What follows from any command, by every rule there is."""
    ask, do = _ask(rules, state, command), command.do
    handler = _HANDLERS[type(do)]
    rejection = _judge(ask, command, handler)
    return handler.make(ask, do) if rejection is None else rejection


def _judge(ask: Ask, command: c.Command, handler: _Handler) -> Rejection | None:
    do = command.do
    action = action_of(ask, do)
    return (
        unknown_action(ask, action)
        or handler.form(ask, do)
        or not_authorised(ask, do, action)
        or _table_not_ready(ask, handler)
        or _another_round(ask, command)
        or handler.guard(ask, do)
    )


class Reply(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The answer to a sender, and what has to be written down before it is given."""

    rejection: Rejection | None
    entries: tuple[Entry, ...]
    first: int
    last: int
    """The events the answer rests on, by their place in the table's history."""
    repeated: bool = False


def submit(rules: Rules, state: State, command: c.Command) -> Reply:
    """Decides a command once: a repeated number gets the first answer again and changes nothing."""
    fingerprint = fingerprint_of(command.do)
    if (repeat := _repeat(state, command, fingerprint)) is not None:
        return repeat
    outcome = decide(rules, state, command)
    cause = Cause(
        at_ms=command.at_ms,
        actor=command.actor,
        sender=command.sender,
        number=command.number,
        fingerprint=fingerprint,
        second=command.second,
    )
    rejection = None
    if isinstance(outcome, Rejection):
        rejection = outcome
        tag = str(type(command.do).__struct_config__.tag)
        outcome = (CommandRefused(command=tag, rejection=rejection),)
    entries = (
        (Entry(cause, outcome[0]),)
        if len(outcome) == 1
        else tuple([Entry(cause, event) for event in outcome])
    )
    before = state.sequence
    return Reply(rejection=rejection, entries=entries, first=before + 1, last=before + len(entries))


def _repeat(state: State, command: c.Command, fingerprint: str) -> Reply | None:
    answers = state.answers.get(command.sender)
    if not answers:
        return None
    known = answers.get(command.number)
    if known is not None:
        if known.fingerprint != fingerprint:
            sentence = f"Number {command.number} was used for another command; use a new one."
            return _unrecorded(state, refuse("number-reused", sentence, number=command.number))
        return Reply(rejection=known.rejection, entries=(), first=known.first, last=known.last, repeated=True)
    if len(answers) >= state.settings.answers_kept and command.number < next(iter(answers)):
        sentence = f"Number {command.number} is too old; use one above {next(reversed(answers))}."
        return _unrecorded(state, refuse("number-too-old", sentence, number=command.number))
    return None


def _unrecorded(state: State, rejection: Rejection) -> Reply:
    return Reply(rejection=rejection, entries=(), first=state.sequence, last=state.sequence)


def _table_not_ready(ask: Ask, handler: _Handler) -> Rejection | None:
    is_evidence = handler.is_evidence and ask.actor.position == WHEEL
    if ask.state.halted is not None and not (handler.when_halted or is_evidence):
        sentence = f"The table is halted: {ask.state.halted}. A shift manager has to resume it."
        return refuse("table-halted", sentence)
    if handler.needs_open and not ask.state.open:
        return refuse("table-closed", "The table is closed.")
    if ask.state.awaits_outcome and not (handler.when_awaiting or is_evidence):
        return refuse("outcome-awaited", "A pit supervisor has to state the outcome on the wheel first.")
    return None


def _another_round(ask: Ask, command: c.Command) -> Rejection | None:
    """Refuses what was on its way for so long that another round has begun."""
    meant, last = command.round, ask.state.round_number
    if meant is None or meant == last:
        return None
    sentence = f"This was meant for round {meant}, and the table is at round {last}."
    clause = betting.late_clause(ask.rules, command.do)
    return refuse("another-round", sentence, clause, meant=meant, round=last)


def _ask(rules: Rules, state: State, command: c.Command) -> Ask:
    return Ask(rules, state, command.at_ms, command.actor, command.second, command.voucher_days)


_encode: Final = msgspec.json.Encoder().encode
_blake2b: Final = hashlib.blake2b


def fingerprint_of(do: c.Do) -> str:
    """A mark of a command's content: a number that comes again has to come with the same."""
    return _blake2b(_encode(do), digest_size=8).hexdigest()


COMMANDS: Final = tuple(_HANDLERS)
"""Every kind of command a table takes."""

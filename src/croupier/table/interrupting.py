"""Technical interruptions: what recovery reports, and what a person has to state afterwards."""

from croupier.table import commands as c
from croupier.table.asking import Ask, refuse, unknown_result
from croupier.table.events import Event, OutcomeStated, ResultEntered, TableInterrupted
from croupier.table.rejections import Rejection
from croupier.table.settling import conclude, void
from croupier.table.state import BETTING, RESULTED

NO_OUTCOME, OUTCOME = "interruption-no-outcome", "interruption-outcome"


def form_interrupt(ask: Ask, do: c.Interrupt) -> Rejection | None:
    """Refuses an interruption that ends before it begins."""
    if do.began_ms > ask.at_ms:
        return refuse("bad-time", "The interruption would end before it began.", began_ms=do.began_ms)
    return None


def make_interrupt(ask: Ask, do: c.Interrupt) -> tuple[Event, ...]:
    """Records the interruption and does what the rules say for the phase the round was in."""
    return _interrupted(ask, do.began_ms, do.length_known)


def halt_over(ask: Ask, halted_ms: int) -> tuple[Event, ...]:
    """What follows from a halt for the round that it met: a halt is an interruption like any other.

    One that leaves the round running is not told of: the halt and its end are on record.
    """
    began_ms, length_known = min(halted_ms, ask.at_ms), halted_ms <= ask.at_ms
    consequence, _ = _consequence(ask, began_ms, length_known)
    return () if consequence in ("none", "continue") else _interrupted(ask, began_ms, length_known)


def _interrupted(ask: Ask, began_ms: int, length_known: bool) -> tuple[Event, ...]:
    round_ = ask.state.round
    consequence, cause = _consequence(ask, began_ms, length_known)
    interrupted = TableInterrupted(
        round=None if round_ is None else round_.number,
        phase="idle" if round_ is None else round_.phase,
        began_ms=began_ms,
        ended_ms=ask.at_ms,
        consequence=consequence,
        notice=ask.rules.notice("interrupted"),
        clause=None if cause is None else ask.rules.clause_of(cause),
        length_known=length_known,
    )
    if consequence == "void" and cause is not None:
        irregularity = ask.rules.book.irregularities[cause]
        return interrupted, *void(ask, cause, irregularity.title, irregularity.clause)
    return (interrupted,)


def _consequence(ask: Ask, began_ms: int, length_known: bool) -> tuple[str, str | None]:
    round_ = ask.state.round
    if round_ is None:
        return "none", None
    if round_.phase == RESULTED:
        return "conclude", OUTCOME
    if round_.phase == BETTING:
        is_short = ask.at_ms - began_ms < 1000 * ask.state.settings.grace_seconds
        return ("continue", None) if is_short and length_known else ("void", NO_OUTCOME)
    return "wait", None


def form_outcome(ask: Ask, do: c.StateOutcome) -> Rejection | None:
    """Refuses results that are not on the wheel."""
    return None if do.result is None else unknown_result(ask, do.result)


def guard_outcome(ask: Ask, do: c.StateOutcome) -> Rejection | None:
    """Refuses where nobody asked."""
    if not ask.state.awaits_outcome:
        return refuse("no-outcome-awaited", "No interruption waits for an outcome.")
    return None


def make_outcome(ask: Ask, do: c.StateOutcome) -> tuple[Event, ...]:
    """Concludes the round with the outcome that stands on the wheel, or voids it where there is none."""
    cause = NO_OUTCOME if do.result is None else OUTCOME
    irregularity = ask.rules.book.irregularities[cause]
    number = ask.round().number
    stated = OutcomeStated(round=number, result=do.result, clause=irregularity.clause)
    if do.result is None:
        return stated, *void(ask, cause, irregularity.title, irregularity.clause)
    entered = ResultEntered(
        round=number, result=do.result, said_by=ask.actor.position, clause=irregularity.clause
    )
    return stated, entered, *conclude(ask, do.result, irregularity.clause)

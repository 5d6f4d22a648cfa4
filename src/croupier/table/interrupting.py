"""Technical interruptions: detected by the server, declared by a person, or a halt; and what follows."""

from croupier.table import commands as c
from croupier.table.actors import holds
from croupier.table.asking import Ask, no_reason, refuse, unknown_result
from croupier.table.events import BetsClosed, Event, OutcomeStated, ResultEntered, TableInterrupted
from croupier.table.rejections import Rejection
from croupier.table.sensor import CONTRADICTED, needs_second, stand_of_sensor
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


def form_declare(ask: Ask, do: c.DeclareInterruption) -> Rejection | None:
    """Refuses where the reason is missing."""
    return no_reason(do.reason)


def guard_declare(ask: Ask, do: c.DeclareInterruption) -> Rejection | None:
    """Refuses without a round to interrupt, and while an outcome is awaited already."""
    if ask.state.round is None:
        return refuse("no-round", "No round is running that an interruption could affect.")
    return None


def make_declare(ask: Ask, do: c.DeclareInterruption) -> tuple[Event, ...]:
    """The same as for a detected interruption; whoever declares it says that the round cannot go on."""
    return _interrupted(ask, ask.at_ms, declared=do)


def halt_over(ask: Ask, halted_ms: int) -> tuple[Event, ...]:
    """What follows from a halt for the round that it met: a halt is an interruption like any other.

    If it leaves the round running, no event follows: the halt and its end are on record.
    """
    began_ms, length_known = min(halted_ms, ask.at_ms), halted_ms <= ask.at_ms
    consequence, _ = _consequence(ask, began_ms, length_known)
    return () if consequence in ("none", "continue") else _interrupted(ask, began_ms, length_known)


def close_for_spin(ask: Ask, *, has_begun: bool = False) -> tuple[Event, ...]:
    """Closes bets that are open while the ball rolls: when play stops, no more bets on that spin."""
    round_ = ask.state.round
    if round_ is None or round_.phase != BETTING or (round_.spin is None and not has_begun):
        return ()
    closed = BetsClosed(
        round=round_.number,
        closed_by="interruption",
        notice=ask.rules.notice("closed"),
        clause=ask.rules.book.notices["closed"].source,
        stakes_clause=ask.rules.cite("stakes-stand"),
    )
    return (closed,)


def _interrupted(
    ask: Ask, began_ms: int, length_known: bool = True, declared: c.DeclareInterruption | None = None
) -> tuple[Event, ...]:
    round_ = ask.state.round
    consequence, cause = _consequence(ask, began_ms, length_known, declared)
    interrupted = TableInterrupted(
        round=None if round_ is None else round_.number,
        phase="idle" if round_ is None else round_.phase,
        began_ms=began_ms,
        ended_ms=ask.at_ms,
        consequence=consequence,
        notice=ask.rules.notice("interrupted"),
        clause=None if cause is None else ask.rules.clause_of(cause),
        length_known=length_known,
        declared=None if declared is None else declared.reason,
        spun=declared is not None and declared.spun,
    )
    if consequence == "void" and cause is not None:
        irregularity = ask.rules.book.irregularities[cause]
        return interrupted, *void(ask, cause, irregularity.title, irregularity.clause)
    is_waiting = consequence == "wait"
    return interrupted, *(close_for_spin(ask, has_begun=True) if is_waiting else ())


def _consequence(
    ask: Ask, began_ms: int, length_known: bool, declared: c.DeclareInterruption | None = None
) -> tuple[str, str | None]:
    round_ = ask.state.round
    if round_ is None:
        return "none", None
    if round_.phase == RESULTED:
        return "conclude", OUTCOME
    if round_.spin is not None or ask.state.awaits_outcome or (declared is not None and declared.spun):
        return "wait", None
    is_short = ask.at_ms - began_ms < 1000 * ask.state.settings.grace_seconds
    if declared is None and is_short and length_known:
        return "continue", None
    return "void", NO_OUTCOME


def form_outcome(ask: Ask, do: c.StateOutcome) -> Rejection | None:
    """Refuses results that are not on the wheel."""
    return None if do.result is None else unknown_result(ask, do.result)


def guard_outcome(ask: Ask, do: c.StateOutcome) -> Rejection | None:
    """Refuses where no outcome is awaited, an outcome without a spin, and one against the sensor."""
    if not ask.state.awaits_outcome:
        return refuse("no-outcome-awaited", "No interruption waits for an outcome.")
    if do.result is not None and (found := _no_spin_on_record(ask, do)) is not None:
        return found
    return _disputed(ask, do.result)


def _no_spin_on_record(ask: Ask, do: c.StateOutcome) -> Rejection | None:
    spin = ask.round().spin
    if spin is not None and not spin.in_halt:
        return None
    if not do.spun:
        sentence = (
            "No spin of this round was on record when play stopped. State that the ball was spun, "
            "with a second person of at least pit manager, or that there is no outcome."
        )
        return refuse("no-spin-recorded", sentence, ask.rules.clause_of(NO_OUTCOME))
    return needs_second(ask, "state-outcome", "pit-manager")


def _disputed(ask: Ask, result: str | None) -> Rejection | None:
    sensed = ask.round().spin_sensed
    people = [person for person in (ask.actor, ask.second) if person is not None]
    if sensed in (None, result) or any(holds(person, "shift-manager") for person in people):
        return None
    stated = "no outcome" if result is None else result
    sentence = f"The sensor says {sensed}, not {stated}; the statement waits for a shift manager."
    return refuse("outcome-disputed", sentence, ask.rules.cite("result"), sensed=str(sensed), stated=stated)


def make_outcome(ask: Ask, do: c.StateOutcome) -> tuple[Event, ...]:
    """Concludes the round with the outcome that stands on the wheel, or voids it where there is none."""
    cause = NO_OUTCOME if do.result is None else OUTCOME
    irregularity = ask.rules.book.irregularities[cause]
    round_ = ask.round()
    spin = round_.spin
    stated = OutcomeStated(
        round=round_.number,
        result=do.result,
        clause=irregularity.clause,
        spun=do.result is not None and (spin is None or spin.in_halt),
        sensed=round_.spin_sensed,
    )
    if do.result is None:
        return stated, *void(ask, cause, irregularity.title, irregularity.clause)
    stand = stand_of_sensor(ask, do.result)
    entered = ResultEntered(
        round=round_.number,
        result=do.result,
        said_by=ask.actor.position,
        clause=irregularity.clause,
        sensor=stand if round_.spin_sensed is not None else None,
    )
    return (
        stated,
        entered,
        *conclude(ask, do.result, irregularity.clause, against_sensor=stand == CONTRADICTED),
    )

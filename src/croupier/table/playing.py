"""The round: opened, closed, spun, registered, confirmed, or void by an irregularity."""

from typing import Final

from croupier.rulebook.vocabulary import VOIDING
from croupier.table import commands as c
from croupier.table.actors import MACHINES, SYSTEM, WHEEL
from croupier.table.asking import Ask, no_reason, refuse, unknown_result
from croupier.table.correcting import guard_settled_round, void_settled
from croupier.table.events import (
    BetsClosed,
    ClosingWarned,
    Event,
    ResultEntered,
    RoundOpened,
    SpinFinished,
    SpinStarted,
)
from croupier.table.interrupting import NO_OUTCOME, close_for_spin
from croupier.table.rejections import Rejection, first_of
from croupier.table.running import round_running
from croupier.table.sensor import (
    AT_REST,
    CONTRADICTED,
    ROLLING,
    guard_late,
    late_round,
    make_late,
    sensor_objects,
    sensor_works,
    stand_of_sensor,
    wheel_faulted,
    wrong_round,
)
from croupier.table.settling import conclude, void
from croupier.table.state import BETTING, RESULTED, Round

_HAVE_COMMANDS: Final = ("no-spin", NO_OUTCOME)
"""Causes that are never declared: they have commands of their own, and authority of their own."""

DIRECTIONS: Final = ("clockwise", "counter-clockwise")


def no_round(ask: Ask) -> Rejection | None:
    """Refuses what needs a running round."""
    return refuse("no-round", "No round is running.") if ask.state.round is None else None


def guard_open(ask: Ask, do: c.OpenRound) -> Rejection | None:
    """Refuses while a round runs, and after the announced last one."""
    if (found := round_running(ask)) is not None:
        return found
    if ask.state.rounds_left == 0:
        return refuse("last-round-played", "The last round has been played; the table closes.")
    return None


def make_open(ask: Ask, do: c.OpenRound) -> tuple[Event, ...]:
    """Bets are open, and the betting time runs."""
    seconds = ask.state.settings.betting_seconds
    opened = RoundOpened(
        round=ask.state.round_number + 1,
        closes_ms=None if seconds is None else ask.at_ms + 1000 * seconds,
        notice=ask.rules.notice("open"),
        clause=ask.rules.book.notices["open"].source,
    )
    return (opened,)


def guard_warn(ask: Ask, do: c.WarnClosing) -> Rejection | None:
    """Refuses where no bets are open."""
    return no_round(ask) or _not_betting(ask)


def make_warn(ask: Ask, do: c.WarnClosing) -> tuple[Event, ...]:
    """Warns that bets close soon."""
    seconds = ask.state.settings.warning_seconds
    notice = ask.rules.notice("warning", seconds=seconds)
    return (ClosingWarned(round=ask.round().number, seconds=seconds, notice=notice),)


def guard_close(ask: Ask, do: c.CloseBets) -> Rejection | None:
    """Refuses where no bets are open."""
    return no_round(ask) or _not_betting(ask)


def make_close(ask: Ask, do: c.CloseBets) -> tuple[Event, ...]:
    """No more bets."""
    closed_by = {SYSTEM: "timer", WHEEL: "wheel"}.get(ask.actor.position, "dealer")
    return (_closed(ask, closed_by),)


def _closed(ask: Ask, closed_by: str) -> Event:
    return BetsClosed(
        round=ask.round().number,
        closed_by=closed_by,
        notice=ask.rules.notice("closed"),
        clause=ask.rules.book.notices["closed"].source,
        stakes_clause=ask.rules.cite("stakes-stand"),
    )


def _not_betting(ask: Ask) -> Rejection | None:
    round_ = ask.round()
    if round_.phase != BETTING:
        return refuse("bets-closed", "Bets are closed already.", round=round_.number)
    return None


def form_start(ask: Ask, do: c.StartSpin) -> Rejection | None:
    """Refuses directions that are none, and a ball where there is no ball."""
    if any(direction not in (None, *DIRECTIONS) for direction in (do.ball, do.wheel)):
        return refuse("bad-spin", "A direction is clockwise or counter-clockwise.")
    if do.ball is not None and ask.rules.book.wheel.kind != "ball":
        return refuse("bad-spin", "This wheel has no ball.")
    return _bad_speed(do.rotor_tenths_rpm)


def _bad_speed(tenths_rpm: int | None) -> Rejection | None:
    if tenths_rpm is not None and tenths_rpm < 0:
        sentence = "A wheel's speed has no sign; its direction is told apart from it."
        return refuse("bad-spin", sentence, rotor_tenths_rpm=tenths_rpm)
    return None


def guard_start(ask: Ask, do: c.StartSpin) -> Rejection | None:
    """Refuses a second spin, one before the close where bets close first, and what a faulty wheel saw."""
    if (found := no_round(ask)) is not None:
        return found
    round_ = ask.round()
    spin = round_.spin
    # What a sensor sees during a halt is evidence: no more bets are taken on that ball.
    if round_.phase == BETTING and ask.rules.closes_before_spin and ask.state.halted is None:
        sentence = "Close the bets before the ball is spun."
        return refuse("bets-open", sentence, ask.rules.book.bets_close.source, round=round_.number)
    if spin is None:
        return None if _wrong_launch(ask, do) is None else wheel_faulted(ask, spin)
    # Where a person said first that the spin has begun, the wheel still says what it saw of it. Behind the
    # spin's end, or a result, it is another spin that begins.
    is_over = round_.phase == RESULTED or spin.finished_by is not None
    if ask.actor.position != WHEEL or spin.started_by == WHEEL or is_over:
        return refuse("ball-rolling", "The spin of this round has begun already.", round=round_.number)
    return wheel_faulted(ask, spin)


def _wrong_launch(ask: Ask, do: c.StartSpin) -> str | None:
    """Why a spin does not count by what was seen of its beginning; None where it does."""
    if do.wheel_turning is False and "wheel-still" in ask.rules.book.irregularities:
        return "wheel-still"
    same = do.ball is not None and do.ball == do.wheel
    return "same-direction" if same and ask.rules.book.wheel.opposite_direction else None


def make_start(ask: Ask, do: c.StartSpin) -> tuple[Event, ...]:
    """The spin has begun; a wrong one voids the round at once."""
    started = SpinStarted(
        round=ask.round().number,
        ball=do.ball,
        wheel=do.wheel,
        wheel_turning=do.wheel_turning,
        rotor_tenths_rpm=do.rotor_tenths_rpm,
        said_by=ask.actor.position,
        notice=ask.rules.notice("spinning"),
        clause=ask.rules.book.wheel.clause,
    )
    cause = _wrong_launch(ask, do)
    if cause is not None:
        return started, *_void_by_rule(ask, cause, ROLLING)
    return started, *(() if ask.state.halted is None else close_for_spin(ask, has_begun=True))


def form_finish(ask: Ask, do: c.FinishSpin) -> Rejection | None:
    """Refuses a pocket that is not on the wheel, revolutions below none, and a deflector that is not."""
    spin = _bad_speed(do.rotor_tenths_rpm)
    if do.revolutions is not None and do.revolutions < 0:
        spin = refuse("bad-spin", "Revolutions are counted from 0 up.", revolutions=do.revolutions)
    elif do.pocket is not None and not do.at_rest:
        spin = refuse("bad-spin", "What rests in no compartment has no pocket.", pocket=do.pocket)
    elif do.diamond is not None and (do.diamond < 1 or ask.rules.book.wheel.kind != "ball"):
        spin = refuse("bad-spin", "Deflectors are counted from 1, where a ball rolls.", diamond=do.diamond)
    return first_of(None if do.pocket is None else unknown_result(ask, do.pocket), spin)


def guard_finish(ask: Ask, do: c.FinishSpin) -> Rejection | None:
    """Refuses where nothing spins, where the spin is over, and what a wheel with a fault saw of its end.

    While a sensor watches the spin, no person ends it. What the wheel reports of a round that is over is
    evidence.
    """
    if (late := late_round(ask, do)) is not None:
        return guard_late(ask, late, do.pocket is not None or _not_counting(ask, do) is not None)
    if (found := wrong_round(ask, do)) is not None:
        return found
    if (found := no_round(ask) or _no_spin(ask)) is not None:
        return found
    round_ = ask.round()
    if ask.actor.position not in MACHINES and round_.spin is not None and sensor_works(ask, round_.spin):
        sentence = "The wheel's sensor works: it says when the spin is over, and how."
        return refuse("sensor-decides", sentence, ask.rules.cite("result"), round=round_.number)
    # A sensor may be slower than people: what it saw is wanted until a result is confirmed.
    told_by = None if round_.spin is None else round_.spin.finished_by
    is_news = ask.actor.position == WHEEL and told_by != WHEEL
    says_much = do.pocket is not None or _not_counting(ask, do) is not None
    if not (is_news and says_much if round_.phase == RESULTED else is_news or told_by is None):
        return refuse("spin-finished", "The spin of this round is over already.", round=round_.number)
    return wheel_faulted(ask, round_.spin) if says_much else None


def _not_counting(ask: Ask, do: c.FinishSpin) -> str | None:
    """Why a spin does not count by what was seen of its end; None where it does."""
    if do.revolutions is not None and do.revolutions < ask.rules.book.wheel.revolutions:
        return "too-few-revolutions"
    return None if do.at_rest else "no-compartment"


def make_finish(ask: Ask, do: c.FinishSpin) -> tuple[Event, ...]:
    """The spin is over: bets close if they were open, and a spin that does not count voids the round."""
    cause = _not_counting(ask, do)
    if (late := late_round(ask, do)) is not None:
        return make_late(ask, late, do, cause)
    round_ = ask.round()
    finished = SpinFinished(
        round=round_.number,
        revolutions=do.revolutions,
        pocket=do.pocket,
        at_rest=do.at_rest,
        rotor_tenths_rpm=do.rotor_tenths_rpm,
        diamond=do.diamond,
        said_by=ask.actor.position,
        clause=ask.rules.book.wheel.clause,
    )
    closed = (_closed(ask, "wheel"),) if round_.phase == BETTING else ()
    return (*closed, finished) if cause is None else (*closed, finished, *_void_by_rule(ask, cause, AT_REST))


def _void_by_rule(ask: Ask, cause: str, wheel: str) -> tuple[Event, ...]:
    irregularity = ask.rules.book.irregularities[cause]
    return void(ask, cause, irregularity.title, irregularity.clause, wheel=wheel)


def _no_spin(ask: Ask) -> Rejection | None:
    round_ = ask.round()
    if round_.spin is None:
        return refuse(
            "no-spin-yet",
            "The spin of this round has not begun.",
            ask.rules.cite("valid-spin"),
            round=round_.number,
        )
    return None


def form_result(ask: Ask, do: c.EnterResult | c.ConfirmResult) -> Rejection | None:
    """Refuses results that are not on the wheel."""
    return unknown_result(ask, do.result)


def guard_enter(ask: Ask, do: c.EnterResult) -> Rejection | None:
    """Refuses a result without a spin, with open bets, a second one, a faulty wheel's, a contradicted one."""
    if (found := no_round(ask)) is not None:
        return found
    round_ = ask.round()
    if round_.phase == BETTING:
        return refuse("bets-open", "Bets are still open.", ask.rules.cite("result"), round=round_.number)
    if (found := _no_spin(ask)) is not None:
        return found
    if round_.phase == RESULTED:
        sentence = f"{round_.result} is registered already; correct it if it is wrong."
        return refuse("result-entered", sentence, ask.rules.clause_of("wrong-result"), round=round_.number)
    return wheel_faulted(ask, round_.spin) or sensor_objects(ask, do.result)


def make_enter(ask: Ask, do: c.EnterResult) -> tuple[Event, ...]:
    """Registers the result."""
    entered = ResultEntered(
        round=ask.round().number,
        result=do.result,
        said_by=ask.actor.position,
        clause=ask.rules.cite("result") or ask.rules.book.wheel.clause,
        sensor=stand_of_sensor(ask, do.result),
    )
    return (entered,)


def guard_confirm(ask: Ask, do: c.ConfirmResult) -> Rejection | None:
    """Refuses where nothing is registered, or something else, or what the sensor has contradicted since."""
    if (found := no_round(ask)) is not None:
        return found
    round_ = ask.round()
    if round_.phase != RESULTED:
        return refuse(
            "no-result",
            "No result is registered for this round.",
            ask.rules.cite("result"),
            round=round_.number,
        )
    if do.result != round_.result:
        sentence = f"{round_.result} is registered, not {do.result}; correct it if it is wrong."
        return refuse("result-differs", sentence, registered=str(round_.result), confirmed=do.result)
    # Two people registered a result against the sensor. If it reported only afterwards, they have not
    # overruled it yet, and have to do so now.
    return sensor_objects(ask, do.result) if round_.spin is not None and round_.spin.late else None


def make_confirm(ask: Ask, do: c.ConfirmResult) -> tuple[Event, ...]:
    """The result counts and the round is settled."""
    stand, clause = stand_of_sensor(ask, do.result), ask.rules.book.notices["result"].source
    return conclude(ask, do.result, clause, against_sensor=stand == CONTRADICTED)


def form_no_spin(ask: Ask, do: c.CallNoSpin) -> Rejection | None:
    """Refuses where the reason is missing."""
    return no_reason(do.reason)


def guard_no_spin(ask: Ask, do: c.CallNoSpin) -> Rejection | None:
    """Refuses where no round runs."""
    return no_round(ask)


def make_no_spin(ask: Ask, do: c.CallNoSpin) -> tuple[Event, ...]:
    """The round is void whatever the ball does."""
    clause = ask.rules.book.irregularities["no-spin"].clause
    return void(ask, "no-spin", do.reason, clause, step="no-spin")


def form_irregularity(ask: Ask, do: c.DeclareIrregularity) -> Rejection | None:
    """Refuses causes that the book does not list or that nobody declares, and rounds that were not."""
    irregularity = ask.rules.irregularity(do.cause)
    if irregularity is None or irregularity.consequence not in VOIDING or do.cause in _HAVE_COMMANDS:
        return refuse(
            "unknown-cause", f"{do.cause!r} is not an irregularity that voids a round here.", cause=do.cause
        )
    for number in do.rounds:
        if not 1 <= number <= ask.state.round_number:
            return refuse("unknown-round", f"There was no round {number}.", round=number)
    return None


def guard_irregularity(ask: Ask, do: c.DeclareIrregularity) -> Rejection | None:
    """Refuses what cannot have happened yet, and settled rounds if the book lets them stand."""
    irregularity = ask.rules.book.irregularities[do.cause]
    running, settled = _meant(ask, do)
    if running is None and not settled:
        return refuse("no-round", "No round is running.", irregularity.clause)
    if running is not None:
        if irregularity.since == "close" and running.phase == BETTING:
            return refuse("bets-open", "Bets are still open.", irregularity.clause, round=running.number)
        if irregularity.since == "spin" and running.spin is None:
            sentence = "The spin of this round has not begun."
            return refuse("no-spin-yet", sentence, irregularity.clause, round=running.number)
    stand = settled and ask.rules.settled_stand and irregularity.consequence != "void-affected-rounds"
    return first_of(
        *(guard_settled_round(ask, number) for number in settled),
        refuse("not-affected", "Settled rounds stand.", ask.rules.settled_clause, round=settled[0])
        if stand
        else None,
    )


def _meant(ask: Ask, do: c.DeclareIrregularity) -> tuple[Round | None, tuple[int, ...]]:
    """The running round, if it is named or no round is, and the settled rounds that are named."""
    running = ask.state.round
    named = tuple(dict.fromkeys(do.rounds))
    if running is None or (named and running.number not in named):
        return None, named
    return running, tuple(number for number in named if number != running.number)


def make_irregularity(ask: Ask, do: c.DeclareIrregularity) -> tuple[Event, ...]:
    """Voids the rounds that are named, and no other."""
    irregularity = ask.rules.book.irregularities[do.cause]
    reason = f"{irregularity.title}: {do.note}" if do.note.strip() else irregularity.title
    running, settled = _meant(ask, do)
    named = tuple(dict.fromkeys(do.rounds))
    returned: tuple[Event, ...] = ()
    ended: tuple[Event, ...] = ()
    if running is not None:
        # Stakes that come back are credits an earlier round can be taken from, so they come back first.
        *returned_stakes, voided = void(ask, do.cause, reason, irregularity.clause, named=named)
        returned, ended = tuple(returned_stakes), (voided,)
        for event in returned:
            ask.note(event)
    corrected: tuple[Event, ...] = ()
    if settled:
        corrected = void_settled(ask, settled, do.cause, reason, irregularity.clause, named)
    return returned + corrected + ended

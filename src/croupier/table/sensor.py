"""The wheel's sensor: what it reports, and what people may do without it or against it."""

from croupier.table import commands as c
from croupier.table.actors import WHEEL, holds
from croupier.table.asking import Ask, no_reason, refuse
from croupier.table.events import Event, ResultUpheld, SpinReportedLate, WheelReported
from croupier.table.rejections import Rejection
from croupier.table.state import RESULTED, SETTLED, Round, Spin
from croupier.table.wheel_faults import WHEEL_FAULTS

AGREED, CONTRADICTED, FAILED, ROLLING = "agreed", "contradicted", "failed", "rolling"
"""How the sensor stands to a result that somebody registers."""

NOT_SPUN, AT_REST = "not-spun", "at-rest"
"""Where the ball or the wheel was when a round became void; `ROLLING` is the third."""


def form_report(ask: Ask, do: c.ReportWheel) -> Rejection | None:
    """Refuses faults that have no code."""
    if do.fault is not None and do.fault not in WHEEL_FAULTS:
        return refuse("unknown-fault", f"A wheel has no fault {do.fault!r}.", fault=do.fault)
    return None


def guard_report(ask: Ask, do: c.ReportWheel) -> Rejection | None:
    """Refuses a repeated report, so that the record has one line for each change."""
    if do.fault == ask.state.wheel_fault:
        said = "has no fault" if do.fault is None else f"has the fault {do.fault}"
        return refuse("same-report", f"The wheel {said} already; report what changes.")
    return None


def make_report(ask: Ask, do: c.ReportWheel) -> tuple[Event, ...]:
    """Records the fault, or that it is gone."""
    running = ask.state.round
    return (
        WheelReported(round=None if running is None else running.number, fault=do.fault, detail=do.detail),
    )


def wheel_faulted(ask: Ask, spin: Spin | None) -> Rejection | None:
    """Refuses a wheel's own result if it has a fault, or had one during the spin."""
    if ask.actor.position != WHEEL:
        return None
    fault = ask.state.wheel_fault
    if fault is not None:
        sentence = f"The wheel has the fault {fault}; people have to state the result."
        return refuse("wheel-fault", sentence, fault=fault)
    if spin is not None and spin.faulted:
        sentence = "The wheel had a fault during this spin; people have to state the result."
        return refuse("wheel-fault", sentence)
    return None


def sensor_works(ask: Ask, spin: Spin) -> bool:
    """Whether a sensor watches this spin, without a fault so far."""
    return spin.started_by == WHEEL and ask.state.wheel_fault is None and not spin.faulted


def stand_of_sensor(ask: Ask, result: str) -> str | None:
    """How the sensor stands to a result of the running round; None if the table has no sensor."""
    spin = ask.round().spin
    if spin is None:
        return None
    if spin.sensed is not None:
        return AGREED if spin.sensed == result else CONTRADICTED
    has_sensor = ask.state.settings.spin_source != "hand" or spin.started_by == WHEEL
    if not has_sensor:
        return None
    # A sensor that did not see the launch, or tells of the end without a number, gives no result.
    is_rolling = sensor_works(ask, spin) and spin.finished_by != WHEEL
    return ROLLING if is_rolling else FAILED


def sensor_objects(ask: Ask, result: str) -> Rejection | None:
    """Refuses a result before the ball rests; without the sensor or against it, it takes two people."""
    stand = stand_of_sensor(ask, result)
    if stand in (None, AGREED):
        return None
    clause = ask.rules.cite("result")
    number = ask.round().number
    if stand == ROLLING:
        sentence = "The sensor has not seen the spin end; wait until the ball or the wheel rests."
        return refuse("not-at-rest", sentence, clause, round=number)
    sensed = ask.round().spin_sensed
    people = [person for person in (ask.actor, ask.second) if person is not None]
    if not any(holds(person, "pit-supervisor") for person in people):
        if stand == FAILED:
            sentence = (
                "The wheel's sensor gives no result for this spin; a pit supervisor and a second "
                "person have to read the wheel."
            )
            return refuse("sensor-failed", sentence, clause, entered=result)
        sentence = (
            f"The wheel's sensor says {sensed}, not {result}; a pit supervisor and a second person "
            "have to read the wheel."
        )
        wrong = ask.rules.clause_of("wrong-result")
        return refuse("result-disagrees", sentence, wrong, sensed=str(sensed), entered=result)
    return needs_second(ask, "enter-result")


def needs_second(ask: Ask, action: str, position: str = "dealer") -> Rejection | None:
    """Refuses an act of one person; the second is another employee, of at least that position."""
    second = ask.second
    if second is not None and second.id != ask.actor.id and holds(second, position):
        return None
    rank = "" if position == "dealer" else f", of at least {position.replace('-', ' ')}"
    sentence = f"This takes two people; a second one{rank} has to authorise it."
    return refuse("second-person", sentence, None, action=action, position=position)


def sensor_denies(spin: Spin | None, cause: str) -> bool:
    """Whether the sensor saw that an irregularity did not happen in this spin."""
    if spin is None or spin.faulted:
        return False
    has_landed = spin.sensed is not None
    match cause:
        case "too-few-revolutions" | "no-compartment" | "ball-out" | "ball-dropped" | "wheel-stopped":
            return has_landed
        case "interruption-no-outcome":  # somebody states that there is none
            return has_landed
        case "same-direction":
            known = spin.ball is not None and spin.wheel is not None
            return spin.started_by == WHEEL and known and spin.ball != spin.wheel
        case "wheel-still":
            return spin.started_by == WHEEL and spin.wheel_turning is True
    return False  # no sensor sees a foreign object, a hand or a broken ball


def wheel_state(round_: Round) -> str:
    """Where the ball or the wheel is, as far as it is on record."""
    if round_.spin is None:
        return NOT_SPUN
    is_over = round_.phase == RESULTED or round_.spin.finished_by is not None
    return AT_REST if is_over else ROLLING


def late_round(ask: Ask, do: c.FinishSpin) -> Round | None:
    """The round that is over and whose spin the sensor reports only now."""
    running = ask.state.round
    latest = ask.state.round_number if running is None else running.number
    number = latest if do.round is None else do.round
    if ask.actor.position != WHEEL or (running is not None and running.number == number):
        return None
    return ask.state.kept.get(number)


def wrong_round(ask: Ask, do: c.FinishSpin) -> Rejection | None:
    """Refuses a report that names a round which neither runs nor is kept: it is no report of another one."""
    latest = ask.state.round_number
    if do.round is None or ask.state.round is None or do.round == latest:
        return None
    sentence = f"This was meant for round {do.round}, and the table is at round {latest}."
    return refuse("another-round", sentence, meant=do.round, round=latest)


def guard_late(ask: Ask, round_: Round, says_much: bool) -> Rejection | None:
    """Refuses a second report of a spin, and one that says nothing."""
    spin = round_.spin
    if spin is None:
        return refuse("no-spin-yet", f"Round {round_.number} had no spin.", round=round_.number)
    if spin.finished_by == WHEEL or not says_much:
        return refuse("spin-finished", f"The spin of round {round_.number} is over.", round=round_.number)
    return wheel_faulted(ask, spin)


def make_late(ask: Ask, round_: Round, do: c.FinishSpin, cause: str | None) -> tuple[Event, ...]:
    """Keeps a late report as evidence; one that contradicts the record raises an alarm."""
    if round_.phase == SETTLED:
        disagrees = cause is not None or do.pocket != round_.result
    else:
        seen = Spin(ball=None, wheel=None, wheel_turning=None, started_by=WHEEL, finished_by=WHEEL)
        seen.pocket = do.pocket if cause is None else None
        disagrees = round_.cause is not None and sensor_denies(seen, round_.cause)
    late = SpinReportedLate(
        round=round_.number,
        revolutions=do.revolutions,
        pocket=do.pocket,
        at_rest=do.at_rest,
        registered=round_.result,
        disagrees=disagrees,
        irregularity=cause,
        clause=ask.rules.cite("result") or ask.rules.book.wheel.clause,
    )
    return (late,)


def form_uphold(ask: Ask, do: c.UpholdResult) -> Rejection | None:
    """Refuses where the reason is missing."""
    return no_reason(do.reason)


def guard_uphold(ask: Ask, do: c.UpholdResult) -> Rejection | None:
    """Refuses if no sensor contradicts the round."""
    if do.round not in ask.state.disputes:
        sentence = f"No sensor contradicts the result of round {do.round}."
        return refuse("no-dispute", sentence, round=do.round)
    return None


def make_uphold(ask: Ask, do: c.UpholdResult) -> tuple[Event, ...]:
    """The registered result stands against the sensor."""
    dispute = ask.state.disputes[do.round]
    upheld = ResultUpheld(
        round=do.round,
        result=dispute.registered,
        sensed=dispute.sensed,
        reason=do.reason,
        clause=ask.rules.cite("result") or ask.rules.book.wheel.clause,
    )
    return (upheld,)

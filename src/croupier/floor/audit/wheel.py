"""What is said of a wheel, audited: faults, launches, commitments, and that no faulty wheel gives results."""

from typing import Final

from croupier.floor.audit.books import Books, RoundBooks, refuse
from croupier.floor.audit.people import check_signed
from croupier.table import events as e
from croupier.table.actors import WHEEL
from croupier.table.wheel_faults import WHEEL_FAULTS

DIRECTIONS: Final = ("clockwise", "counter-clockwise")


def wheel_reported(books: Books, cause: e.Cause, event: e.WheelReported) -> None:
    """A report changes something, and a fault taints the spin that it falls into."""
    round_ = books.round
    if event.round != (None if round_ is None else round_.number):
        refuse(f"it is reported in round {event.round}, which does not run")
    if event.fault is not None and event.fault not in WHEEL_FAULTS:
        refuse(f"a wheel has no fault {event.fault!r}")
    if event.fault == books.wheel_fault:
        refuse(f"the wheel's fault is {event.fault} already")
    books.wheel_fault = event.fault
    if round_ is None or round_.spun_by is None or event.fault is None:
        return
    if round_.spin_ended_by != WHEEL:
        round_.faulted = True


AGREED, CONTRADICTED, FAILED, ROLLING = "agreed", "contradicted", "failed", "rolling"


def stand_of_sensor(books: Books, round_: RoundBooks, result: str) -> str | None:
    """How the sensor stands to a result: it may agree, contradict, have failed, or still see the spin."""
    if round_.sensed is not None:
        return AGREED if round_.sensed == result else CONTRADICTED
    if books.settings.spin_source == "hand" and round_.spun_by != WHEEL:
        return None
    return ROLLING if sees_spin(books, round_) and round_.spin_ended_by != WHEEL else FAILED


def sees_spin(books: Books, round_: RoundBooks) -> bool:
    """Whether a sensor watches the spin, without a fault so far."""
    return round_.spun_by == WHEEL and books.wheel_fault is None and not round_.faulted


def check_sensor(books: Books, round_: RoundBooks, result: str, cause: e.Cause) -> str | None:
    """Finds a result before the ball rests, and one that one person registers against the sensor."""
    stand = stand_of_sensor(books, round_, result)
    if stand == ROLLING:
        refuse(f"{result} of round {round_.number} is registered before the sensor saw the ball rest")
    if stand == FAILED:
        check_signed(cause, "pit-supervisor", f"{result} without the sensor")
    if stand == CONTRADICTED:
        check_signed(cause, "pit-supervisor", f"{result} against the sensor's {round_.sensed}")
    return stand


_DENIED_BY_REST: Final = frozenset(
    {
        "too-few-revolutions",
        "no-compartment",
        "ball-out",
        "ball-dropped",
        "wheel-stopped",
        "interruption-no-outcome",
    }
)


def is_denied(round_: RoundBooks, cause: str) -> bool:
    """Whether what the sensor saw of a spin contradicts the cause for which its round is void."""
    if round_.faulted:
        return False
    if cause == "same-direction":
        return round_.is_opposed is True
    if cause == "wheel-still":
        return round_.is_turning is True
    return cause in _DENIED_BY_REST and round_.sensed is not None


def wheel_state(round_: RoundBooks) -> str:
    """Where the ball or the wheel is, by the record."""
    if round_.spun_by is None:
        return "not-spun"
    return ROLLING if round_.entered is None and round_.spin_ended_by is None else "at-rest"


def spin_reported_late(books: Books, cause: e.Cause, event: e.SpinReportedLate) -> None:
    """What the wheel says of a round that is over is evidence, once; a contradiction is told as one."""
    kept = books.kept.get(event.round)
    if kept is None or kept.spun_by is None or kept.spin_ended_by == WHEEL:
        refuse(f"the wheel cannot report the spin of round {event.round} any more")
    check_sound(books, kept, WHEEL, "a late report of it")
    few = event.revolutions is not None and event.revolutions < books.book.wheel.revolutions
    why = "too-few-revolutions" if few else None if event.at_rest else "no-compartment"
    if event.irregularity != why:
        refuse(f"by what the wheel saw the irregularity is {why}, and it says {event.irregularity}")
    if event.registered != kept.entered:
        refuse(f"it says that {event.registered} is registered, and {kept.entered} is")
    if event.pocket is not None:
        books.result(event.pocket)
    kept.spin_ended_by, kept.sensed = WHEEL, event.pocket if why is None else None
    if kept.voided:
        # Of the launch it says nothing: whoever declared that against the sensor has signed for it.
        disagrees = kept.sensed is not None and kept.void_cause in _DENIED_BY_REST
    else:
        disagrees = why is not None or event.pocket != kept.entered
    if event.disagrees is not disagrees:
        refuse(f"the late report {'contradicts' if disagrees else 'agrees with'} the record")
    if disagrees:
        books.disputes[event.round] = (event.registered, None if why else event.pocket)


def result_upheld(books: Books, cause: e.Cause, event: e.ResultUpheld) -> None:
    """A result is upheld that the sensor contradicts."""
    if books.disputes.pop(event.round, None) != (event.result, event.sensed):
        refuse(f"the sensor does not contradict {event.result} of round {event.round} with {event.sensed}")


def check_launch(books: Books, event: e.SpinStarted) -> None:
    """Finds a launch that nobody can have seen: in no direction, or of a ball on a wheel that has none."""
    for direction in (event.ball, event.wheel):
        if direction not in (None, *DIRECTIONS):
            refuse(f"nothing spins {direction!r}")
    if event.ball is not None and books.book.wheel.kind != "ball":
        refuse("this wheel has no ball, and one is said to have been spun")
    if event.rotor_tenths_rpm is not None and event.rotor_tenths_rpm < 0:
        refuse("a wheel turns at less than nothing")


def check_sound(books: Books, round_: RoundBooks, said_by: str, what: str) -> None:
    """Finds that something counts which a faulty wheel said."""
    if said_by == WHEEL and (books.wheel_fault is not None or round_.faulted):
        refuse(f"the wheel had a fault in round {round_.number}, and {what} is taken")


def spin_committed(books: Books, cause: e.Cause, event: e.SpinCommitted) -> None:
    """A spin is committed once, while bets are open."""
    round_ = books.running(event.round)
    if not round_.betting or round_.commitment is not None:
        refuse(f"the spin of round {event.round} cannot be committed here")
    round_.commitment = event.commitment


def commitment_opened(books: Books, cause: e.Cause, event: e.CommitmentOpened) -> None:
    """A commitment is opened once, when its round is over."""
    kept = books.kept.get(event.round)
    if kept is None or kept.commitment is None or kept.opened:
        refuse(f"round {event.round} has no commitment that can be opened here")
    kept.opened = True

"""What is said of a wheel, audited: faults, launches, commitments, and that no faulty wheel gives results."""

from typing import Final

from croupier.floor.audit.books import Books, RoundBooks, refuse
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
    # To earlier versions the spin was over when a person had said so.
    if round_.spin_ended_by is None or (books.is_newer and round_.spin_ended_by != WHEEL):
        round_.faulted = True


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

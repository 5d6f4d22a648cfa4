"""What a wheel says of itself; while it has a fault its own result is not taken."""

from croupier.table import commands as c
from croupier.table.actors import WHEEL
from croupier.table.asking import Ask, refuse
from croupier.table.events import Event, WheelReported
from croupier.table.rejections import Rejection
from croupier.table.wheel_faults import WHEEL_FAULTS


def form_report(ask: Ask, do: c.ReportWheel) -> Rejection | None:
    """Refuses faults that nobody has a word for."""
    if do.fault is not None and do.fault not in WHEEL_FAULTS:
        return refuse("unknown-fault", f"A wheel has no fault {do.fault!r}.", fault=do.fault)
    return None


def guard_report(ask: Ask, do: c.ReportWheel) -> Rejection | None:
    """Refuses what was the last report already, so that the record has a line for each change and no more."""
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


def wheel_faulted(ask: Ask) -> Rejection | None:
    """Refuses a wheel's own result where it has a fault, or had one during the spin."""
    if ask.actor.position != WHEEL:
        return None
    fault, spin = ask.state.wheel_fault, ask.round().spin
    if fault is not None:
        sentence = f"The wheel has the fault {fault}; the dealer has to state the result."
        return refuse("wheel-fault", sentence, fault=fault)
    if spin is not None and spin.faulted:
        sentence = "The wheel had a fault during this spin; the dealer has to state the result."
        return refuse("wheel-fault", sentence)
    return None

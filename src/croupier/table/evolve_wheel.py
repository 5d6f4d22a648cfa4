"""What a wheel's own events change at the table."""

from croupier.table import events as e
from croupier.table.actors import WHEEL
from croupier.table.rules import Rules
from croupier.table.state import State


def wheel_reported(rules: Rules, state: State, event: e.WheelReported) -> None:
    """A fault taints the spin that it falls into, until the wheel has told of its end."""
    state.wheel_fault = event.fault
    spin = None if state.round is None else state.round.spin
    if spin is not None and event.fault is not None and spin.finished_by != WHEEL:
        spin.faulted = True


def spin_committed(rules: Rules, state: State, event: e.SpinCommitted) -> None:
    """The commitment stays with its round."""
    if state.round is not None:
        state.round.commitment = event.commitment


def commitment_opened(rules: Rules, state: State, event: e.CommitmentOpened) -> None:
    """So does the opening, as long as the round is kept."""
    state.kept[event.round].opening = event.opening

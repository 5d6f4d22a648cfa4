"""What calls for an attendant change at the table."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from croupier.table import events as e
from croupier.table.rules import Rules
from croupier.table.state import Call, State


def attendant_called(rules: Rules, state: State, event: e.AttendantCalled) -> None:
    """The call stays with the seat until somebody has come."""
    state.seats[event.seat].call = Call(reason=event.reason, since_ms=event.since_ms)


def call_ended(rules: Rules, state: State, event: e.CallEnded) -> None:
    """Nobody waits at the seat any more."""
    state.seats[event.seat].call = None


CALLS: Final[Mapping[type, Callable[[Rules, State, Any], None]]] = {
    e.AttendantCalled: attendant_called,
    e.CallEnded: call_ended,
}
"""What each of these events changes."""

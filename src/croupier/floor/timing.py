"""What time asks of a table: the warning before bets close, and the close."""

from typing import NamedTuple

from croupier.table import Do, State
from croupier.table.commands import CloseBets, WarnClosing
from croupier.table.state import BETTING


class Due(NamedTuple):
    """Something to do at a certain time."""

    at_ms: int
    round: int
    do: Do


def next_due(state: State) -> Due | None:
    """What the running round needs next by the clock, if anything."""
    round_ = state.round
    if state.halted is not None or round_ is None or round_.phase != BETTING or round_.closes_ms is None:
        return None
    if not round_.warned and state.settings.warning_seconds:
        return Due(round_.closes_ms - 1000 * state.settings.warning_seconds, round_.number, WarnClosing())
    return Due(round_.closes_ms, round_.number, CloseBets())

"""The table itself: opened, closed, halted, resumed, and its limits."""

from typing import Final

from croupier.table import commands as c
from croupier.table.asking import Ask, no_reason, refuse
from croupier.table.events import (
    Event,
    LastRoundAnnounced,
    LimitsChanged,
    TableClosed,
    TableHalted,
    TableOpened,
    TableResumed,
)
from croupier.table.interrupting import close_for_spin, halt_over
from croupier.table.rejections import Rejection
from croupier.table.settings import limits_faults
from croupier.table.state import BETTING

MOST_TOLD: Final = 3
"""So many faults of limits stand in one refusal: a whole layout without limits has more than a hundred."""


def round_running(ask: Ask) -> Rejection | None:
    """Refuses what has to wait for the end of the round."""
    if ask.state.round is not None:
        number = ask.state.round.number
        return refuse("round-running", f"Round {number} is running; wait until it is over.", round=number)
    return None


def guard_open(ask: Ask, do: c.OpenTable) -> Rejection | None:
    """Refuses to open an open table."""
    return refuse("table-open", "The table is open already.") if ask.state.open else None


def make_open(ask: Ask, do: c.OpenTable) -> tuple[Event, ...]:
    """Opens the table and shows its limits."""
    return (TableOpened(limits=ask.state.limits, clause=ask.rules.cite("limits")),)


def guard_last_round(ask: Ask, do: c.AnnounceLastRound) -> Rejection | None:
    """Refuses to announce it twice."""
    if ask.state.rounds_left is not None:
        return refuse("last-round-announced", "The last round is announced already.")
    return None


def make_last_round(ask: Ask, do: c.AnnounceLastRound) -> tuple[Event, ...]:
    """The round whose bets are open is the last, or else the one that comes next."""
    betting = ask.state.round is not None and ask.state.round.phase == BETTING
    return (LastRoundAnnounced(rounds_left=0 if betting else 1, notice=ask.rules.notice("last-round")),)


def guard_close(ask: Ask, do: c.CloseTable) -> Rejection | None:
    """Refuses while a round runs, and while players have not had their last round."""
    if (found := round_running(ask)) is not None:
        return found
    if ask.state.rounds_left is None:
        return refuse("no-last-round-notice", "Announce the last round first; players have to be told.")
    has_credits = any(ask.state.credits_cents(seat) for seat in ask.state.seats)
    if ask.state.rounds_left and has_credits:
        return refuse("last-round-not-played", "The announced last round has not been played yet.")
    return None


def make_close(ask: Ask, do: c.CloseTable) -> tuple[Event, ...]:
    """Closes the table."""
    return (TableClosed(notice=ask.rules.notice("table-closed")),)


def form_reason(ask: Ask, do: c.HaltTable | c.ResumeTable) -> Rejection | None:
    """Refuses where the reason is missing."""
    return no_reason(do.reason)


def make_halt(ask: Ask, do: c.HaltTable) -> tuple[Event, ...]:
    """Stops play; no more bets on a ball that rolls."""
    halted = TableHalted(reason=do.reason, notice=ask.rules.notice("interrupted"))
    return halted, *close_for_spin(ask)


def guard_resume(ask: Ask, do: c.ResumeTable) -> Rejection | None:
    """Refuses to resume what is not halted."""
    return None if ask.state.halted is not None else refuse("not-halted", "The table is not halted.")


def make_resume(ask: Ask, do: c.ResumeTable) -> tuple[Event, ...]:
    """Lets the table play again; what the halt did to the round that it met follows at once."""
    resumed, halted_ms = TableResumed(reason=do.reason), ask.state.halted_ms
    return (resumed,) if halted_ms is None else (resumed, *halt_over(ask, halted_ms))


def _first_of(faults: list[str]) -> str:
    """As many faults as a person reads, and how many more there are."""
    more = len(faults) - MOST_TOLD
    return " ".join(faults[:MOST_TOLD]) + (
        f" And {more} more {'is' if more == 1 else 'are'} wrong." if more > 0 else ""
    )


def form_limits(ask: Ask, do: c.ChangeLimits) -> Rejection | None:
    """Refuses limits that contradict themselves."""
    faults = limits_faults(ask.rules, do.limits)
    if faults:
        return refuse("bad-limits", _first_of(faults))
    return no_reason(do.reason)


def guard_limits(ask: Ask, do: c.ChangeLimits) -> Rejection | None:
    """Refuses to change limits under players' bets."""
    return round_running(ask)


def make_limits(ask: Ask, do: c.ChangeLimits) -> tuple[Event, ...]:
    """Sets and shows new limits."""
    changed = LimitsChanged(
        old=ask.state.limits, new=do.limits, reason=do.reason, clause=ask.rules.cite("limits")
    )
    return (changed,)

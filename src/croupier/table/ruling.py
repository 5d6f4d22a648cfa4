"""What no clause covers: the shift manager's decision, with its reason, in the record."""

from collections.abc import Iterator
from typing import Final

from croupier.table import commands as c
from croupier.table.asking import Ask, no_reason, refuse
from croupier.table.correcting import (
    adjust_seat,
    guard_settled_round,
    unknown_round,
    void_settled,
)
from croupier.table.events import DecisionRecorded, Event
from croupier.table.rejections import Rejection, first_of
from croupier.table.settling import return_bets, returned_line, void
from croupier.table.state import Round

VOID, RETURN_BETS, NONE = "void", "return-bets", "none"
RULINGS: Final = (VOID, RETURN_BETS, NONE)
"""A wrong result is none of them: every book that has results corrected says by which clause."""

NOT_COVERED: Final = "not-covered"


def form_decide(ask: Ask, do: c.Decide) -> Rejection | None:
    """Refuses rulings, rounds, results and bets that do not exist, and a missing reason."""
    ruling = None
    if do.ruling not in RULINGS:
        sentence = f"A ruling is one of {', '.join(RULINGS)}; a wrong result is corrected, and not decided."
        clause = ask.rules.clause_of("wrong-result") if do.ruling == "correct" else None
        ruling = refuse("unknown-ruling", sentence, clause, ruling=do.ruling)
    return first_of(
        *(_unknown_bets(ask, do) if do.ruling == RETURN_BETS else ()),
        unknown_round(ask, do.round),
        ruling,
        no_reason(do.reason),
    )


def _unknown_bets(ask: Ask, do: c.Decide) -> Iterator[Rejection]:
    if not do.bets:
        yield refuse("nothing-to-do", "Name at least one bet.")
    for named in do.bets:
        if named.seat not in ask.state.seats:
            yield refuse("unknown-seat", f"There is no seat {named.seat!r} at this table.", seat=named.seat)
        if named.bet not in ask.rules.bets:
            where = " or ".join(ask.rules.layouts)
            sentence = f"There is no bet {named.bet!r} on layout {where}."
            yield refuse("unknown-bet", sentence, bet=named.bet)


def guard_decide(ask: Ask, do: c.Decide) -> Rejection | None:
    """Refuses what cannot be carried out on that round any more."""
    running = ask.state.round
    is_running = running is not None and running.number == do.round
    if do.ruling != NONE and not is_running and (found := guard_settled_round(ask, do.round)) is not None:
        return found
    if do.ruling == RETURN_BETS:
        return _not_on_bets(ask, do)
    return None


def _not_on_bets(ask: Ask, do: c.Decide) -> Rejection | None:
    running = ask.state.round
    for named in do.bets:
        if running is not None and running.number == do.round:
            on_it = named.bet in ask.state.seats[named.seat].stakes
        else:
            on_it = _settled_stake(ask.over(do.round), named)
        if not on_it:
            sentence = f"Seat {named.seat} has nothing on {named.bet} in round {do.round}."
            return refuse("not-on-bet", sentence, seat=named.seat, bet=named.bet)
    return None


def _settled_stake(round_: Round, named: c.NamedBet) -> bool:
    settled = round_.seats.get(named.seat)
    return settled is not None and any(
        line.bet == named.bet and line.counted_cents > 0 for line in settled.lines
    )


def make_decide(ask: Ask, do: c.Decide) -> tuple[Event, ...]:
    """Records the decision and carries it out."""
    clause = ask.rules.book.irregularities[NOT_COVERED].clause
    notice = ask.rules.notice("decision", reason=do.reason)
    recorded = DecisionRecorded(
        round=do.round, ruling=do.ruling, reason=do.reason, notice=notice, clause=clause
    )
    return recorded, *_carry_out(ask, do, clause)


def _carry_out(ask: Ask, do: c.Decide, clause: str) -> tuple[Event, ...]:
    running = ask.state.round
    is_running = running is not None and running.number == do.round
    if do.ruling == VOID:
        if is_running:
            return void(ask, NOT_COVERED, do.reason, clause)
        return void_settled(ask, (do.round,), NOT_COVERED, do.reason, clause)
    if do.ruling == RETURN_BETS:
        return _return_running(ask, do, clause) if is_running else _return_settled(ask, do, clause)
    return ()


def _by_seat(do: c.Decide) -> dict[str, dict[str, None]]:
    seats: dict[str, dict[str, None]] = {}
    for named in do.bets:
        seats.setdefault(named.seat, {})[named.bet] = None
    return seats


def _return_running(ask: Ask, do: c.Decide, clause: str) -> tuple[Event, ...]:
    return tuple(
        return_bets(
            ask,
            ask.state.seats[seat],
            {bet: ask.state.seats[seat].stakes[bet] for bet in bets},
            clause,
            void=False,
        )
        for seat, bets in _by_seat(do).items()
    )


def _return_settled(ask: Ask, do: c.Decide, clause: str) -> tuple[Event, ...]:
    round_ = ask.over(do.round)
    events: list[Event] = []
    for seat, bets in _by_seat(do).items():
        lines = tuple(
            returned_line(line.bet, line.stake_cents) if line.bet in bets else line
            for line in round_.seats[seat].lines
        )
        events += adjust_seat(ask, round_, seat, round_.result, lines, clause)
    return tuple(events)

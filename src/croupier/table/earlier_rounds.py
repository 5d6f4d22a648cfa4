"""A round that the table has let go of, read from the journal and put back into memory to be corrected."""

from collections.abc import Container, Iterable

import msgspec

from croupier.table import commands as c
from croupier.table.asking import Ask, refuse
from croupier.table.correcting import unknown_round
from croupier.table.events import (
    Entry,
    Event,
    RecalledSeat,
    RoundRecalled,
    RoundSettled,
    RoundVoided,
    TableCreated,
)
from croupier.table.evolve import evolve
from croupier.table.evolve_carried import over
from croupier.table.rejections import Rejection
from croupier.table.rules import Rules
from croupier.table.state import Round, State, new_state


def rounds_named(do: c.Do) -> tuple[int, ...]:
    """The rounds that a command changes, or would change, where it names any."""
    if isinstance(do, c.CorrectResult | c.Decide):
        return (do.round,)
    return do.rounds if isinstance(do, c.DeclareIrregularity) else ()


def rounds_to_recall(state: State, do: c.Do) -> tuple[int, ...]:
    """The rounds that a command names and that only the journal knows, in order."""
    running = 0 if state.round is None else state.round.number
    return tuple(
        number
        for number in sorted({*rounds_named(do)})
        if 1 <= number <= state.round_number and number != running and state.over(number) is None
    )


def recall_of(round_: Round, read_to: int) -> c.RecallRound:
    """The command that puts a round back into memory as it was behind the event that was read last."""
    return c.RecallRound(
        round=round_.number,
        read_to=read_to,
        phase=round_.phase,
        result=round_.result,
        limits=round_.limits,
        sensed=round_.spin_sensed,
        seats=tuple(
            RecalledSeat(
                seat=seat,
                visit=part.visit,
                layout=part.layout,
                fresh_from=part.fresh_from,
                lines=part.lines,
                returned_cents=part.returned_cents,
                written_off_cents=part.written_off_cents,
                written_off_at_cents=part.written_off_at_cents,
                by_hand_cents=part.by_hand_cents,
            )
            for seat, part in round_.seats.items()
        ),
    )


def with_rounds(state: State, rounds: tuple[Round, ...]) -> State:
    """A state in which such rounds are in memory too, for whoever only wants to know."""
    return msgspec.structs.replace(state, owing=state.owing | {round_.number: round_ for round_ in rounds})


def form_recall(ask: Ask, do: c.RecallRound) -> Rejection | None:
    """Refuses rounds that were not."""
    return unknown_round(ask, do.round)


def guard_recall(ask: Ask, do: c.RecallRound) -> Rejection | None:
    """Refuses rounds that are in memory or running, and those that may have changed since they were read."""
    state = ask.state
    is_running = state.round is not None and state.round.number == do.round
    if is_running or state.over(do.round) is not None or do.read_to < state.recalled_at:
        sentence = f"Round {do.round} is in memory, or may have changed since it was read."
        return refuse("recall-outdated", sentence, round=do.round)
    return None


def make_recall(ask: Ask, do: c.RecallRound) -> tuple[Event, ...]:
    """The round is in memory again."""
    recalled = RoundRecalled(
        round=do.round,
        phase=do.phase,
        result=do.result,
        limits=do.limits,
        seats=do.seats,
        sensed=do.sensed,
    )
    return (recalled,)


def rounds_over(rules: Rules, entries: Iterable[Entry], numbers: Container[int]) -> dict[int, Round]:
    """Some rounds of a table as its whole history leaves them, by number; without those that are not over."""
    found: dict[int, Round] = {}
    state: State | None = None
    for entry in entries:
        event = entry.event
        if state is None:
            if not isinstance(event, TableCreated):
                raise ValueError("a table's history begins with its creation")
            state = new_state(event.settings)
        evolve(rules, state, entry)
        # A round that the table lets go of does not change any more unless it is recalled.
        if isinstance(event, RoundSettled | RoundVoided | RoundRecalled) and event.round in numbers:
            found[event.round] = over(state, event.round)
    return found

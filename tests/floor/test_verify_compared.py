"""Replay and auditor are compared: where the software itself replays wrongly, `verify` says so."""

from collections.abc import Callable

import pytest

from croupier.floor.verify.replay import Reading, Replay
from croupier.table import Entry
from croupier.table import events as e
from floor.audit_scenes import roulette
from floor.forged_events import found_in

Change = Callable[[Reading], Reading]


def at(place: int) -> Change:
    """One cent more at a place of what the replay reads."""
    return lambda reading: tuple(cents + (index == place) for index, cents in enumerate(reading))


BESIDE: dict[str, tuple[type, Change]] = {
    "replay and auditor disagree about the credits of seat 1": (e.BetsChanged, at(0)),
    "replay and auditor disagree about the stakes of seat 1": (e.BetsChanged, at(1)),
    "the meters of seat 1 do not give its credits": (e.BetsChanged, at(3)),
    "all accounts together do not hold nothing": (e.RoundSettled, at(0)),
    "replay and auditor disagree about the account cash": (e.RoundSettled, at(1)),
}


@pytest.mark.parametrize("reason", BESIDE)
def test_what_the_replay_reads_wrongly_is_said(reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, change = BESIDE[reason]
    take = Replay.take

    def misread(self: Replay, entry: Entry) -> Reading:
        reading = take(self, entry)
        return change(reading) if isinstance(entry.event, kind) else reading

    monkeypatch.setattr(Replay, "take", misread)
    misfit = found_in(roulette())
    assert misfit is not None
    assert misfit.reason == reason


def test_stakes_that_lie_on_no_bet_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    take = Replay.take

    def misread(self: Replay, entry: Entry) -> Reading:
        reading = take(self, entry)
        return at(2)(reading) if isinstance(entry.event, e.BetsChanged) else reading

    monkeypatch.setattr(Replay, "take", misread)
    misfit = found_in(roulette())
    assert misfit is not None
    assert misfit.reason == "replay and auditor disagree about the stakes of seat 1"


def test_what_is_wrong_at_the_end_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Replay, "faults", lambda self: ["Seat 1 has -5 cents of credits."])
    misfit = found_in(roulette())
    assert misfit is not None
    assert misfit.reason == "the books are wrong behind it: Seat 1 has -5 cents of credits."

"""A clock that jumped forward is not believed for a day where something would end for good."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.floor import ManualClock, SystemClock
from croupier.floor.house.clock_doubt import JUMP_MS, SILENCE_MS, ClockDoubt
from croupier.floor.house.log import ClockStepped, HouseEvent, HouseLog, ServerStarted
from croupier.journal.sqlite import SqliteStore
from croupier.table.crediting import DAY_MS
from table.rig import START_MS


class Machine:
    """A clock on the wall, one that only counts, and the journal of the house."""

    def __init__(self, path: Path) -> None:
        self.store = SqliteStore(path / "journal.db")
        self.clock = ManualClock(START_MS)
        self.counted_ms = 0

    def doubt(self) -> ClockDoubt:
        return ClockDoubt(self.store, self.clock, lambda: self.counted_ms)

    def wait(self, ms: int) -> None:
        self.clock.advance(ms)
        self.counted_ms += ms

    def note(self, event: HouseEvent) -> None:
        HouseLog(self.store, self.clock).note(event)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    given = Machine(tmp_path)
    with closing(given.store):
        yield given


def test_a_clock_that_goes_is_believed(machine: Machine) -> None:
    doubt = machine.doubt()
    assert not doubt.is_doubted()
    machine.wait(400 * DAY_MS)
    assert not doubt.is_doubted()


def test_a_jump_forward_is_doubted_for_a_day(machine: Machine) -> None:
    doubt = machine.doubt()
    machine.clock.advance(40 * DAY_MS)
    assert doubt.is_doubted()
    machine.wait(DAY_MS - 1)
    assert doubt.is_doubted()
    machine.wait(1)
    assert not doubt.is_doubted()


def test_a_small_jump_ends_nothing_early(machine: Machine) -> None:
    doubt = machine.doubt()
    machine.clock.advance(JUMP_MS)
    machine.note(ClockStepped(by_ms=JUMP_MS - 1))
    assert not doubt.is_doubted()


def test_a_jump_is_remembered_over_a_start(machine: Machine) -> None:
    machine.clock.advance(40 * DAY_MS)
    machine.note(ClockStepped(by_ms=40 * DAY_MS))
    doubt = machine.doubt()
    machine.wait(600_000)
    assert doubt.is_doubted()
    machine.wait(DAY_MS)
    assert not doubt.is_doubted()


def test_a_clock_that_is_right_again_is_believed_and_so_is_that_of_another_server(machine: Machine) -> None:
    machine.note(ServerStarted(version="1.0", tables=()))
    wrong = ManualClock(START_MS + 40 * DAY_MS)
    HouseLog(machine.store, wrong).note(ClockStepped(by_ms=40 * DAY_MS))
    assert not machine.doubt().is_doubted()
    assert ClockDoubt(machine.store, wrong, lambda: 0).is_doubted()


def test_a_server_that_starts_after_a_long_silence_is_doubted_at_first(machine: Machine) -> None:
    machine.note(ServerStarted(version="1.0", tables=()))
    assert not machine.doubt().is_doubted()
    machine.wait(SILENCE_MS - 1)
    machine.note(ServerStarted(version="1.0", tables=()))
    assert not machine.doubt().is_doubted()
    machine.wait(SILENCE_MS)
    machine.note(ServerStarted(version="1.0", tables=()))
    doubt = machine.doubt()
    assert doubt.is_doubted()
    machine.wait(DAY_MS)
    assert not doubt.is_doubted()


def test_a_floors_clock_that_is_ahead_of_the_machines_is_doubted_as_long_as_it_is(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SystemClock()
    doubt = ClockDoubt(machine.store, clock)
    assert not doubt.is_doubted()
    monkeypatch.setattr(clock, "ahead_ms", lambda: JUMP_MS)
    assert doubt.is_doubted()

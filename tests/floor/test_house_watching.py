"""Watches on the machine: its clock and its disk."""

from contextlib import closing
from pathlib import Path

from croupier.floor.house.log import DiskLow, DiskRecovered
from croupier.floor.house.watching import ClockWatch, DiskWatch, last_written_ms
from croupier.journal import EMPTY, Draft, linked
from croupier.journal.sqlite import SqliteStore
from table.rig import START_MS


class Dial:
    """A number that a test sets."""

    def __init__(self, value: int = 0) -> None:
        self.value = value

    def __call__(self) -> int:
        return self.value


def test_a_clock_that_is_set_is_noticed_once() -> None:
    wall, monotonic = Dial(START_MS), Dial(77)
    watch = ClockWatch(wall, monotonic)
    seen = []
    for jump in (0, 900, -900, 1_000, 0, 1_001, 0, -3_600_000, 0):
        monotonic.value += 5_000
        wall.value += 5_000 + jump
        seen.append(watch.tick())
    stepped = [None if event is None else event.by_ms for event in seen]
    assert stepped == [None, None, None, None, None, 1_001, None, -3_600_000, None]


def test_a_clock_that_was_set_back_while_nobody_looked_is_noticed_by_what_was_written_last() -> None:
    wall, monotonic = Dial(START_MS), Dial(77)
    stepped = ClockWatch(wall, monotonic, written_ms=START_MS + 60_000).tick()
    assert stepped is not None
    assert stepped.by_ms == -60_000
    assert ClockWatch(wall, monotonic, written_ms=START_MS + 900).tick() is None
    assert ClockWatch(wall, monotonic, written_ms=START_MS - 60_000).tick() is None


def test_what_was_written_last_is_the_latest_of_all_streams(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "journal.db")) as store:
        assert last_written_ms(store) is None
        drafts = [Draft(START_MS + at, "x", "x", at, 0, "noted", 1, b"{}") for at in (1, 5, 3)]
        store.append(linked("A", EMPTY, drafts), [])
        store.append(linked("B", EMPTY, drafts[:1]), [])
        assert last_written_ms(store) == START_MS + 3


def test_a_clock_that_is_slewed_is_not_a_jump() -> None:
    wall, monotonic = Dial(START_MS), Dial()
    watch = ClockWatch(wall, monotonic, tolerance_ms=100)
    for _ in range(1_000):
        monotonic.value += 1_000
        wall.value += 1_001
        assert watch.tick() is None


def test_a_disk_that_fills_is_reported_once_and_so_is_its_end() -> None:
    free = Dial(200)
    watch = DiskWatch(free, low_bytes=100)
    seen = []
    for value in (200, 100, 99, 50, 120, 149, 150, 99):
        free.value = value
        seen.append(watch.tick())
    assert seen == [
        None,
        None,
        DiskLow(free_bytes=99, low_bytes=100),
        None,
        None,
        None,
        DiskRecovered(free_bytes=150),
        DiskLow(free_bytes=99, low_bytes=100),
    ]
    assert watch.is_low

"""A journal that takes nothing fills no log: the disk that is full is often that of the log as well."""

import logging
from pathlib import Path

import pytest

from croupier.floor.failing import AGAIN_SECONDS, Failing
from croupier.table import commands as c
from floor.sim_live import Live, answers, played
from table.rig import DEALER


class Clock:
    """A time that goes on where a test says so."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


def test_a_trouble_is_told_when_it_begins_now_and_then_and_when_it_is_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    clock = Clock()
    failing = Failing("T1", None, clock)
    failing.over()
    for _ in range(1_000):
        failing.failed("The disk is full.", 2)
    assert caplog.messages == ["table T1: The disk is full."]
    clock.seconds += AGAIN_SECONDS
    for _ in range(1_000):
        failing.failed("The disk is full.", 1)
    failing.failed("The journal is locked.", 1)
    failing.over()
    failing.over()
    assert caplog.messages[1:] == [
        "table T1: The disk is full. (2001 commands answered not-registered so far)",
        "table T1: The journal is locked. (3001 commands answered not-registered so far)",
        "table T1: its journal takes records again; 3001 commands were answered not-registered",
    ]
    failing.failed("The disk is full.", 1)
    assert caplog.messages[4:] == ["table T1: The disk is full."]


def test_reasons_that_are_new_each_time_are_no_flood_either(caplog: pytest.LogCaptureFixture) -> None:
    failing = Failing("T1", None, Clock())
    for number in range(1_000):
        failing.failed(f"The connection {number} is lost.", 1)
    assert len(caplog.messages) < 20


@played
async def test_a_table_on_a_full_disk_answers_everybody_and_logs_little(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    live = await Live(tmp_path).start()
    await live.open("1")
    await live.do(DEALER, c.OpenRound())
    caplog.clear()
    live.store.failures_before = 40
    for _ in range(40):
        assert await answers(live.bet("1", "red", 1_000)) == ["not-registered"]
    assert caplog.messages == ["table T1: The disk is full."]
    assert await answers(live.bet("1", "red", 1_000)) == [None]
    assert caplog.messages[1:] == [
        "table T1: its journal takes records again; 40 commands were answered not-registered"
    ]
    await live.stop()

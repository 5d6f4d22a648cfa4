"""What the log says of a takeover that fails: once, however long it lasts, and again when it begins anew."""

import logging
from collections import Counter
from pathlib import Path

import pytest

from croupier.floor.shared.complaining import Complaints
from floor.shared_rig import two
from floor.sim_live import played


def told(caplog: pytest.LogCaptureFixture) -> Counter[str]:
    """How often each line that somebody has to read was written."""
    return Counter(record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING)


@played
async def test_a_takeover_that_fails_again_and_again_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    floor, here, there = await two(tmp_path)
    here.die()
    floor.store.failures_before = 1_000_000
    await floor.until(lambda: floor.store.failures_before <= 1_000_000 - 20)
    lines = told(caplog)
    assert any("cannot be taken over" in line for line in lines)
    assert set(lines.values()) == {1}
    assert len(lines) == 2, lines  # what the disk says, and what follows from it
    floor.store.failures_before = 0
    await floor.until(lambda: there.table.is_owner)
    await floor.stop()


def test_what_is_wrong_is_said_again_once_the_table_was_well(caplog: pytest.LogCaptureFixture) -> None:
    complaints = Complaints("T1")
    for what in ("a", "b", "a", "b"):
        complaints.warn(what)
    complaints.over()
    complaints.warn("a")
    assert told(caplog) == {"table T1: a": 2, "table T1: b": 1}

"""What the log says of a takeover that fails, and of messages that cannot be read: little, and seldom."""

import logging
import re
from collections import Counter
from pathlib import Path

import pytest

from croupier.floor import ManualClock, Published
from croupier.floor.shared.complaining import UNREAD_MS, Complaints, Unread
from croupier.floor.shared.following import Following
from croupier.floor.shared.sealing import BadSeal
from croupier.journal import StoreError
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


@played
async def test_an_owner_that_lost_the_database_alone_says_once_that_it_cannot_follow(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It hears of the table's new owner all the time; that does not make it well."""
    floor, here, there = await two(tmp_path)
    load = Following.load

    async def fail(following: Following, told_to: int | None = None) -> list[Published]:
        raise StoreError("The connection is refused.")

    monkeypatch.setattr(Following, "load", fail)
    here.leases.lose()
    here.leases.is_reachable = False
    await floor.until(lambda: there.table.is_owner)
    at_ms = floor.clock.now_ms()
    await floor.until(lambda: floor.clock.now_ms() >= at_ms + 20_000)
    assert told(caplog)["table T1: it cannot be looked after: The connection is refused."] == 1
    monkeypatch.setattr(Following, "load", load)
    await floor.together(here, there)
    await floor.stop()


def test_what_is_wrong_is_said_again_once_the_table_was_well(caplog: pytest.LogCaptureFixture) -> None:
    complaints = Complaints("T1")
    for what in ("a", "b", "a", "b"):
        complaints.warn(what)
    complaints.over()
    complaints.warn("a")
    assert told(caplog) == {"table T1: a": 2, "table T1: b": 1}


@played
async def test_a_server_whose_clock_is_wrong_says_once_a_minute_that_it_reads_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    floor, here, there = await two(tmp_path)
    at_ms = floor.clock.now_ms()
    for server in floor.servers:
        server.clock.ahead_ms = 0 if server is here else 86_400_000
    bet = there.bet("1", "red", 100)
    await floor.until(lambda: floor.clock.now_ms() >= at_ms + 3 * UNREAD_MS)
    reply = await bet
    assert reply.rejection is not None
    assert reply.rejection.code == "not-registered"
    lines = [line for line in told(caplog).elements() if "It was sealed 86400 seconds away" in line]
    heard = [line for line in lines if "what another server tells cannot be read" in line]
    assert 3 <= len(heard) <= 4
    assert re.search(r"so were [0-9]{2,} more before", heard[-1])
    assert len([line for line in lines if "a command from elsewhere is not taken" in line]) == 1
    there.clock.ahead_ms = 0
    await floor.together(here, there)
    heard_again = await floor.wait(there.bet("1", "red", 100))
    assert heard_again.rejection is not None
    assert heard_again.rejection.code == "bets-closed"  # the owner's word: time went on there
    await floor.stop()


def test_messages_that_cannot_be_read_are_told_by_reason(caplog: pytest.LogCaptureFixture) -> None:
    clock = ManualClock()
    unread = Unread(clock, "the roll cannot be read")
    for _ in range(3):
        for why in ("75 seconds away.", "76 seconds away.", "another key."):
            unread.warn(BadSeal(why))
    assert told(caplog) == {
        "the roll cannot be read: 75 seconds away.": 1,
        "the roll cannot be read: another key.": 1,
    }
    clock.advance(UNREAD_MS)
    unread.warn(BadSeal("135 seconds away."))
    assert told(caplog)["the roll cannot be read: 135 seconds away. (so were 5 more before)"] == 1


def test_what_was_told_by_a_clock_that_was_ahead_is_told_again(caplog: pytest.LogCaptureFixture) -> None:
    clock = ManualClock(86_400_000)
    unread = Unread(clock, "the roll cannot be read")
    unread.warn(BadSeal("another key."))
    clock.advance(-86_400_000)
    unread.warn(BadSeal("another key."))
    assert told(caplog) == {"the roll cannot be read: another key.": 2}

"""Screens that hear of a table a moment later hear of it also where its journal failed meanwhile."""

import asyncio
from pathlib import Path

import pytest

from croupier.floor import Ask
from croupier.journal import StoreError
from croupier.server import telling_soon
from croupier.server.floor import LiveTable
from croupier.server.telling_soon import TellingSoon
from croupier.table import commands as c
from floor.sim_live import WatchedStore, played
from server.floor_rig import SHIFT, FloorRig, a_floor


@pytest.fixture(autouse=True)
def _at_once_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling_soon, "AGAIN_SECONDS", 0.05)


class News:
    """Counts how often something is told, and fails as often as a test says."""

    def __init__(self) -> None:
        self.told = self.tried = self.failures = 0
        self.error: Exception = StoreError("The disk cannot be read.")
        self.let_through = asyncio.Event()
        self.let_through.set()
        self.soon = TellingSoon("a table", 0.001, self._tell)

    async def _tell(self) -> None:
        self.tried += 1
        await self.let_through.wait()
        if self.failures:
            self.failures -= 1
            raise self.error
        self.told += 1

    async def until_told(self, times: int) -> None:
        while self.told < times:
            await asyncio.sleep(0.001)


@played
async def test_what_changes_together_is_told_once() -> None:
    news = News()
    for _ in range(3):
        news.soon.touch()
    await news.until_told(1)
    await asyncio.sleep(0.02)
    assert news.tried == 1


@played
async def test_what_changes_while_it_is_being_told_is_told_behind_it() -> None:
    news = News()
    news.let_through.clear()
    news.soon.touch()
    while not news.tried:
        await asyncio.sleep(0.001)
    news.soon.touch()
    news.let_through.set()
    await news.until_told(2)


@played
async def test_what_cannot_be_read_is_told_later_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    news = News()
    news.failures = 3
    news.soon.touch()
    await news.until_told(1)
    assert news.tried == 4
    assert [record.getMessage() for record in caplog.records] == [
        "a table: the news wait: The disk cannot be read."
    ]


@played
async def test_a_fault_that_nobody_expected_keeps_no_later_news(caplog: pytest.LogCaptureFixture) -> None:
    news = News()
    news.failures, news.error = 1, RuntimeError("nobody expected this")
    news.soon.touch()
    while news.failures:
        await asyncio.sleep(0.001)
    news.soon.touch()
    await news.until_told(1)
    assert "nobody expected this" in caplog.text


@played
async def test_nothing_is_told_behind_a_stop() -> None:
    news = News()
    news.soon.touch()
    news.soon.stop()
    news.soon.touch()
    await asyncio.sleep(0.02)
    assert news.tried == 0


async def _fail(rig: FloorRig, live: LiveTable, store: WatchedStore) -> None:
    """Has a table neither written nor read."""
    store.failures_before, store.failing_reads = 1, True
    reply = await live.runner.submit(Ask(SHIFT, c.OpenRound(), "somebody", 1))
    assert reply.rejection is not None
    assert reply.rejection.code == "not-registered"


async def _until_logged(caplog: pytest.LogCaptureFixture, sentence: str) -> None:
    async with asyncio.timeout(10):
        while sentence not in caplog.text:
            await asyncio.sleep(0.01)


@played
async def test_a_console_hears_of_stakes_after_a_journal_that_could_not_be_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = WatchedStore(tmp_path / "journal.db")
    async with a_floor(tmp_path, store=store) as rig:
        live = await rig.open_table()
        await rig.do("R1", c.OpenRound())
        await rig.do("R1", c.BuyCredits(seat="1", cents=5_000))
        async with await rig.console("dee") as console:
            await _fail(rig, live, store)
            live.hub.seat_elsewhere("2")
            await _until_logged(caplog, "consoles of table R1: the news wait: The disk cannot be read.")
            store.failing_reads = False
            await rig.do("R1", c.PlaceBets(seat="1", stakes=(c.Stake("red", 2_500),)))
            async with asyncio.timeout(10):
                await console.until(
                    lambda seen: seen.console.stakes is not None and dict(seen.console.stakes.spots) != {}
                )
    store.close()


@played
async def test_the_pit_hears_of_a_table_once_it_can_be_read_and_of_the_others_meanwhile(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = WatchedStore(tmp_path / "journal.db")
    async with a_floor(tmp_path, store=store) as rig:
        one, two = await rig.open_table("R1"), await rig.open_table("R2")
        async with await rig.pit() as pit, asyncio.timeout(20):
            await pit.until(lambda seen: {*seen.pit} == {"R1", "R2"})
            await _fail(rig, one, store)
            for live in (one, two):
                live.hub.suspect = "wheel"
                rig.floor.pit.table_changed(live.hub)
            await pit.until(lambda seen: seen.pit["R2"].suspect == "wheel")
            await _until_logged(caplog, "the pit: the news wait: The disk cannot be read.")
            assert pit.pit["R1"].suspect is None
            store.failing_reads = False
            await pit.until(lambda seen: seen.pit["R1"].suspect == "wheel")
    store.close()

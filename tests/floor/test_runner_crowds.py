"""A table that many ask at once: nobody starves, nothing grows without bounds, everybody is answered."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from croupier.floor import Ask
from croupier.journal import Record
from croupier.table import commands as c
from croupier.table import events as e
from floor.sim_live import Live, WatchedStore, answers, played
from table.rig import DEALER, player


async def betting(path: Path, *seats: str, **options: object) -> Live:
    """A table with open bets."""
    live = await Live(path).start(**options)
    await live.open(*seats)
    await live.do(DEALER, c.OpenRound())
    return live


async def crowd(live: Live, bets: int) -> "list[asyncio.Task[list[str | None]]]":
    """Players who bet all the time, in turns: while one batch is written the next ones wait already."""

    async def bets_all_the_time(seat: str) -> list[str | None]:
        return [code for _ in range(bets) for code in await answers(live.bet(seat, "red", 100))]

    live.store.hold()
    first = asyncio.create_task(bets_all_the_time("1"))
    await live.store.reached()
    others = [asyncio.create_task(bets_all_the_time(seat)) for seat in "234"]
    await asyncio.sleep(0)
    live.store.let_through()
    return [first, *others]


@played
async def test_a_look_does_not_wait_for_everybody_who_comes_after_it(tmp_path: Path) -> None:
    live = await betting(tmp_path, "1", "2", "3", "4")
    players = await crowd(live, bets=50)
    await live.run.settled_state()
    assert not any(one.done() for one in players)
    await asyncio.gather(*players)
    await live.stop()


@played
async def test_time_passes_at_a_table_that_is_never_idle(tmp_path: Path) -> None:
    live = await betting(tmp_path, "1", "2", "3", "4")
    players = await crowd(live, bets=100)
    live.clock.advance(30_000)
    await live.until(e.BetsClosed)
    assert not any(one.done() for one in players)
    await asyncio.gather(*players)
    await live.stop()


@played
async def test_a_table_that_is_never_idle_can_be_stopped(tmp_path: Path) -> None:
    live = await betting(tmp_path, "1", "2", "3", "4")
    players = await crowd(live, bets=50)
    await live.run.stop()
    codes = {code for one in await asyncio.gather(*players) for code in one}
    assert codes == {None, "table-down"}
    live.store.close()


class SlowReader(WatchedStore):
    """A store whose answers about senders and vouchers can be held up."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.may_read = threading.Event()
        self.may_read.set()
        self.asked = threading.Event()

    def first_of(self, table: str, sender: str, number: int) -> Record | None:
        self.asked.set()
        self.may_read.wait()
        return super().first_of(table, sender, number)


@played
async def test_a_command_that_comes_while_the_table_stops_is_answered(tmp_path: Path) -> None:
    store = SlowReader(tmp_path / "journal.db")
    live = await Live(tmp_path, store=store).start()
    await live.open()
    store.may_read.clear()
    store.asked.clear()
    sent = asyncio.create_task(live.run.submit(Ask(DEALER, c.OpenRound(), "another console", 1)))
    await asyncio.to_thread(store.asked.wait)
    stopping = asyncio.create_task(live.run.stop())
    for _ in range(10):
        await asyncio.sleep(0)
    store.may_read.set()
    await stopping
    assert (await sent).rejection is None or (await sent).rejection.code == "table-down"  # type: ignore[union-attr]
    live.store.close()


@played
async def test_new_senders_fill_the_queue_like_everybody(tmp_path: Path) -> None:
    live = await betting(tmp_path, queue_limit=3)
    bet = c.PlaceBets(seat="1", stakes=(c.Stake("red", 100),))
    live.store.hold()
    first = live.bet("1", "red", 100)
    await live.store.reached()
    sent = [
        asyncio.create_task(live.run.submit(Ask(player("1"), bet, f"new-{number}", 1)))
        for number in range(10)
    ]
    live.store.let_through()
    codes = await answers(first, *sent)
    assert codes.count("busy") == 7
    await live.stop()


@played
async def test_a_table_with_much_to_do_writes_much_at_a_time_and_one_with_little_in_halves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await betting(tmp_path, "1")
    sizes: list[int] = []
    append = live.store.append

    def watched(records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        sizes.append(len(records))
        append(records, claims)

    monkeypatch.setattr(live.store, "append", watched)
    for bets, first in ((700, 256), (120, 64)):
        sizes.clear()
        assert await answers(*(live.bet("1", "red", 100) for _ in range(bets))) == [None] * bets
        assert sum(sizes) == bets
        assert sizes[0] == first
    await live.stop()

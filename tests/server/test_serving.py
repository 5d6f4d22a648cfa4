"""A server that is told to stop lets the rounds that run end."""

import asyncio
from pathlib import Path

from croupier.server.serving import _drain
from croupier.table import commands as c
from floor.sim_live import WatchedStore, played
from server.floor_rig import a_floor


@played
async def test_the_last_round_is_announced_though_the_disk_fails(tmp_path: Path) -> None:
    store = WatchedStore(tmp_path / "journal.db")
    async with a_floor(tmp_path, store=store) as rig:
        live = await rig.open_table()
        await rig.do("R1", c.OpenRound())
        store.failures_before = 1
        draining = asyncio.create_task(_drain(rig.floor, asyncio.Event(), 30))
        while (await live.runner.consistent_state()).rounds_left is None:
            assert not draining.done()
            await asyncio.sleep(0.01)
        assert store.failures_before == 0
        await rig.do("R1", c.CallNoSpin(reason="a test"))
        await draining
    store.close()

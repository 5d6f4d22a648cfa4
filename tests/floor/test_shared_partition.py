"""A server that is cut off from what it needs gives way in time, and everybody has an answer."""

import asyncio
import threading
from pathlib import Path

from floor.shared_rig import owners, two
from floor.sim_live import TABLE, played


@played
async def test_an_owner_without_its_lease_lets_go_at_once_whatever_is_still_on_its_way(
    tmp_path: Path,
) -> None:
    """The wheel speaks to the server that runs its table: a line that has one place is wanted elsewhere."""
    floor, here, there = await two(tmp_path)
    there.leases.is_reachable = False
    floor.store.hold()
    stuck = here.bet("1", "red", 500)
    await floor.store.reached()
    here.leases.lose()
    try:
        await floor.until(lambda: not here.table.is_owner)
        later = here.bet("2", "red", 500)
        assert not stuck.done()
    finally:
        floor.store.let_through()
    there.leases.is_reachable = True
    assert (await floor.wait(stuck)).rejection is None
    assert (await floor.wait(later)).rejection is None
    await floor.until(lambda: len(owners(here, there)) == 1)
    await floor.together(here, there)
    for server in (here, there):
        assert server.table.state == floor.replayed()
        assert server.sequences == [*range(server.first_told, server.table.state.sequence + 1)]
    await floor.stop()


@played
async def test_a_server_that_is_stopped_while_it_lets_go_leaves_nothing_running(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    there.leases.is_reachable = False
    floor.store.hold()
    stuck = here.bet("1", "red", 500)
    await floor.store.reached()
    here.leases.lose()
    try:
        await floor.until(lambda: not here.table.is_owner)
        stopping = asyncio.ensure_future(here.table.stop())
        await asyncio.sleep(0)
    finally:
        floor.store.let_through()
    await floor.until(stopping.done)
    stopping.result()
    here.bus.is_up = False
    assert (await floor.wait(stuck)).rejection is None
    assert not [thread for thread in threading.enumerate() if thread.name.startswith(f"journal-{TABLE}")]
    there.leases.is_reachable = True
    await floor.until(lambda: there.table.is_owner)
    await floor.stop()

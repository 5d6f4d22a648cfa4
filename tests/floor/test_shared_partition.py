"""A server that is cut off from what it needs gives way in time, and everybody has an answer."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from croupier.floor import Published
from croupier.floor.shared.following import Following
from croupier.floor.shared.table import LOOK_MS
from croupier.journal import Head, StoreError
from floor.shared_rig import UNHURRIED, Server, SharedFloor, owners, two
from floor.sim_live import TABLE, WatchedStore, played


@played
async def test_an_owner_without_its_lease_lets_go_at_once_whatever_is_still_on_its_way(
    tmp_path: Path,
) -> None:
    """The wheel speaks to the server that runs its table: a line that has one place is wanted elsewhere."""
    floor, here, there = await two(tmp_path, UNHURRIED)
    there.leases.is_reachable = False
    floor.store.hold()
    stuck = here.bet("1", "red", 500)
    await floor.store.reached()
    at_ms = floor.clock.now_ms()
    await floor.until(lambda: floor.clock.now_ms() >= at_ms + 10 * LOOK_MS)
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
    await _agreed(floor, here, there)
    await floor.stop()


@played
async def test_a_server_that_is_stopped_while_it_lets_go_leaves_nothing_running(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path, UNHURRIED)
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


async def _agreed(floor: SharedFloor, *servers: Server) -> None:
    """Returns once one runs the table and the others follow; all were told all of it, once."""

    def is_settled(table: Any) -> bool:
        return table.is_owner or table._following is not None

    await floor.until(lambda: len(owners(*servers)) == 1 and all(is_settled(one.table) for one in servers))
    await floor.together(*servers)
    for server in servers:
        assert server.table.state == floor.replayed()
        assert server.sequences == [*range(server.first_told, server.table.state.sequence + 1)]


class _Cut(WatchedStore):
    """A server's own way to the journal, where nothing that is asked is answered while it is cut off."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.is_up = threading.Event()
        self.is_up.set()

    def head(self, table: str) -> Head:
        self.is_up.wait()
        head: Head = super().head(table)
        return head


async def _with_own_line(path: Path) -> tuple[SharedFloor, Server, Server, _Cut]:
    """Two servers, of which the first runs the table and has its own way to the journal."""
    floor = SharedFloor(path, **UNHURRIED)
    common, floor.store = floor.store, (line := _Cut(path / "journal.db"))
    here = await floor.server("a")
    floor.store = common
    there = await floor.server("b")
    await floor.open(here, "1", "2")
    await floor.together(here, there)
    return floor, here, there, line


@pytest.mark.parametrize("is_lost", [False, True], ids=["behind a batch", "while the journal is read"])
@played
async def test_what_waits_at_an_owner_whose_database_says_nothing_is_answered_by_the_next_one(
    tmp_path: Path, is_lost: bool
) -> None:
    floor, here, there, line = await _with_own_line(tmp_path)
    line.hold()
    try:
        stuck = here.bet("1", "black", 500)
        await line.reached()
        line.is_up.clear()
        waiting = here.bet("2", "red", 500)
        if is_lost:
            line.failures_before = 1
            line.let_through()
            await floor.wait(stuck)
        here.leases.lose()
        reply = await floor.wait(waiting)
        assert there.table.is_owner
        assert reply.rejection is None
        assert floor.replayed().seats["2"].stakes == {"red": 500}
        await floor.until(stuck.done)
    finally:
        line.let_through()
        line.is_up.set()
    await _agreed(floor, here, there)
    await floor.stop()
    line.close()


@played
async def test_who_asks_for_the_state_while_a_table_is_lost_has_that_of_the_journal(tmp_path: Path) -> None:
    floor, here, there, line = await _with_own_line(tmp_path)
    line.hold()
    try:
        stuck = here.bet("1", "black", 500)
        await line.reached()
        line.is_up.clear()
        asked = [asyncio.ensure_future(here.table.consistent_state()) for _ in range(5)]
        here.leases.lose()
        await floor.until(stuck.done)
        await floor.until(lambda: there.table.is_owner)
    finally:
        line.let_through()
        line.is_up.set()
    await floor.until(lambda: all(one.done() for one in asked))
    assert [one.result().seats["1"].stakes for one in asked] == [{}] * 5
    await _agreed(floor, here, there)
    await floor.stop()
    line.close()


@played
async def test_many_who_ask_for_the_state_share_the_attempts_at_a_journal_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each attempt may take long, and nobody is to wait for those of all who came before."""
    floor, here, there = await two(tmp_path)
    there.leases.is_reachable = False
    load, attempts, gate = Following.load, 0, asyncio.Event()

    async def fail(following: Following, told_to: int | None = None) -> list[Published]:
        nonlocal attempts
        attempts += 1
        await gate.wait()
        raise StoreError("The connection is refused.")

    monkeypatch.setattr(Following, "load", fail)
    here.leases.lose()
    here.leases.is_reachable = False
    await floor.until(lambda: attempts == 1)
    asked = [asyncio.ensure_future(here.table.consistent_state()) for _ in range(20)]
    await asyncio.sleep(0)
    gate.set()
    replies = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(reply, StoreError) for reply in replies)
    assert attempts <= 3  # that of the server itself may be among them
    monkeypatch.setattr(Following, "load", load)
    there.leases.is_reachable = True
    await _agreed(floor, here, there)
    await floor.stop()

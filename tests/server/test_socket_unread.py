"""A client whose table cannot be read now is told so, and comes back; none of them waits for ever."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from croupier.floor import Ask
from croupier.journal import StoreError
from croupier.protocol.asking import VERSION, CashOut
from croupier.server.floor import LiveTable
from croupier.table import commands as c
from floor.sim_live import WatchedStore, played
from server.floor_rig import SHIFT, FloorRig, a_floor, done

UNREAD = ("journal-unavailable", 1, 1013)


@asynccontextmanager
async def a_failing_floor(path: Path) -> AsyncIterator[tuple[FloorRig, LiveTable, WatchedStore]]:
    store = WatchedStore(path / "journal.db")
    async with a_floor(path, store=store) as rig:
        yield rig, await rig.open_table(), store
    store.close()


async def fail(live: LiveTable, store: WatchedStore) -> None:
    """Has a table neither written nor read."""
    store.failures_before, store.failing_reads = 1, True
    reply = await live.runner.submit(Ask(SHIFT, c.OpenRound(), "somebody", 1))
    assert reply.rejection is not None
    assert reply.rejection.code == "not-registered"


async def say_hello(socket: ClientConnection, token: str, audience: str) -> None:
    await socket.send(json.dumps({"type": "hello", "version": VERSION, "token": token, "audience": audience}))


async def bye_of(socket: ClientConnection) -> tuple[str, int | None, int | None]:
    """How the connection is ended: the code, when to come back, and the code of the socket."""
    bye: dict[str, Any] = {}
    async with asyncio.timeout(5):
        while bye.get("type") != "bye":
            bye = json.loads(await socket.recv())
        with pytest.raises(ConnectionClosed):
            await socket.recv()
    return bye["code"], bye["again_seconds"], socket.close_code


@pytest.mark.parametrize("audience", ["seat", "pit"])
@played
async def test_a_hello_that_cannot_be_served_is_told_why_at_once(tmp_path: Path, audience: str) -> None:
    async with a_failing_floor(tmp_path) as (rig, live, store):
        token = await (rig.token() if audience == "seat" else rig.sign_in("sue"))
        await fail(live, store)
        async with connect(rig.socket_url) as socket:
            await say_hello(socket, token, audience)
            assert await bye_of(socket) == UNREAD
        store.failing_reads = False
        async with connect(rig.socket_url) as socket:
            await say_hello(socket, token, audience)
            assert json.loads(await socket.recv())["type"] == "welcome"


@played
async def test_a_hello_that_is_being_served_for_long_is_not_called_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.server.session.HELLO_SECONDS", 0.2)
    async with a_floor(tmp_path) as rig:
        live, token = await rig.open_table(), await rig.token()
        with monkeypatch.context() as slow:
            slow.setattr(live.runner, "consistent_state", asyncio.Event().wait)
            async with connect(rig.socket_url) as socket:
                await say_hello(socket, token, "seat")
                assert await bye_of(socket) == UNREAD


@played
async def test_a_screen_that_cannot_have_its_snapshot_is_sent_away_and_comes_back(tmp_path: Path) -> None:
    async with (
        a_failing_floor(tmp_path) as (rig, live, store),
        await rig.seat() as seat,
        asyncio.timeout(20),
    ):
        first = seat.welcome
        await fail(live, store)
        await seat.resync()
        while live.hub.count:
            await asyncio.sleep(0.01)
        store.failing_reads = False
        await done(seat, c.BuyCredits(seat="1", cents=100_00))
        assert seat.welcome is not first


@played
async def test_a_repeated_cash_out_gives_its_voucher_though_the_journal_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        was_issued, failures = rig.floor.was_issued, [StoreError("No answer in time.")]

        async def fail_once(voucher: str) -> bool:
            if failures:
                raise failures.pop()
            return await was_issued(voucher)

        monkeypatch.setattr(rig.floor, "was_issued", fail_once)
        async with await rig.seat() as seat, asyncio.timeout(20):
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            given = await seat.send(CashOut(seat="1"))
            assert given.voucher is not None
            again = await seat.repeat(given.number, CashOut(seat="1"))
            assert (again.repeated, again.voucher, failures) == (True, given.voucher, [])

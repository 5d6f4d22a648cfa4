"""The client of integrators: whatever goes wrong, whoever waits hears of it."""

import asyncio
import socket
from collections.abc import Awaitable
from pathlib import Path
from typing import TypeVar

import pytest
from websockets.asyncio.server import ServerConnection, serve

from croupier.client import Connection, Ended
from croupier.protocol.telling import Told
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import FloorRig, a_floor

T = TypeVar("T")


async def soon(waiting: Awaitable[T]) -> T:
    """What comes within a while; a client that waits for ever has failed."""
    return await asyncio.wait_for(waiting, 10)


async def ended(waiting: Awaitable[object]) -> Ended:
    """How somebody who waits hears of the end."""
    with pytest.raises(Ended) as heard:
        await soon(waiting)
    return heard.value


def an_unused_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@played
async def test_where_nobody_listens_the_client_says_so_in_time() -> None:
    url = f"ws://127.0.0.1:{an_unused_port()}/ws"
    refused = await ended(Connection(url, "token", "seat", patience_seconds=0.2).__aenter__())
    assert refused.code == "no-floor"
    assert url in refused.sentence
    assert "Connect call failed" in refused.sentence
    assert len(asyncio.all_tasks()) == 1


@played
async def test_whoever_gives_up_waiting_leaves_no_client_behind() -> None:
    url = f"ws://127.0.0.1:{an_unused_port()}/ws"
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(Connection(url, "token", "seat", patience_seconds=None).__aenter__(), 0.2)
    assert len(asyncio.all_tasks()) == 1


@played
async def test_a_floor_may_be_given_by_the_address_of_its_pages(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with Connection(f"{rig.base_url}/ws", await rig.token(), "seat") as seat:
            assert seat.table is not None


@played
async def test_an_address_of_something_else_is_refused() -> None:
    refused = await ended(Connection("ftp://127.0.0.1/ws", "token", "seat").__aenter__())
    assert refused.code == "client-failed"
    assert "ftp://127.0.0.1/ws" in refused.sentence


@played
async def test_a_callback_that_fails_ends_the_client_and_whoever_waits_hears_why(tmp_path: Path) -> None:
    def told(news: Told) -> None:
        raise KeyError("a fault of the integrator's")

    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        seat = await soon((await rig.seat(told=told)).__aenter__())
        waiting = asyncio.create_task(seat.until(lambda seen: False))
        await rig.do("R1", c.OpenRound())
        failed = await ended(waiting)
        assert (failed.code, repr(failed.__cause__)) == (
            "client-failed",
            'KeyError("a fault of the integrator\'s")',
        )
        assert (await ended(seat.send(c.CallAttendant(seat="1")))).code == "client-failed"
        await seat.close()


@played
async def test_a_message_that_cannot_be_read_ends_the_client() -> None:
    async def newer(line: ServerConnection) -> None:
        await line.send('{"type":"a-message-of-a-newer-floor"}')
        await line.wait_closed()

    async with serve(newer, "127.0.0.1", 0) as floor:
        port = floor.sockets[0].getsockname()[1]
        refused = await ended(Connection(f"ws://127.0.0.1:{port}/ws", "token", "seat").__aenter__())
    assert refused.code == "client-failed"
    assert "a-message-of-a-newer-floor" in refused.sentence


@played
async def test_a_closed_client_takes_no_command_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        seat = await (await rig.seat()).__aenter__()
        waiting = asyncio.create_task(seat.until(lambda seen: False))
        await asyncio.sleep(0)
        await seat.close()
        assert (await ended(waiting)).code == "closed"
        assert (await ended(seat.send(c.CallAttendant(seat="1")))).code == "closed"
        assert (await ended(seat.repeat(1, c.CallAttendant(seat="1")))).code == "closed"


@played
async def test_one_number_sent_twice_at_once_is_answered_twice(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat() as seat:
            buy, other = c.BuyCredits(seat="1", cents=100), c.BuyCredits(seat="1", cents=200)
            sent = (seat.repeat(5, buy), seat.repeat(5, buy), seat.repeat(5, other))
            first, again, reused = await soon(asyncio.gather(*sent))
    assert (first.refused, first.repeated) == (None, False)
    assert (again.refused, again.repeated) == (None, True)
    assert reused.refused is not None
    assert reused.refused.code == "number-reused"


@played
async def test_a_cancel_of_whoever_closes_goes_through(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        assert await _closing_is_cancelled(rig)


async def _closing_is_cancelled(rig: FloorRig) -> bool:
    seat = await (await rig.seat()).__aenter__()
    closing = asyncio.create_task(seat.close())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.wait({closing})
    await seat.close()
    return closing.cancelled()

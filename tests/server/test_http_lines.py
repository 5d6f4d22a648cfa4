"""Connections before anything was asked: so many at once, and none is kept for half a request."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from litestar import Litestar, get
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from croupier.server import requesting
from croupier.server.input_limits import InputLimits
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import FloorRig, a_floor, done

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]
WHOLE = b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"


@get("/slow")
async def slow() -> str:
    """Takes longer than a request may take to come."""
    await asyncio.sleep(0.6)
    return "here"


def an_app(floor: object) -> Litestar:
    return Litestar([slow], logging_config=None, openapi_config=None)


async def line(rig: FloorRig, sent: bytes = b"") -> Line:
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(rig.socket_url).port)
    writer.write(sent)
    return reader, writer


async def rest(of: Line) -> bytes:
    """What still comes before the server ends the connection."""
    got = b""
    async with asyncio.timeout(60):
        try:
            while more := await of[0].read(65_536):
                got += more
        except ConnectionError:
            pass
    of[1].close()
    return got


@played
async def test_beyond_the_limit_a_connection_is_told_that_the_floor_is_full(tmp_path: Path) -> None:
    async with a_floor(tmp_path, input_limits=InputLimits(connections=3), app=an_app) as rig:
        await rig.open_table()
        silent = await line(rig)
        async with connect(rig.socket_url), await rig.seat() as seat:
            await done(seat, c.BuyCredits(seat="1", cents=100))
            answer = await rest(await line(rig, WHOLE))
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert b"\r\nRetry-After: 5\r\n" in answer
            with pytest.raises(InvalidStatus) as refusal:
                async with connect(rig.socket_url):
                    pass
            assert refusal.value.response.status_code == 503
            await done(seat, c.BuyCredits(seat="1", cents=100))
            silent[1].close()
            async with asyncio.timeout(60):
                while (await rest(await line(rig, WHOLE[:-2] + b"Connection: close\r\n\r\n")))[
                    9:12
                ] != b"200":
                    await asyncio.sleep(0.05)


HALVES = {
    "nothing": b"",
    "an empty line": b"\r\n",
    "headers": b"GET /slow HTTP/1.1\r\nHost: x\r\nX-A: ",
    "a body": b"POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{",
    "a second request": WHOLE + b"GET /slow HTTP/1.1\r\nHost",
}


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
@played
async def test_half_a_request_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, half: bytes
) -> None:
    monkeypatch.setattr(requesting, "REQUEST_SECONDS", 0.3)
    async with a_floor(tmp_path, app=an_app) as rig:
        got = await rest(await line(rig, half))
        assert got.count(b"HTTP/1.1 200 ") <= half.count(WHOLE)


@played
async def test_whoever_has_asked_may_wait_for_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requesting, "REQUEST_SECONDS", 0.3)
    async with a_floor(tmp_path, app=an_app) as rig:
        await rig.open_table()
        async with await rig.seat() as seat:
            reader, writer = await line(rig)
            for _ in range(2):
                writer.write(WHOLE)
                assert (await reader.readuntil(b"here")).startswith(b"HTTP/1.1 200 ")
            writer.close()
            await done(seat, c.BuyCredits(seat="1", cents=100))
            assert seat.is_connected


@pytest.mark.parametrize("piece", [b"a" * 1_000, b"\r\nX-%d: b" % 5], ids=["one header", "many headers"])
@played
async def test_headers_have_a_bound(tmp_path: Path, piece: bytes) -> None:
    async with a_floor(tmp_path, app=an_app) as rig:
        begun = await line(rig, b"GET /slow HTTP/1.1\r\nHost: x\r\nX-A: ")
        for _ in range(2 * requesting.LONGEST_HEAD // len(piece)):
            begun[1].write(piece)
        assert (await rest(begun)).startswith(b"HTTP/1.1 431 ")


@played
async def test_a_line_that_is_lost_leaves_nothing_behind_it_to_be_answered(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_floor(tmp_path, app=an_app) as rig:
        lost = await line(rig, WHOLE * 10)
        await lost[0].readuntil(b"here")
        lost[1].transport.abort()
        kept = await line(rig, WHOLE)
        await kept[0].readuntil(b"here")
        kept[1].close()
    assert [record.message for record in caplog.records if record.exc_info] == []


@played
async def test_thousands_of_requests_behind_each_other_are_not_taken(tmp_path: Path) -> None:
    async with a_floor(tmp_path, app=an_app) as rig:
        several, many = await line(rig, WHOLE * 3), await line(rig, WHOLE * 5_000)
        for _ in range(3):
            assert (await several[0].readuntil(b"here")).startswith(b"HTTP/1.1 200 ")
        several[1].close()
        assert (await rest(many)).count(b"here") < 20

"""One client that sends too much keeps nobody else waiting, and is shown out where it does not stop."""

import asyncio
import base64
import json
import socket as plain
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from croupier.protocol.asking import VERSION
from croupier.server import intake, socket
from croupier.server.input_limits import InputLimits
from croupier.server.socket import Socket
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import FloorRig, a_floor, done

FLOOD = 20_000
MANY = 8_000


def frame(text: str, first: int = 0x81) -> bytes:
    """A frame of a client whose mask changes nothing."""
    raw = text.encode()
    size = bytes((0x80 | len(raw),)) if len(raw) < 126 else bytes((0x80 | 126, *len(raw).to_bytes(2, "big")))
    return bytes((first,)) + size + bytes(4) + raw


class Raw:
    """A client that sends bytes as they are, and reads what it is told."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.told: list[dict[str, Any]] = []
        self.pongs = 0
        self.is_through = False
        """Whether the last ping of a flood was answered."""
        self.closed_with: int | None = None
        self._reading = asyncio.create_task(self._read())

    def send(self, data: bytes) -> None:
        self._writer.write(data)

    async def until(self, kind: str) -> dict[str, Any]:
        async with asyncio.timeout(60):
            while True:
                for message in self.told:
                    if message["type"] == kind:
                        return message
                await asyncio.sleep(0.01)

    async def over(self) -> None:
        async with asyncio.timeout(60):
            while self.closed_with is None:
                await asyncio.sleep(0.01)

    async def _read(self) -> None:
        while True:
            first, size = await self._reader.readexactly(2)
            if size == 126:
                size = int.from_bytes(await self._reader.readexactly(2), "big")
            elif size == 127:
                size = int.from_bytes(await self._reader.readexactly(8), "big")
            payload = await self._reader.readexactly(size)
            if first == 0x8A:
                self.pongs += 1
                self.is_through |= payload == b"the end"
            elif first == 0x88:
                self.closed_with = int.from_bytes(payload[:2], "big")
            else:
                self.told.append(json.loads(payload))

    def stop_reading(self) -> None:
        self._reading.cancel()

    def read_on(self) -> None:
        self._reading = asyncio.create_task(self._read())

    async def close(self) -> None:
        self._reading.cancel()
        self._writer.transport.abort()
        await asyncio.wait([self._reading])


@asynccontextmanager
async def raw(rig: FloorRig, token: str | None = None) -> AsyncIterator[Raw]:
    narrow = plain.socket()  # or the system would read ahead for a client that does not read
    narrow.setsockopt(plain.SOL_SOCKET, plain.SO_RCVBUF, 4096)
    narrow.setblocking(False)
    port = urlsplit(rig.socket_url).port
    await asyncio.get_running_loop().sock_connect(narrow, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=narrow)
    key = base64.b64encode(bytes(16)).decode()
    writer.write(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
    client = Raw(reader, writer)
    try:
        if token is not None:
            hello = {"type": "hello", "version": VERSION, "token": token, "audience": "seat"}
            client.send(frame(json.dumps(hello)))
            await client.until("snapshot")
        yield client
    finally:
        await client.close()


def buy(number: int, seat: str) -> bytes:
    do = {"type": "buy-credits", "seat": seat, "cents": 100}
    return frame(json.dumps({"type": "command", "number": number, "do": do}))


ALIVE = frame('{"type":"alive","at_ms":1}')
PING = frame("", 0x89)


@pytest.mark.parametrize(
    ("flood", "is_known"),
    [(ALIVE, False), (PING, False), (ALIVE, True), (PING, True), (buy(1, "2"), True)],
    ids=["alive, nobody", "pings, nobody", "alive", "pings", "commands"],
)
@played
async def test_a_flood_is_not_handled_before_everybody_else(
    tmp_path: Path, flood: bytes, is_known: bool
) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        token = await rig.token(seat="2") if is_known else None
        async with raw(rig, token) as flooding, await rig.seat("1") as seat:
            flooding.send(flood * FLOOD + frame("the end", 0x89))
            for _ in range(10):
                await done(seat, c.BuyCredits(seat="1", cents=100))
            assert not flooding.is_through
            assert flooding.pongs + len(flooding.told) < FLOOD / 4


@played
async def test_who_sends_too_much_and_does_not_stop_is_told_why_the_connection_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "_PATIENCE_SECONDS", 0.3)
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with raw(rig, await rig.token()) as flooding:
            flooding.send(PING * FLOOD)
            bye = await flooding.until("bye")
            await flooding.over()
            assert (bye["code"], bye["again_seconds"]) == ("too-fast", 5)
            assert flooding.closed_with == 1008
            assert flooding.pongs < FLOOD / 4


@played
async def test_a_burst_that_may_come_at_once_is_carried_out_in_order(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        async with raw(rig, await rig.token()) as client:
            commands = b"".join(buy(number, "1") + ALIVE for number in range(1, 181))
            client.send(commands[:-20])
            await asyncio.sleep(0.05)
            client.send(commands[-20:])
            async with asyncio.timeout(60):
                while len(answers := [told for told in client.told if told["type"] == "answer"]) < 180:
                    await asyncio.sleep(0.01)
        assert [answer["number"] for answer in answers] == [*range(1, 181)]
        assert all(answer.get("refused") is None for answer in answers)
        assert live.runner.state.credits_cents("1") == 18_000


@played
async def test_who_was_slowed_is_heard_in_full(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with raw(rig, await rig.token()) as client:
            client.send(ALIVE * 420 + buy(1, "1"))
            assert (await client.until("answer")).get("refused") is None


@played
async def test_answers_do_not_pile_up_for_a_client_that_never_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "MOST_WAITING_BYTES", 20_000)
    sockets: list[Socket] = []
    made = Socket.connection_made
    monkeypatch.setattr(
        Socket, "connection_made", lambda self, transport: (sockets.append(self), made(self, transport))
    )
    limits = InputLimits(rate=2_000, burst=500)
    async with a_floor(tmp_path, send_buffer=4096, input_limits=limits) as rig:
        await rig.open_table()
        async with raw(rig, await rig.token(seat="2")) as client:
            client.stop_reading()
            for number in range(1, MANY + 1):
                client.send(buy(number, "2"))
            (line,) = sockets
            async with asyncio.timeout(60):
                while not line._is_full:
                    await asyncio.sleep(0.01)
            waiting, before = 0, -1
            while waiting != before:
                await asyncio.sleep(0.5)
                before, waiting = waiting, line._transport.get_write_buffer_size()
            assert 20_000 <= waiting < 200_000
            client.read_on()
            async with asyncio.timeout(60):
                while sum(message["type"] == "answer" for message in client.told) < MANY:
                    await asyncio.sleep(0.01)

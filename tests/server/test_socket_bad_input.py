"""Whatever a client sends gets a coded answer or a clean close, and the books stay whole."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.protocol.asking import VERSION
from croupier.server.input_limits import InputLimits
from croupier.table import check
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import FloorRig, a_floor, done, refused


async def hello(rig: FloorRig, socket: ClientConnection, token: str, **facts: Any) -> None:
    message = {"type": "hello", "version": VERSION, "token": token, "audience": "seat", **facts}
    await socket.send(json.dumps(message))


async def told(socket: ClientConnection) -> dict[str, Any]:
    """The next message that is not a beat."""
    while True:
        message = json.loads(await socket.recv())
        if message["type"] != "beat":
            return dict(message)


async def until(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while (message := await told(socket))["type"] != kind:
        pass
    return message


NONSENSE = (
    b"",
    b"{",
    b"null",
    b"[]",
    b"17",
    b'"hello"',
    b"\xff\xfe",
    b'{"type": "command"}',
    b'{"type": "dance"}',
    b'{"type": "command", "number": "one", "do": {"type": "open-round"}}',
    b'{"type": "command", "number": 1, "do": {"type": "halt-table", "reason": "x"}}',
    b'{"type": "command", "number": 1, "do": {"type": "place-bets", "seat": "1", "stakes": [{}]}}',
    b'{"type": "command", "number": 1e99, "do": {"type": "open-round"}}',
    b'{"type": "alive", "at_ms": "now"}',
    b"[" * 10_000,
    b'{"type": "alive", "x": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    b'{"type": "command", "number": 1, "do": {"type": "buy-credits", "cents": 5, "seat": "%s"}}'
    % (b"x" * 201),
)


@pytest.mark.parametrize("raw", NONSENSE, ids=range(len(NONSENSE)))
@played
async def test_nonsense_is_answered_with_a_code_and_harms_nothing(tmp_path: Path, raw: bytes) -> None:
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        before = live.runner.state.sequence
        async with connect(rig.socket_url) as socket:
            await socket.send(raw)
            problem = await told(socket)
            assert (problem["type"], problem["code"]) == ("problem", "bad-message")
            await hello(rig, socket, await rig.token())
            await until(socket, "snapshot")
            await socket.send(raw)
            assert (await until(socket, "problem"))["code"] == "bad-message"
        assert live.runner.state.sequence == before


@played
async def test_a_command_that_cannot_be_read_is_told_by_its_number(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with connect(rig.socket_url) as socket:
            await hello(rig, socket, await rig.token())
            await until(socket, "snapshot")
            await socket.send('{"type": "command", "number": 17, "do": {"type": "decide", "round": null}}')
            assert (await until(socket, "problem"))["number"] == 17
            await socket.send('{"type": "command", "number": "17"}')
            assert "number" not in await until(socket, "problem")


@played
async def test_a_command_that_cannot_be_read_has_an_answer_in_python_too(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        round_number: Any = None
        async with await rig.console("shi") as console:
            answer = await console.send(c.Decide(ruling="none", reason="Nothing.", round=round_number))
            assert answer.refused is not None
            assert answer.refused.code == "bad-message"
            await done(console, c.OpenRound())


@played
async def test_who_sends_only_nonsense_is_shown_out(tmp_path: Path) -> None:
    async with (
        a_floor(tmp_path, input_limits=InputLimits(problems=3)) as rig,
        connect(rig.socket_url) as socket,
    ):
        for _ in range(5):
            await socket.send("nonsense")
        assert (await until(socket, "bye"))["code"] == "too-many-problems"


@played
async def test_a_message_that_is_too_long_closes_the_connection(tmp_path: Path) -> None:
    limits = InputLimits(message_bytes=1000)
    async with a_floor(tmp_path, input_limits=limits) as rig, connect(rig.socket_url) as socket:
        await socket.send("x" * 2000)
        with pytest.raises(ConnectionClosed) as closed:
            await told(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"version": VERSION + 1}, "wrong-version"),
        ({"token": "nobody"}, "unknown-token"),
        ({"token": ""}, "unknown-token"),
        ({"audience": "console", "table": "R1"}, "wrong-audience"),
        ({"audience": "pit"}, "wrong-audience"),
        ({"audience": "everything"}, "unknown-audience"),
        ({"table": "R2"}, "not-your-table"),
    ],
)
@played
async def test_a_hello_that_is_not_good_ends_with_its_reason(
    tmp_path: Path, facts: dict[str, Any], code: str
) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with connect(rig.socket_url) as socket:
            await hello(rig, socket, await rig.token(), **facts) if "token" not in facts else await hello(
                rig, socket, **facts
            )
            bye = await told(socket)
            assert (bye["type"], bye["code"], bye["again_seconds"]) == ("bye", code, None)
            with pytest.raises(ConnectionClosed):
                await told(socket)


@pytest.mark.parametrize(
    ("facts", "advice"),
    [
        ({"audience": "seat", "table": "R1"}, "enrol"),
        ({"audience": "wheel"}, "enrol"),
        ({"audience": "display", "table": None}, "enrol"),
        ({"audience": "display", "table": "R1"}, "sign in"),
        ({"audience": "console", "table": "R1"}, "sign in"),
        ({"audience": "pit"}, "sign in"),
    ],
)
@played
async def test_who_is_not_known_reads_what_to_do(tmp_path: Path, facts: dict[str, Any], advice: str) -> None:
    async with a_floor(tmp_path) as rig, connect(rig.socket_url) as socket:
        await hello(rig, socket, "nobody", **facts)
        bye = await told(socket)
        assert bye["code"] == "unknown-token"
        assert [each for each in ("enrol", "sign in") if each in bye["sentence"]] == [advice]


@played
async def test_nothing_is_done_before_a_hello(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig, connect(rig.socket_url) as socket:
        await socket.send('{"type": "command", "number": 1, "do": {"type": "open-round"}}')
        assert (await told(socket))["code"] == "hello-first"
        await socket.send('{"type": "resync"}')
        assert (await told(socket))["code"] == "hello-first"


@played
async def test_a_second_hello_is_refused_and_the_first_one_holds(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with connect(rig.socket_url) as socket:
            await hello(rig, socket, await rig.token())
            await until(socket, "snapshot")
            await hello(rig, socket, await rig.token(seat="2"))
            assert (await until(socket, "problem"))["code"] == "hello-twice"


@played
async def test_pages_of_other_sites_may_not_connect(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        for origin, status in (("http://evil.example", 403), ("null", 403), ("http://[::1", 403)):
            with pytest.raises(InvalidStatus) as refusal:
                async with connect(rig.socket_url, origin=origin):  # type: ignore[arg-type]
                    pass
            assert refusal.value.response.status_code == status
        twice = [("Origin", "http://evil.example")]
        with pytest.raises(InvalidStatus) as refusal:
            async with connect(rig.socket_url, origin=rig.origin, additional_headers=twice):  # type: ignore[arg-type]
                pass
        assert refusal.value.response.status_code == 403
        async with connect(rig.socket_url, origin=rig.origin):  # type: ignore[arg-type]
            pass


@played
async def test_only_one_place_is_for_sockets(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        with pytest.raises(InvalidStatus) as refusal:
            async with connect(rig.socket_url + "/elsewhere"):
                pass
        assert refusal.value.response.status_code == 404
        reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(rig.socket_url).port)
        key = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
        asked = b"GET //[x/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        writer.write(asked + key + b"\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 404 ")
        writer.close()


@pytest.mark.parametrize(
    "body", [b"Content-Length: 5\r\n\r\nhello", b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"]
)
@played
async def test_a_request_for_a_socket_that_cannot_be_read_is_answered(tmp_path: Path, body: bytes) -> None:
    """Without an answer a proxy takes the server for one that has failed, and sends nobody there."""
    async with a_floor(tmp_path) as rig:
        reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(rig.socket_url).port)
        asked = b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        key = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        writer.write(asked + key + body)
        head, _, text = (await reader.read()).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 ")
        assert text == b"A WebSocket is asked for by a whole request without a body.\n"
        writer.close()


@played
async def test_too_many_bets_and_too_many_commands_are_refused(tmp_path: Path) -> None:
    limits = InputLimits(bets=3, rate=1, burst=3)
    async with a_floor(tmp_path, input_limits=limits) as rig:
        await rig.open_table()
        async with await rig.seat() as seat:
            stakes = tuple(c.Stake(f"straight:{number}", 100) for number in range(1, 5))
            assert await refused(seat, c.PlaceBets(seat="1", stakes=stakes)) == "too-many-bets"
            for _ in range(3):
                await done(seat, c.BuyCredits(seat="1", cents=100))
            assert await refused(seat, c.BuyCredits(seat="1", cents=100)) == "too-fast"
            assert seat.seat.credits_cents == 300


@played
async def test_replayed_and_reordered_numbers_change_nothing(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        async with await rig.seat() as seat:
            buy = c.BuyCredits(seat="1", cents=100)
            await seat.repeat(5, buy)
            again = await seat.repeat(5, buy)
            other = await seat.repeat(5, c.BuyCredits(seat="1", cents=200))
            earlier = await seat.repeat(4, buy)
            assert again.repeated
            assert other.refused.code == "number-reused"
            assert earlier.refused is None
            assert live.runner.state.credits_cents("1") == 200


@pytest.mark.parametrize("seed", range(6))
@played
async def test_a_flood_of_anything_leaves_the_books_whole(tmp_path: Path, seed: int) -> None:
    lots = random.Random(seed)
    async with a_floor(tmp_path, input_limits=InputLimits(problems=10_000, rate=10_000, burst=10_000)) as rig:
        live = await rig.open_table()
        await rig.do("R1", c.OpenRound())
        async with connect(rig.socket_url) as socket:
            await hello(rig, socket, await rig.token())
            await until(socket, "snapshot")
            numbers = []
            for _ in range(300):
                raw, number = _anything(lots)
                await socket.send(raw)
                if number is not None:
                    numbers.append(number)
            await socket.send(
                '{"type": "command", "number": 999999, "do": {"type": "clear-bets", "seat": "1"}}'
            )
            answered = []
            while (message := await told(socket)).get("number") != 999999:
                if message["type"] == "answer":
                    answered.append(message["number"])
            assert sorted(answered) == sorted(numbers)
        state = await live.runner.consistent_state()
        assert check(state) == []
        assert all(seat.staked_cents == 0 for seat in state.seats.values() if seat.id != "1")


def _anything(lots: random.Random) -> tuple[bytes, int | None]:
    """A message that may or may not be one, and its number where it is a readable command."""
    number = lots.randrange(1, 60)
    seat = lots.choice(["1", "1", "1", "2", "9", ""])
    stake = {
        "bet": lots.choice(["red", "straight:7", "straight:99", "tiers", ""]),
        "cents": lots.choice([100, 2_500, 0, -100, 10**30 if lots.random() < 0.2 else 10**9]),
    }
    do: dict[str, Any] = lots.choice(
        [
            {"type": "place-bets", "seat": seat, "stakes": [stake] * lots.randrange(4)},
            {"type": "take-bets", "seat": seat, "stakes": [stake]},
            {"type": "move-bet", "seat": seat, "source": "red", "destination": stake["bet"], "cents": 100},
            {"type": "clear-bets", "seat": seat},
            {"type": "buy-credits", "seat": seat, "cents": lots.choice([10_000, -1, 0])},
            {"type": "cash-out", "seat": seat},
            {"type": "open-round"},
            {"type": "confirm-result", "result": "7"},
            {"type": "pay-by-attendant", "seat": seat},
        ]
    )
    raw = json.dumps({"type": "command", "number": number, "do": do}).encode()
    if lots.random() < 0.15:
        cut = bytearray(raw)
        for _ in range(lots.randrange(1, 4)):
            cut[lots.randrange(len(cut))] = lots.randrange(256)
        return b"\x00" + bytes(cut), None
    is_readable = all(abs(each["cents"]) <= 2**53 for each in do.get("stakes", []))
    return raw, number if is_readable else None


@played
async def test_a_client_that_never_says_hello_does_not_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.server.session.HELLO_SECONDS", 0.05)
    async with a_floor(tmp_path) as rig, connect(rig.socket_url) as socket:
        bye = await told(socket)
        assert (bye["code"], bye["again_seconds"]) == ("no-hello", 1)


@played
async def test_a_client_that_falls_silent_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.server.session.HELLO_SECONDS", 0.5)
    monkeypatch.setattr("croupier.server.session.BEAT_SECONDS", 0.05)
    monkeypatch.setattr("croupier.server.session.SILENT_SECONDS", 0.6)
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        token = await rig.token()
        async with connect(rig.socket_url) as socket, await rig.seat("2") as alive:
            await hello(rig, socket, token)
            assert (await until(socket, "bye"))["code"] == "silent"
            await asyncio.sleep(0)
            assert alive.is_connected

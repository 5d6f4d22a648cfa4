"""The line itself: opened, lost, opened again, asked where it is silent, refused where it cannot be had."""

import asyncio
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from croupier.floor import ManualClock
from croupier.rulebook import BadInput
from croupier.wheel import line_source, port
from croupier.wheel.emulator import SPEAKS, USER_STARTS, EmulatedWheel
from croupier.wheel.emulator_wire import PtyWire, TcpWire, Wire
from croupier.wheel.line_source import LineSource
from croupier.wheel.recording import LINE, LOST, OPENED, Heard
from croupier.wheel.signals import Fault, Ready, Signal
from floor.sim_live import turns
from loops import on_both_loops
from wheel.wheel_rig import SeenClock

STATUS = b"*X;2;007;17;0;251;1\r\n"
kinds = pytest.mark.parametrize("kind", ["pty", "tcp"])


def wire_of(kind: str) -> Wire:
    return PtyWire() if kind == "pty" else TcpWire("127.0.0.1", 0)


class Asked:
    """What a wheel was asked, and what it answers."""

    def __init__(self, answer: Callable[[bytes], bytes] = lambda data: b"") -> None:
        self._answer = answer
        self.all = b""
        self._news = asyncio.Event()

    def take(self, data: bytes) -> bytes:
        self.all += data
        self._news.set()
        return self._answer(data)

    async def until(self, command: bytes, count: int = 1) -> None:
        """Until it was asked so often; the line needs its time, however busy the machine is."""
        while self.all.count(command) < count:
            self._news.clear()
            await self._news.wait()


class Listening:
    """A source with somebody who listens."""

    def __init__(self, address: str) -> None:
        self.clock = SeenClock(1_000)
        self.heard: list[Heard] = []
        self.signals: list[Signal] = []
        self._news = asyncio.Event()
        self.source = LineSource(address, 37, self.clock, note=self._note)
        self._task = asyncio.create_task(self._listen())

    def _note(self, heard: Heard) -> None:
        self.heard.append(heard)
        self._news.set()

    async def _listen(self) -> None:
        async for signal in self.source:
            self.signals.append(signal)
            self._news.set()

    async def until(self, what: str, count: int = 1) -> Heard:
        while sum(heard.what == what for heard in self.heard) < count:
            self._news.clear()
            await self._news.wait()
        return [heard for heard in self.heard if heard.what == what][count - 1]

    async def until_signal(self, kind: type[Signal]) -> Signal:
        while not any(isinstance(signal, kind) for signal in self.signals):
            self._news.clear()
            await self._news.wait()
        return next(signal for signal in self.signals if isinstance(signal, kind))

    async def close(self) -> None:
        await self.source.close()
        await self._task


@kinds
@on_both_loops
async def test_a_line_is_opened_read_and_asked_how_many_pockets_the_wheel_has(kind: str) -> None:
    wire, asked = wire_of(kind), Asked(lambda data: b"*T 37\r\n")
    await wire.open(asked.take)
    listening = Listening(wire.address)
    await asked.until(b"*T\r\n")
    assert (await listening.until(LINE)).text == "*T 37"
    assert asked.all == b"*T\r\n"
    await wire.send(STATUS[:7])
    await wire.send(STATUS[7:])
    assert (await listening.until(LINE, 2)).text == STATUS.decode().strip()
    assert isinstance(await listening.until_signal(Ready), Ready)
    await listening.close()
    await wire.close()


@kinds
@on_both_loops
async def test_a_line_that_is_cut_is_a_fault_and_is_opened_again_a_second_later(kind: str) -> None:
    wire, asked = wire_of(kind), Asked()
    await wire.open(asked.take)
    listening = Listening(wire.address)
    await asked.until(b"*T\r\n")
    await wire.hang_up()
    assert (await listening.until(LOST)).text
    fault = await listening.until_signal(Fault)
    assert isinstance(fault, Fault)
    assert fault.code == "line-lost"
    listening.clock.advance(999)
    await turns(5)
    assert listening.heard[-1].what == LOST
    listening.clock.advance(1)
    await listening.until(OPENED, 2)
    await listening.close()
    await wire.close()


@pytest.mark.parametrize("address", ["/dev/does-not-exist", "127.0.0.1:1"])
@on_both_loops
async def test_a_line_that_cannot_be_opened_is_a_fault_and_tried_again(address: str) -> None:
    listening = Listening(address)
    await listening.until(LOST)
    fault = await listening.until_signal(Fault)
    assert isinstance(fault, Fault)
    assert (fault.code, bool(fault.detail)) == ("line-lost", True)
    listening.clock.advance(1_000)
    await listening.until(LOST, 2)
    assert len(listening.signals) == 1, "it is told once"
    await listening.close()


@contextmanager
def unanswered() -> Iterator[str]:
    """An address that answers nothing, as behind a firewall: one waits there already, and no more may."""
    with socket.socket() as listener, socket.socket() as first, socket.socket() as second:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        first.connect(listener.getsockname())
        select.select([listener], [], [])
        second.setblocking(False)
        second.connect_ex(listener.getsockname())
        yield f"127.0.0.1:{listener.getsockname()[1]}"


@on_both_loops
async def test_an_address_that_never_answers_is_silent_like_a_line_that_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(port, "OPENING_MS", 3_600_000)  # the clock of the test alone says how late it is
    with unanswered() as address:
        listening = Listening(address)
        for _ in range(4):
            await listening.clock.step(500)
        fault = await listening.until_signal(Fault)
        assert isinstance(fault, Fault)
        assert (fault.code, fault.at_ms) == ("line-lost", 3_000)
        await listening.close()


@on_both_loops
async def test_an_address_that_never_answers_is_given_up_and_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(port, "OPENING_MS", 20)
    with unanswered() as address:
        listening = Listening(address)
        assert (await listening.until(LOST)).text == f"{address} does not answer"
        assert isinstance(await listening.until_signal(Fault), Fault)
        listening.clock.advance(1_000)
        await listening.until(LOST, 2)
        assert len(listening.signals) == 1, "it is told once"
        await listening.close()


@on_both_loops
async def test_a_source_that_fails_does_not_fall_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    async def break_down(address: str) -> port.Port:
        raise ZeroDivisionError(address)

    monkeypatch.setattr(line_source, "open_port", break_down)
    source = LineSource("127.0.0.1:4001", 37, ManualClock())
    for _ in range(2):  # whoever listens again has the line opened anew
        with pytest.raises(ZeroDivisionError, match="4001"):
            await anext(aiter(source))
    await source.close()


@on_both_loops
async def test_whoever_hangs_up_on_every_call_is_called_more_rarely_and_reported_once() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"A converter\r\nThe port is in use\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        listening = Listening(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
        for count, pause_ms in enumerate((1_000, 2_000, 4_000, 8_000, 8_000), 1):
            await listening.until(LOST, count)
            for _ in range(pause_ms // 500):
                assert len([heard for heard in listening.heard if heard.what == OPENED]) == count
                await listening.clock.step(500)
        await listening.until(LOST, 6)
        await listening.close()
    faults = [signal.code for signal in listening.signals if isinstance(signal, Fault)]
    assert faults == ["line-garbled", "line-lost"]


@on_both_loops
async def test_a_file_that_is_no_serial_port_is_a_line_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no port")
    listening = Listening(str(tmp_path / "file"))
    assert "cannot be opened as a serial port" in (await listening.until(LOST)).text
    await listening.close()


@kinds
@on_both_loops
async def test_a_wheel_that_does_not_speak_by_itself_is_asked(kind: str) -> None:
    wire, wheel = wire_of(kind), EmulatedWheel(37, Random(1), mode=0)
    for _ in range(20):
        wheel.tick()
    await wire.open(wheel.take)
    listening = Listening(wire.address)
    await listening.until(LINE)
    for count in (2, 3, 4):
        for _ in range(2):
            await listening.clock.step(500)
        assert (await listening.until(LINE, count)).text.startswith("*X;2;")
    await listening.close()
    assert [type(signal) for signal in listening.signals] == [Ready] * 3
    await wire.close()


@kinds
@on_both_loops
async def test_a_wheel_that_stays_silent_is_lost_and_still_asked(kind: str) -> None:
    wire, asked = wire_of(kind), Asked()
    await wire.open(asked.take)
    listening = Listening(wire.address)
    await listening.until(OPENED)
    for _ in range(4):
        await listening.clock.step(500)
    fault = await listening.until_signal(Fault)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.at_ms) == ("line-lost", 3_000)
    await asked.until(b"*X\r\n", 3)
    for _ in range(8):
        await listening.clock.step(500)
    await asked.until(b"*X\r\n", 11)  # it goes on asking after the line is lost
    await wire.send(STATUS * 2)
    await listening.until_signal(Ready)
    await listening.close()
    await wire.close()


@kinds
@on_both_loops
async def test_a_wheel_that_says_another_number_of_pockets_is_asked_again(kind: str) -> None:
    wire, asked = wire_of(kind), Asked(lambda data: b"*T 38\r\n" * data.count(b"*T\r\n"))
    await wire.open(asked.take)
    listening = Listening(wire.address)
    await listening.until(LINE)
    assert listening.signals == []
    await listening.clock.step(500)
    await listening.until(LINE, 2)
    fault = await listening.until_signal(Fault)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.detail) == ("wrong-wheel", "it has 38 pockets, and the book has 37")
    await listening.close()
    await wire.close()


@kinds
@on_both_loops
async def test_a_wheel_that_was_silent_is_asked_again_how_many_pockets_it_has(kind: str) -> None:
    wire, asked = wire_of(kind), Asked()
    await wire.open(asked.take)
    listening = Listening(wire.address)
    await asked.until(b"*T\r\n")
    await wire.send(STATUS)
    await listening.until(LINE)
    for _ in range(4):
        await listening.clock.step(500)
    await listening.until_signal(Fault)
    assert asked.all.count(b"*T\r\n") == 1
    await wire.send(STATUS)
    await listening.until(LINE, 2)
    await listening.clock.step(500)
    await asked.until(b"*T\r\n", 2)
    await listening.close()
    await wire.close()


@kinds
@on_both_loops
async def test_a_game_is_started_on_the_wheel(kind: str) -> None:
    wire = wire_of(kind)
    wheel = EmulatedWheel(37, Random(1), mode=SPEAKS | USER_STARTS)
    asked = asyncio.Event()

    def take(data: bytes) -> bytes:
        if b"*u 1" in data:
            asked.set()
        return wheel.take(data)

    await wire.open(take)
    listening = Listening(wire.address)
    await listening.until(LINE)
    await listening.source.start_game()
    await asked.wait()
    await listening.close()
    await listening.source.start_game()  # it does nothing where the line is closed
    await wire.close()


def test_a_wheel_that_speaks_no_such_line_is_refused() -> None:
    with pytest.raises(BadInput, match="no sensor wheel with 52 places"):
        LineSource("127.0.0.1:4001", 52, ManualClock())

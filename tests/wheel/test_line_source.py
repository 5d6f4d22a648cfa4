"""The line itself: opened, lost, opened again, asked where it is silent, refused where it cannot be had."""

import asyncio
import os
import select
import socket
import tty
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
from floor.sim_live import played, turns

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


class SeenClock(ManualClock):
    """A clock that stands still, and that shows until when somebody sleeps."""

    def __init__(self, now_ms: int) -> None:
        super().__init__(now_ms)
        self._asleep: set[int] = set()
        self._news = asyncio.Event()

    async def sleep_until(self, at_ms: int) -> None:
        self._asleep.add(at_ms)
        self._news.set()
        await super().sleep_until(at_ms)

    async def step(self, ms: int) -> None:
        """Moves on once somebody sleeps until then: whoever is late would sleep past the next step."""
        while self.now_ms() + ms not in self._asleep:
            self._news.clear()
            await self._news.wait()
        self.advance(ms)


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
@played
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
@played
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
@played
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


@played
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


@played
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


@pytest.mark.parametrize("address", ["a..b:4001", ".:4001", f"{'a' * 64}.example:4001", "[a..b]:4001"])
@played
async def test_a_name_that_no_host_can_have_is_refused_and_cannot_be_opened(address: str) -> None:
    with pytest.raises(BadInput, match="is no address: no host has such a name") as found:
        LineSource(address, 37, ManualClock())
    assert found.value.code == "bad-address"
    with pytest.raises(OSError, match="is no name of a host"):
        await port.open_port(address)


@played
async def test_a_source_that_fails_does_not_fall_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    async def break_down(address: str) -> port.Port:
        raise ZeroDivisionError(address)

    monkeypatch.setattr(line_source, "open_port", break_down)
    source = LineSource("127.0.0.1:4001", 37, ManualClock())
    with pytest.raises(ZeroDivisionError, match="4001"):
        await anext(aiter(source))
    await source.close()


@played
async def test_a_file_that_is_no_serial_port_is_a_line_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no port")
    listening = Listening(str(tmp_path / "file"))
    assert "cannot be opened as a serial port" in (await listening.until(LOST)).text
    await listening.close()


@kinds
@played
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
@played
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
@played
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
@played
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
@played
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


@played
async def test_a_serial_port_is_set_to_what_the_wheel_speaks() -> None:
    import termios

    near, far = os.openpty()
    tty.setraw(far)
    opened = port.open_serial(os.ttyname(far))
    _, _, cflag, _, ispeed, ospeed, _ = termios.tcgetattr(far)
    assert ispeed == ospeed == termios.B9600
    assert cflag & termios.CSIZE == termios.CS8
    assert not cflag & (termios.PARENB | termios.CSTOPB | termios.CRTSCTS)
    opened.close()
    assert await opened.read() == b""
    os.close(near)
    os.close(far)


def test_without_pyserial_a_serial_port_is_refused_and_tcp_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match="needs the library pyserial") as found:
        LineSource("/dev/ttyUSB0", 37, ManualClock())
    assert found.value.code == "no-pyserial"
    port.check_address("127.0.0.1:4001")


def test_a_wheel_that_speaks_no_such_line_is_refused() -> None:
    with pytest.raises(BadInput, match="no sensor wheel with 52 places"):
        LineSource("127.0.0.1:4001", 52, ManualClock())


@pytest.mark.parametrize(
    ("address", "tcp"),
    [
        ("localhost:4001", ("localhost", 4001)),
        ("10.0.0.7:1", ("10.0.0.7", 1)),
        ("[::1]:65535", ("::1", 65535)),
        ("COM3", None),
        ("localhost:0", None),
        ("localhost:65536", None),
        ("localhost:", None),
        ("/dev/tty:1", None),
        ("::1:4001", None),
    ],
)
def test_which_addresses_are_tcp(address: str, tcp: tuple[str, int] | None) -> None:
    assert port.is_tcp(address) == tcp

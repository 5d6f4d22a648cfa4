"""What a line can be opened on, and how it is set."""

import asyncio
import os
import tty

import pytest

from croupier.floor import ManualClock
from croupier.rulebook import BadInput
from croupier.wheel import port
from croupier.wheel.line_source import LineSource
from loops import on_both_loops


@on_both_loops
async def test_a_connection_that_is_closed_takes_nothing_and_says_so_on_either_loop() -> None:
    calls: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
    server = await asyncio.start_server(lambda reader, writer: calls.put_nowait(writer), "127.0.0.1", 0)
    async with server:
        opened = await port.open_port(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
        (await calls.get()).close()
        assert await opened.read() == b""
        opened.close()
        for _ in range(3):
            with pytest.raises(ConnectionError):
                await opened.write(b"*T\r\n")
            await asyncio.sleep(0)


@pytest.mark.parametrize("address", ["a..b:4001", ".:4001", f"{'a' * 64}.example:4001", "[a..b]:4001"])
@on_both_loops
async def test_a_name_that_no_host_can_have_is_refused_and_cannot_be_opened(address: str) -> None:
    with pytest.raises(BadInput, match="is no address: no host has such a name") as found:
        LineSource(address, 37, ManualClock())
    assert found.value.code == "bad-address"
    with pytest.raises(OSError, match="is no name of a host"):
        await port.open_port(address)


@on_both_loops
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

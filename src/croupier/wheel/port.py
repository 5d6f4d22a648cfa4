"""The line itself: a serial port or a TCP connection."""

import asyncio
import contextlib
import os
import re
import select
import socket
from importlib.util import find_spec
from typing import Any, Final, Protocol

from croupier.rulebook import BadInput

BAUD: Final = 9600
OPENING_MS: Final = 2_000
"""How long an address may take to answer; the system itself would go on for minutes."""
_TCP: Final = re.compile(r"(?:\[(?P<v6>[^\]]+)\]|(?P<host>[^:/\[\]]+)):(?P<port>[0-9]+)")

_LAST_PORT: Final = 65_535


class Port(Protocol):
    """An open line."""

    async def read(self) -> bytes:
        """What has come; empty where the other end is gone."""

    async def write(self, data: bytes) -> None:
        """Sends something."""

    def close(self) -> None:
        """Lets go of the line."""


def host_and_port(address: str) -> tuple[str, int] | None:
    """Host and port of an address that has them.

    >>> host_and_port("127.0.0.1:4001"), host_and_port("[::1]:0"), host_and_port("/dev/ttyUSB0")
    (('127.0.0.1', 4001), ('::1', 0), None)
    """
    match = _TCP.fullmatch(address)
    if match is None or len(match["port"]) > len(str(_LAST_PORT)) or int(match["port"]) > _LAST_PORT:
        return None
    return match["v6"] or match["host"], int(match["port"])


def is_tcp(address: str) -> tuple[str, int] | None:
    """Host and port of an address that can be opened; None where it is the path of a serial port."""
    found = host_and_port(address)
    return found if found is not None and found[1] else None


async def open_port(address: str) -> Port:
    """Opens a line; raises `OSError` where that is not possible now."""
    tcp = is_tcp(address)
    return await _open_tcp(*tcp) if tcp is not None else open_serial(address)


class _TcpPort:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read(self) -> bytes:
        """What has come."""
        return await self._reader.read(4096)

    async def write(self, data: bytes) -> None:
        """Sends something."""
        try:
            self._writer.write(data)
        except RuntimeError as error:  # what uvloop says where the connection has just been closed
            raise ConnectionResetError("the connection is closed") from error
        await self._writer.drain()

    def close(self) -> None:
        """Hangs up."""
        self._writer.close()


async def _open_tcp(host: str, port: int) -> Port:
    # The time limit leaves the lookup of a name out: one that is given up would go on in its thread, and with
    # many of them there would be no thread left for anything else.
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise OSError(f"{host!r} is no name of a host") from error
    failure = OSError(f"{host!r} has no address")
    for family, kind, protocol, _, address in found:
        try:
            async with asyncio.timeout(OPENING_MS / 1000):
                return await _connect(socket.socket(family, kind, protocol), address)
        except TimeoutError:
            failure = OSError(f"{host}:{port} does not answer")
        except OSError as error:
            failure = error
    raise failure


async def _connect(connection: socket.socket, address: Any) -> Port:
    connection.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(connection, address)
        return _TcpPort(*await asyncio.open_connection(sock=connection))
    except BaseException:
        connection.close()
        raise


def check_host(address: str) -> None:
    """Refuses an address whose host cannot be the name of one."""
    found = host_and_port(address)
    if found is None:
        return
    try:
        found[0].encode("idna")
    except UnicodeError as error:
        raise BadInput(
            "bad-address",
            f"{address!r} is no address: no host has such a name.",
            "Write it as in 127.0.0.1:4001; the parts of a name have 1 to 63 characters between dots.",
        ) from error


def check_address(address: str) -> None:
    """Refuses what can never be opened: no host or port, a serial port where nothing can speak to one."""
    check_host(address)
    tcp = is_tcp(address)
    if tcp is None and _TCP.fullmatch(address) is not None:
        raise BadInput(
            "bad-address",
            f"{address!r} is no address: no host has such a port.",
            f"Write it as in 127.0.0.1:4001; ports go from 1 to {_LAST_PORT}.",
        )
    if tcp is None and find_spec("serial") is None:
        raise BadInput(
            "no-pyserial",
            "A wheel on a serial port needs the library pyserial, which is not installed.",
            "Install croupier[wheel].",
        )


def open_serial(path: str) -> Port:
    """A serial port, set to what the wheel speaks: 9600 bits a second, 8N1, no flow control."""
    import serial  # an extra: only tables with a sensor wheel on a serial port need it

    try:
        return _SerialPort(serial.Serial(path, BAUD, timeout=0, write_timeout=0))
    except (serial.SerialException, ValueError) as error:
        raise OSError(f"{path} cannot be opened as a serial port") from error


class _SerialPort:
    def __init__(self, serial: Any) -> None:
        self._serial = serial
        self._fd: int = serial.fileno()
        self._ready = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._fd, self._ready.set)
        self._is_open = True

    async def read(self) -> bytes:
        """What has come; a port that is pulled out reads as gone."""
        while True:
            await self._ready.wait()
            if not self._is_open:
                return b""
            self._ready.clear()
            with contextlib.suppress(BlockingIOError):
                data = os.read(self._fd, 4096)
                if data:
                    return data
                # A serial port reads empty where nothing has come; one that is gone does so for ever.
                if select.select([self._fd], [], [], 0)[0]:
                    return os.read(self._fd, 4096)

    async def write(self, data: bytes) -> None:
        """Sends something; commands are a few bytes, which a serial port always takes."""
        os.write(self._fd, data)

    def close(self) -> None:
        """Lets go of the port."""
        if self._is_open:
            self._is_open = False
            self._loop.remove_reader(self._fd)
            self._ready.set()
            self._serial.close()

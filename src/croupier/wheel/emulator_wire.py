"""The emulated wheel's end of the line: a pseudo-terminal or a TCP port."""

import asyncio
import contextlib
import os
import tempfile
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from croupier.floor.clock import Clock
from croupier.rulebook import BadInput
from croupier.wheel.emulator import TICK_MS, EmulatedWheel


class Wire(Protocol):
    """Where an emulated wheel is heard."""

    address: str
    """What the other side opens."""

    async def open(self, take: Callable[[bytes], bytes]) -> None:
        """Begins to listen; `take` gets what comes in and gives what is answered."""

    async def send(self, data: bytes) -> None:
        """Sends to whoever listens; where nobody does it is lost, as on any line."""

    async def hang_up(self) -> None:
        """Cuts the line; it can be opened again at once."""

    async def close(self) -> None:
        """Ends it."""


class PtyWire:
    """A pseudo-terminal behind a link, so that it has the same path after the line was cut."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="croupier-wheel-")
        self._link = Path(self._folder.name) / "wheel"
        self.address = str(self._link)
        self._ends: tuple[int, int] | None = None
        self._take: Callable[[bytes], bytes] = lambda data: b""

    async def open(self, take: Callable[[bytes], bytes]) -> None:
        """Makes the terminal."""
        self._take = take
        self._make()

    def _make(self) -> None:
        # Our own hold on the other end keeps the line up while nobody listens.
        near, far = self._ends = os.openpty()
        tty.setraw(far)
        os.set_blocking(near, False)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(os.ttyname(far))
        asyncio.get_running_loop().add_reader(near, self._read, near)

    def _read(self, near: int) -> None:
        with contextlib.suppress(OSError):
            if answer := self._take(os.read(near, 4096)):
                os.write(near, answer)

    async def send(self, data: bytes) -> None:
        """Sends; what does not fit because nobody reads is lost."""
        if self._ends is not None:
            with contextlib.suppress(BlockingIOError):
                os.write(self._ends[0], data)

    async def hang_up(self) -> None:
        """Closes the terminal and makes another one at the same path."""
        self._let_go()
        self._make()

    async def close(self) -> None:
        """Ends it."""
        self._let_go()
        self._folder.cleanup()

    def _let_go(self) -> None:
        if self._ends is not None:
            asyncio.get_running_loop().remove_reader(self._ends[0])
            for end in self._ends:
                os.close(end)
            self._ends = None


class TcpWire:
    """A TCP port; everybody who connects hears the wheel."""

    def __init__(self, host: str, port: int) -> None:
        self.address = f"{host}:{port}"
        self._host, self._port = host, port
        self._server: asyncio.Server | None = None
        self._listeners: set[asyncio.StreamWriter] = set()
        self._take: Callable[[bytes], bytes] = lambda data: b""

    async def open(self, take: Callable[[bytes], bytes]) -> None:
        """Opens the port; 0 takes a free one."""
        self._take = take
        try:
            self._server = await asyncio.start_server(self._serve, self._host, self._port)
        except OSError as error:
            raise BadInput(
                "address-taken",
                f"The wheel cannot be heard at {self.address}: {error.strerror or error}.",
                "Use a free port of an address of this machine; 0 takes a free one.",
            ) from error
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"[{self._host}]:{port}" if ":" in self._host else f"{self._host}:{port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._listeners.add(writer)
        try:
            while (data := await reader.read(4096)) and not writer.is_closing():
                writer.write(self._take(data))
        except OSError:
            pass  # it hung up
        finally:
            self._listeners.discard(writer)
            writer.close()

    async def send(self, data: bytes) -> None:
        """Sends to everybody who listens."""
        for writer in [*self._listeners]:
            with contextlib.suppress(OSError):
                writer.write(data)
                await writer.drain()

    async def hang_up(self) -> None:
        """Hangs up on everybody."""
        for writer in [*self._listeners]:
            writer.close()
        self._listeners.clear()

    async def close(self) -> None:
        """Ends it."""
        if self._server is not None:
            self._server.close()
        await self.hang_up()


async def send_tick(wheel: EmulatedWheel, wire: Wire) -> None:
    """Half a second of the wheel's life, on the line."""
    for piece in wheel.tick():
        await wire.send(piece)
    if wheel.hangs_up:
        wheel.hangs_up = False
        await wire.hang_up()


async def run_wheel(
    wheel: EmulatedWheel,
    wire: Wire,
    clock: Clock,
    *,
    speed: float = 1.0,
    spins: int | None = None,
    tell: Callable[[], None] = lambda: None,
) -> None:
    """Lets a wheel live at so many times its own speed, for so many spins; calls `tell` with each tick."""
    began_ms, number = clock.now_ms(), 0
    while spins is None or sum(spin.ended for spin in wheel.spins) < spins:
        await send_tick(wheel, wire)
        tell()
        number += 1
        await clock.sleep_until(began_ms + round(number * TICK_MS / speed))

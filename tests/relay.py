"""A line between a server and what it needs, which breaks in the ways in which networks break.

A connection that is closed is the kindest of them: both ends know. Here bytes can also be held up without a
word, in both directions or in one, for a while or for ever, or arrive late.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

_NATS_PORT, _POSTGRES_PORT = 4222, 5432


class _Way:
    """One direction."""

    def __init__(self) -> None:
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.delay_seconds = 0.0


class _Line:
    """One connection, from whoever has connected to what it wanted."""

    def __init__(self, *writers: asyncio.StreamWriter) -> None:
        self.writers = writers
        self.is_forgotten = False
        """Whether nothing of it, nor its end, ever reaches the other side."""


class Relay:
    """Passes on what comes, until a test breaks it; it has a thread, so that tests of any kind can use it."""

    def __init__(self, address: str) -> None:
        """`address` is that of a NATS or PostgreSQL server."""
        self._target = address
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="relay", daemon=True)
        self._there, self._back = _Way(), _Way()
        self._lines: list[_Line] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._listening: asyncio.Server | None = None
        self._port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self._run(self._listen())
        return self

    def __exit__(self, *exception: object) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def address(self) -> str:
        """The address of the same server by way of this line."""
        parts = urlsplit(self._target)
        user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
        return f"{parts.scheme}://{user}127.0.0.1:{self._port}{parts.path}"

    def hold(self, *, there: bool = True, back: bool = True) -> None:
        """Holds up what is sent there, what is sent back, or both; no connection ends, and none is made."""
        for way, is_held in ((self._there, there), (self._back, back)):
            if is_held:
                self._call(way.is_open.clear)

    def release(self) -> None:
        """Passes on what was held up, and what comes from now on."""
        self._call(self._there.is_open.set)
        self._call(self._back.is_open.set)

    def forget(self) -> None:
        """Never passes on anything of the connections that there are, as a network that has been away.

        Neither side is told; new connections are passed on.
        """
        self._call(self._forget)

    def delay(self, seconds: float) -> None:
        """Passes everything on so much later, and at most twice as much."""
        self._there.delay_seconds = self._back.delay_seconds = seconds

    def cut(self) -> None:
        """Ends all connections, and takes no more."""
        self._run(self._cut())

    def mend(self) -> None:
        """Takes connections again."""
        self._run(self._listen())

    def _forget(self) -> None:
        for line in self._lines:
            line.is_forgotten = True
        self._there.is_open.set()
        self._back.is_open.set()

    async def _listen(self) -> None:
        self._listening = await asyncio.start_server(self._connected, "127.0.0.1", self._port)
        self._port = self._listening.sockets[0].getsockname()[1]

    async def _cut(self) -> None:
        assert self._listening is not None
        self._listening.close()
        for line in self._lines:
            for writer in line.writers:
                writer.transport.abort()
        self._lines.clear()

    async def _close(self) -> None:
        await self._cut()
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = self._loop.create_task(self._carry(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not (self._there.is_open.is_set() and self._back.is_open.is_set()):
            self._lines.append(_Line(writer))  # nobody at the other end has heard of it
            return
        try:
            inside, out = await self._connect()
        except OSError:
            writer.transport.abort()
            return
        line = _Line(writer, out)
        self._lines.append(line)
        await asyncio.gather(
            self._pass(self._there, line, reader, out), self._pass(self._back, line, inside, writer)
        )

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self._target)
        folder = parse_qs(parts.query).get("host")
        if folder:
            return await asyncio.open_unix_connection(Path(folder[0], f".s.PGSQL.{_POSTGRES_PORT}"))
        port = parts.port or (_NATS_PORT if parts.scheme == "nats" else _POSTGRES_PORT)
        return await asyncio.open_connection(parts.hostname, port)

    async def _pass(
        self, way: _Way, line: _Line, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(OSError):
            while True:
                content = await _read(reader)
                await asyncio.sleep(way.delay_seconds)
                await way.is_open.wait()
                if line.is_forgotten:
                    return
                if not content:
                    break
                writer.write(content)
                await writer.drain()
        writer.close()

    def _call(self, act: Callable[[], object]) -> None:
        """Has something done between two turns of the loop, and returns once it is."""

        async def done() -> None:
            act()

        self._run(done())

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()


async def _read(reader: asyncio.StreamReader) -> bytes:
    """What comes next; nothing at the end, however the connection ends."""
    try:
        return await reader.read(65_536)
    except OSError:
        return b""

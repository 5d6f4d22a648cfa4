"""The terminals of a floor under load: a WebSocket client as lean as one can be."""

import asyncio
import base64
import os
import struct
from collections.abc import Callable


class Client(asyncio.Protocol):
    """A WebSocket client as lean as one can be, so that the server is what is measured."""

    def __init__(self, told: Callable[["Client", bytes], None]) -> None:
        self.told = told
        self.number = 0
        self._buffer = bytearray()
        self._open = False
        self.opened = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for a WebSocket."""
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(  # type: ignore[attr-defined]
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def send(self, message: bytes) -> None:
        """Sends a text; a mask of zeros leaves the bytes as they are."""
        size = len(message)
        head = bytes([0x81, 0x80 | size]) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
        self.transport.write(head + b"\0\0\0\0" + message)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        """Takes frames apart."""
        buffer = self._buffer
        buffer += data
        if not self._open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                raise RuntimeError(bytes(buffer[:200]).decode())
            del buffer[: end + 4]
            self._open = True
            self.opened.set_result(None)
        at = 0
        while len(buffer) - at >= 2:
            size, head = buffer[at + 1] & 0x7F, 2
            if size == 126:
                if len(buffer) - at < 4:
                    break
                size, head = int.from_bytes(buffer[at + 2 : at + 4], "big"), 4
            elif size == 127:
                if len(buffer) - at < 10:
                    break
                size, head = int.from_bytes(buffer[at + 2 : at + 10], "big"), 10
            if len(buffer) - at < head + size:
                break
            if buffer[at] & 0x0F == 1:
                self.told(self, bytes(buffer[at + head : at + head + size]))
            at += head + size
        if at:
            del buffer[:at]


async def connect(port: int, told: Callable[[Client, bytes], None]) -> Client:
    _, client = await asyncio.get_running_loop().create_connection(lambda: Client(told), "127.0.0.1", port)
    await client.opened
    return client

"""The bound for a broadcast: a bare loop that sends the same bytes to the same number of clients.

The same WebSocket library speaks with the clients. A message from the first client, which is how many bytes
to send, has that much sent to everybody.
"""

import asyncio
import json
import sys
from typing import cast

import uvloop
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

CLIENTS: "list[Bare]" = []


class Bare(asyncio.Protocol):
    """One client of the bare server."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has come."""
        self.transport = cast(asyncio.Transport, transport)  # uvloop's own is no subclass
        self.protocol = ServerProtocol()

    def data_received(self, data: bytes) -> None:
        """Shakes hands, or sends to everybody."""
        self.protocol.receive_data(data)
        for event in self.protocol.events_received():
            if isinstance(event, Request):
                self.protocol.send_response(self.protocol.accept(event))
                CLIENTS.append(self)
            elif isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                frame = Frame(Opcode.TEXT, b"x" * int(bytes(event.data))).serialize(mask=False)
                for client in CLIENTS:
                    client.transport.write(frame)
        for data in self.protocol.data_to_send():
            self.transport.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """A client has gone."""
        if self in CLIENTS:
            CLIENTS.remove(self)


def told_to_stop(stop: asyncio.Event) -> None:
    asyncio.get_running_loop().remove_reader(sys.stdin)
    stop.set()


async def main() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Bare, "127.0.0.1", 0, backlog=4096)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    stop = asyncio.Event()
    loop.add_reader(sys.stdin, told_to_stop, stop)
    await stop.wait()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())

"""HTTP connections as uvicorn serves them, with bounds: so many, so large, and none for half a request."""

import asyncio
from typing import Any, Final

from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from croupier.server.addresses import SHARE_TAKEN, AddressShares

REQUEST_SECONDS: Final = 15
"""How long a whole request may take to come; a body has 64 KiB at most."""
STALLED_SECONDS: Final = 60
"""How long a client may leave an answer unread."""
MOST_PIPELINED: Final = 16
"""Requests that may wait behind one that is being answered; browsers send none."""
LONGEST_HEAD: Final = 65_536
"""Bytes that an address and its headers may take before they end."""
_LEAVE_SECONDS: Final = 1

_FULL: Final = "The floor is full: it takes no more connections for the moment.\n"
_TOO_LONG: Final = f"The address and the headers of a request have {LONGEST_HEAD // 1024} KiB at most.\n"


def _answer(status: str, sentence: str, more: str = "") -> bytes:
    """An answer before anybody has looked at what is asked."""
    return (
        f"HTTP/1.1 {status}\r\nServer: croupier\r\n{more}Connection: close\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\nContent-Length: {len(sentence)}\r\n\r\n{sentence}"
    ).encode()


class Requests(HttpToolsProtocol):
    """One connection before it becomes a WebSocket, and for good where it does not."""

    most_connections: int
    shares: AddressShares

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._is_turned_away = self._is_upgraded = False
        self._expecting: asyncio.TimerHandle | None = None
        """When the rest of a request has to be there."""
        self._stalled: asyncio.TimerHandle | None = None
        self._is_in_head = False
        self._head_bytes = 0
        self._answering: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """The connection begins, unless there are too many."""
        super().connection_made(transport)
        has_share = self.shares.come(transport)
        if len(self.connections) > self.most_connections or not has_share:
            why = _FULL if has_share else SHARE_TAKEN
            self._turn_away(_answer("503 Service Unavailable", why, "Retry-After: 5\r\n"))
        else:
            self._expect_request()

    def _turn_away(self, answer: bytes) -> None:
        """Says so at once, whatever the client wants; it has a moment to read it."""
        self._is_turned_away = True
        self.connections.discard(self)
        self.transport.write(answer)
        self._is_there()
        self._expecting = self.loop.call_later(_LEAVE_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self.shares.gone(self.transport)
        self._is_there()
        self.resume_writing()
        # uvicorn lets go of the newest request alone; what is being answered or waits has nobody either.
        for cycle in (self._answering, *(cycle for cycle, _ in self.pipeline)):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        self.pipeline.clear()
        super().connection_lost(exc)

    # Requests

    def _expect_request(self) -> None:
        if self._expecting is None:
            self._expecting = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _is_there(self) -> None:
        if self._expecting is not None:
            self._expecting.cancel()
            self._expecting = None

    def data_received(self, data: bytes) -> None:
        """Takes bytes from the client."""
        if self._is_turned_away:
            return
        super().data_received(data)
        if self._is_in_head:
            self._head_bytes += len(data)
            if self._head_bytes > LONGEST_HEAD:
                self._turn_away(_answer("431 Request Header Fields Too Large", _TOO_LONG))
                return
        # Empty lines are no beginning of a request, and end the time that uvicorn gives an idle connection.
        is_idle = self.cycle is None or self.cycle.response_complete
        if is_idle and not self._is_upgraded:
            self._expect_request()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._expect_request()
        self._is_in_head, self._head_bytes = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """What is asked is known; too many at once are refused as uvicorn refuses what it cannot read."""
        self._is_in_head = False
        if len(self.pipeline) >= MOST_PIPELINED:
            raise ValueError("too many requests at once")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """A request has come whole."""
        self._is_there()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """From here on it is a WebSocket, with bounds of its own."""
        super().handle_websocket_upgrade()
        self._is_there()
        self._is_upgraded = True

    # Answers

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """A request was answered; more is read when those that wait behind it were answered, too."""
        super().on_response_complete()
        if self.pipeline:
            self.flow.pause_reading()

    def pause_writing(self) -> None:
        """The client reads too slowly."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


def requests_for(connections: int, the_shares: AddressShares) -> type[asyncio.Protocol]:
    """The class of HTTP connections to a floor that takes so many, WebSockets among them."""

    class FloorRequests(Requests):
        most_connections = connections
        shares = the_shares

    return FloorRequests

"""WebSocket connections as uvicorn hands them over, without ASGI in between: bytes in, frames out."""

import asyncio
from http import HTTPStatus
from typing import Any, Final, cast

from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.exceptions import InvalidMessage
from websockets.frames import DATA_OPCODES, Frame
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from croupier.server.addresses import SHARE_TAKEN, AddressShares, in_one_form, peer_of
from croupier.server.floor import Floor
from croupier.server.frames import cut_frame
from croupier.server.intake import Intake
from croupier.server.session import POLICY, Session

PATH: Final = "/ws"
MOST_WAITING_BYTES: Final = 256 * 1024
"""What may wait for a slow client before it is told a snapshot instead of every event."""
CLOSE_SECONDS: Final = 5
_UNREADABLE: Final = "A WebSocket is asked for by a whole request without a body.\n"
_END_OF_REQUEST: Final = b"\r\n\r\n"


class Socket(asyncio.Protocol):
    """One WebSocket connection."""

    floor: Floor
    shares: AddressShares

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._loop = _loop or asyncio.get_event_loop()
        self._connections = server_state.connections
        self._protocol = ServerProtocol(max_size=self.floor.input_limits.message_bytes)
        self._transport: asyncio.Transport
        self._session: Session | None = None
        self._parts: list[bytes] = []
        self._rest = b""
        """The beginning of a frame whose end has not come yet, or frames that wait for their turn."""
        self._intake = Intake(self.floor.input_limits)
        self._left = 0
        """How many frames may be handled before the intake is asked for more."""
        self._waiting: asyncio.TimerHandle | None = None
        """When it goes on with what waits; nothing is read before."""
        self._is_full = False
        """Whether the client leaves unread what it is told; nothing is read from it meanwhile."""
        self._closing: asyncio.TimerHandle | None = None
        self._named: str | None = None
        """Whose share it is counted in, where a proxy has passed it on."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection begins."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own is no subclass
        self._transport.set_write_buffer_limits(high=MOST_WAITING_BYTES)
        self._connections.add(self)  # type: ignore[arg-type]  # uvicorn lists its own protocols; it only calls shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self._connections.discard(self)
        self.shares.gone(self._transport)  # it was counted when it came, as a request
        self.shares.gone_from(self._named)
        for timer in (self._closing, self._waiting):
            if timer is not None:
                timer.cancel()
        if self._session is not None:
            self._session.gone()

    def pause_writing(self) -> None:
        """The client reads too slowly. What it asks meanwhile would only add to the answers that wait."""
        self._is_full = True
        self._transport.pause_reading()
        if self._session is not None:
            self._session.behind()

    def resume_writing(self) -> None:
        """The client has read what waited."""
        self._is_full = False
        self._read_on()
        if self._session is not None:
            self._session.caught_up()

    def data_received(self, data: bytes) -> None:
        """Takes bytes from the client: the request for the connection, then frames."""
        if self._session is None:
            request, end, data = data.partition(_END_OF_REQUEST)
            self._leave_to_library(request + end)
        if not data:
            return
        if self._rest:
            data, self._rest = self._rest + data, b""
        if self._waiting is not None:  # what was on its way when reading stopped
            self._rest = data
            return
        if not self._left:
            self._left = self._intake.portion()
        self._handle(data)

    def _handle(self, data: bytes) -> None:
        """Handles frames as far as it is their turn: whole messages at once, anything else by the library."""
        at, session, most_bytes = 0, self._session, self.floor.input_limits.message_bytes
        while at < len(data) and session is not None:
            if not self._left:
                self._rest = data[at:]
                self._transport.pause_reading()
                self._waiting = self._loop.call_later(0, self._go_on)
                return
            cut = cut_frame(data, at, most_bytes)
            if cut is None:
                self._rest = data[at:]
                return
            self._left -= 1
            end, text = cut
            if text is not None and not self._parts and self._protocol.state is State.OPEN:
                session.receive(text)
            else:
                self._leave_to_library(data[at:end])
            at = end

    def _go_on(self) -> None:
        """The others have had their turn: more is handled, unless it is too much for the time being."""
        self._left = self._intake.portion()
        if self._left:
            data, self._rest, self._waiting = self._rest, b"", None
            self._handle(data)
            self._read_on()
        elif self._intake.is_worth_waiting():
            self._waiting = self._loop.call_later(self._intake.seconds, self._go_on)
        elif self._session is not None:
            # It stays unread until the connection is closed, so that it costs nothing any more.
            self._session.end("too-fast", "This client sends too much, and does not stop.", 5, POLICY)

    def _read_on(self) -> None:
        if self._waiting is None and not self._is_full and not self._transport.is_closing():
            self._transport.resume_reading()

    def _leave_to_library(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        if isinstance(self._protocol.handshake_exc, InvalidMessage) and not self._transport.is_closing():
            # The library leaves without a word, and a proxy takes that for a server that has failed.
            response = self._protocol.reject(HTTPStatus.BAD_REQUEST, _UNREADABLE)
            response.headers["Server"] = "croupier"
            self._transport.write(response.serialize())
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._shake_hands(event)
            elif isinstance(event, Frame):
                self._take(event)
        self._send_protocol()

    def eof_received(self) -> None:
        """The client has said its last."""
        if self._rest and self._waiting is None:
            self._protocol.receive_data(self._rest)
        self._protocol.receive_eof()
        self._send_protocol()

    def _shake_hands(self, request: Request) -> None:
        address = self._address_of(request)
        response = self._refusal(request, address) or self._protocol.accept(request)
        response.headers["Server"] = "croupier"
        self._protocol.send_response(response)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self._session = Session(self.floor, self, address)

    def _address_of(self, request: Request) -> str:
        """Where the client is; what a proxy says of it counts only from a proxy of ours."""
        address = peer_of(self._transport) or "unknown"
        if address in self.floor.proxies:
            for named in reversed(",".join(request.headers.get_all("X-Forwarded-For")).split(",")):
                client = in_one_form(named.strip())
                if client not in ("", *self.floor.proxies):
                    return client
        return address

    def _refusal(self, request: Request, address: str) -> Response | None:
        if request.path.partition("?")[0] != PATH:
            return self._protocol.reject(HTTPStatus.NOT_FOUND, f"Tables are spoken to at {PATH}.\n")
        host = "".join(request.headers.get_all("Host"))
        if not all(self.floor.is_own_origin(origin, host) for origin in request.headers.get_all("Origin")):
            return self._protocol.reject(HTTPStatus.FORBIDDEN, "Pages of other sites may not connect.\n")
        if not self.floor.takes_connections:
            return self._turn_away("The floor is full or closing.\n")
        if address != peer_of(self._transport):
            self._named = address
            if not self.shares.come_from(address):
                return self._turn_away(SHARE_TAKEN)
        return None

    def _turn_away(self, sentence: str) -> Response:
        response = self._protocol.reject(HTTPStatus.SERVICE_UNAVAILABLE, sentence)
        response.headers["Retry-After"] = "5"
        return response

    def _take(self, frame: Frame) -> None:
        if frame.opcode in DATA_OPCODES:
            if frame.fin and not self._parts:
                self._receive(frame.data)
                return
            self._parts.append(bytes(frame.data))
            if frame.fin:
                whole, self._parts = b"".join(self._parts), []
                self._receive(whole)

    def _receive(self, raw: bytes | bytearray | memoryview) -> None:
        if self._session is not None:
            self._session.receive(bytes(raw))

    def _send_protocol(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()
        if self._protocol.close_expected() and self._closing is None:
            self._closing = self._loop.call_later(CLOSE_SECONDS, self._transport.abort)

    def write(self, frames: list[bytes]) -> None:
        """Sends frames that are ready to go."""
        if self._protocol.state is State.OPEN:
            self._transport.write(frames[0] if len(frames) == 1 else b"".join(frames))

    def close(self, code: int) -> None:
        """Ends the connection once everything was sent."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(code)
            self._send_protocol()

    def shutdown(self) -> None:
        """The server stops."""
        if self._session is not None:
            self._session.end("closing", "The server stops; come back soon.", 2, 1001)
        else:
            self._transport.close()


def sockets_for(the_floor: Floor, the_shares: AddressShares) -> type[asyncio.Protocol]:
    """The class of connections to a floor."""

    class FloorSocket(Socket):
        floor = the_floor
        shares = the_shares

    return FloorSocket

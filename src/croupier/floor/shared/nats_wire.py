"""One connection to a NATS server: the lines that are written to it and read from it.

The protocol of clients is small and documented at docs.nats.io/reference/reference-protocols/nats-protocol.
It is spoken here, and not by the `nats-py` package, because a bus has to forget what it could not send, to
keep the order over all subjects and to give up a connection that hangs: that package keeps what was unsent
for the next connection, has a queue for each subscription, waits for a dead peer before it connects anew,
closes for good at any error of the server, and speaks unencrypted to a `tls://` address if the server asks
it to.
"""

import asyncio
import logging
import ssl
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple, cast

import msgspec

from croupier import __version__
from croupier.floor.shared.bus import BusError, Heard

LOG: Final = logging.getLogger("croupier.floor")

BEAT_SECONDS: Final = 2.0
SILENT_BEATS: Final = 3
"""A server that answered none of so many beats is taken for dead, whatever else comes from it.

What comes does not show that anything arrives there: a network may pass on one direction alone.
"""
UNSENT_BYTES: Final = 64 * 1024 * 1024
"""So much may wait for the network; what comes on top is dropped."""
LONGEST_LINE: Final = 1024 * 1024
"""What a server says about itself names the whole cluster, so that its line may be long."""


class Server(NamedTuple):
    """Where a server is."""

    host: str
    port: int
    tls: bool

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Login(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who connects, as a server wants to be told."""

    name: str
    user: str | None = None
    password: str | None = msgspec.field(default=None, name="pass")
    auth_token: str | None = None


class _Information(msgspec.Struct, frozen=True):
    """What a server says about itself."""

    max_payload: int = 1024 * 1024
    headers: bool = False
    tls_required: bool = False
    tls_available: bool = False


async def open_wire(server: Server, login: Login, hear: Callable[[int, Heard], None]) -> "Wire":
    """Connects to a server; raises `OSError` where that fails, and `BusError` where trying again is vain."""
    loop = asyncio.get_running_loop()
    raw, wire = await loop.create_connection(lambda: Wire(hear), server.host, server.port)
    try:
        information = await wire.information
        if server.tls and not (information.tls_required or information.tls_available):
            # Whoever pretends to be the server could otherwise have the password in the clear.
            raise BusError(f"The NATS server at {server} does not offer TLS, which its address asks for.")
        if server.tls or information.tls_required:
            await wire.encrypt(server.host)
        await wire.log_in(login, information)
    except BaseException as error:
        wire.end("the connection was not completed")
        raw.abort()
        if isinstance(error, ssl.SSLCertVerificationError):
            sentence = (
                f"The certificate of the NATS server at {server} is not trusted: {error.verify_message}."
            )
            raise BusError(sentence) from error
        if wire.refusal:
            raise BusError(wire.refusal.format(server)) from error
        raise
    return wire


class Wire(asyncio.Protocol):
    """The connection, from the first line of the server on."""

    def __init__(self, hear: Callable[[int, Heard], None]) -> None:
        loop = asyncio.get_running_loop()
        self.information: asyncio.Future[_Information] = loop.create_future()
        self.ended = asyncio.Event()
        self.gone = asyncio.Event()
        self.reason = ""
        self.refusal = ""
        """Why trying again would be vain, with a place for the server's name."""
        self.max_payload = 0
        self._hear = hear
        self._loop = loop
        self._transport: asyncio.Transport | None = None
        self._is_open = False
        self._logging_in = False
        self._unread = bytearray()
        self._pongs: deque[asyncio.Future[None] | None] = deque()
        self._beat: asyncio.TimerHandle | None = None
        self._silent_beats = 0
        self._full = False

    async def encrypt(self, host: str) -> None:
        """Goes on with TLS, before anything that matters was said."""
        assert self._transport is not None
        if self._unread or self.ended.is_set():
            raise ConnectionError(self.reason or "something was said unencrypted after the first line")
        context = ssl.create_default_context()
        encrypted = await self._loop.start_tls(self._transport, self, context, server_hostname=host)
        if encrypted is None:
            raise ConnectionError("the connection ended before it was encrypted")
        self._transport = encrypted

    async def log_in(self, login: Login, information: _Information) -> None:
        """Says who connects, and returns once the server agrees."""
        self.max_payload = information.max_payload
        self._is_open = self._logging_in = True
        connect = {
            "verbose": False,
            "pedantic": False,
            "lang": "python",
            "version": __version__,
            "protocol": 1,
            "headers": information.headers,
            "no_responders": information.headers,
            **msgspec.to_builtins(login),
        }
        self._write(b"CONNECT %b\r\n" % msgspec.json.encode(connect))
        await self.round_trip()
        self._logging_in = False
        self._beat = self._loop.call_later(BEAT_SECONDS, self._ask_for_life)

    def subscribe(self, number: int, subject: str) -> None:
        """Asks for what is sent on a subject."""
        self._write(b"SUB %b %d\r\n" % (subject.encode(), number))

    def unsubscribe(self, number: int) -> None:
        """Asks for no more of it."""
        self._write(b"UNSUB %d\r\n" % number)

    def publish(self, subject: str, data: bytes, reply_to: str) -> None:
        """Sends a message, unless too much of what was sent before has not left yet."""
        if self._transport is None or self.ended.is_set():
            return
        if self._transport.get_write_buffer_size() + len(data) > UNSENT_BYTES:
            if not self._full:
                self._full = True
                LOG.error(
                    "NATS takes messages too slowly: with %d bytes unsent, more are dropped", UNSENT_BYTES
                )
            return
        where = f"{subject} {reply_to}" if reply_to else subject
        self._write(b"PUB %b %d\r\n%b\r\n" % (where.encode(), len(data), data))

    async def round_trip(self) -> None:
        """Returns once the server has dealt with all that was written, or raises `ConnectionError`."""
        if self.ended.is_set():
            raise ConnectionError(self.reason)
        pong: asyncio.Future[None] = self._loop.create_future()
        self._pongs.append(pong)
        self._write(b"PING\r\n")
        await pong

    def end(self, reason: str) -> None:
        """Ends the connection at once; what is unsent is forgotten."""
        if self.ended.is_set():
            return
        self.reason = reason
        self.ended.set()
        if self._beat is not None:
            self._beat.cancel()
        for waiting in (self.information, *self._pongs):
            if waiting is not None and not waiting.done():
                waiting.set_exception(ConnectionError(reason))
                waiting.exception()  # whoever waited may have been cancelled in the same moment
        self._pongs.clear()
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called once the server's machine has accepted the connection."""
        # It can be written to, though that of uvloop does not say so.
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called once the connection is no more."""
        self.end(str(exc) if exc else "the server closed the connection")
        self.gone.set()

    def data_received(self, data: bytes) -> None:
        """Takes apart what has come."""
        self._unread += data
        try:
            self._read()
        except (ValueError, IndexError, msgspec.MsgspecError):
            self.refusal = "What answers at {} is no NATS server, or one that breaks the protocol."
            self.end("the server broke the protocol")

    def _read(self) -> None:
        unread, start = self._unread, 0
        while not self.ended.is_set():
            end = unread.find(b"\r\n", start)
            if end < 0:
                if len(unread) - start > LONGEST_LINE:
                    raise ValueError
                break
            line = bytes(unread[start:end])
            if line.startswith((b"MSG ", b"HMSG ")):
                _, subject, number, *reply_to, size = line.split()
                head = int(reply_to.pop()) if line.startswith(b"H") else 0
                body = end + 2
                after = body + int(size)
                if not (self._is_open and body <= body + head <= after):
                    raise ValueError
                if len(unread) < after + 2:
                    break
                nobody = head > 0 and unread.startswith(b"NATS/1.0 503", body)
                heard = Heard(
                    subject.decode(),
                    bytes(unread[body + head : after]),
                    reply_to[0].decode() if reply_to else "",
                    nobody,
                )
                start = after + 2
                self._hear(int(number), heard)
            else:
                start = end + 2
                self._read_control(line)
        del unread[:start]

    def _read_control(self, line: bytes) -> None:
        if line.startswith(b"INFO "):
            if not self.information.done():
                self.information.set_result(msgspec.json.decode(line[5:], type=_Information))
        elif line == b"PING":
            self._write(b"PONG\r\n")
        elif line == b"PONG":
            pong = self._pongs.popleft()
            self._silent_beats = 0
            if pong is not None and not pong.done():
                pong.set_result(None)
        elif line.startswith(b"-ERR"):
            self._read_error(line[4:].decode().strip(" '"))
        elif line != b"+OK":
            raise ValueError

    def _read_error(self, error: str) -> None:
        if error.startswith("Permissions Violation"):
            LOG.error("NATS does not allow this: %s", error)
            return
        if self._logging_in and error.startswith(("Authorization", "User Authentication", "Account")):
            says = f"it says {error!r} to the user and password, or the lack of them"
            self.refusal = f"The NATS server at {{}} refuses the connection: {says}."
        self.end(f"the server said {error!r}")

    def _ask_for_life(self) -> None:
        if self._silent_beats >= SILENT_BEATS:
            self.end(f"the server has answered nothing in {BEAT_SECONDS * SILENT_BEATS:g} s")
            return
        self._silent_beats += 1
        self._pongs.append(None)
        self._write(b"PING\r\n")
        self._beat = self._loop.call_later(BEAT_SECONDS, self._ask_for_life)

    def _write(self, line: bytes) -> None:
        if self._transport is not None and not self.ended.is_set():
            self._transport.write(line)

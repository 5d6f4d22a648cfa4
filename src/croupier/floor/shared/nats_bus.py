"""A bus over NATS, which comes back by itself whenever it can."""

import asyncio
import logging
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from croupier.floor.shared.bus import BusError, Heard
from croupier.floor.shared.nats_wire import Login, Server, Wire, open_wire

LOG: Final = logging.getLogger("croupier.floor")

ATTEMPT_SECONDS: Final = 2.0
"""A server that accepts a connection and then says nothing does not keep the others from being asked."""
PAUSE_SECONDS: Final = 0.25
CLOSING_SECONDS: Final = 1.0
PORT: Final = 4222

_SUBJECT: Final = re.compile(r"[^\s.*>]+(\.[^\s.*>]+)*")
_PATTERN: Final = re.compile(r"(\*|[^\s.*>]+)(\.(\*|[^\s.*>]+))*(\.>)?")
_MALFORMED: Final = (
    "This is no address of NATS: that is nats://host:port or tls://host:port, user:password@ before the host"
    " if needed, and several servers of one cluster, of one scheme and one user, are separated by commas."
)


class NatsListening:
    """What is heard on one subject."""

    def __init__(self, bus: "NatsBus", number: int, subject: str, hear: Callable[[Heard], None]) -> None:
        self.subject = subject
        self.hear = hear
        self._bus = bus
        self._number = number

    async def stop(self) -> None:
        """Hears nothing from now on."""
        self._bus.forget(self._number)


class NatsBus:
    """Sends and hears over one connection, in the order of its messages, over all of their subjects.

    What was sent before the connection was lost and what is sent while it is may be lost; nothing of it
    arrives later. What listens goes on listening once there is a connection again.
    """

    def __init__(self, servers: tuple[Server, ...], login: Login) -> None:
        self._servers = servers
        self._login = login
        self._wire: Wire | None = None
        self._up = False
        self._closed = False
        self._largest = 0
        self._numbers = 0
        self._listenings: dict[int, NatsListening] = {}
        self._keeping: asyncio.Task[None] | None = None

    @classmethod
    async def connect(
        cls, address: str, *, name: str = "croupier", patience_seconds: float = 5.0
    ) -> "NatsBus":
        """Connects to a server, or to one of several; raises `BusError` where that does not succeed."""
        servers, login = _read_address(address, name)
        bus = cls(servers, login)
        failures: list[str] = []
        try:
            async with asyncio.timeout(patience_seconds):
                await bus._open(failures.append)
        except TimeoutError:
            tried = ", ".join(map(str, servers))
            last = f" ({failures[-1]})" if failures else ""
            sentence = f"No NATS server answers at {tried} within {patience_seconds:g} s{last}."
            raise BusError(sentence) from None
        bus._keeping = asyncio.create_task(bus._keep_up(), name="croupier-nats")
        return bus

    @property
    def is_up(self) -> bool:
        """Whether there is a connection that the server knows everything that listens of."""
        return self._up and self._wire is not None and not self._wire.ended.is_set()

    async def listen(self, subject: str, hear: Callable[[Heard], None]) -> NatsListening:
        """Hears what is sent on a subject: all of it once this has returned.

        While there is no connection it returns at once, and hears once there is one.
        """
        if not _PATTERN.fullmatch(subject):
            raise ValueError(f"Nothing can be heard on {subject!r}: it is no subject of NATS.")
        if self._closed:
            raise BusError("The connection to NATS is closed.")
        self._numbers += 1
        number = self._numbers
        listening = self._listenings[number] = NatsListening(self, number, subject, hear)
        if self._wire is not None:
            self._wire.subscribe(number, subject)
            try:
                with suppress(ConnectionError):
                    await self._wire.round_trip()
            except BaseException:
                self.forget(number)  # nobody would be left to stop it
                raise
        return listening

    def forget(self, number: int) -> None:
        """Ends what listens under this number."""
        if self._listenings.pop(number, None) is not None and self._wire is not None:
            self._wire.unsubscribe(number)

    def send(self, subject: str, data: bytes, reply_to: str = "") -> None:
        """Sends a message at once, or drops it where there is no connection."""
        for written in (subject, reply_to) if reply_to else (subject,):
            if not _SUBJECT.fullmatch(written):
                raise ValueError(f"Nothing can be sent to {written!r}: it is no subject of NATS.")
        if len(data) > self._largest:
            raise ValueError(f"A message of {len(data)} bytes is too large: NATS takes {self._largest} here.")
        if self.is_up and self._wire is not None:
            self._wire.publish(subject, data, reply_to)

    async def close(self) -> None:
        """Ends the connection; what was sent before leaves first, if the server takes it soon."""
        self._closed, self._up = True, False
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.wait({self._keeping})
        self._listenings.clear()
        if self._wire is not None:
            with suppress(ConnectionError, TimeoutError):
                async with asyncio.timeout(CLOSING_SECONDS):
                    await self._wire.round_trip()
            self._wire.end("the bus is closed")
            await self._wire.gone.wait()

    async def _keep_up(self) -> None:
        while True:
            assert self._wire is not None
            await self._wire.ended.wait()
            self._up = False
            LOG.warning("The connection to NATS is lost: %s", self._wire.reason)
            # A server that ends every connection at once is not asked for the next one without a breath.
            await asyncio.sleep(PAUSE_SECONDS)
            await self._open(_told_once(), for_ever=True)
            LOG.warning("The connection to NATS is back")

    async def _open(self, failed: Callable[[str], None], *, for_ever: bool = False) -> None:
        """Tries one server after the other until there is a connection."""
        while True:
            for server in self._servers:
                try:
                    async with asyncio.timeout(ATTEMPT_SECONDS):
                        await self._open_one(server)
                    return
                except BusError as error:
                    if not for_ever:
                        raise
                    failed(str(error))
                except OSError as error:
                    failed(f"{server}: {_said(error)}")
            await asyncio.sleep(PAUSE_SECONDS)

    async def _open_one(self, server: Server) -> None:
        self._wire = wire = await open_wire(server, self._login, self._hear)
        self._largest = wire.max_payload
        try:
            for number, listening in self._listenings.items():
                wire.subscribe(number, listening.subject)
            await wire.round_trip()
        except BaseException:
            wire.end("the connection was not completed")
            raise
        self._up = True

    def _hear(self, number: int, heard: Heard) -> None:
        listening = self._listenings.get(number)
        if listening is None:
            return
        try:
            listening.hear(heard)
        except Exception:
            LOG.exception("What listens to %s failed at a message", listening.subject)


def _told_once() -> Callable[[str], None]:
    """Logs why there is no connection, each reason once and not with every attempt."""
    told: set[str] = set()

    def tell(failure: str) -> None:
        if failure not in told:
            told.add(failure)
            LOG.warning("NATS is not back yet: %s", failure)

    return tell


def _said(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return "no answer"
    if isinstance(error, ConnectionRefusedError):
        return "connection refused"
    return error.strerror or str(error) or type(error).__name__


def _read_address(address: str, name: str) -> tuple[tuple[Server, ...], Login]:
    """Where the servers are, and who connects.

    What is wrong is never repeated: there may be a password in it.
    """
    try:
        parts = [urlsplit(part.strip()) for part in address.split(",")]
        servers = tuple(map(_read_server, parts))
        (login,) = _logins(parts, name)
    except ValueError:
        raise BusError(_MALFORMED) from None
    if len({server.tls for server in servers}) > 1:
        raise BusError(_MALFORMED)
    return servers, login


def _read_server(part: SplitResult) -> Server:
    if part.scheme not in ("nats", "tls") or not part.hostname or part.path.strip("/"):
        raise ValueError
    if part.query or part.fragment or re.search(r"\s", part.netloc):
        raise ValueError
    part.hostname.encode("idna")
    return Server(part.hostname, part.port or PORT, part.scheme == "tls")


def _logins(parts: Iterable[SplitResult], name: str) -> set[Login]:
    """The users that addresses name: one of them is enough to name it for all."""
    named: set[Login] = set()
    for part in parts:
        if part.username and part.password is not None:
            named.add(Login(name, user=unquote(part.username), password=unquote(part.password)))
        elif part.username:
            named.add(Login(name, auth_token=unquote(part.username)))
    return named or {Login(name)}

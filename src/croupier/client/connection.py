"""A connection to a table or the pit that comes back by itself, and never loses or doubles a command."""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable
from itertools import chain
from typing import Final, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from croupier.protocol.asking import OF_ITS_ROUND, VERSION, Alive, Do, Hello, Order, Resume, Resync, Second
from croupier.protocol.telling import (
    Answer,
    Beat,
    Boxes,
    Bye,
    Message,
    Overview,
    PitNews,
    Problem,
    Snapshot,
    Told,
    Welcome,
    read,
)
from croupier.protocol.views import ConsoleView, PitLine, SeatLine, SeatView, TableView
from croupier.table import Rejection
from croupier.table.commands import OpenRound

LOG: Final = logging.getLogger("croupier.client")

PATIENCE_SECONDS: Final = 30.0
"""For how long a client waits to be let in, unless it says otherwise."""

_ENCODER: Final = msgspec.json.Encoder()
_SHORTEST_PAUSE_SECONDS: Final = 0.05
_LONGEST_PAUSE_SECONDS: Final = 5.0


class Ended(Exception):
    """The floor does not want this client any more, or the client was closed or has failed."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code
        self.sentence = sentence


class _Order(NamedTuple):
    """A command as it is sent, and whoever waits for its answer."""

    raw: bytes
    answer: "asyncio.Future[Answer]"


class Connection:
    """What one screen sees and does.

    After `async with`, the views are there and stay up to date. A command is sent again under its number
    after a lost connection, until it is answered. Where nobody lets the client in within its patience, and
    where it fails, by its own callback or by a message that it cannot read, everybody who waits gets `Ended`.
    """

    def __init__(
        self,
        url: str,
        token: str,
        audience: str,
        table: str | None = None,
        *,
        told: Callable[[Told], None] = lambda told: None,
        origin: str | None = None,
        patience_seconds: float | None = PATIENCE_SECONDS,
    ) -> None:
        self.table: TableView | None = None
        self.seat: SeatView | None = None
        self.console: ConsoleView | None = None
        self.pit: dict[str, PitLine] = {}
        self.welcome: Welcome | None = None
        self.sequence = 0
        self.reconnects = 0
        self.problems: deque[Problem] = deque(maxlen=100)
        self._url = _socket_url(url)
        self._token = token
        self._audience = audience
        self._table = table
        self._told = told
        self._origin = None if origin is None else Origin(origin)
        self._patience_seconds = patience_seconds
        self._trouble: Exception | None = None
        """Why the floor could not be reached, the last time that it could not."""
        self._socket: ClientConnection | None = None
        self._number = 0
        self._orders: dict[int, deque[_Order]] = {}
        """By number, what is not answered yet; answers to one number come in the order of its commands."""
        self._ended: Ended | None = None
        self._was_welcomed = False
        self._ready = asyncio.Event()
        self._changed = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Connection":
        self._task = asyncio.create_task(self._live())
        try:
            async with asyncio.timeout(self._patience_seconds):
                await self._ready.wait()
        except TimeoutError:
            why = "it lets nobody in" if self._trouble is None else self._trouble
            sentence = f"Nobody was let in at {self._url} within {self._patience_seconds:g} seconds: {why}."
            self._end(Ended("no-floor", sentence))
        finally:
            if self._ended is not None or not self._ready.is_set():
                await self.close()
        if self._ended is not None:
            raise self._ended
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Leaves."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})  # where the caller is cancelled itself, that goes through
            self._task = None
        if self._socket is not None:
            await self._socket.close()
        self._end(Ended("closed", "This client was closed."))
        async with self._changed:
            self._changed.notify_all()

    @property
    def is_connected(self) -> bool:
        """Whether the floor can be reached now."""
        return self._socket is not None and self._ready.is_set()

    async def send(self, do: Do, second: Second | None = None) -> Answer:
        """Gives a command; the answer comes once it is on the disk.

        What is meant for a round is meant for the one that can be seen running, and is refused in another.
        """
        # A number from the clock is new whatever was forgotten, and lies beside others in the journal.
        self._number = max(self._number + 1, time.time_ns() // 1_000_000)
        return await self.repeat(self._number, do, second, self._round_of(do))

    async def repeat(
        self, number: int, do: Do, second: Second | None = None, round_: int | None = None
    ) -> Answer:
        """Gives a command under a number of the caller's choice, for any round or for one."""
        if self._ended is not None:
            raise self._ended
        raw = _ENCODER.encode(Order(number=number, do=do, second=second, round=round_))
        order = _Order(raw, asyncio.get_running_loop().create_future())
        self._orders.setdefault(number, deque()).append(order)
        await self._write(raw)
        return await order.answer

    async def resync(self) -> None:
        """Asks for a new snapshot."""
        await self._write(_ENCODER.encode(Resync()))

    async def until(self, holds: Callable[["Connection"], bool]) -> None:
        """Waits until something can be seen."""
        async with self._changed:
            while not holds(self):
                if self._ended is not None:
                    raise self._ended
                await self._changed.wait()

    # Inside

    def _round_of(self, do: Do) -> int | None:
        """The round that a command is meant for; None where it is for any, or none can be seen yet."""
        table = self.table
        if table is None or not isinstance(do, OF_ITS_ROUND):
            return None
        # A round is opened behind the last one, and everything else is done in one that runs.
        return table.round_number if table.round is not None or isinstance(do, OpenRound) else None

    async def _live(self) -> None:
        """Stays connected until the end; whatever ends it, nobody is left waiting."""
        try:
            await self._stay_connected()
        except Exception as error:
            LOG.exception("a client of %s has failed", self._url)
            failed = Ended("client-failed", f"This client has failed: {error!r}.")
            failed.__cause__ = error
            self._end(failed)
            async with self._changed:
                self._changed.notify_all()

    async def _stay_connected(self) -> None:
        pause = _SHORTEST_PAUSE_SECONDS
        while self._ended is None:
            self._was_welcomed = False
            try:
                async with connect(self._url, max_size=None, compression=None, origin=self._origin) as socket:
                    self._socket = socket
                    await self._converse(socket)
            except (OSError, ConnectionClosed, InvalidHandshake, EOFError) as trouble:
                self._trouble = trouble
                LOG.info("the floor at %s cannot be reached: %s", self._url, trouble)
            finally:
                self._socket = None
            async with self._changed:
                self._changed.notify_all()
            if self._ended is None:
                self.reconnects += 1
                if self._was_welcomed:
                    pause = _SHORTEST_PAUSE_SECONDS
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)

    async def _converse(self, socket: ClientConnection) -> None:
        resume = None
        if self.welcome is not None and self.sequence:
            resume = Resume(epoch=self.welcome.epoch, seq=self.sequence)
        hello = Hello(
            version=VERSION, token=self._token, audience=self._audience, table=self._table, resume=resume
        )
        await socket.send(_ENCODER.encode(hello), text=True)
        async for raw in socket:
            await self._take(read(raw), socket)
            if self._ended is not None:
                return

    async def _take(self, message: Message, socket: ClientConnection) -> None:
        match message:
            case Answer():
                self._answered(message)
            case Told():
                self._happened(message)
            case Welcome():
                self.welcome, self._was_welcomed = message, True
                self._number = max(self._number, message.last_number)
                if message.resumed:
                    await self._resend(socket)
                    self._ready.set()
            case Snapshot():
                self._show(message)
                await self._resend(socket)
                self._ready.set()
            case Overview():
                self._overview(message)
            case Boxes() if self.seat is not None:
                self.seat = msgspec.structs.replace(self.seat, boxes_cents=message.boxes_cents)
            case PitNews():
                self.pit.update({line.view.table: line for line in message.lines})
            case Beat():
                await socket.send(_ENCODER.encode(Alive(at_ms=message.at_ms)), text=True)
            case Problem():
                self.problems.append(message)
                if message.number is not None:
                    refused = Rejection(code=message.code, sentence=message.sentence)
                    self._answered(Answer(number=message.number, seq=0, refused=refused))
            case Bye():
                if message.again_seconds is None:
                    self._end(Ended(message.code, message.sentence))
        async with self._changed:
            self._changed.notify_all()

    async def _resend(self, socket: ClientConnection) -> None:
        for number in sorted(self._orders):
            for order in [*self._orders.get(number, ())]:
                await socket.send(order.raw, text=True)

    async def _write(self, raw: bytes) -> None:
        socket = self._socket
        if socket is not None and self._ready.is_set():
            with contextlib.suppress(ConnectionClosed):  # it is sent again after the connection is back
                await socket.send(raw, text=True)

    def _answered(self, answer: Answer) -> None:
        orders = self._orders.get(answer.number)
        if orders is None:
            return
        waiting = orders.popleft().answer
        if not orders:
            del self._orders[answer.number]
        if not waiting.done():
            waiting.set_result(answer)

    def _happened(self, told: Told) -> None:
        self.sequence = max(self.sequence, told.seq)
        if told.table is not None:
            self.table = told.table
        if told.seat is not None:
            self.seat = told.seat
        self._told(told)

    def _show(self, snapshot: Snapshot) -> None:
        self.sequence = snapshot.seq
        self.table, self.seat, self.console = snapshot.table, snapshot.seat, snapshot.console
        if snapshot.pit is not None:
            self.pit = {line.view.table: line for line in snapshot.pit}

    def _overview(self, news: Overview) -> None:
        if self.console is None:
            return
        lines: dict[str, SeatLine] = {line.seat: line for line in self.console.seats}
        lines.update({line.seat: line for line in news.seats})
        self.console = ConsoleView(
            halted_reason=news.halted_reason,
            wheel_fault=news.wheel_fault,
            disputes=news.disputes,
            stakes=news.stakes,
            seats=tuple(lines.values()),
            people=news.people,
            actions=self.console.actions if news.actions is None else news.actions,
        )

    def _end(self, ended: Ended) -> None:
        if self._ended is None:
            self._ended = ended
        for order in chain.from_iterable(self._orders.values()):
            if not order.answer.done():
                order.answer.set_exception(self._ended)
                order.answer.exception()  # whoever waits for it gets it; nobody has to
        self._orders.clear()
        self._ready.set()


def _socket_url(url: str) -> str:
    """Where a floor is spoken to: also where it is given as a page's address is.

    >>> _socket_url("https://floor.example/ws")
    'wss://floor.example/ws'
    """
    return "ws" + url.removeprefix("http") if url.startswith(("http://", "https://")) else url

"""Commands to a table that another server runs: asked until they are answered, and answered once."""

import asyncio
import logging
from collections.abc import Callable
from itertools import count
from typing import Final

from croupier.floor.clock import Clock
from croupier.floor.refusals import answer
from croupier.floor.shared.answers import give
from croupier.floor.shared.bus import Bus, Heard, Listening
from croupier.floor.shared.complaining import Unread
from croupier.floor.shared.messages import (
    PATIENCE_MS,
    UNREADABLE,
    Answer,
    Subjects,
    decode_answer,
    encode,
)
from croupier.floor.shared.sealing import BadSeal, Seal
from croupier.floor.waiting import Answered, Ask

LOG: Final = logging.getLogger("croupier.floor")

AGAIN_MS: Final = 1_000
"""After how long without an answer a command is sent again."""
NOBODY_MS: Final = 100
"""The same, where nobody is there to answer."""
MOST_WAITING: Final = 10_000

MOVED_ON: Final = frozenset({"stepped-down", "table-down"})
"""Answers of a server that has just lost the table: whoever has it now is asked."""


class _Asked:
    """A command on its way."""

    __slots__ = ("again_ms", "answered", "ask", "sealed", "until_ms")

    def __init__(self, ask: Ask, sealed: bytes, answered: Answered, now_ms: int) -> None:
        self.ask = ask
        self.sealed = sealed
        """Sealed once, so that what is sent again is as old as the command is."""
        self.answered = answered
        self.until_ms = now_ms + PATIENCE_MS
        self.again_ms = now_ms + AGAIN_MS


class Asking:
    """Asks the owner of one table. The same number gets the same answer, so that asking twice is safe."""

    def __init__(
        self,
        bus: Bus,
        seal: Seal,
        clock: Clock,
        subjects: Subjects,
        table: str,
        server: str,
        came: Callable[[Answer, Answered], None],
    ) -> None:
        """`came` gives an answer to whoever waits for it, when its time has come."""
        self._bus = bus
        self._seal = seal
        self._clock = clock
        self._unread = Unread(clock, f"table {table}: an answer of another server cannot be read")
        self._to = subjects.ask(table)
        self._inbox = subjects.answers(table, server)
        self._came = came
        self._ids = count(1)
        self._waiting: dict[int, _Asked] = {}
        self._listening: Listening | None = None
        self._tending: asyncio.Task[None] | None = None
        self._stopped = False

    @property
    def waiting(self) -> int:
        """How many commands have no answer yet."""
        return len(self._waiting)

    async def start(self) -> None:
        """Begins to hear answers."""
        self._listening = await self._bus.listen(f"{self._inbox}.*", self._hear)

    async def stop(self) -> None:
        """Answers everybody who waits that the table is down, and whoever still comes."""
        self._stopped = True
        if self._tending is not None:
            self._tending.cancel()
        if self._listening is not None:
            await self._listening.stop()
        for asked in self.take_all():
            give(asked[1], answer("table-down"))

    def ask(self, ask: Ask, answered: Answered) -> None:
        """Sends a command to whoever owns the table, for as long as it takes."""
        if self._stopped or len(self._waiting) >= MOST_WAITING:
            refused = answer("table-down" if self._stopped else "busy")
            asyncio.get_running_loop().call_soon(give, answered, refused)
            return
        try:
            content = encode(ask)
        except (ValueError, OverflowError, RecursionError) as error:
            LOG.warning("a command cannot be sent: %s", error)
            asyncio.get_running_loop().call_soon(give, answered, answer("bad-command"))
            return
        id_ = next(self._ids)
        # The seal is also for the place of the answer, so that nobody else can have it sent elsewhere.
        sealed = self._seal.close(f"{self._to} {self._reply_to(id_)}", content)
        self._waiting[id_] = asked = _Asked(ask, sealed, answered, self._clock.now_ms())
        self._send(id_, asked)
        if self._tending is None or self._tending.done():
            self._tending = asyncio.create_task(self._tend())

    def take_all(self) -> list[tuple[Ask, Answered]]:
        """Everything that has no answer yet, in order, for whoever owns the table now."""
        waiting, self._waiting = self._waiting, {}
        return [(asked.ask, asked.answered) for asked in waiting.values()]

    async def past_all(self) -> None:
        """Waits until all that was asked by now has its answer."""
        now = {*self._waiting}
        while not now.isdisjoint(self._waiting):
            await asyncio.sleep(NOBODY_MS / 10_000)

    def _reply_to(self, id_: int) -> str:
        return f"{self._inbox}.{id_}"

    def _send(self, id_: int, asked: _Asked) -> None:
        try:
            self._bus.send(self._to, asked.sealed, self._reply_to(id_))
        except ValueError as error:
            LOG.warning("a command is too large to be sent: %s", error)
            del self._waiting[id_]
            asyncio.get_running_loop().call_soon(give, asked.answered, answer("bad-command"))
        except Exception:  # it waits on, as if it had been lost on its way, and keeps nobody else from theirs
            LOG.exception("a command was not sent")

    def _hear(self, heard: Heard) -> None:
        number = heard.subject.rpartition(".")[2]
        id_ = int(number) if number.isdecimal() and len(number) < 20 else 0
        asked = self._waiting.get(id_)
        if asked is None:
            return  # it came twice or too late, or it is no answer
        if heard.nobody:
            asked.again_ms = min(asked.again_ms, self._clock.now_ms() + NOBODY_MS)
            return
        try:
            found = decode_answer(self._seal.open(heard.subject, heard.data))
        except (BadSeal, *UNREADABLE) as error:
            self._unread.warn(error)
            return
        if found.rejection is not None and found.rejection.code in MOVED_ON:
            asked.again_ms = min(asked.again_ms, self._clock.now_ms() + NOBODY_MS)
            return
        del self._waiting[id_]
        self._came(found, asked.answered)

    async def _tend(self) -> None:
        """Sends again what has no answer, and gives up what has had none for too long."""
        while self._waiting:
            now_ms = self._clock.now_ms()
            await self._clock.sleep_until(now_ms + NOBODY_MS)
            now_ms = self._clock.now_ms()
            for id_, asked in [*self._waiting.items()]:
                if id_ not in self._waiting:
                    continue
                if now_ms >= asked.until_ms:
                    del self._waiting[id_]
                    give(asked.answered, answer("not-registered"))  # nobody knows; the same number tells
                elif now_ms >= asked.again_ms:
                    asked.again_ms = now_ms + AGAIN_MS
                    self._send(id_, asked)
        self._tending = None

"""Commands that wait for their answers."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

import msgspec

from croupier.floor.refusals import answer
from croupier.table import Actor, Command, Do, Reply

LOG: Final = logging.getLogger("croupier.floor")

Answered = Callable[[Reply], None]
"""Whoever waits for an answer."""


class Ask(msgspec.Struct, frozen=True):
    """What somebody asks of a table. A sender's number gets the same answer, however often it comes."""

    actor: Actor
    do: Do
    sender: str
    number: int
    second: Actor | None = None
    """Who authorises it besides the actor."""
    round: int | None = None
    """The round that it is meant for, where the sender named one: in another one it is refused."""


class Waiting(NamedTuple):
    """A command, and whom to answer."""

    command: Command
    answered: Answered


def answer_soon(batch: Sequence[Waiting], replies: Sequence[Reply]) -> None:
    """Has the event loop give the answers; what is published now is out before them."""
    if batch:
        asyncio.get_running_loop().call_soon(_give, batch, replies)


def answer_all(batch: Sequence[Waiting], code: str) -> None:
    """Gives everybody the same answer."""
    answer_soon(batch, [answer(code)] * len(batch))


def resolve(future: "asyncio.Future[Reply]", reply: Reply) -> None:
    """Answers a coroutine, unless whoever asked has gone away."""
    if not future.done():
        future.set_result(reply)


def _give(batch: Sequence[Waiting], replies: Sequence[Reply]) -> None:
    for waiting, reply in zip(batch, replies, strict=True):
        try:
            waiting.answered(reply)
        except Exception:
            sender = waiting.command.sender
            LOG.exception("the answer to %s could not be given", sender)


class Line:
    """Commands of one sender that wait for the journal, in the order in which they came."""

    __slots__ = ("lock", "waiting")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.waiting = 0


class Lines:
    """The senders that the journal is being asked about: what they send meanwhile stays behind it."""

    def __init__(self) -> None:
        self.of: dict[str, Line] = {}
        """The line of each of them."""

    def join(self, sender: str) -> Line:
        """A place at the end of the sender's line, taken at once."""
        line = self.of.setdefault(sender, Line())
        line.waiting += 1
        return line

    @asynccontextmanager
    async def turn(self, sender: str, line: Line) -> AsyncIterator[None]:
        """Waits until everybody before it has gone on; then it is this one's turn."""
        try:
            async with line.lock:  # whoever waits for it first gets it first
                yield
        finally:
            line.waiting -= 1
            if not line.waiting:
                del self.of[sender]

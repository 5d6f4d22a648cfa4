"""Commands that wait for their answers."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from croupier.floor.refusals import answer
from croupier.table import Command, Reply

LOG: Final = logging.getLogger("croupier.floor")

Answered = Callable[[Reply], None]
"""Whoever waits for an answer."""


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

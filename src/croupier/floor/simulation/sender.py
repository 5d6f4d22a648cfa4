"""A sender on a bad network: it asks again with the same number until it knows what became of its command."""

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import Any, Final

from croupier.floor.simulation.correspondence import Gone, Question
from croupier.floor.simulation.house import CLOCK, House
from croupier.floor.simulation.trouble import Trouble
from croupier.table import Actor, Command, Do, Reply

PATIENCE_SECONDS: Final = 5.0
LATE_SECONDS: Final = 60.0
"""How late the copy of a message may be."""


class Sender:
    """One device or session with its numbers; several of its commands may be on their way at once."""

    def __init__(self, house: House, name: str, actor: Actor, trouble: Trouble, random: Random) -> None:
        self.house = house
        self.name = name
        self.actor = actor
        self._trouble = trouble
        self._random = random
        self._number = 0
        self._on_the_way: set[asyncio.Task[Reply | None]] = set()

    async def ask(self, do: Do, second: Actor | None = None, *, rests_ms: int | None = None) -> Reply:
        """The table's answer, however often it takes to get it."""
        self._number += 1
        command = self._command(self._number, do, second)
        self._note(command, rests_ms=rests_ms)
        return await self._insist(command)

    async def ask_after(self, gone: Gone, do: Do) -> None:
        """The first question after an interruption; earlier ones that were cut off come first."""
        for question in self.house.correspondence.open_questions():
            if question.sender == self.name:
                gone = gone._replace(certain=False)
                self.house.correspondence.doubt(question)
                await self._insist(self._command(question.number, question.do), by_staff=True)
        self._number += 1
        command = self._command(self._number, do)
        self._note(command, gone)
        await self._insist(command, by_staff=True)

    async def drain(self) -> None:
        """Waits for what is still on its way."""
        await asyncio.gather(*self._on_the_way)

    def _command(self, number: int, do: Do, second: Actor | None = None) -> Command:
        return Command(at_ms=0, actor=self.actor, sender=self.name, number=number, do=do, second=second)

    def _note(self, command: Command, gone: Gone | None = None, rests_ms: int | None = None) -> None:
        question = Question(
            self.name,
            command.number,
            command.do,
            CLOCK.now_ms(),
            gone,
            command.actor,
            command.second,
            rests_ms,
        )
        self.house.correspondence.ask(question)

    async def _insist(self, command: Command, *, by_staff: bool = False) -> Reply:
        while True:
            if self._random.random() < self._trouble.doubled_message:
                self.house.counts["doubled messages"] += 1
                self._start(self._send(command, LATE_SECONDS, by_staff=False))
            sending = self._start(self._send(command, self._trouble.slow_network_seconds, by_staff=by_staff))
            await asyncio.wait((sending,), timeout=PATIENCE_SECONDS)
            if sending.done() and (reply := sending.result()) is not None:
                return reply
            await asyncio.sleep(self._random.uniform(0.05, 1.0))

    def _start(self, sending: Coroutine[Any, Any, Reply | None]) -> "asyncio.Task[Reply | None]":
        task = asyncio.create_task(sending)
        self._on_the_way.add(task)
        task.add_done_callback(self._on_the_way.discard)
        return task

    async def _send(self, command: Command, late_seconds: float, *, by_staff: bool) -> Reply | None:
        """The answer that settles the question; None where none came back."""
        await asyncio.sleep(self._random.uniform(0, late_seconds))
        if self._lost():
            return None
        reply = await self.house.deliver(command, by_staff=by_staff)
        if reply is None or self._lost():
            return None
        await asyncio.sleep(self._random.uniform(0, self._trouble.slow_network_seconds))
        settled = self.house.correspondence.hear(self.name, command.number, reply, CLOCK.now_ms())
        return reply if settled else None

    def _lost(self) -> bool:
        lost = self._random.random() < self._trouble.lost_message
        self.house.counts["lost messages"] += lost
        return lost

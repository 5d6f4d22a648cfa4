"""What stops play at a simulated table while its process runs: halts, and what only people notice."""

import asyncio
from random import Random

from croupier.floor.simulation.house import House
from croupier.floor.simulation.people import MONITOR, SHIFT_MANAGER, SUPERVISOR
from croupier.floor.simulation.sender import Sender
from croupier.floor.simulation.trouble import Trouble
from croupier.floor.simulation.wheel import Wheel
from croupier.table import Actor
from croupier.table import commands as c
from croupier.table.state import BETTING


class Stops:
    """Halts a table, has it resumed, and asks what became of the round."""

    def __init__(self, house: House, wheel: Wheel, trouble: Trouble, random: Random) -> None:
        self._house = house
        self._wheel = wheel
        self._random = random

        def sender(actor: Actor) -> Sender:
            return Sender(house, f"{actor.id}/{house.table}/stops", actor, trouble, random)

        self._monitor, self._supervisor, self._shift_manager = map(
            sender, (MONITOR, SUPERVISOR, SHIFT_MANAGER)
        )
        self.senders = [self._monitor, self._supervisor, self._shift_manager]

    async def stop(self) -> None:
        """Something stops play, for a moment or for longer than the table's grace period."""
        if self._random.random() < 0.6:
            await self._await_roll()
        if self._random.random() < 0.4:
            said = c.DeclareInterruption(reason="no light in the hall", spun=self._random.random() < 0.5)
            self._house.counts["declared interruptions"] += 1
            await self._supervisor.ask(said)
            self._house.tell_of_stop()
            if self._random.random() < 0.5:
                await self._supervisor.ask(c.StateOutcome(result=self._wheel.result(), spun=said.spun))
            return
        self._house.counts["halts"] += 1
        await self._monitor.ask(c.HaltTable(reason="a sensor is out of order"))
        self._house.tell_of_stop()
        await asyncio.sleep(self._random.choice((0.01, 3, 25)) * self._random.random())
        await self._shift_manager.ask(c.ResumeTable(reason="looked at"))
        self._house.tell_of_stop()
        await self._shift_manager.ask(c.OpenRound())

    async def _await_roll(self) -> None:
        """Waits for a ball that rolls while bets are open, as long as one may be expected."""
        for _ in range(40):
            state = await self._house.look()
            round_ = None if state is None else state.round
            if round_ is not None and round_.phase == BETTING and round_.spin is not None:
                return
            await asyncio.sleep(0.5)

"""What stops play at a simulated table while its process runs: halts, and what only people notice."""

import asyncio
from random import Random

from croupier.floor.simulation.house import House
from croupier.floor.simulation.people import MONITOR, SHIFT_MANAGER, SUPERVISOR
from croupier.floor.simulation.sender import Sender
from croupier.floor.simulation.trouble import Trouble
from croupier.table import Actor
from croupier.table import commands as c


class Stops:
    """Halts a table, has it resumed, and asks what became of the round."""

    def __init__(self, house: House, trouble: Trouble, random: Random) -> None:
        self._house = house
        self._random = random

        def sender(actor: Actor) -> Sender:
            return Sender(house, f"{actor.id}/{house.table}/stops", actor, trouble, random)

        self._monitor, self._supervisor, self._shift_manager = map(
            sender, (MONITOR, SUPERVISOR, SHIFT_MANAGER)
        )
        self.senders = [self._monitor, self._supervisor, self._shift_manager]

    async def stop(self) -> None:
        """Something stops play, for a moment or for longer than the table's grace period."""
        if self._random.random() < 0.3:
            said = c.DeclareInterruption(reason="no light in the hall", spun=self._random.random() < 0.5)
            self._house.counts["declared interruptions"] += 1
            await self._supervisor.ask(said)
            self._house.tell_of_stop()
            return
        self._house.counts["halts"] += 1
        await self._monitor.ask(c.HaltTable(reason="a sensor is out of order"))
        self._house.tell_of_stop()
        await asyncio.sleep(self._random.choice((0.01, 3, 25)) * self._random.random())
        await self._shift_manager.ask(c.ResumeTable(reason="looked at"))
        self._house.tell_of_stop()
        await self._shift_manager.ask(c.OpenRound())

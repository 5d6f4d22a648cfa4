"""The sensor of a simulated wheel: it tells of spins in time, late, wrongly, or not at all."""

import asyncio
from random import Random

from croupier.floor.simulation.house import CLOCK, House
from croupier.floor.simulation.people import SENSOR
from croupier.floor.simulation.sender import Sender
from croupier.floor.simulation.trouble import Trouble
from croupier.floor.simulation.wheel import Roll, Wheel
from croupier.table import Reply
from croupier.table import commands as c

LATE_SECONDS = 30.0
"""How long after the ball has come to rest a late report is made: often in another round."""


class Sensor:
    """Never tells that a ball rests before it does; what it says of it may be wrong."""

    def __init__(self, house: House, wheel: Wheel, trouble: Trouble, random: Random) -> None:
        self.sender = Sender(house, f"{SENSOR.id}/{house.table}", SENSOR, trouble, random)
        self._wheel = wheel
        self._trouble = trouble
        self._random = random
        self._watching: set[asyncio.Task[None]] = set()

    async def see_launch(self, roll: Roll) -> Reply:
        """Tells that the ball has begun to roll."""
        return await self.sender.ask(self._wheel.start(), rests_ms=roll.rests_ms)

    def watch(self, number: int, roll: Roll) -> None:
        """Tells of the end of a round's spin in its own time, whatever the table does meanwhile."""
        task = asyncio.create_task(self._tell_of_end(number, roll))
        self._watching.add(task)
        task.add_done_callback(self._watching.discard)

    async def drain(self) -> None:
        """Waits for the reports that are still to come."""
        await asyncio.gather(*self._watching)

    async def _tell_of_end(self, number: int, roll: Roll) -> None:
        late_seconds = LATE_SECONDS if self._random.random() < self._trouble.late_report else 0.5
        late_ms = round(1000 * self._random.uniform(0, late_seconds))
        await CLOCK.sleep_until(roll.rests_ms + late_ms)
        if self._random.random() < self._trouble.silent_sensor:
            await self.sender.ask(c.ReportWheel(fault="line-lost"))
            return
        await self.sender.ask(self._finish(number, roll))

    def _finish(self, number: int, roll: Roll) -> c.FinishSpin:
        """Where the ball lies, another pocket, or no number: always with the round, for it may be over."""
        if roll.pocket is None:
            return c.FinishSpin(revolutions=roll.revolutions, at_rest=False, round=number)
        pocket: str | None = roll.pocket
        if self._random.random() < self._trouble.wrong_report:
            pocket = self._random.choice((self._wheel.result(), self._wheel.result(), None))
        return c.FinishSpin(revolutions=roll.revolutions, pocket=pocket, round=number)

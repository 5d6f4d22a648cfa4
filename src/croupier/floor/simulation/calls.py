"""Players of a simulated table call an attendant now and then, and somebody comes or not."""

import asyncio
from random import Random

from croupier.floor.simulation.house import House
from croupier.floor.simulation.people import DEALER, player
from croupier.floor.simulation.sender import Sender
from croupier.floor.simulation.trouble import Trouble
from croupier.table import Actor
from croupier.table import commands as c
from croupier.table.calls import CALL_REASONS
from croupier.table.state import Seat


class Calls:
    """The buttons of all seats of one table, and a dealer who hears them."""

    def __init__(self, house: House, seats: list[str], trouble: Trouble, random: Random) -> None:
        self._house = house
        self._random = random

        def sender(actor: Actor) -> Sender:
            return Sender(house, f"{actor.id}/{house.table}/calls", actor, trouble, random)

        self._players = {seat: sender(player(seat)) for seat in seats}
        self._dealer = sender(DEALER)
        self.senders = [*self._players.values(), self._dealer]

    async def ring(self, is_over: asyncio.Event) -> None:
        """One thing after the other until the time is over."""
        while not is_over.is_set():
            await asyncio.sleep(self._random.uniform(0, 20))
            state = await self._house.look()
            if state is None:
                continue
            waiting = [seat for seat in state.seats.values() if seat.call is not None]
            if waiting and self._random.random() < 0.6:
                await self._end(self._random.choice(waiting))
            else:
                await self._call(self._random.choice([*self._players]))

    async def _call(self, seat: str) -> None:
        """Mostly for a reason there is; some call again while they wait."""
        reasons = [*CALL_REASONS, *CALL_REASONS, "a chat"]
        await self._players[seat].ask(c.CallAttendant(seat=seat, reason=self._random.choice(reasons)))

    async def _end(self, seat: Seat) -> None:
        """The dealer answers, or the player withdraws, or both at once: then one of them is too late."""
        lot, do = self._random.random(), c.AnswerCall(seat=seat.id)
        asked = [self._dealer] if lot < 0.7 else []
        asked += [self._players[seat.id]] if lot > 0.5 else []
        await asyncio.gather(*(sender.ask(do) for sender in asked))

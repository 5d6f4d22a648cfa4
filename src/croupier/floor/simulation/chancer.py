"""A player who looks at the wheel whenever play has stopped, and then tries to bet on what is seen there."""

import asyncio
from random import Random
from typing import Final

from croupier.floor.simulation.house import House
from croupier.floor.simulation.people import player
from croupier.floor.simulation.sender import Sender
from croupier.floor.simulation.trouble import Trouble
from croupier.floor.simulation.wheel import Wheel
from croupier.rulebook import Book, Layout
from croupier.table import commands as c
from croupier.table.state import BETTING

SEAT: Final = "chance"
STAKE_CENTS: Final = 200


class Chancer:
    """Sits at one table, and knows where the ball will lie even while it rolls."""

    def __init__(self, house: House, book: Book, wheel: Wheel, trouble: Trouble, random: Random) -> None:
        self.sender = Sender(house, f"chancer/{house.table}", player(SEAT), trouble, random)
        self._house = house
        self._layouts = book.layouts
        self._layout = next(iter(book.layouts.values()))
        self._wheel = wheel
        self._random = random
        self._laid: list[str] = []

    async def play(self, is_over: asyncio.Event) -> None:
        """Has something on the table, waits until play stops, and tries at once and a moment later."""
        while not is_over.is_set():
            try:
                async with asyncio.timeout(self._random.uniform(1, 5)):
                    await self._house.stopped.wait()
            except TimeoutError:
                await self._prepare()
                continue
            self._house.stopped.clear()
            await self._try()
            await asyncio.sleep(self._random.uniform(0.2, 4))
            await self._try()

    async def _prepare(self) -> None:
        state = await self._house.look()
        seat = None if state is None or not state.open else state.seats.get(SEAT)
        if state is None or seat is None or not seat.in_use:
            return
        self._laid, self._layout = [*seat.stakes], self._layouts[seat.layout]
        if state.credits_cents(SEAT) < 10 * STAKE_CENTS:
            await self.sender.ask(c.BuyCredits(seat=SEAT, cents=50 * STAKE_CENTS))
        elif state.round is not None and state.round.phase == BETTING and len(self._laid) < 3:
            bets = self._random.sample([*self._layout.bets], 2)
            reply = await self.sender.ask(self._on(*bets))
            self._laid += bets if reply.rejection is None else []

    async def _try(self) -> None:
        """Backs what wins, takes off what loses, or moves it there."""
        roll = self._wheel.latest
        seen = None if roll is None else roll.pocket
        best = self._best(self._layout, self._wheel.result() if seen is None else seen)
        tries: list[c.Do] = [self._on(best)]
        if self._laid:
            bet = self._random.choice(self._laid)
            tries += self._random.choice(
                (
                    [c.TakeBets(seat=SEAT, stakes=(c.Stake(bet, STAKE_CENTS),))],
                    [c.MoveBet(seat=SEAT, source=bet, destination=best, cents=STAKE_CENTS)],
                    [c.ClearBets(seat=SEAT)],
                )
            )
        await asyncio.gather(*(self.sender.ask(do) for do in tries))

    @staticmethod
    def _best(layout: Layout, number: str) -> str:
        """The bet that pays most on a number."""
        winning = (bet for bet in layout.bets.values() if number in bet.numbers)
        return min(winning, key=lambda bet: len(bet.numbers)).id

    def _on(self, *bets: str) -> c.PlaceBets:
        return c.PlaceBets(seat=SEAT, stakes=tuple(c.Stake(bet, STAKE_CENTS) for bet in bets))

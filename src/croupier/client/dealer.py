"""A dealer that works a table by itself, for demonstrations and load: opens, closes, spins, confirms."""

import asyncio
import random
from collections.abc import Callable

from croupier.client.bot import BUY_IN_CENTS
from croupier.client.connection import Connection
from croupier.protocol.asking import Do
from croupier.protocol.views import TableView
from croupier.rulebook import Book
from croupier.table import commands as c
from croupier.table.rules import PLACE


class Dealer:
    """Works one table through its console. With a wheel that spins by itself it waits for the wheel."""

    def __init__(
        self,
        url: str,
        token: str,
        table: str,
        book: Book,
        *,
        wheel_spins: bool,
        pause_seconds: float = 4.0,
        betting_seconds: float | None = None,
        seed: int | None = None,
        places: int = 0,
    ) -> None:
        self.connection = Connection(url, token, "console", table)
        self.rounds = 0
        self._book = book
        self._wheel_spins = wheel_spins
        self._pause_seconds = pause_seconds
        self._betting_seconds = betting_seconds
        self._random = random.Random(seed)
        self._places = places
        """For how many players without a terminal bets are placed."""

    async def work(self, rounds: int | None = None) -> None:
        """Deals rounds until so many are over, or for ever."""
        async with self.connection as console:
            while rounds is None or self.rounds < rounds:
                if self._is_relieved(console) or not await self._next_step(console):
                    await asyncio.sleep(0.5)

    async def _next_step(self, console: Connection) -> bool:
        """Does what comes next; False where there is nothing to do for a dealer."""
        table = console.table
        if table is None or table.halted:
            return False
        if not table.open:
            return await self._do(console, c.OpenTable())
        if table.awaits_outcome:
            return False
        round_ = table.round
        if round_ is None:
            if table.rounds_left == 0:
                return False
            await asyncio.sleep(self._pause_seconds)
            return await self._do(console, c.OpenRound())
        if round_.phase == "betting":
            return await self._bets_open(console, round_.number)
        return await self._after_close(console, table)

    async def _bets_open(self, console: Connection, number: int) -> bool:
        if self._places:
            await self._place_for_players(console)
        if self._betting_seconds is not None:
            await asyncio.sleep(self._betting_seconds)
            return await self._do(console, c.CloseBets())
        await self._until(console, lambda table: _phase(table, number) != "betting")
        return True

    async def _after_close(self, console: Connection, table: TableView) -> bool:
        round_ = table.round
        if round_ is None:
            return False
        if round_.phase == "resulted" and round_.result is not None:
            self.rounds += 1
            return await self._do(console, c.ConfirmResult(result=round_.result))
        if round_.spin is None:
            if self._wheel_spins:
                await self._until(console, lambda seen: seen.round is None or seen.round.spin is not None)
                return True
            return await self._do(console, c.StartSpin())
        if not round_.spin.finished:
            if self._wheel_spins:
                await self._until(console, lambda seen: seen.round is None or _is_finished(seen))
                return True
            return await self._do(console, c.FinishSpin())
        if self._wheel_spins:
            if round_.spin.pocket is None:
                return False  # what the wheel did not see takes somebody who looks at it
            await self._until(console, lambda seen: seen.round is None or seen.round.phase == "resulted")
            return True
        result = round_.spin.pocket
        if result is None:
            order = self._book.wheel.order
            result = order[self._random.randrange(len(order))]
        return result is not None and await self._do(console, c.EnterResult(result=result))

    async def _place_for_players(self, console: Connection) -> None:
        """Takes down what players at the layout, who have no terminal, put into the boxes."""
        view, table = console.console, console.table
        if view is None or table is None:
            return
        at_places = [line for line in view.seats if line.kind == PLACE]
        for line in at_places[: self._places]:
            bets = [*self._book.layouts[line.layout].bets.values()]
            chosen = self._random.sample(bets, min(len(bets), self._random.randint(1, 3)))
            stakes = tuple(
                c.Stake(
                    bet.id, table.limits.of_bet(bet.id, bet.kind).minimum_cents * self._random.randint(1, 5)
                )
                for bet in chosen
            )
            if line.credits_cents < sum(stake.cents for stake in stakes):
                await console.send(c.BuyCredits(seat=line.seat, cents=BUY_IN_CENTS))
            await console.send(c.PlaceBets(seat=line.seat, stakes=stakes))

    def _is_relieved(self, console: Connection) -> bool:
        """Whether somebody else works the table now."""
        mine = None if console.welcome is None else console.welcome.who
        return console.console is not None and any(name != mine for name in console.console.people)

    async def _do(self, console: Connection, do: Do) -> bool:
        seen = console.sequence
        answer = await console.send(do)
        if answer.refused is not None:
            return False
        await console.until(lambda now: now.sequence >= answer.seq or now.sequence > seen)
        return True

    async def _until(self, console: Connection, holds: Callable[[TableView], bool]) -> None:
        await console.until(lambda seen: seen.table is not None and holds(seen.table))


def _phase(table: TableView, number: int) -> str | None:
    return table.round.phase if table.round is not None and table.round.number == number else None


def _is_finished(table: TableView) -> bool:
    return table.round is not None and table.round.spin is not None and table.round.spin.finished

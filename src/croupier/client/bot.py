"""A player that plays by itself, over the real protocol, and keeps its own books."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from croupier.client.connection import Connection
from croupier.protocol.telling import Answer, Told
from croupier.protocol.views import TableView
from croupier.rulebook import Bet
from croupier.table.commands import BuyCredits, PlaceBets, Stake

BUY_IN_CENTS = 500_00


class Bot:
    """One seat, played at random within the table's limits."""

    def __init__(
        self,
        url: str,
        token: str,
        seat: str,
        bets: Sequence[Bet],
        *,
        seed: int | None = None,
        most_bets: int = 5,
        think_seconds: float = 3.0,
        timed: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self.connection = Connection(url, token, "seat", told=self._told)
        self.seat = seat
        self.books_cents = 0
        """The credits that follow from what this player was told of its own acts, and of nothing else."""
        self.bets_registered = 0
        self.refusals: dict[str, int] = {}
        self.rounds = 0
        self._bets = bets
        self._random = random.Random(seed)
        self._most_bets = most_bets
        self._think_seconds = think_seconds
        self._timed = timed

    async def play(self) -> None:
        """Plays every round until it is cancelled or the floor ends it."""
        async with self.connection as connection:
            if connection.seat is not None:
                self.books_cents = connection.seat.credits_cents
            played = 0
            while True:
                await self._next_round(connection, played)
                played = _betting_round(connection.table) or played
                await asyncio.sleep(self._random.random() * self._think_seconds)
                await self._bet_once(connection)

    async def _next_round(self, connection: Connection, played: int) -> None:
        await connection.until(lambda seen: _betting_round(seen.table) not in (None, played))

    async def _bet_once(self, connection: Connection) -> None:
        seat, table = connection.seat, connection.table
        if seat is None or table is None or seat.lock is not None or seat.lost:
            return
        stakes = self._choose(table)
        if sum(stake.cents for stake in stakes) > seat.credits_cents:
            answer = await connection.send(BuyCredits(seat=self.seat, cents=BUY_IN_CENTS))
            if answer.refused is not None:
                self._refused(answer)
                return
            self.books_cents += BUY_IN_CENTS
        began = time.perf_counter()
        answer = await connection.send(PlaceBets(seat=self.seat, stakes=stakes))
        self._timed(time.perf_counter() - began)
        if answer.refused is not None:
            self._refused(answer)
        else:
            self.books_cents -= sum(stake.cents for stake in stakes)
            self.bets_registered += len(stakes)
            self.rounds += 1

    def _choose(self, table: TableView) -> tuple[Stake, ...]:
        chosen = self._random.sample(self._bets, self._random.randint(1, self._most_bets))
        return tuple(
            Stake(bet.id, table.limits.of_bet(bet.id, bet.kind).minimum_cents * self._random.randint(1, 3))
            for bet in chosen
        )

    def _refused(self, answer: Answer) -> None:
        if answer.refused is not None:
            code = answer.refused.code
            self.refusals[code] = self.refusals.get(code, 0) + 1

    def _told(self, told: Told) -> None:
        facts: dict[str, Any] = told.event
        match facts["type"]:
            case "seat-settled":
                self.books_cents += facts["returned_cents"]
            case "seat-returned":
                self.books_cents += facts["cents"]
            case "seat-corrected":
                self.books_cents += facts["moved_cents"]
            case "credits-paid-out":
                self.books_cents -= facts["cents"]


def _betting_round(table: TableView | None) -> int | None:
    if table is None or table.round is None or table.round.phase != "betting":
        return None
    return table.round.number

"""Players at a floor of several servers, and what has to be true of their bets whatever happens to it."""

import asyncio
import random
from collections.abc import Iterable

from croupier.client.connection import Connection
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal import open_store
from croupier.protocol.asking import SENT_AGAIN
from croupier.table import commands as c

Answered = dict[str, list[tuple[str, int]]]
"""By table, who was told that a bet is registered, and under which number."""


class Player:
    """A terminal that bets for as long as it is let."""

    def __init__(self, url: str, token: str, table: str, seat: str, chance: random.Random) -> None:
        self.connection = Connection(url, token, "seat", table)
        self.table = table
        self.seat = seat
        self.answered: list[int] = []
        """The numbers of the bets that were registered."""
        self._chance = chance
        self._number = 1_000

    async def play(self) -> None:
        """Bets, and asks again with the same number where nobody knows what became of it."""
        async with self.connection as connection:
            await self._settled(connection, c.BuyCredits(seat=self.seat, cents=10_000_000))
            while True:
                bet = c.Stake(f"straight:{self._chance.randrange(37)}", 100)
                if await self._settled(connection, c.PlaceBets(seat=self.seat, stakes=(bet,))):
                    self.answered.append(self._number)
                await asyncio.sleep(0.005 * self._chance.random())

    async def _settled(self, connection: Connection, do: c.PlaceBets | c.BuyCredits) -> bool:
        self._number += 1
        while True:
            answer = await connection.repeat(self._number, do)
            if answer.refused is None:
                return True
            if answer.refused.code not in SENT_AGAIN:
                return False
            await asyncio.sleep(0.05)


async def more_answers(players: list[Player], more: int) -> None:
    """Returns once every player has heard of so many more bets."""
    wanted = [len(player.answered) + more for player in players]
    while any(len(player.answered) < least for player, least in zip(players, wanted, strict=True)):
        await asyncio.sleep(0.02)


def answers_of(players: Iterable[Player]) -> Answered:
    """What they were told."""
    answered: Answered = {}
    for player in players:
        assert player.connection.welcome is not None
        sender = player.connection.welcome.who
        answered.setdefault(player.table, []).extend((sender, number) for number in player.answered)
    return answered


def answered_and_written(journal: str, answered: Answered) -> None:
    """Every bet that was answered is in the journal, each is there once, and the journal verifies."""
    store = open_store(journal)
    for table, bets in answered.items():
        written = [
            (record.actor, record.number) for record in store.read(table) if record.kind == "bets-changed"
        ]
        assert len(written) == len(set(written))
        assert set(bets) <= set(written)
    store.close()
    evidence = open_evidence(journal)
    assert [report.first_misfit for report in verify_journal(evidence) if report.first_misfit] == []
    evidence.close()

"""Players and dealers that keep tables busy by themselves, over the same protocol as everybody else."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from croupier.client.api import Api
from croupier.client.bot import Bot
from croupier.client.connection import Connection, Ended
from croupier.client.dealer import Dealer
from croupier.client.latencies import Latencies
from croupier.protocol.asking import Do
from croupier.protocol.telling import Answer
from croupier.rulebook import Book, load_book
from croupier.table import commands as c
from croupier.table.rules import PLACE


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A name and a password to sign in with."""

    name: str
    password: str


class Crew:
    """Bots at the seats of one table, and a dealer at its console where one is wanted."""

    def __init__(self, base_url: str, table: str, latencies: Latencies | None = None) -> None:
        self.base_url = base_url
        self.table = table
        self.bots: list[Bot] = []
        self.dealer: Dealer | None = None
        self.latencies = latencies or Latencies()
        self._tasks: list[asyncio.Task[None]] = []

    async def open_table(self, supervisor: Person) -> None:
        """Opens the table for play, where it is closed, and ends a round that was left behind.

        A simulated wheel has no memory of a draw that went with an earlier life of the server: what was being
        played then is void. That takes a shift manager.
        """
        async with Api(self.base_url) as nobody:
            token = await nobody.sign_in(supervisor.name, supervisor.password)
            async with Connection(nobody.socket_url, token, "console", self.table) as console:
                table = console.table
                if table is not None and table.awaits_outcome:
                    _check(await console.send(c.StateOutcome(result=None)))
                elif table is not None and table.round is not None:
                    reason = "The demonstration was started again."
                    void = c.Decide(ruling="void", reason=reason, round=table.round.number)
                    _check(await console.send(void))
                if table is not None and not table.open:
                    _check(await console.send(c.OpenTable()))
            async with nobody.with_token(token) as api:
                await api.post("/api/sign-out")

    async def seat_bots(
        self,
        supervisor: Person,
        seats: Sequence[str],
        *,
        think_seconds: float = 5.0,
        most_bets: int = 5,
        seed: int | None = None,
        book: Book | None = None,
    ) -> None:
        """Enrols a terminal for each seat, opening seats that are not there, and lets bots play there."""
        async with Api(self.base_url) as nobody:
            token = await nobody.sign_in(supervisor.name, supervisor.password)
            async with nobody.with_token(token) as api:
                view = await api.get(f"/api/tables/{self.table}")
                book = book or load_book(view["book"])
                layouts = await self._open_seats(api.socket_url, token, seats, book, view["layouts"][0])
                came = []
                for place, seat in enumerate(seats):
                    code = await api.post("/api/devices/code", kind="terminal", table=self.table, seat=seat)
                    came.append(
                        Bot(
                            api.socket_url,
                            await nobody.enrol(code["code"]),
                            seat,
                            [*book.layouts[layouts[seat]].bets.values()],
                            seed=None if seed is None else seed + place,
                            think_seconds=think_seconds,
                            most_bets=most_bets,
                            timed=self.latencies.add,
                        )
                    )
                await api.post("/api/sign-out")
        self.bots += came
        self._tasks += [asyncio.create_task(_until_ended(bot.play)) for bot in came]

    async def _open_seats(
        self, url: str, token: str, seats: Sequence[str], book: Book, layout: str
    ) -> dict[str, str]:
        """Opens seats that are not there, with a layout; gives that of each seat."""
        kinds = [
            terminal.id
            for terminal in book.terminals.values()
            if any(offer.layout == layout for offer in terminal.offers)
        ]
        async with Connection(url, token, "console", self.table) as console:
            lines = console.console.seats if console.console else ()
            known = {line.seat: line.layout for line in lines if line.in_use}
            for seat in seats:
                if seat not in known:
                    kind = kinds[0] if kinds else PLACE
                    open_seat: Do = c.OpenSeat(seat=seat, kind=kind, layout=layout)
                    _check(await console.send(open_seat))
                    known[seat] = layout
        return known

    async def seat_dealer(
        self,
        dealer: Person,
        book: Book,
        *,
        wheel_spins: bool,
        pause_seconds: float = 4.0,
        betting_seconds: float | None = None,
        places: int = 0,
    ) -> None:
        """Lets a dealer work the table until somebody else takes it over."""
        async with Api(self.base_url) as nobody:
            token = await nobody.sign_in(dealer.name, dealer.password)
            self.dealer = Dealer(
                nobody.socket_url,
                token,
                self.table,
                book,
                wheel_spins=wheel_spins,
                pause_seconds=pause_seconds,
                betting_seconds=betting_seconds,
                places=places,
            )
        self._tasks.append(asyncio.create_task(_until_ended(self.dealer.work)))

    @property
    def bets_registered(self) -> int:
        """Bets that the bots were told are registered."""
        return sum(bot.bets_registered for bot in self.bots)

    def refusals(self) -> dict[str, int]:
        """Refusals by code, over all bots."""
        total: dict[str, int] = {}
        for bot in self.bots:
            for code, count in bot.refusals.items():
                total[code] = total.get(code, 0) + count
        return total

    async def stop(self) -> None:
        """Everybody leaves."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []


async def _until_ended(play: Callable[[], Awaitable[None]]) -> None:
    with contextlib.suppress(Ended):
        await play()


def _check(answer: Answer) -> None:
    if answer.refused is not None:
        raise Ended(answer.refused.code, answer.refused.sentence)

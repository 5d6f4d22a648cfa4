"""A whole server in a thread of the test, on a real port: a table of each book, staff and devices."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeVar

import httpx
from litestar import Litestar

from croupier.floor.clock import Clock
from croupier.journal import open_store
from croupier.server.access import AccessPolicy
from croupier.server.access.hashing import Hasher
from croupier.server.floor import Floor
from croupier.server.http import make_app
from croupier.table import commands as c
from server.floor_rig import QUICK, FloorRig, a_floor, add_person

T = TypeVar("T")

TABLES: Final = {
    "R1": "mbs-roulette",
    "R2": "rws-roulette-00",
    "R3": "rws-roulette-000",
    "M1": "rws-money-wheel",
}
DUTIES: Final = {"cash": "cage", "opal": "operator", "audi": "auditor"}
"""Those with a duty and no position; beside them is the staff of `floor_rig`."""

STAFF: Final = {
    "dealer": "dee",
    "second dealer": "dan",
    "pit-supervisor": "sue",
    "pit-manager": "max",
    "shift-manager": "shi",
    "cage": "cash",
    "operator": "opal",
    "auditor": "audi",
}
"""By position or duty, who has it."""


class LiveServer:
    """A context in which a floor serves; `base_url` is where."""

    def __init__(
        self,
        path: Path,
        *,
        tables: Mapping[str, str] = TABLES,
        seats: int = 2,
        clock: Clock | None = None,
        policy: AccessPolicy = QUICK,
        address: str | None = None,
        app_options: Mapping[str, Any] | None = None,
        **floor_options: Any,
    ) -> None:
        self._path = path
        self._tables = tables
        self._seats = seats
        self._clock = clock
        self._policy = policy
        self._address = address
        self._app_options = app_options or {}
        self._floor_options = floor_options
        self._ready: Future[FloorRig] = Future()
        self._loop: asyncio.AbstractEventLoop
        self._over: asyncio.Event
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="live-server")
        self.rig: FloorRig
        self.app: Litestar
        self.base_url: str

    def __enter__(self) -> "LiveServer":
        self._thread.start()
        self.rig = self._ready.result()
        self.base_url = self.rig.base_url
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    @property
    def journal(self) -> str:
        """The address of the journal: a file, unless a test gave another one."""
        return self._address or str(self._path / "journal.db")

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        store = open_store(self.journal)
        try:
            async with a_floor(
                self._path,
                app=self._make_app,
                store=store,
                clock=self._clock,
                policy=self._policy,
                **self._floor_options,
            ) as rig:
                await self._furnish(rig)
                self._ready.set_result(rig)
                await self._over.wait()
        except BaseException as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)
        finally:
            store.close()

    def _make_app(self, floor: Floor) -> Any:
        self.app = make_app(floor, self.journal, **self._app_options)
        return self.app

    async def _furnish(self, rig: FloorRig) -> None:
        hasher = Hasher(self._policy.hash_cost, 1, 10)
        for name, duty in DUTIES.items():
            await add_person(rig.floor, hasher, name, "none", (duty,))
        hasher.close()
        await rig.floor.access.tend()
        for table, book in self._tables.items():
            await rig.open_table(table, book, seats=self._seats)

    def run(self, act: Callable[[], Awaitable[T]]) -> T:
        """Does something in the server's own loop and waits for it."""

        async def acting() -> T:
            return await act()

        return asyncio.run_coroutine_threadsafe(acting(), self._loop).result()

    def client(self, token: str | None = None) -> httpx.Client:
        """A client that speaks HTTP with a token, or without."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.base_url, headers=headers, trust_env=False)

    def staff_token(self, who: str) -> str:
        """A session of whoever has a position or a duty."""
        return self.run(lambda: self.rig.sign_in(STAFF[who]))

    def device_token(self, kind: str = "terminal", table: str = "R1", seat: str | None = "1") -> str:
        """The token of a device."""
        return self.run(lambda: self.rig.token(kind, table, seat))

    def do(self, table: str, *commands: Any) -> None:
        """Has commands carried out at a table."""
        for do in commands:
            self.run(lambda do=do: self.rig.do(table, do))  # type: ignore[misc]  # bound at once

    def play(self, table: str, stakes: Mapping[str, Mapping[str, int]], result: str) -> None:
        """A whole round: stakes in cents by seat and bet, and what comes."""
        self.do(table, c.OpenRound())
        for seat, bets in stakes.items():
            placed = tuple(c.Stake(bet, cents) for bet, cents in bets.items())
            self.do(table, c.BuyCredits(seat=seat, cents=sum(bets.values())))
            self.do(table, c.PlaceBets(seat=seat, stakes=placed))
        self.do(
            table, c.CloseBets(), c.StartSpin(), c.EnterResult(result=result), c.ConfirmResult(result=result)
        )

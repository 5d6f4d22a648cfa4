"""A door for tests: a real journal, a clock that is moved by hand, and hashes that cost next to nothing."""

import asyncio
import functools
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import argon2

from croupier.floor import ManualClock, create_table
from croupier.floor.office.office import Office, Who
from croupier.floor.office.records import OFFICE, OfficeEntry, office_entry_of
from croupier.floor.office.staff import add
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal import Store, open_store
from croupier.server.access import Access, AccessPolicy, Admitted, Device, HashCost, Refusal, Session
from croupier.table import Actor
from table.rig import START_MS, Play

FAST: Final = AccessPolicy(hash_cost=HashCost(time=1, memory_kib=8, lanes=1))
ADDRESS: Final = "10.0.0.7"
PASSWORD: Final = "A quiet corner table"
OTHER: Final = "Seven lanterns, one moth"
SUPERVISOR: Final = Actor(id="siti", position="pit-supervisor")
DEALER: Final = Actor(id="tan", position="dealer")
ADMIN: Final = Who("admin/root", "operator")
MINUTE_MS: Final = 60_000


def doing(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Runs a test in an event loop of its own."""

    @functools.wraps(test)
    def run(*args: Any, **named: Any) -> None:
        asyncio.run(test(*args, **named))

    return run


class House:
    """A journal with a table and two people, and as many doors to it as a test opens."""

    def __init__(self, address: Path | str) -> None:
        self.address = str(address)
        self.store: Store = open_store(self.address)
        self.clock = ManualClock(START_MS)
        self.office = Office(self.store, self.clock)
        self.ended: list[tuple[str, str]] = []
        """The names of people and the ids of devices whose session or token was ended, and why."""

    def staffed(self) -> "House":
        """With a table T1, the dealer tan and the supervisor siti."""
        play = Play()
        create_table(self.store, play.rules, play.settings, START_MS, SUPERVISOR)
        hashed = hashed_password(PASSWORD)
        self.office.write(ADMIN, add("tan", "dealer", [], hashed, is_one_time=False))
        self.office.write(ADMIN, add("siti", "pit-supervisor", ["cage"], hashed, is_one_time=False))
        return self

    async def open(self, policy: AccessPolicy = FAST, store: Store | None = None) -> Access:
        """A door."""
        return await Access.open(
            store or self.store,
            self.clock,
            policy,
            on_session_end=self._session_ended,
            on_device_end=self._device_ended,
        )

    def _session_ended(self, session: Session, why: str) -> None:
        self.ended.append((session.name, why))

    def _device_ended(self, device: Device, why: str) -> None:
        self.ended.append((device.id, why))

    def entries(self) -> list[OfficeEntry]:
        """Everything that the office has on record."""
        return [office_entry_of(record) for record in self.store.read(OFFICE)]

    def kinds(self, last: int = 0) -> list[str]:
        """The kinds of the latest records."""
        kinds = [record.kind for record in self.store.read(OFFICE)]
        return kinds[-last:]

    def misfits(self) -> list[object]:
        """What does not fit in the whole journal."""
        evidence = open_evidence(self.address)
        try:
            reports = verify_journal(evidence)
            assert OFFICE in {report.table for report in reports}
            return [report.first_misfit for report in reports if report.first_misfit]
        finally:
            evidence.close()


def hashed_password(password: str, cost: HashCost = FAST.hash_cost) -> str:
    return argon2.PasswordHasher(cost.time, cost.memory_kib, cost.lanes).hash(password)


def admitted(result: Admitted | Refusal) -> Admitted:
    assert isinstance(result, Admitted), result
    return result


def code_of(result: object) -> str:
    assert isinstance(result, Refusal), result
    return result.code

"""A server that stops says so: to load balancers at once, and to whoever asks for something to the end."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.journal import Record, Store, open_store
from croupier.server.access import AccessPolicy, HashCost, Refusal
from croupier.server.floor import Floor
from croupier.server.http import make_app
from croupier.server.suspecting import WheelsWatched
from croupier.table import Actor
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import PASSWORD, FloorRig, a_floor

SIGN_IN: Mapping[str, str] = {"name": "dee", "password": PASSWORD}


class Held:
    """A store whose reading can be held at one of its records, as that of years takes its time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.hold_at = 0
        self.is_held, self.goes_on = threading.Event(), threading.Event()
        self.read_records = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        for record in self._store.read(table, after):
            self.read_records += 1
            if self.read_records == self.hold_at:
                self.is_held.set()
                self.goes_on.wait()
            yield record


@asynccontextmanager
async def served(path: Path, **options: Any) -> AsyncIterator[tuple[FloorRig, httpx.AsyncClient]]:
    def app(floor: Floor) -> Any:
        return make_app(floor, str(path / "journal.db"))

    async with (
        a_floor(path, app=app, **options) as rig,
        httpx.AsyncClient(base_url=rig.base_url, trust_env=False, timeout=30) as client,
    ):
        yield rig, client


def said(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What somebody has to look at, whatever else other tests have the log hold."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@played
async def test_a_load_balancer_hears_of_a_stop_while_rounds_may_still_end(tmp_path: Path) -> None:
    async with served(tmp_path, drain_seconds=30) as (rig, client):
        live = await rig.open_table()
        await rig.do("R1", c.OpenRound())
        assert (await client.get("/ready")).status_code == 200
        rig.stop.set()
        while (await live.runner.consistent_state()).rounds_left is None:  # it lets the round end
            await asyncio.sleep(0.01)
        ready = await client.get("/ready")
        assert ready.status_code == 503
        bad = [check["sentence"] for check in ready.json()["checks"] if not check["ok"]]
        assert bad == ["The floor closes."]
        assert (await client.get("/health")).status_code == 200
        assert (await client.post("/api/sign-in", json=SIGN_IN)).status_code == 200, "people still play"
        await rig.do("R1", c.CallNoSpin(reason="a test"))


@played
async def test_what_comes_while_a_server_stops_is_answered_plainly(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(tmp_path) as (rig, client):
        await rig.open_table()
        session = {"Authorization": f"Bearer {await rig.sign_in('sue')}"}
        await rig.floor.stop()
        caplog.clear()
        answers = [
            await client.post("/api/sign-in", json=SIGN_IN),
            await client.get("/api/session", headers=session),
            await client.get("/api/session", headers={"Authorization": "Bearer of-another-server"}),
            await client.get("/api/vouchers", headers=session),
            await client.get("/api/tables"),
        ]
        assert [said(answer) for answer in answers] == [(503, "closing")] * len(answers)
        assert {answer.headers["Retry-After"] for answer in answers} == {"5"}
        told = [(await client.get(path)).status_code for path in ("/health", "/ready", "/console")]
        assert told == [200, 503, 200], "a screen that is opened now waits for the floor by itself"
    assert warnings(caplog) == []


@played
async def test_who_was_about_to_come_in_when_the_server_stopped_is_answered_plainly(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    slow = AccessPolicy(hash_cost=HashCost(time=3, memory_kib=32_768, lanes=1), hashers=1)
    async with served(tmp_path, policy=slow) as (rig, client):
        await client.get("/health")
        signing_in = [asyncio.create_task(client.post("/api/sign-in", json=SIGN_IN)) for _ in range(8)]
        unknown = {"Authorization": "Bearer of-another-server"}
        looking = [asyncio.create_task(client.get("/api/session", headers=unknown)) for _ in range(2)]
        await asyncio.wait(signing_in, return_when=asyncio.FIRST_COMPLETED)
        caplog.clear()
        await rig.floor.stop()
        answers = await asyncio.gather(*signing_in)
        assert {answer.status_code for answer in answers} == {200, 503}
        assert {said(answer) for answer in answers if answer.status_code == 503} == {(503, "closing")}
        await asyncio.gather(*looking)
    assert warnings(caplog) == []


@pytest.mark.parametrize("path", ["/api/wheels", "/api/reports"])
@played
async def test_a_stop_waits_for_nobody_who_reads_years_of_records(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    def app(floor: Floor) -> Any:
        watched = WheelsWatched(floor.store, 1_000, floor.find_book)
        made = make_app(floor, str(tmp_path / "journal.db"), wheels=watched)
        made.on_startup.clear()  # nothing is read ahead: the question is the first to read
        return made

    store = Held(open_store(str(tmp_path / "journal.db")))
    async with a_floor(tmp_path, app=app, store=store) as rig:  # type: ignore[arg-type]  # it is the store, held
        await rig.open_table()
        for do in (c.OpenRound(), c.CallNoSpin(reason="a test")):
            await rig.do("R1", do)
        session = {"Authorization": f"Bearer {await rig.sign_in('sue')}"}
        store.hold_at = store.read_records + 3
        async with httpx.AsyncClient(base_url=rig.base_url, trust_env=False, timeout=30) as client:
            asked = asyncio.create_task(client.get(path, headers=session))
            await asyncio.to_thread(store.is_held.wait)
            caplog.clear()
            await rig.floor.stop()
            store.goes_on.set()
            assert said(await asked) == (503, "closing")
        assert store.read_records == store.hold_at, "nothing more is read"
    store.close()
    assert warnings(caplog) == []


@played
async def test_the_door_says_the_same_to_everybody_whose_question_was_on_its_way(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """They were let through to it before the server stopped; that nothing is recorded then is no fault."""
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        await rig.floor.stop()
        caplog.clear()
        access, sue, here = rig.floor.access, Actor(id="sue", position="pit-supervisor"), "127.0.0.1"
        refused = [
            await access.sign_in("dee", PASSWORD, here),
            await access.authorise("dee", PASSWORD, here),
            await access.change_password("dee", PASSWORD, "another pass phrase", here),
            await access.issue_code(sue, "display", "R1"),
            await access.enrol("ABCD-EFGH", here),
            await access.revoke(sue, "display-1", "a test"),
            await access.unlock(sue, "dee", "a test"),
        ]
        assert [each.code for each in refused if isinstance(each, Refusal)] == ["closing"] * len(refused)
    assert warnings(caplog) == []

"""Sessions end when they should, whoever ends them, and nobody stays in by accident."""

import asyncio
from pathlib import Path

import pytest

from croupier.floor.office import records as r
from croupier.floor.office.office import Office
from croupier.floor.office.staff import retire, set_password, set_position
from croupier.journal import Record
from croupier.journal.sqlite import SqliteStore
from croupier.server.access import Admitted
from server.access_rig import (
    ADDRESS,
    ADMIN,
    MINUTE_MS,
    OTHER,
    PASSWORD,
    SUPERVISOR,
    House,
    admitted,
    doing,
    hashed_password,
)


@doing
async def test_sessions_end_by_sign_out_by_idleness_and_by_age(house: House) -> None:
    access = await house.open()
    _, out = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    _, idle = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    _, old = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    assert await access.sign_out(out.reveal()) is None
    assert access.session(out.reveal()) is None

    for _ in range(12 * 60 // 20):
        assert access.session(old.reveal()) is not None
        house.clock.advance(20 * MINUTE_MS)
    assert access.session(idle.reveal()) is None
    assert access.session(old.reveal()) is None
    await access.tend()

    ends = [entry.event for entry in house.entries() if isinstance(entry.event, r.SignedOut)]
    assert sorted(end.why for end in ends) == ["expired", "idle", "signed-out"]
    assert sorted(house.ended) == [("tan", "expired"), ("tan", "idle"), ("tan", "signed-out")]
    await access.close()


@doing
async def test_what_a_screen_asks_by_itself_keeps_nobody_signed_in(house: House) -> None:
    access = await house.open()
    _, token = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    for _ in range(3):
        house.clock.advance(9 * MINUTE_MS)
        assert access.session(token.reveal(), is_use=False) is not None
    house.clock.advance(3 * MINUTE_MS)
    assert access.session(token.reveal(), is_use=False) is None
    await access.tend()
    assert house.ended == [("tan", "idle")]
    await access.close()


@doing
async def test_sessions_end_by_themselves_also_after_a_fault_that_nobody_expected(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    access = await house.open()
    admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    with monkeypatch.context() as patch:
        failed = asyncio.Event()

        async def fail() -> None:
            failed.set()
            raise RuntimeError("nobody expected this")

        patch.setattr(access, "tend", fail)
        while not failed.is_set():
            house.clock.advance(1_000)
            await asyncio.sleep(0)
    for _ in range(1_000):
        if house.ended:
            break
        house.clock.advance(20 * MINUTE_MS)
        await asyncio.sleep(0.01)
    assert house.ended == [("tan", "idle")]
    assert "nobody expected this" in caplog.text
    await access.close()


@doing
async def test_a_person_has_a_few_sessions_and_one_more_ends_the_oldest(house: House) -> None:
    access = await house.open()
    tokens = [admitted(await access.sign_in("tan", PASSWORD, ADDRESS)).token for _ in range(9)]

    assert [access.session(token.reveal()) is not None for token in tokens] == [False] + [True] * 8
    assert house.ended == [("tan", "replaced")]
    await access.close()


@doing
async def test_a_restart_ends_sessions(house: House) -> None:
    access = await house.open()
    _, token = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    await access.close()
    again = await house.open()

    assert again.session(token.reveal()) is None
    assert house.ended == [("tan", "server-stopped")]
    await again.close()


@pytest.mark.parametrize("change", ["retire", "position", "password", "sessions"])
@doing
async def test_what_another_process_does_to_a_person_ends_their_sessions_here(
    house: House, change: str
) -> None:
    access = await house.open()
    _, token = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    _, others = admitted(await access.sign_in("siti", PASSWORD, ADDRESS))
    match change:
        case "retire":
            house.office.write(ADMIN, retire("tan", "left"))
        case "position":
            house.office.write(ADMIN, set_position("tan", "pit-supervisor", None))
        case "password":
            house.office.write(ADMIN, set_password("tan", hashed_password(OTHER), is_one_time=True))
        case _:
            elsewhere = await house.open()
            assert await elsewhere.end_sessions(SUPERVISOR, "tan", "Left the console open.") is None
            await elsewhere.close()
    await access.tend()

    assert access.session(token.reveal()) is None
    assert access.session(others.reveal()) is not None
    assert [name for name, _ in house.ended] == ["tan"]
    await access.close()
    assert house.misfits() == []


class Meddling(SqliteStore):
    """A journal in which somebody is retired right behind their sign-in."""

    office: Office

    def append(self, records: list[Record], claims: list[tuple[str, int]]) -> None:  # type: ignore[override]  # narrower on purpose
        super().append(records, claims)
        if records[-1].kind == "signed-in":
            self.office.write(ADMIN, retire("tan", "left"))


@doing
async def test_somebody_who_is_retired_in_the_moment_of_coming_in_does_not_stay(
    house: House, tmp_path: Path
) -> None:
    store = Meddling(tmp_path / "journal.db")
    store.office = house.office
    access = await house.open(store=store)
    result, _ = await asyncio.gather(access.sign_in("tan", PASSWORD, ADDRESS), access.tend())
    await access.tend()

    assert access.sessions() == []
    if isinstance(result, Admitted):
        assert access.session(result.token.reveal()) is None
    await access.close()
    store.close()


@doing
async def test_a_sign_in_that_nobody_waits_for_any_more_leaves_no_session(house: House) -> None:
    access = await house.open()
    for _ in range(20):
        asking = asyncio.create_task(access.sign_in("tan", PASSWORD, ADDRESS))
        for _ in range(20):
            await asyncio.sleep(0)
        while house.kinds(last=1) != ["signed-in"] and not asking.done():
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        if not asking.cancelled():
            await access.sign_out(asking.result().token.reveal())
        await access.tend()
        assert access.sessions() == []
    await access.close()


@doing
async def test_a_token_that_is_not_exactly_a_sessions_opens_nothing(house: House) -> None:
    access = await house.open()
    session, token = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    _, others = admitted(await access.sign_in("siti", PASSWORD, ADDRESS))
    text = token.reveal()

    for wrong in (
        session.id,
        f"{session.id}.",
        text[:-1],
        f"{text}x",
        text.swapcase(),
        f"{session.id}.{others.reveal().partition('.')[2]}",
    ):
        assert access.session(wrong) is None
        assert await access.sign_out(wrong) is None
    assert access.session(text) == session
    await access.close()

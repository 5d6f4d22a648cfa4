"""People come in with a name and a password; every attempt is on record before it is answered."""

import asyncio
import threading
from pathlib import Path

import pytest

from croupier.floor.office import records as r
from croupier.floor.office.office import Who
from croupier.floor.office.staff import add, retire, set_password
from croupier.journal import Record, StoreError
from croupier.journal.sqlite import SqliteStore
from croupier.server.access import AccessPolicy
from croupier.table import Actor
from server.access_rig import (
    ADDRESS,
    ADMIN,
    DEALER,
    FAST,
    MINUTE_MS,
    OTHER,
    PASSWORD,
    SUPERVISOR,
    House,
    admitted,
    code_of,
    doing,
    hashed_password,
)


@doing
async def test_the_right_password_opens_a_session(house: House) -> None:
    access = await house.open()
    session, token = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))

    assert (session.name, session.position, session.address) == ("tan", "dealer", ADDRESS)
    assert session.actor == DEALER
    assert access.session(token.reveal()) == session
    signed_in = house.entries()[-1]
    assert (signed_in.actor, signed_in.position, signed_in.address) == ("tan", "dealer", ADDRESS)
    assert signed_in.event == r.SignedIn(name="tan", session=session.id)
    await access.close()
    assert house.misfits() == []


@doing
async def test_unknown_names_and_wrong_passwords_get_the_same_answer_and_cost_one_hash_each(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.office.write(ADMIN, add("old.hand", "dealer", [], hashed_password(PASSWORD), is_one_time=False))
    house.office.write(ADMIN, retire("old.hand", "pension"))
    access = await house.open()
    compared: list[str] = []
    matches = access._hasher._matches
    monkeypatch.setattr(
        access._hasher, "_matches", lambda hashed, text: compared.append(hashed) or matches(hashed, text)
    )

    answers = [
        await access.sign_in(name, password, ADDRESS)
        for name, password in (
            ("tan", "Not the password"),
            ("nobody", PASSWORD),
            ("old.hand", PASSWORD),
            ("No Such Name", PASSWORD),
            ("x" * 5000, PASSWORD),
        )
    ]

    assert {code_of(answer) for answer in answers} == {"sign-in-failed"}
    assert len(set(answers)) == 1
    assert len(compared) == len(answers)
    failures = [entry.event for entry in house.entries() if isinstance(entry.event, r.SignInFailed)]
    assert [(failure.name, failure.why) for failure in failures] == [
        ("tan", "wrong-password"),
        ("nobody", "unknown-name"),
        ("old.hand", "retired"),
        ("", "unknown-name"),
        ("", "unknown-name"),
    ]
    await access.close()
    assert house.misfits() == []


@doing
async def test_five_failures_lock_a_name_out_whether_or_not_anybody_has_it(house: House) -> None:
    access = await house.open()
    for name in ("tan", "nobody"):
        first = [await access.sign_in(name, "Not the password", ADDRESS) for _ in range(5)]
        assert {code_of(answer) for answer in first} == {"sign-in-failed"}
    locked = [await access.sign_in(name, PASSWORD, ADDRESS) for name in ("tan", "nobody")]

    assert locked[0] == locked[1]
    assert code_of(locked[0]) == "locked-out"
    assert house.kinds().count("locked-out") == 2
    house.clock.advance(15 * MINUTE_MS)
    admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    await access.close()


@doing
async def test_a_lock_out_survives_a_restart_and_is_cleared_by_a_supervisor(house: House) -> None:
    access = await house.open()
    for _ in range(5):
        await access.sign_in("tan", "Not the password", ADDRESS)
    await access.close()
    again = await house.open()

    assert code_of(await again.sign_in("tan", PASSWORD, ADDRESS)) == "locked-out"
    assert [row.name for row in again.staff() if row.locked_until_ms] == ["tan"]
    assert code_of(await again.unlock(DEALER, "tan", "asked")) == "not-allowed"
    assert code_of(await again.unlock(SUPERVISOR, "tan", " ")) == "no-reason"
    assert await again.unlock(SUPERVISOR, "tan", "Forgot the keyboard layout.") is None
    assert code_of(await again.unlock(SUPERVISOR, "tan", "Twice.")) == "not-locked"
    admitted(await again.sign_in("tan", PASSWORD, ADDRESS))
    await again.close()
    assert house.misfits() == []


@doing
async def test_an_address_that_fails_too_often_is_not_looked_at_and_counted(house: House) -> None:
    access = await house.open()
    for number in range(FAST.lock_out.address_failures):
        assert code_of(await access.sign_in(f"guess{number}", "Some password", ADDRESS)) == "sign-in-failed"
    before = len(house.entries())
    for _ in range(7):
        assert code_of(await access.sign_in("tan", PASSWORD, ADDRESS)) == "too-many-attempts"

    assert len(house.entries()) == before
    admitted(await access.sign_in("tan", PASSWORD, "10.0.0.8"))
    await access.tend()
    refused = house.entries()[-1]
    assert (refused.address, refused.event) == (ADDRESS, r.AttemptsRefused(attempts=7))
    await access.tend()
    assert house.entries()[-1] == refused
    house.clock.advance(15 * MINUTE_MS)
    admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    await access.close()


class Stubborn(SqliteStore):
    """A journal that can be told not to write."""

    broken = False

    def append(self, records: list[Record], claims: list[tuple[str, int]]) -> None:  # type: ignore[override]  # narrower on purpose
        if self.broken:
            raise StoreError("The disk is full.")
        super().append(records, claims)


@doing
async def test_what_cannot_be_written_down_is_not_done(house: House, tmp_path: Path) -> None:
    store = Stubborn(tmp_path / "journal.db")
    access = await house.open(store=store)
    _, token = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    store.broken = True

    assert code_of(await access.sign_in("siti", PASSWORD, ADDRESS)) == "not-recorded"
    assert code_of(await access.authorise("siti", PASSWORD, ADDRESS)) == "not-recorded"
    assert code_of(await access.change_password("siti", PASSWORD, OTHER, ADDRESS)) == "not-recorded"
    assert code_of(await access.issue_code(SUPERVISOR, "terminal", "T1", "1")) == "not-recorded"
    assert [one.name for one in access.sessions()] == ["tan"]
    # Somebody who wants to leave is let out whatever the disk does.
    assert code_of(await access.sign_out(token.reveal())) == "not-recorded"
    assert access.session(token.reveal()) is None
    assert house.ended == [("tan", "signed-out")]
    store.broken = False
    await access.close()
    store.close()


@doing
async def test_nobody_signs_beside_whoever_gave_them_a_password(house: House) -> None:
    access = await house.open()
    given = hashed_password("A given password")
    house.office.write(Who("siti", "pit-supervisor"), set_password("tan", given, is_one_time=True))
    admitted(await access.sign_in("tan", "A given password", ADDRESS, OTHER))

    assert code_of(await access.authorise("tan", OTHER, ADDRESS, beside="siti")) == "password-from"
    assert house.entries()[-1].event == r.SignInFailed(name="tan", why="password-from", purpose="authorise")
    assert isinstance(await access.authorise("tan", OTHER, ADDRESS, beside="kim"), Actor)
    house.clock.advance(24 * 60 * MINUTE_MS)
    assert isinstance(await access.authorise("tan", OTHER, ADDRESS, beside="siti"), Actor)
    await access.close()
    assert house.misfits() == []


@doing
async def test_nobody_signs_as_the_second_person_for_whom_they_gave_a_password(house: House) -> None:
    """Whoever gave it can sign in with it, and would then authorise what they ask for themselves."""
    access = await house.open()
    given = hashed_password("A given password")
    house.office.write(Who("siti", "pit-supervisor"), set_password("tan", given, is_one_time=True))
    admitted(await access.sign_in("tan", "A given password", ADDRESS, OTHER))

    assert code_of(await access.authorise("siti", PASSWORD, ADDRESS, beside="tan")) == "password-from"
    assert house.entries()[-1].event == r.SignInFailed(name="siti", why="password-from", purpose="authorise")
    assert isinstance(await access.authorise("siti", PASSWORD, ADDRESS, beside="kim"), Actor)
    house.clock.advance(24 * 60 * MINUTE_MS)
    assert isinstance(await access.authorise("siti", PASSWORD, ADDRESS, beside="tan"), Actor)
    await access.close()
    assert house.misfits() == []


@doing
async def test_a_second_person_authorises_without_a_session(house: House) -> None:
    access = await house.open()
    _, token = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))

    second = await access.authorise("siti", PASSWORD, ADDRESS, beside="tan", what="correct-result")
    assert second == SUPERVISOR
    assert [session.name for session in access.sessions()] == ["tan"]
    assert access.session(token.reveal()) is not None
    assert house.entries()[-1].event == r.Authorised(name="siti", beside="tan", what="correct-result")
    for _ in range(5):
        assert code_of(await access.authorise("siti", "Not the password", ADDRESS)) == "sign-in-failed"
    assert code_of(await access.authorise("siti", PASSWORD, ADDRESS)) == "locked-out"
    assert code_of(await access.sign_in("siti", PASSWORD, ADDRESS)) == "locked-out"
    await access.close()


@doing
async def test_more_than_the_machine_takes_are_told_to_come_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = await house.open(AccessPolicy(hash_cost=FAST.hash_cost, hashers=1, hashes_waiting=2))
    go_on = threading.Event()
    monkeypatch.setattr(access._hasher, "_matches", lambda hashed, password: go_on.wait())
    asking = [asyncio.create_task(access.sign_in("tan", PASSWORD, ADDRESS)) for _ in range(10)]
    while sum(task.done() for task in asking) < 7:
        await asyncio.sleep(0)
    go_on.set()
    codes = [getattr(answer, "code", "in") for answer in await asyncio.gather(*asking)]

    assert sorted(codes) == ["busy"] * 7 + ["in"] * 3
    await access.tend()
    assert house.entries()[-1].event == r.AttemptsRefused(attempts=7)
    admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    await access.close()

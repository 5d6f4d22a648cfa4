"""People come in with a name and a password; every attempt is on record before it is answered."""

import asyncio
import logging
import sqlite3
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor import office_records as r
from croupier.floor.office import Office
from croupier.floor.office_staff import add, is_name, retire, set_password, set_position
from croupier.journal import Record, StoreError
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import BadInput
from croupier.server.access import AccessPolicy, Admitted, HashCost
from croupier.server.access.passwords import check_password, new_password
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
async def test_a_one_time_password_gets_nobody_in_until_it_is_changed(house: House) -> None:
    given_password = new_password()
    hashed = hashed_password(given_password)
    house.office.write(ADMIN, add("new.hand", "dealer", [], hashed, is_one_time=True))
    access = await house.open()

    assert code_of(await access.sign_in("new.hand", given_password, ADDRESS)) == "password-must-change"
    assert code_of(await access.authorise("new.hand", given_password, ADDRESS)) == "password-must-change"
    same = await access.sign_in("new.hand", given_password, ADDRESS, given_password)
    assert code_of(same) == "password-same"
    short = await access.sign_in("new.hand", given_password, ADDRESS, "Too short")
    assert code_of(short) == "password-length"
    wrong = await access.sign_in("new.hand", "Not the password", ADDRESS, OTHER)
    assert code_of(wrong) == "sign-in-failed"
    admitted(await access.sign_in("new.hand", given_password, ADDRESS, OTHER))
    assert code_of(await access.sign_in("new.hand", given_password, ADDRESS)) == "sign-in-failed"
    admitted(await access.sign_in("new.hand", OTHER, ADDRESS))
    await access.close()
    assert house.misfits() == []


@doing
async def test_a_one_time_password_that_waits_too_long_is_worth_nothing(house: House) -> None:
    hashed = hashed_password(PASSWORD)
    house.office.write(ADMIN, add("new.hand", "dealer", [], hashed, is_one_time=True))
    access = await house.open()
    house.clock.advance(72 * 60 * MINUTE_MS)

    assert code_of(await access.sign_in("new.hand", PASSWORD, ADDRESS, OTHER)) == "one-time-over"
    await access.close()


@doing
async def test_changing_ones_password_takes_the_old_one_and_ends_ones_sessions(house: House) -> None:
    access = await house.open()
    _, token = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))

    assert (
        code_of(await access.change_password("tan", "Not the password", OTHER, ADDRESS)) == "sign-in-failed"
    )
    assert access.session(token.reveal()) is not None
    assert await access.change_password("tan", PASSWORD, OTHER, ADDRESS) is None
    assert access.session(token.reveal()) is None
    assert code_of(await access.sign_in("tan", PASSWORD, ADDRESS)) == "sign-in-failed"
    admitted(await access.sign_in("tan", OTHER, ADDRESS))
    await access.close()


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
async def test_a_password_is_hashed_anew_where_the_cost_has_changed(house: House) -> None:
    dearer = AccessPolicy(hash_cost=HashCost(time=2, memory_kib=16, lanes=1))
    access = await house.open(dearer)
    admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    assert house.kinds(last=2) == ["password-rehashed", "signed-in"]
    house.office.catch_up()
    assert "m=16,t=2,p=1" in house.office.state.staff["tan"].password

    admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    assert house.kinds(last=2) == ["signed-in", "signed-in"]
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


@doing
async def test_a_password_that_is_changed_while_the_old_one_is_compared_counts(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = await house.open()
    matches = access._hasher._matches

    def meddle(hashed: str, password: str) -> bool:
        house.office.write(ADMIN, set_password("tan", hashed_password(OTHER), is_one_time=False))
        return matches(hashed, password)

    monkeypatch.setattr(access._hasher, "_matches", meddle)
    assert code_of(await access.sign_in("tan", PASSWORD, ADDRESS)) == "sign-in-failed"
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


@doing
async def test_no_secret_is_in_the_journal_or_the_logs(
    house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    access = await house.open()
    admission = admitted(await access.sign_in("tan", PASSWORD, ADDRESS))
    await access.sign_in(PASSWORD, "tan", ADDRESS)
    issued = await access.issue_code(SUPERVISOR, "terminal", "T1", "1")
    assert not hasattr(issued, "sentence")
    enrolled = await access.enrol(issued.code.reveal(), ADDRESS)  # type: ignore[union-attr]  # asserted above
    logging.getLogger("test").info("%s %s %r", admission, issued, enrolled)
    secrets = [
        PASSWORD,
        admission.token.reveal().partition(".")[2],
        issued.code.reveal(),  # type: ignore[union-attr]  # asserted above
        issued.code.reveal().replace("-", ""),  # type: ignore[union-attr]  # asserted above
        enrolled.token.reveal().partition(".")[2],  # type: ignore[union-attr]  # asserted above
    ]
    await access.close()
    with sqlite3.connect(tmp_path / "journal.db") as database:
        kept = "\n".join(database.iterdump())
    payloads = "\n".join(record.payload.decode() for record in house.store.read("office"))

    for secret in secrets:
        assert len(secret) >= 8
        assert secret not in kept
        assert secret.encode().hex().upper() not in kept
        assert secret not in payloads
        assert secret not in caplog.text


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("Short one", "password-length"),
        ("x" * 201, "password-length"),
        ("With a\nline feed", "password-length"),
        ("smallletters1", "password-like-a-name"),
        ("Tan.WeiLing 88", "password-has-name"),
        ("Password 123", "password-common"),
        ("C A S I N O 2024", "password-common"),
        ("AAAAaaaaAAAA!", "password-common"),
    ],
)
def test_passwords_that_others_would_guess_are_refused(password: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        check_password(password, "tan.weiling")
    assert refused.value.code == code


@given(st.one_of(st.text(max_size=60), st.from_regex(r"[a-z0-9.-]{1,45}", fullmatch=True)))
def test_nothing_that_can_be_a_password_is_ever_written_down_as_a_name(text: str) -> None:
    try:
        check_password(text, "tan")
    except BadInput:
        return
    assert not is_name(text)


def test_passwords_that_are_given_pass_the_rules_and_differ() -> None:
    drawn = {new_password() for _ in range(50)}
    assert len(drawn) == 50
    for password in drawn:
        check_password(password, "tan.weiling")

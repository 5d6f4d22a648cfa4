"""Passwords: which are taken, how they change, and that none is ever written down."""

import logging
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.office.staff import add, is_name, set_password
from croupier.rulebook import BadInput
from croupier.server.access import AccessPolicy, HashCost
from croupier.server.access.passwords import check_password, new_password
from server.access_rig import (
    ADDRESS,
    ADMIN,
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

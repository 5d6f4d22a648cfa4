"""Devices are enrolled with a code that works once, hold a token, and are revoked at once."""

import asyncio
from pathlib import Path

import pytest

from croupier.floor.office import records as r
from croupier.journal import open_store
from croupier.server.access import Access, Enrolled, Issued
from croupier.server.access.tokens import CODE_SIGNS, Token
from croupier.table import Actor
from server.access_rig import ADDRESS, DEALER, FAST, MINUTE_MS, SUPERVISOR, House, code_of, doing


async def issue(
    access: Access, kind: str = "terminal", table: str | None = "T1", seat: str | None = "1"
) -> str:
    issued = await access.issue_code(SUPERVISOR, kind, table, seat, ADDRESS)
    assert isinstance(issued, Issued), issued
    return issued.code.reveal()


async def enrol(
    access: Access, kind: str = "terminal", table: str | None = "T1", seat: str | None = "1"
) -> Enrolled:
    enrolled = await access.enrol(await issue(access, kind, table, seat), ADDRESS)
    assert isinstance(enrolled, Enrolled), enrolled
    return enrolled


@doing
async def test_a_code_becomes_a_device_bound_to_its_table_and_seat(house: House) -> None:
    access = await house.open()
    device, token, replaced = await enrol(access)

    assert (device.kind, device.table, device.seat, device.enrolled_by) == ("terminal", "T1", "1", "siti")
    assert replaced == ()
    assert access.device(token.reveal()) == device
    assert access.devices() == [device]
    await access.close()
    again = await house.open()
    assert again.device(token.reveal()) == device
    await again.close()
    assert house.misfits() == []


@doing
async def test_tokens_that_are_not_exactly_ours_open_nothing(house: House) -> None:
    access = await house.open()
    device, token, _ = await enrol(access)
    other, other_token, _ = await enrol(access, seat="2")
    text, others = token.reveal(), other_token.reveal()

    for wrong in (
        "",
        ".",
        device.id,
        f"{device.id}.",
        text[:-1],
        f"{text}x",
        text.swapcase(),
        f"{device.id}.{others.partition('.')[2]}",
        f"{other.id}.{text.partition('.')[2]}",
        "x" * 10_000,
        f"{device.id}.\udc80\0",
    ):
        assert access.device(wrong) is None
        assert access.session(wrong) is None
    assert access.device(others) == other
    await access.close()


@doing
async def test_a_code_is_typed_as_people_type_and_works_once(house: House) -> None:
    access = await house.open()
    code = await issue(access)
    assert set(code.replace("-", "")) <= set(CODE_SIGNS)
    assert len(code.replace("-", "")) == 8

    first = await access.enrol(f" {code.lower().replace('-', ' ')} ", ADDRESS)
    assert isinstance(first, Enrolled)
    assert code_of(await access.enrol(code, ADDRESS)) == "code-unknown"
    assert code_of(await access.enrol("AAAA-AAAA", ADDRESS)) == "code-unknown"
    assert code_of(await access.enrol("not a code at all", ADDRESS)) == "code-unknown"
    assert house.kinds(last=3) == ["enrolment-failed"] * 3
    assert [entry.event for entry in house.entries()][-3] == r.EnrolmentFailed(why="code-used")
    assert len(access.devices()) == 1
    await access.close()


@doing
async def test_of_two_who_type_a_code_at_once_at_two_servers_one_gets_a_device(house: House) -> None:
    store = open_store(house.address)
    here, there = await house.open(), await house.open(store=store)
    code = await issue(here)
    results = await asyncio.gather(*(door.enrol(code, ADDRESS) for door in (here, there, here, there)))

    assert sorted(type(result).__name__ for result in results) == ["Enrolled"] + ["Refusal"] * 3
    await here.close()
    await there.close()
    store.close()
    assert house.misfits() == []


@doing
async def test_a_code_is_over_after_a_quarter_of_an_hour(house: House) -> None:
    access = await house.open()
    code, another = await issue(access), await issue(access, seat="2")
    house.clock.advance(15 * MINUTE_MS - 1)
    assert isinstance(await access.enrol(code, ADDRESS), Enrolled)
    house.clock.advance(1)
    assert code_of(await access.enrol(another, ADDRESS)) == "code-unknown"
    assert house.entries()[-1].event == r.EnrolmentFailed(why="code-expired")
    await access.close()


@doing
async def test_codes_cannot_be_tried_without_end(house: House) -> None:
    access = await house.open()
    code = await issue(access)
    for _ in range(FAST.lock_out.address_failures):
        await access.enrol("AAAA-AAAA", ADDRESS)

    assert code_of(await access.enrol(code, ADDRESS)) == "too-many-attempts"
    assert isinstance(await access.enrol(code, "10.0.0.9"), Enrolled)
    await access.close()


@pytest.mark.parametrize("kind", ["terminal", "wheel"])
@doing
async def test_a_new_device_takes_the_place_of_the_old_one(house: House, kind: str) -> None:
    access = await house.open()
    seat = "1" if kind == "terminal" else None
    old = await enrol(access, kind, seat=seat)
    bystander = await enrol(access, "terminal", seat="2")
    new = await enrol(access, kind, seat=seat)

    assert new.replaced == (old.device.id,)
    assert access.device(old.token.reveal()) is None
    assert access.device(new.token.reveal()) == new.device
    assert access.device(bystander.token.reveal()) == bystander.device
    assert house.ended == [(old.device.id, f"replaced by {new.device.id}")]
    await access.close()
    assert house.misfits() == []


@doing
async def test_a_table_may_have_several_displays_and_consoles(house: House) -> None:
    access = await house.open()
    kinds = ["display", "display", "console", "console"]
    devices = [await enrol(access, kind, seat=None) for kind in kinds]
    devices.append(await enrol(access, "console", table=None, seat=None))

    assert all(access.device(one.token.reveal()) == one.device for one in devices)
    assert house.ended == []
    await access.close()


@pytest.mark.parametrize("table", ["house", "cage", "office", "none", "T\0"])
@doing
async def test_no_device_stands_at_what_is_no_table(house: House, table: str) -> None:
    access = await house.open()
    assert code_of(await access.issue_code(SUPERVISOR, "display", table, None)) == "unknown-table"
    await access.close()


@doing
async def test_a_device_is_revoked_at_once_and_at_every_server(house: House) -> None:
    here, there = await house.open(), await house.open()
    device, token, _ = await enrol(here)
    await there.tend()
    assert there.device(token.reveal()) == device
    assert code_of(await here.revoke(DEALER, device.id, "Broken glass.")) == "not-allowed"
    assert code_of(await here.revoke(SUPERVISOR, device.id, "")) == "no-reason"
    assert await here.revoke(SUPERVISOR, device.id, "Broken glass.") is None

    assert here.device(token.reveal()) is None
    await there.tend()
    assert there.device(token.reveal()) is None
    assert house.ended == [(device.id, "Broken glass.")] * 2
    (left,) = there.devices()
    assert (left.is_active, left.revoked_by, left.revoked_because) == (False, "siti", "Broken glass.")
    assert code_of(await here.revoke(SUPERVISOR, device.id, "Again.")) == "device-revoked"
    assert code_of(await here.revoke(SUPERVISOR, "terminal-none", "Again.")) == "unknown-device"
    await here.close()
    await there.close()
    # Whoever opens the door later is not told of what was over before.
    house.ended.clear()
    later = await house.open()
    assert house.ended == []
    assert later.device(token.reveal()) is None
    await later.close()


@pytest.mark.parametrize(
    ("by", "kind", "table", "seat", "code"),
    [
        (DEALER, "terminal", "T1", "1", "not-allowed"),
        (Actor(id="cashier", position="none"), "terminal", "T1", "1", "not-allowed"),
        (SUPERVISOR, "toaster", "T1", "1", "unknown-device-kind"),
        (SUPERVISOR, "terminal", "T1", None, "seat-of-device"),
        (SUPERVISOR, "wheel", "T1", "1", "seat-of-device"),
        (SUPERVISOR, "display", None, None, "no-table"),
        (SUPERVISOR, "terminal", "T1", "", "seat-malformed"),
        (SUPERVISOR, "terminal", "T1", "1\n2", "seat-malformed"),
        (SUPERVISOR, "terminal", "T9", "1", "unknown-table"),
        (SUPERVISOR, "display", "office", None, "unknown-table"),
        (SUPERVISOR, "display", "cage", None, "unknown-table"),
    ],
)
@doing
async def test_codes_are_for_what_is_there_and_from_those_who_may(
    house: House, by: Actor, kind: str, table: str | None, seat: str | None, code: str
) -> None:
    access = await house.open()
    before = len(house.entries())
    assert code_of(await access.issue_code(by, kind, table, seat)) == code
    assert len(house.entries()) == before
    await access.close()


@doing
async def test_all_of_it_holds_on_postgresql(postgres_address: str) -> None:
    house = House(postgres_address).staffed()
    access = await house.open()
    old = await enrol(access)
    new = await enrol(access)
    code = await issue(access, seat="2")
    store = open_store(postgres_address)
    other = await house.open(store=store)
    results = await asyncio.gather(*(door.enrol(code, ADDRESS) for door in (access, other, access, other)))

    assert new.replaced == (old.device.id,)
    assert sorted(type(result).__name__ for result in results) == ["Enrolled"] + ["Refusal"] * 3
    assert house.misfits() == []
    await access.close()
    await other.close()
    store.close()
    house.store.close()


def test_a_token_does_not_show_itself(tmp_path: Path) -> None:
    token = Token("session-1.secret")
    assert "secret" not in f"{token} {token!r} {[token]} {(token,)}"

"""`croupier admin`: staff, devices, tables and limits from the command line, on a real journal."""

import asyncio
import functools
import io
import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.running import Ran, refusal, run
from croupier.floor import SystemClock
from croupier.floor.office import records as r
from croupier.journal import Store, open_store
from croupier.server.access import Access, AccessPolicy, Admitted, Enrolled
from croupier.server.http.authority import RIGHTS
from server.access_rig import ADDRESS, FAST, OTHER, PASSWORD, code_of, doing
from server.test_config import SMALL

CODE = re.compile(r"^    ([2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4})$", re.MULTILINE)
ONE_TIME = re.compile(r"^    ([2-9A-Z-]{19})$", re.MULTILINE)

aside = asyncio.to_thread
"""Commands run loops of their own, so a test that runs one gives them in another thread."""


class Desk:
    """A folder with a floor's file in which commands are given."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        self.file = path / "croupier.toml"
        self.file.write_text(SMALL)
        self._monkeypatch = monkeypatch

    def admin(self, words: str, *stdin: str) -> Ran:
        """Gives a command, with lines on standard input."""
        self._monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in stdin)))
        return run("admin", *shlex.split(words))

    def refused(self, words: str, *stdin: str) -> str:
        """What a command that is refused says, in one line."""
        self._monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in stdin)))
        return refusal("admin", *shlex.split(words))

    def done(self, words: str, *stdin: str) -> str:
        """What a command prints that succeeds."""
        ran = self.admin(words, *stdin)
        assert ran.status == 0, ran.err
        return ran.out

    def staffed(self) -> "Desk":
        """With the tables of the file, a pit manager max and a pit supervisor sue."""
        self.done("tables create")
        self.done("staff add max --position pit-manager --password-stdin", PASSWORD)
        self.done("staff add sue --position pit-supervisor --password-stdin", PASSWORD)
        return self

    def store(self) -> Store:
        return open_store(str(self.path / "journal.db"), must_exist=True)

    def events(self) -> list[r.OfficeEvent]:
        """What the office has on record."""
        store = self.store()
        try:
            return [r.office_entry_of(record).event for record in store.read(r.OFFICE)]
        finally:
            store.close()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    fast = functools.partial(AccessPolicy, hash_cost=FAST.hash_cost)
    monkeypatch.setattr("croupier.server.access.AccessPolicy", fast)
    monkeypatch.setattr("croupier.server.config_reading.AccessPolicy", fast)
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path, monkeypatch)


def test_check_says_what_the_floor_is(desk: Desk) -> None:
    assert "checked whole, no fault found" in desk.done("check croupier.toml")
    facts = desk.admin("check croupier.toml --json").json
    assert (facts["floor"], [table["table"] for table in facts["tables"]]) == ("Pit", ["T1"])


def test_check_names_every_fault_with_file_and_line(desk: Desk) -> None:
    desk.file.write_text(SMALL.replace("8000", "80000").replace("seats = 3", "seets = 3"))
    ran = desk.admin("check croupier.toml")

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines() == [
        "croupier: croupier.toml has 3 faults:",
        "croupier.toml:8: listen.port: port must be at most 65,535. [too-large]",
        "croupier.toml:10: table[0]: seats is missing. [missing]",
        "croupier.toml:13: table[0].seets: seets is not a key that belongs here. Did you mean seats? "
        "[unknown-key]",
    ]


@doing
async def test_a_new_person_gets_in_with_the_one_time_password_and_one_of_their_own(desk: Desk) -> None:
    await aside(desk.done, "tables create")
    ran = await aside(desk.admin, "staff add tan.wl --position dealer --duty cage")
    found = ONE_TIME.search(ran.out)
    assert found is not None
    assert "shown once" in ran.err
    store = desk.store()
    access = await Access.open(store, SystemClock(), FAST)

    assert code_of(await access.sign_in("tan.wl", found.group(1), ADDRESS)) == "password-must-change"
    admitted = await access.sign_in("tan.wl", found.group(1), ADDRESS, OTHER)
    assert isinstance(admitted, Admitted)
    assert (admitted.session.position, admitted.session.duties) == ("dealer", ("cage",))
    await access.close()
    store.close()
    (added,) = (event for event in desk.events() if isinstance(event, r.StaffAdded))
    assert added.password.startswith("$argon2id$")
    assert found.group(1) not in added.password


def test_staff_are_listed_moved_and_retired(desk: Desk) -> None:
    desk.staffed()
    desk.done("staff set-position sue --position pit-manager --duty auditor")
    desk.done("staff set-position sue --no-duty")
    desk.done("staff retire max --reason 'Moved away.'")

    rows = desk.admin("staff list --json").json
    assert [(row["name"], row["position"], row["duties"]) for row in rows] == [("sue", "pit-manager", [])]
    report = desk.admin("report users --json").json
    everybody = report["users"]
    assert [row["name"] for row in everybody] == ["max", "sue"]
    rights = {right["action"]: right for right in report["privileges"]["mbs-roulette"]}
    assert (rights["change-limits"]["position"], rights["change-limits"]["people"]) == ("pit-manager", 2)
    office = {right["action"]: right for right in report["privileges"]["office"]}
    assert office["voucher-pay"]["duties"] == ["cage"]
    assert office["voucher-void"]["position"] == "pit-supervisor"
    assert (office["staff-add"]["position"], office["staff-add"]["duties"]) == ("shift-manager", ["operator"])
    assert {name for name, right in RIGHTS.items() if right.position or right.duties} == office.keys()
    assert "password" not in everybody[0]
    page = desk.done("report users")
    assert re.search(r"^max +pit-manager +- .* retired ", page, re.MULTILINE)
    assert re.search(r"^mbs-roulette +open-round +dealer +- +1$", page, re.MULTILINE)
    assert re.search(r"^office +device-code +pit-supervisor +- +1$", page, re.MULTILINE)
    assert re.search(r"^office +voucher-pay +- +cage +1$", page, re.MULTILINE)
    assert "argon2" not in page
    last = desk.events()[-1]
    assert last == r.StaffRetired(name="max", reason="Moved away.")


def test_who_runs_the_command_is_on_record(desk: Desk) -> None:
    desk.staffed()
    store = desk.store()
    actors = {record.actor for record in store.read(r.OFFICE)}
    created = next(store.read("T1"))
    store.close()
    assert len(actors) == 1
    assert actors.pop().startswith("admin/")
    assert created.actor.startswith("admin/")


@doing
async def test_a_new_password_is_set_and_ends_sessions_of_a_server_that_runs(desk: Desk) -> None:
    await aside(desk.staffed)
    store = desk.store()
    ended: list[str] = []
    access = await Access.open(
        store, SystemClock(), FAST, on_session_end=lambda session, why: ended.append(session.name)
    )
    admitted = await access.sign_in("sue", PASSWORD, ADDRESS)
    assert isinstance(admitted, Admitted)
    await aside(desk.done, "staff password sue --password-stdin", OTHER)
    await access.tend()

    assert ended == ["sue"]
    assert isinstance(await access.sign_in("sue", OTHER, ADDRESS), Admitted)
    one_time = ONE_TIME.search(await aside(desk.done, "staff password sue"))
    assert one_time is not None
    assert code_of(await access.sign_in("sue", one_time.group(1), ADDRESS)) == "password-must-change"
    await access.close()
    store.close()


@doing
async def test_a_lock_out_is_cleared(desk: Desk) -> None:
    await aside(desk.staffed)
    store = desk.store()
    access = await Access.open(store, SystemClock(), FAST)
    for _ in range(5):
        await access.sign_in("sue", "Not the password", ADDRESS)
    assert code_of(await access.sign_in("sue", PASSWORD, ADDRESS)) == "locked-out"
    listed = await aside(desk.done, "staff list")
    assert re.search(r"locked out until \d{4}-\d\d-\d\d \d\d:\d\dZ", listed)
    times = re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d.?", listed)
    assert times
    assert all(time.endswith("Z") for time in times), "in UTC, and marked so"
    await aside(desk.done, "staff unlock sue --reason 'Called the desk.'")

    assert isinstance(await access.sign_in("sue", PASSWORD, ADDRESS), Admitted)
    assert "is not locked out" in await aside(desk.refused, "staff unlock sue --reason again")
    await access.close()
    store.close()


@doing
async def test_a_code_enrols_a_device_that_is_listed_and_revoked(desk: Desk) -> None:
    await aside(desk.staffed)
    found = CODE.search(await aside(desk.done, "devices code terminal --table T1 --seat 2"))
    assert found is not None
    store = desk.store()
    ended: list[str] = []
    access = await Access.open(
        store, SystemClock(), FAST, on_device_end=lambda device, why: ended.append(why)
    )
    enrolled = await access.enrol(found.group(1), ADDRESS)
    assert isinstance(enrolled, Enrolled)
    (row,) = (await aside(desk.admin, "devices list --json")).json
    assert (row["id"], row["table"], row["seat"]) == (enrolled.device.id, "T1", "2")
    assert enrolled.device.id in await aside(desk.done, "devices list")
    await aside(desk.done, f"devices revoke {enrolled.device.id} --reason 'Cracked screen.'")
    await access.tend()

    assert ended == ["Cracked screen."]
    assert access.device(enrolled.token.reveal()) is None
    assert await aside(desk.done, "devices list") == "No device is enrolled.\n"
    assert "revoked" in await aside(desk.done, "devices list --all")
    code = (await aside(desk.admin, "devices code console --json")).json
    assert (code["kind"], code["table"], code["minutes"]) == ("console", None, 15)
    await access.close()
    store.close()


def test_tables_are_created_once_and_differences_are_said(desk: Desk) -> None:
    assert desk.done("tables create T1") == "Created: T1.\n"
    assert desk.done("tables create") == "The journal has every table of the file already.\n"
    desk.file.write_text(
        SMALL.replace("[1, 100]", "[1, 50]").replace('id = "T1"', 'id = "T1"\ngrace_seconds = 3')
    )
    ran = desk.admin("tables list")

    assert re.search(r"^T1 +mbs-roulette +main +0 +0 +hand +closed$", ran.out, re.MULTILINE)
    assert "the limit straight is 1.00..50.00 in the file and 1.00..100.00 in the journal" in ran.err
    assert "grace_seconds is 3 in the file and 10 in the journal" in ran.err
    facts = desk.admin("tables list --json").json
    assert len(facts["differences"]) == 14
    assert facts["to_create"] == []


def test_limits_take_the_authority_that_the_book_asks_for(desk: Desk) -> None:
    desk.staffed()
    words = "limits set T1 --limit straight=2..60 --limit seat=900 --reason 'Busy night.'"
    before = desk.admin("limits show T1 --json").json

    assert "second one has to authorise" in desk.refused(f"{words} --by max", PASSWORD)
    assert "This takes a pit manager" in desk.refused(f"{words} --by sue", PASSWORD)
    assert "not right" in desk.refused(f"{words} --by max --second sue", PASSWORD, "Not the password")
    assert desk.admin("limits show T1 --json").json == before
    assert "new limits" in desk.done(f"{words} --by max --second sue", PASSWORD, PASSWORD)
    after = desk.admin("limits show T1 --json").json["limits"]
    assert (after["straight"], after["seat"], after["split"]) == ("2.00..60.00", "900.00", "1.00..100.00")
    assert [type(event) for event in desk.events()[-2:]] == [r.Authorised, r.Authorised]
    assert run("verify", str(desk.path / "journal.db")).status == 0


def test_limits_can_be_brought_to_what_the_file_says(desk: Desk) -> None:
    desk.staffed()
    desk.file.write_text(SMALL.replace("[1, 100]", "[1, 50]"))
    words = "limits set T1 --by max --second sue --reason 'As in the file.'"
    desk.done(words, PASSWORD, PASSWORD)

    assert desk.admin("tables list").err == ""
    assert "has these limits already" in desk.refused(words, PASSWORD, PASSWORD)
    assert "straight  1.00..50.00" in desk.done("limits show T1")


def test_limits_of_a_table_that_runs_are_left_to_its_console(desk: Desk) -> None:
    desk.staffed()
    store = desk.store()
    store.beat("T1", time.time_ns() // 1_000_000)
    head = store.head("T1")
    words = "limits set T1 --limit seat=900 --by max --second sue --reason x"
    assert "A server runs table T1" in desk.refused(words, PASSWORD, PASSWORD)
    assert store.head("T1") == head
    store.beat("T1", time.time_ns() // 1_000_000 - 11_000)
    desk.done(words, PASSWORD, PASSWORD)
    store.close()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("staff add Tan --position dealer", "is not a name for the staff"),
        ("staff add tan --position boss", "Use one of none, dealer, pit-supervisor"),
        ("staff add tan --position dealer --duty tea", "Use one of cage, operator, auditor"),
        ("staff add max --position dealer", "Every person has a name alone"),
        ("staff add tan --position dealer --password-stdin", "missing on standard input"),
        ("staff add tan", "required: --position"),
        ("staff password nobody", "is not on the staff"),
        ("staff retire max --reason ''", "State the reason"),
        ("staff set-position max", "Nothing is to change"),
        ("staff set-position max --position pit-manager", "has this position"),
        ("staff fire max", "invalid choice"),
        ("devices code toaster", "is not a kind of device"),
        ("devices code terminal --table T9 --seat 1", "no such table"),
        ("devices code terminal --table T1", "Name the seat"),
        ("devices revoke terminal-1 --reason x", "There is no device"),
        ("tables create T9", "The tables are T1"),
        ("limits show T9", "The tables are T1"),
        ("limits show office", "The tables are T1"),
        ("limits set T1 --limit straight --by max --reason x", "Write straight=5..100"),
        ("limits set T1 --limit straight=5 --by max --reason x", "Write straight=5..100"),
        ("limits set T1 --limit seat=lots --by max --reason x", "is not an amount"),
        ("staff list --journal nowhere.db", "There is no journal"),
        ("staff add tan --position dealer --journal nowhere.db", "There is no journal"),
        ("staff list --floor nowhere.toml", "cannot be opened"),
        ("limits set T1 --journal journal.db --by max --reason x", "Name it with --floor FILE"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(desk: Desk, words: str, says: str) -> None:
    desk.staffed()
    before = len(desk.events())
    assert says in desk.refused(words)
    assert len(desk.events()) == before
    assert not (desk.path / "nowhere.db").exists()


def test_a_weak_password_is_refused(desk: Desk) -> None:
    desk.staffed()
    words = "staff add tan --position dealer --password-stdin"
    assert "10 to 200 characters" in desk.refused(words, "short")
    assert "Take something else" in desk.refused(words, "Password 123")


def test_a_limit_that_no_table_takes_is_refused_by_the_table(desk: Desk) -> None:
    desk.staffed()
    words = "limits set T1 --limit straight=60..2 --by max --second sue --reason x"
    assert "a maximum not below it" in desk.refused(words, PASSWORD, PASSWORD)


def test_a_password_is_never_an_argument(desk: Desk) -> None:
    desk.staffed()
    assert "nrecognized arguments" in desk.refused(f"staff add tan --position dealer --password '{PASSWORD}'")


def test_a_journal_in_postgresql_is_administered_the_same_way(desk: Desk, postgres_address: str) -> None:
    desk.file.write_text(SMALL.replace('"journal.db"', f'"{postgres_address}"'))
    desk.staffed()
    assert CODE.search(desk.done("devices code display --table T1")) is not None
    desk.done("limits set T1 --limit seat=900 --by max --second sue --reason x", PASSWORD, PASSWORD)
    assert [row["name"] for row in desk.admin("staff list --json").json] == ["max", "sue"]
    assert run("verify", postgres_address).status == 0

"""The office's stream: several writers, a chain that is checked, and rows for the log of events."""

import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from croupier.floor import DamagedJournal, ManualClock
from croupier.floor.office import records as r
from croupier.floor.office.devices import enrol, issue_code
from croupier.floor.office.office import Office, Who
from croupier.floor.office.rows import office_rows
from croupier.floor.office.staff import add, retire, set_password, set_position
from croupier.floor.office.state import OfficeState
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal import EMPTY, Draft, Head, Record, StoreError, link, open_store
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import BadInput
from server.access_rig import ADMIN, House
from table.rig import START_MS

SAMPLES: tuple[r.OfficeEvent, ...] = (
    r.AccessOpened(version="0.1"),
    r.StaffAdded(name="ana", position="dealer", duties=(), password="$argon2id$", is_one_time=True),
    r.PasswordSet(name="ana", password="$argon2id$", is_one_time=False),
    r.PositionSet(name="ana", position="pit-manager", duties=("cage",), old_position="dealer", old_duties=()),
    r.PasswordRehashed(name="ana", password="$argon2id$2"),
    r.SignedIn(name="ana", session="session-1"),
    r.SignedOut(name="ana", session="session-1", why="idle"),
    r.SessionsEnded(name="ana", reason="left"),
    r.Authorised(name="ana", beside="ben", what="correct-result"),
    r.SignInFailed(name="ana", why="wrong-password", purpose="sign-in"),
    r.LockedOut(name="ana", until_ms=START_MS + 1),
    r.LockCleared(name="ana", reason="asked"),
    r.AttemptsRefused(attempts=12),
    r.CodeIssued(code="c-1", digest="00", kind="terminal", table="T1", seat="1", expires_ms=START_MS + 1),
    r.EnrolmentFailed(why="unknown-code"),
    r.DeviceEnrolled(
        device="terminal-1", code="c-1", kind="terminal", table="T1", seat="1", token_sha256="ff"
    ),
    r.DeviceRevoked(device="terminal-1", reason="broken"),
    r.StaffRetired(name="ana", reason="left"),
    r.AccessClosed(),
)
"""Every kind of event, in an order in which they can happen."""


def test_every_kind_of_event_has_a_sample() -> None:
    assert {type(sample) for sample in SAMPLES} == set(r.OfficeEvent.__args__)  # type: ignore[attr-defined]  # a union


def test_every_kind_is_written_read_verified_and_told(tmp_path: Path) -> None:
    address = str(tmp_path / "journal.db")
    store = open_store(address)
    office = Office(store, ManualClock(START_MS))
    for sample in SAMPLES:
        assert office.write(Who("ben", "shift-manager", "10.0.0.7"), lambda state, now, it=sample: [it]) == [
            sample
        ]  # type: ignore[misc]  # bound here

    read = [r.office_entry_of(record) for record in store.read(r.OFFICE)]
    assert [entry.event for entry in read] == list(SAMPLES)
    again = Office(store, ManualClock(START_MS))
    again.catch_up()
    assert again.state == office.state
    evidence = open_evidence(address)
    assert [report.first_misfit for report in verify_journal(evidence)] == [None]
    rows = list(office_rows(evidence.records(r.OFFICE), everything=True))
    assert [row.event for row in rows] == [r.office_kind(sample) for sample in SAMPLES]
    assert len({row.what for row in rows}) == len(SAMPLES)
    assert all(row.what.endswith(", from 10.0.0.7.") for row in rows)
    everyday = {row.event for row in rows} - {row.event for row in office_rows(evidence.records(r.OFFICE))}
    assert everyday == {"signed-in", "signed-out", "authorised", "password-rehashed"}
    evidence.close()
    store.close()


def test_what_is_told_says_who_what_and_from_where() -> None:
    entry = r.OfficeEntry(
        actor="unknown",
        position="",
        address="10.0.0.7",
        event=r.SignInFailed(name="", why="unknown-name", purpose="authorise"),
    )
    (record,) = link(r.OFFICE, EMPTY, [r.office_draft(entry, START_MS, 1)])
    (row,) = office_rows([record])
    what = "Somebody could not authorise as a second person: nobody has that name, from 10.0.0.7."
    assert (row.time_ms, row.actor, row.what) == (START_MS, "unknown", what)


def test_writers_in_several_threads_and_stores_lose_nothing(house: House) -> None:
    def work(number: int) -> None:
        store = open_store(house.address)
        office = Office(store, ManualClock(START_MS))
        for count in range(10):
            while True:
                try:
                    office.write(ADMIN, add(f"p{number}-{count}", "dealer", [], "$", is_one_time=False))
                except StoreError:
                    continue
                break
        store.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    house.office.catch_up()
    assert len(house.office.state.staff) == 2 + 40
    assert house.misfits() == []


class Rushed(SqliteStore):
    """A journal in which others are faster, a few times."""

    rushes: list[Callable[[], object]]

    def append(self, records: list[Record], claims: list[tuple[str, int]]) -> None:  # type: ignore[override]  # narrower on purpose
        if self.rushes:
            self.rushes.pop()()
        super().append(records, claims)


def test_a_writer_that_others_outrun_decides_again_on_what_they_wrote(house: House) -> None:
    store = Rushed(house.address)
    store.rushes = [
        lambda: house.office.write(ADMIN, add("lim", "dealer", [], "$", is_one_time=False)),
        lambda: house.office.write(ADMIN, add("goh", "dealer", [], "$", is_one_time=False)),
    ]
    seen: list[int] = []

    def decide(state: OfficeState, now_ms: int) -> list[r.OfficeEvent]:
        seen.append(len(state.staff))
        return [r.SessionsEnded(name="tan", reason="x")]

    Office(store, house.clock).write(ADMIN, decide)
    assert seen == [2, 3, 4]
    assert house.kinds(last=3) == ["staff-added", "staff-added", "sessions-ended"]
    store.rushes = [lambda: house.office.write(ADMIN, lambda state, now_ms: [r.AccessClosed()])] * 20
    with pytest.raises(StoreError, match="too busy"):
        Office(store, house.clock).write(ADMIN, decide)
    store.close()
    assert house.misfits() == []


def test_a_name_is_given_once_even_where_two_give_it_at_the_same_time(house: House) -> None:
    other = Office(house.store, house.clock)
    other.catch_up()
    house.office.write(ADMIN, add("lim", "dealer", [], "$", is_one_time=False))
    with pytest.raises(BadInput) as refused:
        other.write(ADMIN, add("lim", "dealer", [], "$", is_one_time=False))
    assert refused.value.code == "name-taken"
    house.office.write(ADMIN, retire("lim", "left"))
    with pytest.raises(BadInput) as again:
        other.write(ADMIN, add("lim", "dealer", [], "$", is_one_time=False))
    assert again.value.code == "name-taken"


@pytest.mark.parametrize(
    ("name", "position", "duties", "code"),
    [
        ("Tan", "dealer", [], "name-malformed"),
        ("", "dealer", [], "name-malformed"),
        ("a--b", "dealer", [], "name-malformed"),
        ("system/x", "dealer", [], "name-malformed"),
        ("x" * 41, "dealer", [], "name-malformed"),
        ("lim", "player", [], "unknown-position"),
        ("lim", "boss", [], "unknown-position"),
        ("lim", "dealer", ["tea"], "unknown-duty"),
        ("tan", "dealer", [], "name-taken"),
    ],
)
def test_staff_that_cannot_be_added(
    house: House, name: str, position: str, duties: list[str], code: str
) -> None:
    with pytest.raises(BadInput) as refused:
        house.office.write(ADMIN, add(name, position, duties, "$", is_one_time=False))
    assert refused.value.code == code


def test_a_change_of_position_keeps_what_was(house: House) -> None:
    house.office.write(ADMIN, set_position("siti", "pit-manager", None))
    assert house.entries()[-1].event == r.PositionSet(
        name="siti",
        position="pit-manager",
        duties=("cage",),
        old_position="pit-supervisor",
        old_duties=("cage",),
    )
    with pytest.raises(BadInput) as refused:
        house.office.write(ADMIN, set_position("siti", "pit-manager", ["cage"]))
    assert refused.value.code == "nothing-new"


def forge(house: House, event: r.OfficeEvent, **columns: object) -> None:
    """Appends a record that no office would write, properly chained."""
    head = house.store.head(r.OFFICE)
    entry = r.OfficeEntry(actor="x", position="", address="", event=event)
    draft = r.office_draft(entry, START_MS, head.sequence + 1)._replace(claims=())
    records = list(link(r.OFFICE, head, [Draft(**(draft._asdict() | columns))]))  # type: ignore[arg-type]  # columns of a draft
    house.store.append(records, [])


@pytest.mark.parametrize(
    ("event", "columns", "reason"),
    [
        (r.SignedIn(name="nobody", session="s"), {}, "nobody named nobody works here"),
        (r.StaffRetired(name="nobody", reason="x"), {}, "nobody named nobody works here"),
        (r.Authorised(name="nobody", beside="", what=""), {}, "nobody named nobody works here"),
        (
            r.StaffAdded(name="tan", position="dealer", duties=(), password="$", is_one_time=False),
            {},
            "there is a tan already",
        ),
        (
            r.DeviceEnrolled(
                device="d", code="none", kind="display", table="T1", seat=None, token_sha256="00"
            ),
            {},
            "no code was open that enrols this device",
        ),
        (r.DeviceRevoked(device="d", reason="x"), {}, "there is no device d that may come in"),
        (r.AccessClosed(), {"actor": "y"}, "its actor is not the one that its payload says"),
        (r.AccessClosed(), {"sender": "y"}, "its sender, number or part is not what the office writes"),
        (r.AccessClosed(), {"version": 2}, "the office writes no access-closed of version 2"),
        (r.AccessClosed(), {"kind": "access-opened"}, "its payload is a access-closed, not a access-opened"),
        (r.AccessClosed(), {"payload": b"{}"}, "its payload is not a access-closed"),
    ],
)
def test_verify_names_records_that_no_office_writes(
    house: House, event: r.OfficeEvent, columns: dict[str, object], reason: str
) -> None:
    assert house.misfits() == []
    forge(house, event, **columns)
    (found,) = house.misfits()
    assert reason in getattr(found, "reason", "")
    assert getattr(found, "sequence", 0) == 3


def test_verify_finds_somebody_who_got_in_while_locked_out(house: House) -> None:
    house.office.write(ADMIN, lambda state, now_ms: [r.LockedOut(name="tan", until_ms=now_ms + 1)])
    forge(house, r.SignedIn(name="tan", session="s"))
    (found,) = house.misfits()
    assert (getattr(found, "sequence", 0), getattr(found, "reason", "")) == (4, "tan is locked out")


def test_verify_finds_somebody_who_got_in_with_a_one_time_password(house: House) -> None:
    house.office.write(ADMIN, set_password("tan", "$", is_one_time=True))
    forge(house, r.SignedIn(name="tan", session="s"))
    (found,) = house.misfits()
    assert "one-time password" in getattr(found, "reason", "")


def test_verify_finds_a_device_whose_code_is_not_claimed(house: House) -> None:
    house.office.write(ADMIN, issue_code("c-1", "00", "display", "T1", None, 15))
    forge(
        house,
        r.DeviceEnrolled(device="d", code="c-1", kind="display", table="T1", seat=None, token_sha256="00"),
    )
    (found,) = house.misfits()
    assert "its payload claims enrolment/c-1, and the journal holds nothing" in getattr(found, "reason", "")


def test_an_enrolled_device_claims_its_code_for_good(house: House) -> None:
    house.office.write(ADMIN, issue_code("c-1", "00", "display", "T1", None, 15))
    house.office.write(ADMIN, enrol("00", "display-1", "ff"))
    assert house.store.claimant("enrolment/c-1") == (r.OFFICE, house.store.head(r.OFFICE).sequence)
    assert house.misfits() == []


def test_an_office_does_not_open_on_a_stream_that_does_not_fit(house: House) -> None:
    forge(house, r.DeviceRevoked(device="d", reason="x"))
    with pytest.raises(DamagedJournal, match=r"Record 3 of the office cannot be read: there is no device d"):
        Office(house.store, house.clock).catch_up()


def test_an_office_notices_a_journal_that_was_put_back(house: House, tmp_path: Path) -> None:
    behind = House(tmp_path / "older.db")
    ahead = Office(behind.store, behind.clock)
    behind.office.write(ADMIN, add("lim", "dealer", [], "$", is_one_time=False))
    ahead.catch_up()
    ahead._head = Head(5, bytes(32))
    with pytest.raises(StoreError, match="older than what was read before"):
        ahead.catch_up()
    behind.store.close()


def test_payloads_hold_no_more_than_they_say(house: House) -> None:
    """What is on disk can be read by another program: plain JSON with a tag."""
    record: Record = next(house.store.read(r.OFFICE))
    payload = msgspec.json.decode(record.payload)
    assert payload["actor"] == "admin/root"
    assert payload["event"]["type"] == record.kind == "staff-added"


DEVICE = r.DeviceEnrolled(device="d", code="c-1", kind="terminal", table="T1", seat="1", token_sha256="00")
ELSEWHERE = "the code enrols another kind of device, or one for another place"


@pytest.mark.parametrize(
    ("changes", "columns", "reason"),
    [
        ({"seat": "2"}, {}, ELSEWHERE),
        ({"table": "T2"}, {}, ELSEWHERE),
        ({"kind": "display", "seat": None}, {}, ELSEWHERE),
        ({}, {"at_ms": START_MS + 86_400_000}, "no code was open that enrols this device"),
    ],
    ids=["another seat", "another table", "another kind", "a day too late"],
)
def test_verify_finds_a_device_that_its_code_was_not_for(
    house: House, changes: dict[str, str | None], columns: dict[str, int], reason: str
) -> None:
    house.office.write(ADMIN, issue_code("c-1", "00", "terminal", "T1", "1", 15))
    forge(house, msgspec.structs.replace(DEVICE, **changes), **columns)
    (found,) = house.misfits()
    assert getattr(found, "reason", "") == reason

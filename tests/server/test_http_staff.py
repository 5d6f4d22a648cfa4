"""Signing in over HTTP, one's own password, the staff, and devices from their code to their end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.client import Api, Ended
from croupier.floor.office import staff as office_staff
from croupier.floor.office.office import Office, Who
from croupier.floor.office.records import OFFICE, office_entry_of
from server.floor_rig import PASSWORD
from server.server_rig import LiveServer

NEW = "Nine quiet lanterns"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}) as live:
        yield live


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """For tests that leave nothing behind."""
    with LiveServer(tmp_path_factory.mktemp("shared"), tables={"R1": "mbs-roulette"}) as live:
        yield live


def sign_in(server: LiveServer, name: str, password: str, **more: str) -> tuple[int, dict[str, object]]:
    with server.client() as client:
        answer = client.post("/api/sign-in", json={"name": name, "password": password, **more})
    return answer.status_code, answer.json()


def test_a_session_begins_with_a_sign_in_and_ends_with_a_sign_out(server: LiveServer) -> None:
    status, signed_in = sign_in(server, "sue", PASSWORD)
    assert (status, signed_in["position"]) == (200, "pit-supervisor")
    assert signed_in["zone"] == "UTC", "by whose clocks screens show times"
    with server.client(str(signed_in["token"])) as client:
        me = client.get("/api/session").json()
        assert (me["kind"], me["id"], me["position"]) == ("staff", "sue", "pit-supervisor")
        assert "device-code" in me["may"]
        assert "staff-add" not in me["may"]
        assert client.post("/api/sign-out").status_code == 204
        gone = client.get("/api/session")
    assert (gone.status_code, gone.json()["code"]) == (401, "not-signed-in")
    assert gone.headers["www-authenticate"] == "Bearer"


def test_a_wrong_name_and_a_wrong_password_are_told_alike(server: LiveServer) -> None:
    wrong_password, unknown_name = sign_in(server, "sue", "x"), sign_in(server, "nobody", "x")
    assert wrong_password == unknown_name
    assert (wrong_password[0], wrong_password[1]["code"]) == (401, "sign-in-failed")


def test_repeated_failures_lock_a_name_until_a_supervisor_clears_it(server: LiveServer) -> None:
    for _ in range(5):
        assert sign_in(server, "dee", "wrong")[0] == 401
    status, refused = sign_in(server, "dee", PASSWORD)
    assert (status, refused["code"]) == (429, "locked-out")
    assert isinstance(refused["facts"], dict)
    assert refused["facts"]["until_ms"] > server.rig.floor.clock.now_ms()
    with server.client(server.staff_token("second dealer")) as dealer:
        assert dealer.post("/api/staff/dee/unlock", json={"reason": "asked"}).status_code == 403
    with server.client(server.staff_token("pit-supervisor")) as supervisor:
        assert supervisor.post("/api/staff/dee/unlock", json={"reason": "knows him"}).status_code == 204
        again = supervisor.post("/api/staff/dee/unlock", json={"reason": "knows him"})
    assert (again.status_code, again.json()["code"]) == (409, "not-locked")
    assert sign_in(server, "dee", PASSWORD)[0] == 200


def test_ones_own_password_is_changed_and_sessions_end(server: LiveServer) -> None:
    token = server.staff_token("pit-supervisor")
    change = {"name": "sue", "password": PASSWORD, "new_password": NEW}
    with server.client(token) as client:
        assert client.post("/api/password", json=change | {"password": "x"}).status_code == 401
        short = client.post("/api/password", json=change | {"new_password": "short"})
        assert (short.status_code, short.json()["code"]) == (422, "password-length")
        assert client.post("/api/password", json=change).status_code == 204
        assert client.get("/api/session").status_code == 401
    assert sign_in(server, "sue", PASSWORD)[0] == 401
    assert sign_in(server, "sue", NEW)[0] == 200


def test_somebody_is_added_signs_in_once_and_retires(server: LiveServer) -> None:
    with server.client(server.staff_token("operator")) as operator:
        added = operator.post("/api/staff", json={"name": "new.hand", "position": "dealer"}).json()
        twice = operator.post("/api/staff", json={"name": "new.hand", "position": "dealer"})
        assert (twice.status_code, twice.json()["code"]) == (409, "name-taken")
        unknown = operator.post("/api/staff", json={"name": "other", "position": "king"})
        assert (unknown.status_code, unknown.json()["code"]) == (400, "unknown-position")
        first = sign_in(server, "new.hand", added["password"])
        assert (first[0], first[1]["code"]) == (403, "password-must-change")
        status, session = sign_in(server, "new.hand", added["password"], new_password=NEW)
        assert (status, session["position"]) == (200, "dealer")
        moved = operator.patch("/api/staff/new.hand", json={"position": "pit-supervisor", "duties": ["cage"]})
        assert moved.status_code == 204
        rows = {row["name"]: row for row in operator.get("/api/staff").json()["staff"]}
        assert (rows["new.hand"]["position"], rows["new.hand"]["duties"]) == ("pit-supervisor", ["cage"])
        assert operator.post("/api/staff/new.hand/retire", json={"reason": "left"}).status_code == 204
        assert operator.post("/api/staff/nobody/retire", json={"reason": "left"}).status_code == 404
    with server.client(str(session["token"])) as client:
        assert client.get("/api/session").status_code == 401
    assert sign_in(server, "new.hand", NEW)[0] == 401


def test_no_list_of_the_staff_holds_what_they_get_in_with(shared: LiveServer) -> None:
    with shared.client(shared.staff_token("auditor")) as auditor:
        listed = auditor.get("/api/staff").text
    assert "argon2" not in listed
    assert "dee" in listed


def test_nobody_reaches_above_what_they_are(server: LiveServer) -> None:
    with server.client(server.staff_token("shift-manager")) as manager:
        for path, body in (
            ("/api/staff", {"name": "x.y", "position": "none", "duties": ["operator"]}),
            ("/api/staff", {"name": "x.y", "position": "none", "duties": ["auditor"]}),
        ):
            assert manager.post(path, json=body).status_code == 403
        assert manager.patch("/api/staff/shi", json={"duties": ["cage"]}).status_code == 403
        assert manager.patch("/api/staff/opal", json={"duties": []}).status_code == 403
        assert manager.post("/api/staff/opal/password").status_code == 403
        assert manager.post("/api/staff/opal/retire", json={"reason": "r"}).status_code == 403
        assert manager.patch("/api/staff/dee", json={"duties": ["operator"]}).status_code == 403
        assert manager.patch("/api/staff/dee", json={"position": "pit-manager"}).status_code == 204
    with server.client(server.staff_token("operator")) as operator:
        own = operator.patch("/api/staff/opal", json={"position": "shift-manager"})
    assert (own.status_code, own.json()["code"]) == (403, "not-allowed")


def test_what_another_server_has_just_written_decides_who_may_be_changed(server: LiveServer) -> None:
    """The office is shared: nobody goes by what this server has last read of it."""
    elsewhere = Office(server.rig.floor.store, server.rig.floor.clock)
    admin = Who("admin/root", "operator")

    def refused(path: str, body: object = None) -> tuple[int, str]:
        answer = manager.post(path, json=body) if body else manager.post(path)
        return answer.status_code, "" if answer.status_code == 200 else answer.json()["code"]

    with server.client(server.staff_token("shift-manager")) as manager:
        for name in ("mia", "mel", "moe"):
            elsewhere.write(admin, office_staff.add(name, "dealer", [], "hash", is_one_time=True))
            changed = manager.patch(f"/api/staff/{name}", json={"position": "pit-supervisor"})
            assert changed.status_code == 204, "added elsewhere a moment ago"
            elsewhere.write(admin, office_staff.set_position(name, None, ["operator"]))
            assert refused(f"/api/staff/{name}/password") == (403, "not-allowed")
            assert refused(f"/api/staff/{name}/retire", {"reason": "r"}) == (403, "not-allowed")
        elsewhere.write(admin, office_staff.set_position("shi", "dealer", None))
        assert refused("/api/staff/dee/password") == (401, "not-signed-in")


def test_a_new_password_is_for_one_sign_in(server: LiveServer) -> None:
    with server.client(server.staff_token("operator")) as operator:
        given = operator.post("/api/staff/dee/password").json()
    assert sign_in(server, "dee", PASSWORD)[0] == 401
    assert sign_in(server, "dee", given["password"])[0] == 403
    assert sign_in(server, "dee", given["password"], new_password=NEW)[0] == 200


def test_a_device_is_enrolled_with_a_code_once_and_revoked_at_once(server: LiveServer) -> None:
    with server.client(server.staff_token("pit-supervisor")) as supervisor, server.client() as anybody:
        code = supervisor.post(
            "/api/devices/code", json={"kind": "terminal", "table": "R1", "seat": "2"}
        ).json()
        enrolled = anybody.post("/api/devices/enrol", json={"code": code["code"]}).json()
        assert (enrolled["kind"], enrolled["table"], enrolled["seat"]) == ("terminal", "R1", "2")
        again = anybody.post("/api/devices/enrol", json={"code": code["code"]})
        assert (again.status_code, again.json()["code"]) == (401, "code-unknown")
        with server.client(enrolled["token"]) as terminal:
            me = terminal.get("/api/session").json()
            assert (me["kind"], me["table"], me["seat"]) == ("terminal", "R1", "2")
            listed = supervisor.get("/api/devices").text
            assert enrolled["token"].partition(".")[2] not in listed
            assert enrolled["device"] in listed
            revoke = f"/api/devices/{enrolled['device']}/revoke"
            assert supervisor.post(revoke, json={"reason": "stolen"}).status_code == 204
            assert terminal.get("/api/session").status_code == 401
            assert supervisor.post(revoke, json={"reason": "stolen"}).status_code == 409
        assert supervisor.post("/api/devices/nothing/revoke", json={"reason": "r"}).status_code == 404


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"kind": "toaster", "table": "R1"}, 400, "unknown-device-kind"),
        ({"kind": "terminal", "table": "R1"}, 400, "seat-of-device"),
        ({"kind": "display"}, 400, "no-table"),
        ({"kind": "display", "table": "Z"}, 404, "unknown-table"),
        ({"kind": "display", "table": "R1", "more": 1}, 400, "malformed"),
        ({}, 400, "malformed"),
    ],
)
def test_a_code_is_for_a_device_that_can_be(
    shared: LiveServer, asked: dict[str, str], status: int, code: str
) -> None:
    with shared.client(shared.staff_token("pit-supervisor")) as supervisor:
        answer = supervisor.post("/api/devices/code", json=asked)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_every_attempt_is_on_record_and_no_password_is(server: LiveServer) -> None:
    sign_in(server, "dee", "A secret guess")
    sign_in(server, "dee", PASSWORD)
    records = [*server.rig.floor.store.read(OFFICE)]
    kinds = [record.kind for record in records]
    assert kinds.count("sign-in-failed") == 1
    assert office_entry_of(records[-1]).address == "127.0.0.1"
    assert not any(b"A secret guess" in record.payload for record in records)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"name": "dee"}',
        b'{"name": "dee", "password": 5}',
        b'{"name": "dee", "password": "x", "admin": true}',
        b'{"name": "dee", "password": "' + b"x" * 300 + b'"}',
        b"\xff\xfe",
    ],
)
def test_what_cannot_be_read_is_malformed_and_not_repeated(shared: LiveServer, body: bytes) -> None:
    with shared.client() as client:
        answer = client.post("/api/sign-in", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert "xxx" not in answer.text


def test_what_is_too_large_is_not_read(shared: LiveServer) -> None:
    with shared.client() as client:
        answer = client.post("/api/sign-in", content=b"x" * 70_000)
        streamed = client.post("/api/sign-in", content=iter([b"x" * 1_000] * 70))
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    assert streamed.status_code == 413


def test_a_revoked_terminal_is_cut_off_its_socket(server: LiveServer) -> None:
    token = server.device_token("terminal", "R1", "1")
    supervisor = Api(server.base_url, server.staff_token("pit-supervisor"))

    async def revoke_while_connected() -> Ended:
        device = server.rig.floor.access.device(token)
        assert device is not None
        async with await server.rig.seat("1") as seat, supervisor:
            await supervisor.post(f"/api/devices/{device.id}/revoke", reason="stolen")
            with pytest.raises(Ended) as ended:
                await seat.until(lambda seen: False)
        return ended.value

    assert server.run(revoke_while_connected).code == "signed-out"

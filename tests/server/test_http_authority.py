"""Who may ask for what: every operation, asked over the wire by every kind of caller."""

from collections.abc import Iterator

import httpx
import pytest

from croupier.floor.cage.numbers import voucher_number_of
from croupier.server.http.app import HANDLERS
from croupier.server.http.authority import RIGHTS
from server.floor_rig import PASSWORD
from server.server_rig import LiveServer

NUMBER = voucher_number_of(5)

OPERATIONS = {
    "health": ("GET", "/health"),
    "ready": ("GET", "/ready"),
    "version": ("GET", "/api/version"),
    "metrics": ("GET", "/metrics"),
    "openapi": ("GET", "/api/openapi.json"),
    "asyncapi": ("GET", "/api/asyncapi.json"),
    "reference": ("GET", "/api/docs"),
    "reference-live": ("GET", "/api/live-docs"),
    "style": ("GET", "/api/style.css"),
    "page": ("GET", "/terminal"),
    "asset": ("GET", "/assets/nothing.js"),
    "icon": ("GET", "/favicon.svg"),
    "demonstration": ("GET", "/api/demonstration"),
    "demonstration-seat": ("POST", "/api/demonstration/seat"),
    "books": ("GET", "/api/books"),
    "book": ("GET", "/api/books/mbs-roulette"),
    "book-view": ("GET", "/api/books/mbs-roulette/view"),
    "tables": ("GET", "/api/tables"),
    "table": ("GET", "/api/tables/R1"),
    "statistics": ("GET", "/api/tables/R1/statistics"),
    "sign-in": ("POST", "/api/sign-in"),
    "password": ("POST", "/api/password"),
    "sign-out": ("POST", "/api/sign-out"),
    "session": ("GET", "/api/session"),
    "enrol": ("POST", "/api/devices/enrol"),
    "device-code": ("POST", "/api/devices/code"),
    "devices": ("GET", "/api/devices"),
    "device-revoke": ("POST", "/api/devices/nothing/revoke"),
    "staff": ("GET", "/api/staff"),
    "staff-add": ("POST", "/api/staff"),
    "staff-change": ("PATCH", "/api/staff/nobody"),
    "staff-password": ("POST", "/api/staff/nobody/password"),
    "staff-retire": ("POST", "/api/staff/nobody/retire"),
    "staff-unlock": ("POST", "/api/staff/nobody/unlock"),
    "staff-end-sessions": ("POST", "/api/staff/nobody/end-sessions"),
    "vouchers": ("GET", "/api/vouchers"),
    "seat-vouchers": ("GET", "/api/tables/R1/seats/1/vouchers"),
    "voucher": ("GET", f"/api/vouchers/{NUMBER}"),
    "voucher-pay": ("POST", f"/api/vouchers/{NUMBER}/pay"),
    "voucher-void": ("POST", f"/api/vouchers/{NUMBER}/void"),
    "voucher-reinstate": ("POST", f"/api/vouchers/{NUMBER}/reinstate"),
    "cage-report": ("GET", "/api/cage/report"),
    "cage-report-file": ("GET", "/api/cage/report/file"),
    "ticket": ("GET", f"/api/vouchers/{NUMBER}/ticket"),
    "ticket-page": ("GET", f"/api/vouchers/{NUMBER}/ticket.html"),
    "rounds": ("GET", "/api/tables/R1/rounds"),
    "round": ("GET", "/api/tables/R1/rounds/1"),
    "correction": ("GET", "/api/tables/R1/rounds/1/correction?result=1"),
    "foreseen": ("POST", "/api/tables/R1/foreseen"),
    "seat-history": ("GET", "/api/seat/history"),
    "meters": ("GET", "/api/tables/R1/meters"),
    "reports": ("GET", "/api/reports"),
    "report-file": ("GET", "/api/reports/file"),
    "software-check": ("POST", "/api/software-check"),
    "wheels": ("GET", "/api/wheels"),
    "lab-systems": ("GET", "/api/lab/systems"),
    "lab-slip": ("POST", "/api/lab/slip"),
    "lab-session": ("POST", "/api/lab/session"),
    "events": ("GET", "/api/events"),
    "export": ("GET", "/api/tables/R1/export?kind=rounds"),
    "records": ("GET", "/api/tables/R1/export?kind=records"),
    "bundle": ("GET", "/api/tables/R1/rounds/1/bundle"),
}
"""A request of each operation that changes nothing: who may make it is told what is wrong with it."""

DEVICES = ("terminal", "terminal elsewhere", "display", "wheel", "console")
UPWARDS = ("dealer", "pit-supervisor", "pit-manager", "shift-manager")
DUTIES = ("cage", "operator", "auditor")
CALLERS = ("nobody", *DEVICES, *UPWARDS, *DUTIES)

ALL = {*CALLERS}
STAFF = {*UPWARDS, *DUTIES}
SUPERVISORS, MANAGERS = {*UPWARDS[1:]}, {*UPWARDS[2:]}

MAY: dict[str, set[str]] = {
    **dict.fromkeys(
        ("health", "ready", "version", "openapi", "asyncapi", "reference", "reference-live", "style"), ALL
    ),
    **dict.fromkeys(("demonstration", "demonstration-seat"), ALL),
    **dict.fromkeys(("page", "asset", "icon", "books", "book", "book-view"), ALL),
    **dict.fromkeys(("tables", "table", "statistics", "sign-in", "password", "enrol"), ALL),
    "metrics": STAFF,
    "sign-out": STAFF,
    "session": STAFF | {*DEVICES},
    "device-code": SUPERVISORS,
    "devices": SUPERVISORS | {"operator", "auditor"},
    "device-revoke": SUPERVISORS,
    "staff": MANAGERS | {"operator", "auditor"},
    "staff-add": {"shift-manager", "operator"},
    "staff-change": {"shift-manager", "operator"},
    "staff-password": {"shift-manager", "operator"},
    "staff-retire": {"shift-manager", "operator"},
    "staff-unlock": SUPERVISORS,
    "staff-end-sessions": SUPERVISORS,
    "vouchers": SUPERVISORS | {"cage", "auditor"},
    "seat-vouchers": SUPERVISORS | {"cage", "auditor"},
    "voucher": {"cage"},
    "voucher-pay": {"cage"},
    "voucher-void": SUPERVISORS,
    "cage-report": {"shift-manager", "cage", "auditor"},
    "cage-report-file": {"shift-manager", "cage", "auditor"},
    "voucher-reinstate": {"shift-manager"},
    "ticket": {"cage", "terminal", "terminal elsewhere"},
    "ticket-page": {"cage", "terminal", "terminal elsewhere"},
    "rounds": {*UPWARDS, "auditor", "terminal"},
    "round": {*UPWARDS, "auditor", "terminal"},
    "correction": {*UPWARDS},
    "foreseen": {*UPWARDS},
    "seat-history": {"terminal", "terminal elsewhere"},
    "meters": SUPERVISORS | {"auditor"},
    "reports": SUPERVISORS | {"operator", "auditor"},
    "report-file": SUPERVISORS | {"operator", "auditor"},
    "software-check": {"shift-manager", "operator", "auditor"},
    "wheels": SUPERVISORS | {"operator", "auditor"},
    **dict.fromkeys(("lab-systems", "lab-slip", "lab-session"), STAFF),
    "events": SUPERVISORS | {"operator", "auditor"},
    "export": MANAGERS | {"auditor"},
    "records": {"shift-manager", "auditor"},
    "bundle": {"shift-manager", "auditor"},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    tables = {"R1": "mbs-roulette", "R2": "rws-roulette-00"}
    with LiveServer(tmp_path_factory.mktemp("floor"), tables=tables) as live:
        yield live


def token_of(server: LiveServer, caller: str) -> str | None:
    match caller:
        case "nobody":
            return None
        case "terminal":
            return server.device_token("terminal", "R1", "1")
        case "terminal elsewhere":
            return server.device_token("terminal", "R2", "1")
        case "display" | "wheel" | "console":
            return server.device_token(caller, "R1", None)
    return server.staff_token(caller)


def ask(client: httpx.Client, operation: str) -> httpx.Response:
    method, path = OPERATIONS[operation]
    # A proxy's header, because a request from this machine itself may see the metrics.
    return client.request(method, path, headers={"X-Forwarded-For": "10.0.0.1"})


def test_every_operation_of_the_application_is_in_the_table_and_in_this_test() -> None:
    handled = {str(handler.name) for handler in HANDLERS}
    assert handled | {"records"} == set(RIGHTS) == set(OPERATIONS) == set(MAY)


@pytest.mark.parametrize("caller", CALLERS)
def test_a_caller_may_what_the_table_says_and_nothing_else(server: LiveServer, caller: str) -> None:
    # Signing out comes last: it ends what the others go by.
    operations = sorted(OPERATIONS, key=lambda operation: operation == "sign-out")
    with server.client(token_of(server, caller)) as client:
        for operation in operations:
            answer = ask(client, operation)
            assert answer.status_code < 500 or operation == "page", (operation, answer.text)
            refused = answer.status_code in (401, 403)
            assert refused == (caller not in MAY[operation]), (operation, answer.status_code, answer.text)
            if refused:
                assert answer.status_code == (401 if caller == "nobody" else 403), operation
                assert {"code", "sentence"} <= set(answer.json()) <= {"code", "sentence", "facts"}


@pytest.mark.parametrize(
    "token", ["x", "session-23456789.x", "terminal-23456789." + "x" * 500, "é.ü", "a.b.c"]
)
def test_a_token_that_is_none_of_ours_is_nobodys(server: LiveServer, token: str) -> None:
    with server.client() as client:
        header = f"Bearer {token}".encode()
        answer = client.get("/api/session", headers=[(b"Authorization", header)])
        public = client.get("/api/tables", headers=[(b"Authorization", header)])
    assert (answer.status_code, answer.json()["code"]) == (401, "not-signed-in")
    assert public.status_code == 200


def test_nobody_learns_what_is_there_by_what_they_are_refused(server: LiveServer) -> None:
    """A refusal comes before anything is looked up."""
    with server.client(server.device_token("display", "R1", None)) as display:
        there, nowhere = (display.get(f"/api/tables/{table}/meters") for table in ("R1", "Z"))
        malformed = display.post("/api/devices/code", content=b"{")
    assert there.json() == nowhere.json()
    assert malformed.status_code == 403


def test_what_a_session_may_is_told_to_its_screen(server: LiveServer) -> None:
    for caller in CALLERS[1:]:
        with server.client(token_of(server, caller)) as client:
            told = set(client.get("/api/session").json()["may"])
        # Which round is a terminal's own is seen only when it asks.
        mine = {"rounds", "round"} if caller == "terminal elsewhere" else set()
        assert told == {operation for operation in OPERATIONS if caller in MAY[operation]} | mine, caller


FORM = {"Content-Type": "text/plain;charset=UTF-8"}
"""What a page may send to another site without being asked first whether it may."""


@pytest.mark.parametrize("origin", ["http://casino.example", "http://127.0.0.1:1", "null", ""])
def test_a_page_of_another_site_cannot_lock_somebody_out(server: LiveServer, origin: str) -> None:
    wrong = b'{"name":"sue","password":"not the password"}'
    with server.client() as client:
        answers = [
            client.post("/api/sign-in", content=wrong, headers={**FORM, "Origin": origin}) for _ in range(6)
        ]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(403, "other-site")}
    assert server.staff_token("pit-supervisor")


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_a_page_of_another_site_changes_nothing(server: LiveServer, operation: str) -> None:
    method, path = OPERATIONS[operation]
    with server.client() as client:
        answer = client.request(method, path, headers={"Origin": "http://casino.example"})
    is_refused = answer.status_code == 403 and answer.json()["code"] == "other-site"
    assert is_refused == (method != "GET")


def test_the_server_s_own_pages_sign_in(server: LiveServer) -> None:
    right = {"name": "dee", "password": PASSWORD}
    with server.client() as client:
        assert client.post("/api/sign-in", json=right, headers={"Origin": server.base_url}).is_success


def test_which_methods_an_address_takes_is_no_secret(server: LiveServer) -> None:
    with server.client() as client:
        answer = client.options("/api/devices/code")
    assert answer.status_code == 204
    assert {*answer.headers["allow"].split(", ")} == {"OPTIONS", "POST"}

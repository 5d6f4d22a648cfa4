"""What everybody may ask for: books, tables, the server's health and versions."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from clauses import clause
from croupier import __version__
from croupier.floor.house.log import HOUSE_STREAM
from croupier.journal import StoreError
from croupier.protocol.asking import VERSION
from croupier.protocol.book_view import book_view
from croupier.protocol.views import TableView
from croupier.rulebook import load_book, shipped_books, with_order
from croupier.server.http import health
from croupier.server.http.house import Check
from server.server_rig import TABLES, LiveServer
from table.american import AMERICAN


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("floor")) as live:
        for result in ("17", "0", "17"):
            live.play("R1", {"1": {"red": 1_000}}, result)
        yield live


def test_every_book_is_listed_with_its_layouts(server: LiveServer) -> None:
    with server.client() as client:
        books = client.get("/api/books").raise_for_status().json()
    assert [book["id"] for book in books] == list(shipped_books())
    assert [book["layouts"] for book in books] == [["main"], ["main"], ["A", "B"], ["main"]]
    assert [book["pockets"] for book in books] == [37, 52, 38, 39]


def test_a_book_can_be_read_before_the_first_bet(server: LiveServer) -> None:
    with server.client() as client:
        rules = client.get("/api/books/mbs-roulette").raise_for_status().json()
    (layout,) = rules["layouts"]
    straight = layout["pay_table"][0]
    assert (straight["kind"], straight["pays"], straight["house_edge"]) == ("straight", 35, "1/37")
    assert {rule["id"] for rule in rules["rules"]} == set(load_book("mbs-roulette").clauses)


def test_a_screen_gets_the_book_of_its_terminal(server: LiveServer) -> None:
    with server.client() as client:
        got = client.get("/api/books/rws-roulette-00/view", params={"layout": "B", "terminal": "rapid"})
    expected = book_view(load_book("rws-roulette-00"), "B", "rapid")
    assert got.raise_for_status().content == msgspec.json.encode(expected)


def test_a_screen_at_a_table_gets_the_order_of_its_wheel(tmp_path: Path) -> None:
    view = "/api/books/rws-roulette-00/view"
    with LiveServer(tmp_path, tables={}) as live, live.client() as client:
        live.run(lambda: live.rig.table("R2", "rws-roulette-00", pocket_order=AMERICAN))
        live.run(lambda: live.rig.table("R4", "rws-roulette-00"))
        at = {
            table: client.get(view, params={"layout": "A", "terminal": "rapid"} | named).content
            for table, named in {"none": {}, "R2": {"table": "R2"}, "R4": {"table": "R4"}}.items()
        }
        other = client.get("/api/books/mbs-roulette/view", params={"table": "R2"})
    book = load_book("rws-roulette-00")

    assert at["none"] == at["R4"] == msgspec.json.encode(book_view(book, "A", "rapid"))
    assert at["R2"] == msgspec.json.encode(book_view(with_order(book, AMERICAN), "A", "rapid"))
    assert (other.status_code, other.json()["code"]) == (404, "unknown-book")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/api/books/mbs-roulette/view?table=Z", "unknown-table"),
        ("/api/books/nothing", "unknown-book"),
        ("/api/books/croupier.toml", "unknown-book"),
        ("/api/books/mbs-roulette/view?layout=Z", "unknown-layout"),
        ("/api/books/mbs-roulette/view?terminal=Z", "unknown-terminal"),
        ("/api/tables/Z", "unknown-table"),
        ("/api/tables/cage", "unknown-table"),
        ("/api/tables/Z/statistics", "unknown-table"),
        ("/api/nothing", "not-found"),
        ("/nothing", "not-found"),
    ],
)
def test_what_is_not_there_is_said_to_be_unknown(server: LiveServer, path: str, code: str) -> None:
    with server.client() as client:
        answer = client.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, code)
    assert answer.json()["sentence"].endswith(".")


def test_no_file_is_read_that_a_client_names(server: LiveServer) -> None:
    """A book may be a path on the command line; here it is one of the floor's own."""
    with server.client() as client:
        for name in ("%2Fetc%2Fpasswd.toml", "..%2F..%2Fbook.toml", "book.toml"):
            assert client.get(f"/api/books/{name}").json()["code"] in ("unknown-book", "not-found")


def test_tables_are_shown_as_everybody_at_them_sees_them(server: LiveServer) -> None:
    with server.client() as client:
        tables = client.get("/api/tables").raise_for_status().content
        one = client.get("/api/tables/R1").raise_for_status().content
    views = msgspec.json.decode(tables, type=list[TableView])
    assert {view.table: view.book for view in views} == TABLES
    assert msgspec.json.decode(one, type=TableView) == views[1]
    # Exactly what is meant to be seen, and nothing else that a table is.
    assert set(msgspec.json.decode(one)) == set(TableView.__struct_fields__)
    assert views[1].outcomes[0].result == "17"


@clause("mbs-roulette:6.3", "rws-roulette-00:5.8")
def test_statistics_say_that_they_are_information_only(server: LiveServer) -> None:
    with server.client() as client:
        statistics = client.get("/api/tables/R1/statistics").raise_for_status().json()
    assert statistics["information_only"] is True
    assert "information only" in statistics["label"]
    assert [outcome["result"] for outcome in statistics["outcomes"]] == ["17", "0", "17"]
    came = {number: often for number, often in statistics["frequencies"].items() if often}
    assert came == {"17": 2, "0": 1}
    assert statistics["colours"] == {"black": 2, "green": 1}
    assert len(statistics["frequencies"]) == 37


def test_health_and_version_answer_without_a_token(server: LiveServer) -> None:
    with server.client() as client:
        assert client.get("/health").json() == {"status": "alive"}
        version = client.get("/api/version").json()
    assert (version["software"], version["protocol"]) == (__version__, VERSION)
    assert version["epoch"] == server.rig.floor.epoch


def test_a_floor_is_ready_when_its_tables_run_and_its_journal_takes_records(server: LiveServer) -> None:
    with server.client() as client:
        answer = client.get("/ready")
    names = [check["name"] for check in answer.json()["checks"]]
    assert answer.status_code == 200
    assert answer.json()["ready"] is True
    assert names == ["table M1", "table R1", "table R2", "table R3", "journal"]


def test_a_floor_is_not_ready_while_another_process_has_a_table(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.rig.floor.tables["R2"].runner._flow, "stepped_down", True)
    with server.client() as client:
        answer = client.get("/ready")
    bad = [check["name"] for check in answer.json()["checks"] if not check["ok"]]
    assert (answer.status_code, answer.json()["ready"], bad) == (503, False, ["table R2"])


def test_a_floor_is_not_ready_where_a_check_fails(tmp_path_factory: pytest.TempPathFactory) -> None:
    def software() -> Check:
        return Check(name="software", ok=False, sentence="The software is not as recorded.")

    path = tmp_path_factory.mktemp("unsound")
    with (
        LiveServer(path, tables={}, app_options={"checks": [software]}) as unsound,
        unsound.client() as client,
    ):
        answer = client.get("/ready")
        assert client.get("/health").status_code == 200
    assert (answer.status_code, answer.json()["checks"][-1]["name"]) == (503, "software")


def test_a_floor_is_not_ready_where_the_journal_takes_nothing(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def fail(table: str, at_ms: int) -> None:
        tried.append(table)
        raise StoreError("the disk is full, at /secret/place")

    house = server.app.state.house
    monkeypatch.setattr(house, "journal_tried", None)
    monkeypatch.setattr(server.rig.floor.store, "beat", fail)
    monkeypatch.setattr(health, "_TRIED_AGAIN_SECONDS", 1e9)
    with server.client() as client:
        answers = [client.get("/ready") for _ in range(5)]
    assert {answer.status_code for answer in answers} == {503}
    assert "secret" not in answers[0].text
    # Everybody may ask, and a write costs the tables something: it is not tried each time. Tables do beat.
    assert tried.count(HOUSE_STREAM) == 1


def test_a_floor_says_soon_that_it_is_not_ready_where_the_journal_does_not_answer(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = threading.Event()
    house = server.app.state.house
    monkeypatch.setattr(house, "journal_tried", None)
    with monkeypatch.context() as hanging, server.client() as client:
        hanging.setattr(server.rig.floor.store, "beat", lambda table, at_ms: answers.wait(30))
        begun = time.monotonic()
        answer = client.get("/ready", timeout=20)
        assert time.monotonic() - begun < 10
        bad = [check["name"] for check in answer.json()["checks"] if not check["ok"]]
        assert (answer.status_code, bad) == (503, ["journal"])
        answers.set()
    monkeypatch.setattr(health, "_TRIED_AGAIN_SECONDS", 0)
    with server.client() as client:
        assert client.get("/ready").status_code == 200


def test_a_client_that_leaves_in_the_middle_of_a_request_is_no_fault_of_the_servers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with LiveServer(tmp_path) as server:
        address = urlsplit(server.base_url)
        head = (
            "POST /api/sign-in HTTP/1.1\r\nHost: table\r\nContent-Type: application/json\r\n"
            f"Origin: {server.base_url}\r\nContent-Length: 100\r\n\r\n"
        )
        for _ in range(3):
            with socket.create_connection((address.hostname, address.port)) as line:
                line.sendall(f'{head}{{"name": '.encode())
        with server.client() as client:
            assert client.get("/health").raise_for_status().json() == {"status": "alive"}
    # The server has stopped: whatever there is to log of them is logged.
    assert "failed" not in caplog.text

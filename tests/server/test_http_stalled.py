"""Clients that ask for an export and stop reading it: everybody else is answered."""

import contextlib
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from croupier.server import requesting
from croupier.server.http import house
from server.server_rig import LiveServer

EXPORT = "/api/tables/R1/export?kind=records"
BETS = {f"straight:{number}": 100 for number in range(1, 37)}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    path: Path = tmp_path_factory.mktemp("stalled")
    with LiveServer(path, tables={"R1": "mbs-roulette"}, send_buffer=4_096) as live:
        for _ in range(12):
            live.play("R1", {"1": BETS, "2": BETS}, "7")
        yield live


@contextlib.contextmanager
def stalled(server: LiveServer, count: int) -> Iterator[list[socket.socket]]:
    """So many clients that have read the beginning of an export, and nothing more."""
    token, address = server.staff_token("auditor"), urlsplit(server.base_url)
    with contextlib.ExitStack() as held:
        clients = []
        for _ in range(count):
            client = held.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            client.settimeout(60)
            client.connect((address.hostname, address.port))
            client.sendall(
                f"GET {EXPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
            )
            assert client.recv(12) == b"HTTP/1.1 200"
            clients.append(client)
        yield clients


def asked(server: LiveServer, who: str, path: str) -> httpx.Response:
    with server.client(server.staff_token(who)) as client:
        return client.get(path, timeout=20)


def test_exports_that_nobody_reads_on_keep_nobody_waiting(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "_LINES_AT_ONCE", 5)
    with stalled(server, house._EXPORTS_OPEN):
        assert asked(server, "cage", "/api/vouchers").status_code == 200
        assert asked(server, "pit-supervisor", "/api/reports").status_code == 200
        assert asked(server, "pit-supervisor", "/api/events").status_code == 200
        one_more = asked(server, "auditor", EXPORT)
        assert (one_more.status_code, one_more.json()["code"]) == (503, "busy")
        assert "retry-after" in one_more.headers
    _until_exports_are_answered(server)


def test_an_export_that_is_not_read_on_is_ended(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "_LINES_AT_ONCE", 5)
    monkeypatch.setattr(requesting, "STALLED_SECONDS", 0.3)
    with stalled(server, house._EXPORTS_OPEN):
        _until_exports_are_answered(server)


def _until_exports_are_answered(server: LiveServer) -> None:
    give_up = time.monotonic() + 60
    while (answer := asked(server, "auditor", EXPORT)).status_code != 200:
        assert time.monotonic() < give_up
        time.sleep(0.05)
    assert len(answer.content) > 200_000

"""Pages, their parts and their headers; the reference pages; compression; what a fault of ours looks like."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from croupier.server.http.pages import PAGES
from server.server_rig import LiveServer

SCRIPT = "console.log('a table');\n" * 200


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A floor with screens of its own, small ones."""
    screens = tmp_path_factory.mktemp("screens")
    (screens / "assets").mkdir()
    for page in ("index", *PAGES):
        (screens / f"{page}.html").write_text(f"<!doctype html><title>{page}</title>")
    (screens / "assets" / "terminal-3f2a.js").write_text(SCRIPT)
    (screens / "assets" / "font-77aa.woff2").write_bytes(b"w" * 5_000)
    (screens / "favicon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    with LiveServer(
        tmp_path_factory.mktemp("floor"), tables={"R1": "mbs-roulette"}, app_options={"screens": screens}
    ) as live:
        yield live


@pytest.mark.parametrize("name", ["", *PAGES])
def test_every_page_is_served_and_never_kept(server: LiveServer, name: str) -> None:
    with server.client() as client:
        answer = client.get(f"/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert f"<title>{name or 'index'}</title>" in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_pages_load_nothing_from_elsewhere_and_run_nothing_inline(server: LiveServer) -> None:
    with server.client() as client:
        headers = client.get("/terminal").headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert "http" not in headers["content-security-policy"]


@pytest.mark.parametrize(("path", "status"), [("/health", 200), ("/terminal", 200), ("/nothing", 404)])
def test_head_is_answered_as_get_is_without_the_body(server: LiveServer, path: str, status: int) -> None:
    with server.client() as client:
        whole, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (status, b"")
    assert whole.content
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert head.headers["content-security-policy"] == whole.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/terminal", 200),
        ("GET", "/api/tables", 200),
        ("GET", "/assets/terminal-3f2a.js", 200),
        ("GET", "/nothing", 404),
        ("DELETE", "/api/tables", 405),
        ("GET", "/api/session", 401),
        ("POST", "/api/sign-in", 400),
    ],
)
def test_every_answer_says_what_browsers_may_do_with_it(
    server: LiveServer, method: str, path: str, status: int
) -> None:
    with server.client() as client:
        answer = client.request(method, path)
    assert answer.status_code == status
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "camera=()" in answer.headers["permissions-policy"]
    assert "cache-control" in answer.headers
    assert "set-cookie" not in answer.headers
    assert "server" not in answer.headers


def test_parts_with_a_hash_in_their_name_are_kept_forever(server: LiveServer) -> None:
    with server.client() as client:
        script = client.get("/assets/terminal-3f2a.js")
        font = client.get("/assets/font-77aa.woff2")
        icon = client.get("/favicon.svg")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert script.text == SCRIPT
    assert (font.headers["content-type"], font.content) == ("font/woff2", b"w" * 5_000)
    assert "content-encoding" not in font.headers
    assert icon.headers["content-type"] == "image/svg+xml"


def test_what_is_large_is_compressed_once_for_those_who_take_it(server: LiveServer) -> None:
    with server.client() as client:
        for path in ("/assets/terminal-3f2a.js", "/api/books/mbs-roulette/view"):
            request = client.build_request("GET", path, headers={"Accept-Encoding": "gzip"})
            answer = client.send(request, stream=True)
            raw = b"".join(answer.iter_raw())
            plain = client.get(path, headers={"Accept-Encoding": "identity"})
            assert answer.headers["content-encoding"] == "gzip"
            assert gzip.decompress(raw) == plain.content
            assert "content-encoding" not in plain.headers
            assert len(raw) < len(plain.content) / 3


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../terminal.html",
        "/assets/%2e%2e/terminal.html",
        "/assets/..%2fsecret",
        "/assets/",
        "/assets",
    ],
)
def test_nothing_outside_the_screens_is_served(server: LiveServer, path: str) -> None:
    address = httpx.URL(server.base_url)
    with httpx.Client(trust_env=False) as client:
        answer = client.get(address.copy_with(raw_path=path.encode()))
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_a_floor_without_screens_says_so(tmp_path: Path) -> None:
    with (
        LiveServer(tmp_path, tables={}, app_options={"screens": tmp_path / "nothing"}) as live,
        live.client() as client,
    ):
        answer = client.get("/terminal")
        assert client.get("/api/tables").json() == []
    assert answer.status_code == 503
    assert "The screens were not built" in answer.text
    assert "make setup" in answer.text


@pytest.mark.parametrize("path", ["/api/docs", "/api/live-docs"])
def test_reference_pages_work_offline(server: LiveServer, path: str) -> None:
    with server.client() as client:
        page = client.get(path).raise_for_status().text
        style = client.get("/api/style.css").raise_for_status()
    assert "<script" not in page
    assert "style=" not in page
    assert re.findall(r'(?:src|href)="(?!#)([^"]*)"', page) == ["data:,", "/api/style.css"]
    assert style.headers["content-type"].startswith("text/css")
    targets = {*re.findall(r'id="([^"]+)"', page)}
    assert {*re.findall(r'href="#([^"]+)"', page)} <= targets


def test_metrics_are_for_this_machine_and_the_staff(server: LiveServer) -> None:
    with server.client() as client:
        here = client.get("/metrics")
        passed_on = client.get("/metrics", headers={"X-Forwarded-For": "10.1.2.3"})
    assert here.headers["content-type"].startswith("text/plain")
    assert "croupier_bets_total" in here.text
    assert passed_on.status_code == 401
    with server.client(server.staff_token("operator")) as operator:
        assert operator.get("/metrics", headers={"X-Forwarded-For": "10.1.2.3"}).status_code == 200
    with server.client(server.device_token()) as terminal:
        assert terminal.get("/metrics", headers={"X-Forwarded-For": "10.1.2.3"}).status_code == 403


def test_a_fault_of_ours_is_logged_and_not_told(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> bytes:
        raise RuntimeError("a secret thing went wrong")

    monkeypatch.setattr(server.rig.floor.metrics, "render", fail)
    with server.client() as client:
        answer = client.get("/metrics")
    assert answer.status_code == 500
    assert answer.json() == {"code": "fault", "sentence": "Something went wrong here, and it was logged."}
    assert "a secret thing went wrong" in caplog.text


def test_cookies_are_not_looked_at(server: LiveServer) -> None:
    token = server.staff_token("dealer")
    with server.client() as client:
        for cookie in (f"Authorization=Bearer {token}", f"token={token}"):
            assert client.get("/api/session", headers={"Cookie": cookie}).status_code == 401
        assert client.get("/api/session", params={"token": token}).status_code == 401
        assert client.get("/api/session", headers={"Authorization": token}).status_code == 401
        assert client.get("/api/session", headers={"Authorization": f"bearer {token}"}).status_code == 200


def test_a_request_without_its_body_says_so(server: LiveServer) -> None:
    with server.client() as client:
        answer = client.post("/api/sign-in")
    assert answer.json()["sentence"] == "The request cannot be read: it has no body."

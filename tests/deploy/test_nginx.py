"""nginx in front of a floor: what its file has to say, and a floor behind a real one where there is one."""

import asyncio
import re
import shutil
import ssl
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from croupier.server.config_reading import DEFAULT_PORT
from croupier.server.floor import Floor
from croupier.server.http import make_app
from croupier.server.http.app import LARGEST_BODY
from croupier.server.serving import listen
from croupier.server.session import BEAT_SECONDS
from floor.sim_live import played
from server.floor_rig import a_floor
from standards.test_encryption import certificate

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
UPSTREAM = f"127.0.0.1:{DEFAULT_PORT}"
FILE = Path(__file__).parents[2] / "deploy" / "croupier-nginx.conf"


def settings() -> list[str]:
    """The file's settings, each with one blank between its words."""
    text = re.sub(r"#.*", "", FILE.read_text())
    return [" ".join(setting.split()) for setting in re.split(r"[;{}]", text) if setting.strip()]


def values(name: str) -> list[str]:
    return [setting.removeprefix(name).strip() for setting in settings() if setting.startswith(f"{name} ")]


def test_what_a_client_says_of_its_address_is_thrown_away() -> None:
    """What it is not told to set, nginx passes on, and a client could have any address it likes."""
    headers = dict(value.split(" ", 1) for value in values("proxy_set_header"))
    assert headers["X-Forwarded-For"] == "$remote_addr"
    assert headers["X-Forwarded-Proto"] == "$scheme"
    assert headers["Forwarded"] == headers["X-Real-IP"] == '""'


def test_pages_may_open_a_websocket() -> None:
    headers = dict(value.split(" ", 1) for value in values("proxy_set_header"))
    assert values("proxy_http_version") == ["1.1"]
    assert headers["Upgrade"] == "$http_upgrade"
    assert headers["Host"] == "$http_host", "without its port the page would be one of another site"


def test_nginx_says_nothing_in_the_name_of_the_floor_and_keeps_nothing() -> None:
    assert values("error_page") == [], "no answer is neither done nor refused"
    (again,) = values("proxy_next_upstream")
    assert "non_idempotent" not in again
    assert values("proxy_max_temp_file_size") == ["0"]
    assert values("client_body_buffer_size") == values("client_max_body_size"), "what is sent stays in memory"


def test_its_bounds_are_those_of_the_server() -> None:
    assert values("client_max_body_size") == [f"{LARGEST_BODY // 1024}k"]
    assert [server.split()[0] for server in values("server")] == [UPSTREAM]
    (read,) = values("proxy_read_timeout")
    assert int(read.removesuffix("s")) > 2 * BEAT_SECONDS


@asynccontextmanager
async def behind_nginx(folder: Path, *servers: str) -> AsyncIterator[tuple[int, ssl.SSLContext]]:
    """The port of an nginx with the file of the repository in front of servers, and whom it is known by."""
    assert NGINX is not None
    certified, key = certificate(folder, "front")
    taken = listen("127.0.0.1", 0)
    port = taken.getsockname()[1]
    taken.close()
    (upstream,) = re.findall(rf"server {UPSTREAM} .*;", FILE.read_text())
    site = FILE.read_text().replace(upstream, "\n".join(upstream.replace(UPSTREAM, each) for each in servers))
    site = site.replace("/etc/nginx/croupier/floor.pem", certified)
    site = site.replace("/etc/nginx/croupier/floor.key", key)
    site = site.replace("/var/log/nginx", str(folder))
    site = site.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace("listen [::]:443 ssl;", "")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = " ".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    main = folder / "nginx.conf"
    main.write_text(
        f"daemon off; master_process off; pid {folder / 'nginx.pid'}; events {{}}\n"
        f"http {{ access_log {folder / 'access.log'}; {places}\n{site}\n}}\n"  # as Debian has it
    )
    process = await asyncio.create_subprocess_exec(
        NGINX, "-c", str(main), "-e", str(folder / "error.log"), stderr=asyncio.subprocess.PIPE
    )
    known = ssl.create_default_context(cafile=certified)
    try:
        async with httpx.AsyncClient(verify=known, trust_env=False) as client:
            while True:
                assert process.returncode is None, (folder / "error.log").read_text()
                try:
                    await client.get(f"https://127.0.0.1:{port}/health")
                    break
                except httpx.TransportError:
                    await asyncio.sleep(0.05)
        yield port, known
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@asynccontextmanager
async def a_server() -> AsyncIterator[tuple[str, Counter[str]]]:
    """The address of a server that answers everything, and what it was asked."""
    asked = Counter[str]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        asked[request.split()[1].decode()] += 1
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


async def asked_from(address: str, port: int, known: ssl.SSLContext, path: str) -> int:
    """The status of an answer to a machine with this address."""
    way = httpx.AsyncHTTPTransport(verify=known, local_address=address)
    async with httpx.AsyncClient(transport=way) as client:
        return (await client.get(f"https://127.0.0.1:{port}{path}")).status_code


@pytest.mark.skipif(NGINX is None or sys.platform != "linux", reason="takes nginx, and all of 127.0.0.0/8")
@played
async def test_the_terminals_of_one_network_are_shared_out_and_each_stays_where_it_is(tmp_path: Path) -> None:
    async with (
        a_server() as (first, at_first),
        a_server() as (second, at_second),
        behind_nginx(tmp_path, first, second) as (port, known),
    ):
        for place in range(10, 40):
            for _ in range(2):
                assert await asked_from(f"127.0.0.{place}", port, known, f"/{place}") == 200
    del at_first["/health"], at_second["/health"]
    assert at_first
    assert at_second
    assert {*at_first.values(), *at_second.values()} == {2}, "a session is at the server where it began"


@pytest.mark.skipif(NGINX is None, reason="takes nginx")
@played
async def test_numbers_of_vouchers_are_in_no_log_of_nginx(tmp_path: Path) -> None:
    """They are money to whoever reads them, also where no server answers."""
    number = "123456789012345678"
    paths = [f"/api/vouchers/{number}", f"/api//vouchers/{number}/pay", f"/api/events?words={number}"]
    async with a_server() as (address, asked), behind_nginx(tmp_path, address) as (port, known):
        for path in paths:
            assert await asked_from("127.0.0.1", port, known, path) == 200
        assert all(asked[path] == 1 for path in paths), "they are passed on as they were asked"
    (tmp_path / "down").mkdir()
    async with behind_nginx(tmp_path / "down", address) as (port, known):
        for path in paths[:2]:
            assert await asked_from("127.0.0.1", port, known, path) == 502
    logs = [*tmp_path.glob("**/*.log")]
    told = "".join(log.read_text() for log in logs)
    assert "GET /api/vouchers/..." in told
    assert "/health" in told
    assert number not in told


@pytest.mark.skipif(NGINX is None, reason="takes nginx")
@played
async def test_a_floor_behind_a_real_nginx_is_played_and_asked_over_tls(tmp_path: Path) -> None:
    def app(floor: Floor) -> Any:
        return make_app(floor, str(tmp_path / "journal.db"))

    forged = {"X-Forwarded-For": "203.0.113.9", "X-Real-IP": "203.0.113.9", "Forwarded": "for=203.0.113.9"}
    async with (
        a_floor(tmp_path, app=app, proxies=["127.0.0.1"]) as rig,
        behind_nginx(tmp_path, rig.base_url.removeprefix("http://")) as (port, known),
    ):
        await rig.open_table()
        base = f"https://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=base, verify=known, trust_env=False) as client:
            version = await client.get("/api/version")
            assert version.headers["Strict-Transport-Security"]
            assert "set-cookie" not in version.headers, "there are none to be kept secure"
            wrong = {"name": "dee", "password": "not the password"}
            assert (await client.post("/api/sign-in", json=wrong, headers=forged)).status_code == 401
            for metrics in ("/metrics", "/metrics/", "/metrics//"):
                passed_on = await client.get(metrics)
                assert (passed_on.status_code, passed_on.headers["Server"][:5]) == (404, "nginx")
        (failed,) = [record for record in rig.floor.store.read("office") if record.kind == "sign-in-failed"]
        assert b"203.0.113.9" not in failed.payload
        address = f"wss://127.0.0.1:{port}/ws"
        async with connect(address, ssl=known, origin=base, additional_headers=forged):  # type: ignore[arg-type]  # a text is one
            pass
        with pytest.raises(InvalidStatus) as refused:
            await connect(address, ssl=known, origin="https://elsewhere.example")  # type: ignore[arg-type]  # a text is one
        assert refused.value.response.status_code == 403

"""nginx in front of a floor: what its file has to say, and a floor behind a real one where there is one."""

import asyncio
import re
import shutil
import ssl
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
from server.floor_rig import FloorRig, a_floor
from standards.test_encryption import certificate

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
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


def test_its_bounds_are_those_of_the_server() -> None:
    assert values("client_max_body_size") == [f"{LARGEST_BODY // 1024}k"]
    assert [server.split()[0] for server in values("server")] == [f"127.0.0.1:{DEFAULT_PORT}"]
    (read,) = values("proxy_read_timeout")
    assert int(read.removesuffix("s")) > 2 * BEAT_SECONDS


@asynccontextmanager
async def behind_nginx(rig: FloorRig, folder: Path) -> AsyncIterator[tuple[int, ssl.SSLContext]]:
    """The port of an nginx with the file of the repository in front of a floor, and whom it is known by."""
    assert NGINX is not None
    certified, key = certificate(folder, "front")
    taken = listen("127.0.0.1", 0)
    port = taken.getsockname()[1]
    taken.close()
    site = FILE.read_text().replace(f"127.0.0.1:{DEFAULT_PORT}", rig.base_url.removeprefix("http://"))
    site = site.replace("/etc/nginx/croupier/floor.pem", certified)
    site = site.replace("/etc/nginx/croupier/floor.key", key)
    site = site.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace("listen [::]:443 ssl;", "")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = " ".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    main = folder / "nginx.conf"
    main.write_text(
        f"daemon off; master_process off; pid {folder / 'nginx.pid'}; events {{}}\n"
        f"http {{ access_log off; {places}\n{site}\n}}\n"
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
                    assert (await client.get(f"https://127.0.0.1:{port}/health")).status_code == 200
                    break
                except httpx.TransportError:
                    await asyncio.sleep(0.05)
        yield port, known
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@pytest.mark.skipif(NGINX is None, reason="takes nginx")
@played
async def test_a_floor_behind_a_real_nginx_is_played_and_asked_over_tls(tmp_path: Path) -> None:
    def app(floor: Floor) -> Any:
        return make_app(floor, str(tmp_path / "journal.db"))

    forged = {"X-Forwarded-For": "203.0.113.9", "X-Real-IP": "203.0.113.9", "Forwarded": "for=203.0.113.9"}
    async with a_floor(tmp_path, app=app, proxies=["127.0.0.1"]) as rig, behind_nginx(rig, tmp_path) as front:
        port, known = front
        await rig.open_table()
        base = f"https://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=base, verify=known, trust_env=False) as client:
            version = await client.get("/api/version")
            assert version.headers["Strict-Transport-Security"]
            assert "set-cookie" not in version.headers, "there are none to be kept secure"
            wrong = {"name": "dee", "password": "not the password"}
            assert (await client.post("/api/sign-in", json=wrong, headers=forged)).status_code == 401
            assert (await client.get("/metrics")).status_code == 404
        (failed,) = [record for record in rig.floor.store.read("office") if record.kind == "sign-in-failed"]
        assert b"203.0.113.9" not in failed.payload
        address = f"wss://127.0.0.1:{port}/ws"
        async with connect(address, ssl=known, origin=base, additional_headers=forged):  # type: ignore[arg-type]  # a text is one
            pass
        with pytest.raises(InvalidStatus) as refused:
            await connect(address, ssl=known, origin="https://elsewhere.example")  # type: ignore[arg-type]  # a text is one
        assert refused.value.response.status_code == 403

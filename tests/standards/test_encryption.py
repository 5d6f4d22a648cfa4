"""A floor with a certificate: devices check who the server is, and nothing is said in the clear."""

import asyncio
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from croupier.floor import SystemClock
from croupier.journal import open_store
from croupier.protocol.asking import VERSION, Hello
from croupier.server.floor import Floor
from croupier.server.http import make_app
from croupier.server.serving import listen, serve
from floor.sim_live import played
from server.floor_rig import QUICK


def certificate(folder: Path, name: str) -> tuple[str, str]:
    """The files of a certificate for this machine, and of its key."""
    files = str(folder / f"{name}.pem"), str(folder / f"{name}.key")
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=floor"
    words = [*make.split(), "-addext", "subjectAltName=IP:127.0.0.1", "-out", files[0], "-keyout", files[1]]
    subprocess.run(words, check=True, capture_output=True)
    return files


@asynccontextmanager
async def a_floor_with_tls(folder: Path, tls: tuple[str, str]) -> AsyncIterator[int]:
    """The port of a floor that serves with a certificate."""
    store = open_store(str(folder / "journal.db"))
    floor = Floor(store, SystemClock(), voucher_key=b"a key for tests")
    await floor.open(QUICK)
    listener = listen("127.0.0.1", 0)
    stop, ready = asyncio.Event(), asyncio.Event()

    async def announce() -> None:
        ready.set()

    app = make_app(floor, str(folder / "journal.db"))
    serving = asyncio.create_task(
        serve(floor, app, listener, stop=stop, ready=announce, drain_seconds=0, tls=tls)
    )
    try:
        await ready.wait()
        yield listener.getsockname()[1]
    finally:
        stop.set()
        await serving
        store.close()


@played
async def test_only_whoever_holds_the_certificate_is_taken_for_the_server(tmp_path: Path) -> None:
    own, foreign = certificate(tmp_path, "own"), certificate(tmp_path, "foreign")
    async with a_floor_with_tls(tmp_path, own) as port:
        knows = ssl.create_default_context(cafile=own[0])
        async with httpx.AsyncClient(verify=knows, trust_env=False) as client:
            health = await client.get(f"https://127.0.0.1:{port}/health")
        assert health.json() == {"status": "alive"}
        async with connect(f"wss://127.0.0.1:{port}/ws", ssl=knows, proxy=None) as line:
            await line.send(
                msgspec.json.encode(Hello(version=VERSION, token="none", audience="seat")).decode()
            )
            assert '"type":"bye"' in str(await line.recv())
        mistrusts = ssl.create_default_context(cafile=foreign[0])
        async with httpx.AsyncClient(verify=mistrusts, trust_env=False) as client:
            with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
                await client.get(f"https://127.0.0.1:{port}/health")


@played
async def test_a_floor_with_a_certificate_says_nothing_in_the_clear(tmp_path: Path) -> None:
    async with a_floor_with_tls(tmp_path, certificate(tmp_path, "own")) as port:

        def ask_in_the_clear() -> bytes:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
                line.sendall(b"GET /health HTTP/1.1\r\nHost: floor\r\n\r\n")
                heard = b""
                while portion := line.recv(4096):
                    heard += portion
                return heard

        heard = await asyncio.to_thread(ask_in_the_clear)
        assert b"HTTP" not in heard
        assert b"alive" not in heard

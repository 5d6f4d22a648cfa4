"""One connection to a NATS server: who is believed to be one, and how what it says is taken apart."""

import asyncio
import contextlib
import itertools
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from croupier.floor.shared.bus import BusError, Heard
from croupier.floor.shared.nats_bus import NatsBus
from floor.nats_rig import Ear, connected, until
from floor.nats_server import NatsServer
from loops import PATIENCE_SECONDS, on_both_loops

INFORMATION = b'INFO {"max_payload":1048576,"headers":true}\r\n'


def certificate(folder: Path) -> tuple[str, str]:
    """The files of a certificate for this machine, and of its key."""
    files = str(folder / "nats.pem"), str(folder / "nats.key")
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=nats"
    words = [*make.split(), "-addext", "subjectAltName=IP:127.0.0.1", "-out", files[0], "-keyout", files[1]]
    subprocess.run(words, check=True, capture_output=True)
    return files


@on_both_loops
async def test_a_server_with_tls_is_believed_by_its_certificate_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted, key = certificate(tmp_path)
    options = ("--tls", f"--tlscert={trusted}", f"--tlskey={key}", "--user", "u", "--pass", "p")
    with NatsServer(*options, scheme="tls") as server:
        with pytest.raises(
            BusError, match=r"^The certificate of the NATS server at .* is not trusted: .*\.$"
        ):
            await NatsBus.connect(server.address_for("u:p"), patience_seconds=PATIENCE_SECONDS)
        monkeypatch.setenv("SSL_CERT_FILE", trusted)
        async with connected(server.address_for("u:p")) as bus:
            ear = Ear()
            await bus.listen("sealed", ear)
            bus.send("sealed", bytes(500_000))
            await ear.until(bytes(500_000))
            server.stop()
            await until(lambda: not bus.is_up)
            server.start()
            await until(lambda: bus.is_up)
            bus.send("sealed", b"again")
            await ear.until(b"again")


@contextlib.asynccontextmanager
async def pretending(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[int]:
    """The port of something that pretends to be a NATS server."""
    serving = 0

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal serving
        serving += 1
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await serve(reader, writer)
            await reader.read()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
        serving -= 1

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]
        await until(lambda: serving == 0)


@on_both_loops
async def test_a_password_for_tls_is_not_said_to_a_server_without() -> None:
    said = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(INFORMATION)
        said.extend(await reader.read())

    async with pretending(serve) as port:
        with pytest.raises(BusError, match="does not offer TLS"):
            await NatsBus.connect(f"tls://u:hidden@127.0.0.1:{port}", patience_seconds=PATIENCE_SECONDS)
    assert not said


@on_both_loops
async def test_what_is_said_before_tls_is_not_believed() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"tls_required":true}\r\nMSG table 1 2\r\nhi\r\n')

    async with pretending(serve) as port:
        with pytest.raises(BusError, match="breaks the protocol"):
            await NatsBus.connect(f"tls://127.0.0.1:{port}", patience_seconds=PATIENCE_SECONDS)


@on_both_loops
async def test_nothing_is_said_before_tls_that_is_read_after() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"tls_required":true}\r\nMSG table 1 ')

    async with pretending(serve) as port:
        with pytest.raises(BusError, match="something was said unencrypted"):
            await NatsBus.connect(f"tls://127.0.0.1:{port}", patience_seconds=1)


@pytest.mark.parametrize(
    "line", [b"HTTP/1.1 400 Bad Request\r\n", b"INFO {\r\n", b"PONG\r\n", b"x" * 1_100_000]
)
def test_what_is_no_nats_server_is_not_taken_for_one(line: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(line)

    async def trying() -> None:
        async with pretending(serve) as port:
            with pytest.raises(BusError, match=f"^What answers at 127.0.0.1:{port} is no NATS server"):
                await NatsBus.connect(f"nats://127.0.0.1:{port}", patience_seconds=PATIENCE_SECONDS)

    asyncio.run(trying())


@on_both_loops
async def test_a_server_that_reports_an_error_is_connected_to_anew() -> None:
    connections = itertools.count(1)
    reached = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal reached
        reached = next(connections)
        writer.write(INFORMATION)
        for _ in range(2):
            await reader.readuntil(b"PING\r\n")
            writer.write(b"PONG\r\n")
        if reached == 1:
            writer.write(b"-ERR 'Maximum Subscriptions Exceeded'\r\n")

    async with pretending(serve) as port, connected(f"nats://127.0.0.1:{port}") as bus:
        await until(lambda: reached == 2 and bus.is_up)


@on_both_loops
async def test_messages_in_pieces_are_put_together() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(INFORMATION)
        for _ in range(3):
            await reader.readuntil(b"PING\r\n")
            writer.write(b"PONG\r\n")
        stream = b"MSG a.b 1 3\r\n\r\n1\r\n+OK\r\nMSG a.b 1 re.ply 0\r\n\r\n"
        stream += b"HMSG a.c 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n"
        stream += b"PING\r\nHMSG a.c 1 to.me 22 24\r\nNATS/1.0\r\nKey: 503\r\n\r\nok\r\n"
        for byte in stream:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)

    async with pretending(serve) as port, connected(f"nats://127.0.0.1:{port}") as bus:
        ear = Ear()
        await bus.listen("a.*", ear)
        await ear.until(b"ok")
        assert ear.heard == [
            Heard("a.b", b"\r\n1", "", False),
            Heard("a.b", b"", "re.ply", False),
            Heard("a.c", b"", "", True),
            Heard("a.c", b"ok", "to.me", False),
        ]

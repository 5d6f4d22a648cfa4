"""A real NATS server for the tests: the one that CROUPIER_TEST_NATS names, or one of their own.

Every process of a test run starts its own server, so nothing is shared and nothing is left behind: the
server ends with the process that started it, however that ends.
"""

import os
import random
import signal
import socket
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO

import pytest

OWN_SERVER = """
    "$@" &
    server=$!
    echo $server
    read end || true
    kill -KILL $server
    wait $server
"""
"""Reading waits until the tests' end of the pipe is closed, which happens even where they are killed."""

PORTS = range(20_000, 30_000)
"""Below the ports that systems give to outgoing connections: none may take that of a stopped server."""

PATIENCE_SECONDS = 30


@pytest.fixture(scope="session")
def nats_server() -> Iterator[str]:
    """The address of a server that other tests use, too."""
    given = os.environ.get("CROUPIER_TEST_NATS")
    if given:
        yield given
    else:
        with NatsServer() as server:
            yield server.address


class NatsServer:
    """A server that can be stopped, and started again at the same address; it runs inside of a `with`."""

    def __init__(self, *options: str, scheme: str = "nats") -> None:
        self._options = options
        self._scheme = scheme
        self._process: subprocess.Popen[str] | None = None
        self._pid = 0
        self.port = free_port()

    @property
    def address(self) -> str:
        """Where it is, without a user."""
        return f"{self._scheme}://127.0.0.1:{self.port}"

    def address_for(self, user: str) -> str:
        """Where it is, for somebody; a password is behind a colon."""
        return f"{self._scheme}://{user}@127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts it, and returns once it answers."""
        assert self._process is None, "it runs"
        program = str(Path(sysconfig.get_path("scripts"), "nats-server"))
        command = [program, "-a", "127.0.0.1", "-p", str(self.port), *self._options]
        with tempfile.TemporaryFile("w+") as log:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", OWN_SERVER, "sh", *command],
                cwd="/",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # an interrupt from the keyboard is for the tests, not for the server
            )
            assert self._process.stdout is not None
            self._pid = int(self._process.stdout.readline())
            self._wait_for_answer(log)

    def stop(self) -> None:
        """Kills it."""
        if self._process is not None:
            self._process.communicate()
            self._process = None

    def pause(self) -> None:
        """Has it hang: connections stay, and nothing is read or said."""
        os.kill(self._pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Has it go on."""
        os.kill(self._pid, signal.SIGCONT)

    def __enter__(self) -> "NatsServer":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _wait_for_answer(self, log: IO[str]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                with socket.create_connection(
                    ("127.0.0.1", self.port), timeout=PATIENCE_SECONDS
                ) as answering:
                    if answering.recv(5) == b"INFO ":
                        return
            except OSError:
                time.sleep(0.01)
        self.stop()
        log.seek(0)
        pytest.fail("The NATS server did not start:\n" + log.read())


def free_port() -> int:
    """A port on which nobody listens."""
    for port in random.sample(PORTS, 100):
        with socket.socket() as trying:
            try:
                trying.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    pytest.fail("No port is free.")

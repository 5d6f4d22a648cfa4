"""What the tests of the server share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from floor.nats_server import nats_server
from journal.server import postgres_address, postgres_database, postgres_server
from server.access_rig import House

__all__ = ["nats_server", "postgres_address", "postgres_database", "postgres_server"]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A journal in a file, with a table and two people."""
    made = House(tmp_path / "journal.db").staffed()
    yield made
    made.store.close()

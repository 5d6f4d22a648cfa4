"""What the tests of journals share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.journal.sqlite import SqliteStore
from journal.server import postgres_address, postgres_database, postgres_server

__all__ = ["postgres_address", "postgres_database", "postgres_server"]

pytest.register_assert_rewrite("journal.contract", "journal.contract_writing")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a journal's file is."""
    return tmp_path / "journals.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """A journal in that file."""
    store = SqliteStore(path)
    yield store
    store.close()

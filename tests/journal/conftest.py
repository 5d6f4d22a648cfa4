"""What the tests of journals share."""

import pytest

from journal.server import postgres_address, postgres_database, postgres_server

__all__ = ["postgres_address", "postgres_database", "postgres_server"]

pytest.register_assert_rewrite("journal.contract", "journal.contract_writing")

"""A database that has lost the newest records: a standby took over that had not heard of them."""

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from croupier.journal import StoreError
from croupier.journal.known import Lost
from croupier.journal.postgres import PostgresStore
from journal.drafts import draft, write

_BACK_TO = """
    DELETE FROM croupier.records WHERE table_id = %(table)s AND sequence > %(last)s;
    DELETE FROM croupier.claims WHERE table_id = %(table)s AND sequence > %(last)s;
    UPDATE croupier.heads SET sequence = %(last)s,
    hash = (SELECT hash FROM croupier.records WHERE table_id = %(table)s AND sequence = %(last)s)
    WHERE table_id = %(table)s
"""


@pytest.fixture
def store(postgres_address: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(postgres_address)) as store:
        yield store


def more(store: PostgresStore, table: str, first: int, count: int = 3) -> None:
    write(store, table, [draft(number) for number in range(first, first + count)])


def cut(address: str, table: str, last: int) -> None:
    """Leaves the journal as a standby has it that has not heard of what came behind."""
    with psycopg.connect(address, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(_BACK_TO, {"table": table, "last": last})


def test_a_chain_that_ends_earlier_than_it_was_written_is_lost_and_stays_so(
    store: PostgresStore, postgres_address: str
) -> None:
    more(store, "T1", 1)
    more(store, "T2", 1)
    assert store.lost() == []
    cut(postgres_address, "T1", 1)
    assert store.lost() == [Lost("T1", known=3, now=1)]

    with closing(PostgresStore(postgres_address)) as another:  # goes on behind the older end, and further
        more(another, "T1", 101, 20)
        assert another.lost() == []
    assert store.lost() == [Lost("T1", known=3, now=1)]


def test_a_chain_that_goes_on_over_other_records_is_lost(store: PostgresStore, postgres_address: str) -> None:
    more(store, "T1", 1)
    assert store.lost() == []
    cut(postgres_address, "T1", 1)
    with closing(PostgresStore(postgres_address)) as another:
        more(another, "T1", 101, 20)
    assert store.lost() == [Lost("T1", known=3, now=21)]


def test_what_others_wrote_is_known_once_it_was_looked_at(
    store: PostgresStore, postgres_address: str
) -> None:
    with closing(PostgresStore(postgres_address)) as another:
        more(another, "T1", 1)
        more(another, "T1", 4)
    assert store.lost() == []
    cut(postgres_address, "T1", 3)
    assert store.lost() == [Lost("T1", known=6, now=3)]


def test_others_may_write_on_and_nothing_is_lost(store: PostgresStore, postgres_address: str) -> None:
    more(store, "T1", 1)
    with closing(PostgresStore(postgres_address)) as another:
        more(another, "T1", 4)
        more(another, "T2", 1)
    assert store.lost() == []
    assert store.lost() == []


def test_a_database_that_cannot_be_asked_has_lost_nothing_yet(store: PostgresStore) -> None:
    more(store, "T1", 1)
    store.close()
    with pytest.raises(StoreError):
        store.lost()

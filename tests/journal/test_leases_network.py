"""Leases over a network that breaks: the database's end of a connection may outlive ours by hours."""

import functools
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from croupier.journal import StoreError
from croupier.journal.postgres_leases import PostgresLeases
from croupier.journal.postgres_limit import answered_within
from relay import Relay


@pytest.fixture
def line(postgres_address: str) -> Iterator[Relay]:
    """The way of one server to the database."""
    with Relay(postgres_address) as relay:
        yield relay


def test_what_a_connection_holds_that_nobody_has_any_more_is_had_again_at_once(
    line: Relay, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(PostgresLeases(line.address)) as here, closing(PostgresLeases(postgres_address)) as there:
        assert here.take("T1")
        assert here.take("T2")
        line.hold()
        with monkeypatch.context() as soon:
            limit = functools.partial(answered_within, seconds=0.2)
            soon.setattr("croupier.journal.postgres_leases.answered_within", limit)
            with pytest.raises(StoreError, match=r"has not answered in 0\.2 seconds"):
                here.held()
        assert here.held() == frozenset()
        line.forget()  # the network is back, and the server has heard of no end
        assert not there.take("T1")
        assert here.take("T1")
        assert there.take("T2")
        assert (here.held(), there.held()) == ({"T1"}, {"T2"})


def test_a_server_that_comes_back_ends_nothing_but_its_own_connection(
    line: Relay, postgres_address: str
) -> None:
    with closing(PostgresLeases(line.address)) as here, closing(PostgresLeases(postgres_address)) as there:
        assert here.take("T1")
        assert there.take("T2")
        with psycopg.connect(postgres_address) as other:
            line.cut()
            with pytest.raises(StoreError, match="its own no longer"):
                here.held()
            with pytest.raises(StoreError, match="did not do as asked"):
                here.take("T1")
            line.mend()
            assert here.take("T1")
            assert other.execute("SELECT 1").fetchone() == (1,)
        assert there.held() == {"T2"}

"""Leases: a table has one owner at a time, and whoever is gone holds nothing."""

import functools
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest

from croupier.journal import StoreError
from croupier.journal.leases import Leases
from croupier.journal.postgres import PostgresStore
from croupier.journal.postgres_leases import PostgresLeases, lease_key
from croupier.journal.postgres_limit import answered_within
from journal.server import address_of, end_other_connections

MANY = [f"roulette-{number}" for number in range(1, 201)]
Another = Callable[[], PostgresLeases]
GoAmiss = Callable[[PostgresLeases], None]
NOBODY = "postgresql://pit:open-sesame@127.0.0.1:1/casino"


@pytest.fixture
def server(postgres_address: str) -> Iterator[Another]:
    """Another server of the floor, each time it is called."""
    servers: list[PostgresLeases] = []

    def another() -> PostgresLeases:
        servers.append(PostgresLeases(postgres_address))
        return servers[-1]

    yield another
    for one in servers:
        one.close()


@pytest.fixture
def other(postgres_address: str) -> Iterator[psycopg.Connection]:
    """Somebody else's connection to the same database."""
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        yield connection


def owners(other: psycopg.Connection, table: str) -> int:
    """How many hold a table's lock, as the server sees it."""
    query = (
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"
        " AND (classid::bigint << 32 | objid::bigint) = %s"
    )
    row = other.execute(query, (lease_key(table),)).fetchone()
    assert row is not None
    return int(row[0])


def wait_until_free(other: psycopg.Connection, table: str) -> None:
    """Returns once nobody holds a table any more: the server itself waits for it."""
    other.execute("SET lock_timeout = '60s'")
    other.execute("SELECT pg_advisory_lock(%s)", (lease_key(table),))
    other.execute("SELECT pg_advisory_unlock(%s)", (lease_key(table),))


def test_a_table_has_one_owner(server: Another) -> None:
    one: Leases = server()
    two: Leases = server()
    assert one.take("T1")
    assert not two.take("T1")
    assert two.take("T2")
    assert not one.take("T2")
    assert (one.held(), two.held()) == ({"T1"}, {"T2"})


def test_a_server_that_does_not_answer_has_nobody_wait_for_ever(
    server: Another, other: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = server(), server()
    assert one.take("T1")
    with monkeypatch.context() as hanging:
        soon = functools.partial(answered_within, seconds=0.2)
        hanging.setattr("croupier.journal.postgres_leases.answered_within", soon)
        hanging.setattr("croupier.journal.postgres_leases._HELD", "SELECT 1::bigint FROM pg_sleep(3)")
        with pytest.raises(StoreError, match=r"has not answered in 0\.2 seconds"):
            one.held()
    assert one.held() == frozenset()
    wait_until_free(other, "T1")
    assert two.take("T1")


def test_what_is_given_back_another_can_have(server: Another) -> None:
    one, two = server(), server()
    assert one.take("T1")
    assert one.take("T2")
    one.give_back("T1")
    assert one.held() == {"T2"}
    assert two.take("T1")
    assert not two.take("T2")
    assert not one.take("T1")


def test_what_was_taken_twice_is_free_when_it_is_given_back_once(
    server: Another, other: psycopg.Connection
) -> None:
    one, two = server(), server()
    assert one.take("T1")
    assert one.take("T1")
    assert owners(other, "T1") == 1
    one.give_back("T1")
    assert owners(other, "T1") == 0
    assert one.held() == frozenset()
    assert two.take("T1")


def test_nobody_gives_back_what_another_has(server: Another, other: psycopg.Connection) -> None:
    one, two = server(), server()
    assert one.take("T1")
    two.give_back("T1")
    assert not two.take("T1")
    two.give_back("T1")
    assert one.held() == {"T1"}
    assert owners(other, "T1") == 1


def test_closing_gives_everything_back_at_once(server: Another, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = server(), server()
    assert one.take("T1")
    assert one.take("T2")
    connection = one._connection
    assert connection is not None
    with monkeypatch.context() as slowly:
        # The server cleans up behind a connection in its own time: nobody waits for it to do so.
        slowly.setattr(psycopg.Connection, "close", lambda self: None)
        one.close()
        assert two.take("T1")
        assert two.take("T2")
    connection.close()


def test_what_is_closed_stays_closed(server: Another) -> None:
    one = server()
    assert one.take("T1")
    one.close()
    with pytest.raises(StoreError, match="are closed"):
        one.take("T1")
    with pytest.raises(StoreError, match="are closed"):
        one.held()
    one.give_back("T1")
    one.close()


def test_a_lost_connection_loses_every_table_and_is_told_once(
    server: Another, other: psycopg.Connection
) -> None:
    one, two = server(), server()
    assert one.take("T1")
    assert one.take("T2")
    end_other_connections(other)
    assert two.take("T1")

    with pytest.raises(StoreError, match=r"its own no longer.*terminating connection") as lost:
        one.held()

    assert "\n" not in str(lost.value)
    assert one.held() == frozenset()
    assert not one.take("T1")
    assert one.take("T2")
    assert one.held() == {"T2"}


def set_read_only(other: psycopg.Connection, value: str) -> None:
    other.execute(f"ALTER DATABASE {other.info.dbname} SET default_transaction_read_only = {value}")


def test_a_session_that_may_not_write_takes_nothing_and_gives_way_to_one_that_may(
    server: Another, other: psycopg.Connection
) -> None:
    here, there = server(), server()
    set_read_only(other, "on")
    for _ in range(2):
        with pytest.raises(StoreError, match="can only read"):
            here.take("T1")
    assert owners(other, "T1") == 0
    set_read_only(other, "off")
    assert here.take("T1")
    assert not there.take("T1")


def test_a_session_that_may_not_write_any_more_keeps_what_it_has(
    server: Another, other: psycopg.Connection
) -> None:
    here = server()
    assert here.take("T1")
    assert here._connection is not None
    here._connection.execute("SET default_transaction_read_only = on")  # as a server may be told to
    with pytest.raises(StoreError, match="can only read"):
        here.take("T2")
    assert here.take("T1")
    assert here.held() == {"T1"}
    assert owners(other, "T2") == 0


def test_a_loss_that_taking_a_table_notices_is_told_all_the_same(
    server: Another, other: psycopg.Connection
) -> None:
    one, two = server(), server()
    assert one.take("T1")
    end_other_connections(other)
    assert two.take("T1")

    assert one.take("T2")
    assert not one.take("T1")
    with pytest.raises(StoreError, match="its own no longer"):
        one.held()

    # Whoever was told that nothing is theirs any more has nothing, not even what was taken since.
    assert one.held() == frozenset()
    wait_until_free(other, "T2")
    assert two.take("T2")


def test_what_was_held_is_not_ours_again_because_it_once_was(
    server: Another, other: psycopg.Connection
) -> None:
    one, two = server(), server()
    assert one.take("T1")
    end_other_connections(other)
    assert two.take("T1")
    assert not one.take("T1")


def test_a_loss_where_nothing_was_held_is_nobodys_concern(server: Another, other: psycopg.Connection) -> None:
    one = server()
    assert one.take("T1")
    one.give_back("T1")
    end_other_connections(other)
    assert one.held() == frozenset()
    assert one.take("T1")
    assert one.held() == {"T1"}


def test_giving_back_over_a_lost_connection_is_done_and_the_rest_is_told(
    server: Another, other: psycopg.Connection
) -> None:
    one, two = server(), server()
    assert one.take("T1")
    end_other_connections(other)
    one.give_back("T1")
    assert one.held() == frozenset()
    assert one.take("T1")
    assert one.take("T2")
    end_other_connections(other)
    one.give_back("T1")
    assert two.take("T1")
    with pytest.raises(StoreError, match="its own no longer"):
        one.held()


def test_a_lock_that_the_database_has_no_more_is_not_ours(server: Another) -> None:
    one, two = server(), server()
    assert one.take("T1")
    assert one.take("T2")
    assert one._connection is not None
    one._connection.execute("SELECT pg_advisory_unlock(%s)", (lease_key("T1"),))
    assert one.held() == {"T2"}
    assert two.take("T1")
    assert not one.take("T1")


@pytest.fixture
def amiss(other: psycopg.Connection) -> Iterator[GoAmiss]:
    """Has whatever a server asks of its database from then on go wrong, over a connection that stays.

    The lock is taken all the same: that is the worst moment for a statement to fail.
    """
    other.execute(
        """
        CREATE SCHEMA amiss;
        CREATE VIEW amiss.pg_locks AS SELECT * FROM pg_catalog.pg_locks WHERE 1 / (SELECT 0) = 1;
        CREATE FUNCTION amiss.pg_try_advisory_lock(key bigint) RETURNS boolean LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_catalog.pg_try_advisory_lock(key); RAISE ''out of memory''; END';
        """
    )

    def go_amiss(leases: PostgresLeases) -> None:
        assert leases._connection is not None
        leases._connection.execute("SET search_path = amiss, pg_catalog")

    yield go_amiss
    other.execute("DROP SCHEMA amiss CASCADE")


def test_where_the_database_cannot_say_what_is_ours_nothing_is(
    server: Another, other: psycopg.Connection, amiss: GoAmiss
) -> None:
    one, two = server(), server()
    assert one.take("T1")
    amiss(one)
    with pytest.raises(StoreError, match=r"its own no longer.*division by zero"):
        one.held()
    wait_until_free(other, "T1")
    assert two.take("T1")


def test_a_table_that_could_not_be_taken_does_not_stay_locked(
    server: Another, other: psycopg.Connection, amiss: GoAmiss
) -> None:
    one, two = server(), server()
    assert one.take("T1")
    amiss(one)
    other.execute("CREATE OR REPLACE VIEW amiss.pg_locks AS SELECT * FROM pg_catalog.pg_locks")
    with pytest.raises(StoreError, match="did not do as asked: out of memory"):
        one.take("T2")
    assert one.held() == {"T1"}
    assert two.take("T2")


def test_a_server_that_is_killed_holds_nothing(
    server: Another, postgres_address: str, other: psycopg.Connection
) -> None:
    program = (
        "import sys; from croupier.journal.postgres_leases import PostgresLeases\n"
        "leases = PostgresLeases(sys.argv[1])\n"
        "print(leases.take('T1'), leases.take('T2'), flush=True)\n"
        "sys.stdin.read()"
    )
    two = server()
    with subprocess.Popen(
        [sys.executable, "-c", program, postgres_address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True True\n"
        assert not two.take("T1")
        process.kill()
        assert process.wait() == -signal.SIGKILL
    wait_until_free(other, "T1")
    wait_until_free(other, "T2")
    assert two.take("T1")
    assert two.take("T2")


def test_many_tables_are_divided_between_servers_that_want_them_all(
    server: Another, other: psycopg.Connection
) -> None:
    servers = [server() for _ in range(4)]
    start = threading.Barrier(len(servers))

    def take_all(one: PostgresLeases) -> set[str]:
        start.wait()
        return {table for table in MANY if one.take(table)}

    with ThreadPoolExecutor(len(servers)) as threads:
        taken = list(threads.map(take_all, servers))

    assert [one.held() for one in servers] == taken
    assert sum(map(len, taken)) == len(MANY)
    assert set().union(*taken) == set(MANY)
    assert all(owners(other, table) == 1 for table in MANY)


def test_threads_of_one_server_share_its_leases(server: Another, other: psycopg.Connection) -> None:
    one = server()
    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(one.take, MANY * 4))
    assert one.held() == set(MANY)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(one.give_back, MANY))
    assert one.held() == frozenset()
    assert not any(owners(other, table) for table in MANY)


def test_other_databases_of_the_same_server_have_leases_of_their_own(
    server: Another, postgres_server: str, other: psycopg.Connection
) -> None:
    name = f"croupier_test_{uuid4().hex}"
    other.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    elsewhere = PostgresLeases(address_of(postgres_server, name))
    here = server()
    assert here.take("T1")
    assert elsewhere.take("T1")
    assert (here.held(), elsewhere.held()) == ({"T1"}, {"T1"})
    elsewhere.close()
    other.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_the_journal_can_be_used_by_all_whoever_holds_the_leases(
    server: Another, postgres_address: str
) -> None:
    one = server()
    assert one.take("T1")
    # A new database is brought forward under a lock of its own.
    store = PostgresStore(postgres_address)
    assert store.tables() == []
    store.close()
    assert one.held() == {"T1"}


def test_a_server_that_hangs_can_be_driven_out_and_learns_of_it(server: Another) -> None:
    hung, other = server(), server()
    assert hung.take("T1")
    assert hung.take("T2")
    assert not other.take("T1")
    other.evict("T1")
    assert other.take("T1")
    assert other.take("T2")  # its connection is gone, and everything with it
    with pytest.raises(StoreError, match="its own no longer"):
        hung.held()
    assert not hung.take("T1")
    other.evict("T1")  # one's own lease stays
    assert other.held() == {"T1", "T2"}
    other.evict("T3")  # nobody has it

"""Journals in PostgreSQL: the contract of every store, and what is particular to a server."""

import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest

from croupier.journal import EMPTY, ClaimTaken, Fenced, Record, StoreError, open_store
from croupier.journal.postgres import PostgresStore
from journal.contract import OpeningContract, ReadingContract, StoreContract
from journal.contract_writing import RacingContract, WritingContract
from journal.drafts import draft, drafts, write
from journal.server import address_of, end_other_connections, own_server


def run(address: str, statement: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement)


class InPostgres(StoreContract):
    set_version = "UPDATE croupier.schema_versions SET version = 99"
    forget_heads = "DELETE FROM croupier.heads"

    @pytest.fixture
    def address(self, postgres_address: str) -> str:
        return postgres_address

    def execute(self, address: str, statement: str) -> None:
        run(address, statement)


class TestReading(InPostgres, ReadingContract):
    pass


class TestWriting(InPostgres, WritingContract):
    pass


class TestRacing(InPostgres, RacingContract):
    pass


class TestOpening(InPostgres, OpeningContract):
    version = 1


@pytest.fixture
def store(postgres_address: str) -> Iterator[PostgresStore]:
    store = PostgresStore(postgres_address)
    yield store
    store.close()


@pytest.fixture
def other(postgres_address: str) -> Iterator[psycopg.Connection]:
    """Somebody else's connection to the same database."""
    with psycopg.connect(postgres_address) as connection:
        yield connection


def set_default(address: str, setting: str) -> None:
    """Has every new connection to the database begin with a setting."""
    name = psycopg.conninfo.conninfo_to_dict(address)["dbname"]
    run(address, f"ALTER DATABASE {name} SET {setting}")


def wait_until_blocked(other: psycopg.Connection, backend: int, append: "Future[list[Record]]") -> None:
    """Returns once the server says that somebody holds the append up."""
    blocked = "SELECT cardinality(pg_blocking_pids(%s)) > 0"
    while not append.done() and other.execute(blocked, (backend,)).fetchone() != (True,):
        pass


@pytest.mark.parametrize(
    ("default", "kept"), [("off", "on"), ("local", "on"), ("on", "on"), ("remote_apply", "remote_apply")]
)
def test_every_commit_waits_for_the_disk(
    postgres_address: str, other: psycopg.Connection, default: str, kept: str
) -> None:
    set_default(postgres_address, f"synchronous_commit = {default}")
    store = PostgresStore(postgres_address)
    assert store._one("SHOW synchronous_commit") == (kept,)
    end_other_connections(other)
    with pytest.raises(StoreError):
        store.tables()
    # A new connection is made as safe as the first.
    assert store._one("SHOW synchronous_commit") == (kept,)
    store.close()


def test_a_server_that_does_not_wait_for_its_disk_is_refused() -> None:
    with own_server("-c fsync=off") as address, pytest.raises(StoreError, match="runs with fsync off"):
        PostgresStore(address)


def test_a_server_that_is_too_old_is_refused(postgres_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.journal.postgres_database.OLDEST", 99)
    with pytest.raises(StoreError, match=r"is PostgreSQL \d+; journals need 99 or a newer one"):
        PostgresStore(postgres_address)


def test_a_database_that_cannot_keep_every_text_is_refused(postgres_server: str) -> None:
    name = f"croupier_test_{uuid4().hex}"
    run(postgres_server, f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    with pytest.raises(StoreError, match="keeps texts as LATIN1; journals need UTF8"):
        PostgresStore(address_of(postgres_server, name))
    run(postgres_server, f"DROP DATABASE {name}")


def test_texts_are_unicode_whatever_the_environment_says(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    store = PostgresStore(postgres_address)
    (written,) = write(store, "轮盘", drafts(1))
    assert list(store.read("轮盘")) == [written]
    store.close()


def test_a_stricter_isolation_by_default_changes_nothing(postgres_address: str) -> None:
    set_default(postgres_address, "default_transaction_isolation = 'serializable'")
    store = PostgresStore(postgres_address)
    assert store._one("SHOW transaction_isolation") == ("read committed",)
    store.close()


def test_a_lost_connection_fails_one_call_and_the_next_connects_anew(
    store: PostgresStore, other: psycopg.Connection
) -> None:
    written = write(store, "wheel-1", drafts(2))
    end_other_connections(other)
    with pytest.raises(StoreError, match="did not do as asked"):
        store.append(written, [("voucher/1", 1)])
    assert list(store.read("wheel-1")) == written
    assert store.claimant("voucher/1") is None
    written += write(store, "wheel-1", drafts(1, first=3))
    assert list(store.read("wheel-1")) == written


def test_a_session_that_may_not_write_fails_one_call_and_the_next_connects_anew(
    store: PostgresStore, other: psycopg.Connection, postgres_address: str
) -> None:
    other.autocommit = True
    set_default(postgres_address, "default_transaction_read_only = on")
    end_other_connections(other)
    with pytest.raises(StoreError, match="did not do as asked"):
        store.head("T1")
    assert store.head("T1") == EMPTY  # it can still be read
    with pytest.raises(StoreError, match="read-only"):
        store.beat("T1", 1)
    other.execute(f"ALTER DATABASE {other.info.dbname} RESET ALL")
    store.beat("T1", 2)
    assert len(write(store, "T1", drafts(1))) == 1


def test_a_server_that_does_not_answer_fails_one_call_and_what_it_holds_never_happens(
    store: PostgresStore, other: psycopg.Connection
) -> None:
    written = write(store, "wheel-1", drafts(2))
    slow = "SELECT pg_sleep(3); INSERT INTO croupier.beats (table_id, at_ms) VALUES ('late', 1)"
    begun = time.monotonic()
    with pytest.raises(StoreError, match=r"has not answered in 0\.2 seconds"):
        store._use(lambda on: on.execute(slow), 0.2)
    assert time.monotonic() - begun < 2
    assert list(store.read("wheel-1")) == written
    sleeping = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%%pg_sleep(3)%%' AND pid <> %s"
    assert other.execute(sleeping, (other.info.backend_pid,)).fetchone() == (0,)
    assert store.last_beat("late") is None
    written += write(store, "wheel-1", drafts(1, first=3))
    assert list(store.read("wheel-1")) == written


def test_whoever_waits_behind_a_server_that_does_not_answer_is_told(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.journal.postgres.ANSWER_SECONDS", 0.2)
    with ThreadPoolExecutor(1) as threads:
        slow = threads.submit(store._use, lambda on: on.execute("SELECT pg_sleep(2)").fetchone(), 30)
        while not store._lock.locked():
            pass
        with pytest.raises(StoreError, match="still busy"):
            store.head("wheel-1")
        assert slow.result() is not None, "what has time is not cut"
    assert store.head("wheel-1") == EMPTY


def test_a_connection_lost_amid_a_reading_ends_it_with_an_error(
    store: PostgresStore, other: psycopg.Connection
) -> None:
    write(store, "wheel-1", drafts(300))
    reading = store.read("wheel-1")
    next(reading)
    end_other_connections(other)
    with pytest.raises(StoreError):
        list(reading)
    assert len(list(store.read("wheel-1"))) == 300


class TestAnAppendThatWaits:
    """Two writers meet in the database itself: the second has to wait until the first has ended."""

    @pytest.fixture
    def written(self, store: PostgresStore) -> list[Record]:
        return write(store, "wheel-1", drafts(1))

    @pytest.fixture
    def waiting(
        self, store: PostgresStore, written: list[Record], other: psycopg.Connection
    ) -> Iterator["Future[list[Record]]"]:
        """An append that waits because the other one has moved the head and not ended yet."""
        (backend,) = store._one("SELECT pg_backend_pid()")
        other.execute("UPDATE croupier.heads SET sequence = 2, hash = %s", (b"x" * 32,))
        with ThreadPoolExecutor(1) as threads:
            append = threads.submit(write, store, "wheel-1", [draft(2, claims=("voucher/1",))])
            wait_until_blocked(other, backend, append)
            yield append

    def test_it_is_fenced_where_the_other_commits(
        self, store: PostgresStore, waiting: "Future[list[Record]]", other: psycopg.Connection
    ) -> None:
        other.commit()
        with pytest.raises(Fenced):
            waiting.result()
        assert store.claimant("voucher/1") is None

    def test_it_succeeds_where_the_other_gives_up(
        self,
        store: PostgresStore,
        written: list[Record],
        waiting: "Future[list[Record]]",
        other: psycopg.Connection,
    ) -> None:
        other.rollback()
        assert list(store.read("wheel-1")) == written + waiting.result()
        assert store.claimant("voucher/1") == ("wheel-1", 2)

    def test_it_leaves_nothing_where_its_connection_is_lost(
        self,
        store: PostgresStore,
        written: list[Record],
        waiting: "Future[list[Record]]",
        other: psycopg.Connection,
    ) -> None:
        end_other_connections(other)
        other.rollback()
        with pytest.raises(StoreError, match="did not do as asked"):
            waiting.result()
        assert list(store.read("wheel-1")) == written
        assert store.claimant("voucher/1") is None


def test_claims_are_made_in_one_order_so_that_nobody_waits_for_each_other(
    store: PostgresStore, other: psycopg.Connection
) -> None:
    claim = "INSERT INTO croupier.claims VALUES (%s, 'wheel-2', 1)"
    (backend,) = store._one("SELECT pg_backend_pid()")
    other.execute(claim, ("a",))
    with ThreadPoolExecutor(1) as threads:
        append = threads.submit(write, store, "wheel-1", [draft(claims=("b", "a"))])
        wait_until_blocked(other, backend, append)
        # The append waits for a, and has not taken b on its way there.
        other.execute(claim, ("b",))
        other.commit()
        with pytest.raises(ClaimTaken) as taken:
            append.result()
    assert taken.value.key == "b"
    assert store.tables() == []


def test_what_waits_too_long_is_an_error(store: PostgresStore, other: psycopg.Connection) -> None:
    written = write(store, "wheel-1", drafts(1))
    assert store._one("SHOW lock_timeout") == ("5s",)
    store._use(lambda on: on.execute("SET lock_timeout = '1ms'"))
    other.execute("SELECT FROM croupier.heads FOR UPDATE")
    with pytest.raises(StoreError, match="lock timeout"):
        write(store, "wheel-1", drafts(1, first=2))
    other.rollback()
    written += write(store, "wheel-1", drafts(1, first=2))
    assert list(store.read("wheel-1")) == written


def test_a_database_that_must_not_be_written_to_can_be_read(
    store: PostgresStore, postgres_address: str
) -> None:
    written = write(store, "wheel-1", drafts(1))
    set_default(postgres_address, "default_transaction_read_only = on")
    reader = PostgresStore(postgres_address, must_exist=True)
    assert list(reader.read("wheel-1")) == written
    with pytest.raises(StoreError, match="read-only"):
        write(reader, "wheel-1", drafts(1, first=2))
    reader.close()


def test_a_role_that_may_not_make_schemas_uses_the_one_it_was_given(
    postgres_address: str, other: psycopg.Connection
) -> None:
    role = f"croupier_test_{uuid4().hex}"
    run(postgres_address, f"CREATE ROLE {role}")
    run(postgres_address, f"CREATE SCHEMA croupier AUTHORIZATION {role}")
    store = PostgresStore(postgres_address + f"&options=-c%20role%3D{role}")
    assert store._one("SELECT current_user, has_database_privilege(current_database(), 'CREATE')") == (
        role,
        False,
    )
    write(store, "wheel-1", drafts(1))
    store.close()
    run(postgres_address, f"DROP OWNED BY {role}")
    run(postgres_address, f"DROP ROLE {role}")


def test_a_schema_of_something_else_is_refused_and_left_as_it_is(
    postgres_address: str, other: psycopg.Connection
) -> None:
    run(postgres_address, "CREATE SCHEMA croupier CREATE TABLE claims (guest text)")
    with pytest.raises(StoreError, match='"claims" already exists'):
        PostgresStore(postgres_address)
    tables = other.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'croupier'").fetchall()
    assert tables == [("claims",)]


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://pit:open-sesame@127.0.0.1:1/casino",
        "postgresql://127.0.0.1:1/casino?user=pit&password=open-sesame",
        "postgresql://open-sesame:open-sesame@127.0.0.1:1/casino",
        "postgresql://pit:p@open-sesame@127.0.0.1:1/casino",
        "postgresql://pit:open-sesame/1@127.0.0.1:1/casino",
        "postgresql://pit:1234/sesame@127.0.0.1:1/casino",
        "postgresql://pit:open-sesame%@127.0.0.1:1/casino",
        "postgresql://127.0.0.1:1/casino?open-sesame",
    ],
)
def test_no_error_shows_a_password(address: str) -> None:
    with pytest.raises(StoreError, match=r"PostgreSQL|127\.0\.0\.1") as refused:
        open_store(address)
    assert "sesame" not in "".join(traceback.format_exception(refused.value))


def test_what_a_server_repeats_of_a_password_is_left_out(postgres_address: str) -> None:
    address = f"{postgres_address}&password=open-sesame&options=-c%20role%3Dopen-sesame"
    with pytest.raises(StoreError, match=r"role.*\*\*\*") as refused:
        open_store(address)
    assert "sesame" not in "".join(traceback.format_exception(refused.value))


def test_a_server_that_is_not_there_is_an_error_in_one_sentence() -> None:
    with pytest.raises(StoreError) as refused:
        open_store("postgresql://pit@127.0.0.1:1/casino")
    sentence = str(refused.value)
    assert sentence.startswith("The journal in postgresql://127.0.0.1:1/casino did not do as asked: ")
    assert "Connection refused" in sentence
    assert "\n" not in sentence


def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "croupier.journal.postgres", None)
    with pytest.raises(StoreError, match=r"install croupier\[postgres\]"):
        open_store("postgresql://127.0.0.1:1/casino")


def test_a_row_that_no_writer_wrote_is_named_to_whoever_checks_the_chain(
    store: PostgresStore, postgres_address: str
) -> None:
    write(store, "wheel-1", drafts(3))
    run(postgres_address, "UPDATE croupier.records SET actor = E'deal\\ner' WHERE sequence = 2")

    stretches = store.stretches("wheel-1")

    assert [link.sequence for link in next(stretches).links()] == [1]
    with pytest.raises(StoreError, match="record 2 of table wheel-1 is none"):
        next(stretches)

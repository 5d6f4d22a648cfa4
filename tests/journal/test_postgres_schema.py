"""The journal's tables in PostgreSQL are compared with those that croupier makes."""

from contextlib import closing

import psycopg
import pytest

from cli.running import run
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import database_faults
from croupier.journal import StoreError
from croupier.journal.postgres import PostgresStore
from croupier.journal.postgres_database import MIGRATIONS
from floor.audit_journal import write
from floor.audit_scenes import roulette


@pytest.fixture
def address(postgres_address: str) -> str:
    with closing(PostgresStore(postgres_address)) as store:
        write(store, roulette())
    return postgres_address


def change(address: str, statement: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement)  # type: ignore[call-overload]  # from a list in this file


def faults_at(address: str) -> list[str]:
    with closing(open_evidence(address)) as evidence:
        return database_faults(evidence)


def test_a_database_as_it_is_made_has_no_faults(address: str) -> None:
    assert faults_at(address) == []
    PostgresStore(address).close()


def test_there_is_one_version_to_compare_with() -> None:
    """With a second step the parts of each have to be told apart."""
    assert len(MIGRATIONS) == 1


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DROP TABLE croupier.beats", "the table beats is missing"),
        (
            "ALTER TABLE croupier.records DROP CONSTRAINT records_by_sender",
            "the constraint records.records_by_sender is missing",
        ),
        (
            "ALTER TABLE croupier.claims DROP CONSTRAINT claims_by_key,"
            " ADD CONSTRAINT claims_by_key UNIQUE (key, table_id)",
            "the constraint claims.claims_by_key is another one",
        ),
        (
            "ALTER TABLE croupier.heads ALTER COLUMN hash DROP NOT NULL",
            "the column heads.hash is another one",
        ),
        (
            "ALTER TABLE croupier.claims ALTER COLUMN sequence TYPE numeric",
            "the column claims.sequence is another one",
        ),
        ("ALTER TABLE croupier.records ADD COLUMN note text", "the column records.note was added"),
        ("ALTER TABLE croupier.records SET UNLOGGED", "the table records is another one"),
        ("ALTER TABLE croupier.records ENABLE ROW LEVEL SECURITY", "the table records is another one"),
        ("CREATE TABLE later () INHERITS (croupier.records)", "the table records is another one"),
        ("CREATE POLICY hiding ON croupier.records USING (false)", "the policy records.hiding was added"),
        (
            "CREATE RULE silence AS ON INSERT TO croupier.claims DO INSTEAD NOTHING",
            "the rule claims.silence was added",
        ),
        (
            "CREATE TRIGGER quiet BEFORE UPDATE ON croupier.records FOR EACH ROW"
            " EXECUTE FUNCTION suppress_redundant_updates_trigger()",
            "the trigger records.quiet was added",
        ),
        (
            "CREATE UNIQUE INDEX once ON croupier.records (actor)",
            "the index records.once was added",
        ),
        (
            "ALTER TABLE croupier.beats ALTER COLUMN at_ms SET DEFAULT 0",
            "the column beats.at_ms is another one",
        ),
    ],
)
def test_what_was_changed_is_named_and_nothing_is_written(address: str, statement: str, fault: str) -> None:
    if "UNIQUE INDEX" in statement:  # several records have one actor
        change(address, "DELETE FROM croupier.records WHERE sequence > 1")
    change(address, statement)
    assert faults_at(address) == [fault]
    with pytest.raises(StoreError, match=f"nothing is written to it: {fault}"):
        PostgresStore(address)


def test_what_stands_beside_a_journal_is_left_alone(address: str) -> None:
    change(address, "CREATE INDEX by_kind ON croupier.records (kind)")
    change(address, "CREATE VIEW croupier.last AS SELECT * FROM croupier.heads")
    change(address, "CREATE TABLE croupier.notes (text text)")
    change(address, "ANALYZE croupier.records")
    assert faults_at(address) == []
    PostgresStore(address).close()


def test_verify_tells_it_and_reads_on(address: str) -> None:
    change(address, "ALTER TABLE croupier.claims DROP CONSTRAINT claims_by_key")
    ran = run("verify", address)
    assert ran.status == 1
    assert "the constraint claims.claims_by_key is missing" in ran.out
    assert "\ntable " not in ran.out

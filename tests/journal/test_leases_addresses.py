"""Leases: the keys of the locks, and databases that cannot be had."""

import subprocess
import sys
import traceback

import pytest

from croupier.journal import StoreError, postgres_database
from croupier.journal.postgres_leases import PostgresLeases, lease_key

MANY = [f"roulette-{number}" for number in range(1, 201)]
NOBODY = "postgresql://pit:open-sesame@127.0.0.1:1/casino"


@pytest.mark.parametrize("table", ["T1", "轮盘", "", *MANY[:50]])
def test_keys_fit_into_the_database_and_are_never_the_one_of_the_schema(table: str) -> None:
    assert -(2**63) <= lease_key(table) < 0 < postgres_database._MIGRATING


def test_every_table_has_a_key_of_its_own() -> None:
    assert len({lease_key(table) for table in MANY}) == len(MANY)


def test_a_database_that_is_not_there_is_an_error_in_one_sentence_without_a_password() -> None:
    leases = PostgresLeases(NOBODY)
    assert leases.held() == frozenset()
    with pytest.raises(StoreError) as refused:
        leases.take("T1")
    said = str(refused.value)
    assert said.startswith("The database of leases postgresql://127.0.0.1:1/casino did not do as asked: ")
    assert "Connection refused" in said
    assert "\n" not in said
    assert "sesame" not in "".join(traceback.format_exception(refused.value))
    leases.close()


def test_what_a_server_repeats_of_a_password_is_left_out(postgres_address: str) -> None:
    leases = PostgresLeases(f"{postgres_address}&password=open-sesame&options=-c%20role%3Dopen-sesame")
    with pytest.raises(StoreError, match=r"role.*\*\*\*") as refused:
        leases.take("T1")
    assert "sesame" not in "".join(traceback.format_exception(refused.value))


def test_what_is_no_address_is_refused_at_once() -> None:
    with pytest.raises(StoreError, match="not the address of a PostgreSQL database"):
        PostgresLeases("postgresql://pit:p@open-sesame@127.0.0.1:1/casino")


def test_a_floor_of_one_server_does_not_need_the_driver() -> None:
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "import croupier.journal.leases, croupier.server.running\n"
        "print(croupier.journal.leases.Leases.__name__)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said == "Leases\n"

"""A journal in PostgreSQL is verified, exported and projected like one in a file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from cli.running import refusal, run
from croupier.floor.live import figures as live_figures
from croupier.floor.live.figures import LiveFigures
from croupier.floor.reports.calendar import Calendar
from croupier.floor.reports.report import DIMENSIONS, make_report, report_of
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal.postgres import PostgresStore
from croupier.journal.sqlite import SqliteStore
from floor.audit_journal import at_table, records_of, write, write_journal
from floor.audit_play import RandomTable
from floor.audit_scenes import roulette


@pytest.fixture
def address(postgres_address: str) -> str:
    with closing(PostgresStore(postgres_address)) as store:
        write(store, roulette(), at_table("T2", RandomTable(3, "rws-money-wheel").rounds(10)))
    return postgres_address


def test_figures_are_kept_in_the_database_and_gone_on_from(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_figures, "KEEP_EVERY", 1)
    with closing(open_evidence(address)) as evidence:
        expected = make_report(evidence, DIMENSIONS, Calendar("Asia/Singapore"))
    with closing(PostgresStore(address)) as store:
        for _ in range(2):
            live = LiveFigures(store, Calendar("Asia/Singapore"), bytes(32))
            live.follow_cage()
            assert report_of(live.reports, DIMENSIONS) == expected
        assert store.snapshot("figures\ntable T2") is not None
        assert live._not_kept == {}, "nothing was read again"


def test_both_stores_give_the_same(address: str, tmp_path: Path) -> None:
    file = write_journal(
        tmp_path / "floor.db", roulette(), at_table("T2", RandomTable(3, "rws-money-wheel").rounds(10))
    )
    assert run("verify", address) == run("verify", file)
    assert run("verify", address).status == 0
    for what in ("records", "rounds", "bets", "postings", "meters", "events"):
        words = ("--table", "T2", "--what", what)
        assert run("export", address, *words) == run("export", file, *words)
    with closing(PostgresStore(address)) as one, closing(SqliteStore(Path(file))) as two:
        for store in (one, two):
            store.beat("T1", 1_700_000_500_000)
    report = run("report", address, "--by", "table", "--json")
    assert report == run("report", file, "--by", "table", "--json")
    assert report.json["rows"][0]["open_seconds"] == "500.000"
    run("project", address, "--out", str(tmp_path / "one.db"))
    run("project", file, "--out", str(tmp_path / "two.db"))
    assert dump(tmp_path / "one.db") == dump(tmp_path / "two.db")


def dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    lines = [*connection.iterdump()]
    connection.close()
    return lines


@pytest.mark.parametrize(
    ("statement", "table", "sequence"),
    [
        (
            "UPDATE croupier.records SET payload = payload || '\\x20' WHERE table_id = 'T1' AND sequence = 9",
            "T1",
            9,
        ),
        ("DELETE FROM croupier.records WHERE table_id = 'T2' AND sequence = 40", "T2", 41),
        ("UPDATE croupier.heads SET sequence = sequence - 1 WHERE table_id = 'T1'", "T1", 38),
        ("DELETE FROM croupier.claims WHERE key = 'voucher-issued/V-1' AND table_id = 'T1'", "T1", 37),
        ("INSERT INTO croupier.claims VALUES ('voucher-redeemed/1', 'T3', 4)", "T3", 0),
        ("DELETE FROM croupier.heads WHERE table_id = 'T1'", "T1", 38),
    ],
)
def test_a_change_is_found(address: str, statement: str, table: str, sequence: int) -> None:
    with psycopg.connect(address) as connection:
        assert connection.execute(statement).rowcount == 1
    ran = run("verify", address)
    assert ran.status == 1
    assert f"\ntable {table}, record {sequence}: " in ran.out
    assert ran.out.count("\ntable ") == 1


def test_a_table_that_goes_on_is_seen_as_it_was(postgres_address: str) -> None:
    records = records_of(roulette())
    with closing(PostgresStore(postgres_address)) as store:
        store.append(records[:20], [])
        with closing(open_evidence(postgres_address)) as evidence:
            store.append(records[20:], [("voucher-issued/V-1", 37)])
            (report,) = verify_journal(evidence)

    assert (report.records, report.first_misfit) == (20, None)


def test_no_password_is_shown(postgres_address: str) -> None:
    with closing(PostgresStore(postgres_address)):
        pass
    mark = "&" if "?" in postgres_address else "?"
    secret = f"{postgres_address}{mark}password=open-sesame"
    for words in ((), ("--json",)):
        ran = run("verify", secret, *words)
        assert ran.status == 0
        assert "postgresql://" in ran.out
        assert "open-sesame" not in ran.out


def test_a_database_without_a_journal_cannot_be_read(postgres_address: str) -> None:
    assert refusal("verify", postgres_address).startswith("There is no journal in ")

"""Projections: rebuilt from the journal by one command, the same rows each time."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.running import refusal, run
from croupier.floor.exports.projections import RoundsFold
from croupier.journal import EMPTY, link
from croupier.journal.sqlite import SqliteStore
from croupier.table import Meters
from croupier.table import commands as c
from floor.audit_journal import at_table, change_file, claims_of, records_of, write, write_journal
from floor.audit_play import GAMES, RandomTable
from floor.audit_scenes import money_wheel, roulette
from floor.test_verify_vouchers import AMOUNT, issuing, paid, redeeming
from table.rig import Play, player


def project(journal: str, out: Path) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table of a rebuilt file."""
    ran = run("project", journal, "--out", str(out))
    assert (ran.status, ran.err) == (0, "")
    with closing(sqlite3.connect(out)) as connection:
        connection.row_factory = sqlite3.Row
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master ORDER BY rowid")]
        return {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in names}


@pytest.fixture
def journal(tmp_path: Path) -> str:
    plays = [at_table(f"T{n}", RandomTable(n, *game).rounds(12)) for n, game in enumerate(GAMES, start=2)]
    return write_journal(tmp_path / "floor.db", roulette(), *plays)


def test_two_builds_give_the_same_rows(journal: str, tmp_path: Path) -> None:
    one, two = project(journal, tmp_path / "one.db"), project(journal, tmp_path / "two.db")
    assert one == two
    assert [*one] == ["sources", "rounds", "meters", "vouchers", "events"]
    assert len(one["sources"]) == 1 + len(GAMES)
    assert all(len(rows) > len(GAMES) for rows in one.values())


def test_a_build_over_an_older_one_gives_what_a_new_one_gives(tmp_path: Path) -> None:
    records, out = records_of(roulette()), tmp_path / "out.db"
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        store.append(records[:20], [])
        earlier = project(str(tmp_path / "floor.db"), out)
        store.append(records[20:], claims_of(roulette()))
    again = project(str(tmp_path / "floor.db"), out)
    assert earlier != again
    assert again == project(str(tmp_path / "floor.db"), tmp_path / "new.db")
    assert [row["state"] for row in earlier["rounds"]] == ["settled", "running"]
    assert [row["state"] for row in again["rounds"]] == ["settled", "voided", "settled"]


def test_rows_say_what_the_table_says(journal: str, tmp_path: Path) -> None:
    found = project(journal, tmp_path / "out.db")
    play = RandomTable(2, *GAMES[0]).rounds(12)
    meters = {row["seat"]: row for row in found["meters"] if row["table_id"] == "T2"}
    for name in Meters.__struct_fields__:
        assert meters[None][name] == getattr(play.state.meters, name)
        for seat in play.state.seats.values():
            assert meters[seat.id][name] == getattr(seat.meters, name)
    rounds = {row["round"]: row for row in found["rounds"] if row["table_id"] == "T2"}
    assert len(rounds) == play.state.round_number
    for number, kept in play.state.kept.items():
        assert (rounds[number]["state"], rounds[number]["result"]) == (kept.phase, kept.result)
    source = next(row for row in found["sources"] if row["table_id"] == "T2")
    assert source["hash"] == records_of(at_table("T2", play))[-1].hash.hex()


def test_rounds_balance_with_the_meters(journal: str, tmp_path: Path) -> None:
    """What was staked and went back over all rounds is what the meters of each table say."""
    found = project(journal, tmp_path / "out.db")
    for table in {row["table_id"] for row in found["sources"]}:
        (meters,) = (row for row in found["meters"] if (row["table_id"], row["seat"]) == (table, None))
        rounds = [row for row in found["rounds"] if row["table_id"] == table]
        assert sum(row["staked_cents"] for row in rounds) == meters["turnover_cents"]
        returned = sum(row["returned_cents"] for row in rounds)
        assert returned == meters["wins_cents"] + meters["returned_cents"]


def test_refusals_are_among_the_events(journal: str, tmp_path: Path) -> None:
    events = project(journal, tmp_path / "out.db")["events"]
    (refused,) = (row for row in events if row["event"] == "command-refused" and row["table_id"] == "T1")
    assert (refused["sequence"], refused["actor"]) == (38, "terminal-1")


def test_vouchers_are_followed_over_tables_and_the_cage(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        write(store, issuing(), redeeming(AMOUNT), at_table("T3", cashing_out("V-3")))
        (record,) = link("cage", EMPTY, [paid()])
        store.append([record], [("voucher-redeemed/V-2", 1)])
    vouchers = project(str(tmp_path / "floor.db"), tmp_path / "out.db")["vouchers"]
    way = [
        (row["number"], row["state"], row["amount_cents"], row["issued_table"], row["ended_table"])
        for row in vouchers
    ]
    assert way == [
        ("V-1", "redeemed", AMOUNT, "T1", "T2"),
        ("V-2", "paid", AMOUNT, "T1", "cage"),
        ("V-3", "outstanding", 1_000, "T3", None),
    ]


def cashing_out(number: str) -> Play:
    play = Play().open(("1",), 1_000)
    play.do(player("1"), c.CashOut(seat="1", voucher=number))
    return play


@pytest.mark.parametrize(("book", "layout"), GAMES)
def test_a_round_is_let_go_only_when_nothing_can_change_it(book: str, layout: str) -> None:
    play = RandomTable(5, book, layout).rounds(30)
    fold, early = RoundsFold(), {}
    for entry in play.entries:
        if (done := fold.take(entry)) is not None:
            early[done.row.round] = done.row
    rows = {round_.row.round: round_.row for round_ in keeping_all(play).rest()}

    assert len(early) > 20
    assert early == {number: rows[number] for number in early}
    assert [*early, *(round_.row.round for round_ in fold.rest())] == [*rows]


def keeping_all(play: Play) -> RoundsFold:
    """A fold of the same history at a table that keeps every round for corrections."""
    play.settings = msgspec.structs.replace(play.settings, rounds_kept=1_000)
    fold = RoundsFold()
    for entry in at_table("T1", play).entries:
        assert fold.take(entry) is None
    return fold


def test_what_cannot_be_built_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    journal, out = write_journal(tmp_path / "floor.db", money_wheel()), str(tmp_path / "p.db")
    assert "is a journal" in refusal("project", journal, "--out", journal)
    assert "cannot be written" in refusal("project", journal, "--out", str(tmp_path / "absent" / "p.db"))
    assert refusal("project", str(tmp_path / "no.db"), "--out", out).startswith("There is no journal")
    change_file(journal, "UPDATE records SET payload = CAST('{}' AS BLOB) WHERE sequence = 8")
    assert "Record 8 of table T1 is damaged" in refusal("project", journal, "--out", out)
    change_file(journal, "DELETE FROM records WHERE sequence IN (8, 9)")
    assert "table T1 does not fit together" in refusal("project", journal, "--out", out)
    change_file(journal, "DELETE FROM records WHERE sequence = 1")
    assert "begin with its creation" in refusal("project", journal, "--out", out)
    assert [path for path in tmp_path.iterdir() if not path.name.startswith("floor.db")] == []


def test_the_answer_for_programs(journal: str, tmp_path: Path) -> None:
    out = str(tmp_path / "out.db")
    assert run("project", journal, "--out", out, "--json").json == {
        "file": out,
        "rows": {name: len(rows) for name, rows in project(journal, tmp_path / "other.db").items()},
    }

"""`croupier wheel-watch`: a page for people, JSON and CSV for programs, and refusals in a sentence."""

import csv
import io
import re
from pathlib import Path

import pytest

from cli.running import refusal, run, run_process
from croupier.cli.wheel_watch_page import watch_page
from croupier.rulebook import load_book
from croupier.wheel.watch_floor import FloorWatch
from floor.audit_journal import at_table, change_file, write_journal
from table.rig import Play
from wheel.watch_rig import play_round, told

ORDER = load_book("mbs-roulette").wheel.order


@pytest.fixture
def journal(tmp_path: Path) -> str:
    """A journal with a roulette table and a Money Wheel."""
    roulette = Play(wheel="W-9").open()
    for result in ("17", "17", "0", "26"):
        play_round(roulette, result, diamond=2)
    play_round(roulette, "5", sensed="6")
    money = at_table("T2", Play("rws-money-wheel").open())
    play_round(money, "1")
    return write_journal(tmp_path / "journal.db", roulette, money)


def stuck(spins: int) -> str:
    """The page of a wheel on which one pocket comes all the time."""
    floor = FloorWatch()
    for entry in told(["17"] * spins):
        floor.take("T1", entry)
    return watch_page("journal.db", [wheel.report() for wheel in floor.wheels()], 1e-4)


def test_the_page_tells_of_every_wheel(journal: str) -> None:
    ran = run("wheel-watch", journal)
    assert (ran.status, ran.err) == (0, "")
    assert "Wheel W-9 (mbs-roulette, table T1): 4 results counted" in ran.out
    assert "Wheel T2 (rws-money-wheel, table T2): 1 result counted" in ran.out
    assert ran.out.count("No alarm: 10,000 is needed at the level 0.0001.") == 2
    assert "the chance that any of them raises a false alarm is at most 0.0002" in " ".join(ran.out.split())


def test_the_pockets_stand_clockwise_with_a_bar_from_the_middle(journal: str) -> None:
    out = run("wheel-watch", journal, "--table", "T1").out
    lines = out[out.index("POCKET") :].splitlines()[1:38]
    assert [line.split()[0] for line in lines] == [*ORDER]
    seventeen, four = (next(line for line in lines if line.split()[0] == pocket) for pocket in ("17", "4"))
    assert seventeen.split()[1:3] == ["2", "0.11"]
    assert seventeen.endswith("|###########>")
    assert four.endswith(" #|")


def test_one_table_alone(journal: str) -> None:
    out = run("wheel-watch", journal, "--table", "T2").out
    assert "W-9" not in out
    assert "SYMBOL" in out
    assert "a sector of neighbours" not in out


def test_json_holds_all_of_it(journal: str) -> None:
    roulette, money = sorted(run("wheel-watch", journal, "--json").json["wheels"], key=lambda w: w["book"])
    assert (roulette["wheel"], roulette["spins"], roulette["disagreed"]) == ("W-9", 4, 1)
    assert (money["wheel"], money["spins"], money["drops"]) == ("T2", 1, None)
    assert roulette["alarm"]["raised"] is None
    assert roulette["alarm"]["log10_needed"] == pytest.approx(4)
    assert roulette["alarm"]["highest"]["table"] == "T1"
    assert [drop["spins"] for drop in roulette["drops"]["diamonds"]] == [0, 4, 0, 0, 0, 0, 0, 0]
    assert {row["outcome"]: row["count"] for row in roulette["outcomes"] if row["count"]} == {
        "0": 1,
        "17": 2,
        "26": 1,
    }
    assert [dealer["dealer"] for dealer in roulette["dealers"]] == ["dealer-1"]


def test_csv_has_a_row_for_each_pocket_and_symbol(journal: str) -> None:
    rows = [*csv.DictReader(io.StringIO(run("wheel-watch", journal, "--csv").out))]
    outcomes = load_book("rws-money-wheel").wheel.outcomes
    assert len(rows) == 37 + len(outcomes)
    assert sum(int(row["count"]) for row in rows if row["wheel"] == "W-9") == 4
    assert {row["alarm"] for row in rows} == {"0"}


def test_an_alarm_is_said_first_and_in_the_exit_status(tmp_path: Path) -> None:
    play = Play().open()
    for _ in range(9):
        play_round(play, "17")
    ran = run("wheel-watch", write_journal(tmp_path / "stuck.db", play))
    assert ran.status == 1
    assert "ALARM, raised" in ran.out.split("\n\n")[1]
    assert "17: 9 for 0.24" in ran.out
    lenient = run("wheel-watch", str(tmp_path / "stuck.db"), "--alarm", "1e-12")
    assert (lenient.status, "No alarm" in lenient.out) == (0, True)


def test_a_page_with_evidence_beyond_floats_is_still_a_page() -> None:
    page = stuck(400)
    assert "ALARM" in page
    assert "one pocket" in page
    (dealer,) = [line for line in page.splitlines() if line.startswith("dealer-0")]
    assert re.match(r"dealer-0 +400 +[0-9.]+e[0-9]{3}  17: 400 for 10.81", dealer)


def test_a_journal_without_tables_says_so(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "empty.db")
    assert run("wheel-watch", journal).out == f"{journal} holds no tables.\n"
    assert run("wheel-watch", journal, "--json").json["wheels"] == []


def test_a_table_that_has_not_played_says_no_more_than_that(tmp_path: Path) -> None:
    out = run("wheel-watch", write_journal(tmp_path / "new.db", Play().open())).out
    assert "0 results counted" in out
    assert "The evidence is 1." in out
    assert "POCKET" not in out


@pytest.mark.parametrize("level", ["0", "-1", "2", "nan", "1e-40"])
def test_a_level_that_is_none_is_refused(journal: str, level: str) -> None:
    assert "is not a level for an alarm" in refusal("wheel-watch", journal, "--alarm", level)


def test_a_machine_without_the_libraries_of_the_lab(journal: str, tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ModuleNotFoundError('none', name='numba')\n", encoding="utf-8")
    ran = run_process("wheel-watch", journal, PYTHONPATH=str(tmp_path))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("croupier: Watching a wheel needs numba, which is not installed. ")


def test_what_cannot_be_read_is_refused(journal: str, tmp_path: Path) -> None:
    assert "no journal" in refusal("wheel-watch", str(tmp_path / "none.db"))
    assert "no table 'T9'" in refusal("wheel-watch", journal, "--table", "T9")
    assert "not allowed with" in refusal("wheel-watch", journal, "--json", "--csv")
    assert "invalid float" in refusal("wheel-watch", journal, "--alarm", "often")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET payload = '{}' WHERE kind = 'round-settled'",
        "DELETE FROM records WHERE kind = 'round-opened'",
        "DELETE FROM records WHERE kind = 'table-created'",
        "UPDATE records SET payload = replace(payload, '\"17\"', '\"99\"') WHERE kind = 'round-settled'",
        "UPDATE records SET at_ms = 'soon' WHERE kind = 'round-settled'",
    ],
)
def test_a_damaged_journal_is_refused_in_a_sentence(journal: str, statement: str) -> None:
    change_file(journal, "DROP TRIGGER IF EXISTS records_stand")
    change_file(journal, statement)
    assert "croupier verify" in refusal("wheel-watch", journal)

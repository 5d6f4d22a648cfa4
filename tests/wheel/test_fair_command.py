"""`croupier fair`: what it prints, and its exit status."""

import json
from pathlib import Path

import pytest

from cli.running import refusal, run
from croupier.table import commands as c
from floor.audit_journal import change_file, write_journal
from table.rig import DEALER
from wheel.fair_rig import SealedPlay, sealed


@pytest.fixture
def play() -> SealedPlay:
    play = sealed()
    play.sealed_round()
    number = play.begin()
    play.do(DEALER, c.CallNoSpin(reason="bets in dispute"))
    play.reveal(number)
    return play


@pytest.fixture
def journal(tmp_path: Path, play: SealedPlay) -> str:
    return write_journal(tmp_path / "floor.db", play)


def test_a_fair_round_is_shown_with_what_was_drawn(journal: str, play: SealedPlay) -> None:
    ran = run("fair", journal, "T1", "1")
    assert (ran.status, ran.err) == (0, "")
    assert "1 round: 1 fair." in ran.out
    row = next(line for line in ran.out.splitlines() if line.lstrip().startswith("1 "))
    assert row.split()[2:5] == [play.result(1), play.result(1), "fair"]


def test_all_rounds_are_counted_by_verdict(journal: str) -> None:
    ran = run("fair", journal, "T1", "--all")
    assert (ran.status, ran.err) == (0, "")
    assert "2 rounds: 1 fair, 1 void." in ran.out


def test_a_round_that_is_not_shown_is_status_1(tmp_path: Path, play: SealedPlay) -> None:
    play.begin(commit=False)
    play.settle("17")
    journal = write_journal(tmp_path / "other.db", play)
    assert run("fair", journal, "T1", "1").status == 0
    assert run("fair", journal, "T1", "3").status == 1
    ran = run("fair", journal, "T1", "--all")
    assert (ran.status, ran.err) == (1, "")
    assert "3 rounds: 1 fair, 1 void, 1 not shown." in ran.out


def test_json_has_every_fact(journal: str, play: SealedPlay) -> None:
    facts = run("fair", journal, "T1", "1", "--json").json
    (found,) = facts["rounds"]
    assert (facts["table"], facts["shown"]) == ("T1", True)
    assert (found["verdict"], found["code"], found["round"]) == ("fair", "fair", 1)
    assert (found["drawn"], found["result"]) == (play.drawn(1).pocket, play.result(1))
    assert len(found["commitment"]) == 64
    assert found["committed_at"] < found["closed_at"] < found["opened_at"]


def test_json_of_an_unfair_round_is_status_1(tmp_path: Path) -> None:
    play = sealed()
    number = play.begin()
    play.settle(play.another(number))
    play.reveal(number)
    ran = run("fair", write_journal(tmp_path / "unfair.db", play), "T1", "1", "--json")
    assert ran.status == 1
    assert json.loads(ran.out)["rounds"][0]["code"] == "result-differs"
    assert json.loads(ran.out)["shown"] is False


def test_a_table_that_finished_no_round_says_so(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "new.db", sealed())
    ran = run("fair", journal, "T1", "--all")
    assert (ran.status, ran.out) == (0, "Table T1 has finished no round yet.\n")


def test_bad_input_is_status_2_and_a_sentence(journal: str, tmp_path: Path) -> None:
    assert "one round or all" in refusal("fair", journal, "T1")
    assert "one round or all" in refusal("fair", journal, "T1", "1", "--all")
    assert "no round 99" in refusal("fair", journal, "T1", "99")
    assert "no table 'T9'" in refusal("fair", journal, "T9", "1")
    assert "no journal" in refusal("fair", str(tmp_path / "none.db"), "T1", "1")
    assert "invalid int" in refusal("fair", journal, "T1", "one")


def test_a_journal_that_was_changed_is_refused(journal: str) -> None:
    change_file(journal, "UPDATE records SET at_ms = at_ms + 1 WHERE kind = 'bets-closed'")
    assert "does not fit" in refusal("fair", journal, "T1", "1")

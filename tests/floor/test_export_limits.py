"""Exports, significant events and recalls say by what the Money Wheel's bets outside the limits counted."""

from pathlib import Path

import pytest

from clauses import clause
from croupier.floor.significant.events import event_rows
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from croupier.table import events as e
from floor.audit_journal import write_journal
from floor.test_export import rows
from table.rig import DEALER, Play, wide_limits

BOX, OTHER = "symbol:20", "symbol:5"
ASSUMED = "assumption:table-excess"


@pytest.fixture
def play() -> Play:
    """Small bets advised, rejected and unnoticed, and then a table that is over its maximum."""
    limits = wide_limits(Rules(load_book("rws-money-wheel")), 1_000, 100_000, table_cents=150_000)
    play = Play("rws-money-wheel", limits=limits).open(("1", "2"), 500_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {BOX: 400, OTHER: 300})
    play.bet("2", {BOX: 500})
    play.do(DEALER, c.AdviseMinimum(seat="1", bet=BOX))
    play.do(DEALER, c.AdviseMinimum(seat="1", bet=OTHER))
    play.do(DEALER, c.RejectAdvised(seat="1", bet=OTHER))
    _finish(play)
    play.round({"1": {BOX: 90_000}, "2": {OTHER: 80_000}}, "20")
    return play


def _finish(play: Play) -> None:
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="20"))
    play.do(DEALER, c.ConfirmResult(result="20"))


@clause("rws-money-wheel:5.2", "rws-money-wheel:5.2.1")
def test_a_bet_that_counted_by_a_clause_is_exported_with_it(play: Play, tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "floor.db", play)

    given = rows(journal, "--table", "T1", "--what", "bets")

    assert [(row["round"], row["seat"], row["bet"], row["clause"]) for row in given] == [
        ("1", "1", BOX, "rws-money-wheel:5.2"),
        ("1", "2", BOX, "rws-money-wheel:5.2.1"),
        ("2", "1", BOX, ""),
        ("2", "2", OTHER, ""),
    ]


@clause("rws-money-wheel:5.1")
def test_a_round_over_the_table_is_exported_with_what_it_counted_by(play: Play, tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "floor.db", play)

    given = rows(journal, "--table", "T1", "--what", "rounds")
    events = rows(journal, "--table", "T1", "--what", "events")

    assert [(row["round"], row["excess_clause"]) for row in given] == [("1", ""), ("2", ASSUMED)]
    settled = [row for row in events if row["event"] == "round-settled"]
    assert [(row["round"], row["clause"]) for row in settled] == [("2", ASSUMED)]
    assert ASSUMED in settled[0]["what"]


def test_what_was_rejected_after_advice_is_a_significant_event_that_says_so(play: Play) -> None:
    found = [
        row
        for number, entry in enumerate(play.entries)
        for row in event_rows(number, entry)
        if isinstance(entry.event, e.BetsRejected)
    ]

    (row,) = found
    assert (row.seat, row.clause) == ("1", "rws-money-wheel:5.2")
    assert row.what == "3.00 of seat 1 on symbol:5 is rejected, under the minimum after advice."

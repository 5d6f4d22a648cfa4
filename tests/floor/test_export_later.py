"""Exports and bundles of tables that have played more rounds than they keep, or under other limits."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from cli.running import run
from croupier.floor.exports.bundle import make_bundle
from croupier.table import commands as c
from floor.audit_journal import MemoryEvidence, write_journal
from table.rig import SHIFT_MANAGER, SUPERVISOR, Play, player, wide_limits


def change_limits(play: Play, minimum_cents: int, maximum_cents: int) -> None:
    limits = wide_limits(play.rules, minimum_cents, maximum_cents)
    play.do(SUPERVISOR, c.ChangeLimits(limits=limits, reason="x"), second=SHIFT_MANAGER)


def long_play() -> Play:
    """Four rounds at a table that keeps one; from the third on with other limits."""
    play = Play(rounds_kept=1).open(("1",), 100_000)
    for number in range(1, 5):
        if number == 3:
            change_limits(play, 200, 50_000)
        play.round({"1": {"red": 1_000}}, "2")
    return play


def exported(tmp_path: Path, play: Play, *words: str) -> Any:
    journal = tmp_path / "journal.db"
    write_journal(journal, play)
    return [*csv.DictReader(run("export", str(journal), "--table", "T1", *words).out.splitlines())]


@pytest.mark.parametrize("what", ["rounds", "bets"])
def test_rounds_that_are_not_kept_any_more_are_exported_too(tmp_path: Path, what: str) -> None:
    rows = exported(tmp_path, long_play(), "--what", what)
    assert [row["round"] for row in rows] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(("number", "minimum_cents"), [(1, 100), (2, 100), (3, 200), (4, 200)])
def test_a_bundle_has_the_limits_of_its_round_however_old_it_is(number: int, minimum_cents: int) -> None:
    bundle = make_bundle(MemoryEvidence(long_play()), "T1", number)
    limits = json.loads(bundle["round.json"])["limits"]["bets"]["straight"]
    assert limits["minimum_cents"] == minimum_cents


def test_meters_of_a_day_have_its_last_record(tmp_path: Path) -> None:
    play = Play().open(("1",), 100_000)
    play.round({"1": {"red": 1_000}}, "2")
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    table, *_ = exported(tmp_path, play, "--what", "meters", "--day", "2023-11-14")
    assert (table["credits"], table["vouchers_out"]) == ("0.00", "990.00")

"""Advice to raise or withdraw a bet under the minimum is verified like everything else."""

import pytest

from croupier.journal import Record
from croupier.table import commands as c
from floor.audit_journal import Event, edit, records_of
from floor.test_verify_facts import judged
from table.rig import DEALER, Play, wide_limits


def reason_of(records: list[Record]) -> str | None:
    misfit = judged(advised(), records)
    return None if misfit is None else misfit.reason


def advised() -> Play:
    """Seat 1 is told of the minimum of a box; seat 2 is in it too, and meets it in another."""
    play = Play("rws-money-wheel")
    limits = wide_limits(play.rules, minimum_cents=1_000)
    play = Play("rws-money-wheel", limits=limits).open(("1", "2"), 10_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"symbol:5": 300})
    play.bet("2", {"symbol:5": 300, "symbol:10": 1_000})
    play.do(DEALER, c.AdviseMinimum(seat="1", bet="symbol:5"))
    return play


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({}, None),
        ({"seat": "2"}, None),
        ({"seat": "3"}, "seat 3 is not in use"),
        ({"round": 2}, "it is of round 2, and round 1 is running"),
        ({"bet": "symbol:20"}, "seat 1 has nothing on symbol:20"),
        ({"bet": "symbol:10"}, "seat 1 has nothing on symbol:10"),
        ({"seat": "2", "bet": "symbol:10"}, "seat 2 has 10.00 on symbol:10, which meets the minimum"),
        ({"minimum_cents": 999}, "the minimum is 9.99, and it has to be 10.00"),
    ],
)
def test_advice_is_for_a_bet_under_the_minimum_of_its_box(facts: Event, why: str | None) -> None:
    play = advised()
    *before, record = records_of(play)
    forged = edit(record, lambda event, cause: event.update(facts))
    assert reason_of([*before, forged]) == why


def test_no_minimum_is_advised_when_bets_are_closed() -> None:
    play = advised()
    play.do(DEALER, c.CloseBets())
    *before, record, closed = records_of(play)
    assert reason_of([*before, closed, record]) == "bets of round 1 are closed"

"""The clauses and sentences that refusals and records carry, where nothing else looks at them."""

import pytest

from croupier.table import Actor, Stake
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.recall import History
from table.rig import DEALER, Play, only, player, wide_limits


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        ("mbs-roulette", "3.8"),
        ("rws-roulette-00", "3.7"),
        ("rws-roulette-000", "3.7"),
        ("rws-money-wheel", "3.8"),
    ],
)
def test_a_registered_result_cites_what_makes_it_one(book: str, clause: str) -> None:
    play = Play(book).open()
    play.do(DEALER, c.OpenRound())
    early = play.refused(DEALER, c.EnterResult(result="20"))
    play.to_spinning()

    entered = only(e.ResultEntered, play.do(DEALER, c.EnterResult(result="20")))

    assert (early.code, early.clause) == ("bets-open", f"{book}:{clause}")
    assert entered.clause == f"{book}:{clause}"


def test_an_excess_is_rejected_by_its_clause_and_not_after_the_close() -> None:
    limits = wide_limits(Play("rws-money-wheel").rules, 1_000, 10_000)
    play = Play("rws-money-wheel", limits=limits).open()
    play.do(DEALER, c.OpenRound())
    play.do(player("1"), c.PlaceBets(seat="1", stakes=(Stake("symbol:1", 15_000),)))

    rejected = only(e.BetsRejected, play.do(DEALER, c.RejectExcess(bet="symbol:1")))
    play.do(DEALER, c.CloseBets())
    late = play.refused(DEALER, c.RejectExcess(bet="symbol:1"))
    advised = play.refused(DEALER, c.AdviseMinimum(seat="1", bet="symbol:1"))

    assert (rejected.cents, rejected.clause) == (5_000, "rws-money-wheel:5.1")
    assert (late.code, late.clause) == ("bets-closed", "rws-money-wheel:5.1.1")
    assert (advised.code, advised.clause) == ("bets-closed", "rws-money-wheel:5.2.1")


def test_a_player_who_advises_or_rejects_is_refused_by_the_clause_about_just_that() -> None:
    play = Play("rws-money-wheel").open()
    play.do(DEALER, c.OpenRound())

    advised = play.refused(player("1"), c.AdviseMinimum(seat="1", bet="symbol:1"))
    rejected = play.refused(player("1"), c.RejectExcess(bet="symbol:1"))

    assert (advised.code, advised.clause) == ("not-allowed", "rws-money-wheel:5.2")
    assert (rejected.code, rejected.clause) == ("not-allowed", "rws-money-wheel:5.1")


@pytest.mark.parametrize(
    ("position", "sentence"),
    [("player", "Players may not do this."), ("cook", "Only employees may do this.")],
)
def test_who_may_not_open_a_round_is_told_why(position: str, sentence: str) -> None:
    play = Play().open()

    refused = play.refused(Actor(id="somebody", position=position, seat="1"), c.OpenRound())

    assert (refused.code, refused.sentence) == ("not-allowed", sentence)


def test_a_history_lets_go_of_rounds_that_nobody_holds() -> None:
    play = Play().open()
    for _ in range(12):
        play.round({}, "17")
    history = History(seat_rounds=2, table_rounds=3)
    for entry in play.entries:
        history.record(entry)

    assert [recall.number for recall in history.last_rounds()] == [12, 11, 10]
    assert [number for number in range(1, 13) if history.round(number) is not None] == [10, 11, 12]

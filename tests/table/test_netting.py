"""Gains and debts of one visit are one matter: what one round gives back covers what another takes."""

from itertools import permutations

import pytest

from clauses import clause
from croupier.table import Foreseen, foresee
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, Play, player
from table.scenes import MBS, RWS_000, Game, correct

BALL = "ball-broken"


def broken_ball(game: Game = RWS_000) -> Play:
    """Void, round 1 takes 100.00 from seat 1 and round 2 gives 90.00 back; its credits are 20.00."""
    play = Play(game.book, game.layout).open(("1",), 10_000)
    play.round({"1": {"red": 10_000}}, "1")
    assert play.credits("1") == 20_000
    play.round({"1": {"red": 9_000}}, "2")
    # What has become of the rest is lost in rounds that nobody doubts.
    play.round({"1": {"red": 9_000}}, "2")
    assert play.credits("1") == 2_000
    return play


def voids(play: Play, *rounds: int) -> list[e.Event]:
    return play.do(MANAGER, c.DeclareIrregularity(cause=BALL, rounds=rounds), SUPERVISOR)


def open_cents(play: Play) -> dict[int, int]:
    """What is carried of seat 1, by round."""
    rounds = sorted((play.state.owing | play.state.kept).items())
    parts = {number: round_.seats["1"].carried_cents for number, round_ in rounds if "1" in round_.seats}
    return {number: cents for number, cents in parts.items() if cents}


def balance(play: Play, account: str) -> int:
    return play.state.balances.get(account, 0)


@clause("rws-roulette-000:5.4")
@pytest.mark.parametrize("order", [*permutations((1, 2))])
def test_rounds_that_are_void_together_are_netted_in_whichever_order_they_are_named(
    order: tuple[int, ...],
) -> None:
    play = broken_ball()

    events = voids(play, *order)

    assert play.credits("1") == 1_000
    assert (balance(play, "shortfall"), open_cents(play)) == (0, {})
    assert not [event for event in events if isinstance(event, e.ShortfallRaised)], "nothing is short"


@clause("rws-roulette-000:5.4")
@pytest.mark.parametrize("order", [*permutations((1, 2))])
def test_the_same_by_two_commands_one_after_the_other(order: tuple[int, ...]) -> None:
    play = broken_ball()

    for number in order:
        voids(play, number)

    assert play.credits("1") == 1_000
    assert (balance(play, "shortfall"), open_cents(play)) == (0, {})


def test_what_covers_a_shortfall_of_another_round_is_on_record_for_both() -> None:
    play = broken_ball()
    voids(play, 1)
    assert (play.credits("1"), open_cents(play)) == (0, {1: -8_000})

    _, gained, netted = voids(play, 2)

    assert isinstance(gained, e.SeatCorrected)
    assert (gained.round, gained.moved_cents, gained.carried_cents) == (2, 9_000, 0)
    assert isinstance(netted, e.CarriedNetted)
    assert (netted.seat, netted.round, netted.against, netted.cents) == ("1", 1, 2, 8_000)
    assert (netted.carried_cents, netted.against_carried_cents, netted.has_left) == (0, 0, False)
    assert [(p.source, p.destination, p.cents) for p in netted.postings] == [
        ("credits/1", "shortfall", 8_000)
    ]


def test_what_is_more_than_the_shortfall_is_the_players_and_what_is_less_covers_a_part() -> None:
    play = broken_ball()
    voids(play, 1)
    play.do(player("1"), c.CallAttendant(seat="1"))
    part = play.state.kept[1].seats["1"]
    assert part.carried_cents == -8_000

    correct(play, 3, "1")

    assert (play.credits("1"), open_cents(play)) == (10_000, {})


@pytest.mark.parametrize("order", [*permutations((1, 2))])
def test_of_a_player_who_has_left_unclaimed_money_and_shortfalls_are_netted_too(
    order: tuple[int, ...],
) -> None:
    play = broken_ball()
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=500))

    for number in order:
        voids(play, number)

    assert play.credits("1") == 500
    assert (balance(play, "shortfall"), balance(play, "unclaimed")) == (-1_000, 0)
    assert open_cents(play) == {1: -1_000}
    end = c.SettleCarried(round=1, seat="1", how="collected", cents=1_000, reason="brought back")
    play.do(MANAGER, end, SUPERVISOR)
    assert balance(play, "shortfall") == 0


def test_the_shortfall_of_one_visit_is_none_of_the_next() -> None:
    play = broken_ball()
    voids(play, 1)
    play.do(player("1"), c.BuyCredits(seat="1", cents=1_000))  # nobody knows by whom
    play.round({"1": {"red": 1_000}}, "2")

    correct(play, 4, "1")

    assert (play.credits("1"), open_cents(play)) == (2_000, {1: -8_000})


def test_what_a_visit_wins_by_itself_covers_nothing() -> None:
    play = broken_ball()
    play.round({"1": {"red": 1_000}}, "2")
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    voids(play, 1)
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="1"))
    play.do(DEALER, c.ConfirmResult(result="1"))

    assert (play.credits("1"), open_cents(play)) == (2_000, {1: -10_000})


def test_several_shortfalls_are_covered_the_oldest_first() -> None:
    play = Play(MBS.book).open(("1",), 10_000)
    for _ in range(2):
        play.round({"1": {"red": 1_000}}, "1")
    play.round({"1": {"red": 12_000}}, "2")
    for number in (2, 1):
        correct(play, number, "2")
    assert open_cents(play) == {1: -2_000, 2: -2_000}

    play.round({}, "0")
    bets = (c.NamedBet("1", "red"),)
    play.do(SHIFT_MANAGER, c.Decide(ruling="return-bets", reason="a stuck screen", round=3, bets=bets))

    assert (play.credits("1"), open_cents(play)) == (8_000, {})


def test_it_is_foreseen_with_what_covers_what() -> None:
    play = broken_ball()
    voids(play, 1)
    do = c.DeclareIrregularity(cause=BALL, rounds=(2,))

    found = foresee(play.rules, play.state, play.at_ms, DEALER, do)

    assert isinstance(found, Foreseen)
    (seat,) = found.seats
    assert (seat.after_cents, seat.shortfall_cents, seat.netted_cents) == (1_000, 0, 8_000)

"""Launches that nobody can have seen, and announced bets that lie otherwise than in the book, are found."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.ledger import credits_of, move, stakes_of
from floor.forged_events import SEATS, a_play, but, force, found_in, take_back
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR, Play, player

ONE = player("1")


def launched(book: str = "mbs-roulette", **facts: Any) -> Play:
    play = a_play(book)
    play.do(DEALER, c.OpenRound())
    play.do(DEALER, c.CloseBets())
    events = take_back(play, play.do(DEALER, c.StartSpin()))
    return force(play, DEALER, *but(events, e.SpinStarted, **facts))


def a_ball_spun_in_no_direction() -> Play:
    return launched(ball="upwards", wheel="clockwise")


def a_wheel_spun_in_no_direction() -> Play:
    return launched(wheel="")


def a_ball_on_a_wheel_without_one() -> Play:
    return launched("rws-money-wheel", ball="clockwise")


def a_wheel_that_turns_at_less_than_nothing() -> Play:
    return launched(rotor_tenths_rpm=-1)


def a_decision_about_a_round_that_was_not() -> Play:
    play = a_play()
    play.round({"1": {"red": 1_000}}, "2")
    do = c.Decide(ruling="none", reason="x", round=1)
    events = take_back(play, play.do(SHIFT_MANAGER, do, second=SUPERVISOR))
    return force(play, SHIFT_MANAGER, *but(events, e.DecisionRecorded, round=2), second=SUPERVISOR)


def announced(*bets: c.Stake, change: Callable[[list[e.BetChange]], list[e.BetChange]]) -> Play:
    """A player announces bets; what they cost and the postings are right for whatever is made of them."""
    play = a_play()
    play.do(DEALER, c.OpenRound())
    (event,) = take_back(play, play.do(ONE, c.PlaceBets(seat="1", stakes=bets)))
    assert isinstance(event, e.BetsChanged)
    changes = tuple(change(list(event.changes)))
    postings = move(credits_of("1"), stakes_of("1"), sum(each.cents for each in changes))
    return force(play, ONE, msgspec.structs.replace(event, changes=changes, postings=postings))


def a_piece_of_an_announced_bet_left_out() -> Play:
    return announced(c.Stake("tiers", 100), change=lambda changes: changes[1:])


def more_on_one_piece_of_an_announced_bet() -> Play:
    def change(changes: list[e.BetChange]) -> list[e.BetChange]:
        first = changes[0]
        return [e.BetChange(first.bet, first.cents + 100, first.announced), *changes[1:]]

    return announced(c.Stake("tiers", 100), change=change)


def an_announced_bet_on_a_piece_of_another() -> Play:
    def change(changes: list[e.BetChange]) -> list[e.BetChange]:
        return [e.BetChange("straight:0", changes[0].cents, changes[0].announced), *changes[1:]]

    return announced(c.Stake("tiers", 100), change=change)


def an_announced_bet_that_there_is_not() -> Play:
    def change(changes: list[e.BetChange]) -> list[e.BetChange]:
        return [e.BetChange(each.bet, each.cents, "half-the-wheel") for each in changes]

    return announced(c.Stake("tiers", 100), change=change)


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        (a_ball_spun_in_no_direction, "nothing spins 'upwards'"),
        (a_wheel_spun_in_no_direction, "nothing spins ''"),
        (a_ball_on_a_wheel_without_one, "this wheel has no ball"),
        (a_wheel_that_turns_at_less_than_nothing, "less than nothing"),
        (a_decision_about_a_round_that_was_not, "cannot be decided on round 2"),
        (a_piece_of_an_announced_bet_left_out, "announced as tiers"),
        (more_on_one_piece_of_an_announced_bet, "announced as tiers"),
        (an_announced_bet_on_a_piece_of_another, "announced as tiers"),
        (an_announced_bet_that_there_is_not, "no announced bet 'half-the-wheel'"),
    ],
)
def test_what_nobody_can_have_seen_or_called_is_found(scene: Callable[[], Play], said: str) -> None:
    misfit = found_in(scene())
    assert misfit is not None
    assert said in misfit.reason


@pytest.mark.parametrize("book", ["mbs-roulette", "rws-roulette-00", "rws-roulette-000"])
def test_every_announced_bet_fits_placed_twice_at_once_and_taken_back(book: str) -> None:
    play = Play(book).open(SEATS, 100_000_00)
    play.do(DEALER, c.OpenRound())
    kinds = play.rules.seats[None].offers[play.state.seats["1"].kind]
    assert kinds
    for name in sorted(kinds):
        once, twice = c.Stake(name, 500), c.Stake(name, 1_000)
        play.do(ONE, c.PlaceBets(seat="1", stakes=(once, c.Stake("red", 500), once, twice)))
        play.do(ONE, c.TakeBets(seat="1", stakes=(twice, once)))
        play.do(ONE, c.ClearBets(seat="1"))
    assert found_in(play) is None

"""Money Wheel 5.2: a player is advised of the minimum, and what becomes of the bet then."""

from typing import Any

import pytest

from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Posting, Rules, Stake, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, SHIFT_MANAGER, TIMER, Play, only, player, wide_limits
from table.scenes import MONEY_WHEEL, correct, table

BOX = "symbol:20"
ADVISED, UNNOTICED, SMALL = (f"rws-money-wheel:5.{number}" for number in ("2", "2.1", "1.2"))


def betting(**limits: Any) -> Play:
    """Three players at boxes that take 10.00 to 1,000.00."""
    chosen = wide_limits(Rules(load_book("rws-money-wheel")), 1_000, 100_000, **limits)
    play = table(MONEY_WHEEL, seats=("1", "2", "3"), cents=1_000_000, limits=chosen)
    play.do(DEALER, c.OpenRound())
    return play


def advise(play: Play, seat: str, bet: str = BOX) -> e.MinimumAdvised:
    return only(e.MinimumAdvised, play.do(DEALER, c.AdviseMinimum(seat=seat, bet=bet)))


def reject(play: Play, seat: str, bet: str = BOX) -> e.BetsRejected:
    return only(e.BetsRejected, play.do(DEALER, c.RejectAdvised(seat=seat, bet=bet)))


def refused(play: Play, seat: str = "1", bet: str = BOX) -> str:
    return play.refused(DEALER, c.RejectAdvised(seat=seat, bet=bet)).code


def clauses_by_seat(play: Play, result: str = "20") -> dict[str, str | None]:
    """Plays to the end; gives by what each seat's bet on the box counted."""
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result=result))
    events = play.do(DEALER, c.ConfirmResult(result=result))
    settled = [event for event in events if isinstance(event, e.SeatSettled)]
    return {event.seat: line.clause for event in settled for line in event.lines if line.bet == BOX}


@clause("rws-money-wheel:5.2")
def test_an_advised_bet_that_was_left_as_it_was_is_rejected_before_the_close() -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    advise(play, "1")

    rejected = reject(play, "1")

    assert (rejected.cents, rejected.clause, rejected.cause) == (500, ADVISED, "box-under-minimum")
    assert rejected.postings == (Posting("stakes/1", "credits/1", 500),)
    assert audience(rejected) == "seat/1"
    assert play.state.seats["1"].stakes == {}
    assert play.credits("1") == 1_000_000
    assert refused(play) == "not-advised"


@clause("rws-money-wheel:5.2")
def test_an_advised_bet_that_was_not_rejected_settles_by_the_clause_on_advice() -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    play.bet("2", {BOX: 400})
    advise(play, "1")

    assert clauses_by_seat(play) == {"1": ADVISED, "2": UNNOTICED}
    assert play.credits("1") == 1_000_000 + 20 * 500


@clause("rws-money-wheel:5.2", "rws-money-wheel:5.2.1")
def test_a_correction_settles_an_advised_bet_by_the_same_clause_again() -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    play.bet("2", {BOX: 400})
    advise(play, "1")
    clauses_by_seat(play, "1")

    events = correct(play, 1, "20")

    found = {event.seat: event.lines[0].clause for event in events if isinstance(event, e.SeatCorrected)}
    assert found == {"1": ADVISED, "2": UNNOTICED}


@clause("rws-money-wheel:3.4", "rws-money-wheel:5.2")
def test_a_players_own_bet_under_the_minimum_is_advised_in_a_box_that_meets_it() -> None:
    play = betting()
    play.bet("1", {BOX: 600})
    play.bet("2", {BOX: 5_000})

    assert (advise(play, "1").minimum_cents, advise(play, "1").clause) == (1_000, ADVISED)
    assert reject(play, "1").cents == 600
    assert play.state.seats["2"].stakes == {BOX: 5_000}


@clause("rws-money-wheel:5.2.1")
def test_a_small_bet_that_nobody_noticed_counts_as_it_is_in_a_box_that_meets_the_minimum() -> None:
    play = betting()
    play.bet("1", {BOX: 600})
    play.bet("2", {BOX: 5_000})

    assert clauses_by_seat(play) == {"1": UNNOTICED, "2": None}


@clause("rws-money-wheel:5.2")
@pytest.mark.parametrize(
    ("more", "is_kept"),
    [
        pytest.param(499, True, id="a raise that leaves it under the minimum"),
        pytest.param(500, False, id="a raise to the minimum"),
        pytest.param(-100, True, id="less than before"),
        pytest.param(-500, False, id="withdrawn"),
    ],
)
def test_advice_lasts_until_the_bet_meets_the_minimum_or_is_gone(more: int, is_kept: bool) -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    advise(play, "1")

    stakes = (Stake(BOX, abs(more)),)
    do = c.PlaceBets(seat="1", stakes=stakes) if more > 0 else c.TakeBets(seat="1", stakes=stakes)
    play.do(player("1"), do)

    if is_kept:
        assert reject(play, "1").cents == 500 + more
    else:
        assert refused(play) == "not-advised"


@clause("rws-money-wheel:5.2")
def test_advice_that_was_followed_does_not_come_back_with_another_small_bet() -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    advise(play, "1")
    play.bet("1", {BOX: 500})
    play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake(BOX, 300),)))

    assert refused(play) == "not-advised"
    assert clauses_by_seat(play) == {"1": UNNOTICED}


@clause("rws-money-wheel:5.2")
def test_advice_stands_whatever_others_put_into_the_box() -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    advise(play, "1")
    play.bet("2", {BOX: 2_000})

    assert clauses_by_seat(play) == {"1": ADVISED, "2": None}


@clause("rws-money-wheel:5.2")
def test_advice_is_for_one_bet_of_one_player_in_one_round() -> None:
    play = betting()
    play.bet("1", {BOX: 500, "symbol:5": 300})
    play.bet("2", {BOX: 400})
    advise(play, "1")

    assert [refused(play, "2"), refused(play, "1", "symbol:5")] == ["not-advised"] * 2
    clauses_by_seat(play)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {BOX: 500})
    assert refused(play) == "not-advised"


@clause("rws-money-wheel:5.1.2")
def test_in_a_box_over_its_maximum_a_small_bet_counts_by_the_clause_on_such_boxes_advised_or_not() -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    play.bet("2", {BOX: 400})
    play.bet("3", {BOX: 150_000})
    advise(play, "1")

    assert clauses_by_seat(play) == {"1": SMALL, "2": SMALL, "3": "rws-money-wheel:5.1.1"}


@clause("rws-money-wheel:5.2")
def test_an_advised_bet_can_be_rejected_from_a_box_over_its_maximum_too() -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    play.bet("3", {BOX: 150_000})
    advise(play, "1")

    assert reject(play, "1").cents == 500
    rejected = only(e.BetsRejected, play.do(DEALER, c.RejectExcess(bet=BOX)))
    assert (rejected.seat, rejected.cents, rejected.cause) == ("3", 50_000, "box-over-maximum")


def test_what_is_rejected_as_excess_ends_advice_where_nothing_is_left_of_the_bet() -> None:
    play = betting()
    play.bet("3", {BOX: 100_000})
    play.bet("1", {BOX: 500})
    advise(play, "1")
    play.do(DEALER, c.RejectExcess(bet=BOX))

    play.bet("1", {BOX: 500})

    assert refused(play) == "not-advised"


@clause("rws-money-wheel:5.2")
def test_an_advised_bet_is_rejected_before_the_close_and_by_staff_alone() -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    advise(play, "1")

    by_player = play.refused(player("1"), c.RejectAdvised(seat="1", bet=BOX))
    play.wait(30)
    late = play.refused(DEALER, c.RejectAdvised(seat="1", bet=BOX))

    assert (by_player.code, by_player.clause) == ("not-allowed", ADVISED)
    assert (late.code, late.clause) == ("bets-closed", ADVISED)


def test_a_void_and_the_return_of_a_bet_end_advice() -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    play.bet("2", {BOX: 400})
    advise(play, "1")
    advise(play, "2")
    round_ = play.state.round
    assert round_ is not None
    assert round_.advised == {"1": [BOX], "2": [BOX]}

    returned = c.Decide(ruling="return-bets", reason="a quarrel", round=1, bets=(c.NamedBet("1", BOX),))
    play.do(SHIFT_MANAGER, returned)
    assert round_.advised == {"2": [BOX]}
    play.do(TIMER, c.Interrupt(began_ms=0))

    assert round_.advised == {}
    assert play.credits("1") == play.credits("2") == 1_000_000


def test_an_advised_bet_is_named_like_any_other() -> None:
    play = betting()

    assert refused(play, "9") == "unknown-seat"
    assert refused(play, "1", "red") == "unknown-bet"
    found = play.refused(DEALER, c.RejectAdvised(seat="1", bet=BOX))
    assert (found.code, found.clause) == ("not-advised", ADVISED)
    assert found.facts == {"bet": BOX, "stake_cents": 0, "minimum_cents": 1_000}

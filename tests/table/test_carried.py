"""What credits cannot take in a correction: spent money is a shortfall, a left player's is unclaimed."""

from itertools import permutations

import pytest

from croupier.table import Posting, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, SUPERVISOR, Play, only, player
from table.scenes import IDLE, at, correct

WIN, LOSE, SMALL = "17", "20", "18"
"""Results on which 10.00 on 17 and on the split 17/18 return 540.00, nothing, and 180.00."""
BETS = {"straight:17": 1_000, "split:17/18": 1_000}
BACK = {WIN: 54_000, LOSE: 0, SMALL: 18_000}


def settled(result: str) -> Play:
    """Seat 1 has staked 20.00 of 1,000.00 in round 1, which ended with a result."""
    play = at(IDLE)
    play.round({"1": BETS}, result)
    assert play.credits("1") == 98_000 + BACK[result]
    return play


def spend(play: Play, leave: int) -> None:
    """Loses all but some credits in the next round."""
    play.round({"1": {"even": play.credits("1") - leave}}, "1")
    assert play.credits("1") == leave


def leave(play: Play) -> None:
    """Somebody else takes the seat with 50.00."""
    play.do(player("1"), c.CashOut(seat="1", voucher=f"V{len(play.entries)}"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))


def balance(play: Play, account: str) -> int:
    return play.state.balances.get(account, 0)


def balances(play: Play) -> dict[str, int]:
    return {account: cents for account, cents in play.state.balances.items() if cents}


def carried(play: Play, result: str, round_: int = 1) -> int:
    return int(only(e.SeatCorrected, correct(play, round_, result)).carried_cents)


@pytest.mark.parametrize(("old", "new"), [*permutations(BACK, 2)])
def test_while_the_credits_last_a_correction_moves_the_difference_and_carries_nothing(
    old: str, new: str
) -> None:
    play = settled(old)

    events = correct(play, 1, new)

    seat = only(e.SeatCorrected, events)
    assert (seat.returned_before_cents, seat.returned_cents, seat.carried_cents) == (BACK[old], BACK[new], 0)
    postings = (Posting("house", "credits/1", BACK[new]), Posting("credits/1", "house", BACK[old]))
    assert seat.postings == tuple(posting for posting in postings if posting.cents)
    assert play.credits("1") == 98_000 + BACK[new]
    assert not [event for event in events if isinstance(event, e.ShortfallRaised)]


@pytest.mark.parametrize(
    ("left", "short"), [(54_001, 0), (54_000, 0), (53_999, 1), (1_000, 53_000), (0, 54_000)]
)
def test_credits_already_spent_are_the_houses_shortfall_and_never_below_zero(left: int, short: int) -> None:
    play = settled(WIN)
    spend(play, left)

    events = correct(play, 1, LOSE)

    seat = only(e.SeatCorrected, events)
    assert seat.carried_cents == -short
    assert play.credits("1") == max(0, left - 54_000)
    assert balance(play, "shortfall") == -short
    raised = [event for event in events if isinstance(event, e.ShortfallRaised)]
    assert [(event.carried_cents, audience(event)) for event in raised] == (
        [(-short, "staff")] if short else []
    )
    meters = play.state.seats["1"].meters
    assert (meters.shortfall_in_cents, meters.wins_cents) == (short, 0)


def test_the_postings_of_a_shortfall_name_where_the_money_came_from() -> None:
    play = settled(WIN)
    spend(play, 1_000)

    seat = only(e.SeatCorrected, correct(play, 1, SMALL))

    assert seat.postings == (
        Posting("house", "credits/1", 18_000),
        Posting("shortfall", "credits/1", 35_000),
        Posting("credits/1", "house", 54_000),
    )


def test_a_correction_says_by_how_much_it_has_moved_the_credits_at_the_seat() -> None:
    play = settled(WIN)
    spend(play, leave=1_000)
    said, moved = [], []
    for result in (LOSE, SMALL, WIN, LOSE, WIN, "left", LOSE, SMALL):
        if result == "left":
            leave(play)
            continue
        before = play.credits("1")
        said.append(only(e.SeatCorrected, correct(play, 1, result)).moved_cents)
        moved.append(play.credits("1") - before)

    # 540.00 is due and 10.00 is there; 180.00 and then 350.00 repay the house first.
    assert said == moved == [-1_000, 0, 1_000, -1_000, 1_000, 0, 0]


def test_a_shortfall_is_recovered_when_the_correction_is_taken_back() -> None:
    play = settled(WIN)
    spend(play, 1_000)
    before = balances(play)
    correct(play, 1, LOSE)

    events = correct(play, 1, WIN)

    assert only(e.SeatCorrected, events).carried_cents == 0
    assert only(e.ShortfallRaised, events).carried_cents == 0, "the shift manager is told that it is settled"
    assert balances(play) == before
    assert play.credits("1") == 1_000


def test_a_later_smaller_win_repays_the_shortfall_before_it_reaches_the_credits() -> None:
    play = settled(WIN)
    spend(play, 1_000)

    assert carried(play, LOSE) == -53_000
    assert carried(play, SMALL) == -35_000
    assert play.credits("1") == 0
    assert carried(play, WIN) == 0
    assert play.credits("1") == 1_000


def test_the_shortfall_of_one_round_is_covered_by_what_another_of_the_visit_gives_back() -> None:
    play = settled(WIN)
    spend(play, 0)
    assert carried(play, LOSE) == -54_000

    assert carried(play, "2", round_=2) == 0

    assert play.credits("1") == 2 * 152_000 - 54_000
    assert balance(play, "shortfall") == 0


@pytest.mark.parametrize(
    ("old", "new", "owed"), [(LOSE, WIN, 54_000), (WIN, LOSE, -54_000), (WIN, SMALL, -36_000)]
)
def test_after_the_player_has_left_the_next_players_credits_are_untouched(
    old: str, new: str, owed: int
) -> None:
    play = settled(old)
    leave(play)
    house = balance(play, "house")

    events = correct(play, 1, new)

    seat = only(e.SeatCorrected, events)
    assert seat.carried_cents == owed
    assert only(e.ShortfallRaised, events).carried_cents == owed
    assert play.credits("1") == 5_000
    expected = Posting("house", "unclaimed", owed) if owed > 0 else Posting("shortfall", "house", -owed)
    assert seat.postings == (expected,)
    assert balance(play, "unclaimed") == max(owed, 0)
    assert balance(play, "shortfall") == min(owed, 0)
    assert balance(play, "house") == house - owed
    meters = play.state.seats["1"].meters
    assert (meters.unclaimed_out_cents, meters.shortfall_in_cents) == (max(owed, 0), max(-owed, 0))


@pytest.mark.parametrize("old", [LOSE, WIN])
def test_there_and_back_after_the_player_left_leaves_nothing_carried(old: str) -> None:
    play = settled(old)
    leave(play)
    before = balances(play)

    correct(play, 1, SMALL)
    assert carried(play, old) == 0

    assert balances(play) == before


def test_a_shortfall_of_a_player_who_then_left_turns_into_unclaimed_money() -> None:
    play = settled(WIN)
    spend(play, 1_000)
    assert carried(play, LOSE) == -53_000
    play.do(player("1"), c.BuyCredits(seat="1", cents=700))
    leave(play)

    assert carried(play, WIN) == 1_000, (
        "530.00 of it was the house's own, 10.00 had been taken from the player"
    )

    assert (balance(play, "shortfall"), balance(play, "unclaimed")) == (0, 1_000)
    assert play.credits("1") == 5_000


@pytest.mark.parametrize("attendant", [True, False])
def test_a_visit_ends_with_any_payment_of_the_credits(attendant: bool) -> None:
    play = at(IDLE, voucher_limit_cents=500 if attendant else 10_000_000)
    play.round({"1": BETS}, WIN)
    if attendant:
        play.do(SUPERVISOR, c.PayByAttendant(seat="1"))
    else:
        play.do(player("1"), c.CashOut(seat="1", voucher="V1"))

    assert carried(play, LOSE) == -54_000


def test_a_visit_ends_when_the_seat_is_closed() -> None:
    play = at(IDLE)
    play.round({"1": {"straight:20": 100_000}}, WIN)
    play.do(DEALER, c.CloseSeat(seat="1"))
    play.do(DEALER, c.OpenSeat(seat="1", kind="rapid-fusion"))

    assert carried(play, LOSE) == 3_600_000
    assert play.credits("1") == 0


def test_a_seat_out_of_use_is_corrected_too() -> None:
    play = at(IDLE)
    play.round({"1": {"straight:20": 100_000}}, WIN)
    play.do(DEALER, c.CloseSeat(seat="1"))

    assert carried(play, LOSE) == 3_600_000


def test_whoever_buys_where_everything_was_lost_owes_nothing_for_earlier_rounds() -> None:
    play = settled(WIN)
    spend(play, leave=0)
    play.do(player("1"), c.BuyCredits(seat="1", cents=10_000))

    assert carried(play, LOSE) == -54_000
    assert play.credits("1") == 10_000

    play = settled(LOSE)
    spend(play, leave=0)
    play.do(player("1"), c.BuyCredits(seat="1", cents=10_000))

    assert carried(play, WIN) == 54_000
    assert play.credits("1") == 10_000


def test_whoever_buys_more_while_there_is_money_in_play_is_the_same_player() -> None:
    play = settled(WIN)
    spend(play, leave=100)
    play.do(player("1"), c.BuyCredits(seat="1", cents=10_000))
    assert carried(play, LOSE) == -43_900

    play = settled(WIN)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"even": play.credits("1")})
    play.do(player("1"), c.BuyCredits(seat="1", cents=10_000))
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="1"))
    play.do(DEALER, c.ConfirmResult(result="1"))
    assert carried(play, LOSE) == -44_000


def test_new_money_plays_the_round_that_runs_when_it_comes() -> None:
    play = at(IDLE)
    spend(play, leave=0)
    play.do(DEALER, c.OpenRound())
    play.do(player("1"), c.BuyCredits(seat="1", cents=10_000))
    play.bet("1", BETS)
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result=LOSE))
    play.do(DEALER, c.ConfirmResult(result=LOSE))
    correct(play, 2, WIN)
    assert play.credits("1") == 8_000 + 54_000

"""What a decision or a void would do is worked out by the table before it is done, and nothing is done."""

import pytest

from croupier.table import Foreseen, Rejection, foresee
from croupier.table import commands as c
from croupier.table.foreseeing_decisions import ForeseenCredits, ForeseenRound
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, Play, player

BOOK = "rws-roulette-00"
Asked = c.Decide | c.DeclareIrregularity


def ask(play: Play, do: Asked) -> Foreseen | Rejection:
    """Asks what it would do; the table stays as it is."""
    before = play.state_without_memory()
    found = foresee(play.rules, play.state, play.at_ms, DEALER, do)
    assert play.state_without_memory() == before
    return found


def foreseen(play: Play, do: Asked) -> Foreseen:
    """What it would do; it is done, and has done that to the credits of each seat."""
    found = ask(play, do)
    assert isinstance(found, Foreseen), found
    play.do(SHIFT_MANAGER, do, MANAGER)
    assert [(seat.seat, seat.after_cents) for seat in found.seats] == [
        (seat.seat, play.credits(seat.seat)) for seat in found.seats
    ]
    return found


def played(*seats: str) -> Play:
    """Seat 1 has won 350.00 in round 1 and seat 2 lost 10.00; the ball of round 2 rolls."""
    play = Play(BOOK, "A").open(("1", "2"), cents=10_000)
    play.round({"1": {"straight:17": 1_000}, "2": {"straight:18": 1_000}}, "17")
    for seat in seats:
        play.do(player(seat), c.CashOut(seat=seat, voucher=f"V{seat}"))
        play.do(player(seat), c.BuyCredits(seat=seat, cents=5_000))
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 500})
    play.to_spinning()
    return play


def breaks(*rounds: int) -> c.DeclareIrregularity:
    return c.DeclareIrregularity(cause="ball-broken", rounds=rounds)


def credits_of(
    seat: str,
    before: int,
    after: int,
    *,
    back: int = 0,
    short: int = 0,
    owed: int = 0,
    has_left: bool = False,
) -> ForeseenCredits:
    return ForeseenCredits(
        seat=seat,
        before_cents=before,
        after_cents=after,
        difference_cents=after - before,
        returned_cents=back,
        shortfall_cents=short,
        unclaimed_cents=owed,
        netted_cents=0,
        has_left=has_left,
    )


def test_voiding_earlier_rounds_takes_back_what_they_paid_and_gives_their_stakes() -> None:
    assert foreseen(played(), breaks(1, 2)) == Foreseen(
        rounds=(
            ForeseenRound(
                round=1, registered="17", result=None, house_before_cents=-34_000, house_after_cents=0
            ),
        ),
        seats=(credits_of("1", 44_500, 10_000, back=500), credits_of("2", 9_000, 10_000)),
    )


def test_each_of_several_rounds_is_counted_for_itself_and_one_without_bets_is_named() -> None:
    play = Play(BOOK, "A").open(("1", "2"), cents=10_000)
    play.round({"1": {"straight:17": 1_000}, "2": {"straight:18": 1_000}}, "17")
    play.round({"2": {"red": 1_000}}, "1")
    play.round({}, "5")

    assert foreseen(play, breaks(1, 2, 3)) == Foreseen(
        rounds=tuple(
            ForeseenRound(
                round=number, registered=result, result=None, house_before_cents=cents, house_after_cents=0
            )
            for number, result, cents in ((1, "17", -34_000), (2, "1", -1_000), (3, "5", 0))
        ),
        seats=(credits_of("1", 45_000, 10_000), credits_of("2", 10_000, 10_000)),
    )


def test_whoever_plays_where_players_have_left_gets_and_loses_nothing_of_earlier_rounds() -> None:
    assert foreseen(played("1", "2"), breaks(1, 2)).seats == (
        credits_of("1", 4_500, 5_000, back=500, short=35_000, has_left=True),
        credits_of("2", 5_000, 5_000, owed=1_000, has_left=True),
    )


def test_credits_that_do_not_suffice_are_a_shortfall() -> None:
    play = played()
    play.do(DEALER, c.EnterResult(result="1"))
    play.do(DEALER, c.ConfirmResult(result="1"))
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": play.credits("1") - 200})
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="2"))
    play.do(DEALER, c.ConfirmResult(result="2"))
    (first, _) = foreseen(play, breaks(1)).seats
    assert first == credits_of("1", 200, 0, short=34_800)


def test_what_a_round_carries_and_what_was_written_off_are_counted() -> None:
    play = Play().open(("1",), cents=1_000)
    play.round({"1": {"straight:17": 1_000}}, "17")
    play.round({"1": {"red": 36_000}}, "2")
    play.do(MANAGER, c.CorrectResult(round=1, result="18", reason="camera"), SUPERVISOR)
    written_off = c.SettleCarried(round=1, seat="1", how="written-off", cents=36_000, reason="ours")
    play.do(MANAGER, written_off, SUPERVISOR)
    found = foreseen(play, c.Decide(ruling="void", round=1, reason="disturbed"))
    # The house has given 360.00 up, of which the player has had the stake of 10.00 already.
    assert found.seats == (credits_of("1", 0, 0),)
    assert [(each.house_before_cents, each.house_after_cents) for each in found.rounds] == [
        (-35_000, -35_000)
    ]


def test_a_decision_says_what_it_does_before_it_has_a_reason() -> None:
    bets = (c.NamedBet("1", "straight:17"),)
    found = foreseen(played(), c.Decide(ruling="return-bets", round=1, reason="late", bets=bets))
    assert found.seats == (credits_of("1", 44_500, 9_500),)
    (round_,) = found.rounds
    assert (round_.registered, round_.result) == ("17", "17")
    assert (round_.house_before_cents, round_.house_after_cents) == (-34_000, 1_000)
    assert isinstance(ask(played(), c.Decide(ruling="void", round=1, reason="")), Foreseen)


@pytest.mark.parametrize("ruling", ["void", "return-bets"])
def test_stakes_of_the_running_round_go_back_and_nothing_settled_changes(ruling: str) -> None:
    bets = (c.NamedBet("1", "red"),)
    found = foreseen(played(), c.Decide(ruling=ruling, round=2, reason="lights", bets=bets))
    assert found == Foreseen(rounds=(), seats=(credits_of("1", 44_500, 45_000, back=500),))


def test_deciding_nothing_changes_nothing() -> None:
    assert ask(played(), c.Decide(ruling="none", round=1, reason="")) == Foreseen(rounds=(), seats=())


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (breaks(9), "unknown-round"),
        (c.DeclareIrregularity(cause="ball-dropped", rounds=(1, 2)), "not-affected"),
        (c.Decide(ruling="correct", round=1, reason=""), "unknown-ruling"),
        (c.Decide(ruling="return-bets", round=1, bets=(c.NamedBet("1", "red"),), reason=""), "not-on-bet"),
    ],
)
def test_what_cannot_be_done_is_refused_as_it_would_be(do: Asked, code: str) -> None:
    found = ask(played(), do)
    assert isinstance(found, Rejection)
    assert found.code == code

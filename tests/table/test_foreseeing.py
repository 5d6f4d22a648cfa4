"""What a correction would do is worked out by the table before it is made, and nothing is done."""

import pytest

from croupier.table import ForeseenCorrection, Rejection, foresee_correction
from croupier.table import commands as c
from croupier.table.foreseeing import ForeseenSeat
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player
from table.scenes import IDLE, MONEY_WHEEL, RESULTED, SETTLED, at, correct
from table.test_carried import LOSE, SMALL, WIN, leave, settled, spend


def ask(play: Play, result: str, round_: int = 1) -> ForeseenCorrection | Rejection:
    """Asks what a correction would do; the table stays as it is."""
    before = play.state_without_memory()
    found = foresee_correction(play.rules, play.state, play.at_ms, DEALER, round_, result)
    assert play.state_without_memory() == before
    return found


def foreseen(play: Play, result: str) -> ForeseenSeat:
    """What a correction of round 1 would do to seat 1; it is made, and has done that."""
    found = ask(play, result)
    assert isinstance(found, ForeseenCorrection), found
    (seat,) = found.seats
    correct(play, 1, result)
    kept = play.state.kept[1].seats["1"]
    assert (seat.credits_after_cents, seat.due_cents) == (play.credits("1"), kept.returned_cents)
    assert seat.unclaimed_cents - seat.shortfall_cents == kept.carried_cents
    return seat


def test_it_says_what_came_back_what_is_due_and_what_the_house_has_won() -> None:
    play = settled(WIN)
    assert ask(play, SMALL) == ForeseenCorrection(
        round=1,
        registered=WIN,
        result=SMALL,
        seats=(
            ForeseenSeat(
                seat="1",
                before_cents=54_000,
                due_cents=18_000,
                difference_cents=-36_000,
                credits_after_cents=116_000,
                shortfall_cents=0,
                unclaimed_cents=0,
                netted_cents=0,
                written_off_cents=0,
                has_left=False,
            ),
        ),
        house_before_cents=-52_000,
        house_after_cents=-16_000,
    )


def test_spent_credits_are_a_shortfall_that_a_correction_back_makes_good_first() -> None:
    play = settled(WIN)
    spend(play, 1_000)
    lost = foreseen(play, LOSE)
    assert (lost.credits_after_cents, lost.shortfall_cents, lost.has_left) == (0, 53_000, False)
    back = foreseen(play, WIN)
    assert (back.difference_cents, back.credits_after_cents, back.shortfall_cents) == (54_000, 1_000, 0)


def test_what_was_written_off_was_not_won_and_is_named() -> None:
    play = settled(WIN)
    spend(play, 1_000)
    correct(play, 1, LOSE)
    do = c.SettleCarried(round=1, seat="1", how="written-off", cents=53_000, reason="a goodwill")
    play.do(MANAGER, do, SUPERVISOR)
    staked = 2_000
    for result, before, after, written_off in (
        (WIN, staked - 53_000, staked - 54_000, 53_000),
        (LOSE, staked - 54_000, staked - 53_000, 0),
        (SMALL, staked - 53_000, staked - 53_000, 53_000),
        (LOSE, staked - 53_000, staked - 53_000, 35_000),
    ):
        found, house = ask(play, result), play.state.balances["house"]
        assert isinstance(found, ForeseenCorrection)
        assert (found.house_before_cents, found.house_after_cents) == (before, after)
        assert foreseen(play, result).written_off_cents == written_off
        assert play.state.balances["house"] - house == after - before


@pytest.mark.parametrize(
    ("old", "new", "short", "owed"), [(LOSE, WIN, 0, 54_000), (WIN, LOSE, 54_000, 0), (WIN, SMALL, 36_000, 0)]
)
def test_whoever_plays_after_a_player_has_left_is_not_touched(
    old: str, new: str, short: int, owed: int
) -> None:
    play = settled(old)
    leave(play)
    seat = foreseen(play, new)
    assert (seat.shortfall_cents, seat.unclaimed_cents) == (short, owed)
    assert (seat.credits_after_cents, seat.has_left) == (5_000, True)


def test_bets_that_were_given_back_stay_so() -> None:
    play = settled(LOSE)
    bets = (c.NamedBet("1", "straight:17"),)
    play.do(SHIFT_MANAGER, c.Decide(ruling="return-bets", reason="late", round=1, bets=bets))
    seat = foreseen(play, WIN)
    assert (seat.before_cents, seat.due_cents) == (1_000, 1_000 + 18_000)


@pytest.mark.parametrize(
    ("play", "result", "code"),
    [
        (at(IDLE), "17", "unknown-round"),
        (at(RESULTED), "20", "round-running"),
        (at(SETTLED), "17", "same-result"),
        (at(SETTLED), "37", "unknown-result"),
    ],
    ids=["no round", "running", "same", "not on the wheel"],
)
def test_what_cannot_be_corrected_is_refused_as_the_correction_would_be(
    play: Play, result: str, code: str
) -> None:
    found = ask(play, result)
    assert isinstance(found, Rejection)
    assert found.code == code


def test_a_round_that_stands_is_void_or_at_a_halted_table_is_refused() -> None:
    stands, void, halted = at(SETTLED, MONEY_WHEEL), at(SETTLED), at(SETTLED)
    stands.do(DEALER, c.OpenRound())
    void.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="disturbed", round=1))
    halted.do(TIMER, c.HaltTable(reason="power"))
    found = [ask(stands, MONEY_WHEEL.loses), ask(void, "20"), ask(halted, "20")]
    codes = [each.code for each in found if isinstance(each, Rejection)]
    assert codes == ["round-stands", "round-void", "table-halted"]


def test_a_table_that_asks_for_more_people_is_asked_by_a_dealer_alone() -> None:
    play = at(SETTLED, MONEY_WHEEL)
    found = ask(play, MONEY_WHEEL.loses)
    assert isinstance(found, ForeseenCorrection)
    assert [seat.seat for seat in found.seats] == ["1", "2"]
    assert play.refused(player("1"), c.CorrectResult(round=1, result="1", reason="x")).code == "not-allowed"

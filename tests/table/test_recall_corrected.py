"""A round that is corrected when the table has gone on: its recall, and that of the round that ran."""

import pytest

from croupier.table import audience
from croupier.table import commands as c
from croupier.table import events as e
from table.recalling import followed, kinds, moved, recall
from table.rig import DEALER, MANAGER, SUPERVISOR, Play, player
from table.scenes import MBS, ONE_A_BOOK, STAKE, Game, at, correct, table, title

WON = 100_000 + STAKE * MBS.pays


def finish(play: Play, result: str) -> None:
    """Plays the round that runs to its end."""
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result=result))
    play.do(DEALER, c.ConfirmResult(result=result))


def corrected_meanwhile() -> Play:
    """Round 1 is corrected while round 2 runs: seat 1 has won nothing then, and seat 2 has."""
    play = at("settled")
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": STAKE})
    correct(play, 1, MBS.loses)
    finish(play, "2")
    return play


def test_a_correction_belongs_also_to_the_round_that_ran_meanwhile() -> None:
    play = corrected_meanwhile()

    found = recall(play, 2)

    assert moved([entry for entry in found.entries if isinstance(entry.event, e.SeatCorrected)]) == [
        ("SeatCorrected", "1", -36 * STAKE),
        ("SeatCorrected", "2", 36 * STAKE),
    ]
    assert (found.credits_before_cents, found.credits_after_cents) == ({"1": WON}, {"1": 98_000})
    assert found.credits_after_cents["1"] == play.credits("1")
    assert "ResultCorrected" not in kinds(found), "that is an act on the other round"


def test_the_round_that_ran_has_its_own_lines_and_result_whatever_else_is_corrected() -> None:
    found = recall(corrected_meanwhile(), 2)

    assert found.result == "2"
    assert found.settlement("1") == (e.Line("red", STAKE, STAKE, False, 0),)
    assert found.settlement("2") == ()


def test_a_player_sees_the_own_correction_in_the_round_that_ran() -> None:
    (second, _) = followed(corrected_meanwhile()).rounds_of_visit("1")

    corrected = [entry.event for entry in second.entries if isinstance(entry.event, e.SeatCorrected)]
    assert [(event.seat, event.round) for event in corrected] == [("1", 1)]
    assert second.credits_after_cents == {"1": 98_000}
    assert [*second.credits_corrected_cents.values()] == [98_000]
    assert all(
        isinstance(second.entries[place].event, e.SeatCorrected) for place in second.credits_corrected_cents
    )


def test_what_moved_credits_meanwhile_is_neither_before_the_next_round_nor_behind_the_one_that_ran() -> None:
    play = corrected_meanwhile()
    play.round({"1": {"red": STAKE}}, "2")

    assert recall(play, 2).after == recall(play, 3).between == []
    assert recall(play, 3).credits_before_cents["1"] == recall(play, 2).credits_after_cents["1"]


def test_credits_after_a_round_are_those_of_its_end_however_late_it_is_corrected() -> None:
    play = at("settled")
    for _ in range(4):
        play.round({"1": {"red": 20_000}}, "2")
    correct(play, 1, MBS.loses)
    correct(play, 1, MBS.wins)

    found = recall(play, 1)

    assert found.credits_after_cents == {"1": WON, "2": 99_000}
    behind = [
        (found.entries[place].event.seat, cents) for place, cents in found.credits_corrected_cents.items()
    ]
    late = WON - 80_000
    assert behind == [("1", late - 36 * STAKE), ("2", WON), ("1", late), ("2", 99_000)]


def test_a_round_that_is_void_late_keeps_the_credits_of_its_end() -> None:
    play = Play("rws-roulette-000").open(("1",), cents=10_000)
    play.round({"1": {"red": STAKE}}, "1")
    broken = c.DeclareIrregularity(cause="ball-broken", rounds=(1,))
    play.do(MANAGER, broken, second=SUPERVISOR)

    found = recall(play, 1)

    assert found.credits_after_cents == {"1": 11_000}
    assert [*found.credits_corrected_cents.values()] == [10_000]


def test_a_correction_that_moved_no_credits_says_nothing_of_those_on_the_seat() -> None:
    play = at("settled")
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=7_777))
    correct(play, 1, MBS.loses)

    found = recall(play, 1)

    assert found.credits_after_cents["1"] == WON
    assert 7_777 not in found.credits_corrected_cents.values()


def lost_and_bought_again(game: Game = MBS) -> Play:
    """Seat 1 lost everything in round 1 and has bought again; then the round is corrected in its favour."""
    play = table(game, cents=STAKE)
    play.round({"1": {game.bet: STAKE}}, game.loses)
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
    correct(play, 1, game.wins)
    return play


@pytest.mark.parametrize("game", ONE_A_BOOK, ids=title)
def test_who_stayed_sees_the_new_settlement_and_what_is_still_to_be_paid(game: Game) -> None:
    (seen,) = followed(lost_and_bought_again(game)).rounds_of_visit("1")

    assert seen.result == game.wins
    assert seen.settlement("1")[0].won
    corrected = seen.entries[-1].event
    assert isinstance(corrected, e.SeatCorrected)
    assert (corrected.has_left, audience(corrected)) == (True, "staff"), "as nobody knows who it is"
    assert corrected.carried_cents == STAKE * (game.pays + 1)
    assert seen.credits_after_cents == {"1": 0}
    assert seen.credits_corrected_cents == {}


def test_who_stayed_sees_that_it_was_paid_by_hand() -> None:
    play = lost_and_bought_again()
    owed = c.SettleCarried(
        round=1, seat="1", how="paid", cents=STAKE * (MBS.pays + 1), reason="paid at the seat"
    )
    play.do(MANAGER, owed, second=SUPERVISOR)

    (seen,) = followed(play).rounds_of_visit("1")

    assert isinstance(seen.entries[-1].event, e.CarriedSettled)


@pytest.mark.parametrize(("how", "seen"), [("collected", True), ("written-off", False)])
def test_who_stayed_sees_what_was_collected_and_not_what_the_house_gave_up(how: str, seen: bool) -> None:
    play = table(cents=STAKE)
    play.round({"1": {MBS.bet: STAKE}}, MBS.wins)
    play.round({"1": {"red": STAKE * (MBS.pays + 1)}}, "2")
    correct(play, 1, MBS.loses)
    missing = -play.state.kept[1].seats["1"].carried_cents
    asked = c.SettleCarried(round=1, seat="1", how=how, cents=missing, reason="regular guest")
    play.do(MANAGER, asked, second=SUPERVISOR)

    (_, first) = followed(play).rounds_of_visit("1")

    assert missing > 0
    assert any(isinstance(entry.event, e.CarriedSettled) for entry in first.entries) is seen
    assert isinstance(recall(play, 1).entries[-1].event, e.CarriedSettled), "the staff sees it either way"


def test_whoever_comes_next_sees_nothing_of_what_is_owed() -> None:
    play = lost_and_bought_again()
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
    correct(play, 1, MBS.loses)
    correct(play, 1, MBS.wins)
    play.round({"1": {"red": STAKE}}, "2")

    (seen,) = followed(play).rounds_of_visit("1")

    assert seen.number == 2
    assert [
        entry for entry in (*seen.between, *seen.entries) if isinstance(entry.event, e.SeatCorrected)
    ] == []


def test_whoever_sits_down_while_a_round_runs_sees_nothing_of_the_player_before() -> None:
    play = at("settled")
    play.do(DEALER, c.OpenRound())
    correct(play, 1, MBS.loses)
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
    play.bet("1", {"red": STAKE})
    finish(play, "1")

    (seen,) = followed(play).rounds_of_visit("1")

    assert seen.number == 2
    own = [type(entry.event) for entry in seen.entries if audience(entry.event) == "seat/1"]
    assert own == [e.CreditsBought, e.BetsChanged, e.SeatSettled]
    assert seen.credits_corrected_cents == {}
    assert kinds(recall(play, 2)).count("SeatCorrected") == 2, "the staff sees it whole"

"""Recall: any round shown whole as it was, and the last ones of each seat at once."""

from croupier.table import History, audience, recall_round
from croupier.table import commands as c
from croupier.table import events as e
from table.recalling import a_full_round, between, followed, kinds, recall
from table.rig import DEALER, MANAGER, START_MS, SUPERVISOR, Play, player
from table.scenes import IDLE, STAKE, at, correct, table
from table.stories import TOLD, told


def test_a_round_is_shown_whole_in_order_with_refusals() -> None:
    found = recall(a_full_round(), 2)

    assert kinds(found) == [
        "RoundOpened",
        "BetsChanged",
        "CommandRefused",
        "BetsChanged",
        "BetsChanged",
        "BetsClosed",
        "SpinStarted",
        "ResultEntered",
        "ResultConfirmed",
        "SeatSettled",
        "SeatSettled",
        "RoundSettled",
    ]
    assert found.result == "17"


def test_a_round_shows_who_did_what_and_when() -> None:
    found = recall(a_full_round(), 2)

    causes = [(entry.cause.actor.position, entry.cause.at_ms - START_MS) for entry in found.entries]
    assert causes[:8] == [
        ("dealer", 0),
        ("player", 0),
        ("player", 0),
        ("player", 0),
        ("player", 0),
        ("system", 12_000),
        ("dealer", 12_000),
        ("dealer", 12_000),
    ]
    assert [entry.cause.actor for entry in found.entries[1:3]] == [player("1"), player("2")]


def test_a_round_shows_the_notices_that_players_read() -> None:
    found = recall(a_full_round(), 2)

    assert found.notices == [
        (START_MS, "Place your bets, please"),
        (START_MS + 12_000, "No more bets"),
        (START_MS + 12_000, "The ball is rolling"),
        (START_MS + 12_000, "17 wins"),
        (START_MS + 12_000, "Bets are settled"),
    ]


def test_a_round_shows_credits_before_the_first_bet_and_after_the_settlement() -> None:
    found = recall(a_full_round(), 2)

    assert found.credits_before_cents == {"1": 101_000, "2": 100_000}
    assert found.credits_after_cents == {"1": 136_000, "2": 102_000}
    assert found.settlement("1") == (e.Line("straight:17", STAKE, STAKE, True, 36 * STAKE),)
    assert found.settlement("2") == (e.Line("black", 2_000, 2_000, True, 4_000),)
    assert found.settlement("3") == ()


def test_credits_that_were_bought_in_between_belong_to_the_round_that_ran() -> None:
    play = at("betting")
    play.do(player("1"), c.BuyCredits(seat="1", cents=700))

    found = recall(play, 1)

    assert kinds(found)[-1] == "CreditsBought"
    assert (found.credits_before_cents["1"], found.credits_after_cents["1"]) == (100_000, 99_700)
    assert found.result is None


def test_a_void_round_has_no_result_and_everybody_has_the_credits_of_before() -> None:
    play = at("resulted")
    play.do(DEALER, c.CallNoSpin(reason="a suspicion"))

    found = recall(play, 1)

    assert found.result is None
    assert found.credits_after_cents == found.credits_before_cents == {"1": 100_000, "2": 100_000}
    assert found.settlement("1") == ()


def test_a_later_correction_is_shown_with_the_round_it_corrected_and_not_with_another() -> None:
    play = a_full_round()
    play.round({"1": {"red": STAKE}}, "1")
    before = kinds(recall(play, 3))
    correct(play, 2, "20")

    found = recall(play, 2)

    assert kinds(found)[-3:] == ["ResultCorrected", "SeatCorrected", "SeatCorrected"]
    assert found.entries[-1].cause.actor == MANAGER
    assert found.entries[-1].cause.second == SUPERVISOR
    assert found.result == "20"
    assert found.settlement("1")[0].won is False
    assert kinds(recall(play, 3)) == before


def test_a_correction_before_settlement_shows_what_was_registered_first() -> None:
    play = at("spinning")
    play.do(DEALER, c.EnterResult(result="20"))
    play.do(DEALER, c.CorrectResult(round=1, result="17", reason="a slip"))
    play.do(DEALER, c.ConfirmResult(result="17"))

    assert recall(play, 1).result == "17"
    assert "ResultCorrected" in kinds(recall(play, 1))


def test_a_settled_round_that_was_voided_has_no_result_any_more() -> None:
    play = Play("rws-roulette-000").open()
    play.round({"1": {"red": STAKE}}, "1")
    broken = c.DeclareIrregularity(cause="ball-broken", rounds=(1,))
    play.do(MANAGER, broken, second=SUPERVISOR)

    assert recall(play, 1).result is None


def test_a_correction_after_the_player_left_does_not_show_the_next_players_credits() -> None:
    play = at("settled")
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=7_777))
    correct(play, 1, "20")

    assert recall(play, 1).credits_after_cents["1"] == 135_000


def test_a_round_that_never_was_is_not_shown() -> None:
    play = at("betting")

    assert recall_round(play.entries, 2) is None
    assert recall_round(play.entries, 0) is None


def test_any_round_of_a_long_history_is_shown_as_it_was_when_it_was_new() -> None:
    play = table(rounds_kept=2)
    shown = [show(play, play.state.round_number) for _ in range(30) if play_on(play)]

    assert [show(play, number) for number in range(1, 31)] == shown


def play_on(play: Play) -> list[e.Event]:
    number = play.state.round_number + 1
    return play.round({"1": {"red": STAKE}, "2": {"straight:17": STAKE}}, str(number))


def show(play: Play, number: int) -> tuple[object, ...]:
    found = recall(play, number)
    return found.number, found.entries, found.credits_before_cents, found.credits_after_cents, found.result


def test_each_seat_has_its_last_ten_rounds_at_once_whatever_others_play() -> None:
    play = table()
    for number in range(1, 41):
        stakes = {"1": {"red": 100}}
        if number <= 12:
            stakes["2"] = {"black": 100}
        play.round(stakes, "1")
    history = followed(play)

    assert [found.number for found in history.last_rounds_of("1")] == [*range(40, 30, -1)]
    assert [found.number for found in history.last_rounds_of("2")] == [*range(12, 2, -1)]
    assert [found.number for found in history.last_rounds()] == [*range(40, 30, -1)]
    assert history.last_rounds_of("3") == []
    assert [history.round(number) is not None for number in (2, 3, 12, 13, 30, 31)] == [
        False,
        True,
        True,
        False,
        False,
        True,
    ]


def test_what_a_seat_recalls_is_what_the_table_and_that_seat_were_told() -> None:
    for game in TOLD:
        play = told(game)
        for seat in ("1", "2", "3"):
            for seen in followed(play).last_rounds_of(seat):
                assert {audience(entry.event) for entry in seen.entries} <= {"table", f"seat/{seat}"}
                assert {audience(entry.event) for entry in seen.between} <= {f"seat/{seat}"}
                assert {audience(entry.event) for entry in seen.after} <= {f"seat/{seat}"}
                assert {*seen.credits_before_cents} == {seat}
                assert {*seen.credits_after_cents} <= {seat}
                assert seen.result == recall(play, seen.number).result


def test_who_sits_down_does_not_look_back_at_the_player_before() -> None:
    play = at("settled")
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
    correct(play, 1, "20")
    play.round({"1": {"red": STAKE}, "2": {"red": STAKE}}, "1")
    history = followed(play)

    assert [found.number for found in history.rounds_of_visit("1")] == [2]
    assert [found.number for found in history.rounds_of_visit("2")] == [2, 1]
    assert [found.number for found in history.last_rounds_of("1")] == [2, 1], "staff still can"
    assert between(history.rounds_of_visit("1")[0]) == [("CreditsBought", "1", 5_000)], "and not the payout"
    assert between(recall(play, 2))[0] == ("CreditsPaidOut", "1", 135_000)
    assert [type(entry.event) for entry in history.rounds_of_visit("2")[0].between] == [e.SeatCorrected]


def test_a_seat_that_was_closed_begins_anew() -> None:
    play = at(IDLE)
    play.round({"1": {"red": 100_000}}, "2")
    play.do(DEALER, c.CloseSeat(seat="1"))

    assert followed(play).rounds_of_visit("1") == []
    assert followed(play).rounds_of_visit("3") == []


def test_memory_is_bounded_by_the_seats_and_not_by_the_rounds() -> None:
    play = table()
    history = History(seat_rounds=3, table_rounds=5)
    most = 0
    for number in range(1, 101):
        before = len(play.entries)
        play.round({"1" if number % 2 else "2": {"red": 100}}, "1")
        for entry in play.entries[before:]:
            history.record(entry)
        most = max(most, sum(history.round(past) is not None for past in range(1, number + 1)))

    assert most <= 5 + 2 * 3


def test_the_table_shows_as_many_rounds_as_there_were() -> None:
    history = followed(at("settled"))

    assert [found.number for found in history.last_rounds()] == [1]
    assert followed(at(IDLE)).last_rounds() == []


def test_whoever_sits_down_while_a_round_runs_may_look_back_at_it() -> None:
    play = at(IDLE)
    play.do(DEALER, c.OpenRound())
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
    play.bet("1", {"red": 1_000})
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="2"))
    play.do(DEALER, c.ConfirmResult(result="2"))

    assert [round_.number for round_ in followed(play).rounds_of_visit("1")] == [1]


def test_nobody_looks_back_at_a_round_in_which_whoever_sat_there_before_had_bets() -> None:
    play = at(IDLE)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    play.do(player("1"), c.ClearBets(seat="1"))
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
    play.bet("1", {"red": 1_000})
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="2"))
    play.do(DEALER, c.ConfirmResult(result="2"))

    assert followed(play).rounds_of_visit("1") == []

"""A wrong result is put right by what the wheel shows, and no other round is touched."""

import pytest

from clauses import clause
from croupier.table import NamedBet, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, Play, only
from table.scenes import (
    BETTING,
    CLOSED,
    IDLE,
    MBS,
    MONEY_WHEEL,
    RESULTED,
    RWS_000,
    RWS_A,
    RWS_B,
    SETTLED,
    SPINNING,
    STAKE,
    Game,
    at,
    correct,
    credits_of_all,
    every_game,
    table,
    title,
)

WRONG_RESULT = [
    pytest.param(MBS, "6.3", marks=clause("mbs-roulette:6.3")),
    pytest.param(RWS_A, "5.5", marks=clause("rws-roulette-00:5.5", "rws-roulette-00:5.8")),
    pytest.param(RWS_B, "5.5", marks=clause("rws-roulette-00:5.5", "rws-roulette-00:5.8")),
    pytest.param(RWS_000, "5.5", marks=clause("rws-roulette-000:5.5", "rws-roulette-000:5.8")),
    pytest.param(MONEY_WHEEL, "3.8", marks=clause("rws-money-wheel:3.8")),
]
wrong_result = pytest.mark.parametrize(("game", "number"), WRONG_RESULT, ids=title)


def correction(result: str, round_: int = 1, reason: str = "the ball lies elsewhere") -> c.CorrectResult:
    return c.CorrectResult(round=round_, result=result, reason=reason)


@wrong_result
def test_a_wrong_entry_is_put_right_before_it_is_settled(game: Game, number: str) -> None:
    play = at(SPINNING, game)
    play.do(DEALER, c.EnterResult(result=game.loses))

    (corrected,) = play.do(DEALER, correction(game.wins))
    still_old = play.refused(DEALER, c.ConfirmResult(result=game.loses))
    play.do(DEALER, c.ConfirmResult(result=game.wins))

    assert isinstance(corrected, e.ResultCorrected)
    assert (corrected.old, corrected.new, corrected.settled) == (game.loses, game.wins, False)
    assert (corrected.cause, corrected.clause) == ("wrong-result", game.cite(number))
    # Players have been told no result yet: there is nothing to put right before them.
    assert corrected.notice is None
    assert still_old.code == "result-differs"
    assert play.credits("1") == 100_000 + STAKE * game.pays


@wrong_result
def test_a_settled_round_is_reversed_and_settled_by_what_the_wheel_shows(game: Game, number: str) -> None:
    play = at(SETTLED, game)

    events = correct(play, 1, game.loses, reason="the camera shows it")

    corrected, first, second = events
    assert isinstance(corrected, e.ResultCorrected)
    assert (corrected.old, corrected.new, corrected.settled) == (game.wins, game.loses, True)
    assert (corrected.reason, corrected.clause) == ("the camera shows it", game.cite(number))
    label = play.rules.book.wheel.labels[game.loses]
    assert corrected.notice == f"Round 1: the result is corrected to {label}"
    assert audience(corrected) == "table"
    assert [(seat.seat, seat.reversed[0].won, seat.lines[0].won) for seat in (first, second)] == [
        ("1", True, False),
        ("2", False, True),
    ]
    assert credits_of_all(play) == {"1": 99_000, "2": 100_000 + STAKE * game.other_pays}
    assert play.state.kept[1].result == game.loses


@every_game
def test_a_correction_there_and_back_restores_everything_but_the_count_of_corrections(game: Game) -> None:
    play = at(SETTLED, game)
    before = play.state_without_memory()

    correct(play, 1, game.loses)
    correct(play, 1, game.wins)

    after = play.state_without_memory()
    assert (after.meters.corrections, after.seats["1"].meters.corrections) == (2, 2)
    for meters in (after.meters, *(seat.meters for seat in after.seats.values())):
        meters.corrections = 0
    assert after == before


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(MBS),
        pytest.param(RWS_A, marks=clause("rws-roulette-00:5.6")),
        pytest.param(RWS_B, marks=clause("rws-roulette-00:5.6")),
        pytest.param(RWS_000, marks=clause("rws-roulette-000:5.6")),
    ],
    ids=title,
)
def test_an_error_noticed_later_changes_no_other_round(game: Game) -> None:
    play = at(SETTLED, game)
    play.round({"1": {game.other: STAKE}}, game.loses)
    play.round({"2": {game.bet: STAKE}}, game.loses)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {game.bet: 500})
    others = play.state_without_memory()

    events = correct(play, 1, game.loses)

    after = play.state_without_memory()
    assert {getattr(event, "round", 1) for event in events} == {1}
    assert [after.kept[number] for number in (2, 3)] == [others.kept[number] for number in (2, 3)]
    assert after.round == others.round
    assert after.seats["1"].stakes == {game.bet: 500}
    assert play.credits("1") - others.credits_cents("1") == -STAKE * (game.pays + 1)


@clause("rws-money-wheel:5.5", "rws-money-wheel:5.7")
def test_on_the_money_wheel_settled_rounds_stand_once_the_next_has_begun() -> None:
    play = at(SETTLED, MONEY_WHEEL)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"symbol:5": STAKE})
    before = credits_of_all(play)

    for do in (
        correction("1"),
        c.Decide(ruling="void", round=1, reason="the clapper"),
        c.Decide(ruling="return-bets", round=1, reason="the clapper", bets=(NamedBet("1", "symbol:20"),)),
    ):
        found = play.refused(SHIFT_MANAGER, do, second=SUPERVISOR)
        assert (found.code, found.clause) == ("round-stands", "rws-money-wheel:5.5")
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="1"))
    play.do(DEALER, c.ConfirmResult(result="1"))
    assert play.refused(MANAGER, correction("1"), second=SUPERVISOR).code == "round-stands"
    assert credits_of_all(play) == before, "the error of round 1 has no effect on round 2"


@clause("rws-money-wheel:5.5")
def test_on_the_money_wheel_the_last_round_is_corrected_until_the_next_begins() -> None:
    play = at(SETTLED, MONEY_WHEEL)

    correct(play, 1, "1")

    assert credits_of_all(play) == {"1": 99_000, "2": 101_000}


@pytest.mark.parametrize("point", [BETTING, CLOSED, SPINNING])
def test_a_running_round_without_a_result_has_nothing_to_correct(point: str) -> None:
    found = at(point).refused(SUPERVISOR, correction("20"))

    assert (found.code, found.facts) == ("no-result", {"round": 1})


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (correction("20", round_=2), "unknown-round"),
        (correction("20", round_=0), "unknown-round"),
        (correction("20", round_=-1), "unknown-round"),
        (correction("37"), "unknown-result"),
        (correction("20", reason=""), "no-reason"),
        (correction("20", reason=" \t"), "no-reason"),
        (correction("17"), "same-result"),
    ],
)
def test_a_correction_names_a_round_another_result_and_a_reason(do: c.CorrectResult, code: str) -> None:
    assert at(SETTLED).refused(MANAGER, do, second=SUPERVISOR).code == code


def test_a_registered_result_is_not_corrected_to_itself() -> None:
    play = at(RESULTED)

    found = play.refused(DEALER, correction("17"))

    assert (found.code, found.facts) == ("same-result", {"result": "17"})


def test_a_round_is_corrected_at_a_closed_table_too() -> None:
    play = at(SETTLED)
    play.do(DEALER, c.AnnounceLastRound())
    play.round({}, "0")
    play.do(SUPERVISOR, c.CloseTable())

    correct(play, 1, "20")

    assert credits_of_all(play) == {"1": 99_000, "2": 135_000}


def test_seats_that_had_no_part_in_the_round_have_no_part_in_its_correction() -> None:
    play = table()
    play.round({"1": {"red": STAKE}}, "1")

    events = correct(play, 1, "2")

    assert [event.seat for event in events if isinstance(event, e.SeatCorrected)] == ["1"]
    assert play.state.seats["2"].meters.corrections == 0


def test_bets_that_the_shift_manager_returned_stay_returned_whatever_the_result_becomes() -> None:
    play = at(IDLE)
    play.round({"1": {"straight:17": STAKE, "straight:20": STAKE}}, "17")
    bets = (NamedBet("1", "straight:17"),)
    play.do(SHIFT_MANAGER, c.Decide(ruling="return-bets", round=1, reason="a stuck screen", bets=bets))
    assert play.credits("1") == 100_000 - STAKE

    corrected = only(e.SeatCorrected, correct(play, 1, "20"))
    assert corrected.lines == (
        e.Line("straight:17", STAKE, 0, False, STAKE),
        e.Line("straight:20", STAKE, STAKE, True, 36 * STAKE),
    )
    correct(play, 1, "17")
    assert play.credits("1") == 100_000 - STAKE


def corrections(play: Play) -> list[int]:
    return [play.state.meters.corrections, *(seat.meters.corrections for seat in play.state.seats.values())]


def test_corrections_are_counted_for_the_table_and_for_each_seat_they_settle_again() -> None:
    play = at(RESULTED)
    play.do(SUPERVISOR, correction("20"), DEALER)
    assert corrections(play) == [1, 0, 0]
    play.do(DEALER, c.ConfirmResult(result="20"))

    correct(play, 1, "17")

    assert corrections(play) == [2, 1, 1]

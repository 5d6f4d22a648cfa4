"""What no clause covers goes to the shift manager: a recorded decision that is carried out at once."""

import pytest

from clauses import clause
from croupier.table import NamedBet, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, only
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
    title,
)

NOT_COVERED = [
    pytest.param(MBS, "6.1", marks=clause("mbs-roulette:6.1")),
    pytest.param(RWS_A, "5.10", marks=clause("rws-roulette-00:5.10")),
    pytest.param(RWS_B, "5.10", marks=clause("rws-roulette-00:5.10")),
    pytest.param(RWS_000, "5.10", marks=clause("rws-roulette-000:5.10")),
    pytest.param(MONEY_WHEEL, "5.11", marks=clause("rws-money-wheel:5.11")),
]


def ruling(what: str, *bets: tuple[str, str], round_: int = 1) -> c.Decide:
    named = tuple(NamedBet(seat, bet) for seat, bet in bets)
    return c.Decide(ruling=what, reason="nobody foresaw it", round=round_, bets=named)


@pytest.mark.parametrize(("game", "number"), NOT_COVERED, ids=title)
def test_the_shift_manager_decides_and_nobody_below(game: Game, number: str) -> None:
    play = at(SPINNING, game)

    lower = [play.refused(actor, ruling("void")) for actor in (DEALER, SUPERVISOR, MANAGER)]
    recorded, *_, voided = play.do(SHIFT_MANAGER, ruling("void"))

    assert {found.code for found in lower} == {"not-allowed"}
    assert {found.clause for found in lower} == {game.cite(number)}
    assert isinstance(recorded, e.DecisionRecorded)
    assert (recorded.round, recorded.ruling, recorded.reason) == (1, "void", "nobody foresaw it")
    assert (recorded.clause, audience(recorded)) == (game.cite(number), "table")
    assert isinstance(voided, e.RoundVoided)
    assert (voided.cause, voided.reason) == ("not-covered", "nobody foresaw it")
    assert voided.clause == game.cite(number)
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}


@every_game
def test_a_decision_voids_a_settled_round(game: Game) -> None:
    play = at(SETTLED, game)

    _, corrected, *seats = play.do(SHIFT_MANAGER, ruling("void"))

    assert isinstance(corrected, e.ResultCorrected)
    assert (corrected.old, corrected.new, corrected.cause) == (game.wins, None, "not-covered")
    assert corrected.notice == "Round 1 is void: nobody foresaw it. All bets are returned"
    assert audience(corrected) == "table"
    assert [type(event) for event in seats] == [e.SeatCorrected, e.SeatCorrected]
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}
    assert play.state.kept[1].phase == "voided"


WRONG_RESULT = [
    pytest.param(MBS, "6.3", marks=clause("mbs-roulette:6.3")),
    pytest.param(RWS_A, "5.5", marks=clause("rws-roulette-00:5.5")),
    pytest.param(RWS_B, "5.5", marks=clause("rws-roulette-00:5.5")),
    pytest.param(RWS_000, "5.5", marks=clause("rws-roulette-000:5.5")),
    pytest.param(MONEY_WHEEL, "3.8", marks=clause("rws-money-wheel:3.8")),
]


@pytest.mark.parametrize("point", [RESULTED, SETTLED])
@pytest.mark.parametrize(("game", "number"), WRONG_RESULT, ids=title)
def test_a_wrong_result_is_covered_and_so_corrected_and_not_decided(
    game: Game, number: str, point: str
) -> None:
    play = at(point, game)

    alone = play.refused(SHIFT_MANAGER, ruling("correct"))
    together = play.refused(SHIFT_MANAGER, ruling("correct"), MANAGER)

    for found in (alone, together):
        assert (found.code, found.clause) == ("unknown-ruling", game.cite(number))
        assert "a wrong result is corrected" in found.sentence


@pytest.mark.parametrize(("game", "number"), WRONG_RESULT, ids=title)
def test_a_settled_result_is_corrected_by_a_pit_manager_and_a_second_person(game: Game, number: str) -> None:
    play, do = at(SETTLED, game), c.CorrectResult(round=1, result=game.loses, reason="the camera")

    assert play.refused(SUPERVISOR, do, DEALER).code == "not-allowed"
    assert play.refused(SHIFT_MANAGER, do).code == "second-person"
    corrected = only(e.ResultCorrected, play.do(MANAGER, do, SUPERVISOR))

    assert (corrected.cause, corrected.clause) == ("wrong-result", game.cite(number))


@pytest.mark.parametrize("point", [BETTING, CLOSED, SPINNING, RESULTED])
@every_game
def test_named_bets_of_a_running_round_are_returned_and_the_others_stand(game: Game, point: str) -> None:
    play = at(point, game)

    _, returned = play.do(SHIFT_MANAGER, ruling("return-bets", ("1", game.bet)))

    assert isinstance(returned, e.SeatReturned)
    assert (returned.seat, returned.cents, returned.void) == ("1", STAKE, False)
    assert returned.bets == (e.BetChange(game.bet, -STAKE),)
    assert audience(returned) == "seat/1"
    assert play.state.seats["1"].stakes == {}
    assert play.state.seats["2"].stakes == {game.other: STAKE}
    assert play.state.round is not None
    assert (play.state.round.total_cents, [*play.state.round.playing]) == (STAKE, ["2"])
    assert play.credits("1") == 100_000


@every_game
def test_named_bets_of_a_settled_round_are_returned_and_the_other_lines_stand(game: Game) -> None:
    play = at(IDLE, game)
    play.round({"1": {game.bet: STAKE, game.other: STAKE}, "2": {game.other: STAKE}}, game.wins)

    events = play.do(SHIFT_MANAGER, ruling("return-bets", ("1", game.other)))

    seat = only(e.SeatCorrected, events)
    assert seat.lines == (
        e.Line(game.bet, STAKE, STAKE, True, STAKE * (game.pays + 1)),
        e.Line(game.other, STAKE, 0, False, STAKE),
    )
    assert seat.result == game.wins
    assert credits_of_all(play) == {"1": 100_000 + STAKE * game.pays, "2": 99_000}
    again = play.refused(SHIFT_MANAGER, ruling("return-bets", ("1", game.other)))
    assert again.code == "not-on-bet"


def test_several_bets_of_several_seats_are_returned_at_once() -> None:
    play = at(IDLE)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 100, "odd": 200, "low": 300})
    play.bet("2", {"red": 400})

    _, first, second = play.do(
        SHIFT_MANAGER, ruling("return-bets", ("1", "red"), ("2", "red"), ("1", "low"), ("1", "red"))
    )

    assert isinstance(first, e.SeatReturned)
    assert isinstance(second, e.SeatReturned)
    assert (first.seat, first.cents, second.seat, second.cents) == ("1", 400, "2", 400)
    assert play.state.seats["1"].stakes == {"odd": 200}


def test_a_decision_may_change_nothing_and_stands_in_the_record_of_any_round() -> None:
    play = at(SETTLED, rounds_kept=1)
    play.round({}, "0")
    before = credits_of_all(play)

    (recorded,) = play.do(SHIFT_MANAGER, ruling("none", round_=1))

    assert isinstance(recorded, e.DecisionRecorded)
    assert (recorded.round, recorded.ruling) == (1, "none")
    assert credits_of_all(play) == before


@pytest.mark.parametrize(
    ("point", "do", "code"),
    [
        (SETTLED, ruling("pay-double"), "unknown-ruling"),
        (SETTLED, ruling("void", round_=2), "unknown-round"),
        (SETTLED, ruling("return-bets"), "nothing-to-do"),
        (SETTLED, ruling("return-bets", ("9", "red")), "unknown-seat"),
        (SETTLED, ruling("return-bets", ("1", "purple")), "unknown-bet"),
        (SETTLED, ruling("return-bets", ("1", "red")), "not-on-bet"),
        (SETTLED, ruling("return-bets", ("2", "straight:17")), "not-on-bet"),
        (BETTING, ruling("return-bets", ("2", "straight:17")), "not-on-bet"),
        (SETTLED, c.Decide(ruling="void", reason=" ", round=1), "no-reason"),
    ],
)
def test_a_decision_names_what_there_is(point: str, do: c.Decide, code: str) -> None:
    assert at(point).refused(SHIFT_MANAGER, do).code == code


def test_a_void_round_is_not_voided_corrected_or_returned_again() -> None:
    play = at(SPINNING)
    play.do(DEALER, c.CallNoSpin(reason="a suspicion"))

    for do in (ruling("void"), ruling("return-bets", ("1", "straight:17"))):
        assert play.refused(SHIFT_MANAGER, do).code == "round-void"


def test_all_bets_of_a_seat_returned_after_settlement_is_not_a_game_won_any_more() -> None:
    play = at(SETTLED)

    play.do(SHIFT_MANAGER, ruling("return-bets", ("1", "straight:17")))

    meters = play.state.seats["1"].meters
    assert (meters.games_won, meters.wins_cents, meters.returned_cents) == (0, 0, STAKE)


def test_a_round_with_returned_bets_is_voided_whole_and_exactly() -> None:
    play = at(SETTLED)
    play.do(SHIFT_MANAGER, ruling("return-bets", ("1", "straight:17")))

    play.do(SHIFT_MANAGER, ruling("void"))

    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}


def test_a_decision_on_a_round_does_not_reach_bets_of_the_next() -> None:
    play = at(SETTLED)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": STAKE})

    assert play.refused(SHIFT_MANAGER, ruling("return-bets", ("1", "red"))).code == "not-on-bet"
    correct(play, 1, "20")
    assert play.state.seats["1"].stakes == {"red": STAKE}


def test_the_smallest_stake_there_is_is_returned_too() -> None:
    play = at(IDLE, MONEY_WHEEL)
    play.round({"1": {"symbol:1": 1}}, "20")

    play.do(SHIFT_MANAGER, ruling("return-bets", ("1", "symbol:1")))

    assert play.credits("1") == 100_000

"""A round from its opening notice to its settlement, step by step and in no other order."""

import pytest

from clauses import clause
from croupier.table import audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, TIMER, only, player
from table.scenes import (
    BALL_GAMES,
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
    table,
    title,
    valid_spin,
)


def placing(bet: str, cents: int = STAKE) -> c.PlaceBets:
    return c.PlaceBets(seat="1", stakes=(c.Stake(bet, cents),))


@pytest.mark.parametrize(
    ("game", "notice"),
    [
        pytest.param(MBS, "Place your bets, please", marks=clause("mbs-roulette:3.1", "mbs-roulette:1.1.4")),
        pytest.param(RWS_A, "Place your bets", marks=clause("rws-roulette-00:3.2", "rws-roulette-00:1.9")),
        pytest.param(
            RWS_000, "Place your bets", marks=clause("rws-roulette-000:3.2", "rws-roulette-000:1.9")
        ),
        pytest.param(
            MONEY_WHEEL,
            "Place your Bets, please",
            marks=clause("rws-money-wheel:3.2", "rws-money-wheel:1.8"),
        ),
    ],
    ids=title,
)
def test_the_notice_to_place_bets_begins_the_round_and_bets_are_taken_from_then_on(
    game: Game, notice: str
) -> None:
    play = table(game)

    early = play.refused(player("1"), placing(game.bet))
    opened = only(e.RoundOpened, play.do(DEALER, c.OpenRound()))

    assert early.code == "no-round"
    assert (opened.notice, audience(opened), opened.round) == (notice, "table", 1)
    assert play.bet("1", {game.bet: STAKE})


@pytest.mark.parametrize(
    ("game", "notice"),
    [
        pytest.param(MBS, "17 wins", marks=clause("mbs-roulette:3.8")),
        pytest.param(RWS_A, "00 wins", marks=clause("rws-roulette-00:3.7", "rws-roulette-00:1.3")),
        pytest.param(RWS_000, "000 wins", marks=clause("rws-roulette-000:3.7", "rws-roulette-000:1.3")),
        pytest.param(MONEY_WHEEL, "SGD 20 wins", marks=clause("rws-money-wheel:3.8", "rws-money-wheel:1.2")),
    ],
    ids=title,
)
def test_where_the_wheel_rests_is_entered_on_the_console_and_shown_to_everybody(
    game: Game, notice: str
) -> None:
    play = at(SPINNING, game)
    play.do(DEALER, c.FinishSpin(revolutions=6))

    entered = only(e.ResultEntered, play.do(DEALER, c.EnterResult(result=game.wins)))
    confirmed = only(e.ResultConfirmed, play.do(DEALER, c.ConfirmResult(result=game.wins)))

    assert (entered.result, entered.said_by, audience(entered)) == (game.wins, "dealer", "table")
    assert (confirmed.result, confirmed.notice, audience(confirmed)) == (game.wins, notice, "table")


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(MBS, marks=clause("mbs-roulette:1.1.4")),
        pytest.param(RWS_A, marks=clause("rws-roulette-00:3.9", "rws-roulette-00:1.9")),
        pytest.param(RWS_B, marks=clause("rws-roulette-00:3.9", "rws-roulette-00:1.9")),
        pytest.param(RWS_000, marks=clause("rws-roulette-000:3.9", "rws-roulette-000:1.9")),
        pytest.param(MONEY_WHEEL, marks=clause("rws-money-wheel:3.9", "rws-money-wheel:1.8")),
    ],
    ids=title,
)
def test_the_round_is_over_once_losing_bets_are_taken_and_winning_ones_paid(game: Game) -> None:
    play = at(RESULTED, game)
    assert play.refused(DEALER, c.OpenRound()).code == "round-running"

    happened = play.do(DEALER, c.ConfirmResult(result=game.wins))

    assert [type(event) for event in happened] == [
        e.ResultConfirmed,
        e.SeatSettled,
        e.SeatSettled,
        e.RoundSettled,
    ]
    won, lost = happened[1], happened[2]
    assert isinstance(won, e.SeatSettled)
    assert isinstance(lost, e.SeatSettled)
    assert won.lines == (e.Line(game.bet, STAKE, STAKE, True, STAKE * (game.pays + 1)),)
    assert lost.lines == (e.Line(game.other, STAKE, STAKE, False, 0),)
    assert won.clause == lost.clause == play.rules.layout.pay_clause
    assert (play.credits("1"), play.credits("2")) == (100_000 + STAKE * game.pays, 99_000)
    assert play.state.round is None
    assert only(e.RoundOpened, play.do(DEALER, c.OpenRound())).round == 2


@pytest.mark.parametrize("game", [*BALL_GAMES, MONEY_WHEEL], ids=title)
def test_a_result_needs_a_spin_then_an_entry_then_its_confirmation(game: Game) -> None:
    play = at(CLOSED, game)

    def codes() -> tuple[str, str]:
        entry = play.refused(DEALER, c.EnterResult(result=game.wins)).code
        return entry, play.refused(DEALER, c.ConfirmResult(result=game.wins)).code

    assert codes() == ("no-spin-yet", "no-result")
    play.do(DEALER, valid_spin(game))
    assert play.refused(DEALER, c.ConfirmResult(result=game.wins)).code == "no-result"
    play.do(DEALER, c.EnterResult(result=game.wins))
    assert play.refused(DEALER, c.EnterResult(result=game.wins)).code == "result-entered"
    assert play.refused(DEALER, c.ConfirmResult(result=game.loses)).code == "result-differs"
    assert play.state.seats["1"].stakes == {game.bet: STAKE}, "nothing is settled before the confirmation"
    play.do(DEALER, c.ConfirmResult(result=game.wins))
    assert play.state.round is None


@pytest.mark.parametrize("point", [IDLE, SETTLED])
def test_between_rounds_there_is_nothing_to_close_spin_enter_or_confirm(point: str) -> None:
    play = at(point)

    for do in (
        c.CloseBets(),
        c.StartSpin(),
        c.FinishSpin(),
        c.EnterResult(result="17"),
        c.ConfirmResult(result="17"),
        c.CallNoSpin(reason="a suspicion"),
    ):
        assert play.refused(DEALER, do).code == "no-round"
    assert play.refused(TIMER, c.WarnClosing()).code == "no-round"


def test_a_round_that_nobody_bets_in_is_played_and_settled_too() -> None:
    play = table()

    happened = play.round({}, "0")

    assert [type(event) for event in happened] == [e.ResultConfirmed, e.RoundSettled]
    assert play.state.kept[1].result == "0"

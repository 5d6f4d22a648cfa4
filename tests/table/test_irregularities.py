"""What voids a round and by which clause: every bet goes back, and rounds that are settled stand."""

import pytest

from clauses import clause
from croupier.table import Actor, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, only
from table.scenes import (
    BETTING,
    CLOSED,
    FINISHED,
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
    advance,
    at,
    credits_of_all,
    every_game,
    title,
)

DECLARED = [
    pytest.param(MBS, "same-direction", "5.1", marks=clause("mbs-roulette:5.1")),
    pytest.param(MBS, "ball-dropped", "5.2", marks=clause("mbs-roulette:5.2")),
    pytest.param(MBS, "too-few-revolutions", "5.3", marks=clause("mbs-roulette:5.3")),
    pytest.param(MBS, "foreign-object", "5.4", marks=clause("mbs-roulette:5.4")),
    pytest.param(MBS, "no-compartment", "5.5", marks=clause("mbs-roulette:5.5")),
    pytest.param(MBS, "ball-out", "5.6", marks=clause("mbs-roulette:5.6")),
    pytest.param(MBS, "ball-broken", "5.7", marks=clause("mbs-roulette:5.7")),
    pytest.param(MBS, "wheel-stopped", "5.8", marks=clause("mbs-roulette:5.8")),
    pytest.param(MBS, "wheel-still", "5.9", marks=clause("mbs-roulette:5.9")),
    pytest.param(MBS, "interference", "5.10", marks=clause("mbs-roulette:5.10")),
    pytest.param(
        RWS_A, "ball-dropped", "5.3.1", marks=clause("rws-roulette-00:5.3", "rws-roulette-00:5.3.1")
    ),
    pytest.param(
        RWS_B, "too-few-revolutions", "5.3.2", marks=clause("rws-roulette-00:5.3", "rws-roulette-00:5.3.2")
    ),
    pytest.param(
        RWS_A, "no-compartment", "5.3.3", marks=clause("rws-roulette-00:5.3", "rws-roulette-00:5.3.3")
    ),
    pytest.param(RWS_B, "ball-out", "5.3.4", marks=clause("rws-roulette-00:5.3", "rws-roulette-00:5.3.4")),
    pytest.param(RWS_A, "wheel-still", "5.3.5", marks=clause("rws-roulette-00:5.3", "rws-roulette-00:5.3.5")),
    pytest.param(
        RWS_B, "same-direction", "5.3.6", marks=clause("rws-roulette-00:5.3", "rws-roulette-00:5.3.6")
    ),
    pytest.param(
        RWS_A, "foreign-object", "5.3.7", marks=clause("rws-roulette-00:5.3", "rws-roulette-00:5.3.7")
    ),
    pytest.param(
        RWS_B, "interference", "5.3.8", marks=clause("rws-roulette-00:5.3", "rws-roulette-00:5.3.8")
    ),
    pytest.param(
        RWS_A, "wheel-stopped", "5.3.9", marks=clause("rws-roulette-00:5.3", "rws-roulette-00:5.3.9")
    ),
    pytest.param(RWS_B, "ball-broken", "5.4", marks=clause("rws-roulette-00:5.4")),
    pytest.param(
        RWS_000, "ball-dropped", "5.3.1", marks=clause("rws-roulette-000:5.3", "rws-roulette-000:5.3.1")
    ),
    pytest.param(
        RWS_000,
        "too-few-revolutions",
        "5.3.2",
        marks=clause("rws-roulette-000:5.3", "rws-roulette-000:5.3.2"),
    ),
    pytest.param(
        RWS_000, "no-compartment", "5.3.3", marks=clause("rws-roulette-000:5.3", "rws-roulette-000:5.3.3")
    ),
    pytest.param(
        RWS_000, "ball-out", "5.3.4", marks=clause("rws-roulette-000:5.3", "rws-roulette-000:5.3.4")
    ),
    pytest.param(
        RWS_000, "wheel-still", "5.3.5", marks=clause("rws-roulette-000:5.3", "rws-roulette-000:5.3.5")
    ),
    pytest.param(
        RWS_000, "same-direction", "5.3.6", marks=clause("rws-roulette-000:5.3", "rws-roulette-000:5.3.6")
    ),
    pytest.param(
        RWS_000, "foreign-object", "5.3.7", marks=clause("rws-roulette-000:5.3", "rws-roulette-000:5.3.7")
    ),
    pytest.param(
        RWS_000, "interference", "5.3.8", marks=clause("rws-roulette-000:5.3", "rws-roulette-000:5.3.8")
    ),
    pytest.param(
        RWS_000, "wheel-stopped", "5.3.9", marks=clause("rws-roulette-000:5.3", "rws-roulette-000:5.3.9")
    ),
    pytest.param(RWS_000, "ball-broken", "5.4", marks=clause("rws-roulette-000:5.4")),
    pytest.param(
        MONEY_WHEEL, "interference", "5.4.1", marks=clause("rws-money-wheel:5.4", "rws-money-wheel:5.4.1")
    ),
    pytest.param(
        MONEY_WHEEL, "no-compartment", "5.4.2", marks=clause("rws-money-wheel:5.4", "rws-money-wheel:5.4.2")
    ),
    pytest.param(
        MONEY_WHEEL,
        "too-few-revolutions",
        "5.4.3",
        marks=clause("rws-money-wheel:5.4", "rws-money-wheel:5.4.3"),
    ),
]


WITHOUT_A_SPIN = ("ball-dropped", "foreign-object", "ball-broken", "interference")


@pytest.mark.parametrize(("game", "cause", "number"), DECLARED, ids=title)
@pytest.mark.parametrize("point", [SPINNING, FINISHED, RESULTED])
@pytest.mark.parametrize("speaker", [DEALER, SENSOR], ids=lambda actor: actor.position)
def test_an_irregularity_voids_the_round_and_no_earlier_one(
    game: Game, cause: str, number: str, point: str, speaker: Actor
) -> None:
    play = at(SETTLED, game)
    credits_before = credits_of_all(play)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {game.bet: STAKE})
    play.bet("2", {game.other: STAKE, game.bet: 2 * STAKE})
    advance(play, point, game)

    declares = c.DeclareIrregularity(cause=cause, note="seen by everybody")
    happened = play.do(speaker, declares, SUPERVISOR if speaker is DEALER else None)

    voided = only(e.RoundVoided, happened)
    assert (voided.round, voided.cause, voided.clause) == (2, cause, game.cite(number))
    assert voided.reason.endswith(": seen by everybody")
    assert voided.reason in voided.notice
    assert audience(voided) == "table"
    assert credits_of_all(play) == credits_before
    assert play.state.kept[1].result == game.wins
    assert play.state.kept[1].phase == "settled"


@pytest.mark.parametrize(("game", "cause", "number"), DECLARED, ids=title)
def test_what_happens_to_a_spin_is_declared_from_the_spin_on_and_what_needs_none_without(
    game: Game, cause: str, number: str
) -> None:
    play = at(CLOSED, game)

    reply = play.ask(DEALER, c.DeclareIrregularity(cause=cause))

    if game is not MONEY_WHEEL and cause in WITHOUT_A_SPIN:
        assert only(e.RoundVoided, [entry.event for entry in reply.entries]).clause == game.cite(number)
    else:
        assert reply.rejection is not None
        assert (reply.rejection.code, reply.rejection.clause) == ("no-spin-yet", game.cite(number))


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(MBS),
        pytest.param(RWS_A, marks=clause("rws-roulette-00:5.9", "rws-roulette-00:1.11")),
        pytest.param(RWS_B, marks=clause("rws-roulette-00:5.9", "rws-roulette-00:1.11")),
        pytest.param(RWS_000, marks=clause("rws-roulette-000:5.9", "rws-roulette-000:1.11")),
        pytest.param(MONEY_WHEEL, marks=clause("rws-money-wheel:5.9", "rws-money-wheel:1.10")),
    ],
    ids=title,
)
def test_a_void_round_has_no_result_and_every_bet_of_it_goes_back(game: Game) -> None:
    play = at(RESULTED, game)

    happened = play.do(DEALER, c.DeclareIrregularity(cause="interference"))

    *returned, voided = happened
    assert [
        (event.seat, event.bets, event.void) for event in returned if isinstance(event, e.SeatReturned)
    ] == [
        ("1", (e.BetChange(game.bet, -STAKE),), True),
        ("2", (e.BetChange(game.other, -STAKE),), True),
    ]
    assert isinstance(voided, e.RoundVoided)
    returns = None if game is MBS else game.cite("5.9")
    assert {event.clause for event in returned if isinstance(event, e.SeatReturned)} == {
        returns or voided.clause
    }
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}
    assert (play.state.kept[1].phase, play.state.kept[1].result) == ("voided", None)
    assert play.refused(DEALER, c.ConfirmResult(result=game.wins)).code == "no-round"
    later = play.refused(
        MANAGER, c.CorrectResult(round=1, result=game.wins, reason="it lies there"), second=SUPERVISOR
    )
    assert later.code == "round-void"


@pytest.mark.parametrize(
    "speaker", [DEALER, SUPERVISOR, MANAGER, SHIFT_MANAGER], ids=lambda actor: actor.position
)
@pytest.mark.parametrize("point", [BETTING, CLOSED, SPINNING, FINISHED, RESULTED])
@clause("mbs-roulette:5.15")
def test_no_spin_voids_the_round_whatever_the_ball_does(point: str, speaker: Actor) -> None:
    play = at(point)

    voided = only(e.RoundVoided, play.do(speaker, c.CallNoSpin(reason="a suspicion")))

    assert (voided.cause, voided.clause) == ("no-spin", "mbs-roulette:5.15")
    assert voided.notice == "No spin: a suspicion. All bets are returned"
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}
    assert play.refused(SENSOR, c.EnterResult(result="17")).code == "no-round"
    if point == SPINNING:
        assert only(e.SpinReportedLate, play.do(SENSOR, c.FinishSpin(revolutions=9, pocket="17")))
    assert play.refused(DEALER, c.ConfirmResult(result="17")).code == "no-round"


@pytest.mark.parametrize("game", [RWS_A, RWS_B, RWS_000, MONEY_WHEEL], ids=title)
def test_only_mbs_knows_the_call_of_no_spin(game: Game) -> None:
    play = at(SPINNING, game)

    assert play.refused(DEALER, c.CallNoSpin(reason="a suspicion")).code == "not-in-this-game"
    assert play.refused(DEALER, c.DeclareIrregularity(cause="no-spin")).code == "unknown-cause"


@every_game
@pytest.mark.parametrize(
    "cause",
    ["no-spin", "wrong-result", "not-covered", "late-placement", "interruption-outcome", "rain", ""],
)
def test_what_has_a_way_of_its_own_or_is_not_in_the_book_is_not_declared(game: Game, cause: str) -> None:
    assert at(SPINNING, game).refused(DEALER, c.DeclareIrregularity(cause=cause)).code == "unknown-cause"


@every_game
def test_an_interruption_is_reported_by_recovery_and_never_declared(game: Game) -> None:
    play = at(RESULTED, game)

    found = play.refused(DEALER, c.DeclareIrregularity(cause="interruption-no-outcome"))

    assert found.code == "unknown-cause"


@pytest.mark.parametrize("cause", ["ball-dropped", "ball-broken", "wheel-still", "foreign-object"])
def test_the_money_wheel_has_no_irregularities_of_a_ball(cause: str) -> None:
    play = at(SPINNING, MONEY_WHEEL)

    assert play.refused(DEALER, c.DeclareIrregularity(cause=cause)).code == "unknown-cause"

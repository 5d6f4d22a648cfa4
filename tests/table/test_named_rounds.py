"""An irregularity voids the rounds that are named, no other; the book says whether settled rounds stand."""

import pytest

from clauses import clause
from croupier.rulebook import load_book
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, Play, only, player
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
    SPINNING,
    STAKE,
    Game,
    advance,
    credits_of_all,
    table,
    title,
)

RUNNING = (BETTING, CLOSED, SPINNING, FINISHED, RESULTED)

BROKEN_BALL = pytest.mark.parametrize(
    "game",
    [
        pytest.param(RWS_A, marks=clause("rws-roulette-00:5.4", "rws-roulette-00:5.6")),
        pytest.param(RWS_B, marks=clause("rws-roulette-00:5.4", "rws-roulette-00:5.6")),
        pytest.param(RWS_000, marks=clause("rws-roulette-000:5.4", "rws-roulette-000:5.6")),
    ],
    ids=title,
)

MBS_CAUSES = {
    "same-direction": "5.1",
    "ball-dropped": "5.2",
    "too-few-revolutions": "5.3",
    "foreign-object": "5.4",
    "no-compartment": "5.5",
    "ball-out": "5.6",
    "ball-broken": "5.7",
    "wheel-stopped": "5.8",
    "wheel-still": "5.9",
    "interference": "5.10",
}
RWS_CAUSES = {
    "ball-dropped": "5.3.1",
    "too-few-revolutions": "5.3.2",
    "no-compartment": "5.3.3",
    "ball-out": "5.3.4",
    "wheel-still": "5.3.5",
    "same-direction": "5.3.6",
    "foreign-object": "5.3.7",
    "interference": "5.3.8",
    "wheel-stopped": "5.3.9",
}
WHEEL_CAUSES = {"interference": "5.4.1", "no-compartment": "5.4.2", "too-few-revolutions": "5.4.3"}


def declared(cause: str, *rounds: int, note: str = "") -> c.DeclareIrregularity:
    return c.DeclareIrregularity(cause=cause, rounds=rounds, note=note)


def played(game: Game, rounds: int = 1, point: str | None = None) -> Play:
    """A table with settled rounds that seat 1 has won, and one more that has come to a point."""
    play = table(game)
    for _ in range(rounds):
        play.round({"1": {game.bet: STAKE}, "2": {game.other: STAKE}}, game.wins)
    if point is not None:
        play.do(DEALER, c.OpenRound())
        play.bet("1", {game.bet: STAKE})
        play.bet("2", {game.other: STAKE})
        if point != BETTING:
            advance(play, point, game)
    return play


def phases(play: Play) -> list[str]:
    running = [] if play.state.round is None else [play.state.round.phase]
    return [round_.phase for round_ in play.state.kept.values()] + running


# Which rounds are void.


@BROKEN_BALL
@pytest.mark.parametrize("point", RUNNING)
def test_naming_an_earlier_round_leaves_the_running_one_as_it_is(game: Game, point: str) -> None:
    play = played(game, 2, point)
    before = play.state.round

    happened = play.do(MANAGER, declared("ball-broken", 1), second=SUPERVISOR)

    (corrected,) = [event for event in happened if isinstance(event, e.ResultCorrected)]
    assert (corrected.round, corrected.new, corrected.clause) == (1, None, game.cite("5.4"))
    assert not [event for event in happened if isinstance(event, e.RoundVoided | e.SeatReturned)]
    assert play.state.round == before
    assert phases(play)[:2] == ["voided", "settled"]
    assert play.state.seats["1"].stakes == {game.bet: STAKE}


@BROKEN_BALL
def test_the_running_round_goes_on_and_its_registered_winner_is_paid(game: Game) -> None:
    play = played(game, 1, RESULTED)

    play.do(MANAGER, declared("ball-broken", 1), second=SUPERVISOR)
    play.do(DEALER, c.ConfirmResult(result=game.wins))

    assert phases(play) == ["voided", "settled"]
    assert play.credits("1") == 100_000 + STAKE * game.pays
    assert play.credits("2") == 100_000 - STAKE


@BROKEN_BALL
@pytest.mark.parametrize("point", RUNNING)
@pytest.mark.parametrize("named", [(), (3,)], ids=["without a number", "by its number"])
def test_the_running_round_is_meant_by_its_number_or_without_one(
    game: Game, point: str, named: tuple[int, ...]
) -> None:
    play = played(game, 2)
    before = credits_of_all(play)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {game.bet: STAKE})
    if point != BETTING:
        advance(play, point, game)

    voided = only(e.RoundVoided, play.do(DEALER, declared("ball-broken", *named)))

    assert (voided.round, voided.named_rounds) == (3, named)
    assert phases(play) == ["settled", "settled", "voided"]
    assert credits_of_all(play) == before


@BROKEN_BALL
def test_every_named_round_is_void_the_running_one_among_them(game: Game) -> None:
    play = played(game, 3, RESULTED)

    happened = play.do(MANAGER, declared("ball-broken", 1, 4, 3), second=SUPERVISOR)

    told = [event for event in happened if isinstance(event, e.ResultCorrected | e.RoundVoided)]
    assert [event.round for event in told] == [1, 3, 4]
    assert {event.named_rounds for event in told} == {(1, 4, 3)}
    assert phases(play) == ["voided", "settled", "voided", "voided"]


@pytest.mark.parametrize("game", [MBS, RWS_A, RWS_000, MONEY_WHEEL], ids=title)
def test_of_several_named_rounds_one_that_cannot_be_void_leaves_all_as_they_are(game: Game) -> None:
    cause = "interference" if game is MONEY_WHEEL else "ball-out" if game is MBS else "ball-broken"
    play = played(game, 1, CLOSED)
    play.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="unforeseen", round=2), SUPERVISOR)
    play.do(DEALER, c.OpenRound())

    assert play.refused(MANAGER, declared(cause, 1, 2, 3), second=SUPERVISOR)
    assert phases(play) == ["settled", "voided", "betting"]


# Settled rounds.


@pytest.mark.parametrize(
    ("cause", "number"),
    [
        pytest.param("same-direction", "5.1", marks=clause("mbs-roulette:5.1")),
        pytest.param("ball-dropped", "5.2", marks=clause("mbs-roulette:5.2")),
        pytest.param("too-few-revolutions", "5.3", marks=clause("mbs-roulette:5.3")),
        pytest.param("foreign-object", "5.4", marks=clause("mbs-roulette:5.4")),
        pytest.param("no-compartment", "5.5", marks=clause("mbs-roulette:5.5")),
        pytest.param("ball-out", "5.6", marks=clause("mbs-roulette:5.6")),
        pytest.param("ball-broken", "5.7", marks=clause("mbs-roulette:5.7")),
        pytest.param("wheel-stopped", "5.8", marks=clause("mbs-roulette:5.8")),
        pytest.param("wheel-still", "5.9", marks=clause("mbs-roulette:5.9")),
        pytest.param("interference", "5.10", marks=clause("mbs-roulette:5.10")),
    ],
)
@pytest.mark.parametrize("point", [None, BETTING, RESULTED])
def test_at_mbs_what_is_found_later_voids_the_settled_round_by_its_own_clause(
    cause: str, number: str, point: str | None
) -> None:
    play = played(MBS, 2, point)
    running = play.state.round

    happened = play.do(MANAGER, declared(cause, 1, note="on camera"), second=SUPERVISOR)

    corrected = only(e.ResultCorrected, happened)
    assert (corrected.round, corrected.old, corrected.new) == (1, "17", None)
    assert (corrected.cause, corrected.clause) == (cause, MBS.cite(number))
    assert corrected.reason == f"{play.rules.book.irregularities[cause].title}: on camera"
    assert corrected.notice == f"Round 1 is void: {corrected.reason}. All bets are returned"
    seats = [event for event in happened if isinstance(event, e.SeatCorrected)]
    assert {event.clause for event in seats} == {MBS.cite(number)}
    assert phases(play)[:2] == ["voided", "settled"]
    assert play.state.round == running


@clause("mbs-roulette:6.3")
def test_at_mbs_no_refusal_cites_a_clause_that_lets_settled_rounds_stand() -> None:
    play = played(MBS, 2, SPINNING)

    for cause in MBS_CAUSES:
        found = play.refused(DEALER, declared(cause, 1))
        assert (found.code, found.clause) == ("not-allowed", None)


@clause("mbs-roulette:6.3")
def test_at_mbs_a_win_that_was_paid_out_since_is_a_shortfall() -> None:
    play = played(MBS)
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))

    happened = play.do(MANAGER, declared("foreign-object", 1), second=SUPERVISOR)

    raised = {event.seat: event.carried_cents for event in happened if isinstance(event, e.ShortfallRaised)}
    assert raised == {"1": -STAKE * MBS.pays}
    assert credits_of_all(play) == {"1": 0, "2": 100_000}


@pytest.mark.parametrize(
    ("cause", "number"),
    [
        pytest.param("interference", "5.4.1", marks=clause("rws-money-wheel:5.4", "rws-money-wheel:5.4.1")),
        pytest.param("no-compartment", "5.4.2", marks=clause("rws-money-wheel:5.4", "rws-money-wheel:5.4.2")),
        pytest.param(
            "too-few-revolutions", "5.4.3", marks=clause("rws-money-wheel:5.4", "rws-money-wheel:5.4.3")
        ),
    ],
)
def test_at_the_money_wheel_a_settled_round_is_void_by_its_own_clause_before_the_next_begins(
    cause: str, number: str
) -> None:
    play = played(MONEY_WHEEL, 2)

    happened = play.do(MANAGER, declared(cause, 2), second=SUPERVISOR)

    corrected = only(e.ResultCorrected, happened)
    assert (corrected.round, corrected.new, corrected.clause) == (2, None, MONEY_WHEEL.cite(number))
    assert phases(play) == ["settled", "voided"]
    assert play.credits("1") == 100_000 + STAKE * MONEY_WHEEL.pays
    assert play.credits("2") == 100_000 - STAKE


@pytest.mark.parametrize("point", RUNNING)
@pytest.mark.parametrize("cause", WHEEL_CAUSES)
@clause("rws-money-wheel:5.5", "rws-money-wheel:5.7")
def test_at_the_money_wheel_a_settled_round_stands_once_the_next_has_begun(cause: str, point: str) -> None:
    play = played(MONEY_WHEEL, 1, point)

    found = play.refused(MANAGER, declared(cause, 1), second=SUPERVISOR)

    assert (found.code, found.clause) == ("round-stands", MONEY_WHEEL.cite("5.5"))


@clause("rws-money-wheel:5.5")
def test_at_the_money_wheel_only_the_last_round_may_still_be_void() -> None:
    play = played(MONEY_WHEEL, 2)

    found = play.refused(MANAGER, declared("interference", 1), second=SUPERVISOR)

    assert (found.code, found.clause) == ("round-stands", MONEY_WHEEL.cite("5.5"))


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(RWS_A, marks=clause("rws-roulette-00:5.3")),
        pytest.param(RWS_000, marks=clause("rws-roulette-000:5.3")),
    ],
    ids=title,
)
@pytest.mark.parametrize("cause", RWS_CAUSES)
@pytest.mark.parametrize("point", [None, BETTING, RESULTED])
def test_at_rws_settled_rounds_stand_whatever_is_found_later(
    game: Game, cause: str, point: str | None
) -> None:
    play = played(game, 1, point)

    found = play.refused(MANAGER, declared(cause, 1), second=SUPERVISOR)

    assert (found.code, found.clause) == ("not-affected", game.cite("5.3"))


@pytest.mark.parametrize(
    ("game", "cause"),
    [(MBS, "ball-out"), (RWS_A, "ball-broken"), (RWS_000, "ball-broken"), (MONEY_WHEEL, "interference")],
    ids=title,
)
def test_a_settled_round_takes_a_pit_manager_and_a_second_person(game: Game, cause: str) -> None:
    play = played(game)
    do = declared(cause, 1)

    assert play.refused(DEALER, do).code == "not-allowed"
    assert play.refused(SENSOR, do).code == "not-allowed"
    assert play.refused(SUPERVISOR, do, second=DEALER).code == "not-allowed"
    assert play.refused(MANAGER, do).code == "second-person"
    assert play.refused(SHIFT_MANAGER, do).code == "second-person"
    assert play.do(DEALER, do, second=MANAGER)


def test_without_a_running_round_something_has_to_be_named() -> None:
    for game, cause in ((MBS, "ball-out"), (RWS_A, "ball-broken"), (MONEY_WHEEL, "interference")):
        assert played(game).refused(DEALER, declared(cause)).code == "no-round"


# From when on.

EARLY = [
    pytest.param(MBS, "foreign-object", "5.4", marks=clause("mbs-roulette:5.4")),
    pytest.param(MBS, "ball-broken", "5.7", marks=clause("mbs-roulette:5.7")),
    pytest.param(MBS, "interference", "5.10", marks=clause("mbs-roulette:5.10")),
    pytest.param(RWS_A, "foreign-object", "5.3.7", marks=clause("rws-roulette-00:5.3.7")),
    pytest.param(RWS_B, "interference", "5.3.8", marks=clause("rws-roulette-00:5.3.8")),
    pytest.param(RWS_A, "ball-broken", "5.4", marks=clause("rws-roulette-00:5.4")),
    pytest.param(RWS_000, "foreign-object", "5.3.7", marks=clause("rws-roulette-000:5.3.7")),
    pytest.param(RWS_000, "interference", "5.3.8", marks=clause("rws-roulette-000:5.3.8")),
    pytest.param(RWS_000, "ball-broken", "5.4", marks=clause("rws-roulette-000:5.4")),
]


@pytest.mark.parametrize(("game", "cause", "number"), EARLY, ids=title)
@pytest.mark.parametrize("point", [BETTING, CLOSED])
def test_what_can_happen_without_a_spin_is_declared_from_the_opening_of_bets(
    game: Game, cause: str, number: str, point: str
) -> None:
    play = played(game, 1)
    before = credits_of_all(play)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {game.bet: STAKE})
    if point == CLOSED:
        advance(play, CLOSED, game)

    voided = only(e.RoundVoided, play.do(DEALER, declared(cause)))

    assert (voided.round, voided.clause) == (2, game.cite(number))
    assert credits_of_all(play) == before


@pytest.mark.parametrize(
    ("game", "causes"),
    [
        pytest.param(MBS, MBS_CAUSES),
        pytest.param(RWS_A, RWS_CAUSES),
        pytest.param(RWS_000, RWS_CAUSES),
        pytest.param(MONEY_WHEEL, WHEEL_CAUSES, marks=clause("rws-money-wheel:5.4.1")),
    ],
    ids=title,
)
def test_what_only_a_spin_can_have_needs_one(game: Game, causes: dict[str, str]) -> None:
    early = {"foreign-object", "interference", "ball-broken", "ball-dropped"}
    for cause, number in causes.items():
        if game is MONEY_WHEEL or cause not in early:
            for point in (BETTING, CLOSED):
                found = played(game, 1, point).refused(DEALER, declared(cause))
                assert (found.code, found.clause) == ("no-spin-yet", game.cite(number)), cause


def test_a_cause_of_a_spin_is_declared_for_a_settled_round_while_the_next_has_none() -> None:
    play = played(MBS, 1, BETTING)

    assert play.do(MANAGER, declared("too-few-revolutions", 1), second=SUPERVISOR)
    found = play.refused(MANAGER, declared("too-few-revolutions", 2))

    assert (found.code, found.facts) == ("no-spin-yet", {"round": 2})


@pytest.mark.parametrize(
    ("book", "value", "source"),
    [
        ("mbs-roulette", "void", "assumption:settled-rounds"),
        ("rws-roulette-00", "stand", "rws-roulette-00:5.3"),
        ("rws-roulette-000", "stand", "rws-roulette-000:5.3"),
        ("rws-money-wheel", "void", "rws-money-wheel:5.4"),
    ],
)
def test_the_book_says_what_becomes_of_settled_rounds(book: str, value: str, source: str) -> None:
    settled = load_book(book).settled

    assert (settled.value, settled.source) == (value, source)

"""The auditor compares each void with the rounds that were named with the irregularity, and with the book."""

from collections.abc import Callable

import msgspec
import pytest

from clauses import clause
from croupier.table import commands as c
from croupier.table import events as e
from floor.forged_events import a_play, but, force, found_in, take_back
from table.rig import DEALER, MANAGER, SUPERVISOR, Play

RWS = "rws-roulette-00"
MBS = "mbs-roulette"
WHEEL = "rws-money-wheel"
REASON = "seen on camera"


def declared(cause: str, *rounds: int) -> c.DeclareIrregularity:
    return c.DeclareIrregularity(cause=cause, rounds=rounds, note=REASON)


def played(book: str = RWS, rounds: int = 1, *, running: bool = False) -> Play:
    """Settled rounds with bets of both seats, and one more with a result registered."""
    play = a_play(book)
    bets = ("symbol:20", "symbol:1", "20") if book == WHEEL else ("red", "black", "1")
    for _ in range(rounds):
        play.round({"1": {bets[0]: 1_000}, "2": {bets[1]: 1_000}}, bets[2])
    if running:
        play.do(DEALER, c.OpenRound())
        play.bet("1", {bets[0]: 500})
        play.to_spinning()
        play.do(DEALER, c.EnterResult(result=bets[2]))
    return play


def voided(play: Play, cause: str, *rounds: int) -> list[e.Event]:
    """What the table writes for an irregularity, taken back for whoever forges it."""
    return take_back(play, play.do(MANAGER, declared(cause, *rounds), second=SUPERVISOR))


def forge(play: Play, events: list[e.Event]) -> Play:
    return force(play, MANAGER, *events, second=SUPERVISOR)


def renamed(events: list[e.Event], *rounds: int) -> list[e.Event]:
    return [
        msgspec.structs.replace(event, named_rounds=rounds)
        if isinstance(event, e.ResultCorrected | e.RoundVoided)
        else event
        for event in events
    ]


def the_running_round_with_an_earlier_one_that_was_named() -> Play:
    play = played(running=True)
    return forge(play, renamed(voided(play, "ball-broken", 1, 2), 1))


def the_running_round_alone_though_another_was_named() -> Play:
    play = played(running=True)
    return forge(play, but(voided(play, "ball-broken"), e.RoundVoided, named_rounds=(1,)))


def a_settled_round_that_was_not_named() -> Play:
    play = played(rounds=2)
    return forge(play, renamed(voided(play, "ball-broken", 1, 2), 1))


def a_settled_round_though_none_was_named() -> Play:
    play = played()
    return forge(play, renamed(voided(play, "ball-broken", 1)))


def records_of_one_command_that_name_different_rounds() -> Play:
    play = played(running=True)
    return forge(play, but(voided(play, "ball-broken", 1, 2), e.RoundVoided, named_rounds=(2,)))


def a_settled_round_of_rws_by_what_voids_the_current_one() -> Play:
    play = played()
    clause_id = "rws-roulette-00:5.3.4"
    events = but(voided(play, "ball-broken", 1), e.ResultCorrected, cause="ball-out", clause=clause_id)
    return forge(play, but(events, e.SeatCorrected, clause=clause_id))


def a_settled_round_of_the_money_wheel_once_the_next_has_begun() -> Play:
    play, elsewhere = played(WHEEL, running=True), played(WHEEL)
    return forge(play, voided(elsewhere, "interference", 1))


def a_settled_round_by_a_call_of_no_spin() -> Play:
    play = played(MBS)
    clause_id = "mbs-roulette:5.15"
    events = but(voided(play, "ball-out", 1), e.ResultCorrected, cause="no-spin", clause=clause_id)
    return forge(play, but(events, e.SeatCorrected, clause=clause_id))


def a_decision_that_names_rounds() -> Play:
    play = played()
    events = take_back(
        play, play.do(MANAGER, c.CorrectResult(round=1, result="2", reason=REASON), second=SUPERVISOR)
    )
    return forge(play, but(events, e.ResultCorrected, named_rounds=(1,)))


def a_call_of_no_spin_that_names_rounds() -> Play:
    play = played(MBS, running=True)
    events = take_back(play, play.do(DEALER, c.CallNoSpin(reason=REASON)))
    return forge(play, but(events, e.RoundVoided, named_rounds=(2,)))


FORGED: dict[Callable[[], Play], str] = {
    the_running_round_with_an_earlier_one_that_was_named: "round 2 is void, and round 1 was named",
    the_running_round_alone_though_another_was_named: "round 2 is void, and round 1 was named",
    a_settled_round_that_was_not_named: "round 2 is settled and void, and it was not named",
    a_settled_round_though_none_was_named: "round 1 is settled and void, and it was not named",
    records_of_one_command_that_name_different_rounds: (
        "by this record round 2 was named with the irregularity, and by another rounds 1, 2 were"
    ),
    a_settled_round_of_rws_by_what_voids_the_current_one: (
        "ball-out does not void a settled round, which stands by rws-roulette-00:5.3"
    ),
    a_settled_round_of_the_money_wheel_once_the_next_has_begun: (
        "round 1 stands, because the next one has begun"
    ),
    a_settled_round_by_a_call_of_no_spin: "no-spin does not void a settled round",
    a_decision_that_names_rounds: "rounds are named with an irregularity, and this is none",
    a_call_of_no_spin_that_names_rounds: "rounds are named with a void by no-spin, which nobody declares",
}


@pytest.mark.parametrize("scene", FORGED, ids=lambda scene: scene.__name__)
@clause("rws-roulette-00:5.4", "rws-roulette-00:5.6")
def test_a_void_that_was_not_asked_for_is_found(scene: Callable[[], Play]) -> None:
    misfit = found_in(scene())

    assert misfit is not None
    assert misfit.reason == FORGED[scene]


@clause("rws-roulette-00:5.4")
def test_a_round_that_was_named_and_is_not_void_is_found() -> None:
    play = played(rounds=2)
    forge(play, renamed(voided(play, "ball-broken", 1), 1, 2))

    misfit = found_in(play)

    assert misfit is not None
    assert "round 2 was named and is not void" in misfit.reason


@pytest.mark.parametrize(
    ("book", "cause"),
    [
        (RWS, "ball-broken"),
        ("rws-roulette-000", "ball-broken"),
        (MBS, "too-few-revolutions"),
        (MBS, "interference"),
    ],
)
@pytest.mark.parametrize("rounds", [(1,), (2,), (3,), (), (1, 3), (3, 1, 2), (2, 2)], ids=str)
def test_what_the_table_writes_fits(book: str, cause: str, rounds: tuple[int, ...]) -> None:
    play = played(book, 2, running=True)
    play.do(MANAGER, declared(cause, *rounds), second=SUPERVISOR)

    assert found_in(play) is None


@pytest.mark.parametrize("cause", ["interference", "no-compartment", "too-few-revolutions"])
@clause("rws-money-wheel:5.4")
def test_what_the_money_wheel_writes_before_the_next_round_fits(cause: str) -> None:
    play = played(WHEEL, 2)
    play.do(MANAGER, declared(cause, 2), second=SUPERVISOR)

    assert found_in(play) is None


def test_a_settled_round_that_one_person_voids_is_found() -> None:
    play = played(MBS)
    force(play, MANAGER, *voided(play, "interference", 1))

    misfit = found_in(play)

    assert misfit is not None
    assert misfit.reason == "void-settled-rounds takes two people, and manager-1 was alone"

"""A table that keeps few rounds corrects those it keeps, also while another round ends."""

from croupier.table import Rejection, decide
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SUPERVISOR, Play, only


def test_a_broken_ball_voids_the_oldest_kept_round_with_the_one_that_runs() -> None:
    play = Play("rws-roulette-000", rounds_kept=1).open(("1",), 10_000)
    play.round({"1": {"red": 1_000}}, "1")
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    play.to_spinning()

    events = play.do(MANAGER, c.DeclareIrregularity(cause="ball-broken", rounds=(1, 2)), SUPERVISOR)

    assert [type(event) for event in events] == [
        e.SeatReturned,
        e.ResultCorrected,
        e.SeatCorrected,
        e.RoundVoided,
    ]
    assert only(e.RoundVoided, events).round == 2
    assert play.credits("1") == 10_000


def test_what_is_no_longer_kept_has_to_be_recalled_before_anything_moves() -> None:
    play = Play("rws-roulette-000", rounds_kept=1).open(("1",), 10_000)
    play.round({"1": {"red": 1_000}}, "1")
    play.round({"1": {"red": 1_000}}, "1")

    correction = c.CorrectResult(round=1, result="2", reason="the camera shows 2")

    command = play.command(MANAGER, correction, SUPERVISOR)
    found = decide(play.rules, play.state, command)
    assert isinstance(found, Rejection)
    assert (found.code, found.facts) == ("round-not-recalled", {"round": 1})

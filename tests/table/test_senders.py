"""A sender numbers its commands: a repeated number gets the first answer again and changes nothing."""

import sys

import msgspec
import pytest

from croupier.table import Stake, evolve, replay
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR, Play, player
from table.scenes import BETTING, IDLE, at


def numbered(
    play: Play, number: int, cents: int = 100, bet: str = "red", sender: str = "screen"
) -> c.Command:
    """A bet of seat 1 under a number of the sender's own choice."""
    do = c.PlaceBets(seat="1", stakes=(Stake(bet, cents),))
    return c.Command(at_ms=play.at_ms, actor=player("1"), sender=sender, number=number, do=do)


def test_a_repeated_command_gets_the_same_answer_and_changes_nothing() -> None:
    play = at(BETTING)
    first = play.submit(numbered(play, 50))
    before = play.state_without_memory()

    again = play.submit(numbered(play, 50))

    assert (again.repeated, again.entries) == (True, ())
    assert (again.rejection, again.first, again.last) == (first.rejection, first.first, first.last)
    assert play.state_without_memory() == before
    assert (first.repeated, len(first.entries)) == (False, 1)


def test_a_repeat_points_to_all_events_that_the_command_led_to() -> None:
    play = at("resulted")
    do = c.ConfirmResult(result="17")
    command = c.Command(at_ms=play.at_ms, actor=DEALER, sender="console", number=1, do=do)

    first, again = play.submit(command), play.submit(command)

    assert (first.last - first.first + 1, len(first.entries)) == (4, 4)
    assert (again.first, again.last) == (first.first, first.last)
    assert play.entries[first.first - 1 : first.last] == [*first.entries]


def test_a_refused_command_is_refused_again_even_when_it_would_be_allowed_by_then() -> None:
    play = at(BETTING)
    first = play.submit(numbered(play, 50, bet="finales:3"))
    late = play.submit(numbered(play, 51, cents=10_000_000))
    play.do(player("1"), c.BuyCredits(seat="1", cents=20_000_000))

    again = play.submit(numbered(play, 51, cents=10_000_000))

    assert first.rejection is not None
    assert late.rejection is not None
    assert (again.rejection, again.repeated, again.entries) == (late.rejection, True, ())
    assert play.submit(numbered(play, 52, cents=100)).rejection is None


def test_a_repeat_is_known_whenever_it_comes_and_whoever_it_names() -> None:
    play = at(BETTING)
    play.submit(numbered(play, 50))
    play.wait(3600)
    command = msgspec.structs.replace(numbered(play, 50), actor=DEALER, second=SUPERVISOR)

    assert play.submit(command).repeated


@pytest.mark.parametrize(
    "do",
    [
        c.PlaceBets(seat="1", stakes=(Stake("red", 101),)),
        c.PlaceBets(seat="1", stakes=(Stake("black", 100),)),
        c.TakeBets(seat="1", stakes=(Stake("red", 100),)),
        c.ClearBets(seat="1"),
    ],
)
def test_a_number_that_was_used_for_something_else_is_refused_and_not_recorded(do: c.Do) -> None:
    play = at(BETTING)
    play.submit(numbered(play, 50))
    before = len(play.entries)

    reply = play.submit(msgspec.structs.replace(numbered(play, 50), do=do))

    assert reply.rejection is not None
    assert (reply.rejection.code, reply.rejection.facts) == ("number-reused", {"number": 50})
    assert (reply.entries, len(play.entries)) == ((), before)
    assert play.submit(numbered(play, 50)).repeated, "the first answer is still known"


def test_the_same_number_of_another_sender_is_another_command() -> None:
    play = at(BETTING)

    replies = [play.submit(numbered(play, 50, sender=sender)) for sender in ("screen", "handheld")]

    assert [reply.repeated for reply in replies] == [False, False]
    assert play.state.seats["1"].stakes["red"] == 200


def test_numbers_may_leave_gaps_and_come_out_of_order() -> None:
    play = at(BETTING)

    for number in (90, 70, 200, 71, 1):
        reply = play.submit(numbered(play, number))
        assert (reply.rejection, reply.repeated) == (None, False)

    assert play.state.seats["1"].stakes["red"] == 500


def test_only_the_last_answers_are_kept_and_older_numbers_are_refused() -> None:
    play = at(BETTING, answers_kept=3)
    for number in (60, 61, 62, 63):
        play.submit(numbered(play, number))

    forgotten = play.submit(numbered(play, 60))

    assert forgotten.rejection is not None
    assert (forgotten.rejection.code, forgotten.rejection.facts) == ("number-too-old", {"number": 60})
    assert forgotten.rejection.sentence == "Number 60 is too old; use one above 63."
    assert forgotten.entries == ()
    assert [play.submit(numbered(play, number)).repeated for number in (61, 62, 63)] == [True] * 3
    assert [*play.state.answers["screen"]] == [61, 62, 63]
    assert play.state.seats["1"].stakes["red"] == 400


def test_a_number_that_was_never_used_but_is_older_than_the_window_is_refused_too() -> None:
    play = at(BETTING, answers_kept=2)
    for number in (60, 65):
        play.submit(numbered(play, number))

    below, within = play.submit(numbered(play, 59)), play.submit(numbered(play, 62))

    assert below.rejection is not None
    assert below.rejection.code == "number-too-old"
    assert within.rejection is None
    assert {*play.state.answers["screen"]} == {62, 65}, "60 was the oldest"


def test_senders_are_forgotten_when_there_are_too_many_the_longest_silent_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.modules[evolve.__module__], "SENDERS_KEPT", 3)
    play = at(BETTING)
    for sender in ("a", "b", "c"):
        play.submit(numbered(play, 1, sender=sender))
    play.submit(numbered(play, 2, sender="a"))

    play.submit(numbered(play, 1, sender="d"))

    assert [*play.state.answers] == ["c", "a", "d"]


def test_answers_are_part_of_what_the_history_leads_to() -> None:
    play = at(BETTING)
    play.submit(numbered(play, 50))
    play.submit(numbered(play, 51, cents=10_000_000))

    recovered = replay(play.rules, play.entries)

    assert recovered == play.state
    assert recovered.answers["screen"][51].rejection is not None


def test_what_a_refusal_leaves_behind_is_its_answer_alone() -> None:
    play = at(IDLE)

    reply = play.ask(SHIFT_MANAGER, c.ResumeTable(reason="looked"))

    assert reply.rejection is not None
    assert [entry.event for entry in reply.entries] == [
        e.CommandRefused(command="resume-table", rejection=reply.rejection)
    ]

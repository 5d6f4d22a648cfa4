"""A command may name the round it is meant for: held up on its way, it is not carried out in another one."""

import msgspec
import pytest

from croupier.table import Actor, Do, Reply, Stake, may
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.at_once import play as at_once
from table.rig import DEALER, SENSOR, SHIFT_MANAGER, SUPERVISOR, Play, player
from table.scenes import BETTING, SETTLED, at

ONE = player("1")
RED = c.PlaceBets(seat="1", stakes=(Stake("red", 500),))
MBS, WHEEL = "mbs-roulette", "rws-money-wheel"


def meant(play: Play, actor: Actor, do: Do, round_: int | None) -> c.Command:
    """A command with the round that it is meant for."""
    return msgspec.structs.replace(play.command(actor, do), round=round_)


def in_round_two(book: str = MBS) -> Play:
    """A table whose second round takes bets."""
    play = Play(book).open(("1", "2"))
    play.round({}, "20")
    play.do(DEALER, c.OpenRound())
    return play


@pytest.mark.parametrize(
    ("book", "actor", "do", "clause"),
    [
        (MBS, ONE, RED, "mbs-roulette:5.12"),
        (
            MBS,
            ONE,
            c.PlaceBets(seat="1", stakes=(Stake("red", 500), Stake("tiers", 500))),
            "mbs-roulette:5.12",
        ),
        (MBS, DEALER, c.CloseBets(), None),
        (MBS, DEALER, c.CallNoSpin(reason="the ball was dropped"), None),
        (MBS, DEALER, c.OpenRound(), None),
        (MBS, DEALER, c.StartSpin(), None),
        (MBS, SENSOR, c.CommitSpin(commitment="0" * 64), None),
        (MBS, SUPERVISOR, c.DeclareIrregularity(cause="ball-out"), None),
        (WHEEL, ONE, c.PlaceBets(seat="1", stakes=(Stake("symbol:1", 5_000),)), "rws-money-wheel:5.6"),
        (WHEEL, DEALER, c.RejectExcess(bet="symbol:1"), "rws-money-wheel:5.1.1"),
        (WHEEL, DEALER, c.AdviseMinimum(seat="1", bet="symbol:1"), "rws-money-wheel:5.2.1"),
    ],
)
def test_what_was_meant_for_an_earlier_round_does_nothing(
    book: str, actor: Actor, do: Do, clause: str | None
) -> None:
    play = in_round_two(book)
    before = play.state_without_memory()
    command = meant(play, actor, do, 1)

    asked = may(play.rules, play.state, command)
    found = play.submit(command).rejection

    assert found is not None
    assert asked == found
    assert (found.code, found.facts, found.clause) == ("another-round", {"meant": 1, "round": 2}, clause)
    assert found.sentence == "This was meant for round 1, and the table is at round 2."
    assert play.state_without_memory() == before
    assert isinstance(play.entries[-1].event, e.CommandRefused)


@pytest.mark.parametrize("do", [c.TakeBets(seat="1", stakes=RED.stakes), c.ClearBets(seat="1")])
def test_stakes_of_this_round_stay_where_they_lie(do: Do) -> None:
    play = in_round_two()
    play.bet("1", {"red": 1_000})

    found = play.submit(meant(play, ONE, do, 1)).rejection

    assert found is not None
    assert (found.code, found.clause) == ("another-round", play.rules.cite("late-withdrawal"))
    assert play.state.seats["1"].stakes == {"red": 1_000}


@pytest.mark.parametrize("round_", [2, None])
def test_what_is_meant_for_this_round_or_for_any_is_carried_out(round_: int | None) -> None:
    play = in_round_two()
    bet = c.PlaceBets(seat="1", stakes=(Stake("red", 1_000),))

    assert play.submit(meant(play, ONE, bet, round_)).rejection is None
    assert play.submit(meant(play, DEALER, c.CloseBets(), round_)).rejection is None
    assert play.state.seats["1"].stakes == {"red": 1_000}


def test_between_two_rounds_the_last_one_counts() -> None:
    play = at(SETTLED)
    late = play.submit(meant(play, ONE, RED, 1)).rejection
    assert late is not None
    assert late.code == "no-round"
    assert play.submit(meant(play, DEALER, c.OpenRound(), 1)).rejection is None
    play.do(DEALER, c.CallNoSpin(reason="a test"))

    twice = play.submit(meant(play, DEALER, c.OpenRound(), 1)).rejection

    assert twice is not None
    assert (twice.code, play.state.round) == ("another-round", None)


def test_who_may_not_is_told_so_and_a_halted_table_says_so_first() -> None:
    play = in_round_two()
    assert code_of(play.submit(meant(play, ONE, c.CloseBets(), 1))) == "not-allowed"
    play.do(Actor(id="timer", position="system"), c.HaltTable(reason="stuck"))
    assert code_of(play.submit(meant(play, DEALER, c.CloseBets(), 1))) == "table-halted"
    play.do(SHIFT_MANAGER, c.ResumeTable(reason="looked"))
    assert code_of(play.submit(meant(play, DEALER, c.CloseBets(), 1))) == "another-round"


def code_of(reply: Reply) -> str | None:
    return None if reply.rejection is None else reply.rejection.code


def test_a_repeated_number_gets_its_first_answer_whatever_round_it_names() -> None:
    play = at(BETTING)
    command = meant(play, ONE, RED, 1)
    first = play.submit(command)
    play.do(DEALER, c.CallNoSpin(reason="a test"))
    play.do(DEALER, c.OpenRound())

    again = [play.submit(msgspec.structs.replace(command, round=round_)) for round_ in (1, 2, None)]

    assert first.rejection is None
    assert [(reply.repeated, reply.rejection, reply.last) for reply in again] == [
        (True, None, first.last)
    ] * 3
    late = meant(play, ONE, RED, 1)
    refused, anew = play.submit(late), play.submit(msgspec.structs.replace(late, round=2))
    assert code_of(refused) == code_of(anew) == "another-round"
    assert anew.repeated


def test_the_short_way_looks_at_the_round_as_well() -> None:
    play = at(BETTING)
    play.bet("1", {"red": 500})

    late = at_once(play.rules, play.state, meant(play, ONE, RED, 7))
    right = at_once(play.rules, play.state, meant(play, ONE, RED, 1))

    assert (code_of(late), code_of(right)) == ("another-round", None)

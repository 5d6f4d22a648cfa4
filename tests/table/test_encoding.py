"""Everything that is written down or sent survives the way there and back."""

import typing

import msgspec
import pytest

from croupier.table import Actor, Command, Do, Entry, Event, Limits, NamedBet, Range, Stake, State, replay
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import SUPERVISOR
from table.scenes import BETTING, CLOSED, IDLE, ONE_A_BOOK, RESULTED, SETTLED, SPINNING, Game, at, title
from table.stories import TOLD, told

LIMITS = Limits(bets={"red": Range(minimum_cents=1, maximum_cents=2)}, spots={"red": 3}, seat_cents=4)

RECALLED = e.RecalledSeat(
    seat="1",
    visit=2,
    layout="main",
    fresh_from=3,
    lines=(e.Line("red", 5, 5, True, 10),),
    returned_cents=10,
    written_off_cents=1,
    written_off_at_cents=9,
    by_hand_cents=-2,
)

EVERY_COMMAND: tuple[Do, ...] = (
    c.OpenTable(),
    c.CloseTable(),
    c.AnnounceLastRound(),
    c.HaltTable(reason="why"),
    c.ResumeTable(reason="why"),
    c.ChangeLimits(limits=LIMITS, reason="why"),
    c.OpenSeat(seat="1", kind="rapid"),
    c.CloseSeat(seat="1"),
    c.LoseSeat(seat="1"),
    c.RestoreSeat(seat="1"),
    c.BuyCredits(seat="1", cents=5, voucher="V1"),
    c.CashOut(seat="1", voucher="V1"),
    c.PayByAttendant(seat="1"),
    c.ClearLockUp(seat="1"),
    c.CallAttendant(seat="1", reason="payout"),
    c.AnswerCall(seat="1"),
    c.PlaceBets(seat="1", stakes=(Stake("red", 5), Stake("tiers", 6))),
    c.TakeBets(seat="1", stakes=(Stake("red", 5),)),
    c.MoveBet(seat="1", source="red", destination="black", cents=5),
    c.ClearBets(seat="1"),
    c.RejectExcess(bet="symbol:20"),
    c.AdviseMinimum(seat="1", bet="symbol:20"),
    c.RejectAdvised(seat="1", bet="symbol:20"),
    c.OpenRound(),
    c.WarnClosing(),
    c.CloseBets(),
    c.StartSpin(ball="clockwise", wheel="counter-clockwise", wheel_turning=True, rotor_tenths_rpm=251),
    c.FinishSpin(revolutions=4, pocket="17", at_rest=True, rotor_tenths_rpm=249, diamond=3),
    c.EnterResult(result="00"),
    c.ConfirmResult(result="00"),
    c.CallNoSpin(reason="why"),
    c.DeclareIrregularity(cause="ball-broken", rounds=(1, 2), note="halves"),
    c.CorrectResult(round=1, result="000", reason="why"),
    c.SettleCarried(round=1, seat="1", how="paid", cents=5, reason="why"),
    c.Interrupt(began_ms=12),
    c.DeclareInterruption(reason="why", spun=True),
    c.StateOutcome(result=None),
    c.UpholdResult(round=1, reason="why"),
    c.Decide(ruling="return-bets", reason="why", round=1, bets=(NamedBet("1", "red"),)),
    c.RecallRound(round=1, read_to=9, phase="settled", result="17", limits=LIMITS, seats=(RECALLED,)),
    c.ReportWheel(fault="line-lost", detail="silent for 2.0 s"),
    c.CommitSpin(commitment="5e" * 32),
    c.OpenCommitment(round=1, opening="17"),
)


def test_the_list_of_commands_is_whole() -> None:
    assert [type(do) for do in EVERY_COMMAND] == [*typing.get_args(Do)]


@pytest.mark.parametrize("do", EVERY_COMMAND, ids=lambda do: type(do).__name__)
def test_a_command_comes_back_as_it_was(do: Do) -> None:
    actor = Actor(id="terminal-1", position="player", seat="1")
    command = Command(at_ms=12, actor=actor, sender="screen", number=7, do=do, second=SUPERVISOR)

    assert msgspec.json.decode(msgspec.json.encode(command), type=Command) == command
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(command), type=Command) == command


def test_the_stories_tell_of_every_kind_of_event() -> None:
    happened = {type(entry.event) for game in TOLD for entry in told(game).entries}

    assert happened == {*typing.get_args(Event)}


@pytest.mark.parametrize("game", TOLD, ids=title)
def test_a_whole_history_comes_back_as_it_was(game: Game) -> None:
    play = told(game)

    lines = [msgspec.json.encode(entry) for entry in play.entries]
    decoded = [msgspec.json.decode(line, type=Entry) for line in lines]

    assert decoded == play.entries
    assert [type(entry.event) for entry in decoded] == [type(entry.event) for entry in play.entries]
    assert replay(play.rules, decoded) == play.state


@pytest.mark.parametrize("game", ONE_A_BOOK, ids=title)
@pytest.mark.parametrize("point", [IDLE, BETTING, CLOSED, SPINNING, RESULTED, SETTLED])
def test_a_state_comes_back_as_it_was_at_any_point_of_a_round(game: Game, point: str) -> None:
    state = at(point, game).state

    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


@pytest.mark.parametrize("game", TOLD, ids=title)
def test_a_state_with_a_long_history_comes_back_as_it_was(game: Game) -> None:
    state = told(game).state

    decoded = msgspec.json.decode(msgspec.json.encode(state), type=State)

    assert decoded == state
    assert msgspec.json.encode(decoded) == msgspec.json.encode(state)


def test_what_is_no_command_is_not_taken_for_one() -> None:
    with pytest.raises(msgspec.ValidationError, match="type"):
        msgspec.json.decode(b'{"type": "win-everything"}', type=Do)

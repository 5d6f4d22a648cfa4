"""Long stories of a table in which everything happens that can happen in a game."""

from functools import cache

from croupier.table import NamedBet, Stake
from croupier.table import commands as c
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player, wide_limits
from table.scenes import MBS, MONEY_WHEEL, RWS_000, Game, correct, table, valid_spin

TOLD: tuple[Game, ...] = (MBS, RWS_000, MONEY_WHEEL)


@cache
def told(game: Game) -> Play:
    """A table at which every kind of event of a game has happened; nobody plays on at it."""
    play = table(
        game, seats=("1", "2", "3"), lock_up_cents=10_000, voucher_limit_cents=200_000, rounds_kept=8
    )
    _bet_and_settle(play, game)
    _correct_and_leave(play, game)
    _void_and_interrupt(play, game)
    _lose_and_decide(play, game)
    if game is MONEY_WHEEL:
        _sort_out_boxes(play)
    if game is RWS_000:
        _break_the_ball(play, game)
        _cover_a_shortfall(play, game)
    _halt_and_close(play)
    return play


def _bet_and_settle(play: Play, game: Game) -> None:
    """Round 1: bets change, the timer closes, a wrong entry is put right, seat 1 wins and is locked."""
    play.refused(player("1"), c.PlaceBets(seat="1", stakes=(Stake(game.bet, 500),)))
    play.do(DEALER, c.OpenRound())
    play.do(SENSOR, c.CommitSpin(commitment="5e" * 32))
    play.bet("1", {game.bet: 1_500})
    play.bet("2", {game.other: 1_000, game.bet: 500})
    play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake(game.bet, 500),)))
    play.do(player("2"), c.MoveBet(seat="2", source=game.bet, destination=game.other, cents=500))
    play.refused(player("1"), c.PlaceBets(seat="2", stakes=(Stake(game.bet, 500),)))
    play.do(TIMER, c.WarnClosing())
    play.wait(30)
    play.do(TIMER, c.CloseBets())
    play.do(DEALER, valid_spin(game))
    play.do(SENSOR, c.ReportWheel(fault="line-garbled", detail="half a line"))
    play.do(SENSOR, c.FinishSpin(revolutions=7, rotor_tenths_rpm=240))
    play.do(TIMER, c.ReportWheel(fault=None))
    play.do(DEALER, c.EnterResult(result=game.loses))
    play.do(DEALER, c.CorrectResult(round=1, result=game.wins, reason="a slip of the hand"))
    play.do(DEALER, c.ConfirmResult(result=game.wins))
    play.do(SENSOR, c.OpenCommitment(round=1, opening=game.wins))


def _correct_and_leave(play: Play, game: Game) -> None:
    """Round 1 again: seat 1 has left with the win when it is corrected, and brings it; seat 2 wins."""
    play.do(player("1"), c.CallAttendant(seat="1", reason="payout"))
    play.do(SUPERVISOR, c.ClearLockUp(seat="1"))
    play.do(SUPERVISOR, c.AnswerCall(seat="1"))
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=50_000, voucher="V0"))
    correct(play, 1, game.loses)
    short = -play.state.kept[1].seats["1"].carried_cents
    brought = c.SettleCarried(round=1, seat="1", how="collected", cents=short, reason="brought back")
    play.do(MANAGER, brought, second=SUPERVISOR)
    play.ask(SUPERVISOR, c.ClearLockUp(seat="2"))


def _void_and_interrupt(play: Play, game: Game) -> None:
    """Round 2 is void; round 3 is interrupted and concluded by what stands on the wheel."""
    play.do(DEALER, c.OpenRound())
    play.bet("2", {game.other: 1_000})
    play.to_spinning()
    play.do(DEALER, c.DeclareIrregularity(cause="interference", note="a sleeve"))
    play.do(DEALER, c.OpenRound())
    play.bet("3", {game.bet: 1_000})
    play.to_spinning()
    play.do(TIMER, c.Interrupt(began_ms=play.at_ms))
    play.do(SUPERVISOR, c.StateOutcome(result=game.loses))


def _lose_and_decide(play: Play, game: Game) -> None:
    """Round 4: a terminal is lost with a bet on; the shift manager returns a bet of another seat."""
    play.do(DEALER, c.OpenRound())
    play.bet("2", {game.other: 1_000})
    play.bet("3", {game.bet: 1_000})
    play.do(TIMER, c.LoseSeat(seat="3"))
    bets = (NamedBet("2", game.other),)
    play.do(SHIFT_MANAGER, c.Decide(ruling="return-bets", reason="a stuck screen", round=4, bets=bets))
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result=game.loses))
    play.do(DEALER, c.ConfirmResult(result=game.loses))
    play.do(TIMER, c.RestoreSeat(seat="3"))
    play.do(SENSOR, c.FinishSpin(revolutions=9, pocket=game.wins))
    play.do(MANAGER, c.UpholdResult(round=4, reason="the film shows it"), SUPERVISOR)


def _sort_out_boxes(play: Play) -> None:
    """Round 5: a box goes over its maximum and another stays under its minimum."""
    limits = wide_limits(play.rules, 1_000, 5_000)
    play.do(MANAGER, c.ChangeLimits(limits=limits, reason="a quiet hour"), second=SUPERVISOR)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"symbol:3": 4_000, "symbol:5": 10})
    play.do(DEALER, c.PlaceBets(seat="2", stakes=(Stake("symbol:3", 2_000), Stake("symbol:10", 9_000))))
    play.do(DEALER, c.AdviseMinimum(seat="1", bet="symbol:5"))
    play.do(DEALER, c.RejectExcess(bet="symbol:3"))
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="10"))
    play.do(DEALER, c.ConfirmResult(result="10"))
    play.do(SUPERVISOR, c.ClearLockUp(seat="2"))


def _break_the_ball(play: Play, game: Game) -> None:
    """Round 5 is settled and then void, because its ball was broken; round 6 runs and is void too."""
    play.round({"1": {game.bet: 1_000}, "2": {game.other: 1_000}}, game.loses)
    play.do(DEALER, c.OpenRound())
    play.bet("3", {game.bet: 1_000})
    play.to_spinning()
    play.do(MANAGER, c.DeclareIrregularity(cause="ball-broken", rounds=(5, 6)), second=SUPERVISOR)
    play.ask(SUPERVISOR, c.ClearLockUp(seat="2"))


def _cover_a_shortfall(play: Play, game: Game) -> None:
    """Seat 3 wins, loses all, and neither was so: what the second round gives back covers the first."""
    play.round({"3": {game.bet: 100}}, game.wins)
    play.round({"3": {"even": play.credits("3")}}, "1")
    first = play.state.round_number - 1
    correct(play, first, game.loses)
    correct(play, first + 1, "2")
    for _ in range(play.state.settings.rounds_kept):
        play.round({}, "0")
    correct(play, first, game.wins)


def _halt_and_close(play: Play) -> None:
    """The table is halted and resumed, limits change, everybody is paid, and it closes."""
    play.do(TIMER, c.HaltTable(reason="the books do not balance"))
    play.do(SHIFT_MANAGER, c.ResumeTable(reason="a counter was read twice"))
    limits = wide_limits(play.rules, 200, 400_000)
    play.do(MANAGER, c.ChangeLimits(limits=limits, reason="a busy evening"), second=SUPERVISOR)
    play.do(DEALER, c.AnnounceLastRound())
    play.round({}, play.rules.book.wheel.order[0])
    play.do(SUPERVISOR, c.CloseTable())
    play.do(TIMER, c.LoseSeat(seat="3"))
    for seat in ("1", "2", "3"):
        if seat == "3" or play.credits(seat) > 200_000:
            play.do(SUPERVISOR, c.PayByAttendant(seat=seat), DEALER)
        else:
            play.do(player(seat), c.CashOut(seat=seat, voucher=f"V-last-{seat}"))
        play.do(DEALER, c.CloseSeat(seat=seat))

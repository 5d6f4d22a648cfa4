"""Short tables with a bit of everything, for audits that look at each record."""

from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player, wide_limits

REASON = "seen on camera"


def roulette() -> Play:
    """Three rounds of two seats: settled and corrected, void, settled with a lock-up; then a voucher."""
    play = Play(lock_up_cents=30_000).open(("1", "2"), 50_000)
    play.round({"1": {"red": 1_000, "straight:17": 500}, "2": {"black": 2_000}}, "17")
    play.do(MANAGER, c.CorrectResult(round=1, result="16", reason=REASON), second=SUPERVISOR)
    play.wait(5)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"tiers": 100})
    play.do(player("1"), c.TakeBets(seat="1", stakes=(c.Stake("split:5/8", 100),)))
    play.to_spinning()
    play.do(DEALER, c.CallNoSpin(reason=REASON))
    play.wait(5)
    play.round({"2": {"straight:8": 1_000, "even": 1_000}}, "8")
    play.do(SUPERVISOR, c.ClearLockUp(seat="2"))
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    play.refused(player("1"), c.CashOut(seat="1", voucher="V-2"))
    return play


def shortfall() -> Play:
    """A win that was paid out and spent before its round was corrected; one seat's player has left."""
    play = Play().open(("1", "2"), 10_000)
    play.round({"1": {"straight:17": 1_000}, "2": {"straight:17": 1_000}}, "17")
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    play.round({"2": {"red": 40_000}}, "2")
    play.do(MANAGER, c.CorrectResult(round=1, result="18", reason=REASON), second=SUPERVISOR)
    bets = (c.NamedBet("2", "red"),)
    decision = c.Decide(ruling="return-bets", reason=REASON, round=2, bets=bets)
    play.do(SHIFT_MANAGER, decision, second=SUPERVISOR)
    return play


def interrupted() -> Play:
    """Two interruptions: one voids a round with open bets, one waits for the outcome."""
    play = Play().open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    began = play.at_ms
    play.wait(20)
    play.do(TIMER, c.Interrupt(began_ms=began))
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    play.to_spinning()
    play.do(TIMER, c.Interrupt(began_ms=play.at_ms))
    play.do(SUPERVISOR, c.StateOutcome(result="3"))
    return play


def money_wheel() -> Play:
    """A box over its maximum: once rejected, latest first, and once apportioned."""
    rules = Rules(load_book("rws-money-wheel"))
    play = Play("rws-money-wheel", limits=wide_limits(rules, 1_000, 100_000)).open(("1", "2", "3"), 200_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"symbol:20": 80_000})
    play.bet("2", {"symbol:20": 60_000})
    play.do(DEALER, c.RejectExcess(bet="symbol:20"))
    play.bet("2", {"symbol:20": 40_000})
    play.bet("3", {"symbol:20": 500})
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="20"))
    play.do(DEALER, c.ConfirmResult(result="20"))
    return play

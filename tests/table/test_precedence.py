"""Where several reasons apply, the first in the order of the codes is given."""

from itertools import pairwise

from croupier.rulebook import load_book
from croupier.table import CODES, Actor, Do, Rules, Stake
from croupier.table import commands as c
from table.rig import DEALER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player, wide_limits
from table.scenes import BETTING, IDLE, at

ORDER = [*CODES]
SECOND = Actor(id="supervisor-2", position="pit-supervisor")


class Chain:
    """Asks for the same thing again and again while its faults are removed one by one."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.codes: list[str] = []

    def ask(self, actor: Actor, do: Do, second: Actor | None = None) -> str:
        code = self.play.refused(actor, do, second).code
        self.codes.append(code)
        return code

    def check(self) -> None:
        """The codes came in the order in which they are listed, none twice."""
        for first, then in pairwise(self.codes):
            assert ORDER.index(first) < ORDER.index(then), self.codes


def stakes(*bets: tuple[str, int], seat: str = "1") -> c.PlaceBets:
    return c.PlaceBets(seat=seat, stakes=tuple(Stake(bet, cents) for bet, cents in bets))


def test_a_bet_with_every_fault_is_told_them_one_by_one() -> None:
    limits = wide_limits(
        Rules(load_book("mbs-roulette")),
        100,
        5_000,
        seat_cents=9_000,
        spots={"split": 3_000},
        table_cents=8_000,
        exposure_cents=50_000,
    )
    play = at(IDLE, limits=limits, lock_up_cents=1_000, cents=20_000)
    chain, owner = Chain(play), player("1")
    lock_seat_1(play)
    play.do(TIMER, c.LoseSeat(seat="1"))
    play.do(DEALER, c.AnnounceLastRound())
    play.round({}, "0")
    play.do(SUPERVISOR, c.CloseTable())
    play.do(TIMER, c.HaltTable(reason="stuck"))

    assert chain.ask(SENSOR, stakes(("red", 0), ("purple", 5), seat="9")) == "unknown-seat"
    assert chain.ask(SENSOR, stakes(("red", 0), ("purple", 5))) == "unknown-bet"
    assert chain.ask(SENSOR, stakes(("red", 0), ("finales:3", 5))) == "bad-amount"
    faulty = stakes(("red", 6_000), ("finales:3", 10))
    assert chain.ask(SENSOR, faulty) == "not-allowed"
    assert chain.ask(player("2"), faulty) == "not-your-seat"
    assert chain.ask(owner, faulty, SECOND) == "players-own-act"
    assert chain.ask(owner, faulty) == "table-halted"
    play.do(SHIFT_MANAGER, c.ResumeTable(reason="looked"))
    assert chain.ask(owner, faulty) == "table-closed"
    play.do(SUPERVISOR, c.OpenTable())
    assert chain.ask(owner, faulty) == "no-round"
    play.do(DEALER, c.OpenRound())
    play.do(DEALER, c.CloseBets())
    assert chain.ask(owner, faulty) == "bets-closed"
    play.do(DEALER, c.CallNoSpin(reason="a test"))
    play.do(DEALER, c.OpenRound())
    assert chain.ask(owner, faulty) == "seat-lost"
    play.do(TIMER, c.RestoreSeat(seat="1"))
    assert chain.ask(owner, faulty) == "seat-locked"
    play.do(SUPERVISOR, c.ClearLockUp(seat="1"))
    assert chain.ask(owner, faulty) == "announced-not-offered"
    faulty = stakes(("red", 6_000), ("tiers", 3_010), ("straight:17", 50))
    assert chain.ask(owner, faulty) == "not-enough-credits"
    play.do(owner, c.BuyCredits(seat="1", cents=100_000))
    assert chain.ask(owner, faulty) == "below-minimum"
    faulty = stakes(("red", 6_000), ("tiers", 3_010), ("straight:17", 3_000))
    assert chain.ask(owner, faulty) == "above-maximum"
    faulty = stakes(("red", 5_000), ("split:5/8", 3_010), ("straight:17", 3_000))
    assert chain.ask(owner, faulty) == "seat-limit"
    faulty = stakes(("red", 2_500), ("split:5/8", 3_010), ("straight:17", 3_000))
    assert chain.ask(owner, faulty) == "spot-limit"
    faulty = stakes(("red", 2_500), ("split:5/8", 2_700), ("straight:17", 3_000))
    assert chain.ask(owner, faulty) == "table-limit"
    faulty = stakes(("straight:17", 3_000))
    assert chain.ask(owner, faulty) == "exposure-limit"
    assert play.do(owner, stakes(("straight:17", 1_000)))
    chain.check()


def lock_seat_1(play: Play) -> None:
    """Seat 1 wins 35.00, which is a lot at this table."""
    play.do(DEALER, c.OpenRound())
    play.do(player("1"), stakes(("straight:17", 100)))
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="17"))
    play.do(DEALER, c.ConfirmResult(result="17"))


def test_paying_out_a_seat_with_every_fault_one_by_one() -> None:
    play = at(BETTING, lock_up_cents=1_000)
    chain, owner = Chain(play), player("1")
    play.do(TIMER, c.LoseSeat(seat="1"))

    assert chain.ask(SENSOR, c.CashOut(seat="9", voucher="")) == "unknown-seat"
    assert chain.ask(SENSOR, c.CashOut(seat="1", voucher="")) == "no-voucher-number"
    cash_out = c.CashOut(seat="1", voucher="V1")
    assert chain.ask(SENSOR, cash_out) == "not-allowed"
    assert chain.ask(player("2"), cash_out) == "not-your-seat"
    assert chain.ask(owner, cash_out) == "seat-lost"
    play.do(TIMER, c.RestoreSeat(seat="1"))
    assert chain.ask(owner, cash_out) == "stakes-in-play"
    play.do(DEALER, c.CallNoSpin(reason="a test"))
    play.do(owner, cash_out)
    assert chain.ask(owner, cash_out) == "no-credits"
    chain.check()


def test_closing_the_table_with_every_fault_one_by_one() -> None:
    play = at(BETTING)
    chain = Chain(play)
    play.do(TIMER, c.HaltTable(reason="stuck"))

    assert chain.ask(DEALER, c.CloseTable()) == "not-allowed"
    assert chain.ask(SUPERVISOR, c.CloseTable()) == "table-halted"
    play.do(SHIFT_MANAGER, c.ResumeTable(reason="looked"))
    assert chain.ask(SUPERVISOR, c.CloseTable()) == "round-running"
    play.do(DEALER, c.CallNoSpin(reason="a test"))
    assert chain.ask(SUPERVISOR, c.CloseTable()) == "no-last-round-notice"
    play.do(DEALER, c.AnnounceLastRound())
    assert chain.ask(SUPERVISOR, c.CloseTable()) == "last-round-not-played"
    chain.check()


def test_confirming_a_result_with_every_fault_one_by_one() -> None:
    play = Play()
    chain = Chain(play)

    assert chain.ask(player("1"), c.ConfirmResult(result="99")) == "unknown-result"
    assert chain.ask(player("1"), c.ConfirmResult(result="17")) == "not-allowed"
    assert chain.ask(DEALER, c.ConfirmResult(result="17")) == "table-closed"
    play.open()
    assert chain.ask(DEALER, c.ConfirmResult(result="17")) == "no-round"
    play.do(DEALER, c.OpenRound())
    assert chain.ask(DEALER, c.ConfirmResult(result="17")) == "no-result"
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="20"))
    assert chain.ask(DEALER, c.ConfirmResult(result="17")) == "result-differs"
    chain.check()


def test_a_reused_number_is_named_before_all_faults_of_the_command() -> None:
    play = at(IDLE)
    play.do(DEALER, c.OpenRound())
    command = c.Command(
        at_ms=play.at_ms, actor=SENSOR, sender=DEALER.id, number=play.numbers[DEALER.id], do=stakes(seat="9")
    )

    rejection = play.submit(command).rejection

    assert rejection is not None
    assert rejection.code == "number-reused"

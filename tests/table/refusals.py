"""One table and one command for every code of refusal, with the clause and the facts that belong to it."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from croupier.rulebook import load_book
from croupier.table import Actor, Do, Limits, Rules, Stake
from croupier.table import commands as c
from table.rig import (
    DEALER,
    MANAGER,
    SENSOR,
    SHIFT_MANAGER,
    START_MS,
    SUPERVISOR,
    TIMER,
    Play,
    player,
    wide_limits,
)
from table.scenes import (
    BETTING,
    CLOSED,
    FINISHED,
    IDLE,
    MBS,
    MONEY_WHEEL,
    RESULTED,
    RWS_A,
    SETTLED,
    SPINNING,
    Game,
    at,
)

ONE = player("1")


class Refusal(NamedTuple):
    """Somebody asks for something that is refused."""

    point: str
    actor: Actor
    do: Do
    clause: str | None = None
    facts: Mapping[str, str | int] = {}
    game: Game = MBS
    second: Actor | None = None
    settings: Mapping[str, Any] = {}
    first: Callable[[Play], object] = lambda play: None
    """What has to happen at the table before."""

    def table(self) -> Play:
        """The table at which it is refused."""
        play = at(self.point, self.game, **self.settings)
        self.first(play)
        return play


def recall_of_first() -> c.RecallRound:
    """Round 1 as if the table had let go of it."""
    limits = wide_limits(Rules(load_book(MBS.book), MBS.layout))
    return c.RecallRound(round=1, read_to=0, phase="settled", result="17", limits=limits, seats=())


def bets(**stakes: int) -> c.PlaceBets:
    return c.PlaceBets(seat="1", stakes=tuple(Stake(bet, cents) for bet, cents in stakes.items()))


def limited(**limits: Any) -> Mapping[str, Any]:
    """Limits of 1.00 to 50.00 on every bet, and more."""
    return {"limits": wide_limits(Rules(load_book("mbs-roulette")), 100, 5_000, **limits)}


def correction(result: str = "20", round_: int = 1, reason: str = "the camera") -> c.CorrectResult:
    return c.CorrectResult(round=round_, result=result, reason=reason)


def ending(cents: int, how: str = "collected") -> c.SettleCarried:
    return c.SettleCarried(round=1, seat="1", how=how, cents=cents, reason="agreed")


def off_by(limit: int, would_be: int, bet: str | None = None) -> dict[str, str | int]:
    facts: dict[str, str | int] = {
        "limit_cents": limit,
        "would_be_cents": would_be,
        "off_by_cents": abs(limit - would_be),
    }
    return facts if bet is None else {**facts, "bet": bet}


def _closed_table(play: Play) -> None:
    play.do(DEALER, c.AnnounceLastRound())
    play.round({}, "0")
    play.do(SUPERVISOR, c.CloseTable())


def _next_round(play: Play) -> None:
    play.do(DEALER, c.OpenRound())


def _did(actor: Actor, do: Do) -> Callable[[Play], object]:
    return lambda play: play.do(actor, do)


_HALTED = _did(TIMER, c.HaltTable(reason="stuck"))
_VOIDED = _did(DEALER, c.CallNoSpin(reason="a suspicion"))
_LOST = _did(TIMER, c.LoseSeat(seat="1"))
_HASH = "5e" * 32
_COMMITTED = _did(SENSOR, c.CommitSpin(commitment=_HASH))


def _interrupted(play: Play) -> None:
    play.do(TIMER, c.Interrupt(began_ms=0))


def _opened(play: Play) -> None:
    """A round with a commitment is settled, and the commitment opened."""
    play.do(DEALER, c.OpenRound())
    play.do(SENSOR, c.CommitSpin(commitment=_HASH))
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="0"))
    play.do(DEALER, c.ConfirmResult(result="0"))
    play.do(SENSOR, c.OpenCommitment(round=2, opening="0"))


def _left_open(play: Play) -> None:
    """Seat 1 has left with its win when the round is corrected."""
    play.do(ONE, c.CashOut(seat="1", voucher="V1"))
    play.do(MANAGER, correction(), SUPERVISOR)


MALFORMED: Final[dict[str, Refusal]] = {
    "not-in-this-game": Refusal(
        SPINNING, DEALER, c.CallNoSpin(reason="a suspicion"), None, {"action": "call-no-spin"}, RWS_A
    ),
    "unknown-seat": Refusal(IDLE, ONE, c.BuyCredits(seat="9", cents=5), None, {"seat": "9"}),
    "seat-malformed": Refusal(IDLE, DEALER, c.OpenSeat(seat=" 9", kind="alfastreet"), None, {}),
    "seat-exists": Refusal(IDLE, DEALER, c.OpenSeat(seat="1", kind="alfastreet"), None, {"seat": "1"}),
    "unknown-seat-kind": Refusal(IDLE, DEALER, c.OpenSeat(seat="9", kind="rapid"), None, {"kind": "rapid"}),
    "unknown-layout": Refusal(
        IDLE, DEALER, c.OpenSeat(seat="9", kind="alfastreet", layout="B"), None, {"layout": "B"}
    ),
    "unknown-bet": Refusal(BETTING, ONE, bets(purple=100), None, {"bet": "purple"}),
    "unknown-result": Refusal(SPINNING, DEALER, c.EnterResult(result="00"), None, {"result": "00"}),
    "unknown-cause": Refusal(SPINNING, DEALER, c.DeclareIrregularity(cause="rain"), None, {"cause": "rain"}),
    "unknown-round": Refusal(SETTLED, MANAGER, correction(round_=2), None, {"round": 2}),
    "unknown-ruling": Refusal(
        SETTLED, SHIFT_MANAGER, c.Decide(ruling="draw", reason="why", round=1), None, {"ruling": "draw"}
    ),
    "unknown-way": Refusal(SETTLED, MANAGER, ending(1, how="forgotten"), None, {"how": "forgotten"}),
    "bad-time": Refusal(IDLE, TIMER, c.Interrupt(began_ms=START_MS + 1), None, {"began_ms": START_MS + 1}),
    "bad-amount": Refusal(BETTING, ONE, bets(red=0), None, {"cents": 0}),
    "no-voucher-number": Refusal(BETTING, ONE, c.BuyCredits(seat="1", cents=100, voucher=" "), None, {}),
    "bad-spin": Refusal(SPINNING, SENSOR, c.FinishSpin(revolutions=-1), None, {"revolutions": -1}),
    "bad-commitment": Refusal(BETTING, SENSOR, c.CommitSpin(commitment="17")),
    "unknown-fault": Refusal(IDLE, SENSOR, c.ReportWheel(fault="rain"), None, {"fault": "rain"}),
    "unknown-reason": Refusal(
        IDLE, ONE, c.CallAttendant(seat="1", reason="a chat"), None, {"reason": "a chat"}
    ),
    "bad-limits": Refusal(IDLE, MANAGER, c.ChangeLimits(limits=Limits(bets={}), reason="why")),
    "no-reason": Refusal(SPINNING, DEALER, c.CallNoSpin(reason=" ")),
    "nothing-to-do": Refusal(BETTING, ONE, bets()),
}

AUTHORITY: Final[dict[str, Refusal]] = {
    "not-allowed": Refusal(
        IDLE, ONE, c.OpenRound(), "mbs-roulette:3.1", {"action": "open-round", "position": "dealer"}
    ),
    "not-your-seat": Refusal(
        BETTING, player("2"), bets(red=100), None, {"action": "place-bets", "seat": "1"}
    ),
    "players-own-act": Refusal(
        BETTING, DEALER, bets(red=100), "mbs-roulette:3.3", {"action": "place-bets"}, second=SUPERVISOR
    ),
    "second-person": Refusal(SETTLED, MANAGER, correction(), None, {"action": "correct-settled-result"}),
}

TABLE: Final[dict[str, Refusal]] = {
    "table-halted": Refusal(IDLE, DEALER, c.OpenRound(), first=_HALTED),
    "table-closed": Refusal(IDLE, DEALER, c.OpenRound(), first=_closed_table),
    "table-open": Refusal(IDLE, SUPERVISOR, c.OpenTable()),
    "not-halted": Refusal(IDLE, SHIFT_MANAGER, c.ResumeTable(reason="looked")),
    "outcome-awaited": Refusal(SPINNING, DEALER, c.FinishSpin(), first=_interrupted),
    "no-outcome-awaited": Refusal(CLOSED, SUPERVISOR, c.StateOutcome(result="17")),
    "round-running": Refusal(CLOSED, DEALER, c.OpenRound(), None, {"round": 1}),
    "no-round": Refusal(IDLE, ONE, bets(red=100), "mbs-roulette:3.1"),
    "last-round-played": Refusal(
        SETTLED,
        DEALER,
        c.OpenRound(),
        first=lambda play: (play.do(DEALER, c.AnnounceLastRound()), play.round({}, "0")),
    ),
    "last-round-announced": Refusal(
        IDLE, DEALER, c.AnnounceLastRound(), first=_did(DEALER, c.AnnounceLastRound())
    ),
    "no-last-round-notice": Refusal(SETTLED, SUPERVISOR, c.CloseTable()),
    "last-round-not-played": Refusal(
        SETTLED, SUPERVISOR, c.CloseTable(), first=_did(DEALER, c.AnnounceLastRound())
    ),
}

ROUND: Final[dict[str, Refusal]] = {
    "bets-closed": Refusal(CLOSED, ONE, bets(red=100), "mbs-roulette:5.12", {"round": 1}),
    "bets-open": Refusal(BETTING, DEALER, c.StartSpin(), "mbs-roulette:3.7", {"round": 1}),
    "spin-committed": Refusal(
        BETTING, SENSOR, c.CommitSpin(commitment=_HASH), None, {"round": 1}, first=_COMMITTED
    ),
    "ball-rolling": Refusal(SPINNING, DEALER, c.StartSpin(), None, {"round": 1}),
    "no-spin-yet": Refusal(CLOSED, DEALER, c.EnterResult(result="17"), "mbs-roulette:3.6", {"round": 1}),
    "no-spin-recorded": Refusal(
        CLOSED,
        SUPERVISOR,
        c.StateOutcome(result="17"),
        "mbs-roulette:5.13.1",
        first=_did(SUPERVISOR, c.DeclareInterruption(reason="no light", spun=True)),
    ),
    "not-at-rest": Refusal(
        CLOSED,
        DEALER,
        c.EnterResult(result="17"),
        "mbs-roulette:3.8",
        {"round": 1},
        first=_did(SENSOR, c.StartSpin()),
    ),
    "spin-finished": Refusal(FINISHED, SENSOR, c.FinishSpin(revolutions=5), None, {"round": 1}),
    "result-entered": Refusal(RESULTED, DEALER, c.EnterResult(result="17"), "mbs-roulette:6.3", {"round": 1}),
    "wheel-fault": Refusal(
        SPINNING,
        SENSOR,
        c.EnterResult(result="17"),
        None,
        {"fault": "line-lost"},
        first=_did(SENSOR, c.ReportWheel(fault="line-lost")),
    ),
    "no-result": Refusal(SPINNING, DEALER, c.ConfirmResult(result="17"), "mbs-roulette:3.8", {"round": 1}),
    "result-differs": Refusal(
        RESULTED, DEALER, c.ConfirmResult(result="20"), None, {"registered": "17", "confirmed": "20"}
    ),
    "result-disagrees": Refusal(
        FINISHED, DEALER, c.EnterResult(result="20"), "mbs-roulette:6.3", {"sensed": "17", "entered": "20"}
    ),
    "sensor-failed": Refusal(
        SPINNING,
        DEALER,
        c.EnterResult(result="17"),
        "mbs-roulette:3.8",
        {"entered": "17"},
        settings={"spin_source": "sensor"},
    ),
    "sensor-decides": Refusal(
        CLOSED,
        DEALER,
        c.FinishSpin(revolutions=1),
        "mbs-roulette:3.8",
        {"round": 1},
        first=_did(SENSOR, c.StartSpin()),
    ),
    "outcome-disputed": Refusal(
        FINISHED,
        SUPERVISOR,
        c.StateOutcome(result="20"),
        "mbs-roulette:3.8",
        {"sensed": "17", "stated": "20"},
        first=_interrupted,
    ),
    "no-dispute": Refusal(
        SETTLED, MANAGER, c.UpholdResult(round=1, reason="why"), None, {"round": 1}, second=SUPERVISOR
    ),
    "same-result": Refusal(SETTLED, MANAGER, correction("17"), None, {"result": "17"}, second=SUPERVISOR),
    "round-void": Refusal(
        SPINNING, MANAGER, correction(), None, {"round": 1}, second=SUPERVISOR, first=_VOIDED
    ),
    "round-stands": Refusal(
        SETTLED,
        MANAGER,
        correction("1"),
        "rws-money-wheel:5.5",
        {"round": 1},
        MONEY_WHEEL,
        second=SUPERVISOR,
        first=_next_round,
    ),
    "round-too-old": Refusal(
        SETTLED,
        SENSOR,
        c.OpenCommitment(round=1, opening="17"),
        None,
        {"round": 1},
        settings={"rounds_kept": 1},
        first=lambda play: play.round({}, "0"),
    ),
    "recall-outdated": Refusal(SETTLED, TIMER, recall_of_first(), None, {"round": 1}),
    "nothing-carried": Refusal(
        SETTLED, MANAGER, ending(36_000), None, {"round": 1, "seat": "1"}, second=SUPERVISOR
    ),
    "carried-otherwise": Refusal(
        SETTLED,
        MANAGER,
        ending(36_000, how="paid"),
        None,
        {"round": 1, "seat": "1", "open_cents": 36_000},
        second=SUPERVISOR,
        first=_left_open,
    ),
    "carried-differs": Refusal(
        SETTLED,
        MANAGER,
        ending(35_999),
        None,
        {"round": 1, "seat": "1", "open_cents": 36_000},
        second=SUPERVISOR,
        first=_left_open,
    ),
    "no-commitment": Refusal(SETTLED, SENSOR, c.OpenCommitment(round=1, opening="17"), None, {"round": 1}),
    "commitment-opened": Refusal(
        SETTLED, SENSOR, c.OpenCommitment(round=2, opening="0"), None, {"round": 2}, first=_opened
    ),
    "not-affected": Refusal(
        SETTLED,
        MANAGER,
        c.DeclareIrregularity(cause="ball-out", rounds=(1,)),
        "rws-roulette-00:5.3",
        {"round": 1},
        game=RWS_A,
        second=SUPERVISOR,
    ),
    "same-report": Refusal(IDLE, SENSOR, c.ReportWheel(fault=None)),
}

SEATS: Final[dict[str, Refusal]] = {
    "seat-lost": Refusal(BETTING, ONE, bets(red=100), "mbs-roulette:5.14.2", {"seat": "1"}, first=_LOST),
    "seat-not-lost": Refusal(IDLE, TIMER, c.RestoreSeat(seat="1"), None, {"seat": "1"}),
    "seat-locked": Refusal(
        SETTLED,
        ONE,
        c.BuyCredits(seat="1", cents=5),
        None,
        {"seat": "1", "reason": "win"},
        settings={"lock_up_cents": 1_000},
    ),
    "seat-not-locked": Refusal(IDLE, SUPERVISOR, c.ClearLockUp(seat="1"), None, {"seat": "1"}),
    "attendant-called": Refusal(
        IDLE,
        ONE,
        c.CallAttendant(seat="1"),
        None,
        {"seat": "1", "reason": "payout", "since_ms": START_MS},
        first=_did(ONE, c.CallAttendant(seat="1", reason="payout")),
    ),
    "no-call": Refusal(IDLE, DEALER, c.AnswerCall(seat="1"), None, {"seat": "1"}),
    "seat-has-money": Refusal(IDLE, DEALER, c.CloseSeat(seat="1"), None, {"seat": "1"}),
    "stakes-in-play": Refusal(BETTING, ONE, c.CashOut(seat="1", voucher="V1"), None, {"staked_cents": 1_000}),
    "no-credits": Refusal(
        IDLE,
        ONE,
        c.CashOut(seat="1", voucher="V2"),
        None,
        {"seat": "1"},
        first=_did(ONE, c.CashOut(seat="1", voucher="V1")),
    ),
    "cash-limit": Refusal(
        IDLE,
        ONE,
        c.BuyCredits(seat="1", cents=10**9 + 1),
        None,
        {"limit_cents": 10**9},
        settings={"cash_limit_cents": 10**9},
    ),
    "below-voucher-limit": Refusal(
        IDLE, SUPERVISOR, c.PayByAttendant(seat="1"), None, {"limit_cents": 500_000}
    ),
}

BETS: Final[dict[str, Refusal]] = {
    "announced-not-offered": Refusal(
        BETTING,
        ONE,
        c.PlaceBets(seat="1", stakes=(Stake("finales:3", 100),)),
        "mbs-roulette:App.H",
        {"bet": "finales:3", "terminal": "rapid-select"},
    ),
    "not-on-bet": Refusal(
        BETTING,
        ONE,
        c.TakeBets(seat="1", stakes=(Stake("straight:17", 1_001),)),
        None,
        {"bet": "straight:17", "stake_cents": 1_000},
    ),
    "not-enough-credits": Refusal(
        BETTING,
        ONE,
        bets(red=99_500),
        None,
        {"cost_cents": 99_500, "credits_cents": 99_000, "short_cents": 500},
    ),
    "no-excess": Refusal(
        BETTING,
        DEALER,
        c.RejectExcess(bet="symbol:20"),
        "rws-money-wheel:5.1",
        {"bet": "symbol:20"},
        MONEY_WHEEL,
    ),
    "not-below-minimum": Refusal(
        BETTING,
        DEALER,
        c.AdviseMinimum(seat="1", bet="symbol:20"),
        "rws-money-wheel:5.2",
        {"bet": "symbol:20", "stake_cents": 1_000, "minimum_cents": 100},
        MONEY_WHEEL,
    ),
    "not-advised": Refusal(
        BETTING,
        DEALER,
        c.RejectAdvised(seat="1", bet="symbol:20"),
        "rws-money-wheel:5.2",
        {"bet": "symbol:20", "stake_cents": 1_000, "minimum_cents": 100},
        MONEY_WHEEL,
    ),
    "below-minimum": Refusal(BETTING, ONE, bets(red=90), None, off_by(100, 90, "red"), settings=limited()),
    "above-maximum": Refusal(
        BETTING, ONE, bets(red=5_200), None, off_by(5_000, 5_200, "red"), settings=limited()
    ),
    "seat-limit": Refusal(
        BETTING, ONE, bets(red=600), None, off_by(1_500, 1_600), settings=limited(seat_cents=1_500)
    ),
    "spot-limit": Refusal(
        BETTING, ONE, bets(red=600), None, off_by(500, 600, "red"), settings=limited(spots={"red": 500})
    ),
    "table-limit": Refusal(
        BETTING, ONE, bets(red=600), None, off_by(2_500, 2_600), settings=limited(table_cents=2_500)
    ),
    "exposure-limit": Refusal(
        BETTING,
        ONE,
        c.PlaceBets(seat="1", stakes=(Stake("straight:17", 100),)),
        None,
        off_by(35_000, 38_500),
        settings=limited(exposure_cents=35_000),
    ),
}

REFUSALS: Final = {**MALFORMED, **AUTHORITY, **TABLE, **ROUND, **SEATS, **BETS}
"""By code; the two about senders' numbers stand apart, because they are no answer to the command itself."""

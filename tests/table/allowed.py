"""For every command a table at which it may be done, so that nothing but authority can refuse it."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from croupier.rulebook import load_book
from croupier.table import Do, Rules, Stake
from croupier.table import commands as c
from table.rig import DEALER, SENSOR, TIMER, Play, player, wide_limits
from table.scenes import (
    BETTING,
    CLOSED,
    FINISHED,
    IDLE,
    MONEY_WHEEL,
    RESULTED,
    SETTLED,
    SPINNING,
    STAKE,
    Game,
    at,
    correct,
    valid_spin,
)


class Scene(Protocol):
    """Makes a table of a game, with settings of one's own, and a command that may be done at it."""

    def __call__(self, game: Game, **settings: Any) -> tuple[Play, Do]: ...


def _when(
    point: str,
    command: Callable[[Game], Do],
    first: Callable[[Play, Game], object] = lambda play, game: None,
    **own: Any,
) -> Scene:
    """A command at a point of a round, after something else has happened where it has to."""

    def scene(game: Game, **settings: Any) -> tuple[Play, Do]:
        play = at(point, game, **{**own, **settings})
        first(play, game)
        return play, command(game)

    return scene


def _rules(game: Game) -> Rules:
    return Rules(load_book(game.book), game.layout)


def _new_table(game: Game, **settings: Any) -> tuple[Play, Do]:
    return Play(game.book, game.layout, **settings), c.OpenTable()


def _play_last_round(play: Play, game: Game) -> None:
    play.do(DEALER, c.AnnounceLastRound())
    play.round({}, game.wins)


def _won(game: Game) -> int:
    """What the stake of seat 1 brings where it wins."""
    return STAKE * (1 + _rules(game).bet(game.bet).pays)


def _dispute(play: Play, game: Game) -> None:
    """The sensor contradicts round 2 after it was settled."""
    play.round({}, game.wins)
    play.do(SENSOR, c.FinishSpin(revolutions=9, pocket=game.loses))


def _correct_late(play: Play, game: Game) -> None:
    """Seat 1 leaves with its win, and the result is corrected then."""
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    correct(play, 1, game.loses)


def _void(play: Play) -> None:
    """An interruption that nobody could wait for ends the round."""
    play.do(TIMER, c.Interrupt(began_ms=0))


def _fill_boxes(play: Play, game: Game) -> None:
    """One box over its maximum and one under its minimum, on the game that has boxes."""
    if game is MONEY_WHEEL:
        play.bet("1", {game.bet: 90_000, "symbol:5": 10})


def _boxes(command: Do, *, is_advised: bool = False) -> Scene:
    def scene(game: Game, **settings: Any) -> tuple[Play, Do]:
        limits = wide_limits(_rules(game), 1_000, 50_000)
        play = at(BETTING, game, limits=limits, **settings)
        _fill_boxes(play, game)
        if is_advised and game is MONEY_WHEEL:
            play.do(DEALER, c.AdviseMinimum(seat="1", bet="symbol:5"))
        return play, command

    return scene


def _stakes(game: Game) -> tuple[Stake, ...]:
    return (Stake(game.bet, 500),)


def _limits(game: Game) -> Do:
    return c.ChangeLimits(limits=wide_limits(_rules(game), 100, 200), reason="a quiet hour")


ALLOWED: Final[dict[str, Scene]] = {
    "open-table": _new_table,
    "close-table": _when(SETTLED, lambda game: c.CloseTable(), _play_last_round),
    "announce-last-round": _when(IDLE, lambda game: c.AnnounceLastRound()),
    "halt-table": _when(IDLE, lambda game: c.HaltTable(reason="the books do not balance")),
    "resume-table": _when(
        IDLE,
        lambda game: c.ResumeTable(reason="looked"),
        lambda play, game: play.do(TIMER, c.HaltTable(reason="stuck")),
    ),
    "change-limits": _when(IDLE, _limits),
    "open-seat": _when(IDLE, lambda game: c.OpenSeat(seat="9", kind=_rules(game).seat_kinds[0])),
    "close-seat": _when(
        IDLE,
        lambda game: c.CloseSeat(seat="1"),
        lambda play, game: play.do(player("1"), c.CashOut(seat="1", voucher="V1")),
    ),
    "lose-seat": _when(IDLE, lambda game: c.LoseSeat(seat="1")),
    "restore-seat": _when(
        IDLE,
        lambda game: c.RestoreSeat(seat="1"),
        lambda play, game: play.do(TIMER, c.LoseSeat(seat="1")),
    ),
    "buy-credits": _when(IDLE, lambda game: c.BuyCredits(seat="1", cents=100)),
    "cash-out": _when(IDLE, lambda game: c.CashOut(seat="1", voucher="V1")),
    "pay-by-attendant": _when(IDLE, lambda game: c.PayByAttendant(seat="1"), voucher_limit_cents=1),
    "clear-lock-up": _when(SETTLED, lambda game: c.ClearLockUp(seat="1"), lock_up_cents=1_000),
    "call-attendant": _when(IDLE, lambda game: c.CallAttendant(seat="1")),
    "answer-call": _when(
        IDLE,
        lambda game: c.AnswerCall(seat="1"),
        lambda play, game: play.do(player("1"), c.CallAttendant(seat="1")),
    ),
    "place-bets": _when(BETTING, lambda game: c.PlaceBets(seat="1", stakes=_stakes(game))),
    "take-bets": _when(BETTING, lambda game: c.TakeBets(seat="1", stakes=_stakes(game))),
    "move-bet": _when(
        BETTING, lambda game: c.MoveBet(seat="1", source=game.bet, destination=game.other, cents=500)
    ),
    "clear-bets": _when(BETTING, lambda game: c.ClearBets(seat="1")),
    "reject-excess": _boxes(c.RejectExcess(bet=MONEY_WHEEL.bet)),
    "advise-minimum": _boxes(c.AdviseMinimum(seat="1", bet="symbol:5")),
    "reject-advised": _boxes(c.RejectAdvised(seat="1", bet="symbol:5"), is_advised=True),
    "open-round": _when(IDLE, lambda game: c.OpenRound()),
    "warn-closing": _when(BETTING, lambda game: c.WarnClosing()),
    "close-bets": _when(BETTING, lambda game: c.CloseBets()),
    "start-spin": _when(CLOSED, valid_spin),
    "finish-spin": _when(SPINNING, lambda game: c.FinishSpin(revolutions=5)),
    "enter-result": _when(SPINNING, lambda game: c.EnterResult(result=game.wins)),
    "confirm-result": _when(RESULTED, lambda game: c.ConfirmResult(result=game.wins)),
    "call-no-spin": _when(SPINNING, lambda game: c.CallNoSpin(reason="a suspicion")),
    "declare-irregularity": _when(FINISHED, lambda game: c.DeclareIrregularity(cause="interference")),
    "correct-result": _when(
        SPINNING,
        lambda game: c.CorrectResult(round=1, result=game.wins, reason="a slip"),
        lambda play, game: play.do(DEALER, c.EnterResult(result=game.loses)),
    ),
    "correct-settled-result": _when(
        SETTLED, lambda game: c.CorrectResult(round=1, result=game.loses, reason="the camera")
    ),
    "settle-carried": _when(
        SETTLED,
        lambda game: c.SettleCarried(
            round=1, seat="1", how="collected", cents=_won(game), reason="brought back"
        ),
        _correct_late,
    ),
    "void-settled-rounds": _when(
        SETTLED,
        lambda game: c.DeclareIrregularity(
            cause="interference" if game is MONEY_WHEEL else "ball-broken", rounds=(1,)
        ),
    ),
    "interrupt": _when(IDLE, lambda game: c.Interrupt(began_ms=0)),
    "declare-interruption": _when(BETTING, lambda game: c.DeclareInterruption(reason="no light")),
    "state-outcome": _when(
        SPINNING,
        lambda game: c.StateOutcome(result=game.wins),
        lambda play, game: play.do(TIMER, c.Interrupt(began_ms=play.at_ms)),
    ),
    "uphold-result": _when(
        SETTLED,
        lambda game: c.UpholdResult(round=2, reason="the film shows it"),
        _dispute,
    ),
    "recall-round": _when(
        SETTLED,
        lambda game: c.RecallRound(
            round=1,
            read_to=10**6,
            phase="settled",
            result=game.wins,
            limits=wide_limits(_rules(game)),
            seats=(),
        ),
        lambda play, game: play.round({}, game.loses),
        rounds_kept=1,
    ),
    "report-wheel": _when(IDLE, lambda game: c.ReportWheel(fault="line-lost")),
    "commit-spin": _when(BETTING, lambda game: c.CommitSpin(commitment="5e" * 32)),
    "open-commitment": _when(
        BETTING,
        lambda game: c.OpenCommitment(round=1, opening="17"),
        lambda play, game: (play.do(SENSOR, c.CommitSpin(commitment="5e" * 32)), _void(play)),
    ),
    "decide": _when(SETTLED, lambda game: c.Decide(ruling="void", reason="unforeseen", round=1)),
}
"""By what a command is called, and where a settled round makes it another action by that."""

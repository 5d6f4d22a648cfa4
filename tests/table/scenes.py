"""Tables at a given point of a round, in every game, for tests that begin there."""

from typing import Any, Final, NamedTuple

import pytest

from croupier.table import Event
from croupier.table import commands as c
from table.rig import DEALER, MANAGER, SENSOR, SUPERVISOR, Play


class Game(NamedTuple):
    """One game with a bet that everybody can follow."""

    book: str
    layout: str | None
    bet: str
    pays: int
    wins: str
    """A result on which the bet wins."""
    loses: str
    """A result on which it loses."""
    other: str
    """A bet that wins where the first one loses."""
    other_pays: int

    def cite(self, number: str) -> str:
        """A clause of this game, as it is cited."""
        return f"{self.book}:{number}"


MBS: Final = Game("mbs-roulette", None, "straight:17", 35, "17", "20", "straight:20", 35)
RWS_A: Final = Game("rws-roulette-00", "A", "straight:00", 35, "00", "8", "straight:8", 35)
RWS_B: Final = Game("rws-roulette-00", "B", "top-line:0/00/1/2/3", 6, "00", "8", "straight:8", 35)
RWS_000: Final = Game("rws-roulette-000", None, "street:0/00/000", 11, "000", "32", "straight:32", 35)
MONEY_WHEEL: Final = Game("rws-money-wheel", None, "symbol:20", 20, "20", "1", "symbol:1", 1)

GAMES: Final = (MBS, RWS_A, RWS_B, RWS_000, MONEY_WHEEL)
BALL_GAMES: Final = GAMES[:-1]
ONE_A_BOOK: Final = (MBS, RWS_A, RWS_000, MONEY_WHEEL)


def title(game: object) -> str | None:
    """What a game is called in the name of a test."""
    return f"{game.book}-{game.layout or 'main'}" if isinstance(game, Game) else None


every_game = pytest.mark.parametrize("game", GAMES, ids=title)
every_book = pytest.mark.parametrize("game", ONE_A_BOOK, ids=title)

IDLE, BETTING, ROLLING, CLOSED, SPINNING, FINISHED, RESULTED, SETTLED = POINTS = (
    "idle",
    "betting",
    "rolling",
    "closed",
    "spinning",
    "finished",
    "resulted",
    "settled",
)
"""Points of a round, in their order; `rolling` is a spin with bets still open, where the book allows it."""

STAKE: Final = 1_000


def table(
    game: Game = MBS, seats: tuple[str, ...] = ("1", "2"), cents: int = 100_000, **settings: Any
) -> Play:
    """An open table of a game with seats that have credits."""
    return Play(game.book, game.layout, **settings).open(seats, cents)


def at(point: str, game: Game = MBS, **settings: Any) -> Play:
    """A table at a point of its first round: seat 1 is on the game's bet, seat 2 on the other one."""
    play = table(game, **settings)
    if point != IDLE:
        play.do(DEALER, c.OpenRound())
        play.bet("1", {game.bet: STAKE})
        play.bet("2", {game.other: STAKE})
        advance(play, point, game)
    return play


def advance(play: Play, point: str, game: Game = MBS) -> None:
    """Takes a round whose bets are open on to a later point; it ends with the game's winning result."""
    if point == ROLLING:
        play.do(DEALER, valid_spin(game))
        return
    steps: tuple[c.Do, ...] = (
        c.CloseBets(),
        valid_spin(game),
        c.FinishSpin(revolutions=6, pocket=game.wins),
        c.EnterResult(result=game.wins),
        c.ConfirmResult(result=game.wins),
    )
    for reached, step in zip((CLOSED, SPINNING, FINISHED, RESULTED, SETTLED), steps, strict=True):
        if POINTS.index(reached) <= POINTS.index(point):
            play.do(SENSOR if isinstance(step, c.FinishSpin) else DEALER, step)


def finish(play: Play, game: Game, point: str, result: str) -> list[Event]:
    """Takes a round from a point after the close to its end."""
    if point == CLOSED:
        play.do(DEALER, valid_spin(game))
    if point != RESULTED:
        play.do(DEALER, c.EnterResult(result=result))
    return play.do(DEALER, c.ConfirmResult(result=result))


def valid_spin(game: Game) -> c.StartSpin:
    """A spin that the rules of the game take."""
    if game is MONEY_WHEEL:
        return c.StartSpin(wheel="clockwise", wheel_turning=True)
    return c.StartSpin(ball="clockwise", wheel="counter-clockwise", wheel_turning=True)


def correct(play: Play, round_: int, result: str, reason: str = "the ball lies elsewhere") -> Any:
    """Two people put the result of a settled round right."""
    do = c.CorrectResult(round=round_, result=result, reason=reason)
    return play.do(MANAGER, do, second=SUPERVISOR)


def credits_of_all(play: Play) -> dict[str, int]:
    """The credits of every seat."""
    return {seat: play.credits(seat) for seat in play.state.seats}

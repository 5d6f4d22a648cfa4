"""A journal in which the house did what is the player's own act, or paid a lost terminal as one person."""

from collections.abc import Callable
from typing import Any

import pytest

from clauses import clause
from croupier.table import Actor
from croupier.table import commands as c
from floor.audit_journal import Event, edit, of_kind, records_of
from floor.test_verify_authority import by, reason
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player
from table.scenes import BALL_GAMES, BETTING, IDLE, MONEY_WHEEL, Game, at, title

roulettes = pytest.mark.parametrize("game", BALL_GAMES, ids=title)
STAFF = [("dealer-1", "dealer"), ("shift-1", "shift-manager")]
staff = pytest.mark.parametrize(("who", "position"), STAFF)
DEALERS = {"id": "dealer-2", "position": "dealer", "seat": None}


def forged(play: Play, kind: str, change: Callable[[Event, Event], None]) -> str | None:
    """Why the records do not fit where the last one of a kind is changed."""
    records = records_of(play)
    assert reason(play, records) is None
    place = of_kind(records, kind, -1) - 1
    return reason(play, [*records[:place], edit(records[place], change), *records[place + 1 :]])


def bet_by(who: str, position: str, second: dict[str, Any] | None = None) -> Callable[[Event, Event], None]:
    def change(event: Event, cause: Event) -> None:
        by(who, position)(event, cause)
        event.update(placed_by=position)
        cause.update(second=second)

    return change


def bets(game: Game) -> tuple[c.Do, ...]:
    stake = (c.Stake(game.bet, 500),)
    return (
        c.PlaceBets(seat="1", stakes=stake),
        c.TakeBets(seat="1", stakes=stake),
        c.MoveBet(seat="1", source=game.bet, destination=game.other, cents=500),
        c.ClearBets(seat="1"),
    )


@roulettes
@staff
@pytest.mark.parametrize("second", [None, DEALERS], ids=["alone", "two"])
def test_bets_of_a_roulette_player_by_the_hand_of_staff_are_found(
    game: Game, who: str, position: str, second: dict[str, Any] | None
) -> None:
    for do in bets(game):
        play = at(BETTING, game)
        play.do(player("1"), do)
        found = forged(play, "bets-changed", bet_by(who, position, second))
        assert found == f"place-bets is the player's own act, and {who} is a {position}"


@roulettes
def test_somebody_who_signs_beside_a_player_is_found(game: Game) -> None:
    play = at(BETTING, game)
    found = forged(play, "bets-changed", lambda event, cause: cause.update(second=DEALERS))
    assert found == "place-bets is the player's own act, and dealer-2 signed beside terminal-2"


@clause("rws-money-wheel:5.10")
def test_bets_for_a_player_at_the_money_wheel_fit() -> None:
    play = at(BETTING, MONEY_WHEEL)
    for do in bets(MONEY_WHEEL)[:3]:
        play.do(DEALER, do)
    assert reason(play, records_of(play)) is None


@pytest.mark.parametrize("game", [*BALL_GAMES, MONEY_WHEEL], ids=title)
@staff
def test_a_cash_out_and_a_voucher_by_the_hand_of_staff_are_found(game: Game, who: str, position: str) -> None:
    play = at(IDLE, game)
    play.do(player("2"), c.CashOut(seat="2", voucher="V-0"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=100_000, voucher="V-0"))
    found = forged(play, "credits-bought", by(who, position))
    assert found == f"buy-credits is the player's own act, and {who} is a {position}"
    play = at(IDLE, game)
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    found = forged(play, "credits-paid-out", by(who, position))
    assert found == f"cash-out is the player's own act, and {who} is a {position}"


def test_a_lock_for_a_cash_out_that_staff_asked_for_is_found() -> None:
    play = at(IDLE, voucher_limit_cents=1_000)
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    found = forged(play, "seat-locked", by("dealer-1", "dealer"))
    assert found == "cash-out is the player's own act, and dealer-1 is a dealer"


@pytest.mark.parametrize("game", [*BALL_GAMES, MONEY_WHEEL], ids=title)
def test_credits_that_staff_sell_for_cash_fit(game: Game) -> None:
    play = at(IDLE, game)
    play.do(DEALER, c.BuyCredits(seat="1", cents=500))
    assert reason(play, records_of(play)) is None


@pytest.mark.parametrize("game", [*BALL_GAMES, MONEY_WHEEL], ids=title)
@pytest.mark.parametrize("second", [None, {"id": "supervisor-1", "position": "pit-supervisor", "seat": None}])
def test_a_lost_terminal_that_one_person_paid_is_found(game: Game, second: dict[str, Any] | None) -> None:
    play = at(IDLE, game)
    play.do(TIMER, c.LoseSeat(seat="1"))
    play.do(SUPERVISOR, c.PayByAttendant(seat="1"), DEALER)
    found = forged(play, "credits-paid-out", lambda event, cause: cause.update(second=second))
    assert found == (
        "credits of seat 1, which has no terminal, are paid by hand in front of a second employee, "
        "and supervisor-1 was alone"
    )


def test_a_place_that_one_person_paid_is_found() -> None:
    play = at(IDLE, MONEY_WHEEL)
    play.do(DEALER, c.PayByAttendant(seat="1"), SHIFT_MANAGER)

    def alone(event: Event, cause: Event) -> None:
        by("shift-1", "shift-manager")(event, cause)
        cause.update(second=None)

    assert str(forged(play, "credits-paid-out", alone)).endswith("and shift-1 was alone")


@pytest.mark.parametrize("told", [None, "above-limit", "locked-seat", "no-terminal"])
def test_a_lost_terminal_that_is_recorded_as_something_else_is_found(told: str | None) -> None:
    play = at(IDLE)
    play.do(TIMER, c.LoseSeat(seat="1"))
    play.do(SUPERVISOR, c.PayByAttendant(seat="1"), DEALER)
    found = forged(play, "credits-paid-out", lambda event, cause: event.update(occasion=told))
    assert found == f"it gives {told} as why it was paid by hand, and that is lost-terminal"


@pytest.mark.parametrize(
    ("lost", "who", "occasion"),
    [(False, SUPERVISOR, "above-limit"), (True, SUPERVISOR, "lost-terminal")],
)
def test_why_it_was_paid_by_hand_is_derived_from_the_history(lost: bool, who: Actor, occasion: str) -> None:
    play = at(IDLE, voucher_limit_cents=1_000)
    if lost:
        play.do(TIMER, c.LoseSeat(seat="1"))
    play.do(who, c.PayByAttendant(seat="1"), DEALER)
    assert play.entries[-1].event.occasion == occasion  # type: ignore[union-attr]  # it is a payment
    assert reason(play, records_of(play)) is None

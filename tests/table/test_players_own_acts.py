"""Bets and credits at a terminal are the player's own acts, and of no position of the house."""

import msgspec
import pytest

from clauses import clause
from croupier.table import Actor, Do, Stake, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, only, player
from table.scenes import BALL_GAMES, BETTING, IDLE, MBS, MONEY_WHEEL, RWS_000, RWS_A, RWS_B, Game, at, title

STAFF = (DEALER, SUPERVISOR, MANAGER, SHIFT_MANAGER)
OTHER = Actor(id="dealer-2", position="dealer")
BETTING_CLAUSES = [
    pytest.param(MBS, "3.3", marks=clause("mbs-roulette:3.3")),
    pytest.param(RWS_A, "3.4", marks=clause("rws-roulette-00:3.4")),
    pytest.param(RWS_B, "3.4", marks=clause("rws-roulette-00:3.4")),
    pytest.param(RWS_000, "3.4", marks=clause("rws-roulette-000:3.4")),
]
TERMINAL_CLAUSES = [
    pytest.param(MBS, "1.1.1", marks=clause("mbs-roulette:1.1.1")),
    pytest.param(RWS_A, "1.7", marks=clause("rws-roulette-00:1.7")),
    pytest.param(RWS_B, "1.7", marks=clause("rws-roulette-00:1.7")),
    pytest.param(RWS_000, "1.6", marks=clause("rws-roulette-000:1.6")),
]
roulettes = pytest.mark.parametrize("game", BALL_GAMES, ids=title)
staff = pytest.mark.parametrize("who", STAFF, ids=lambda who: who.position)


def bets(game: Game) -> tuple[Do, ...]:
    stakes = (Stake(game.bet, 500),)
    return (
        c.PlaceBets(seat="1", stakes=stakes),
        c.TakeBets(seat="1", stakes=stakes),
        c.MoveBet(seat="1", source=game.bet, destination=game.other, cents=500),
        c.ClearBets(seat="1"),
    )


def lost(game: Game) -> Play:
    play = at(IDLE, game)
    play.do(TIMER, c.LoseSeat(seat="1"))
    return play


@pytest.mark.parametrize(("game", "number"), BETTING_CLAUSES, ids=title)
@staff
@pytest.mark.parametrize("second", [None, OTHER, SHIFT_MANAGER], ids=["alone", "dealer", "shift manager"])
def test_staff_place_take_move_and_clear_no_bets_at_a_terminal(
    game: Game, number: str, who: Actor, second: Actor | None
) -> None:
    for do in bets(game):
        found = at(BETTING, game).refused(who, do, second)
        assert (found.code, found.clause) == ("players-own-act", game.cite(number))


@pytest.mark.parametrize(("game", "number"), TERMINAL_CLAUSES, ids=title)
@staff
@pytest.mark.parametrize("second", [None, OTHER], ids=["alone", "dealer"])
def test_staff_neither_cash_out_a_terminal_nor_take_its_vouchers(
    game: Game, number: str, who: Actor, second: Actor | None
) -> None:
    play = at(IDLE, game)
    acts = (c.CashOut(seat="1", voucher="V1"), c.BuyCredits(seat="1", cents=500, voucher="V2"))

    for do in acts:
        found = play.refused(who, do, second)
        assert (found.code, found.clause) == ("players-own-act", game.cite(number))


@roulettes
def test_the_player_does_all_of_it_alone(game: Game) -> None:
    for do in (*bets(game), c.BuyCredits(seat="1", cents=500, voucher="V2")):
        assert at(BETTING, game).do(player("1"), do)
        assert at(BETTING, game).refused(player("1"), do, SUPERVISOR).code == "players-own-act"
        assert at(BETTING, game).refused(player("2"), do).code == "not-your-seat"


@roulettes
@pytest.mark.parametrize("machine", [TIMER, SENSOR], ids=lambda who: who.position)
def test_machines_do_none_of_it(game: Game, machine: Actor) -> None:
    for do in (*bets(game), c.CashOut(seat="1", voucher="V1"), c.BuyCredits(seat="1", cents=500)):
        assert at(BETTING, game).refused(machine, do).code == "not-allowed"


@pytest.mark.parametrize("game", [*BALL_GAMES, MONEY_WHEEL], ids=title)
@staff
def test_staff_sell_credits_for_cash(game: Game, who: Actor) -> None:
    play = at(IDLE, game)

    bought = only(e.CreditsBought, play.do(who, c.BuyCredits(seat="1", cents=500)))

    assert (bought.seat, bought.cents, bought.voucher) == ("1", 500, None)


def test_selling_credits_is_an_action_of_its_own() -> None:
    play = at(IDLE)
    play.state.settings = msgspec.structs.replace(play.state.settings, two_people=("sell-credits",))

    assert play.refused(DEALER, c.BuyCredits(seat="1", cents=500)).facts == {"action": "sell-credits"}
    assert play.do(DEALER, c.BuyCredits(seat="1", cents=500), SUPERVISOR)
    assert play.do(player("1"), c.BuyCredits(seat="1", cents=500))


@clause("rws-money-wheel:5.10")
@staff
def test_staff_bet_for_a_player_at_the_money_wheel(who: Actor) -> None:
    for do in bets(MONEY_WHEEL):
        changed = only(e.BetsChanged, at(BETTING, MONEY_WHEEL).do(who, do))
        assert (changed.placed_by, changed.clause) == (who.position, "rws-money-wheel:5.10")


@staff
def test_staff_give_no_vouchers_at_a_place_and_take_none(who: Actor) -> None:
    play = at(IDLE, MONEY_WHEEL)

    for do in (c.CashOut(seat="1", voucher="V1"), c.BuyCredits(seat="1", cents=500, voucher="V2")):
        assert play.refused(who, do).code == "players-own-act"


@pytest.mark.parametrize("game", [*BALL_GAMES, MONEY_WHEEL], ids=title)
def test_credits_of_a_lost_terminal_are_paid_by_an_attendant_and_a_second_employee(
    game: Game,
) -> None:
    pay = c.PayByAttendant(seat="1")

    for second in (None, SUPERVISOR):
        assert lost(game).refused(SUPERVISOR, pay, second).code == "second-person"
    one = player("1")
    for who, second in ((SUPERVISOR, one), (DEALER, OTHER), (DEALER, None), (one, SUPERVISOR)):
        assert lost(game).refused(who, pay, second).code == "not-allowed"
    for who, second in ((SUPERVISOR, DEALER), (DEALER, SUPERVISOR), (SHIFT_MANAGER, MANAGER)):
        paid = only(e.CreditsPaidOut, lost(game).do(who, pay, second))
        assert (paid.occasion, paid.voucher, audience(paid)) == ("lost-terminal", None, "seat/1")


def test_credits_of_a_place_are_paid_by_an_attendant_whatever_they_are() -> None:
    play, pay = at(IDLE, MONEY_WHEEL), c.PayByAttendant(seat="1")

    assert play.refused(SUPERVISOR, pay).code == "second-person"
    paid = only(e.CreditsPaidOut, play.do(DEALER, pay, SUPERVISOR))

    assert (paid.occasion, paid.voucher, paid.cents) == ("no-terminal", None, 100_000)
    assert play.credits("1") == 0


def test_why_an_attendant_pays_is_on_record() -> None:
    above = at(IDLE, voucher_limit_cents=1_000)
    locked = at(IDLE, voucher_limit_cents=1_000)
    locked.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    voucher = at(IDLE).do(player("1"), c.CashOut(seat="1", voucher="V1"))

    assert only(e.CreditsPaidOut, above.do(SUPERVISOR, c.PayByAttendant(seat="1"))).occasion == "above-limit"
    assert only(e.CreditsPaidOut, locked.do(SUPERVISOR, c.PayByAttendant(seat="1"))).occasion == "locked-seat"
    assert only(e.CreditsPaidOut, voucher).occasion is None


@pytest.mark.parametrize("action", ["place-bets", "cash-out", "buy-credits"])
def test_no_table_asks_for_a_second_person_beside_a_player(action: str) -> None:
    with pytest.raises(ValueError, match="which a player does alone"):
        Play(two_people=(action,))

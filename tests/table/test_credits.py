"""Credits: bought with cash or vouchers, paid out by voucher or attendant, never with stakes in play."""

import msgspec
import pytest

from clauses import clause
from croupier.table import Actor, Posting, claims
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.asking import MOST_CENTS
from table.rig import DEALER, SUPERVISOR, TIMER, Play, only, player
from table.scenes import (
    BETTING,
    IDLE,
    MBS,
    MONEY_WHEEL,
    RWS_000,
    RWS_A,
    RWS_B,
    SETTLED,
    STAKE,
    Game,
    at,
    table,
    title,
)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(MBS, marks=clause("mbs-roulette:1.1.1")),
        pytest.param(RWS_A, marks=clause("rws-roulette-00:1.7")),
        pytest.param(RWS_B, marks=clause("rws-roulette-00:1.7")),
        pytest.param(RWS_000, marks=clause("rws-roulette-000:1.6")),
        pytest.param(MONEY_WHEEL),
    ],
    ids=title,
)
def test_at_the_seat_a_player_buys_credits_bets_and_takes_winnings_away(game: Game) -> None:
    play = table(game, seats=())
    play.do(DEALER, c.OpenSeat(seat="1", kind=play.rules.seat_kinds[0]))

    bought = only(e.CreditsBought, play.do(player("1"), c.BuyCredits(seat="1", cents=5_000)))
    play.round({"1": {game.bet: STAKE}}, game.wins)
    paid = only(e.CreditsPaidOut, play.do(player("1"), c.CashOut(seat="1", voucher="V1")))

    terminal = None if game is MONEY_WHEEL else game.cite({MBS: "1.1.1", RWS_000: "1.6"}.get(game, "1.7"))
    assert bought.clause == paid.clause == terminal
    assert (paid.cents, paid.voucher) == (5_000 + STAKE * game.pays, "V1")
    assert play.credits("1") == 0


def test_cash_and_vouchers_come_in_and_the_record_tells_them_apart() -> None:
    play = table(seats=("1",), cents=1_000)

    by_cash = only(e.CreditsBought, play.do(player("1"), c.BuyCredits(seat="1", cents=300)))
    by_voucher = only(e.CreditsBought, play.do(player("1"), c.BuyCredits(seat="1", cents=200, voucher="V7")))

    assert by_cash.postings == (Posting("cash", "credits/1", 300),)
    assert by_voucher.postings == (Posting("vouchers", "credits/1", 200),)
    assert (by_cash.voucher, by_voucher.voucher) == (None, "V7")
    assert (claims(by_cash), claims(by_voucher)) == ((), ("voucher-redeemed/V7",))
    meters = play.state.seats["1"].meters
    assert (meters.cash_in_cents, meters.vouchers_in_cents) == (1_300, 200)


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (c.BuyCredits(seat="1", cents=0), "bad-amount"),
        (c.BuyCredits(seat="1", cents=-5), "bad-amount"),
        (c.BuyCredits(seat="1", cents=5, voucher=" "), "no-voucher-number"),
        (c.BuyCredits(seat="7", cents=5), "unknown-seat"),
        (c.CashOut(seat="1", voucher=""), "no-voucher-number"),
        (c.CashOut(seat="7", voucher="V1"), "unknown-seat"),
        (c.PayByAttendant(seat="7"), "unknown-seat"),
        (c.ClearLockUp(seat="7"), "unknown-seat"),
    ],
)
def test_money_needs_an_amount_a_seat_and_a_voucher_its_number(do: c.Do, code: str) -> None:
    play = at(IDLE)

    assert play.refused(SUPERVISOR, do).code == code


def test_a_voucher_takes_all_credits_and_ends_the_visit() -> None:
    play = at(IDLE)

    paid = only(e.CreditsPaidOut, play.do(player("1"), c.CashOut(seat="1", voucher="V1")))

    assert paid.postings == (Posting("credits/1", "vouchers", 100_000),)
    assert claims(paid) == ("voucher-issued/V1",)
    assert play.state.seats["1"].visit == 2
    assert play.refused(player("1"), c.CashOut(seat="1", voucher="V2")).code == "no-credits"
    assert play.refused(SUPERVISOR, c.PayByAttendant(seat="1")).code == "no-credits"


def test_a_voucher_ends_so_many_days_after_its_issue_and_cash_never() -> None:
    play = at(IDLE)

    def paid(actor: Actor, do: c.Do, days: int | None) -> e.CreditsPaidOut:
        reply = play.submit(msgspec.structs.replace(play.command(actor, do), voucher_days=days))
        return only(e.CreditsPaidOut, [entry.event for entry in reply.entries])

    assert paid(player("1"), c.CashOut(seat="1", voucher="V1"), 30).expires_ms == play.at_ms + 2_592_000_000
    assert paid(player("2"), c.CashOut(seat="2", voucher="V2"), None).expires_ms is None
    play.do(player("1"), c.BuyCredits(seat="1", cents=600_000))
    assert paid(SUPERVISOR, c.PayByAttendant(seat="1"), 30).expires_ms is None


def test_a_terminal_takes_cash_up_to_its_limit_and_vouchers_and_attendants_go_beyond() -> None:
    play = table(seats=("1",), cents=20_000, cash_limit_cents=20_000)

    play.do(player("1"), c.BuyCredits(seat="1", cents=20_001, voucher="V7"))
    play.do(DEALER, c.BuyCredits(seat="1", cents=20_001))
    above = play.refused(player("1"), c.BuyCredits(seat="1", cents=20_001))

    assert (above.code, above.facts) == ("cash-limit", {"limit_cents": 20_000})
    assert "200.00 in cash at once" in above.sentence
    without = table(seats=(), cash_limit_cents=0)
    without.do(DEALER, c.OpenSeat(seat="1", kind=without.rules.seat_kinds[0]))
    assert "no cash" in without.refused(player("1"), c.BuyCredits(seat="1", cents=1)).sentence


@pytest.mark.parametrize(("limit_cents", "is_voucher"), [(100_000, True), (99_999, False)])
def test_credits_up_to_the_limit_are_a_voucher_and_above_it_call_an_attendant(
    limit_cents: int, is_voucher: bool
) -> None:
    play = at(IDLE, voucher_limit_cents=limit_cents)

    (event,) = play.do(player("1"), c.CashOut(seat="1", voucher="V1"))

    if is_voucher:
        assert isinstance(event, e.CreditsPaidOut)
    else:
        assert isinstance(event, e.SeatLocked)
        assert (event.seat, event.reason, event.cents) == ("1", "attendant-pay", 100_000)
        assert play.credits("1") == 100_000


def test_the_attendant_pays_by_hand_and_releases_the_seat() -> None:
    play = at(IDLE, voucher_limit_cents=50_000)
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))

    paid, unlocked = play.do(SUPERVISOR, c.PayByAttendant(seat="1"))

    assert isinstance(paid, e.CreditsPaidOut)
    assert (paid.cents, paid.voucher, claims(paid)) == (100_000, None, ())
    assert paid.postings == (Posting("credits/1", "cash", 100_000),)
    assert unlocked == e.SeatUnlocked(seat="1")
    assert play.state.seats["1"].meters.attendant_pays_cents == 100_000


def test_an_attendant_comes_without_being_called_where_a_voucher_would_be_too_large() -> None:
    play = at(IDLE, voucher_limit_cents=99_999)

    (paid,) = play.do(SUPERVISOR, c.PayByAttendant(seat="1"))

    assert isinstance(paid, e.CreditsPaidOut)


def test_an_attendant_does_not_pay_what_a_voucher_can() -> None:
    play = at(IDLE, voucher_limit_cents=100_000)

    found = play.refused(SUPERVISOR, c.PayByAttendant(seat="1"))

    assert (found.code, found.facts) == ("below-voucher-limit", {"limit_cents": 100_000})
    assert found.sentence == "Up to 1000.00 the terminal pays a voucher."


def test_an_attendant_pays_any_amount_at_a_terminal_that_is_lost() -> None:
    play = at(IDLE)
    play.do(TIMER, c.LoseSeat(seat="1"))

    assert play.refused(player("1"), c.CashOut(seat="1", voucher="V1")).code == "seat-lost"
    (paid,) = play.do(SUPERVISOR, c.PayByAttendant(seat="1"), DEALER)

    assert isinstance(paid, e.CreditsPaidOut)
    assert paid.cents == 100_000


@pytest.mark.parametrize(
    ("who", "do"),
    [(player("1"), c.CashOut(seat="1", voucher="V1")), (SUPERVISOR, c.PayByAttendant(seat="1"))],
)
def test_nothing_is_paid_out_while_stakes_are_in_play(who: Actor, do: c.Do) -> None:
    play = at(BETTING)

    found = play.refused(who, do)

    assert (found.code, found.facts) == ("stakes-in-play", {"staked_cents": STAKE})
    assert found.sentence == "10.00 is in play; wait until the round is over."
    play.do(player("1"), c.ClearBets(seat="1"))
    assert play.do(player("1"), c.CashOut(seat="1", voucher="V1")), "a seat out of the round may leave"


def test_a_player_may_leave_while_others_play_on() -> None:
    play = at(SETTLED)
    play.do(DEALER, c.OpenRound())
    play.bet("2", {MBS.other: STAKE})

    assert play.do(player("1"), c.CashOut(seat="1", voucher="V1"))


def close_table(play: Play) -> None:
    play.do(DEALER, c.AnnounceLastRound())
    play.round({}, "0")
    play.do(SUPERVISOR, c.CloseTable())


def test_at_a_closed_table_credits_are_paid_out_and_not_bought() -> None:
    play = at(IDLE, voucher_limit_cents=100_000)
    play.do(player("2"), c.BuyCredits(seat="2", cents=1))
    close_table(play)

    assert play.refused(player("1"), c.BuyCredits(seat="1", cents=100)).code == "table-closed"
    assert play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    assert play.do(SUPERVISOR, c.PayByAttendant(seat="2"))


def test_the_meters_at_the_start_of_a_visit_are_kept() -> None:
    play = at(IDLE)
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=70_00))

    seat = play.state.seats["1"]

    assert (seat.before_visit.cash_in_cents, seat.before_visit.vouchers_out_cents) == (100_000, 100_000)
    assert seat.meters.cash_in_cents - seat.before_visit.cash_in_cents == 70_00


@pytest.mark.parametrize("cents", [MOST_CENTS + 1, 2**63 - 1, 10**40])
def test_amounts_that_no_table_has_seen_are_refused(cents: int) -> None:
    play = at(IDLE)

    assert play.refused(player("1"), c.BuyCredits(seat="1", cents=cents)).code == "bad-amount"
    play.do(player("1"), c.BuyCredits(seat="1", cents=MOST_CENTS))

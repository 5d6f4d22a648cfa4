"""Seats: put into use and out of it, lost with what they registered, and restored."""

import pytest

from clauses import clause
from croupier.table import Stake, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, SUPERVISOR, TIMER, Play, only, player
from table.scenes import (
    BALL_GAMES,
    BETTING,
    CLOSED,
    IDLE,
    MBS,
    MONEY_WHEEL,
    RESULTED,
    RWS_000,
    RWS_A,
    RWS_B,
    SPINNING,
    STAKE,
    Game,
    at,
    credits_of_all,
    finish,
    table,
    title,
)

REGISTERED = [
    pytest.param(MBS, "5.14.1", marks=clause("mbs-roulette:5.14", "mbs-roulette:5.14.1")),
    pytest.param(RWS_A, "5.2.1", marks=clause("rws-roulette-00:5.2", "rws-roulette-00:5.2.1")),
    pytest.param(RWS_B, "5.2.1", marks=clause("rws-roulette-00:5.2", "rws-roulette-00:5.2.1")),
    pytest.param(RWS_000, "5.2.1", marks=clause("rws-roulette-000:5.2", "rws-roulette-000:5.2.1")),
]
UNREGISTERED = [
    pytest.param(MBS, "5.14.2", marks=clause("mbs-roulette:5.14", "mbs-roulette:5.14.2")),
    pytest.param(RWS_A, "5.2.2", marks=clause("rws-roulette-00:5.2", "rws-roulette-00:5.2.2")),
    pytest.param(RWS_B, "5.2.2", marks=clause("rws-roulette-00:5.2", "rws-roulette-00:5.2.2")),
    pytest.param(RWS_000, "5.2.2", marks=clause("rws-roulette-000:5.2", "rws-roulette-000:5.2.2")),
]


@pytest.mark.parametrize(("game", "number"), REGISTERED, ids=title)
@pytest.mark.parametrize("point", [BETTING, CLOSED, SPINNING, RESULTED])
@pytest.mark.parametrize("lost", [("1",), ("1", "2")], ids=["one terminal", "all terminals"])
def test_the_round_goes_on_and_the_registered_bets_of_lost_terminals_are_settled(
    game: Game, number: str, point: str, lost: tuple[str, ...]
) -> None:
    play = at(point, game)
    for seat in lost:
        event = only(e.SeatLost, play.do(TIMER, c.LoseSeat(seat=seat)))
        assert (event.round, event.clause) == (1, game.cite(number))
        assert audience(event) == f"seat/{seat}"
    if point == BETTING:
        play.do(DEALER, c.CloseBets())

    finish(play, game, CLOSED if point == BETTING else point, game.wins)

    assert credits_of_all(play) == {"1": 100_000 + STAKE * game.pays, "2": 99_000}


@pytest.mark.parametrize(("game", "number"), UNREGISTERED, ids=title)
def test_what_a_lost_terminal_had_not_registered_has_no_part_in_the_round(game: Game, number: str) -> None:
    play = table(game)
    play.do(DEALER, c.OpenRound())

    lost = only(e.SeatLost, play.do(TIMER, c.LoseSeat(seat="1")))
    on_its_way = play.refused(player("1"), c.PlaceBets(seat="1", stakes=(Stake(game.bet, STAKE),)))
    play.do(DEALER, c.CloseBets())
    events = finish(play, game, CLOSED, game.wins)

    assert lost.clause == game.cite(number)
    assert on_its_way.code == "seat-lost"
    assert not [event for event in events if isinstance(event, e.SeatSettled)]
    assert play.credits("1") == 100_000


@pytest.mark.parametrize(("game", "number"), UNREGISTERED, ids=title)
def test_only_the_part_of_its_bets_that_was_registered_stands(game: Game, number: str) -> None:
    play = at(BETTING, game)
    play.do(TIMER, c.LoseSeat(seat="1"))

    raised = play.refused(player("1"), c.PlaceBets(seat="1", stakes=(Stake(game.bet, STAKE),)))
    cleared = play.refused(player("1"), c.ClearBets(seat="1"))

    assert (raised.code, cleared.code) == ("seat-lost", "seat-lost")
    assert play.state.seats["1"].stakes == {game.bet: STAKE}


def test_a_terminal_that_is_back_in_time_bets_on() -> None:
    play = at(BETTING)
    play.do(TIMER, c.LoseSeat(seat="1"))

    restored = only(e.SeatRestored, play.do(TIMER, c.RestoreSeat(seat="1")))
    play.bet("1", {MBS.bet: STAKE})

    assert (restored.clause, audience(restored)) == ("mbs-roulette:5.14.1", "seat/1")
    assert play.state.seats["1"].stakes == {MBS.bet: 2 * STAKE}


def test_a_terminal_is_lost_once_and_restored_once() -> None:
    play = at(IDLE)

    assert play.refused(TIMER, c.RestoreSeat(seat="1")).code == "seat-not-lost"
    lost = only(e.SeatLost, play.do(TIMER, c.LoseSeat(seat="1")))
    assert lost.round is None
    assert play.refused(TIMER, c.LoseSeat(seat="1")).code == "seat-lost"
    play.do(TIMER, c.RestoreSeat(seat="1"))
    assert play.refused(TIMER, c.RestoreSeat(seat="1")).code == "seat-not-lost"


def test_terminals_are_lost_and_restored_at_a_halted_or_closed_table_too() -> None:
    play = Play()
    play.do(DEALER, c.OpenSeat(seat="1", kind="alfastreet"))
    play.do(TIMER, c.LoseSeat(seat="1"))
    play.do(TIMER, c.HaltTable(reason="the books do not balance"))

    assert play.do(TIMER, c.RestoreSeat(seat="1"))
    assert play.do(TIMER, c.LoseSeat(seat="1"))


@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        (MBS, ("rapid-select", "rapid-fusion", "alfastreet")),
        (RWS_A, ("rapid",)),
        (RWS_B, ("rapid",)),
        (RWS_000, ("rapid",)),
        (MONEY_WHEEL, ("place",)),
    ],
    ids=title,
)
def test_a_seat_is_a_kind_of_terminal_of_the_book_or_a_place_at_the_layout(
    game: Game, kinds: tuple[str, ...]
) -> None:
    play = Play(game.book, game.layout)

    for kind in kinds:
        (opened,) = play.do(DEALER, c.OpenSeat(seat=kind, kind=kind))
        assert opened == e.SeatOpened(seat=kind, kind=kind)
        assert audience(opened) == f"seat/{kind}"
    found = play.refused(DEALER, c.OpenSeat(seat="9", kind="slot-machine"))

    assert (found.code, found.facts) == ("unknown-seat-kind", {"kind": "slot-machine"})
    assert all(kind in found.sentence for kind in kinds)
    other = "rapid-select" if game is not MBS else "place"
    assert play.refused(DEALER, c.OpenSeat(seat="9", kind=other)).code == "unknown-seat-kind"


def test_a_seat_in_use_is_not_opened_again() -> None:
    play = at(IDLE)

    found = play.refused(DEALER, c.OpenSeat(seat="1", kind="alfastreet"))

    assert (found.code, found.facts) == ("seat-exists", {"seat": "1"})


@pytest.mark.parametrize("point", [IDLE, BETTING])
def test_a_seat_with_money_on_it_is_not_closed(point: str) -> None:
    assert at(point).refused(DEALER, c.CloseSeat(seat="1")).code == "seat-has-money"


def test_a_seat_whose_whole_money_is_in_play_is_not_closed() -> None:
    play = at(IDLE)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 100_000})

    assert play.refused(DEALER, c.CloseSeat(seat="1")).code == "seat-has-money"


@pytest.mark.parametrize("game", BALL_GAMES, ids=title)
def test_a_closed_seat_is_unknown_until_it_is_opened_again(game: Game) -> None:
    play = table(game)
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))

    assert play.do(DEALER, c.CloseSeat(seat="1")) == [e.SeatClosed(seat="1")]

    for actor, do in (
        (player("1"), c.BuyCredits(seat="1", cents=100)),
        (player("1"), c.ClearBets(seat="1")),
        (DEALER, c.CloseSeat(seat="1")),
        (TIMER, c.LoseSeat(seat="1")),
        (SUPERVISOR, c.ClearLockUp(seat="1")),
    ):
        assert play.refused(actor, do).code == "unknown-seat"
    play.do(DEALER, c.OpenSeat(seat="1", kind=play.rules.seat_kinds[-1]))
    play.do(player("1"), c.BuyCredits(seat="1", cents=100))
    assert play.state.seats["1"].kind == play.rules.seat_kinds[-1]
    assert play.state.seats["1"].meters.cash_in_cents == 100_100, "meters belong to the seat and run on"


def test_a_seat_that_is_opened_again_is_neither_lost_nor_locked() -> None:
    play = at(IDLE, lock_up_cents=1_000)
    play.round({"1": {"straight:17": STAKE}}, "17")
    play.do(SUPERVISOR, c.PayByAttendant(seat="1"))
    play.do(TIMER, c.LoseSeat(seat="1"))
    play.do(DEALER, c.CloseSeat(seat="1"))

    play.do(DEALER, c.OpenSeat(seat="1", kind="alfastreet"))

    seat = play.state.seats["1"]
    assert (seat.lost, seat.lock, seat.in_use) == (False, None, True)
    assert play.do(player("1"), c.BuyCredits(seat="1", cents=100))


@pytest.mark.parametrize("seat", ["1\0", "1\n2", "\u202e1", ""])
def test_a_seat_has_a_name_that_can_be_printed(seat: str) -> None:
    play = Play()
    play.do(SUPERVISOR, c.OpenTable())
    refused = play.refused(DEALER, c.OpenSeat(seat=seat, kind=play.rules.seat_kinds[0]))
    assert refused.code in ("bad-seat", "seat-malformed"), refused

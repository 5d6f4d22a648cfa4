"""A journal in which a seat plays by the layout of another one is found, and one of both layouts fits."""

from collections.abc import Callable

import msgspec
import pytest

from clauses import clause
from croupier.table import Stake
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.ledger import HOUSE, credits_of, move, stakes_of
from floor.forged_events import but, force, found_in, take_back
from table.rig import DEALER, MANAGER, SUPERVISOR, Play, player

BOTH = ("A", "B")
CORNER, TOP_LINE = "corner:0/1/2/3", "top-line:0/00/1/2/3"
TWO = player("2")


def both() -> Play:
    """A table with layout A at seat 1 and layout B at seat 2."""
    return Play("rws-roulette-00", BOTH).open(("1", "2"), layouts={"1": "A", "2": "B"})


def resulted(result: str = "0") -> Play:
    play = both()
    play.do(DEALER, c.OpenRound())
    play.bet("1", {CORNER: 100, "straight:0": 100})
    play.bet("2", {TOP_LINE: 100})
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result=result))
    return play


def confirmed(kind: type, seat: str = "", **facts: object) -> Play:
    """The confirmation, with other facts in the events of a kind, and of one seat where it is named."""
    play = resulted()
    events = take_back(play, play.do(DEALER, c.ConfirmResult(result="0")))
    forged = [
        event if getattr(event, "seat", "") != seat else but([event], kind, **facts)[0] for event in events
    ]
    return force(play, DEALER, *forged)


def a_seat_without_a_layout() -> Play:
    play = both()
    return force(play, DEALER, e.SeatOpened(seat="3", kind="rapid"))


def a_layout_that_the_table_does_not_have() -> Play:
    play = both()
    return force(play, DEALER, e.SeatOpened(seat="3", kind="rapid", layout="C"))


def a_layout_named_where_the_table_has_one() -> Play:
    play = Play("rws-roulette-00", "B").open(("1",))
    return force(play, DEALER, e.SeatOpened(seat="3", kind="rapid", layout="B"))


def a_bet_of_the_other_layout() -> Play:
    play = both()
    play.do(DEALER, c.OpenRound())
    events = take_back(play, play.do(TWO, c.PlaceBets(seat="2", stakes=(Stake(TOP_LINE, 100),))))
    return force(play, TWO, *but(events, e.BetsChanged, changes=(e.BetChange(CORNER, 100),)))


def an_announced_bet_of_the_other_layout() -> Play:
    play = both()
    play.do(DEALER, c.OpenRound())
    (event,) = take_back(play, play.do(player("1"), c.PlaceBets(seat="1", stakes=(Stake("tiers", 100),))))
    postings = move(credits_of("2"), stakes_of("2"), 600)
    return force(play, TWO, msgspec.structs.replace(event, seat="2", postings=postings))


def a_settlement_by_the_clause_of_the_other_layout() -> Play:
    return confirmed(e.SeatSettled, "2", clause="rws-roulette-00:4.1.1")


def a_settlement_that_names_the_other_layout() -> Play:
    return confirmed(e.SeatSettled, "2", layout="A")


def a_bet_paid_by_the_table_of_the_other_layout() -> Play:
    """A top line that pays as the corner does on the layout beside it."""
    lines = (e.Line(TOP_LINE, 100, 100, True, 900),)
    postings = move(stakes_of("2"), HOUSE, 100) + move(HOUSE, credits_of("2"), 900)
    return confirmed(e.SeatSettled, "2", lines=lines, returned_cents=900, postings=postings)


def a_round_by_the_clause_of_one_layout_where_both_were_played() -> Play:
    return confirmed(e.RoundSettled, clause="rws-roulette-00:4.1.2")


def a_round_by_the_clause_of_both_where_one_was_played() -> Play:
    play = both()
    events = take_back(play, play.round({"2": {TOP_LINE: 100}}, "0"))
    return force(play, DEALER, *but(events, e.RoundSettled, clause="rws-roulette-00:4.1"))


def stakes_that_go_back_as_of_the_other_layout() -> Play:
    play = resulted()
    events = take_back(play, play.do(DEALER, c.DeclareIrregularity(cause="interference")))
    return force(play, DEALER, *but(events, e.SeatReturned, layout="A"))


def a_correction_by_the_layout_that_the_seat_has_now() -> Play:
    """The corner that seat 1 had on layout A is paid nothing, because layout B has no such bet."""
    play = both()
    play.round({"1": {CORNER: 100}}, "20")
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    play.do(DEALER, c.CloseSeat(seat="1"))
    play.do(DEALER, c.OpenSeat(seat="1", kind="rapid", layout="B"))
    do = c.CorrectResult(round=1, result="1", reason="camera")
    result, seat, *_ = take_back(play, play.do(MANAGER, do, second=SUPERVISOR))
    assert isinstance(seat, e.SeatCorrected)
    forged = msgspec.structs.replace(
        seat, lines=seat.reversed, returned_cents=0, carried_cents=0, postings=()
    )
    return force(play, MANAGER, result, forged, second=SUPERVISOR)


@clause("rws-roulette-00:4.1.1", "rws-roulette-00:4.1.2")
@pytest.mark.parametrize(
    ("forged", "reason"),
    [
        (a_seat_without_a_layout, "it names no layout, and the table has A and B"),
        (a_layout_that_the_table_does_not_have, "it names layout 'C', and the table has A and B"),
        (a_layout_named_where_the_table_has_one, "it names layout 'B', and the table has B"),
        (a_bet_of_the_other_layout, "is not a bet on layout B, which seat 2 has"),
        (an_announced_bet_of_the_other_layout, "layout B has no announced bet 'tiers'"),
        (a_settlement_by_the_clause_of_the_other_layout, "it rests on rws-roulette-00:4.1.2"),
        (a_settlement_that_names_the_other_layout, "it tells of layout A, and seat 2 has layout B"),
        (a_bet_paid_by_the_table_of_the_other_layout, "it has to be 1.00 won, 7.00 back"),
        (a_round_by_the_clause_of_one_layout_where_both_were_played, "it rests on rws-roulette-00:4.1"),
        (a_round_by_the_clause_of_both_where_one_was_played, "it rests on rws-roulette-00:4.1.2"),
        (stakes_that_go_back_as_of_the_other_layout, "it tells of layout A, and seat 2 has layout B"),
        (a_correction_by_the_layout_that_the_seat_has_now, "it has to be 1.00 won, 9.00 back"),
    ],
    ids=lambda value: value.__name__ if callable(value) else None,
)
def test_it_is_found(forged: Callable[[], Play], reason: str) -> None:
    found = found_in(forged())

    assert found is not None
    assert reason in found.reason


def test_a_journal_of_both_layouts_fits() -> None:
    play = both()
    play.round({"1": {CORNER: 100, "tiers": 100}, "2": {TOP_LINE: 100, "neighbours:0+2": 100}}, "0")
    play.do(MANAGER, c.CorrectResult(round=1, result="2", reason="camera"), second=SUPERVISOR)
    play.round({"2": {TOP_LINE: 100}}, "00")
    play.round({}, "00")

    assert found_in(play) is None

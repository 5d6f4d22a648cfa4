"""The layout belongs to the seat: terminals of both layouts at one wheel, in one round."""

import pytest

from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Limits, Range, Rules, Stake, foresee_correction, house_results, limits_faults
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SUPERVISOR, Play, only, player, wide_limits

BOTH = ("A", "B")
CORNER, TOP_LINE = "corner:0/1/2/3", "top-line:0/00/1/2/3"


def both(**settings: object) -> Play:
    """A table with layout A at seat 1 and layout B at seat 2."""
    return Play("rws-roulette-00", BOTH, **settings).open(("1", "2"), layouts={"1": "A", "2": "B"})


@clause("rws-roulette-00:4.1.1", "rws-roulette-00:4.1.2")
def test_each_terminal_is_paid_by_the_table_of_its_own_layout() -> None:
    play = both()

    _, first, second, settled = play.round({"1": {CORNER: 100}, "2": {TOP_LINE: 100}}, "0")

    assert isinstance(first, e.SeatSettled)
    assert isinstance(second, e.SeatSettled)
    assert isinstance(settled, e.RoundSettled)
    assert (first.layout, first.returned_cents, first.clause) == ("A", 900, "rws-roulette-00:4.1.1")
    assert (second.layout, second.returned_cents, second.clause) == ("B", 700, "rws-roulette-00:4.1.2")
    assert settled.clause == "rws-roulette-00:4.1"


@pytest.mark.parametrize(
    ("stakes", "number"),
    [({"1": {CORNER: 100}}, "4.1.1"), ({"2": {TOP_LINE: 100}}, "4.1.2"), ({}, "4.1")],
    ids=["A alone", "B alone", "no bets"],
)
def test_a_round_rests_on_the_pay_tables_that_were_played(
    stakes: dict[str, dict[str, int]], number: str
) -> None:
    assert only(e.RoundSettled, both().round(stakes, "0")).clause == f"rws-roulette-00:{number}"


@clause("rws-roulette-00:App.A", "rws-roulette-00:App.B")
@pytest.mark.parametrize(
    ("seat", "bet", "layout"), [("1", TOP_LINE, "A"), ("2", CORNER, "B"), ("2", "tiers", "B")]
)
def test_a_bet_of_the_other_layout_is_refused(seat: str, bet: str, layout: str) -> None:
    play = both()
    play.do(DEALER, c.OpenRound())

    for do in (
        c.PlaceBets(seat=seat, stakes=(Stake(bet, 100),)),
        c.MoveBet(seat=seat, source="red", destination=bet, cents=100),
    ):
        found = play.refused(player(seat), do)
        assert found.code == "unknown-bet"
        assert f"layout {layout}" in found.sentence


def test_the_same_bet_of_both_layouts_is_one_spot() -> None:
    limits = wide_limits(Rules(load_book("rws-roulette-00"), BOTH), spots={"straight": 1_000})
    play = both(limits=limits)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"straight:0": 600})

    found = play.refused(player("2"), c.PlaceBets(seat="2", stakes=(Stake("straight:0", 500),)))

    assert (found.code, found.facts["would_be_cents"]) == ("spot-limit", 1_100)


def test_what_a_result_would_cost_adds_up_over_both_pay_tables() -> None:
    limits = wide_limits(Rules(load_book("rws-roulette-00"), BOTH), exposure_cents=1_500)
    play = both(limits=limits)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {CORNER: 100})
    play.bet("2", {TOP_LINE: 100})

    assert play.state.round is not None
    assert (play.state.round.pays["0"], play.state.round.pays["00"]) == (800 + 600, 600)
    shown = house_results(play.rules, play.state)
    assert (shown["0"], shown["00"], shown["20"]) == (-1_400, -500, 200)
    found = play.refused(player("2"), c.PlaceBets(seat="2", stakes=(Stake(TOP_LINE, 100),)))
    assert (found.code, found.facts["would_be_cents"]) == ("exposure-limit", 2_000)


@clause("rws-roulette-00:5.5")
def test_a_correction_settles_each_seat_again_by_the_layout_that_it_had() -> None:
    play = both()
    play.round({"1": {CORNER: 100}, "2": {TOP_LINE: 100}}, "20")
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    play.do(DEALER, c.CloseSeat(seat="1"))
    play.do(DEALER, c.OpenSeat(seat="1", kind="rapid", layout="B"))

    foreseen = foresee_correction(play.rules, play.state, play.at_ms, MANAGER, 1, "1")
    events = play.do(MANAGER, c.CorrectResult(round=1, result="1", reason="camera"), second=SUPERVISOR)

    found = {event.seat: event.returned_cents for event in events if isinstance(event, e.SeatCorrected)}
    assert found == {"1": 900, "2": 700}
    assert {seat.seat: seat.due_cents for seat in foreseen.seats} == found  # type: ignore[union-attr]


def test_a_seat_changes_its_layout_when_it_is_empty() -> None:
    play = both()
    play.do(DEALER, c.OpenRound())
    assert play.refused(DEALER, c.OpenSeat(seat="1", kind="rapid", layout="B")).code == "seat-exists"
    play.bet("1", {CORNER: 100})
    assert play.refused(DEALER, c.CloseSeat(seat="1")).code == "seat-has-money"
    play.do(player("1"), c.ClearBets(seat="1"))
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    play.do(DEALER, c.CloseSeat(seat="1"))

    opened = only(e.SeatOpened, play.do(DEALER, c.OpenSeat(seat="1", kind="rapid", layout="B")))

    assert (opened.layout, play.state.seats["1"].layout) == ("B", "B")
    play.do(player("1"), c.BuyCredits(seat="1", cents=1_000))
    assert play.bet("1", {TOP_LINE: 100})


def test_a_seat_for_which_no_layout_is_named_has_the_first_of_the_table() -> None:
    play = Play("rws-roulette-00", ("B", "A")).open(("1",))

    assert play.state.seats["1"].layout == "B"


def test_a_layout_that_the_table_does_not_have_is_refused() -> None:
    play = Play("rws-roulette-00", "B").open(())

    found = play.refused(DEALER, c.OpenSeat(seat="1", kind="rapid", layout="A"))

    assert (found.code, found.facts, found.sentence) == (
        "unknown-layout",
        {"layout": "A"},
        "This table has no layout 'A'; use B.",
    )


def test_a_table_with_one_layout_says_nothing_of_it() -> None:
    play = Play("rws-roulette-00", "B").open(("1",))
    opened = [entry.event for entry in play.entries if isinstance(entry.event, e.SeatOpened)]
    settled = only(e.SeatSettled, play.round({"1": {TOP_LINE: 100}}, "0"))

    assert (opened[0].layout, settled.layout) == (None, None)
    assert play.state.seats["1"].layout == "B"


def test_limits_cover_the_bets_of_all_layouts_of_the_table() -> None:
    book = load_book("rws-roulette-00")
    of_a, of_both = wide_limits(Rules(book, "A")), wide_limits(Rules(book, BOTH))

    assert limits_faults(Rules(book, BOTH), of_both) == []
    assert limits_faults(Rules(book, BOTH), of_a) == [f"There is no limit for {TOP_LINE}."]
    assert limits_faults(Rules(book, "A"), of_both) == [
        "There is a limit for 'top-line', which is not a bet on this layout."
    ]
    own = Limits(bets={**of_both.bets, "top-hat": Range(minimum_cents=100, maximum_cents=100)})
    assert limits_faults(Rules(book, BOTH), own) == [
        "There is a limit for 'top-hat', which is not a bet on the layouts A and B."
    ]

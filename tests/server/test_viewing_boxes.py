"""What console and pit see of the Money Wheel's limits: boxes, the table, bets under the minimum."""

from clauses import clause
from croupier.protocol.views import Box, BoxPart, SmallBet
from croupier.rulebook import load_book
from croupier.server.viewing import pit_line, stakes_view, table_view
from croupier.table import Rules
from croupier.table import commands as c
from table.rig import DEALER, Play, wide_limits

BOX, OTHER = "symbol:20", "symbol:5"


def betting() -> Play:
    limits = wide_limits(Rules(load_book("rws-money-wheel")), 1_000, 100_000, table_cents=150_000)
    play = Play("rws-money-wheel", limits=limits).open(("1", "2", "3"), 500_000)
    play.do(DEALER, c.OpenRound())
    return play


def boxes(play: Play) -> tuple[Box, ...]:
    view = stakes_view(play.rules, play.state)
    assert view is not None
    return view.boxes


@clause("rws-money-wheel:5.2")
def test_bets_under_the_minimum_are_shown_with_their_advice_whatever_the_box_holds() -> None:
    play = betting()
    play.bet("1", {BOX: 400})
    play.bet("2", {BOX: 5_000, OTHER: 300})
    play.do(DEALER, c.AdviseMinimum(seat="1", bet=BOX))

    meets, under = boxes(play)

    assert (meets.bet, meets.excess_cents) == (BOX, 0)
    assert meets.small == (SmallBet(seat="1", cents=400, advised=True),)
    assert (under.bet, under.total_cents) == (OTHER, 300)
    assert under.small == (SmallBet(seat="2", cents=300, advised=False),)


@clause("rws-money-wheel:5.1")
def test_the_table_over_its_maximum_is_shown_behind_the_boxes_with_what_would_go_back() -> None:
    play = betting()
    play.bet("1", {BOX: 120_000})
    play.bet("2", {OTHER: 90_000})

    box, whole = boxes(play)

    assert (box.bet, box.excess_cents) == (BOX, 20_000)
    assert whole == Box(
        bet="table",
        total_cents=210_000,
        minimum_cents=0,
        maximum_cents=150_000,
        excess_cents=60_000,
        latest=(BoxPart(seat="2", bet=OTHER, cents=60_000),),
        small=(),
    )
    line = pit_line(play.rules, play.state, table_view(play.rules, play.state, None, None), 0, None)
    assert [each.bet for each in line.boxes] == [BOX, "table"]


def test_a_table_within_all_limits_has_nothing_to_sort_out() -> None:
    play = betting()
    play.bet("1", {BOX: 100_000, OTHER: 50_000})

    assert boxes(play) == ()

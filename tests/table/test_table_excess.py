"""Money Wheel 5.1: stakes over the maximum of the table as a whole, rejected or not."""

import pytest

from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Limits, Range, Rules
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, TIMER, Play, only, wide_limits
from table.scenes import MONEY_WHEEL, table

BOX, OTHER = "symbol:20", "symbol:5"
ASSUMED = "assumption:table-excess"


def betting(table_cents: int | None = 150_000) -> Play:
    """Three players at boxes that take 10.00 to 1,000.00, and 1,500.00 together."""
    chosen = wide_limits(Rules(load_book("rws-money-wheel")), 1_000, 100_000, table_cents=table_cents)
    play = table(MONEY_WHEEL, seats=("1", "2", "3"), cents=1_000_000, limits=chosen)
    play.do(DEALER, c.OpenRound())
    return play


def settled(play: Play, result: str = "20") -> tuple[dict[tuple[str, str], e.Line], e.RoundSettled]:
    """Plays to the end; gives how each bet was settled, and the end of the round."""
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result=result))
    return of(play.do(DEALER, c.ConfirmResult(result=result)))


def of(events: list[e.Event]) -> tuple[dict[tuple[str, str], e.Line], e.RoundSettled]:
    seats = [event for event in events if isinstance(event, e.SeatSettled)]
    lines = {(event.seat, line.bet): line for event in seats for line in event.lines}
    return lines, next(event for event in events if isinstance(event, e.RoundSettled))


@clause("rws-money-wheel:5.1")
def test_an_excess_of_the_table_that_nobody_rejected_leaves_every_bet_whole_and_is_cited() -> None:
    play = betting()
    play.bet("1", {BOX: 90_000})
    play.bet("2", {OTHER: 80_000})

    lines, end = settled(play)

    assert lines["1", BOX] == e.Line(BOX, 90_000, 90_000, True, 21 * 90_000)
    assert lines["2", OTHER] == e.Line(OTHER, 80_000, 80_000, False, 0)
    assert (end.excess_clause, end.clause) == (ASSUMED, "rws-money-wheel:4.1")


@clause("rws-money-wheel:5.1", "rws-money-wheel:5.1.1")
def test_a_box_over_its_maximum_at_a_table_over_its_own_is_apportioned_by_the_box_alone() -> None:
    play = betting()
    play.bet("1", {BOX: 200_000})
    play.bet("2", {OTHER: 90_000})

    lines, end = settled(play)

    assert lines["1", BOX] == e.Line(
        BOX, 200_000, 100_000, True, 100_000 + 21 * 100_000, "rws-money-wheel:5.1.1"
    )
    assert lines["2", OTHER].counted_cents == 90_000
    assert end.excess_clause == ASSUMED


@pytest.mark.parametrize(
    ("table_cents", "cents"), [pytest.param(150_000, 60_000, id="at the maximum"), (None, 90_000)]
)
def test_where_there_is_no_excess_of_the_table_none_is_cited(table_cents: int | None, cents: int) -> None:
    play = betting(table_cents)
    play.bet("1", {BOX: 90_000})
    play.bet("2", {OTHER: cents})

    assert settled(play)[1].excess_clause is None


@clause("rws-money-wheel:5.1")
def test_an_excess_of_the_table_that_was_rejected_is_not_cited() -> None:
    play = betting()
    play.bet("1", {BOX: 90_000})
    play.bet("2", {OTHER: 80_000})

    rejected = only(e.BetsRejected, play.do(DEALER, c.RejectExcess(bet="table")))

    assert (rejected.seat, rejected.bet, rejected.cents) == ("2", OTHER, 20_000)
    assert (rejected.cause, rejected.clause) == ("box-over-maximum", "rws-money-wheel:5.1")
    lines, end = settled(play)
    assert lines["2", OTHER].stake_cents == 60_000
    assert end.excess_clause is None


@clause("rws-money-wheel:5.1", "rws-money-wheel:5.1.1")
def test_an_excess_comes_too_late_by_what_says_how_it_counts() -> None:
    play = betting()
    play.bet("1", {BOX: 160_000})
    play.do(DEALER, c.CloseBets())

    found = [play.refused(DEALER, c.RejectExcess(bet=bet)) for bet in ("table", BOX)]

    assert [(each.code, each.clause) for each in found] == [
        ("bets-closed", ASSUMED),
        ("bets-closed", "rws-money-wheel:5.1.1"),
    ]


def test_a_round_that_was_interrupted_with_its_result_cites_an_excess_too() -> None:
    play = betting()
    play.bet("1", {BOX: 90_000, OTHER: 80_000})
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="20"))
    play.do(TIMER, c.Interrupt(began_ms=0))

    _, end = of(play.do(DEALER, c.ConfirmResult(result="20")))

    assert end.excess_clause == ASSUMED


def test_games_that_refuse_what_is_over_the_table_never_have_an_excess() -> None:
    rules = Rules(load_book("mbs-roulette"))
    kinds = {bet.kind for bet in rules.layout.bets.values()}
    bets = dict.fromkeys(kinds, Range(minimum_cents=100, maximum_cents=100_000))
    play = Play("mbs-roulette", limits=Limits(bets=bets, table_cents=5_000)).open(("1",), 50_000)

    events = play.round({"1": {"red": 5_000}}, "1")

    assert next(each for each in events if isinstance(each, e.RoundSettled)).excess_clause is None

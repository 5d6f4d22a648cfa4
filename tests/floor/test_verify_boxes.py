"""Forged journals of the Money Wheel's limits: advice, what is rejected for it, and the table's maximum."""

from collections.abc import Callable

import pytest

from clauses import clause
from croupier.journal import Record
from croupier.rulebook import load_book
from croupier.table import Rules, Stake
from croupier.table import commands as c
from floor.audit_journal import Event, edit, records_of
from floor.test_verify_facts import judged
from table.rig import DEALER, Play, player, wide_limits
from table.scenes import correct

BOX = "symbol:20"
ADVISED, UNNOTICED, SMALL, ASSUMED = (
    "rws-money-wheel:5.2",
    "rws-money-wheel:5.2.1",
    "rws-money-wheel:5.1.2",
    "assumption:table-excess",
)


def betting(table_cents: int | None = None) -> Play:
    limits = wide_limits(Rules(load_book("rws-money-wheel")), 1_000, 100_000, table_cents=table_cents)
    play = Play("rws-money-wheel", limits=limits).open(("1", "2"), 200_000)
    play.do(DEALER, c.OpenRound())
    return play


def advised() -> Play:
    """Seat 1 has a small bet of which it was advised, and seat 2 one that nobody noticed."""
    play = betting()
    play.bet("1", {BOX: 500})
    play.bet("2", {BOX: 400})
    play.do(DEALER, c.AdviseMinimum(seat="1", bet=BOX))
    return play


def rejected() -> Play:
    play = advised()
    play.do(DEALER, c.RejectAdvised(seat="1", bet=BOX))
    return play


def settled(play: Play, result: str = "20") -> Play:
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result=result))
    play.do(DEALER, c.ConfirmResult(result=result))
    return play


def over() -> Play:
    """More in play than the table takes, and nobody noticed."""
    play = betting(150_000)
    play.bet("1", {BOX: 90_000})
    play.bet("2", {"symbol:5": 80_000})
    return settled(play)


def reason_of(play: Play, records: list[Record]) -> str | None:
    misfit = judged(play, records)
    return None if misfit is None else misfit.reason


def forged(play: Play, kind: str, change: Callable[[Event], object], at: int = 0) -> str | None:
    """What is found where the record of a kind, the first or the one that is named, says something else."""
    records = records_of(play)
    index = [number for number, record in enumerate(records) if record.kind == kind][at]
    records[index] = edit(records[index], lambda event, cause: change(event))
    return reason_of(play, records)


def left_out(play: Play, kind: str) -> str | None:
    return reason_of(play, [record for record in records_of(play) if record.kind != kind])


@clause("rws-money-wheel:5.1", "rws-money-wheel:5.1.2", "rws-money-wheel:5.2", "rws-money-wheel:5.2.1")
@pytest.mark.parametrize("scene", [advised, rejected, lambda: settled(advised()), over])
def test_what_the_table_wrote_fits(scene: Callable[[], Play]) -> None:
    play = scene()
    assert reason_of(play, records_of(play)) is None


@clause("rws-money-wheel:5.2")
@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"seat": "2"}, "seat 2 was not advised of the minimum on symbol:20, or its bet meets it"),
        ({"cents": 400}, "what is rejected is 4.00, and it has to be 5.00"),
        (
            {"clause": "rws-money-wheel:5.1"},
            "it cites rws-money-wheel:5.1, and it rests on rws-money-wheel:5.2",
        ),
        ({"cause": "box-over-maximum"}, "it cites rws-money-wheel:5.2, and it rests on rws-money-wheel:5.1"),
        ({"cause": "late-placement"}, "no bet is rejected for late-placement"),
        (
            {"cause": "box-over-maximum", "clause": "rws-money-wheel:5.1"},
            "5.00 of seat 1 on symbol:20 is not the latest excess",
        ),
    ],
)
def test_only_an_advised_bet_is_rejected_whole_and_by_the_clause_on_advice(facts: Event, why: str) -> None:
    assert forged(rejected(), "bets-rejected", lambda event: event.update(facts)) == why


@clause("rws-money-wheel:5.2")
def test_a_bet_is_not_rejected_for_advice_that_was_never_given() -> None:
    why = "seat 1 was not advised of the minimum on symbol:20, or its bet meets it"
    assert left_out(rejected(), "minimum-advised") == why


@clause("rws-money-wheel:5.2")
def test_a_bet_that_was_raised_to_the_minimum_is_not_rejected() -> None:
    play = rejected()
    *before, last = records_of(play)
    other = advised()
    other.bet("1", {BOX: 500})
    raised = records_of(other)[-1]

    assert reason_of(play, [*before, raised, last]) == (
        "seat 1 was not advised of the minimum on symbol:20, or its bet meets it"
    )


@clause("rws-money-wheel:5.2")
def test_advice_that_was_followed_does_not_come_back() -> None:
    play = advised()
    play.bet("1", {BOX: 500})
    play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake(BOX, 500),)))

    last = records_of(rejected())[-1]

    assert reason_of(play, [*records_of(play), last]) == (
        "seat 1 was not advised of the minimum on symbol:20, or its bet meets it"
    )


@clause("rws-money-wheel:5.2")
def test_no_advised_bet_is_rejected_when_bets_are_closed() -> None:
    play = rejected()
    play.do(DEALER, c.CloseBets())
    *before, last, closed = records_of(play)

    assert reason_of(play, [*before, closed, last]) == "bets of round 1 are closed"


@clause("rws-money-wheel:5.2", "rws-money-wheel:5.2.1")
@pytest.mark.parametrize(
    ("at", "cited", "right"), [(0, UNNOTICED, ADVISED), (0, None, ADVISED), (1, ADVISED, UNNOTICED)]
)
def test_a_small_bet_settles_by_what_was_said_of_it(at: int, cited: str | None, right: str) -> None:
    def change(event: Event) -> None:
        event["lines"][0]["clause"] = cited

    why = f"it cites {cited or 'no clause'}, and it rests on {right}"
    assert forged(settled(advised()), "seat-settled", change, at) == why


@clause("rws-money-wheel:5.2")
def test_without_the_advice_on_record_a_bet_does_not_settle_by_its_clause() -> None:
    why = f"it cites {ADVISED}, and it rests on {UNNOTICED}"
    assert left_out(settled(advised()), "minimum-advised") == why


@clause("rws-money-wheel:5.1.2")
def test_in_a_box_over_its_maximum_advice_does_not_say_how_a_small_bet_counts() -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    play.do(DEALER, c.AdviseMinimum(seat="1", bet=BOX))
    play.bet("2", {BOX: 150_000})
    settled(play)

    def change(event: Event) -> None:
        event["lines"][0]["clause"] = ADVISED

    assert reason_of(play, records_of(play)) is None
    assert forged(play, "seat-settled", change) == f"it cites {ADVISED}, and it rests on {SMALL}"


@clause("rws-money-wheel:5.2", "rws-money-wheel:5.2.1")
def test_a_correction_keeps_what_small_bets_settled_by() -> None:
    play = settled(advised(), "1")
    correct(play, 1, "20")

    def change(event: Event) -> None:
        event["lines"][0]["clause"] = UNNOTICED

    assert reason_of(play, records_of(play)) is None
    assert forged(play, "seat-corrected", change) == f"it cites {UNNOTICED}, and it rests on {ADVISED}"


@clause("rws-money-wheel:5.1")
@pytest.mark.parametrize("cited", [None, "rws-money-wheel:5.1.1"])
def test_a_round_over_the_table_says_by_which_assumption_it_counts(cited: str | None) -> None:
    why = f"the table was over its maximum, and the round cites {cited or 'nothing'} for that"
    assert forged(over(), "round-settled", lambda event: event.update(excess_clause=cited)) == why


@clause("rws-money-wheel:5.1")
def test_a_round_that_was_not_over_the_table_does_not_say_so() -> None:
    why = f"the table was not over its maximum, and the round cites {ASSUMED} for that"
    change: Event = {"excess_clause": ASSUMED}
    assert forged(settled(advised()), "round-settled", lambda event: event.update(change)) == why


@clause("rws-money-wheel:5.1")
def test_no_bet_is_scaled_by_the_maximum_of_the_table() -> None:
    def change(event: Event) -> None:
        event["lines"][0].update(counted_cents=80_000, returned_cents=10_000 + 21 * 80_000)

    found = forged(over(), "seat-settled", change)

    assert found is not None
    assert found.startswith("symbol:20 is settled as 900.00 (800.00 counted) won")

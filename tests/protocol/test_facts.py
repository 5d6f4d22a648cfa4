"""Which facts of an event leave the house, and for whom."""

from typing import get_args

import msgspec
import pytest

from croupier.protocol.facts import FACTS, ONCE_SETTLED, STAFF_LESS, STAFF_MORE, facts_of, shapes
from croupier.table import Event
from croupier.table import events as e
from croupier.table.ledger import Posting


def test_every_event_says_what_leaves_the_house() -> None:
    assert set(FACTS) == set(get_args(Event))


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_facts_are_fields_of_the_event_and_never_movements_between_accounts(kind: type) -> None:
    fields = {field.name for field in msgspec.structs.fields(kind)}
    listed = (*FACTS[kind], *STAFF_MORE.get(kind, ()))
    assert set(listed) <= fields
    assert len(set(listed)) == len(listed)
    assert "postings" not in listed
    assert set(STAFF_LESS.get(kind, ())) <= set(FACTS[kind])
    assert set(ONCE_SETTLED.get(kind, ())) <= set(FACTS[kind])
    assert kind not in ONCE_SETTLED or "settled" in FACTS[kind]


def test_the_player_is_given_a_vouchers_number_and_the_staff_are_not() -> None:
    paid = e.CreditsPaidOut(
        seat="4", cents=500, voucher="123", clause=None, postings=(Posting("credits/4", "vouchers", 500),)
    )
    assert facts_of(paid, staff=False) == {
        "type": "credits-paid-out",
        "seat": "4",
        "cents": 500,
        "voucher": "123",
        "occasion": None,
        "clause": None,
    }
    assert "123" not in str(facts_of(paid, staff=True))


def test_why_a_table_was_halted_is_for_the_staff() -> None:
    halted = e.TableHalted(reason="The accounts do not sum to zero.", notice="Please wait")
    assert "reason" not in facts_of(halted, staff=False)
    assert facts_of(halted, staff=True)["reason"] == "The accounts do not sum to zero."


def corrected(*, settled: bool) -> e.ResultCorrected:
    return e.ResultCorrected(
        round=7,
        old="17",
        new="18",
        settled=settled,
        cause="wrong-result",
        reason="The dealer looked away.",
        notice="The result of round 7 is 18." if settled else None,
        clause="mbs-roulette:6.3",
    )


def test_why_a_result_was_put_right_before_players_were_told_it_is_for_the_staff() -> None:
    facts = facts_of(corrected(settled=False), staff=False)
    assert facts["new"] == "18"
    assert "reason" not in facts
    assert facts_of(corrected(settled=False), staff=True)["reason"] == "The dealer looked away."
    raw = msgspec.json.encode(facts)
    assert msgspec.json.decode(raw, type=shapes()["result-corrected"], strict=True).round == 7  # type: ignore[attr-defined]


def test_why_a_settled_round_was_put_right_is_what_players_read() -> None:
    assert facts_of(corrected(settled=True), staff=False)["reason"] == "The dealer looked away."


def test_each_event_has_a_shape_that_its_facts_fit() -> None:
    paid = e.CreditsPaidOut(seat="4", cents=500, voucher="123", clause=None, postings=())
    shape = shapes()["credits-paid-out"]
    assert len(shapes()) == len(FACTS)
    for staff in (True, False):
        raw = msgspec.json.encode(facts_of(paid, staff=staff))
        assert msgspec.json.decode(raw, type=shape, strict=True).seat == "4"  # type: ignore[attr-defined]

"""Sentences that end with a reason have one full stop there, whether the reason brings one or not."""

import pytest

from croupier.floor.house.log import CheckFailed, tell_house
from croupier.floor.significant.full_stop import stopped
from croupier.floor.significant.telling import tell
from croupier.table import events as e

REASON = "The ball was lost"


@pytest.mark.parametrize("end", ["", ".", "..", ". ", "\N{IDEOGRAPHIC FULL STOP}"])
def test_a_reason_with_a_full_stop_of_its_own_brings_no_second_one(end: str) -> None:
    assert tell(e.TableHalted(reason=REASON + end, notice="")) == f"The table is halted: {REASON}."
    assert tell(e.WheelReported(round=None, fault="stuck", detail=REASON + end)).endswith(f"stuck: {REASON}.")
    assert tell_house(CheckFailed(check="disk", reason=REASON + end)).endswith(f"fails: {REASON}.")
    assert stopped(f"Seat 4: {REASON}{end}") == f"Seat 4: {REASON}."


def test_what_is_no_full_stop_stays() -> None:
    assert stopped("Why was it halted?") == "Why was it halted?."
    assert tell(e.WheelReported(round=None, fault="stuck", detail="")) == "The wheel has the fault stuck."

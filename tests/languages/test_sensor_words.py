"""What the sensor says, and what people do without it or against it, has words in every language."""

from typing import Any

import pytest

from croupier.floor.significant.telling import tell
from croupier.table import events as e
from languages.test_languages import LANGUAGES, read, tag, told_by

CLAUSE = "mbs-roulette:3.8"
ENTERED = {"round": 12, "result": "32", "said_by": "dealer", "clause": CLAUSE}
VOIDED = {
    "round": 12,
    "cause": "ball-out",
    "reason": "The ball left the wheel",
    "notice": "",
    "clause": CLAUSE,
}
CUT = {
    "round": 12,
    "phase": "spinning",
    "began_ms": 1,
    "ended_ms": 1,
    "consequence": "wait",
    "notice": "",
    "clause": None,
}
LATE = {"round": 12, "revolutions": 8, "at_rest": True, "clause": CLAUSE}
SAID: list[Any] = [
    e.ResultEntered(**ENTERED, sensor="contradicted"),
    e.ResultEntered(**ENTERED, sensor="failed"),
    e.RoundVoided(**VOIDED, wheel="rolling", against_sensor=True),
    e.RoundVoided(**VOIDED, wheel="not-spun"),
    e.TableInterrupted(**CUT, length_known=True, declared="no light in the hall", spun=True),
    e.OutcomeStated(round=12, result="32", clause=CLAUSE, spun=True, sensed="15"),
    e.OutcomeStated(round=12, result=None, clause=CLAUSE, sensed="15"),
    e.SpinReportedLate(**LATE, pocket="15", registered="32", disagrees=True, irregularity=None),
    e.SpinReportedLate(**LATE, pocket="32", registered="32", disagrees=False, irregularity=None),
    e.SpinReportedLate(**LATE, pocket=None, registered=None, disagrees=True, irregularity="no-compartment"),
    e.ResultUpheld(round=12, result="32", sensed="15", reason="the film", clause=CLAUSE),
    e.ResultUpheld(round=12, result=None, sensed=None, reason="the film", clause=CLAUSE),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("event", SAID, ids=lambda event: tell(event)[:48])
def test_what_a_sensor_and_people_say_of_a_spin_is_told(language: str, event: Any) -> None:
    sentence = tell(event)

    assert "None" not in sentence
    assert told_by(read(language, "records")[tag(type(event))], sentence), sentence


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_screens_say_for_each_stand_of_the_sensor_what_it_means(language: str) -> None:
    words = read(language)
    needed = {f"alarm.{how}" for how in ("dispute", "dispute.void", "dispute.invalid", "against", "without")}
    needed |= {f"dispute.{how}" for how in ("number", "void", "invalid")}
    needed |= {f"con.interruption.{after}" for after in ("void", "spun", "wait", "waits", "conclude")}
    needed |= {f"con.resume.{after}" for after in ("betting", "closed", "spun", "sensed", "resulted")}
    assert needed <= {*words}

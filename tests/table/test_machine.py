"""Random play at every kind of table, each step checked against all properties and a second bookkeeping."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from croupier.rulebook import load_book
from croupier.rulebook.vocabulary import VOIDING
from croupier.table import COMMANDS, Rules
from table.random_play import RandomPlay
from table.strategies import TABLES, Choices

SETTINGS = settings(
    max_examples=40,
    stateful_step_count=20,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""The same play every time: a failure is found again by whoever runs the test.

It is shown as it was found. Shrinking a whole evening takes many minutes; add `Phase.shrink` for it by hand.
"""


@pytest.mark.parametrize(("book", "layout"), TABLES)
def test_whatever_is_asked_of_a_table_its_promises_hold(book: str, layout: str | None) -> None:
    rules, seen = Rules(load_book(book), layout), Counter[str]()
    machine = type(f"Play_{book}_{layout}", (RandomPlay,), {"choices": Choices(rules), "seen": seen})

    run_state_machine_as_test(machine, settings=SETTINGS)

    assert expected(rules) - {what for what, times in seen.items() if times} == set()
    assert seen["commands"] > 2_000


def expected(rules: Rules) -> set[str]:
    """What random play must have reached at a table by these rules, or it has shown too little."""
    book = rules.book
    accepted = {f"accepted {kind.__struct_config__.tag}" for kind in COMMANDS if _is_part(rules, kind)}
    voids = {f"void {i.cause}" for i in book.irregularities.values() if i.consequence in VOIDING}
    corrections = {"correction before settlement", "correction after settlement", "there and back"}
    foreseen = {"foreseen", "foreseen for somebody who has left", "decision foreseen"}
    money = {"shortfall", "unclaimed", "paid", "collected", "written-off"}
    money |= {"lock-up win", "lock-up attendant-pay", "win taken back"}
    if not rules.corrects_until_next_round:
        money |= {"netted", "netted for somebody who has left"}
    interruptions = {f"interrupted {word}" for word in ("none", "continue", "void", "conclude", "wait")}
    decisions = {f"decided {word}" for word in ("void", "return-bets", "none")}
    closes = {f"closed by {who}" for who in ("dealer", "timer", "wheel")}
    others = {"void of a settled round after settlement", "repeated", "repeated too late"}
    others |= {"declared for running", "declared for settled"}
    others |= {f"declared while {phase}" for phase in ("idle", "spinning", "resulted")}
    if rules.book.id != "rws-money-wheel":
        others |= {"declared for running and settled", "declared while betting", "declared while closed"}
    if rules.marks_boxes:
        cited = {f"cited {book.id}:{number}" for number in ("5.1.1", "5.1.2", "5.2", "5.2.1")}
        others |= {"apportioned", "table over its maximum", *cited}
    return accepted | voids | corrections | foreseen | money | interruptions | decisions | closes | others


def _is_part(rules: Rules, kind: type) -> bool:
    action = kind.action
    if action == "system:recall-round" and rules.corrects_until_next_round:
        return False  # what is old enough to be forgotten stands
    return action.startswith(("system:", "floor:")) or action in rules.book.authority

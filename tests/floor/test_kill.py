"""A process that takes bets is killed at any moment: what was acknowledged is there, and nothing twice."""

import os
from pathlib import Path

import pytest

import croupier
from clauses import clause
from croupier.journal.faults import POINTS
from croupier.table import commands as c
from floor.kill_parent import GRACE_SECONDS, Died, Mortal
from table.rig import DEALER, player

KILLS = int(os.environ.get("CROUPIER_KILLS", "300"))
"""How many processes are killed in all; more for a longer look."""
JOURNALS = 4


def opened(path: Path, seed: int) -> Mortal:
    """A table with seats and credits, whose first process was killed while nothing was going on."""
    table = Mortal(path, seed)
    table.begin()
    table.open()
    with pytest.raises(Died):
        table.kill()
    return table


def survive(table: Mortal) -> None:
    """A last process is started, answers every question that is open, and plays on."""
    table.kill_at = None
    table.begin()
    table.play()
    with pytest.raises(Died):
        table.kill()
    table.begin()  # whatever was cut off just now is asked again
    with pytest.raises(Died):
        table.kill()


@clause("mbs-roulette:5.13", "mbs-roulette:5.14")
@pytest.mark.parametrize("seed", range(JOURNALS))
def test_killed_at_any_moment_a_table_keeps_what_it_acknowledged(tmp_path: Path, seed: int) -> None:
    table = opened(tmp_path, seed)
    while table.deaths < KILLS // JOURNALS:
        table.let_time_pass(table.random.choice((0, 0, 5, 60)))
        table.kill_at = table.random.randrange(60)
        with pytest.raises(Died):
            table.live(rounds=50)
    survive(table)
    assert table.faults() == []
    assert len(table.interruptions()) > table.deaths // 2


STEPS = {
    "betting": c.OpenRound(),
    "closed": c.CloseBets(),
    "spinning": c.StartSpin(),
    "resulted": c.EnterResult(result="7"),
}


@clause("mbs-roulette:5.13.1", "mbs-roulette:5.13.2")
@pytest.mark.parametrize(
    ("phase", "seconds", "consequence"),
    [
        ("betting", 0, "continue"),
        ("betting", GRACE_SECONDS, "void"),
        ("closed", 0, "continue"),
        ("closed", GRACE_SECONDS, "void"),
        ("spinning", 0, "wait"),
        ("spinning", GRACE_SECONDS, "wait"),
        ("resulted", GRACE_SECONDS, "conclude"),
    ],
)
def test_after_a_kill_the_round_ends_as_the_rules_say(
    tmp_path: Path, phase: str, seconds: int, consequence: str
) -> None:
    table = opened(tmp_path, 1)
    table.begin()
    assert table.interruptions()[-1].consequence == "none"
    for reached, step in STEPS.items():
        table.ask(DEALER, step)
        if reached == "betting":
            table.ask(player("1"), c.PlaceBets(seat="1", stakes=(c.Stake("straight:7", 1_000),)))
        if reached == phase:
            break
    with pytest.raises(Died):
        table.kill()
    table.let_time_pass(seconds)
    table.begin()
    assert table.interruptions()[-1].consequence == consequence
    table.play()
    with pytest.raises(Died):
        table.kill()
    survive(table)
    assert table.faults() == []


def test_every_fault_point_is_somewhere_in_the_way_of_a_bet() -> None:
    source = Path(croupier.__file__).parent
    text = "".join(path.read_text() for path in source.rglob("*.py"))
    # Within the one statement that appends, a function of SQLite stands for them.
    passed = {point: text.count(f'point("{point}")') + text.count(f"hex('{point}')") for point in POINTS}
    assert passed == dict.fromkeys(POINTS, 1)


@pytest.mark.parametrize("passing", [1, 2, 7])
@pytest.mark.parametrize("point", POINTS)
def test_killed_between_any_two_steps_a_table_keeps_what_it_acknowledged(
    tmp_path: Path, point: str, passing: int
) -> None:
    table = opened(tmp_path, passing)
    is_once_a_life = point.startswith("table-")
    with pytest.raises(Died):  # by its own hand, at the point
        table.live((point, 1 if is_once_a_life else passing), rounds=50)
    survive(table)
    assert table.faults() == []

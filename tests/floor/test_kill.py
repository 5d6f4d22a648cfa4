"""A process that takes bets is killed at any moment: what was acknowledged is there, and nothing twice."""

import os
from pathlib import Path

import pytest

from clauses import clause
from croupier.journal.faults import POINTS
from floor.kill_parent import Died, Mortal

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
        try:
            table.begin()
            while True:
                table.play()
        except Died:
            continue
    survive(table)
    assert table.faults() == []
    assert table.kinds().count("table-interrupted") > table.deaths // 2


@pytest.mark.parametrize("passing", [1, 2, 7])
@pytest.mark.parametrize("point", POINTS)
def test_killed_between_any_two_steps_a_table_keeps_what_it_acknowledged(
    tmp_path: Path, point: str, passing: int
) -> None:
    table = opened(tmp_path, passing)
    is_once_a_life = point.startswith("table-")
    with pytest.raises(Died):  # by its own hand, at the point
        table.begin((point, 1 if is_once_a_life else passing))
        for _ in range(50):
            table.play()
    survive(table)
    assert table.faults() == []

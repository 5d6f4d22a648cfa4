"""The layout belongs to the seat: terminals of both layouts play at one wheel in one round."""

import pytest

from clauses import clause
from golden.transcript import check_transcript


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "rws-roulette-00/both-layouts.txt",
            marks=clause(
                "rws-roulette-00:3.8",
                "rws-roulette-00:4.1",
                "rws-roulette-00:4.1.1",
                "rws-roulette-00:4.1.2",
                "rws-roulette-00:5.5",
                "rws-roulette-00:App.A",
                "rws-roulette-00:App.B",
                "rws-roulette-00:App.C",
                "rws-roulette-00:App.D",
            ),
        ),
    ],
)
def test_terminals_of_both_layouts_play_at_one_wheel(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)

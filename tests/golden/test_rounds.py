"""Whole rounds: how they are played, what the zeros do, when bets close."""

import pytest

from clauses import clause
from golden.transcript import check_transcript


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "mbs-roulette/ordinary-round.txt",
            marks=clause(
                "mbs-roulette:1.1.1",
                "mbs-roulette:1.1.3",
                "mbs-roulette:1.1.4",
                "mbs-roulette:1.1.5",
                "mbs-roulette:3.1",
                "mbs-roulette:3.2",
                "mbs-roulette:3.3",
                "mbs-roulette:3.6",
                "mbs-roulette:3.8",
                "mbs-roulette:4.1",
            ),
        ),
        pytest.param(
            "rws-roulette-00/ordinary-round.txt",
            marks=clause(
                "rws-roulette-00:1.3",
                "rws-roulette-00:1.7",
                "rws-roulette-00:1.8",
                "rws-roulette-00:1.9",
                "rws-roulette-00:1.10",
                "rws-roulette-00:3.2",
                "rws-roulette-00:3.3",
                "rws-roulette-00:3.4",
                "rws-roulette-00:3.5",
                "rws-roulette-00:3.6",
                "rws-roulette-00:3.7",
                "rws-roulette-00:3.9",
                "rws-roulette-00:4.1.2",
                "rws-roulette-00:5.7",
            ),
        ),
        pytest.param(
            "rws-roulette-000/ordinary-round.txt",
            marks=clause(
                "rws-roulette-000:1.3",
                "rws-roulette-000:1.6",
                "rws-roulette-000:1.8",
                "rws-roulette-000:1.9",
                "rws-roulette-000:1.10",
                "rws-roulette-000:3.2",
                "rws-roulette-000:3.3",
                "rws-roulette-000:3.4",
                "rws-roulette-000:3.5",
                "rws-roulette-000:3.6",
                "rws-roulette-000:3.7",
                "rws-roulette-000:3.9",
                "rws-roulette-000:4.1",
                "rws-roulette-000:5.7",
            ),
        ),
        pytest.param(
            "rws-money-wheel/ordinary-round.txt",
            marks=clause(
                "rws-money-wheel:1.2",
                "rws-money-wheel:1.7",
                "rws-money-wheel:1.8",
                "rws-money-wheel:1.9",
                "rws-money-wheel:3.2",
                "rws-money-wheel:3.3",
                "rws-money-wheel:3.6",
                "rws-money-wheel:3.7",
                "rws-money-wheel:3.8",
                "rws-money-wheel:3.9",
                "rws-money-wheel:4.1",
                "rws-money-wheel:5.8",
            ),
        ),
    ],
)
def test_an_ordinary_round(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param("mbs-roulette/zero.txt", marks=clause("mbs-roulette:4.1", "mbs-roulette:4.2")),
        pytest.param(
            "rws-roulette-00/zeros-layout-a.txt", marks=clause("rws-roulette-00:3.8", "rws-roulette-00:4.1.1")
        ),
        pytest.param(
            "rws-roulette-00/zeros-layout-b.txt", marks=clause("rws-roulette-00:3.8", "rws-roulette-00:4.1.2")
        ),
        pytest.param(
            "rws-roulette-000/zeros.txt", marks=clause("rws-roulette-000:3.8", "rws-roulette-000:4.1")
        ),
        pytest.param(
            "rws-money-wheel/each-symbol.txt", marks=clause("rws-money-wheel:3.8", "rws-money-wheel:4.1")
        ),
    ],
)
def test_each_zero_and_each_symbol_as_the_result(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "mbs-roulette/closing-of-bets.txt",
            marks=clause("mbs-roulette:3.1", "mbs-roulette:3.2", "mbs-roulette:3.6", "mbs-roulette:3.7"),
        ),
        pytest.param(
            "rws-roulette-00/closing-of-bets.txt",
            marks=clause("rws-roulette-00:3.5", "rws-roulette-00:3.6", "rws-roulette-00:3.7"),
        ),
        pytest.param(
            "rws-roulette-000/closing-of-bets.txt",
            marks=clause("rws-roulette-000:3.5", "rws-roulette-000:3.6", "rws-roulette-000:3.7"),
        ),
        pytest.param(
            "rws-money-wheel/closing-of-bets.txt",
            marks=clause("rws-money-wheel:3.6", "rws-money-wheel:3.7", "rws-money-wheel:3.8"),
        ),
    ],
)
def test_the_closing_of_bets(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param("mbs-roulette/late-bets.txt", marks=clause("mbs-roulette:5.11", "mbs-roulette:5.12")),
        pytest.param(
            "rws-roulette-00/late-bets.txt", marks=clause("rws-roulette-00:3.5", "rws-roulette-00:5.7")
        ),
        pytest.param(
            "rws-roulette-000/late-bets.txt", marks=clause("rws-roulette-000:3.5", "rws-roulette-000:5.7")
        ),
        pytest.param(
            "rws-money-wheel/late-bets.txt", marks=clause("rws-money-wheel:3.6", "rws-money-wheel:5.6")
        ),
    ],
)
def test_late_bets_and_late_withdrawals(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "mbs-roulette/announced-bets.txt",
            marks=clause(
                "mbs-roulette:3.5",
                "mbs-roulette:7",
                "mbs-roulette:App.C",
                "mbs-roulette:App.D",
                "mbs-roulette:App.E",
                "mbs-roulette:App.F",
                "mbs-roulette:App.G",
                "mbs-roulette:App.H",
                "mbs-roulette:App.I",
                "mbs-roulette:App.J",
            ),
        ),
        pytest.param(
            "rws-roulette-00/announced-layout-a.txt",
            marks=clause("rws-roulette-00:3.4", "rws-roulette-00:App.C"),
        ),
        pytest.param(
            "rws-roulette-00/announced-layout-b.txt",
            marks=clause("rws-roulette-00:3.4", "rws-roulette-00:App.D"),
        ),
        pytest.param(
            "rws-roulette-000/announced-bets.txt",
            marks=clause("rws-roulette-000:3.4", "rws-roulette-000:App.B"),
        ),
    ],
)
def test_announced_bets(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)

"""Limits, boxes, large wins and payments."""

import pytest

from clauses import clause
from golden.transcript import check_transcript


@pytest.mark.parametrize(
    "file",
    [
        pytest.param("mbs-roulette/limits.txt", marks=clause("mbs-roulette:3.3")),
        pytest.param("rws-roulette-00/limits.txt", marks=clause("rws-roulette-00:3.3")),
        pytest.param("rws-roulette-000/limits.txt", marks=clause("rws-roulette-000:3.3")),
    ],
)
def test_limits_are_refused_by_how_much(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "rws-money-wheel/boxes-rejected.txt",
            marks=clause(
                "rws-money-wheel:3.3", "rws-money-wheel:3.4", "rws-money-wheel:3.5", "rws-money-wheel:5.1"
            ),
        ),
        pytest.param(
            "rws-money-wheel/boxes-apportioned.txt",
            marks=clause("rws-money-wheel:5.1", "rws-money-wheel:5.1.1", "rws-money-wheel:5.1.2"),
        ),
        pytest.param(
            "rws-money-wheel/under-minimum.txt",
            marks=clause("rws-money-wheel:3.4", "rws-money-wheel:5.2", "rws-money-wheel:5.2.1"),
        ),
        pytest.param(
            "rws-money-wheel/advised-bets.txt",
            marks=clause(
                "rws-money-wheel:5.1.1",
                "rws-money-wheel:5.1.2",
                "rws-money-wheel:5.2",
                "rws-money-wheel:5.2.1",
            ),
        ),
        pytest.param(
            "rws-money-wheel/table-excess.txt",
            marks=clause("rws-money-wheel:5.1", "rws-money-wheel:5.1.1"),
        ),
    ],
)
def test_boxes_of_the_money_wheel(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "rws-money-wheel/placed-for-player.txt",
            marks=clause("rws-money-wheel:1.5", "rws-money-wheel:5.8", "rws-money-wheel:5.10"),
        ),
    ],
)
def test_a_bet_placed_for_a_player(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "mbs-roulette/players-own-acts.txt", marks=clause("mbs-roulette:1.1.1", "mbs-roulette:3.3")
        ),
        pytest.param(
            "rws-roulette-00/players-own-acts.txt", marks=clause("rws-roulette-00:1.7", "rws-roulette-00:3.4")
        ),
        pytest.param(
            "rws-roulette-000/players-own-acts.txt",
            marks=clause("rws-roulette-000:1.6", "rws-roulette-000:3.4"),
        ),
    ],
)
def test_what_the_player_does_alone(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param("mbs-roulette/lock-up.txt", marks=clause("mbs-roulette:1.1.1")),
        pytest.param(
            "rws-roulette-00/lock-up.txt", marks=clause("rws-roulette-00:1.5", "rws-roulette-00:1.7")
        ),
        pytest.param(
            "rws-roulette-000/lock-up.txt", marks=clause("rws-roulette-000:1.5", "rws-roulette-000:1.6")
        ),
        pytest.param("rws-money-wheel/lock-up.txt", marks=clause("rws-money-wheel:1.5")),
    ],
)
def test_a_lock_up_and_a_payment_by_an_attendant(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize("file", ["mbs-roulette/attendant-call.txt"])
def test_a_call_for_an_attendant(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)

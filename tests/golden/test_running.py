"""How a table is opened, closed, halted and set, and how senders repeat themselves."""

import pytest

from clauses import clause
from golden.transcript import check_transcript


@pytest.mark.parametrize(
    "file",
    [
        pytest.param("mbs-roulette/last-round.txt", marks=clause("mbs-roulette:6.2")),
        pytest.param(
            "rws-roulette-00/last-round.txt", marks=clause("rws-roulette-00:1.5", "rws-roulette-00:3.3")
        ),
        pytest.param(
            "rws-roulette-000/last-round.txt", marks=clause("rws-roulette-000:1.5", "rws-roulette-000:3.3")
        ),
        pytest.param(
            "rws-money-wheel/last-round.txt", marks=clause("rws-money-wheel:1.5", "rws-money-wheel:3.3")
        ),
    ],
)
def test_the_last_round(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        "mbs-roulette/limits-changed.txt",
        pytest.param("rws-roulette-00/limits-changed.txt", marks=clause("rws-roulette-00:3.3")),
        pytest.param("rws-roulette-000/limits-changed.txt", marks=clause("rws-roulette-000:3.3")),
        pytest.param(
            "rws-money-wheel/limits-changed.txt", marks=clause("rws-money-wheel:3.3", "rws-money-wheel:5.1")
        ),
    ],
)
def test_limits_changed_by_two_people(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "mbs-roulette/halted.txt",
            marks=clause("mbs-roulette:5.13.1", "mbs-roulette:5.13.2", "mbs-roulette:5.15"),
        ),
        pytest.param(
            "rws-roulette-00/halted.txt", marks=clause("rws-roulette-00:5.1.1", "rws-roulette-00:5.5")
        ),
        pytest.param(
            "rws-roulette-000/halted.txt", marks=clause("rws-roulette-000:5.1.1", "rws-roulette-000:5.5")
        ),
        pytest.param(
            "rws-money-wheel/halted.txt", marks=clause("rws-money-wheel:5.3.2", "rws-money-wheel:5.9")
        ),
    ],
)
def test_a_halted_table(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "mbs-roulette/repeated-commands.txt", marks=clause("mbs-roulette:3.3", "mbs-roulette:5.12")
        ),
        pytest.param(
            "rws-roulette-00/repeated-commands.txt",
            marks=clause("rws-roulette-00:3.4", "rws-roulette-00:3.5"),
        ),
        pytest.param(
            "rws-roulette-000/repeated-commands.txt",
            marks=clause("rws-roulette-000:3.4", "rws-roulette-000:3.5"),
        ),
        pytest.param(
            "rws-money-wheel/repeated-commands.txt",
            marks=clause("rws-money-wheel:3.2", "rws-money-wheel:5.1"),
        ),
    ],
)
def test_repeated_and_reused_numbers(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@clause(
    "mbs-roulette:3.6", "mbs-roulette:3.8", "mbs-roulette:5.13.1", "mbs-roulette:5.15", "mbs-roulette:6.3"
)
def test_a_wheel_with_sensors(marked: tuple[str, ...]) -> None:
    check_transcript("mbs-roulette/sensor-wheel.txt", marked)


@clause("rws-roulette-000:3.7")
def test_committed_spins(marked: tuple[str, ...]) -> None:
    check_transcript("rws-roulette-000/committed-spins.txt", marked)


@clause(
    "rws-roulette-00:3.6",
    "rws-roulette-00:3.7",
    "rws-roulette-00:5.1.1",
    "rws-roulette-00:5.3.2",
    "rws-roulette-00:5.5",
)
def test_the_sensor_decides(marked: tuple[str, ...]) -> None:
    check_transcript("rws-roulette-00/sensor-decides.txt", marked)

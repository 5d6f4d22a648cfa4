"""What goes wrong at a table, and what the rules make of it."""

import pytest

from clauses import clause
from golden.transcript import check_transcript


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "mbs-roulette/voids-by-cause.txt",
            marks=clause(
                "mbs-roulette:5.1",
                "mbs-roulette:5.2",
                "mbs-roulette:5.3",
                "mbs-roulette:5.4",
                "mbs-roulette:5.5",
                "mbs-roulette:5.6",
                "mbs-roulette:5.7",
                "mbs-roulette:5.8",
                "mbs-roulette:5.9",
                "mbs-roulette:5.10",
                "mbs-roulette:5.15",
            ),
        ),
        pytest.param(
            "rws-roulette-00/voids-by-cause.txt",
            marks=clause(
                "rws-roulette-00:1.11",
                "rws-roulette-00:5.3",
                "rws-roulette-00:5.3.1",
                "rws-roulette-00:5.3.2",
                "rws-roulette-00:5.3.3",
                "rws-roulette-00:5.3.4",
                "rws-roulette-00:5.3.5",
                "rws-roulette-00:5.3.6",
                "rws-roulette-00:5.3.7",
                "rws-roulette-00:5.3.8",
                "rws-roulette-00:5.3.9",
                "rws-roulette-00:5.9",
            ),
        ),
        pytest.param(
            "rws-roulette-000/voids-by-cause.txt",
            marks=clause(
                "rws-roulette-000:1.11",
                "rws-roulette-000:5.3",
                "rws-roulette-000:5.3.1",
                "rws-roulette-000:5.3.2",
                "rws-roulette-000:5.3.3",
                "rws-roulette-000:5.3.4",
                "rws-roulette-000:5.3.5",
                "rws-roulette-000:5.3.6",
                "rws-roulette-000:5.3.7",
                "rws-roulette-000:5.3.8",
                "rws-roulette-000:5.3.9",
                "rws-roulette-000:5.9",
            ),
        ),
        pytest.param(
            "rws-money-wheel/voids-by-cause.txt",
            marks=clause(
                "rws-money-wheel:1.10",
                "rws-money-wheel:5.4",
                "rws-money-wheel:5.4.1",
                "rws-money-wheel:5.4.2",
                "rws-money-wheel:5.4.3",
                "rws-money-wheel:5.9",
            ),
        ),
    ],
)
def test_a_void_for_every_cause(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "rws-roulette-00/ball-broken.txt", marks=clause("rws-roulette-00:5.4", "rws-roulette-00:5.9")
        ),
        pytest.param("rws-roulette-00/ball-broken-beyond-credits.txt", marks=clause("rws-roulette-00:5.4")),
        pytest.param(
            "rws-roulette-000/ball-broken.txt", marks=clause("rws-roulette-000:5.4", "rws-roulette-000:5.9")
        ),
    ],
)
def test_a_broken_ball_voids_all_affected_rounds(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "mbs-roulette/named-rounds.txt",
            marks=clause("mbs-roulette:5.3", "mbs-roulette:5.4", "mbs-roulette:5.7", "mbs-roulette:5.10"),
        ),
        pytest.param(
            "rws-roulette-00/named-rounds.txt",
            marks=clause(
                "rws-roulette-00:5.3",
                "rws-roulette-00:5.3.7",
                "rws-roulette-00:5.3.8",
                "rws-roulette-00:5.4",
                "rws-roulette-00:5.6",
            ),
        ),
        pytest.param(
            "rws-roulette-000/named-rounds.txt",
            marks=clause(
                "rws-roulette-000:5.3",
                "rws-roulette-000:5.3.7",
                "rws-roulette-000:5.3.8",
                "rws-roulette-000:5.4",
                "rws-roulette-000:5.6",
            ),
        ),
        pytest.param(
            "rws-money-wheel/named-rounds.txt",
            marks=clause(
                "rws-money-wheel:5.4", "rws-money-wheel:5.4.1", "rws-money-wheel:5.4.3", "rws-money-wheel:5.5"
            ),
        ),
    ],
)
def test_the_rounds_that_are_named_are_void_and_no_other(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "mbs-roulette/interruptions.txt",
            marks=clause("mbs-roulette:5.13", "mbs-roulette:5.13.1", "mbs-roulette:5.13.2"),
        ),
        pytest.param(
            "rws-roulette-00/interruptions.txt",
            marks=clause(
                "rws-roulette-00:5.1", "rws-roulette-00:5.1.1", "rws-roulette-00:5.1.2", "rws-roulette-00:5.9"
            ),
        ),
        pytest.param(
            "rws-roulette-000/interruptions.txt",
            marks=clause(
                "rws-roulette-000:5.1",
                "rws-roulette-000:5.1.1",
                "rws-roulette-000:5.1.2",
                "rws-roulette-000:5.9",
            ),
        ),
        pytest.param(
            "rws-money-wheel/interruptions.txt",
            marks=clause(
                "rws-money-wheel:5.3", "rws-money-wheel:5.3.1", "rws-money-wheel:5.3.2", "rws-money-wheel:5.9"
            ),
        ),
    ],
)
def test_an_interruption_in_every_phase(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "mbs-roulette/correction-before-settlement.txt",
            marks=clause("mbs-roulette:3.8", "mbs-roulette:6.3"),
        ),
        pytest.param(
            "rws-roulette-00/correction-before-settlement.txt",
            marks=clause("rws-roulette-00:3.7", "rws-roulette-00:5.5"),
        ),
        pytest.param(
            "rws-roulette-000/correction-before-settlement.txt",
            marks=clause("rws-roulette-000:3.7", "rws-roulette-000:5.5"),
        ),
        pytest.param("rws-money-wheel/correction-before-settlement.txt", marks=clause("rws-money-wheel:3.8")),
    ],
)
def test_a_correction_before_settlement(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param("mbs-roulette/correction-after-settlement.txt", marks=clause("mbs-roulette:6.3")),
        pytest.param(
            "rws-roulette-00/correction-after-settlement.txt",
            marks=clause("rws-roulette-00:5.5", "rws-roulette-00:5.6", "rws-roulette-00:5.8"),
        ),
        pytest.param(
            "rws-roulette-000/correction-after-settlement.txt",
            marks=clause("rws-roulette-000:5.5", "rws-roulette-000:5.6", "rws-roulette-000:5.8"),
        ),
        pytest.param(
            "rws-money-wheel/correction-after-settlement.txt",
            marks=clause("rws-money-wheel:3.8", "rws-money-wheel:5.5", "rws-money-wheel:5.7"),
        ),
    ],
)
def test_a_correction_after_settlement(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "rws-roulette-000/corrections-of-any-age.txt",
            marks=clause("rws-roulette-000:5.4", "rws-roulette-000:5.5"),
        ),
        pytest.param("rws-roulette-000/netting.txt", marks=clause("rws-roulette-000:5.4")),
        pytest.param("rws-roulette-000/netting-at-once.txt", marks=clause("rws-roulette-000:5.4")),
        pytest.param("rws-roulette-000/win-taken-back.txt", marks=clause("rws-roulette-000:5.5")),
    ],
)
def test_corrections_of_a_visit_and_of_any_age(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@clause("mbs-roulette:6.3")
def test_what_a_correction_left_open_ends(marked: tuple[str, ...]) -> None:
    check_transcript("mbs-roulette/carried-settled.txt", marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            "mbs-roulette/lost-terminal.txt",
            marks=clause("mbs-roulette:5.14", "mbs-roulette:5.14.1", "mbs-roulette:5.14.2"),
        ),
        pytest.param(
            "rws-roulette-00/lost-terminal.txt",
            marks=clause("rws-roulette-00:5.2", "rws-roulette-00:5.2.1", "rws-roulette-00:5.2.2"),
        ),
        pytest.param(
            "rws-roulette-000/lost-terminal.txt",
            marks=clause("rws-roulette-000:5.2", "rws-roulette-000:5.2.1", "rws-roulette-000:5.2.2"),
        ),
    ],
)
def test_lost_terminals(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param("mbs-roulette/decisions.txt", marks=clause("mbs-roulette:6.1", "mbs-roulette:6.2")),
        pytest.param(
            "rws-roulette-00/decisions.txt",
            marks=clause("rws-roulette-00:1.5", "rws-roulette-00:5.9", "rws-roulette-00:5.10"),
        ),
        pytest.param(
            "rws-roulette-000/decisions.txt",
            marks=clause("rws-roulette-000:1.5", "rws-roulette-000:5.9", "rws-roulette-000:5.10"),
        ),
        pytest.param(
            "rws-money-wheel/decisions.txt",
            marks=clause("rws-money-wheel:5.5", "rws-money-wheel:5.9", "rws-money-wheel:5.11"),
        ),
    ],
)
def test_decisions_of_the_shift_manager(file: str, marked: tuple[str, ...]) -> None:
    check_transcript(file, marked)

"""Results as frames: columns of one length that add up to what the results say."""

import sys
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.lab import (
    ENDINGS,
    Session,
    bet_odds,
    net_distribution,
    place_slip,
    play_session,
    simulate_sessions,
    systems,
)
from croupier.lab.frames import (
    Frame,
    alive_frame,
    binned,
    ends_frame,
    figures_frame,
    net_frame,
    odds_frame,
    to_frame,
)
from croupier.rulebook import BadInput, load_book

RED = place_slip(load_book("mbs-roulette"), {"red": 100})
EVENING = Session(system=systems.martingale(RED), bankroll_cents=5000, rounds=60)


def even(frame: Frame) -> bool:
    return len({column.shape for column in frame.values()}) == 1


def test_every_bet_of_a_layout() -> None:
    book = load_book("rws-roulette-00")
    frame = odds_frame(book, "B")
    assert even(frame)
    assert frame["bet"].size == 161
    place = frame["bet"].tolist().index("top-line:0/00/1/2/3")
    assert frame["house_edge"][place] == float(bet_odds(book, "top-line:0/00/1/2/3", "B").house_edge)


def test_a_distribution_with_both_tails() -> None:
    after = net_distribution(RED, 100)
    frame = net_frame(after)
    assert even(frame)
    place = frame["net_cents"].tolist().index(1000)
    assert frame["at_least"][place] == after.at_least(1000)
    assert frame["at_most"][place] == after.at_most(1000)


def test_the_ends_of_a_session_by_reason() -> None:
    result = play_session(EVENING)
    frame = ends_frame(result)
    assert even(frame)
    assert (frame["chance"] > 0).all()
    assert float(frame["chance"] @ frame["end_cents"]) == pytest.approx(result.mean_cents)
    assert sum(frame[ending] for ending in ENDINGS) == pytest.approx(frame["chance"])
    alive = alive_frame(result)
    assert alive["chance"][:-1].sum() == pytest.approx(result.expected_rounds)


def test_figures_with_and_without_an_exact_answer() -> None:
    run, result = simulate_sessions(EVENING, 1000, seed=1), play_session(EVENING)
    alone, beside = figures_frame(run), figures_frame(run, result)
    assert even(alone)
    assert even(beside)
    assert [*beside] == [*alone, "exact", "z"]
    assert dict(zip(beside["figure"].tolist(), beside["exact"].tolist(), strict=True)) == result.figures


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.integers(1, 20))
def test_bins_lose_nothing_and_hold_equally_many_points(chances: list[float], bins: int) -> None:
    frame = binned(-300, 50, np.array(chances), bins)
    assert even(frame)
    assert frame["chance"].size <= bins
    assert frame["chance"].sum() == pytest.approx(sum(chances))
    assert {*(frame["to_cents"] - frame["from_cents"]).tolist()} <= {50 * (-(-len(chances) // bins) - 1)}


def test_a_data_frame_needs_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(BadInput, match=r"^A DataFrame needs pandas, which is not installed\. Install pandas"):
        to_frame({})


def test_a_data_frame_is_made_of_the_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a stand-in for pandas, which the lab does not ask for."""
    pandas = ModuleType("pandas")
    pandas.DataFrame = dict  # type: ignore[attr-defined]  # a module made here has no such name yet
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    frame = net_frame(net_distribution(RED, 3))
    assert [*to_frame(frame)] == [*frame]

"""Simulated sessions and rounds agree with the exact ones, and with themselves on any number of cores."""

import math
import pickle

import msgspec
import numpy as np
import pytest
import scipy.stats

from croupier.lab import (
    SYSTEMS,
    Limits,
    Session,
    SessionPlan,
    SessionPlayer,
    SessionRun,
    SlipPlan,
    SlipRun,
    System,
    make_system,
    place_slip,
    play_session,
    simulate_sessions,
    simulate_slip,
    step,
)
from croupier.lab import systems as s
from croupier.lab.simulate import SESSIONS_A_CHUNK
from croupier.lab.system import Memory
from croupier.rulebook import BadInput, get_layout, load_book, shipped_books

MBS = load_book("mbs-roulette")
RED = place_slip(MBS, {"red": 100})
ROULETTES = [book_id for book_id in shipped_books() if "roulette" in book_id]
PLAYABLE = [
    (book_id, name)
    for book_id in shipped_books()
    for name in SYSTEMS
    if book_id in ROULETTES or name not in ("james-bond", "andrucci")
]


def evening(system: System, **changes: object) -> Session:
    session = Session(
        system=system,
        bankroll_cents=6000,
        rounds=120,
        goal_cents=7500,
        stop_cents=700,
        limits=Limits(maximum_cents=2000),
    )
    return msgspec.structs.replace(session, **changes)


def facts(run: SessionRun) -> tuple[object, ...]:
    return (
        run.estimates,
        run.rounds_played,
        run.lowest_cents,
        run.highest_cents,
        run.histogram.tolist(),
    )


@pytest.mark.parametrize(("book_id", "name"), PLAYABLE)
def test_simulated_sessions_agree_with_exact_ones(book_id: str, name: str) -> None:
    session = evening(make_system(name, load_book(book_id), 100))

    run = simulate_sessions(session, 20_000, seed=2024)

    distances = run.against(play_session(session))
    assert max(map(abs, distances.values())) < 5
    assert run.histogram.sum() == 20_000
    assert 0 <= run.lowest_cents <= run.highest_cents


def test_the_known_martingale_is_met_by_simulation() -> None:
    session = Session(system=s.martingale(RED), bankroll_cents=100_000, rounds=1000)

    run = simulate_sessions(session, 20_000, seed=5)

    mean, error = run.estimates["mean_cents"]
    assert abs(mean - 89268.0097) < 5 * error
    assert error == pytest.approx(444, rel=0.05)


@pytest.mark.parametrize("name", ["fibonacci", "labouchere", "kelly", "andrucci"])
def test_the_answer_does_not_depend_on_the_threads(name: str) -> None:
    session = evening(make_system(name, MBS, 100))

    runs = [simulate_sessions(session, 5000, seed=11, threads=threads) for threads in (1, 2, 5)]

    assert facts(runs[0]) == facts(runs[1]) == facts(runs[2])


def test_the_answer_does_not_depend_on_the_order_in_which_chunks_are_played() -> None:
    plan = SessionPlan(session=evening(s.dalembert(RED)), sessions=6 * SESSIONS_A_CHUNK + 1, seed=3)
    forwards, backwards = SessionPlayer(plan), SessionPlayer(plan)

    first = [forwards.play(chunk) for chunk in range(plan.chunks)]
    last = [backwards.play(chunk) for chunk in reversed(range(plan.chunks))]

    assert facts(SessionRun(plan, first)) == facts(SessionRun(plan, reversed(last)))
    assert [int(tally.histogram.sum()) for tally in first] == [SESSIONS_A_CHUNK] * 6 + [1]


def test_a_plan_gives_the_same_tallies_in_another_process() -> None:
    plan = SessionPlan(session=evening(s.martingale(RED)), sessions=3000, seed=3)

    sent = pickle.loads(pickle.dumps(plan))

    here, there = SessionPlayer(plan).play(2), SessionPlayer(sent).play(2)
    assert here.whole.tolist() == there.whole.tolist()
    assert here.reals.tolist() == there.reals.tolist()


@pytest.mark.parametrize("beyond", ["stop", "cap", "restart"])
@pytest.mark.parametrize("name", [name for name in SYSTEMS if name != "andrucci"])
def test_table_and_step_play_the_same_sessions(name: str, beyond: str) -> None:
    session = evening(make_system(name, MBS, 100), limits=Limits(maximum_cents=1600, beyond=beyond))
    watching = msgspec.structs.replace(session.system, watches=True)

    by_table = simulate_sessions(session, 2000, seed=4)
    by_step = simulate_sessions(msgspec.structs.replace(session, system=watching), 2000, seed=4)

    assert facts(by_table) == facts(by_step)


def test_another_seed_gives_another_answer() -> None:
    session = evening(s.martingale(RED))

    assert facts(simulate_sessions(session, 2000, seed=1)) != facts(simulate_sessions(session, 2000, seed=2))


def test_a_system_with_more_states_than_a_table_holds_is_played_by_its_step() -> None:
    session = Session(system=s.labouchere(RED), bankroll_cents=100_000, rounds=400, goal_cents=150_000)

    run = simulate_sessions(session, 3000, seed=6)

    turnover, loss = run.estimates["turnover_cents"][0], 100_000 - run.estimates["mean_cents"][0]
    assert loss == pytest.approx(turnover / 37, abs=5 * run.estimates["mean_cents"][1])


def test_progress_is_reported_chunk_by_chunk() -> None:
    seen: list[tuple[int, int]] = []

    simulate_sessions(evening(s.flat(RED)), 3000, seed=1, progress=lambda done, of: seen.append((done, of)))

    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_distances_are_infinite_where_what_cannot_vary_is_wrong() -> None:
    session = Session(system=s.flat(RED), bankroll_cents=100_000, rounds=10)
    run = simulate_sessions(session, 500, seed=1)

    longer = play_session(msgspec.structs.replace(session, rounds=11))

    assert run.against(play_session(session))["rounds"] == 0.0
    assert run.against(longer)["rounds"] == -np.inf


def test_distances_are_measured_by_the_exact_spread_where_the_sample_has_none() -> None:
    """Twelve wins in a row come once in 5,600 sessions: fifty sessions that saw none are no contradiction."""
    session = Session(system=s.flat(RED), bankroll_cents=100_000, rounds=12, goal_cents=101_200)
    run, exact = simulate_sessions(session, 50, seed=1), play_session(session)
    chance = (18 / 37) ** 12

    distances = run.against(exact)

    assert run.estimates["goal"] == (0.0, 0.0)
    assert distances["goal"] == pytest.approx(-chance / math.sqrt(chance * (1 - chance) / 50))
    assert exact.deviations["mean_cents"] == pytest.approx(math.sqrt(12 * 100**2 * 1368 / 1369))
    assert "turnover_cents" not in exact.deviations


@pytest.mark.parametrize("name", ["flat", "martingale", "labouchere", "andrucci"])
def test_the_spread_of_the_rounds_is_that_of_their_distribution(name: str) -> None:
    exact = play_session(evening(make_system(name, MBS, 100)))
    ends_at = [*(exact.alive[:-2] - exact.alive[1:-1]), exact.alive[-2]]

    mean = math.fsum(chance * number for number, chance in enumerate(ends_at, 1))
    variance = math.fsum(chance * (number - mean) ** 2 for number, chance in enumerate(ends_at, 1))

    assert exact.expected_rounds == pytest.approx(mean)
    assert exact.rounds_deviation == pytest.approx(math.sqrt(variance), abs=1e-6)


@step
def _sinking(memory: Memory, net_cents: int, outcome: int) -> int:
    if net_cents < 0:
        memory[1] -= 2
    return int(memory[1])


@pytest.mark.parametrize("watches", [True, False])
def test_a_negative_stake_is_refused_with_a_sentence(watches: bool) -> None:
    system = System(name="sinking", slips=(RED,), step=_sinking, start=(0, 3), watches=watches)

    with pytest.raises(BadInput) as refusal:
        simulate_sessions(evening(system), 100, seed=1)

    assert refusal.value.code == "negative-stake"


@pytest.mark.parametrize(
    ("sessions", "seed", "threads"), [(0, 1, 1), (10, -1, 1), (10, 2**64, 1), (10, 1, 0), (True, 1, 1)]
)
def test_a_run_that_cannot_be_is_refused(sessions: int, seed: int, threads: int) -> None:
    with pytest.raises(BadInput):
        simulate_sessions(evening(s.flat(RED)), sessions, seed, threads)


@pytest.mark.parametrize("book_id", shipped_books())
def test_simulated_rounds_agree_with_the_exact_edge_and_a_fair_wheel(book_id: str) -> None:
    book = load_book(book_id)
    bets = list(get_layout(book).bets)
    slip = place_slip(book, {bets[0]: 100, bets[-1]: 300})

    run = simulate_slip(slip, 3_000_000, seed=17)

    assert sum(run.outcome_counts) == sum(run.pocket_counts) == 3_000_000
    assert abs(run.z) < 5
    assert run.uniformity > 1e-4
    assert run.uniformity == pytest.approx(scipy.stats.chisquare(run.pocket_counts).pvalue, rel=1e-9)
    assert run.mean_cents == pytest.approx(run.net_cents / 3_000_000)
    deviation = np.repeat(slip.net_cents, run.outcome_counts).std(ddof=1)
    assert run.standard_error_cents == pytest.approx(deviation / np.sqrt(3_000_000), rel=1e-9)


def test_rounds_are_the_same_on_any_number_of_threads() -> None:
    runs = [simulate_slip(RED, 9_000_001, seed=3, threads=threads) for threads in (1, 2, 3)]

    assert runs[0].pocket_counts == runs[1].pocket_counts == runs[2].pocket_counts


def test_chunks_of_rounds_may_come_from_anywhere() -> None:
    plan = SlipPlan(slip=RED, rounds=9_000_001, seed=3)

    counts = {chunk: plan.play(chunk) for chunk in reversed(range(plan.chunks))}
    gathered = SlipRun(plan, (counts[chunk] for chunk in range(plan.chunks)))

    assert gathered.pocket_counts == simulate_slip(RED, 9_000_001, seed=3).pocket_counts


def test_a_slip_that_never_varies_lies_at_its_exact_value() -> None:
    every = place_slip(MBS, {f"straight:{number}": 100 for number in range(37)})

    run = simulate_slip(every, 1000, seed=1)

    assert (run.mean_cents, run.standard_error_cents, run.z) == (-100.0, 0.0, 0.0)


def test_one_session_and_one_round_tell_nothing_about_their_error() -> None:
    session = evening(s.martingale(RED))
    alone = simulate_sessions(session, 1, seed=1)

    assert all(math.isnan(error) for _, error in alone.estimates.values())
    assert math.isnan(simulate_slip(RED, 1, seed=1).standard_error_cents)
    # The deviations of the exact session are known, and measure one session too.
    assert math.isfinite(alone.against(play_session(session))["mean_cents"])
    assert not any(math.isnan(error) for _, error in simulate_sessions(session, 2, seed=1).estimates.values())

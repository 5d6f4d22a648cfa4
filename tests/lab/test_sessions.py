"""Exact sessions: known values, and whole fractions on small ones."""

from fractions import Fraction

import msgspec
import pytest

from croupier.lab import (
    ENDINGS,
    LEAVE,
    NO_OUTCOME,
    SYSTEMS,
    Limits,
    Session,
    System,
    make_system,
    place_slip,
    play_session,
    sessions,
    simulate_sessions,
    slip_odds,
    step,
)
from croupier.lab import systems as s
from croupier.lab.system import Memory
from croupier.rulebook import BadInput, load_book, shipped_books
from lab.session_fractions import assert_same_ends

MBS = load_book("mbs-roulette")
RED = place_slip(MBS, {"red": 100})
STAR = place_slip(load_book("rws-money-wheel"), {"symbol:1": 100})


def test_the_martingale_of_a_thousand_has_its_known_values() -> None:
    result = play_session(Session(system=s.martingale(RED), bankroll_cents=100_000, rounds=1000))

    assert result.mean_cents / 100 == pytest.approx(892.680097, abs=5e-7)
    assert result.behind == pytest.approx(0.4772, abs=5e-5)
    assert result.expected_rounds == pytest.approx(727.92, abs=5e-3)
    assert result.end_chances.sum() == pytest.approx(1.0, abs=1e-12)
    assert result.dropped < 1e-30


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize(
    "limits",
    [
        Limits(),
        Limits(maximum_cents=400),
        Limits(maximum_cents=400, beyond="cap"),
        Limits(maximum_cents=400, beyond="restart"),
    ],
    ids=["free", "stop", "cap", "restart"],
)
def test_small_sessions_agree_with_whole_fractions(name: str, limits: Limits) -> None:
    system = s.andrucci(MBS, 100, watch=2, bets=3) if name == "andrucci" else make_system(name, MBS, 100)
    if name == "james-bond":
        system, limits = s.james_bond(MBS, 10), Limits(maximum_cents=200)
    if name == "labouchere":
        system = s.labouchere(RED, (1, 1))

    assert_same_ends(
        Session(system=system, bankroll_cents=1150, rounds=7, goal_cents=1500, stop_cents=350, limits=limits)
    )
    assert_same_ends(Session(system=system, bankroll_cents=700, rounds=6, limits=limits))


@pytest.mark.parametrize("book_id", shipped_books())
def test_every_book_agrees_with_whole_fractions(book_id: str) -> None:
    system = make_system("dalembert", load_book(book_id), 300)

    assert_same_ends(Session(system=system, bankroll_cents=2000, rounds=8, goal_cents=3001))


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_expected_loss_is_the_edge_of_the_turnover(name: str) -> None:
    session = Session(
        system=make_system(name, MBS, 100),
        bankroll_cents=8000,
        rounds=150,
        goal_cents=10_000,
        limits=Limits(maximum_cents=2000),
    )

    result = play_session(session)

    edge = slip_odds(session.system.slips[0]).house_edge
    assert result.expected_loss_cents == pytest.approx(float(edge) * result.turnover_cents, rel=1e-10)
    assert sum(result.chance(ending) for ending in ENDINGS) == pytest.approx(1.0, abs=1e-12)
    assert result.goal + result.ruin <= 1.0
    assert result.quantile(1e-9) <= result.quantile(0.5) <= result.quantile(1 - 1e-9)


def test_flat_play_without_an_end_is_the_sum_of_its_rounds() -> None:
    result = play_session(Session(system=s.flat(RED), bankroll_cents=100_000, rounds=200))

    chance_of_100_wins = result.end_chances[result.end_cents == 100_000]
    assert chance_of_100_wins == pytest.approx(0.0522 / 1, abs=2e-3)
    assert result.mean_cents == pytest.approx(100_000 - 200 * 100 / 37, rel=1e-13)
    assert result.deviation_cents**2 == pytest.approx(200 * float(slip_odds(RED).variance_cents), rel=1e-12)
    assert result.expected_rounds == pytest.approx(200, rel=1e-13)


def test_the_gambler_who_plays_on_for_long_meets_the_classical_ruin() -> None:
    result = play_session(Session(system=s.flat(RED), bankroll_cents=1000, rounds=20_000, goal_cents=2000))

    odds = Fraction(19, 18)
    assert result.ruin == pytest.approx(float(1 - (odds**10 - 1) / (odds**20 - 1)), rel=1e-11)


@step
def _thrice(memory: Memory, net_cents: int, outcome: int) -> int:
    if outcome != NO_OUTCOME:
        memory[1] += 1
    return LEAVE if memory[1] >= 3 else 1


@step
def _sinking(memory: Memory, net_cents: int, outcome: int) -> int:
    if net_cents < 0:
        memory[1] -= 2
    return int(memory[1])


@step
def _dividing(memory: Memory, net_cents: int, outcome: int) -> int:
    return int(6 // memory[1])


@step
def _of_no_use(memory: Memory, net_cents: int) -> int:  # type: ignore[misc]  # too few arguments, on purpose
    return 1


def _plain(memory: Memory, net_cents: int, outcome: int) -> int:
    return 1


def test_anybody_can_add_a_system_in_a_few_lines() -> None:
    system = System(name="thrice", slips=(RED,), step=_thrice, start=(0, 0))

    result = play_session(Session(system=system, bankroll_cents=1000, rounds=50))

    assert result.expected_rounds == pytest.approx(3.0, rel=1e-15)
    assert result.chance("left") == pytest.approx(1.0, rel=1e-15)


@step
def _changing(memory: Memory, net_cents: int, outcome: int) -> int:
    if net_cents < 0:
        memory[0] = 1 - memory[0]
    return 1 + int(memory[0])


def test_a_system_may_change_what_it_bets_on() -> None:
    dozen = place_slip(MBS, {"dozen:1": 200, "straight:0": 100})
    system = System(name="changing", slips=(RED, dozen), step=_changing, start=(0,))
    session = Session(system=system, bankroll_cents=2000, rounds=6, goal_cents=4000)
    watching = msgspec.structs.replace(system, watches=True)

    assert_same_ends(session)
    by_table = simulate_sessions(session, 3000, seed=1)
    by_step = simulate_sessions(msgspec.structs.replace(session, system=watching), 3000, seed=1)
    assert by_table.estimates == by_step.estimates
    assert max(map(abs, by_table.against(play_session(session)).values())) < 5


GOOD = Session(system=s.martingale(RED), bankroll_cents=10_000, rounds=100)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"goal_cents": 9000}, "goal-not-above-bankroll"),
        ({"goal_cents": 10_000}, "goal-not-above-bankroll"),
        ({"stop_cents": 10_000}, "stop-not-under-bankroll"),
        ({"rounds": 10_000_000}, "rounds-out-of-range"),
        ({"rounds": 0}, "rounds-out-of-range"),
        ({"bankroll_cents": 0}, "bankroll-out-of-range"),
        ({"bankroll_cents": 99}, "bankroll-under-first-stake"),
        ({"limits": Limits(maximum_cents=99)}, "limit-under-unit"),
        ({"system": s.labouchere(RED), "limits": Limits(maximum_cents=499)}, "limit-under-first-stake"),
        (
            {"system": s.labouchere(RED), "limits": Limits(maximum_cents=499, beyond="restart")},
            "limit-under-first-stake",
        ),
        ({"system": System(name="gone", slips=(RED,), step=_thrice, start=(0, 3))}, "nothing-played"),
        (
            {"system": System(name="two", slips=(RED, STAR), step=_thrice, start=(0, 0))},
            "slips-on-two-tables",
        ),
        ({"limits": Limits(minimum_cents=101)}, "unit-under-minimum"),
        ({"limits": Limits(beyond="pray")}, "unknown-beyond"),
        ({"system": System(name="sinking", slips=(RED,), step=_sinking, start=(0, 3))}, "negative-stake"),
        ({"system": System(name="lost", slips=(RED,), step=_sinking, start=(1, 2))}, "unknown-slip"),
        ({"system": System(name="none", slips=(), step=_thrice, start=(0, 0))}, "system-without-slip"),
        ({"system": System(name="blank", slips=(RED,), step=_thrice, start=())}, "bad-memory"),
        ({"system": System(name="half", slips=(RED,), step=_thrice, start=(0, 0.5))}, "bad-memory"),
        ({"system": System(name="far", slips=(RED,), step=_thrice, start=(0, 2**63))}, "bad-memory"),
        (
            {"system": System(name="cell", slips=(RED,), step=_thrice, start=(0, 0), stake_cell=2)},
            "bad-memory",
        ),
        ({"system": System(name="plain", slips=(RED,), step=_plain, start=(0,))}, "step-not-compiled"),
        ({"system": System(name="divides", slips=(RED,), step=_dividing, start=(0, 0))}, "step-fault"),
        ({"system": System(name="few", slips=(RED,), step=_of_no_use, start=(0, 0))}, "step-fault"),
        (
            {"system": s.kelly(RED, Fraction(9, 10)), "limits": Limits(maximum_cents=2000)},
            "limit-under-first-stake",
        ),
        (
            {
                "system": s.kelly(RED, Fraction(9, 10)),
                "limits": Limits(maximum_cents=2000, beyond="restart"),
            },
            "limit-under-first-stake",
        ),
        (
            {"system": System(name="all", slips=(RED,), step=_sinking, start=(0, 10**7), proportional=True)},
            "more-than-everything",
        ),
    ],
)
def test_a_session_that_cannot_be_played_is_refused(change: dict[str, object], code: str) -> None:
    session = msgspec.structs.replace(GOOD, **change)

    with pytest.raises(BadInput) as refusal:
        play_session(session)

    assert refusal.value.code == code
    assert refusal.value.right
    with pytest.raises(BadInput) as refusal:
        simulate_sessions(session, 10, seed=1)
    assert refusal.value.code == code


@step
def _tired(memory: Memory, net_cents: int, outcome: int) -> int:
    memory[1] -= 1
    return int(1 + 0 // memory[1])


@pytest.mark.parametrize("watches", [False, True])
def test_a_step_that_breaks_late_is_refused_in_a_simulation_too(watches: bool) -> None:
    system = System(name="tired", slips=(RED,), step=_tired, start=(0, 700), watches=watches)
    session = Session(system=system, bankroll_cents=100_000, rounds=1000)

    with pytest.raises(BadInput, match="The step of the system tired cannot be run: ZeroDivisionError: "):
        simulate_sessions(session, 10, seed=1)


def test_a_session_too_large_for_an_exact_answer_says_what_to_do() -> None:
    session = Session(system=s.labouchere(RED), bankroll_cents=10**8, rounds=100_000)

    with pytest.raises(BadInput, match="simulate"):
        play_session(session)


@pytest.mark.parametrize("bankroll_cents", [2 * 10**6, 10**13])
def test_more_bankrolls_than_fit_are_refused_before_room_is_made_for_them(bankroll_cents: int) -> None:
    session = Session(system=s.flat(place_slip(MBS, {"red": 1})), bankroll_cents=bankroll_cents, rounds=10)

    with pytest.raises(BadInput, match="more than 1048576 bankrolls") as refusal:
        play_session(session)

    assert refusal.value.code == "session-too-large"


@pytest.mark.parametrize(
    ("system", "rounds", "beyond"),
    [(s.flat(RED, units=100), 6, 7), (s.dalembert(RED), 40, 120)],
    ids=["bankrolls", "pairs of state and bankroll"],
)
def test_a_session_is_refused_only_where_the_size_is_really_more_than_is_stated(
    monkeypatch: pytest.MonkeyPatch, system: System, rounds: int, beyond: int
) -> None:
    session = Session(system=system, bankroll_cents=30_000, rounds=rounds)
    exact = play_session(session)
    monkeypatch.setattr(sessions, "MAXIMUM_CELLS", 1000)

    assert play_session(session).end_chances.tolist() == exact.end_chances.tolist()
    with pytest.raises(BadInput, match="has more than 1000 ") as refusal:
        play_session(msgspec.structs.replace(session, rounds=beyond))
    assert refusal.value.code == "session-too-large"

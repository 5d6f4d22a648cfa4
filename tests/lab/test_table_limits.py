"""When a system asks for more than the table takes: stop, cap and restart, for units and for shares."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction

import msgspec
import pytest

from croupier.lab import Limits, Session, System, place_slip, play_session, simulate_sessions, step
from croupier.lab import systems as s
from croupier.lab.system import Memory
from croupier.rulebook import load_book
from lab.session_fractions import assert_same_ends

RED = place_slip(load_book("mbs-roulette"), {"red": 100})


@pytest.mark.parametrize("beyond", ["stop", "cap", "restart"])
@pytest.mark.parametrize("stop_cents", [None, 500])
def test_shares_of_the_bankroll_meet_the_limit_as_units_do(beyond: str, stop_cents: int | None) -> None:
    bold = s.kelly(RED, Fraction(7, 10))
    limits = Limits(maximum_cents=500, beyond=beyond)
    session = Session(
        system=bold, bankroll_cents=1150, rounds=7, goal_cents=1801, stop_cents=stop_cents, limits=limits
    )

    assert_same_ends(session)
    assert_same_ends(msgspec.structs.replace(session, goal_cents=None))
    result = play_session(session)
    assert (result.chance("table-limit") > 0.1) == (beyond != "cap")
    watching = msgspec.structs.replace(session, system=msgspec.structs.replace(bold, watches=True))
    by_table, by_step = simulate_sessions(session, 3000, seed=1), simulate_sessions(watching, 3000, seed=1)
    assert by_table.estimates == by_step.estimates
    assert max(map(abs, by_table.against(result).values())) < 5


@step
def _bolder(memory: Memory, net_cents: int, outcome: int) -> int:
    if net_cents > 0:
        memory[1] = min(memory[1] + 150_000, 700_000)
    return int(memory[1])


def test_a_system_of_shares_begins_anew_at_the_limit() -> None:
    system = System(name="bolder", slips=(RED,), step=_bolder, start=(0, 100_000), proportional=True)
    session = Session(
        system=system, bankroll_cents=1000, rounds=8, limits=Limits(maximum_cents=500, beyond="restart")
    )

    assert_same_ends(session)
    result = play_session(session)
    assert result.chance("table-limit") == 0.0
    watching = msgspec.structs.replace(session, system=msgspec.structs.replace(system, watches=True))
    by_table, by_step = simulate_sessions(session, 3000, seed=1), simulate_sessions(watching, 3000, seed=1)
    assert by_table.estimates == by_step.estimates
    assert max(map(abs, by_table.against(result).values())) < 5


Line = tuple[int, ...]


def _next_line(line: Line, staked: int, won: bool) -> Line:
    """A line of Labouchere after a round: what is still to be won."""
    if not won:
        return (*line, staked)
    if staked == line[0] + (line[-1] if len(line) > 1 else 0):
        return line[1:-1] or (1, 2, 3, 4)
    if len(line) == 1:
        return (line[0] - staked,)
    last = max(line[-1] - staked, 0)
    first = line[0] - max(staked - line[-1], 0)
    return (first, *line[1:-1], last) if last else (first, *line[1:-1])


def _next_grind(memory: Line, staked: int, won: bool) -> Line:
    """Stake and profit of Oscar's grind after a round, both in units that were really staked."""
    stake, profit = memory[0], memory[1] + (staked if won else -staked)
    if profit >= 1:
        return 1, 0
    return (min(stake + 1, 1 - profit) if won else stake), profit


@pytest.mark.parametrize("most", [5, 6, 7])
@pytest.mark.parametrize(
    ("system", "start", "wanted", "following"),
    [
        (
            s.labouchere(RED),
            (1, 2, 3, 4),
            lambda line: line[0] + (line[-1] if len(line) > 1 else 0),
            _next_line,
        ),
        (s.oscars_grind(RED), (1, 0), lambda memory: memory[0], _next_grind),
    ],
    ids=["labouchere", "oscars-grind"],
)
def test_what_a_capped_stake_won_or_lost_is_what_the_system_reckons_with(
    most: int,
    system: System,
    start: Line,
    wanted: Callable[[Line], int],
    following: Callable[[Line, int, bool], Line],
) -> None:
    most = most if system.name == "labouchere" else most - 4
    session = Session(
        system=system,
        bankroll_cents=10_000,
        rounds=12,
        limits=Limits(maximum_cents=100 * most, beyond="cap"),
    )
    playing: dict[tuple[Line, int], Fraction] = {(start, 10_000): Fraction(1)}
    for _ in range(session.rounds):
        after: dict[tuple[Line, int], Fraction] = defaultdict(Fraction)
        for (memory, cents), chance in playing.items():
            staked = min(wanted(memory), most)
            for won, share in ((True, Fraction(18, 37)), (False, Fraction(19, 37))):
                end = cents + (100 * staked if won else -100 * staked)
                after[following(memory, staked, won), end] += chance * share
        playing = after
    ends: dict[int, Fraction] = defaultdict(Fraction)
    for (_, cents), chance in playing.items():
        ends[cents] += chance

    result = play_session(session)

    found = dict(zip(result.end_cents.tolist(), result.end_chances.tolist(), strict=True))
    assert {cents for cents, chance in found.items() if chance} == ends.keys()
    for cents, chance in ends.items():
        assert found[cents] == pytest.approx(float(chance), rel=1e-12)
    watching = msgspec.structs.replace(session, system=msgspec.structs.replace(system, watches=True))
    by_table, by_step = simulate_sessions(session, 3000, seed=1), simulate_sessions(watching, 3000, seed=1)
    assert by_table.estimates == by_step.estimates
    assert max(map(abs, by_table.against(result).values())) < 5

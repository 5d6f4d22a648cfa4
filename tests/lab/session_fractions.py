"""Sessions written down from the definition: every state and bankroll by name, every chance a fraction."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from croupier.lab import ENDINGS, LEAVE, NO_OUTCOME, Session, play_session

Node = tuple[tuple[int, ...], int, int]
"""What the system remembers, what it stakes next, and the bankroll in cents."""


def by_fractions(session: Session) -> dict[tuple[str, int], Fraction]:
    """The end of a session from its definition: every state and bankroll by name, every chance a fraction."""
    system, limits = session.system.in_law or session.system, session.limits
    ends: dict[tuple[str, int], Fraction] = defaultdict(Fraction)

    def arrive(memory: tuple[int, ...], net: int, outcome: int, cents: int) -> tuple[Node, str | None]:
        working = np.array(memory, np.int64)
        ask = int(system.step(working, net, outcome))
        slip = system.slips[int(working[0])]
        most = (
            None if limits.maximum_cents is None else limits.maximum_cents // max(slip.stakes_cents.values())
        )
        ending = "left" if ask == LEAVE else None
        if system.proportional and ending is None:
            ask = max(1, cents * ask // (10**6 * slip.staked_cents))
        reached = session.goal_cents is not None and cents >= session.goal_cents
        if most is not None and ask > most and ending is None and not reached:
            # Only a system that stakes shares can ask for too much as soon as it has begun anew.
            if limits.beyond == "restart" and outcome != NO_OUTCOME:
                return arrive(system.start, 0, NO_OUTCOME, cents)
            ending = None if limits.beyond == "cap" else "table-limit"
            ask = most
            if ending is None and system.stake_cell is not None:
                working[system.stake_cell] = most
        if ending is None and ask * slip.staked_cents > cents:
            ending = "ruin"
        if session.stop_cents is not None and cents <= session.stop_cents:
            ending = "stop"
        if session.goal_cents is not None and cents >= session.goal_cents:
            ending = "goal"
        return (tuple(working.tolist()), ask, cents), ending

    first, _ = arrive(system.start, 0, NO_OUTCOME, session.bankroll_cents)
    playing = {first: Fraction(1)}
    for _ in range(session.rounds):
        after: dict[Node, Fraction] = defaultdict(Fraction)
        for (memory, ask, cents), chance in playing.items():
            slip = system.slips[memory[0]]
            for outcome, weight in enumerate(slip.weights):
                net = ask * slip.net_cents[outcome]
                unit_net = slip.net_cents[outcome] if ask else 0
                node, ending = arrive(memory, unit_net, outcome, cents + net)
                share = chance * Fraction(weight, slip.pockets)
                if ending is None:
                    after[node] += share
                else:
                    ends[ending, cents + net] += share
        playing = after
    for (_, _, cents), chance in playing.items():
        ends["time", cents] += chance
    return ends


def assert_same_ends(session: Session) -> None:
    exact, result = by_fractions(session), play_session(session)
    found = {
        (ENDINGS[row], int(result.end_cents[column])): float(result.chances[row, column])
        for row, column in zip(*np.nonzero(result.chances), strict=True)
    }
    assert found.keys() == exact.keys()
    for key, chance in exact.items():
        assert found[key] == pytest.approx(float(chance), rel=1e-12)

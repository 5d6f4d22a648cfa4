"""What a report says about play: many rounds, whole sessions, and their simulation."""

import math
from collections.abc import Iterator
from typing import Final

from croupier.lab.report import plots
from croupier.lab.report.document import Column, Group, Item, Plot, Table, Text
from croupier.lab.report.facts import (
    BANKROLL_UNITS,
    DISTRIBUTION_ROUNDS,
    EVENING_ROUNDS,
    GOAL_UNITS,
    MAXIMUM_UNITS,
    SPINS,
    Facts,
)
from croupier.lab.report.words import NOTHING, bet_name, chance
from croupier.rulebook.drawing_ink import pockets_word

_DISTANCES: Final = {
    "mean_cents": "mean",
    "rounds": "rounds",
    "turnover_cents": "turnover",
    "behind": "below",
    "goal": "goal",
}
"""The figures whose distance from the exact one has a column."""


def many_rounds(facts: Facts) -> Iterator[Item]:
    """The distribution after many rounds of a few bets."""
    yield Plot(
        lambda canvas: plots.draw_nets(canvas, facts),
        plots.NETS_INCHES,
        f"The net result after {DISTRIBUTION_ROUNDS:,} rounds with one unit a round, exact. "
        "Red: behind. Green: ahead. Dashed: the mean.",
    )
    yield Plot(
        lambda canvas: plots.draw_horizon(canvas, facts),
        plots.HORIZON_INCHES,
        "Left: the chance to be ahead; it goes up and down within the band as one more win is needed to be "
        "even. Right: the upper tail. Both exact.",
    )
    columns = (
        Column("Bet"),
        Column("Rounds", right=True),
        Column("Hold from", right=True),
        Column("Hold to", right=True),
        Column("Player ahead", right=True),
    )
    groups = tuple(
        Group(
            tuple(
                (
                    bet_name(facts.book, reference.bet),
                    f"{hold.rounds:,}",
                    f"{100 * hold.low:.3f} %",
                    f"{100 * hold.high:.3f} %",
                    chance(hold.ahead, hold.ahead_under),
                )
                for hold in reference.holds
            )
        )
        for reference in facts.references
    )
    yield Table(
        columns,
        groups,
        "What the house holds of the stakes in 95 of 100 cases, 2.5 lying on either side; exact.",
    )


def sessions(facts: Facts) -> Iterator[Item]:
    """How an evening ends with each system."""
    bets = {
        name for evening in facts.evenings for name in evening.result.session.system.slips[0].stakes_cents
    }
    on = next(iter(facts.evenings[0].result.session.system.slips[0].stakes_cents))
    own = " James Bond and Andrucci choose their bets themselves." if len(bets) > 1 else ""
    yield Text(
        f"An evening: {BANKROLL_UNITS} units, leaving at {GOAL_UNITS}, at most {EVENING_ROUNDS} rounds, one "
        f"unit on {on}, and an end when the system asks for more than {MAXIMUM_UNITS} units on a bet.{own} "
        "No system changes the edge: the expected loss is always the edge times the turnover."
    )
    columns = (
        Column("System"),
        Column("Mean end", right=True),
        Column("Loss", right=True),
        Column("Turnover", right=True),
        Column("Rounds", right=True),
        Column("Below start", right=True),
        Column("Goal", right=True),
        Column("Ruin", right=True),
        Column("Limit", right=True),
        Column("Time", right=True),
    )
    rows = tuple(
        (
            evening.title,
            f"{evening.result.mean_cents / 100:.3f}",
            f"{evening.result.expected_loss_cents / 100:.3f}",
            f"{evening.result.turnover_cents / 100:.2f}",
            f"{evening.result.expected_rounds:.2f}",
            chance(evening.result.behind),
            *(chance(evening.result.chance(name)) for name in ("goal", "ruin", "table-limit", "time")),
        )
        for evening in facts.evenings
    )
    yield Table(columns, (Group(rows),), "Exact sessions, in units.")
    yield Plot(
        lambda canvas: plots.draw_evenings(canvas, facts),
        plots.evenings_inches(facts),
        "The bankroll at the end, exact. Red: below the start. Dashed: the mean.",
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def simulation(facts: Facts) -> Iterator[Item]:
    """The simulated figures beside the exact ones."""
    spun = facts.spun
    yield Text(
        f"Each session was also simulated {_times(facts.sessions)} with seed {facts.seed}. Z is the distance "
        "of the simulated figure from the exact one in standard errors; it is left out where nothing varied."
    )
    columns = (
        Column("System"),
        Column("Simulated mean", right=True),
        Column("± error", right=True),
        *(Column(f"z {title}", right=True) for title in _DISTANCES.values()),
        Column("Furthest z", right=True),
    )
    rows = []
    for evening in facts.evenings:
        mean, error = evening.run.estimates["mean_cents"]
        furthest = max(map(abs, evening.z.values()))
        shown = (f"{evening.z[name]:+.2f}" if name in evening.z else NOTHING for name in _DISTANCES)
        rows.append(
            (
                evening.title,
                f"{mean / 100:.3f}",
                NOTHING if math.isnan(error) else f"{error / 100:.3f}",
                *shown,
                f"{furthest:.2f}",
            )
        )
    yield Table(columns, (Group(tuple(rows)),), "Simulated sessions, in units.")
    yield Plot(
        lambda canvas: plots.draw_distances(canvas, facts),
        plots.distances_inches(facts),
        "Every figure of every system.",
    )
    yield Plot(
        lambda canvas: plots.draw_pockets(canvas, facts),
        plots.POCKETS_INCHES,
        f"The simulated wheel after {SPINS:,} spins: how far each of the {pockets_word(facts.book.wheel)} is "
        f"from its fair count. Chi-squared test of all of them: p = {spun.uniformity:.4f}. "
        f"Result of the bet {next(iter(spun.plan.slip.stakes_cents))}: z = {spun.z:+.2f}.",
    )

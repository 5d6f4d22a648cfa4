"""The plots of a report."""

from typing import Any, Final

import numpy as np
from matplotlib.ticker import FuncFormatter

from croupier.lab.frames import binned
from croupier.lab.report.document import WIDTH_INCHES, Canvas
from croupier.lab.report.facts import (
    BANKROLL_UNITS,
    DISTRIBUTION_ROUNDS,
    GOAL_UNITS,
    UNIT_CENTS,
    Evening,
    Facts,
    Reference,
)
from croupier.lab.report.words import bet_name
from croupier.rulebook.drawing_ink import marks

INK: Final = "#1d2529"
QUIET: Final = "#8a969b"
GREEN: Final = "#0b7a4e"
RED: Final = "#b4232f"
BLUE: Final = "#2459ad"
PALE: Final = "#dfe7e3"
SERIES: Final = (GREEN, BLUE, RED)

NETS_INCHES, HORIZON_INCHES, POCKETS_INCHES = 2.2, 2.5, 1.7
"""How high the plots are."""


def evenings_inches(facts: Facts) -> float:
    """How high the plot of all evenings is."""
    return 1.3 * -(-len(facts.evenings) // 3) + 0.2


def distances_inches(facts: Facts) -> float:
    """How high the plot of all distances is."""
    return 0.2 * len(facts.evenings) + 0.6


def _subplots(
    canvas: Canvas,
    height: float,
    shape: tuple[int, int],
    edges: tuple[float, float, float, float],
    **more: Any,
) -> Any:
    """Axes in a grid; the edges left, right, bottom and top of all of them together are in inches."""
    left, right, bottom, top = edges
    frame = {
        "left": left / WIDTH_INCHES,
        "right": 1 - right / WIDTH_INCHES,
        "bottom": bottom / height,
        "top": 1 - top / height,
        "wspace": 0.22,
        "hspace": 0.5,
    }
    return canvas.subplots(*shape, squeeze=False, gridspec_kw=frame, **more)


def draw_nets(canvas: Canvas, facts: Facts) -> None:
    """The net result after a thousand rounds of each reference bet."""
    references = facts.references
    cells = _subplots(canvas, NETS_INCHES, (1, len(references)), (0.06, 0.06, 0.42, 0.25))
    for axes, reference in zip(cells[0], references, strict=True):
        _draw_net(axes, bet_name(facts.book, reference.bet), reference)


def _draw_net(axes: Any, name: str, reference: Reference) -> None:
    after = reference.after
    reach = 4 * after.deviation_cents
    near = np.abs(after.net_cents - float(after.mean_cents)) <= reach
    net, chance = after.net_cents[near] / UNIT_CENTS, after.chances[near]
    colours = [GREEN if result > 0 else RED if result < 0 else QUIET for result in net]
    axes.bar(net, chance, width=after.step_cents / UNIT_CENTS, color=colours, alpha=0.4, linewidth=0)
    axes.step(net, chance, where="mid", color=INK, linewidth=0.8)
    axes.axvline(0, color=INK, linewidth=0.7)
    mean = float(after.mean_cents) / UNIT_CENTS
    axes.axvline(mean, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.set_title(f"{name}, {reference.bet.pays} to 1", fontsize=7.5, loc="left")
    axes.set_xlabel("net result in units")
    axes.text(
        0.98,
        0.94,
        f"ahead {after.ahead:.1%}",
        transform=axes.transAxes,
        ha="right",
        fontsize=6.5,
        color=GREEN,
    )
    axes.text(0.02, 0.94, f"mean {mean:.1f}", transform=axes.transAxes, fontsize=6.5, color=QUIET)
    axes.set_ylim(bottom=0, top=1.18 * chance.max())
    axes.set_yticks([])
    _bare(axes, left=False)


def draw_horizon(canvas: Canvas, facts: Facts) -> None:
    """The chance to be ahead over the rounds, and how thin the tails are."""
    ahead, tails = _subplots(canvas, HORIZON_INCHES, (1, 2), (0.42, 0.06, 0.42, 0.25))[0]
    for reference, colour in zip(facts.references, SERIES, strict=False):
        rounds, high, low = zip(*reference.ahead, strict=True)
        ahead.fill_between(rounds, low, high, color=colour, alpha=0.18, linewidth=0)
        ahead.plot(rounds, high, color=colour, linewidth=1.0, label=bet_name(facts.book, reference.bet))
        ahead.plot(rounds, low, color=colour, linewidth=1.0)
        after = reference.after
        net = after.net_cents / UNIT_CENTS
        better = np.cumsum(after.chances[::-1])[::-1]
        seen = (net > 0) & (better > 1e-30)
        tails.plot(
            net[seen], better[seen], color=colour, linewidth=1.3, label=bet_name(facts.book, reference.bet)
        )
    ahead.set_xscale("log")
    ahead.set_ylim(0, None)
    ahead.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0%}"))
    ahead.set_xlabel("rounds")
    ahead.set_title("Chance to be ahead", fontsize=7.5, loc="left")
    tails.set_yscale("log")
    tails.set_xscale("log")
    tails.set_ylim(top=1)
    tails.set_xlabel("units won or more")
    tails.set_title(f"Chance to win so much in {DISTRIBUTION_ROUNDS:,} rounds", fontsize=7.5, loc="left")
    for axes in (ahead, tails):
        axes.grid(color=PALE, linewidth=0.6)
        axes.legend(frameon=False, fontsize=7)
        _bare(axes)


def draw_evenings(canvas: Canvas, facts: Facts) -> None:
    """How an evening ends with each system."""
    evenings = facts.evenings
    rows = -(-len(evenings) // 3)
    grid = _subplots(canvas, evenings_inches(facts), (rows, 3), (0.4, 0.06, 0.42, 0.22), sharex=True)
    cells = grid.ravel()
    for axes, evening in zip(cells, evenings, strict=False):
        _draw_evening(axes, evening)
    for axes in cells[len(evenings) :]:
        axes.set_axis_off()
    for axes in cells[max(0, len(evenings) - 3) : len(evenings)]:
        axes.set_xlabel("units at the end")
        axes.tick_params(labelbottom=True)


def _draw_evening(axes: Any, evening: Evening) -> None:
    result = evening.result
    step = int(result.end_cents[1] - result.end_cents[0])
    frame = binned(int(result.end_cents[0]), step, result.end_chances, 44)
    start, end = frame["from_cents"] / UNIT_CENTS, (frame["to_cents"] + step) / UNIT_CENTS
    colours = [GREEN if left >= BANKROLL_UNITS else RED for left in start]
    axes.bar(start, frame["chance"], width=end - start, align="edge", color=colours, alpha=0.75)
    axes.axvline(BANKROLL_UNITS, color=INK, linewidth=0.7)
    axes.axvline(result.mean_cents / UNIT_CENTS, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.set_title(evening.title, fontsize=7.5, loc="left")
    axes.set_title(f"below {result.behind:.0%}", fontsize=6, loc="right", color=QUIET)
    axes.set_xlim(0, GOAL_UNITS * 1.15)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0%}"))
    _bare(axes)


def draw_distances(canvas: Canvas, facts: Facts) -> None:
    """How far every simulated figure lies from the exact one."""
    evenings = facts.evenings
    axes = _subplots(canvas, distances_inches(facts), (1, 1), (1.25, 0.06, 0.42, 0.06))[0, 0]
    axes.axvspan(-1.96, 1.96, color=PALE, linewidth=0)
    axes.axvline(0, color=QUIET, linewidth=0.7)
    for place, evening in enumerate(evenings):
        values = [*evening.z.values()]
        axes.plot(values, [place] * len(values), "o", color=GREEN, markersize=4, alpha=0.7, markeredgewidth=0)
    axes.set_yticks(range(len(evenings)), [evening.title for evening in evenings])
    axes.invert_yaxis()
    furthest = max((abs(value) for evening in evenings for value in evening.z.values()), default=0.0)
    axes.set_xlim(-max(4.0, 1.1 * furthest), max(4.0, 1.1 * furthest))
    axes.set_xlabel("standard errors from the exact figure; 95 of 100 are expected in the shade")
    _bare(axes)


def draw_pockets(canvas: Canvas, facts: Facts) -> None:
    """How evenly the simulated wheel stops."""
    counts = np.array([count for _, count in facts.spun_pockets])
    expected = facts.spun.plan.rounds / counts.size
    off = (counts - expected) / np.sqrt(expected * (1 - 1 / counts.size))
    axes = _subplots(canvas, POCKETS_INCHES, (1, 1), (0.48, 0.06, 0.25, 0.06))[0, 0]
    axes.axhspan(-1.96, 1.96, color=PALE, linewidth=0)
    axes.bar(range(counts.size), off, color=BLUE, alpha=0.75, width=0.7)
    axes.axhline(0, color=INK, linewidth=0.7)
    shown = _first_marks(facts)
    size = 5.5 if all(len(mark) < 3 for mark in shown.values()) else 4.2
    axes.set_xticks([*shown], [*shown.values()], fontsize=size)
    axes.set_xlim(-0.7, counts.size - 0.3)
    axes.set_ylim(-4, 4)
    axes.set_ylabel("standard errors")
    _bare(axes)


def _first_marks(facts: Facts) -> dict[int, str]:
    """By place, the marks of the outcomes; where several places have the same one, only at the first."""
    names = [name for name, _ in facts.spun_pockets]
    found = marks(facts.book.wheel)
    return {place: found[name] for place, name in enumerate(names) if place == 0 or names[place - 1] != name}


def _bare(axes: Any, left: bool = True) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines["left"].set_visible(left)
    axes.spines[["left", "bottom"]].set_color(QUIET)
    axes.tick_params(colors=INK, labelsize=6.5, length=3, width=0.6)
    axes.xaxis.label.set_size(7)
    axes.yaxis.label.set_size(7)

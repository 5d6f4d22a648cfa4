"""`croupier lab session`: how a session with a betting system ends, exactly."""

import argparse
from typing import TYPE_CHECKING, Final

from croupier.cli.command import Command, Output, as_json
from croupier.cli.lab_figures import Figure, add_forms, figures_csv, figures_json, figures_table
from croupier.cli.lab_odds import bin_labels, bins_json
from croupier.cli.lab_plots import draw_bars, draw_line
from croupier.cli.lab_terms import (
    TERMS_USAGE,
    add_system,
    add_terms,
    describe,
    describe_unit,
    read_one,
    system_json,
    terms_json,
)

if TYPE_CHECKING:
    from croupier.lab import SessionResult
    from croupier.lab.frames import Frame

ENDING_TITLES: Final = {
    "goal": "reached the goal",
    "ruin": "could not pay the next stake",
    "stop": "fell to the stop",
    "table-limit": "asked for more than the table takes",
    "left": "the system went home",
    "time": "played all rounds",
}
_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
_BINS: Final = 15
_COURSE: Final = 50


def _run(args: argparse.Namespace) -> Output:
    from croupier.lab import play_session

    book, felt, session = read_one(args)
    result = play_session(session)
    figures = session_figures(result)
    if args.csv:
        return Output(text=figures_csv(figures))
    if args.json:
        facts = {
            **terms_json(book, felt, session),
            **system_json(session.system),
            "figures": figures_json(figures),
            "ends": bins_json(_ends(result)),
        }
        return Output(text=as_json(facts))
    head = f"{describe(book, felt, session)}\n{session.system.name}: {describe_unit(session.system)}"
    shown = [figure for figure in figures if figure.value or figure.name not in ENDING_TITLES]
    return Output(text="\n".join([figures_table(head, shown), _ends_plot(result), _course_plot(result)]))


def session_figures(result: "SessionResult") -> list[Figure]:
    """Everything about how a session ends, as numbers."""
    quantiles = [
        Figure(f"quantile_{chance}", f"{100 * chance:g} % quantile", "cents", result.quantile(chance))
        for chance in _QUANTILES
    ]
    endings = [Figure(name, title, "share", result.chance(name)) for name, title in ENDING_TITLES.items()]
    loss, turnover = result.expected_loss_cents, result.turnover_cents
    return [
        Figure("mean_cents", "mean at the end", "money", result.mean_cents),
        Figure("deviation_cents", "deviation", "money", result.deviation_cents),
        Figure("expected_loss_cents", "expected loss", "money", loss),
        Figure("behind", "below the start", "share", result.behind),
        Figure("ahead", "above the start", "share", result.ahead),
        *endings,
        Figure("rounds", "expected rounds", "count", result.expected_rounds),
        Figure("turnover_cents", "expected turnover", "money", turnover),
        # Whoever sits every round out stakes nothing and loses nothing of it.
        Figure("loss_by_turnover", "loss by turnover", "share", loss / turnover if turnover else 0.0),
        *quantiles,
    ]


def _ends(result: "SessionResult") -> "Frame":
    import numpy as np

    from croupier.lab.frames import binned

    reached = np.flatnonzero(result.end_chances > 1e-9)
    cells = result.end_chances[reached[0] : reached[-1] + 1]
    step = int(result.end_cents[1] - result.end_cents[0]) if result.end_cents.size > 1 else 1
    return binned(int(result.end_cents[reached[0]]), step, cells, _BINS)


def _ends_plot(result: "SessionResult") -> str:
    frame = _ends(result)
    return "The bankroll at the end\n\n" + draw_bars(bin_labels(frame), frame["chance"].tolist())


def _course_plot(result: "SessionResult") -> str:
    """How many are still playing, from the first round to the last."""
    rounds = result.session.rounds
    points = [result.alive[index * rounds // _COURSE] for index in range(_COURSE)]
    left = f"{100 * float(result.alive[rounds - 1]):.2f} % play the last round"
    return f"Still playing, round 1 to {rounds:,}: {left}\n\n{draw_line(points)}\n"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_terms(parser)
    add_system(parser)
    add_forms(parser)


SESSION: Final = Command(
    "session",
    f"BOOK [--layout L] --system NAME [--set KEY=VALUE ...] {TERMS_USAGE} [--json | --csv]",
    "how a session with a betting system ends, exactly",
    _add_arguments,
    _run,
)

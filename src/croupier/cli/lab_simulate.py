"""`croupier lab simulate`: sessions played many times over, and how far that is from the exact answer."""

import argparse
import math
from typing import TYPE_CHECKING, Final

from croupier.cli.command import Command, Output, as_json
from croupier.cli.lab_figures import add_forms, as_csv, finite, show
from croupier.cli.lab_plots import draw_bars
from croupier.cli.lab_session import ENDING_TITLES
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
from croupier.cli.progress import progress_bar
from croupier.cli.tables import Column, Row, counted, render_table, render_text
from croupier.rulebook import BadInput, show_amount

if TYPE_CHECKING:
    from croupier.lab import Session, SessionResult, SessionRun

SESSIONS: Final = 100_000
SEED: Final = 1
_TITLES: Final = {
    "mean_cents": ("mean at the end", "cents"),
    "rounds": ("rounds", "count"),
    "turnover_cents": ("turnover", "cents"),
    "behind": ("below the start", "share"),
    "ahead": ("above the start", "share"),
    **{name: (title, "share") for name, title in ENDING_TITLES.items()},
}
_BINS: Final = 16


def _run(args: argparse.Namespace) -> Output:
    if args.cluster is not None and args.cores is not None:
        raise BadInput("two-machines", "--cores and --cluster are both given.", "Leave one of them out.")
    book, felt, session = read_one(args)
    run = _simulate(args, session)
    exact, reason = (None, "") if args.no_exact else find_exact(session)
    if args.csv:
        return Output(text=_csv(run, exact))
    if args.json:
        facts = {
            **terms_json(book, felt, session),
            **system_json(session.system),
            "sessions": run.plan.sessions,
            "seed": run.plan.seed,
            "rounds_played": run.rounds_played,
            "lowest_cents": run.lowest_cents,
            "highest_cents": run.highest_cents,
            "figures": _figures_json(run, exact),
            "no_exact_answer": reason or None,
        }
        return Output(text=as_json(facts))
    head = f"{describe(book, felt, session)}\n{session.system.name}: {describe_unit(session.system)}"
    parts = [_table(head, run, exact), _range(run), _plot(run)]
    if reason:
        parts.append(render_text(f"There is no exact answer beside it: {reason}"))
    return Output(text="\n".join(parts))


def _simulate(args: argparse.Namespace, session: "Session") -> "SessionRun":
    from croupier.lab import simulate_sessions

    with progress_bar(args.progress, "sessions") as progress:
        if args.cluster is not None:
            from croupier.lab.cluster import simulate_on_cluster

            return simulate_on_cluster(session, args.sessions, args.seed, args.cluster, progress)
        return simulate_sessions(session, args.sessions, args.seed, args.cores, progress)


def find_exact(session: "Session") -> tuple["SessionResult | None", str]:
    """The exact answer, or the reason why there is none."""
    from croupier.lab import play_session

    try:
        return play_session(session), ""
    except BadInput as refusal:
        if refusal.code != "session-too-large":
            raise
        return None, refusal.sentence


def _table(head: str, run: "SessionRun", exact: "SessionResult | None") -> str:
    columns = [Column("FIGURE"), Column("SIMULATED", right=True), Column("STANDARD ERROR", right=True)]
    if exact is not None:
        columns += [Column("EXACT", right=True), Column("Z", right=True)]
    rows = []
    for name, (estimate, error) in run.estimates.items():
        title, form = _TITLES[name]
        if name in ENDING_TITLES and not estimate and (exact is None or not exact.figures[name]):
            continue
        cells = [title, show(form, estimate), show(form, error)]
        if exact is not None:
            distance = run.against(exact)[name]
            # Something so rare that it never happened leaves no spread to measure a distance by.
            told = "-" if math.isnan(distance) else f"{distance:+.2f}"
            cells += [show(form, exact.figures[name]), told]
        rows.append(Row(cells))
    title = f"{head}\n{counted(run.plan.sessions, 'session')} simulated with seed {run.plan.seed}"
    return render_table(title, columns, rows)


def _range(run: "SessionRun") -> str:
    ends = f"from {show_amount(run.lowest_cents)} to {show_amount(run.highest_cents)}"
    played = f"{counted(run.rounds_played, 'round')} {'was' if run.rounds_played == 1 else 'were'} played"
    which = "session" if run.plan.sessions == 1 else "sessions"
    return render_text(f"{played}; the {which} ended {ends}.")


def _plot(run: "SessionRun") -> str:
    """The histogram of the ends; its last bin holds all that lies above it."""
    bins = run.histogram.reshape(_BINS, -1).sum(axis=1)
    width = run.plan.bin_cents * (run.histogram.size // _BINS)
    labels = [f"from {show_amount(index * width)}" for index in range(_BINS)]
    shares = (bins / run.plan.sessions).tolist()
    last = max(index for index, share in enumerate(shares) if share) + 1
    return "The bankroll at the end\n\n" + draw_bars(labels[:last], shares[:last])


def _figures_json(run: "SessionRun", exact: "SessionResult | None") -> dict[str, object]:
    return {
        name: {
            "estimate": estimate,
            "standard_error": finite(error),
            "exact": None if exact is None else exact.figures[name],
            "z": None if exact is None else finite(run.against(exact)[name]),
        }
        for name, (estimate, error) in run.estimates.items()
    }


def _csv(run: "SessionRun", exact: "SessionResult | None") -> str:
    rows = [
        [
            name,
            estimate,
            _told(error),
            "" if exact is None else exact.figures[name],
            "" if exact is None else _told(run.against(exact)[name]),
        ]
        for name, (estimate, error) in run.estimates.items()
    ]
    return as_csv(["figure", "estimate", "standard_error", "exact", "z"], rows)


def _told(value: float) -> float | str:
    """An error or a distance in a table for programs; nothing where it cannot be told."""
    return "" if math.isnan(value) else value


def add_sessions(parser: argparse.ArgumentParser) -> None:
    """How much is simulated."""
    parser.add_argument(
        "--sessions",
        metavar="N",
        type=int,
        default=SESSIONS,
        help=f"how many sessions are simulated ({SESSIONS}, where not named)",
    )
    parser.add_argument(
        "--seed", metavar="S", type=int, default=SEED, help=f"the seed of the wheel ({SEED}, where not named)"
    )
    parser.add_argument("--cores", metavar="K", type=int, help="threads to use (all cores, where not named)")
    parser.add_argument("--progress", action="store_true", help="show a bar although nobody may be watching")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_terms(parser)
    add_system(parser)
    add_sessions(parser)
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="a Dask scheduler, for example tcp://10.0.0.5:8786"
    )
    parser.add_argument("--no-exact", action="store_true", help="do not compute the exact answer beside it")
    add_forms(parser)


SIMULATE: Final = Command(
    "simulate",
    f"BOOK [--layout L] --system NAME [--set KEY=VALUE ...] {TERMS_USAGE} [--sessions N] [--seed S] "
    "[--cores K | --cluster ADDRESS] [--no-exact] [--progress] [--json | --csv]",
    "sessions played many times over, against the exact answer",
    _add_arguments,
    _run,
)

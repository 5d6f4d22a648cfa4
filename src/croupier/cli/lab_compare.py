"""`croupier lab compare`: several betting systems side by side on the same terms."""

import argparse
from typing import TYPE_CHECKING, Final, NamedTuple

from croupier.cli.command import Command, Output, as_json
from croupier.cli.lab_figures import add_forms, as_csv, finite, show
from croupier.cli.lab_own import MARK
from croupier.cli.lab_plots import draw_bars
from croupier.cli.lab_simulate import add_sessions, find_exact
from croupier.cli.lab_terms import (
    TERMS_USAGE,
    add_terms,
    describe,
    read_session,
    read_system,
    system_json,
    terms_json,
)
from croupier.cli.progress import progress_bar
from croupier.cli.tables import Column, Row, counted, render_table, render_text
from croupier.rulebook import BadInput, Book, Layout, get_layout, load_book

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.lab import Session


class Compared(NamedTuple):
    """A system's session: its figures, and their standard errors where they were simulated."""

    label: str
    session: "Session"
    figures: "Mapping[str, float]"
    errors: "Mapping[str, float] | None"


_FIGURES: Final = {
    "mean_cents": ("MEAN END", "cents"),
    "behind": ("BELOW", "share"),
    "ahead": ("ABOVE", "share"),
    "goal": ("GOAL", "share"),
    "ruin": ("RUIN", "share"),
    "table-limit": ("LIMIT", "share"),
    "rounds": ("ROUNDS", "count"),
    "turnover_cents": ("TURNOVER", "cents"),
}

_UNSUITED: Final = (
    "bankroll-under-first-stake",
    "limit-under-first-stake",
    "limit-under-unit",
    "system-chooses-bets",
    "system-needs-roulette",
    "system-parameter",
    "unit-under-minimum",
)
"""Refusals that are about one system on these terms; the others are played all the same."""


def _run(args: argparse.Namespace) -> Output:
    book = load_book(args.book)
    felt = get_layout(book, args.layout)
    compared, refused = _compare(args, book, felt)
    first = compared[0].session
    if args.csv:
        return Output(text=_csv(compared))
    if args.json:
        facts = {
            **terms_json(book, felt, first),
            "systems": [_facts(one) for one in compared],
            "not_played": refused,
        }
        return Output(text=as_json(facts))
    title = describe(book, felt, first)
    parts = [_table(title, compared, first), _plot(compared)]
    if any(one.errors for one in compared):
        how = f"{counted(args.sessions, 'session')}, seed {args.seed}"
        told = f"Simulated ({how}) because too large for an exact answer"
        names = ", ".join(one.label for one in compared if one.errors)
        parts.append(render_text(f"{told}: {names}."))
    parts += [render_text(f"Not played: {name}. {reason}") for name, reason in refused.items()]
    return Output(text="\n".join(parts))


def _compare(args: argparse.Namespace, book: Book, felt: Layout) -> tuple[list[Compared], dict[str, str]]:
    from croupier.lab import SYSTEMS

    compared: list[Compared] = []
    refused: dict[str, str] = {}
    for text in args.system or SYSTEMS:
        try:
            compared.append(_one(args, book, felt, text))
        except BadInput as refusal:
            # All systems were asked for, and not every game and not every bet suits each of them.
            if args.system or refusal.code not in _UNSUITED:
                raise
            refused[text] = str(refusal)
    if not compared:
        raise BadInput("nothing-played", f"No system can be played: {next(iter(refused.values()))}")
    return compared, refused


def _one(args: argparse.Namespace, book: Book, felt: Layout, text: str) -> Compared:
    from croupier.lab import simulate_sessions

    name, *settings = [text] if MARK in text else text.split(":")
    session = read_session(args, read_system(args, book, felt, name, settings))
    exact, _ = find_exact(session)
    if exact is not None:
        return Compared(text, session, exact.figures, None)
    with progress_bar(args.progress, name) as progress:
        run = simulate_sessions(session, args.sessions, args.seed, args.cores, progress)
    return Compared(
        text,
        session,
        {key: estimate for key, (estimate, _) in run.estimates.items()},
        {key: error for key, (_, error) in run.estimates.items()},
    )


def _table(title: str, compared: list[Compared], first: "Session") -> str:
    missing = {"goal": first.goal_cents is None, "table-limit": first.limits.maximum_cents is None}
    names = [name for name in _FIGURES if not missing.get(name)]
    columns = [Column("SYSTEM"), *(Column(_FIGURES[name][0], right=True) for name in names)]
    rows = [Row([one.label, *(_cell(one, name) for name in names)]) for one in compared]
    return render_table(title, columns, rows)


def _cell(one: Compared, name: str) -> str:
    shown = show(_FIGURES[name][1], one.figures[name])
    return f"~{shown}" if one.errors else shown


def _plot(compared: list[Compared]) -> str:
    return "Below the start\n\n" + draw_bars(
        [one.label for one in compared], [one.figures["behind"] for one in compared]
    )


def _facts(one: Compared) -> dict[str, object]:
    return {
        "label": one.label,
        **system_json(one.session.system),
        "exact": one.errors is None,
        "figures": dict(one.figures),
        "standard_errors": None
        if one.errors is None
        else {name: finite(error) for name, error in one.errors.items()},
    }


def _csv(compared: list[Compared]) -> str:
    names = [*compared[0].figures]
    rows = [
        [one.label, "simulated" if one.errors else "exact", *(one.figures[name] for name in names)]
        for one in compared
    ]
    return as_csv(["system", "how", *names], rows)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_terms(parser)
    parser.add_argument(
        "--system",
        metavar="NAME[:KEY=VALUE]",
        nargs="+",
        action="extend",
        help="systems to compare, with what is set on them behind colons (all, where none is named)",
    )
    add_sessions(parser)
    add_forms(parser)


COMPARE: Final = Command(
    "compare",
    f"BOOK [--layout L] [--system NAME[:KEY=VALUE] ...] {TERMS_USAGE} [--sessions N] [--seed S] [--cores K] "
    "[--progress] [--json | --csv]",
    "betting systems side by side on the same terms",
    _add_arguments,
    _run,
)

"""`croupier lab odds`: what a slip is worth in one round, and after many."""

import argparse
from typing import TYPE_CHECKING, Final

from croupier.cli.command import Command, Output, add_book, add_layout, as_json
from croupier.cli.lab_figures import (
    Figure,
    add_forms,
    figures_csv,
    figures_json,
    figures_table,
    show_fraction,
)
from croupier.cli.lab_plots import draw_bars
from croupier.cli.lab_terms import read_slip
from croupier.cli.tables import Column, Row, counted, render_table
from croupier.rulebook import Book, Layout, get_layout, house_edge, load_book, probability, show_amount

if TYPE_CHECKING:
    from croupier.lab import NetDistribution, Slip
    from croupier.lab.frames import Frame

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_SHORTFALLS: Final = (0.01, 0.05)
_BINS: Final = 15
_OUTSIDE: Final = 0.0005
"""The part at either end that a plot leaves out, so that the rest can be seen."""


def _run(args: argparse.Namespace) -> Output:
    from croupier.lab import net_distribution

    book = load_book(args.book)
    felt = get_layout(book, args.layout)
    slip = read_slip(book, felt, args.bet)
    figures = slip_figures(slip)
    after = None if args.rounds is None else net_distribution(slip, args.rounds)
    later = [] if after is None else _net_figures(after, args.rounds * slip.staked_cents)
    if args.csv:
        rounds = [figure._replace(name=f"after_{figure.name}") for figure in later]
        return Output(text=figures_csv([*figures, *rounds]))
    if args.json:
        return Output(text=as_json(_facts(slip, figures, args.rounds, later, after)))
    parts = [_bets_table(book, felt, slip), figures_table("One round", figures), _law_table(slip)]
    if after is not None:
        parts += [
            figures_table(f"After {counted(args.rounds, 'round')}", later),
            "The middle 99.9 % of all results\n\n" + _plot(middle(after)),
        ]
    return Output(text="\n".join(parts))


def slip_figures(slip: "Slip") -> list[Figure]:
    """What one round of a slip is worth, fraction by fraction."""
    from croupier.lab import slip_odds

    odds = slip_odds(slip)
    what = "probability" if len(slip.stakes_cents) == 1 else "hit frequency"
    return [
        Figure("staked_cents", "stakes", "cents", odds.staked_cents),
        Figure("hit_frequency", what, "share", float(odds.hit_frequency), odds.hit_frequency),
        Figure("ahead", "ahead after the round", "share", float(odds.ahead), odds.ahead),
        Figure("mean_cents", "expected result", "money", float(odds.mean_cents), odds.mean_cents),
        Figure("house_edge", "house edge", "share", float(odds.house_edge), odds.house_edge),
        Figure("returned", "return", "share", float(odds.returned), odds.returned),
        Figure("variance", "variance of a unit", "number", float(odds.variance), odds.variance),
        Figure("deviation", "deviation of a unit", "number", odds.deviation),
        Figure("skewness", "skewness", "number", odds.skewness),
        Figure(
            "skewness_squared",
            "skewness squared",
            "number",
            float(odds.skewness_squared),
            odds.skewness_squared,
        ),
    ]


def _net_figures(after: "NetDistribution", staked_cents: int) -> list[Figure]:
    quantiles = [
        Figure(f"quantile_{chance}", f"{100 * chance:g} % quantile", "cents", after.quantile(chance))
        for chance in QUANTILES
    ]
    shortfalls = [
        Figure(
            f"shortfall_{chance}",
            f"expected shortfall, worst {100 * chance:g} %",
            "money",
            after.shortfall(chance),
        )
        for chance in _SHORTFALLS
    ]
    binned = after.step_cents != after.lattice_cents
    return [
        Figure("staked_cents", "stakes", "cents", staked_cents),
        Figure("mean_cents", "expected result", "money", float(after.mean_cents), after.mean_cents),
        Figure("deviation_cents", "deviation", "money", after.deviation_cents),
        Figure("ahead", "ahead", "share", after.ahead, under=after.ahead_under),
        Figure("behind", "behind", "share", after.behind, under=after.behind_under),
        *([Figure("bin_cents", "results below in bins of", "cents", after.step_cents)] if binned else []),
        *quantiles,
        *shortfalls,
    ]


def middle(after: "NetDistribution") -> "Frame":
    """The distribution without its furthest ends, in a few bins."""
    from croupier.lab.frames import binned

    low, high = after.quantile(_OUTSIDE), after.quantile(1 - _OUTSIDE)
    begin = max(0, (low - after.first_cents) // after.step_cents)
    end = (high - after.first_cents) // after.step_cents + 1
    first = after.first_cents + begin * after.step_cents
    frame = binned(first, after.step_cents, after.chances[begin:end], _BINS)
    # Where results are in bins already, the last of them reaches beyond where it begins.
    return {**frame, "to_cents": frame["to_cents"] + after.step_cents - after.lattice_cents}


def _plot(frame: "Frame") -> str:
    return draw_bars(bin_labels(frame), frame["chance"].tolist())


def bin_labels(frame: "Frame") -> list[str]:
    """From where to where each bin goes; one amount where it holds a single one."""
    starts = [show_amount(cents) for cents in frame["from_cents"].tolist()]
    ends = [show_amount(cents) for cents in frame["to_cents"].tolist()]
    width = max(map(len, ends))
    return [
        start if start == end else f"{start} to {end.rjust(width)}"
        for start, end in zip(starts, ends, strict=True)
    ]


def bins_json(frame: "Frame") -> list[dict[str, object]]:
    """Bins for programs."""
    columns = [frame[name].tolist() for name in ("from_cents", "to_cents", "chance")]
    return [
        {"from_cents": start, "to_cents": end, "chance": chance}
        for start, end, chance in zip(*columns, strict=True)
    ]


def _bets_table(book: Book, felt: Layout, slip: "Slip") -> str:
    columns = [
        Column("BET"),
        Column("STAKE", right=True),
        Column("PAYS", right=True),
        Column("PROBABILITY", right=True),
        Column("HOUSE EDGE", right=True),
        Column("CLAUSE"),
    ]
    rows = [
        Row(
            [
                bet_id,
                show_amount(stake),
                f"{felt.bets[bet_id].pays} to 1",
                show_fraction(probability(book, felt.bets[bet_id])),
                show_fraction(house_edge(book, felt.bets[bet_id])),
                felt.bets[bet_id].clause.removeprefix(f"{book.id}:"),
            ]
        )
        for bet_id, stake in slip.stakes_cents.items()
    ]
    staked = f"{show_amount(slip.staked_cents)} {book.currency}"
    return render_table(f"{book.id} ({book.title}), layout {felt.id}: {staked} a round", columns, rows)


def _law_table(slip: "Slip") -> str:
    columns = [Column("RESULT", right=True), Column("PROBABILITY", right=True), Column("DECIMAL", right=True)]
    rows = [
        Row([show_amount(net), show_fraction(chance), f"{float(chance):.6f}"]) for net, chance in slip.law
    ]
    return render_table("What a round can bring", columns, rows)


def _facts(
    slip: "Slip",
    figures: list[Figure],
    rounds: int | None,
    later: list[Figure],
    after: "NetDistribution | None",
) -> dict[str, object]:
    facts: dict[str, object] = {
        "book": slip.book,
        "layout": slip.layout,
        "stakes_cents": dict(slip.stakes_cents),
        "figures": figures_json(figures),
        "law": [{"net_cents": net, "probability": show_fraction(chance)} for net, chance in slip.law],
    }
    if after is not None:
        facts["after"] = {
            "rounds": rounds,
            "figures": figures_json(later),
            "middle": bins_json(middle(after)),
        }
    return facts


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_book(parser)
    add_layout(parser)
    parser.add_argument(
        "--bet",
        metavar="ID=AMOUNT",
        required=True,
        nargs="+",
        action="extend",
        help="a bet and its stake in dollars; for an announced bet the stake on each piece",
    )
    parser.add_argument(
        "--rounds", metavar="N", type=int, help="also the distribution after so many rounds, 1 to 1000000"
    )
    add_forms(parser)


ODDS: Final = Command(
    "odds",
    "BOOK [--layout L] --bet ID=AMOUNT ... [--rounds N] [--json | --csv]",
    "exact odds of a slip in one round, and its distribution after many",
    _add_arguments,
    _run,
)

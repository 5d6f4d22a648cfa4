"""What a report says about the bets."""

from collections.abc import Iterator
from typing import Final

from croupier.lab.report.document import Column, Group, Item, Table, Text
from croupier.lab.report.facts import BetFacts, Facts
from croupier.lab.report.words import bet_name, fraction, percent, short_clause
from croupier.rulebook import Bet

NINETY_PERCENT: Final = 1.645
"""Deviations within which 90 of 100 results of many rounds lie; test labs call it the volatility index."""


def glance(facts: Facts) -> Iterator[Item]:
    """Bets that are alike, one line each."""
    columns = (
        Column("Bet"),
        Column("Placed by"),
        Column("Paid by"),
        Column("Bets", right=True),
        Column("Pays", right=True),
        Column("Probability", right=True),
        Column("Edge", right=True),
        Column("Return", right=True),
        Column("Deviation", right=True),
        Column("Volatility", right=True),
        Column("Skewness", right=True),
    )
    alike: dict[tuple[object, ...], list[BetFacts]] = {}
    for one in facts.bets:
        alike.setdefault((one.bet.kind, one.bet.pays, one.odds.hit_frequency), []).append(one)
    rows = []
    for group in alike.values():
        bet, odds = group[0].bet, group[0].odds
        rows.append(
            (
                _alike_name(facts, group),
                short_clause(facts.book, facts.book.placing_clause(facts.layout, bet.kind)),
                short_clause(facts.book, bet.clause),
                str(len(group)),
                f"{bet.pays} to 1",
                fraction(odds.hit_frequency),
                percent(odds.house_edge),
                percent(odds.returned),
                f"{odds.deviation:.4f}",
                f"{NINETY_PERCENT * odds.deviation:.3f}",
                f"{odds.skewness:.4f}",
            )
        )
    yield Text(
        "Every figure follows from the pockets and the pay table by counting. Deviation and skewness are "
        "those of one round with a stake of one unit. Volatility is the deviation times "
        f"{NINETY_PERCENT}: when n is large, the return over n rounds lies within volatility / √n of its "
        "mean in 90 of 100 cases."
    )
    yield Table(columns, (Group(tuple(rows)),))


def _alike_name(facts: Facts, group: list[BetFacts]) -> str:
    """The name of a kind; symbols have none in common, so they are named one by one."""
    kind = group[0].bet.kind
    if len(group) == 1 or kind == "symbol":
        return ", ".join(bet_name(facts.book, one.bet) for one in group)
    return facts.book.kind_names.get(kind, kind)


def every_bet(facts: Facts) -> Iterator[Item]:
    """Every bet by itself, under the clause that says where it is placed."""
    columns = (
        Column("Bet"),
        Column("Numbers", wraps=True),
        Column("Pays", right=True),
        Column("Probability", right=True),
        Column("Decimal", right=True),
        Column("Edge", right=True),
        Column("Edge %", right=True),
        Column("Variance", right=True),
    )
    groups = []
    for kind in dict.fromkeys(one.bet.kind for one in facts.bets):
        alike = [one for one in facts.bets if one.bet.kind == kind]
        groups.append(
            Group(
                tuple(_bet_row(facts, one) for one in alike),
                facts.book.kind_names.get(kind, kind),
                _kind_note(facts, alike[0].bet),
            )
        )
    yield Table(columns, tuple(groups))


def _bet_row(facts: Facts, one: BetFacts) -> tuple[str, ...]:
    labels = facts.book.wheel.labels
    return (
        bet_name(facts.book, one.bet),
        " ".join(labels.get(number, number) for number in one.bet.numbers),
        f"{one.bet.pays} to 1",
        fraction(one.odds.hit_frequency),
        f"{float(one.odds.hit_frequency):.6f}",
        fraction(one.odds.house_edge),
        percent(one.odds.house_edge),
        fraction(one.odds.variance),
    )


def _kind_note(facts: Facts, bet: Bet) -> str:
    """Which clauses are behind a kind of bet, and what the one about its place says."""
    placing = facts.book.clauses.get(facts.book.placing_clause(facts.layout, bet.kind))
    said = f"{placing.id}: {placing.summary} " if placing is not None else ""
    return f"{said}Paid by {bet.clause}."


def calls(facts: Facts) -> Iterator[Item]:
    """Every announced bet."""
    yield Text(
        "An announced bet is spread over ordinary bets. Its odds are those of one unit on each piece; "
        "several pieces can win at once, and one can win while the whole loses."
    )
    columns = (
        Column("Call"),
        Column("Clause"),
        Column("Pieces", right=True),
        Column("Bets", wraps=True),
        Column("Hit frequency", right=True),
        Column("Ahead", right=True),
        Column("Edge", right=True),
        Column("Deviation", right=True),
    )
    rows = tuple(
        (
            one.announced.label,
            short_clause(facts.book, one.announced.clause),
            str(one.announced.pieces),
            ", ".join(_piece(part.bet, part.pieces) for part in one.announced.parts),
            fraction(one.odds.hit_frequency),
            fraction(one.odds.ahead),
            percent(one.odds.house_edge),
            f"{one.odds.deviation:.4f}",
        )
        for one in facts.calls
    )
    yield Table(columns, (Group(rows),))


def _piece(bet: Bet, pieces: int) -> str:
    shown = "/".join(bet.numbers) if len(bet.numbers) <= 6 else bet.name
    return shown if pieces == 1 else f"{pieces}x {shown}"

"""What a report says: the sections, in the words of the book."""

import shlex
from collections.abc import Iterator
from fractions import Fraction

from croupier.lab.origin import made_with
from croupier.lab.report import plots
from croupier.lab.report.document import (
    Column,
    Document,
    Group,
    Item,
    Picture,
    Plot,
    Section,
    Table,
    Text,
)
from croupier.lab.report.facts import (
    BANKROLL_UNITS,
    DISTRIBUTION_ROUNDS,
    EVENING_ROUNDS,
    GOAL_UNITS,
    MAXIMUM_UNITS,
    SPINS,
    BetFacts,
    Facts,
    Making,
)
from croupier.lab.report.pictures import PICTURE_INCHES, draw_game
from croupier.lab.sessions import ENDINGS
from croupier.rulebook import Bet
from croupier.rulebook.drawing import draw_svg
from croupier.rulebook.drawing_ink import pockets_word

NINETY_PERCENT = 1.645
"""Deviations within which 90 of 100 results of many rounds lie; test labs call it the volatility index."""


def write_document(facts: Facts, making: Making) -> Document:
    """The report on a game."""
    book, layout = facts.book, facts.layout
    return Document(
        title=book.title,
        subtitle=f"{book.operator} · {layout.title} · PAR sheet",
        facts=_first_facts(facts),
        sections=(
            Section("The game", tuple(_game(facts))),
            Section("The bets at a glance", tuple(_glance(facts))),
            Section("Many rounds", tuple(_many_rounds(facts))),
            Section("Sessions with betting systems", tuple(_sessions(facts))),
            Section("Simulation against exact", tuple(_simulation(facts))),
            Section("Every bet, clause by clause", tuple(_every_bet(facts))),
            *([Section("Announced bets", tuple(_calls(facts)))] if facts.calls else []),
            Section("Clauses and assumptions", tuple(_readings(facts))),
            Section("How this sheet was made", tuple(_made(facts, making))),
        ),
    )


def _first_facts(facts: Facts) -> tuple[tuple[str, str], ...]:
    least, most = facts.edges
    edge = percent(least) if least == most else f"{percent(least)} to {percent(most)}"
    returned = percent(1 - least) if least == most else f"{percent(1 - most)} to {percent(1 - least)}"
    return (
        ("House edge", edge),
        ("Return", returned),
        (pockets_word(facts.book.wheel).capitalize(), str(facts.book.pockets)),
        ("Legal bets", str(len(facts.bets))),
        ("Announced bets", str(len(facts.calls))),
    )


def _game(facts: Facts) -> Iterator[Item]:
    book, layout = facts.book, facts.layout
    rows = (
        ("Book", book.id),
        ("Version", f"{book.version}, in force from {book.effective.replace('T', ' ')}"),
        ("Operator", book.operator),
        ("Layout", f"{layout.id} ({layout.title}), clause {layout.clause}"),
        ("Wheel", f"{book.pockets} {pockets_word(book.wheel)}, clause {book.wheel.clause}"),
        ("Currency", book.currency),
        ("SHA-256 of the book", book.sha256),
    )
    yield Table((Column("What"), Column("Value", wraps=True)), (Group(rows),))
    yield Picture(
        draw_svg(book, layout),
        lambda canvas: draw_game(canvas, book, layout),
        PICTURE_INCHES,
        "Wheel and layout, drawn from the book. Every pocket or segment is equally likely.",
    )


def _glance(facts: Facts) -> Iterator[Item]:
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
        name = bet.name if len(group) == 1 else facts.book.kind_names.get(bet.kind, bet.kind)
        rows.append(
            (
                name,
                _clause(facts, facts.book.placing.get(bet.kind, "")),
                _clause(facts, bet.clause),
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
        "Every figure follows from the pockets and the pay table by counting. Deviation and skewness are those "
        "of the result of one round with a stake of one unit; volatility is the deviation times "
        f"{NINETY_PERCENT}, so that in 90 of 100 cases the return over n rounds lies within volatility / "
        "√n of its mean when n is large."
    )
    yield Table(columns, (Group(tuple(rows)),))


def _many_rounds(facts: Facts) -> Iterator[Item]:
    yield Plot(
        lambda canvas: plots.draw_nets(canvas, facts),
        plots.NETS_INCHES,
        f"The net result after {DISTRIBUTION_ROUNDS:,} rounds with one unit a round, exact. "
        "Red: behind. Green: ahead. Dashed: the mean.",
    )
    yield Plot(
        lambda canvas: plots.draw_horizon(canvas, facts),
        plots.HORIZON_INCHES,
        "Left: the chance to be ahead after so many rounds. Right: the exact upper tail.",
    )
    columns = (
        Column("Bet"),
        Column("Rounds", right=True),
        Column("Hold, 95 of 100 from", right=True),
        Column("to", right=True),
        Column("Player ahead", right=True),
    )
    groups = tuple(
        Group(
            tuple(
                (
                    reference.bet.name,
                    f"{hold.rounds:,}",
                    f"{100 * hold.low:.3f} %",
                    f"{100 * hold.high:.3f} %",
                    chance(hold.ahead),
                )
                for hold in reference.holds
            )
        )
        for reference in facts.references
    )
    yield Table(
        columns,
        groups,
        "What the house holds of the stakes after so many rounds, with 2.5 of 100 cases on either side; exact.",
    )


def _sessions(facts: Facts) -> Iterator[Item]:
    bets = {
        name for evening in facts.evenings for name in evening.result.session.system.slips[0].stakes_cents
    }
    on = next(iter(facts.evenings[0].result.session.system.slips[0].stakes_cents))
    own = " James Bond and Andrucci choose their bets themselves." if len(bets) > 1 else ""
    yield Text(
        f"An evening: {BANKROLL_UNITS} units, leaving at {GOAL_UNITS}, at most {EVENING_ROUNDS} rounds, one unit "
        f"on {on}, a table maximum of {MAXIMUM_UNITS} units on a bet at which the session ends.{own} "
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


def _simulation(facts: Facts) -> Iterator[Item]:
    spun = facts.spun
    yield Text(
        f"Each session was also simulated {facts.sessions:,} times with seed {facts.seed}. Z is the distance of the "
        "simulated figure from the exact one in standard errors. A dash stands where nothing varied."
    )
    names = ("mean_cents", "rounds", "turnover_cents", "behind", "ahead", *ENDINGS)
    columns = (
        Column("System"),
        Column("Simulated mean", right=True),
        Column("± error", right=True),
        *(Column(f"z {_Z_TITLES[name]}", right=True) for name in _Z_TITLES),
        Column("Furthest z", right=True),
    )
    rows = []
    for evening in facts.evenings:
        mean, error = evening.run.estimates["mean_cents"]
        furthest = max((abs(evening.z.get(name, 0.0)) for name in names), default=0.0)
        shown = (f"{evening.z[name]:+.2f}" if name in evening.z else "–" for name in _Z_TITLES)
        rows.append((evening.title, f"{mean / 100:.3f}", f"{error / 100:.3f}", *shown, f"{furthest:.2f}"))
    yield Table(columns, (Group(tuple(rows)),), "Simulated sessions, in units.")
    yield Plot(
        lambda canvas: plots.draw_distances(canvas, facts),
        plots.distances_inches(facts),
        "Every figure of every system.",
    )
    yield Plot(
        lambda canvas: plots.draw_pockets(canvas, facts),
        plots.POCKETS_INCHES,
        f"The wheel of the simulation after {SPINS:,} spins: how far each {pockets_word(facts.book.wheel)[:-1]} is "
        f"from its fair count. Chi-squared test of all of them: p = {spun.uniformity:.4f}. "
        f"Result of the bet {next(iter(spun.plan.slip.stakes_cents))}: z = {spun.z:+.2f}.",
    )


_Z_TITLES = {
    "mean_cents": "mean",
    "rounds": "rounds",
    "turnover_cents": "turnover",
    "behind": "below",
    "goal": "goal",
}


def _every_bet(facts: Facts) -> Iterator[Item]:
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
        one.bet.name,
        " ".join(labels.get(number, number) for number in one.bet.numbers),
        f"{one.bet.pays} to 1",
        fraction(one.odds.hit_frequency),
        f"{float(one.odds.hit_frequency):.6f}",
        fraction(one.odds.house_edge),
        percent(one.odds.house_edge),
        fraction(one.odds.variance),
    )


def _kind_note(facts: Facts, bet: Bet) -> str:
    """What the clauses behind a kind of bet say."""
    sources = dict.fromkeys([facts.book.placing.get(bet.kind, ""), bet.clause])
    said = []
    for source in sources:
        clause = facts.book.clauses.get(source)
        if clause is not None:
            said.append(f"{clause.id}: {clause.summary}")
    return "  ".join(said)


def _calls(facts: Facts) -> Iterator[Item]:
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
            _clause(facts, one.announced.clause),
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
    return shown if pieces == 1 else f"{pieces} × {shown}"


def _readings(facts: Facts) -> Iterator[Item]:
    book = facts.book
    cited = dict.fromkeys(
        [
            book.wheel.clause,
            facts.layout.clause,
            facts.layout.pay_clause,
            *(book.placing[one.bet.kind] for one in facts.bets if one.bet.kind in book.placing),
            *(one.bet.clause for one in facts.bets),
            *(one.announced.clause for one in facts.calls),
        ]
    )
    clauses = tuple((source, book.clauses[source].summary) for source in cited if source in book.clauses)
    yield Table(
        (Column("Clause"), Column("What it says, restated", wraps=True)),
        (Group(clauses),),
        "The clauses on which these figures rest.",
    )
    assumptions = tuple((assumption.id, assumption.text) for assumption in book.assumptions.values())
    ours = (
        (
            "fair-wheel",
            "Every pocket or segment is equally likely, and rounds are independent of each other.",
        ),
        ("whole-stakes", "Stakes are whole cents within the limits, and winning bets are paid in full."),
    )
    yield Table(
        (Column("Assumption"), Column("Reading", wraps=True)),
        (Group((*ours, *assumptions)),),
        "What is assumed where the text is silent or contradicts itself; the first two are those of the mathematics.",
    )


def _made(facts: Facts, making: Making) -> Iterator[Item]:
    command = (
        f"croupier lab report {shlex.quote(making.source)} --layout {shlex.quote(facts.layout.id)} "
        f"--sessions {making.sessions} --seed {making.seed} --out DIR"
    )
    names = {"lab": "SHA-256 of the lab's sources"}
    rows = (
        ("SHA-256 of the book", facts.book.sha256),
        *((names.get(name, name), value) for name, value in made_with().items()),
        ("Made again by", command),
    )
    yield Text(
        "Odds are fractions. Distributions and sessions are sums of positive numbers or tilted transforms, right "
        "to at least ten digits, also in the tails. Simulations use Philox4x32-10; the same seed gives the same "
        "figures on any number of cores. The same versions make the same sheet, byte by byte."
    )
    yield Table((Column("What"), Column("Value", wraps=True)), (Group(rows),))


def _clause(facts: Facts, source: str) -> str:
    return source.removeprefix(f"{facts.book.id}:")


def fraction(value: Fraction) -> str:
    """Always with its denominator.

    >>> fraction(Fraction(18, 37))
    '18/37'
    """
    return f"{value.numerator}/{value.denominator}"


def percent(value: Fraction) -> str:
    """With four decimals.

    >>> percent(Fraction(1, 37))
    '2.7027 %'
    """
    return f"{float(100 * value):.4f} %"


def chance(value: float) -> str:
    """With an exponent where decimals would say never.

    >>> chance(0.25), chance(1e-12), chance(0.0)
    ('0.2500', '1.0e-12', '0')
    """
    if value == 0:
        return "0"
    return f"{value:.4f}" if value >= 0.0001 else f"{value:.1e}"

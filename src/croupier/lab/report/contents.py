"""What a report says, section by section, in the words of the book."""

import shlex
from collections.abc import Iterator
from importlib import metadata
from typing import Final

from croupier.lab.origin import made_with
from croupier.lab.report.bets import calls, every_bet, glance
from croupier.lab.report.document import Column, Document, Group, Item, Picture, Section, Table, Text
from croupier.lab.report.facts import Facts, Making
from croupier.lab.report.pictures import PICTURE_INCHES, draw_game
from croupier.lab.report.play import many_rounds, sessions, simulation
from croupier.lab.report.words import percent
from croupier.rulebook.drawing import draw_svg
from croupier.rulebook.drawing_ink import pockets_word

_OURS: Final = (
    ("fair-wheel", "Every pocket or segment is equally likely, and rounds are independent of each other."),
    ("whole-stakes", "Stakes are whole cents within the limits, and winning bets are paid in full."),
)
"""What the mathematics itself assumes."""


def write_document(facts: Facts, making: Making) -> Document:
    """The report on a game."""
    book, layout = facts.book, facts.layout
    return Document(
        title=book.title,
        subtitle=f"{book.operator} · {layout.title} · PAR sheet",
        facts=_first_facts(facts),
        sections=(
            Section("The game", tuple(_game(facts))),
            Section("The bets at a glance", tuple(glance(facts))),
            Section("Many rounds", tuple(many_rounds(facts))),
            Section("Sessions with betting systems", tuple(sessions(facts))),
            Section("Simulation against exact", tuple(simulation(facts))),
            Section("Every bet, clause by clause", tuple(every_bet(facts))),
            *([Section("Announced bets", tuple(calls(facts)))] if facts.calls else []),
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
        *([("Announced bets", str(len(facts.calls)))] if facts.calls else []),
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


def _readings(facts: Facts) -> Iterator[Item]:
    book = facts.book
    cited = dict.fromkeys(
        [
            book.wheel.clause,
            facts.layout.clause,
            facts.layout.pay_clause,
            *(book.placing_clause(facts.layout, one.bet.kind) for one in facts.bets),
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
    yield Table(
        (Column("Assumption"), Column("Reading", wraps=True)),
        (Group((*_OURS, *assumptions)),),
        "What the mathematics assumes (the first two), and what is assumed where the text leaves a choice.",
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
        ("matplotlib", metadata.version("matplotlib")),
        ("Made again by", command),
    )
    yield Text(
        "Odds are fractions. Distributions are sums of positive numbers or tilted transforms, whose digits "
        "are right also in the tails; sessions are followed state by state. Simulations use Philox4x32-10: "
        "the same seed gives the same figures on any number of cores. The same versions make the same sheet."
    )
    yield Table((Column("What"), Column("Value", wraps=True)), (Group(rows),))

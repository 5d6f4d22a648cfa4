"""`croupier lab systems`: the betting systems, what they do, and what can be set on them."""

import argparse
from typing import TYPE_CHECKING, Final

from croupier.cli.command import Command, Output, as_json
from croupier.cli.lab_figures import add_forms, as_csv
from croupier.cli.tables import Column, Row, render_table

if TYPE_CHECKING:
    from croupier.lab.systems.parameters import Parameter


def _run(args: argparse.Namespace) -> Output:
    from croupier.lab import SYSTEMS
    from croupier.lab.systems.parameters import PARAMETERS

    if args.json:
        facts = [
            {
                "system": entry.name,
                "title": entry.title,
                "summary": entry.summary,
                "own_bets": entry.own_bets,
                "parameters": [_parameter_json(entry.name, known) for known in PARAMETERS[entry.name]],
            }
            for entry in SYSTEMS.values()
        ]
        return Output(text=as_json(facts))
    if args.csv:
        rows = [
            [entry.name, entry.title, " ".join(known.name for known in PARAMETERS[entry.name]), entry.summary]
            for entry in SYSTEMS.values()
        ]
        return Output(text=as_csv(["system", "title", "parameters", "summary"], rows))
    columns = [Column("SYSTEM"), Column("WHAT IT DOES", wraps=True)]
    lines = [
        Row(
            [entry.name, entry.summary],
            [_parameter_line(entry.name, known) for known in PARAMETERS[entry.name]],
        )
        for entry in SYSTEMS.values()
    ]
    return Output(text=render_table(f"The {len(lines)} betting systems of the lab", columns, lines))


def _parameter_line(system: str, parameter: "Parameter") -> str:
    return f"{parameter.name}={_default(system, parameter)}: {parameter.meaning}"


def _parameter_json(system: str, parameter: "Parameter") -> dict[str, object]:
    return {
        "name": parameter.name,
        "meaning": parameter.meaning,
        "default": _default(system, parameter),
    }


def _default(system: str, parameter: "Parameter") -> str:
    """How the value where nothing is set is written; dots where it follows from the bet or is without end."""
    from croupier.lab.systems.parameters import default_text

    return default_text(system, parameter.name) or "..."


SYSTEMS: Final = Command(
    "systems", "[--json | --csv]", "the betting systems and what can be set on them", add_forms, _run
)

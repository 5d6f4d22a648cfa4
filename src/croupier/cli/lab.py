"""`croupier lab`: the mathematics, each kind of question a command of its own."""

import argparse
from typing import Final

from croupier.cli.command import Command, Output, Parser
from croupier.cli.lab_compare import COMPARE
from croupier.cli.lab_odds import ODDS
from croupier.cli.lab_report import REPORT
from croupier.cli.lab_session import SESSION
from croupier.cli.lab_simulate import SIMULATE
from croupier.cli.lab_systems import SYSTEMS
from croupier.rulebook import BadInput

_PARTS: Final = (ODDS, SESSION, SIMULATE, COMPARE, SYSTEMS, REPORT)


def _run(args: argparse.Namespace) -> Output:
    need_lab("The lab")
    output: Output = args.part.run(args)
    return output


def need_lab(what: str) -> None:
    """Refuses something that needs the lab's libraries where they are not installed: a table runs without."""
    try:
        import croupier.lab  # noqa: F401  # only whether it can be imported
    except ModuleNotFoundError as error:
        if (error.name or "croupier").startswith("croupier"):
            raise
        raise BadInput(
            "lab-missing", f"{what} needs {error.name}, which is not installed.", "Install croupier[lab]."
        ) from error


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(metavar="WHAT", required=True, parser_class=Parser)
    for part in _PARTS:
        reader = what.add_parser(
            part.name,
            usage=f"croupier lab {part.name} {part.usage}",
            help=part.summary,
            description=f"{part.summary[:1].upper()}{part.summary[1:]}.",
            allow_abbrev=False,
        )
        part.arguments(reader)
        reader.set_defaults(part=part)


LAB: Final = Command(
    "lab",
    f"{'|'.join(part.name for part in _PARTS)} ...",
    "exact odds, sessions, simulation, betting systems, the report",
    _add_arguments,
    _run,
)

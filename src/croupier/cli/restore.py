"""`croupier restore`: a journal from a backup, where there is none."""

import argparse
from pathlib import Path
from typing import Final

from croupier.cli.addresses import shown
from croupier.cli.backup import head_facts, head_table, with_bar
from croupier.cli.command import Command, Output, add_json, as_json

_LOST: Final = (
    "Whatever was recorded after these heads is not in the backup and is lost with the journal: later "
    "rounds, credits and vouchers. Compare with the terminals and the cage before anybody plays."
)


def _run(args: argparse.Namespace) -> Output:
    from croupier.floor.backup.restore import restore

    heads = with_bar(args.progress, lambda tell: restore(Path(args.backup), args.journal, tell))
    if args.json:
        return Output(
            text=as_json({"journal": shown(args.journal), "streams": head_facts(heads)}), notes=(_LOST,)
        )
    title = f"Restored into {shown(args.journal)}, and every record fits"
    return Output(text=head_table(title, heads), notes=(_LOST,))


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("backup", metavar="BACKUP", help="a file that 'croupier backup' made")
    parser.add_argument(
        "journal",
        metavar="JOURNAL",
        help="a file that is not there yet, or a PostgreSQL address without a journal",
    )
    parser.add_argument("--progress", action="store_true", help="show a bar also where nobody watches")
    add_json(parser)


RESTORE: Final = Command(
    "restore",
    "BACKUP JOURNAL [--progress] [--json]",
    "a journal from a backup, where there is none",
    _add_arguments,
    _run,
)

"""`croupier project`: rounds, meters, vouchers and events of a journal, rebuilt into a file of their own."""

import argparse
import sqlite3
from typing import Final

from croupier.cli.command import Command, Output, add_json, as_json
from croupier.cli.files import named_place
from croupier.cli.journals import add_books, add_journal, find_books, open_journal
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import BadInput


def _run(args: argparse.Namespace) -> Output:
    out, find_book = named_place(args.out), find_books(args.book)
    with open_journal(args.journal) as evidence:
        from croupier.floor.exports.rebuilding import rebuild

        try:
            counts = rebuild(evidence, out, find_book)
        except (OSError, sqlite3.Error) as error:
            raise BadInput(
                "file-unwritable",
                f"{args.out!r} cannot be written: {getattr(error, 'strerror', None) or error}.",
                "Name a file in a folder that exists and that you may write to.",
            ) from error
    if args.json:
        return Output(text=as_json({"file": args.out, "rows": counts}))
    rows = [Row([name, str(count)]) for name, count in counts.items()]
    return Output(
        text=render_table(f"Rebuilt into {args.out}", [Column("TABLE"), Column("ROWS", right=True)], rows)
    )


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_journal(parser)
    parser.add_argument("--out", metavar="FILE", required=True, help="the SQLite file to build")
    add_books(parser)
    add_json(parser)


PROJECT: Final = Command(
    "project",
    "JOURNAL --out FILE [--book FILE] [--json]",
    "rounds, meters, vouchers and events, rebuilt from a journal into a file",
    _add_arguments,
    _run,
)

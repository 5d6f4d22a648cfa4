"""`croupier admin`: staff, devices, tables, limits, and whether a floor's file is sound."""

import argparse
from typing import Final

import msgspec

from croupier.cli.admin_devices import DEVICES
from croupier.cli.admin_floor import read_floor
from croupier.cli.admin_staff import STAFF
from croupier.cli.admin_tables import LIMITS, TABLES
from croupier.cli.admin_users import USERS
from croupier.cli.command import Command, Output, Parser, add_json, as_json
from croupier.cli.tables import Column, Row, render_table


def _run_check(args: argparse.Namespace) -> Output:
    config = read_floor(args.file, to_start=True)
    if args.json:
        facts = {
            "floor": config.name,
            "listen": msgspec.to_builtins(config.listen),
            "demonstration": config.demonstration,
            "tables": [
                {
                    "table": table.id,
                    "settings": msgspec.to_builtins(table.settings),
                    "seats": len(table.seats),
                }
                for table in config.tables
            ],
        }
        return Output(text=as_json(facts))
    columns = [Column(name) for name in ("TABLE", "BOOK", "LAYOUTS", "WHEEL")]
    rows = [
        Row(
            [
                table.id,
                table.settings.book,
                ", ".join(table.settings.layouts),
                table.settings.spin_source,
                str(len(table.seats)),
            ]
        )
        for table in config.tables
    ]
    title = f"{config.name}, {config.site}: checked whole, no fault found"
    return Output(text=render_table(title, [*columns, Column("SEATS", right=True)], rows))


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the floor's .toml file")
    add_json(parser)


_GROUPS: Final = {
    "staff": ("who works here", STAFF),
    "devices": ("terminals, displays, wheels, consoles", DEVICES),
    "tables": ("the tables of the floor", TABLES),
    "limits": ("the limits of a table", LIMITS),
    "report": ("reports about the office", (USERS,)),
}
_CHECK: Final = Command(
    "check", "FILE [--json]", "whether a floor's file is sound, fault by fault", _add_check, _run_check
)


def _run(args: argparse.Namespace) -> Output:
    output: Output = args.part.run(args)
    return output


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    groups = parser.add_subparsers(metavar="WHAT", required=True, parser_class=Parser)
    _add_part(groups, "croupier admin", _CHECK)
    for name, (summary, parts) in _GROUPS.items():
        usage = f"croupier admin {name} {'|'.join(part.name for part in parts)} ..."
        group = groups.add_parser(name, usage=usage, help=summary, allow_abbrev=False)
        verbs = group.add_subparsers(metavar="WHAT", required=True, parser_class=Parser)
        for part in parts:
            _add_part(verbs, f"croupier admin {name}", part)


def _add_part(
    parsers: "argparse._SubParsersAction[Parser]",
    before: str,
    part: Command,
) -> None:
    reader = parsers.add_parser(
        part.name,
        usage=f"{before} {part.name} {part.usage}",
        help=part.summary,
        description=f"{part.summary[:1].upper()}{part.summary[1:]}.",
        allow_abbrev=False,
    )
    part.arguments(reader)
    reader.set_defaults(part=part)


ADMIN: Final = Command(
    "admin",
    f"{'|'.join([*_GROUPS, 'check'])} ...",
    "staff, devices, tables, limits; a floor's file",
    _add_arguments,
    _run,
)

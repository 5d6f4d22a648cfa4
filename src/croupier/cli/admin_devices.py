"""`croupier admin devices`: terminals, displays, wheels and consoles."""

import argparse
import asyncio
from typing import Final

import msgspec

from croupier.cli.admin_floor import WHERE, add_floor, open_floor, who_runs_this
from croupier.cli.admin_times import shown_time
from croupier.cli.command import Command, Output, as_json
from croupier.cli.tables import Column, Row, render_table


def _run_code(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        from croupier.server.access.local import issue_code_here

        issuing = issue_code_here(
            floor.store, floor.clock, floor.policy, who_runs_this(), args.kind, args.table, args.seat
        )
        code = asyncio.run(issuing)
        minutes = floor.policy.code_minutes
    if args.json:
        facts = {"code": code, "kind": args.kind, "table": args.table, "seat": args.seat, "minutes": minutes}
        return Output(text=as_json(facts))
    text = f"Type this at the {args.kind} within {minutes} minutes:\n\n    {code}\n"
    return Output(text=text, notes=("This code is shown once and works once.",))


def _run_list(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        from croupier.floor.office.listing import device_rows

        rows = device_rows(floor.office().state)
    shown = rows if args.all else [row for row in rows if row.is_active]
    if args.json:
        return Output(text=as_json(msgspec.to_builtins(shown)))
    if not shown:
        return Output(text="No device is enrolled.\n")
    columns = [Column(name) for name in ("DEVICE", "KIND", "TABLE", "SEAT", "ENROLLED", "BY", "STATUS")]
    return Output(
        text=render_table(
            "Devices",
            columns,
            [
                Row(
                    [
                        row.id,
                        row.kind,
                        row.table or "-",
                        row.seat or "-",
                        shown_time(row.enrolled_ms),
                        row.enrolled_by,
                        "active" if row.is_active else f"revoked {shown_time(row.revoked_ms)}",
                    ]
                )
                for row in shown
            ],
        )
    )


def _run_revoke(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        from croupier.floor.office.devices import revoke

        floor.office().write(who_runs_this(), revoke(args.device, args.reason))
    sentence = f"{args.device} is not let in any more; a running server cuts it off within a second or two."
    return Output(text=as_json({"device": args.device, "done": sentence}) if args.json else f"{sentence}\n")


def _add_code(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", metavar="KIND", help="terminal, display, wheel or console")
    parser.add_argument("--table", metavar="T", help="the table that it belongs to")
    parser.add_argument("--seat", metavar="S", help="the seat of a terminal")
    add_floor(parser)


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="also those that were revoked")
    add_floor(parser)


def _add_revoke(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("device", metavar="DEVICE", help="the device's id")
    parser.add_argument("--reason", metavar="TEXT", required=True, help="why; it stays in the record")
    add_floor(parser)


DEVICES: Final = (
    Command("code", f"KIND [--table T] [--seat S] {WHERE}", "a code for a new device", _add_code, _run_code),
    Command("list", f"[--all] {WHERE}", "which devices are ours", _add_list, _run_list),
    Command("revoke", f"DEVICE --reason TEXT {WHERE}", "a device is ours no more", _add_revoke, _run_revoke),
)

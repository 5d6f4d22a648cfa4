"""`croupier admin report users`: who works here, and what each position may do."""

import argparse
from typing import Any, Final

import msgspec

from croupier.cli.admin_floor import WHERE, Floor, add_floor, open_floor
from croupier.cli.admin_staff import staff_page
from croupier.cli.command import Command, Output, as_json
from croupier.cli.tables import Column, Row, render_table

_OFFICE: Final = "office"
_OFFICE_ACTIONS: Final = ("issue-code", "revoke-device", "clear-lock-out", "end-sessions")
"""What a pit supervisor may do beside the tables."""


def _run(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        from croupier.floor.office_listing import staff_rows

        users = staff_rows(floor.office().state, floor.clock.now_ms())
        privileges = _privileges(floor)
    if args.json:
        return Output(text=as_json({"users": msgspec.to_builtins(users), "privileges": privileges}))
    columns = [Column("GAME"), Column("ACTION"), Column("FROM POSITION ON"), Column("PEOPLE", right=True)]
    rows = [
        Row([where, right["action"], right["position"], str(right["people"])])
        for where, rights in privileges.items()
        for right in rights
    ]
    users_page = staff_page("Users, also those who have left", users)
    return Output(text=f"{users_page}\n{render_table('What positions may do', columns, rows)}")


def _privileges(floor: Floor) -> dict[str, list[dict[str, Any]]]:
    """By book, and for the office: each action, the lowest position for it, and how many people."""
    from croupier.floor.loading import rules_of
    from croupier.floor.streams import is_table

    found: dict[str, list[dict[str, Any]]] = {
        _OFFICE: [{"action": action, "position": "pit-supervisor", "people": 1} for action in _OFFICE_ACTIONS]
    }
    for table in filter(is_table, floor.store.tables()):
        book = rules_of(floor.store, table, floor.find_book).book
        found[book.id] = [
            {"action": right.action, "position": right.position, "people": right.people}
            for right in book.authority.values()
        ]
    return found


USERS: Final = Command("users", WHERE, "users and privileges", add_floor, _run)

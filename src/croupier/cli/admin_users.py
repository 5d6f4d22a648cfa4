"""`croupier admin report users`: who works here, and what each position may do."""

import argparse
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from croupier.cli.admin_floor import WHERE, Floor, add_floor, open_floor
from croupier.cli.admin_staff import staff_page
from croupier.cli.command import Command, Output, as_json
from croupier.cli.tables import Column, Row, render_table

_OFFICE: Final = "office"


def _run(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        from croupier.floor.office.listing import staff_rows

        users = staff_rows(floor.office().state, floor.clock.now_ms())
        privileges = _privileges(floor)
    if args.json:
        return Output(text=as_json({"users": msgspec.to_builtins(users), "privileges": privileges}))
    columns = [
        Column("GAME"),
        Column("ACTION"),
        Column("FROM POSITION ON"),
        Column("OR DUTY"),
        Column("PEOPLE", wraps=True),
    ]
    rows = [
        Row(
            [
                where,
                right["action"],
                right["position"] or "-",
                ", ".join(right["duties"]) or "-",
                _people(right),
            ]
        )
        for where, rights in privileges.items()
        for right in rights
    ]
    users_page = staff_page("Users, also those who have left", users)
    return Output(text=f"{users_page}\n{render_table('What positions may do', columns, rows)}")


def _people(right: dict[str, Any]) -> str:
    at = right["two_people_at"]
    return f"{right['people']}, and 2 at {', '.join(at)}" if at else str(right["people"])


def _privileges(floor: Floor) -> dict[str, list[dict[str, Any]]]:
    """By book and for the office: each action, its lowest position, its duties, and how many people."""
    from croupier.floor.loading import creation_of, rules_of
    from croupier.floor.streams import is_table
    from croupier.server.http.authority import RIGHTS

    found = {
        _OFFICE: [
            _right(name, right.position, right.duties)
            for name, right in RIGHTS.items()
            if right.position is not None or right.duties
        ]
    }
    for table in filter(is_table, floor.store.tables()):
        book = rules_of(floor.store, table, floor.find_book).book
        rights = found.setdefault(
            book.id, [_right(of.action, of.position, (), of.people) for of in book.authority.values()]
        )
        two = creation_of(floor.store, table).settings.two_people
        for right in rights:
            if right["action"] in two and right["people"] == 1:
                right["two_people_at"].append(table)
    return found


def _right(action: str, position: str | None, duties: Sequence[str], people: int = 1) -> dict[str, Any]:
    return {
        "action": action,
        "position": position,
        "duties": [*duties],
        "people": people,
        "two_people_at": [],
    }


USERS: Final = Command("users", WHERE, "users and privileges", add_floor, _run)

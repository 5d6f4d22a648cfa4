"""`croupier admin staff`: who works here."""

import argparse
import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.cli.admin_floor import WHERE, add_floor, open_floor, who_runs_this
from croupier.cli.admin_passwords import next_line
from croupier.cli.admin_times import shown_time
from croupier.cli.command import Command, Output, as_json
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import BadInput

if TYPE_CHECKING:
    from croupier.floor.office.listing import StaffRow
    from croupier.server.access import AccessPolicy


def _run_add(args: argparse.Namespace) -> Output:
    with open_floor(args, create=True) as floor:
        from croupier.floor.office.staff import add

        password, is_one_time = _password(args, args.name)
        hashed = _hash(password, floor.policy)
        decision = add(args.name, args.position, args.duty, hashed, is_one_time=is_one_time)
        floor.office().write(who_runs_this(), decision)
    return _given(args, password if is_one_time else None, f"{args.name} works here now")


def _run_password(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        from croupier.floor.office.staff import active_person, set_password

        office = floor.office()
        active_person(office.state, args.name)
        password, is_one_time = _password(args, args.name)
        hashed = _hash(password, floor.policy)
        office.write(who_runs_this(), set_password(args.name, hashed, is_one_time=is_one_time))
    return _given(args, password if is_one_time else None, f"{args.name} has a new password")


def _password(args: argparse.Namespace, name: str) -> tuple[str, bool]:
    """What the person gets in with: their own from standard input, or one for the first time."""
    from croupier.server.access.passwords import check_password, new_password

    if not args.password_stdin:
        return new_password(), True
    password = next_line("The password")
    check_password(password, name)
    return password, False


def _hash(password: str, policy: "AccessPolicy") -> str:
    from croupier.server.access.local import hash_password

    return asyncio.run(hash_password(password, policy))


def _given(args: argparse.Namespace, one_time: str | None, sentence: str) -> Output:
    if args.json:
        return Output(text=as_json({"name": args.name, "one_time_password": one_time}))
    if one_time is None:
        return Output(text=f"{sentence}.\n")
    text = f"{sentence}. For the first sign-in, where it has to be changed:\n\n    {one_time}\n"
    return Output(text=text, notes=("This password is shown once and kept nowhere.",))


def _run_position(args: argparse.Namespace) -> Output:
    if args.position is None and args.duty is None:
        raise BadInput("nothing-new", "Nothing is to change.", "Name --position, --duty or --no-duty.")
    with open_floor(args) as floor:
        from croupier.floor.office.staff import set_position

        office = floor.office()
        office.write(who_runs_this(), set_position(args.name, args.position, args.duty))
        person = office.state.staff[args.name]
        work = ", ".join([person.position, *person.duties])
    return _done(args, f"{args.name} is now {work}; open sessions end.")


def _run_retire(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        from croupier.floor.office.staff import retire

        floor.office().write(who_runs_this(), retire(args.name, args.reason))
    return _done(args, f"{args.name} does not work here any more; open sessions end.")


def _run_unlock(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        from croupier.floor.office.staff import unlock

        floor.office().write(who_runs_this(), unlock(args.name, args.reason))
    return _done(args, f"{args.name} is not locked out any more.")


def _done(args: argparse.Namespace, sentence: str) -> Output:
    return Output(text=as_json({"name": args.name, "done": sentence}) if args.json else f"{sentence}\n")


def _run_list(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        from croupier.floor.office.listing import staff_rows

        rows = staff_rows(floor.office().state, floor.clock.now_ms())
    shown = rows if args.all else [row for row in rows if row.retired_ms is None]
    if args.json:
        return Output(text=as_json(msgspec.to_builtins(shown)))
    return Output(text=staff_page("Staff", shown))


def staff_page(title: str, rows: Sequence["StaffRow"]) -> str:
    """Users and privileges as a table."""
    if not rows:
        return "Nobody is on the staff yet.\n"
    columns = [
        Column(name)
        for name in ("NAME", "POSITION", "DUTIES", "ADDED", "PASSWORD SET", "LAST SIGN-IN", "STATUS")
    ]
    return render_table(
        title,
        columns,
        [
            Row(
                [
                    row.name,
                    row.position,
                    ", ".join(row.duties) or "-",
                    shown_time(row.added_ms),
                    shown_time(row.password_set_ms),
                    shown_time(row.last_sign_in_ms),
                    _status(row),
                ]
            )
            for row in rows
        ],
    )


def _status(row: "StaffRow") -> str:
    if row.retired_ms is not None:
        return f"retired {shown_time(row.retired_ms)}"
    if row.locked_until_ms is not None:
        return f"locked out until {shown_time(row.locked_until_ms)}"
    return "one-time password" if row.is_one_time else "active"


def _add_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", help="the person's name: small letters, digits, dots, hyphens"
    )
    add_floor(parser)


def _add_password(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--password-stdin",
        action="store_true",
        help="read the person's own password from standard input (a one-time one is made otherwise)",
    )


def _add_add(parser: argparse.ArgumentParser) -> None:
    _add_name(parser)
    parser.add_argument("--position", metavar="P", required=True, help="the position, or none")
    parser.add_argument("--duty", metavar="D", action="append", default=[], help="a duty beside it")
    _add_password(parser)


def _add_set_password(parser: argparse.ArgumentParser) -> None:
    _add_name(parser)
    _add_password(parser)


def _add_position(parser: argparse.ArgumentParser) -> None:
    _add_name(parser)
    parser.add_argument("--position", metavar="P", help="the new position, or none")
    duties = parser.add_mutually_exclusive_group()
    duties.add_argument("--duty", metavar="D", action="append", help="a duty; all that are not named end")
    duties.add_argument("--no-duty", dest="duty", action="store_const", const=[], help="no duties any more")


def _add_reasoned(parser: argparse.ArgumentParser) -> None:
    _add_name(parser)
    parser.add_argument("--reason", metavar="TEXT", required=True, help="why; it stays in the record")


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="also those who do not work here any more")
    add_floor(parser)


STAFF: Final = (
    Command(
        "add", f"NAME --position P [--duty D] [--password-stdin] {WHERE}", "a new person", _add_add, _run_add
    ),
    Command("list", f"[--all] {WHERE}", "who works here", _add_list, _run_list),
    Command(
        "set-position",
        f"NAME [--position P] [--duty D | --no-duty] {WHERE}",
        "another position or other duties",
        _add_position,
        _run_position,
    ),
    Command(
        "password", f"NAME [--password-stdin] {WHERE}", "a new password", _add_set_password, _run_password
    ),
    Command("retire", f"NAME --reason TEXT {WHERE}", "somebody has left", _add_reasoned, _run_retire),
    Command("unlock", f"NAME --reason TEXT {WHERE}", "ends a lock-out", _add_reasoned, _run_unlock),
)

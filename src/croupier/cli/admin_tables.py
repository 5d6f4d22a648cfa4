"""`croupier admin tables` and `limits`: what the floor's file says, and what the journal holds."""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from croupier.cli.admin_floor import WHERE, Floor, add_floor, open_floor, who_runs_this
from croupier.cli.admin_passwords import ask_password
from croupier.cli.command import Command, Output, as_json
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import BadInput, parse_cents

if TYPE_CHECKING:
    from croupier.table import Actor, Limits, State


def _run_create(args: argparse.Namespace) -> Output:
    with open_floor(args, create=True) as floor:
        from croupier.floor import create_table
        from croupier.server.config_journal import compare_journal
        from croupier.table import Actor, table_rules

        config, who = floor.needs_config(), who_runs_this()
        compared = compare_journal(config, floor.store)
        if args.table:
            _known(args.table, [table.id for table in config.tables])
        chosen = [table for table in compared.to_create if args.table in (None, table.id)]
        for table in chosen:
            rules = table_rules(config.find_book(table.settings.book), table.settings)
            actor = Actor(id=who.actor, position=who.position)
            create_table(floor.store, rules, table.settings, floor.clock.now_ms(), actor)
    created = [table.id for table in chosen]
    if args.json:
        return Output(text=as_json({"created": created}))
    notes = tuple(map(str, compared.differences))
    if not created:
        return Output(text="The journal has every table of the file already.\n", notes=notes)
    return Output(text=f"Created: {', '.join(created)}.\n", notes=notes)


def _run_list(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        states = _states(floor)
        lines, to_create = _differences(floor, states)
    if args.json:
        facts = {
            "tables": [_facts(table, state) for table, state in states.items()],
            "to_create": to_create,
            "differences": lines,
        }
        return Output(text=as_json(facts))
    columns = [Column("TABLE"), Column("BOOK"), Column("LAYOUTS"), Column("SEATS", right=True)]
    columns += [Column("ROUNDS", right=True), Column("WHEEL"), Column("STATUS")]
    rows = [Row([str(value) for value in _facts(table, state).values()]) for table, state in states.items()]
    page = render_table("Tables", columns, rows) if rows else "The journal has no tables yet.\n"
    notes = (*lines, *(f"Table {table} is in the file and not in the journal yet." for table in to_create))
    return Output(text=page, notes=notes)


def _states(floor: Floor) -> dict[str, "State"]:
    from croupier.floor import load_table
    from croupier.floor.streams import is_table

    names = [table for table in floor.store.tables() if is_table(table)]
    loaded = {table: load_table(floor.store, table, floor.find_book) for table in names}
    return {table: found.state for table, found in loaded.items() if found is not None}


def _differences(floor: Floor, states: Mapping[str, "State"]) -> tuple[list[str], list[str]]:
    if floor.config is None:
        return [], []
    from croupier.server.config_journal import compare_tables

    compared = compare_tables(floor.config, states, states)
    lines = [str(difference) for difference in compared.differences]
    not_run = map(compared.not_run, compared.only_in_journal)
    lines += [f"{told[:1].upper()}{told[1:]}." for told in not_run]
    return lines, [table.id for table in compared.to_create]


def _facts(table: str, state: "State") -> dict[str, Any]:
    return {
        "table": table,
        "book": state.settings.book,
        "layouts": ", ".join(state.settings.layouts),
        "seats": sum(seat.in_use for seat in state.seats.values()),
        "rounds": state.round_number,
        "wheel": state.settings.wheel or state.settings.spin_source,
        "status": "halted" if state.halted else "open" if state.open else "closed",
    }


def _run_show(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        from croupier.server.config_journal import limits_lines

        limits = limits_lines(_state(floor, args.table).limits)
    if args.json:
        return Output(text=as_json({"table": args.table, "limits": limits}))
    columns = [Column("LIMIT"), Column("AMOUNT", right=True)]
    rows = [Row([name, amount]) for name, amount in limits.items()]
    return Output(text=render_table(f"Limits of table {args.table}", columns, rows))


def _run_set(args: argparse.Namespace) -> Output:
    with open_floor(args) as floor:
        from croupier.floor.office.command import command_stopped_table
        from croupier.server.config_journal import limits_lines
        from croupier.table.commands import ChangeLimits

        before = _state(floor, args.table).limits
        limits = _changed(before, args.limit) if args.limit else _of_file(floor, args.table)
        if limits_lines(limits) == limits_lines(before):
            raise BadInput("nothing-new", f"Table {args.table} has these limits already.")
        actor = _person(floor, args.by, args.table)
        second = None if args.second is None else _person(floor, args.second, args.table)
        reply = command_stopped_table(
            floor.store,
            floor.clock,
            args.table,
            ChangeLimits(limits=limits, reason=args.reason),
            actor,
            second,
            floor.find_book,
        )
    if reply.rejection is not None:
        raise BadInput(reply.rejection.code, reply.rejection.sentence)
    if args.json:
        return Output(text=as_json({"table": args.table, "limits": limits_lines(limits)}))
    return Output(text=f"Table {args.table} has new limits; 'croupier admin limits show' prints them.\n")


def _state(floor: Floor, table: str) -> "State":
    from croupier.floor import load_table
    from croupier.floor.streams import is_table

    _known(table, [name for name in floor.store.tables() if is_table(name)])
    loaded = load_table(floor.store, table, floor.find_book)
    if loaded is None:
        raise BadInput("unknown-table", f"There is no table {table!r}.")
    return loaded.state


def _known(table: str, tables: Sequence[str]) -> None:
    if table not in tables:
        known = f"The tables are {', '.join(tables)}." if tables else "There are none yet."
        raise BadInput("unknown-table", f"There is no table {table!r}.", known)


def _of_file(floor: Floor, table: str) -> "Limits":
    found = [one.settings.limits for one in floor.needs_config().tables if one.id == table]
    if not found:
        raise BadInput("unknown-table", f"The file does not name table {table!r}.", "Use --limit instead.")
    return found[0]


def _changed(limits: "Limits", words: Sequence[str]) -> "Limits":
    """Limits with some of them set anew, from words such as `straight=5..100` and `seat=none`."""
    from croupier.server.config_tables import ALL_SEATS, TOTALS
    from croupier.table import Limits, Range

    bets, spots = dict(limits.bets), dict(limits.spots)
    totals = {field: getattr(limits, field) for field in TOTALS.values()}
    for word in words:
        name, found, value = word.partition("=")
        if not found:
            raise _malformed(word)
        if name in TOTALS:
            totals[TOTALS[name]] = None if value == "none" else parse_cents(value)
        elif name.startswith(f"{ALL_SEATS}/"):
            bet = name.partition("/")[2]
            spots.pop(bet, None)
            if value != "none":
                spots[bet] = parse_cents(value)
        else:
            least, found, most = value.partition("..")
            if not found:
                raise _malformed(word)
            bets[name] = Range(minimum_cents=parse_cents(least), maximum_cents=parse_cents(most))
    return Limits(bets=bets, spots=spots, **totals)


def _malformed(word: str) -> BadInput:
    return BadInput(
        "limit-malformed",
        f"{word!r} is not a limit.",
        "Write straight=5..100, all-seats/straight=400, or seat=2000, table=none.",
    )


def _person(floor: Floor, name: str, table: str) -> "Actor":
    from croupier.server.access.local import authorise_here

    password = ask_password(f"Password of {name}")
    proving = authorise_here(
        floor.store, floor.clock, floor.policy, name, password, f"change-limits at {table}"
    )
    return asyncio.run(proving)


def _add_create(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", nargs="?", help="only this table of the file")
    add_floor(parser)


def _add_table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="the table")
    add_floor(parser)


def _add_set(parser: argparse.ArgumentParser) -> None:
    _add_table(parser)
    parser.add_argument(
        "--limit",
        metavar="NAME=AMOUNTS",
        action="append",
        default=[],
        help="one limit (all of those in the file, where none is named)",
    )
    parser.add_argument("--by", metavar="NAME", required=True, help="who changes them")
    parser.add_argument("--second", metavar="NAME", help="the second person, where the book asks for two")
    parser.add_argument("--reason", metavar="TEXT", required=True, help="why; it stays in the record")


TABLES: Final = (
    Command("create", "[TABLE] [--floor FILE] [--json]", "the tables of the file", _add_create, _run_create),
    Command("list", WHERE, "which tables there are", add_floor, _run_list),
)
LIMITS: Final = (
    Command("show", f"TABLE {WHERE}", "the limits of a table", _add_table, _run_show),
    Command(
        "set",
        f"TABLE --by NAME [--second NAME] --reason TEXT [--limit NAME=AMOUNTS] {WHERE}",
        "new limits for a table that is not running",
        _add_set,
        _run_set,
    ),
)

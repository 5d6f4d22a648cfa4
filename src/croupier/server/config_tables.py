"""Reading the tables of a floor: game, seats, wheel, limits, times."""

import ipaddress
import os
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from croupier.floor.streams import is_table
from croupier.rulebook import BadInput, Book, BookFaults, begun_at, order_faults
from croupier.rulebook.reader import Node, listed
from croupier.rulebook.vocabulary import ACTIONS
from croupier.server.config import SeatConfig, TableConfig
from croupier.server.config_values import amount, amounts, part, text, whole
from croupier.table import Limits, Range, Rules, Settings, settings_faults
from croupier.table.settings import LONGEST_WHEEL, SPIN_SOURCES
from croupier.wheel.line import has_sensors
from croupier.wheel.port import check_host, host_and_port, is_tcp

EVERY_BET: Final = "every-bet"
"""The limits of all kinds of bets that are not named themselves."""
ALL_SEATS: Final = "all-seats"
TOTALS: Final = {"seat": "seat_cents", "table": "table_cents", "exposure": "exposure_cents"}
"""What is called how in the file, and in the limits of a table."""

_ONLY_BY_REFUSING: Final = ("seat", "exposure", ALL_SEATS)
"""What holds only where bets are refused."""
_TCP: Final = re.compile(r"tcp://((?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):[0-9]{1,5})")
_MOST_SEATS: Final = 2_000
_DAY_SECONDS: Final = 86_400


def read_tables(
    root: Node, find_book: Callable[[str], Book], line_of: Callable[[Node], int]
) -> tuple[TableConfig, ...]:
    """Every table of the file."""
    nodes = root.tables("table")
    if not nodes:
        root.fault("missing", "a floor has at least one table; begin it with [[table]].")
    ids: set[str] = set()
    lines: dict[str, str] = {}
    tables = []
    for node in nodes:
        table = _read_table(node, find_book, ids, lines, line_of(node))
        node.finish()
        if table is not None:
            tables.append(table)
    return tuple(tables)


def check_currency(
    root: Node, tables: Sequence[TableConfig], find_book: Callable[[str], Book], currency: str
) -> None:
    """A voucher of one table is money at all others: they play in one currency, the floor's if it has one."""
    played = {table.id: find_book(table.settings.book).currency for table in tables}
    for table, other in played.items():
        if currency and other != currency:
            sentence = f"table {table} plays in {other}, and the floor in {currency}."
            root.fault("currency", sentence, "floor", "currency")
    if not currency and len({*played.values()}) > 1:
        told = ", ".join(f"{table} in {other}" for table, other in played.items())
        sentence = f"all tables of a floor play in one currency, and these do not: {told}."
        root.fault("currency", sentence, "table")


def _read_table(
    node: Node, find_book: Callable[[str], Book], ids: set[str], lines: dict[str, str], line: int
) -> TableConfig | None:
    faults = len(node.log.faults)
    table = _read_id(node, ids)
    rules = _read_rules(node, find_book)
    wheel, source, port = _read_wheel(part(node, "wheel"), rules)
    _check_line(node, table, port, lines)
    order = _read_order(node, rules)
    lock_up_cents = amount(node, "lock_up")
    voucher_limit_cents = amount(node, "voucher_limit", least_cents=0)
    cash_limit_cents = amount(node, "cash_limit", least_cents=0) if node.has("cash_limit") else None
    seconds = _read_seconds(node)
    two_people = _read_actions(node, rules)
    if rules is None:
        # What a seat and a limit may be is not known without the game; its own keys are not faults.
        node.has("limits")
        node.has("seats")
        return None
    settings = Settings(
        table=table,
        book=rules.book.id,
        layouts=tuple(rules.layouts),
        limits=_read_limits(node.table("limits"), rules),
        lock_up_cents=lock_up_cents,
        voucher_limit_cents=voucher_limit_cents,
        betting_seconds=seconds["betting_seconds"] or None,
        warning_seconds=seconds["warning_seconds"],
        grace_seconds=seconds["grace_seconds"],
        two_people=two_people,
        rounds_kept=whole(node, "rounds_kept", 1, 10_000, 100),
        answers_kept=whole(node, "answers_kept", 1, 1_000, 32),
        wheel=wheel,
        spin_source=source,
        pocket_order=order,
        cash_limit_cents=cash_limit_cents,
    )
    seats = _read_seats(node, rules)
    if len(node.log.faults) == faults:
        # The table has the last word. Whatever it could find has been looked for above, at its own place.
        for sentence in settings_faults(rules, settings):
            node.fault("settings", sentence)
    return TableConfig(settings=settings, seats=seats, wheel_port=port, line=line)


def _read_id(node: Node, ids: set[str]) -> str:
    table = node.name("id")
    if table in ids:
        node.fault("double-id", f"there is a table {table} already; every table has an id of its own.", "id")
    if not is_table(table):
        node.fault("reserved-id", f"{table} is a part of the journal; name the table otherwise.", "id")
    ids.add(table)
    return table


def _read_rules(node: Node, find_book: Callable[[str], Book]) -> Rules | None:
    """The game, with the layouts that the table offers: all of the book, where none is named."""
    book_id, layouts = node.text("book"), node.texts("layouts") if node.has("layouts") else []
    if not book_id:
        return None
    try:
        book = find_book(book_id)
    except (BadInput, BookFaults) as error:
        node.fault("book", str(error).replace("\n", " "), "book")
        return None
    if len({*layouts}) < len(layouts):
        node.fault("double-id", "layouts names a layout twice.", "layouts")
    try:
        return Rules(book, layouts or book.layouts)
    except BadInput as error:
        node.fault("layout", str(error), "layouts")
        return None


def _read_wheel(node: Node, rules: Rules | None) -> tuple[str, str, str | None]:
    """The wheel's id, where its spins come from, and where it is connected."""
    wheel = text(node, "id", "")
    if not wheel.isprintable() or len(wheel) > LONGEST_WHEEL:
        node.fault("bad-name", f"id has at most {LONGEST_WHEEL} characters, and all of them print.", "id")
    source = node.choice("source", SPIN_SOURCES) if node.has("source") else SPIN_SOURCES[0]
    port = node.text("port") if node.has("port") else None
    if source == "sensor" and port is None:
        sentence = "a sensor wheel needs its port: a serial device, or tcp://host:port."
        node.fault("missing", sentence)
    if source != "sensor" and port is not None:
        node.fault("not-needed", "only a wheel with sensors has a port; leave it out.", "port")
    if port is not None and "://" in port and not _is_reachable(port):
        node.fault("port-malformed", f"{port!r} is not an address; write tcp://host:port.", "port")
    if source == "sensor" and rules is not None and not has_sensors(rules.book):
        sentence = f"there is no sensor wheel for {rules.book.id}, only for balls in 37, 38 or 39 pockets."
        node.fault("no-sensor-wheel", sentence, "source")
    node.finish()
    return wheel, source, port


def _check_line(node: Node, table: str, port: str | None, lines: dict[str, str]) -> None:
    """A wheel's line leads to one table: two that listen to it would both take its result."""
    if port is not None and (other := lines.setdefault(_line_of(port), table)) != table:
        sentence = f"the wheel at {port} is that of table {other} already; {table} needs one of its own."
        node.fault("double-port", sentence, "wheel", "port")


def _line_of(port: str) -> str:
    """One name for all ways to write the same line: a link to a device, an address in other letters."""
    found = host_and_port(port.removeprefix("tcp://"))
    if found is None:
        return port if "\0" in port else os.path.realpath(port)
    host, number = found
    try:
        host = str(ipaddress.ip_address(host))
    except ValueError:
        host = host.lower().removesuffix(".")
    return f"tcp://{host}:{number}"


def _read_order(node: Node, rules: Rules | None) -> tuple[str, ...]:
    """The order of the pockets, where it is another one than the book's: told from the book's first on."""
    if rules is None or not node.has("pocket_order"):
        return ()
    order = begun_at(rules.book.wheel.order[0], node.texts("pocket_order"))
    if order == rules.book.wheel.order:
        return ()
    for sentence in order_faults(rules.book, order):
        node.fault("pocket-order", sentence, "pocket_order")
    return order


def _read_actions(node: Node, rules: Rules | None) -> tuple[str, ...]:
    """The actions that take two people; which there are the book says, or where there is none the format."""
    actions = node.texts("two_people") if node.has("two_people") else []
    known = ACTIONS if rules is None else tuple(rules.book.authority)
    for place, action in enumerate(node.raw("two_people") if actions else ()):
        if isinstance(action, str) and action.strip() and action not in known:
            sentence = f"{action!r} is not an action of this game.{_meant(action, known)}"
            node.fault("unknown-action", sentence, "two_people", place)
    return tuple(actions)


def _meant(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f" Did you mean {near[0]}?" if near else ""


def _is_reachable(port: str) -> bool:
    """Whether a wheel can be at such an address, also by what opens it."""
    found = _TCP.fullmatch(port)
    if found is None or is_tcp(found.group(1)) is None:
        return False
    try:
        check_host(found.group(1))
    except BadInput:
        return False
    return True


def _read_seconds(node: Node) -> Mapping[str, int]:
    seconds = {
        "betting_seconds": whole(node, "betting_seconds", 1, _DAY_SECONDS, 0),
        "warning_seconds": whole(node, "warning_seconds", 0, _DAY_SECONDS, 5),
        "grace_seconds": whole(node, "grace_seconds", 0, _DAY_SECONDS, 10),
    }
    if 0 < seconds["betting_seconds"] <= seconds["warning_seconds"]:
        sentence = f"bets have to be open for longer than the {seconds['warning_seconds']} s of the warning."
        node.fault("too-small", sentence, "betting_seconds")
    return seconds


def _read_seats(node: Node, rules: Rules) -> tuple[SeatConfig, ...]:
    """A number of seats of one kind and layout, or a list of them."""
    value = node.raw("seats")
    if isinstance(value, int):
        count = whole(node, "seats", 1, _MOST_SEATS, 1)
        kind, layout = _read_place(node, rules, "seat_kind", "seat_layout")
        return tuple(SeatConfig(id=str(number), kind=kind, layout=layout) for number in range(1, count + 1))
    if value is not None and not isinstance(value, list):
        node.raw("seat_kind")
        node.raw("seat_layout")
        node.fault("wrong-type", "seats is a number of seats, or a list of { id, kind, layout }.", "seats")
        return ()
    for key in ("seat_kind", "seat_layout"):
        if node.has(key):
            own = key.removeprefix("seat_")
            node.fault("not-needed", f"each seat of a list has its own {own}; leave {key} out.", key)
    if value is None:
        return ()
    if not value:
        node.fault("no-seats", "a table has at least one seat; name it, or how many there are.", "seats")
    seats: dict[str, SeatConfig] = {}
    for entry in node.tables("seats"):
        seat_id = entry.name("id")
        kind, layout = _read_place(entry, rules, "kind", "layout")
        seat = SeatConfig(id=seat_id, kind=kind, layout=layout)
        if seat.id in seats:
            entry.fault("double-id", f"there is a seat {seat.id} already.", "id")
        seats[seat.id] = seat
        entry.finish()
    return tuple(seats.values())


def _read_place(node: Node, rules: Rules, kind_key: str, layout_key: str) -> tuple[str, str]:
    """The kind and the layout of a seat; the first ones that go together, where none is named."""
    layouts = tuple(rules.layouts)
    if node.has(layout_key):
        layout = node.choice(layout_key, layouts)
        kinds = rules.seats[layout if layout in layouts else None].seat_kinds
        return node.choice(kind_key, kinds) if node.has(kind_key) else kinds[0], layout
    kind = node.choice(kind_key, rules.seat_kinds) if node.has(kind_key) else rules.seats[None].seat_kinds[0]
    return kind, rules.layout_of(kind)


def _read_limits(node: Node, rules: Rules) -> Limits:
    bets = rules.bets
    kinds = list(dict.fromkeys(bet.kind for bet in bets.values()))
    known = [*kinds, *bets]
    every = Range(**_range(node, EVERY_BET)) if node.has(EVERY_BET) else None
    named: dict[str, Range] = {}
    totals: dict[str, int] = {}
    spots: dict[str, int] = {}
    for key in node.names():
        if key in TOTALS:
            totals[TOTALS[key]] = amount(node, key)
        elif key == ALL_SEATS:
            below = node.table(key)
            spots = {bet: amount(below, bet) for bet in below.names() if _is_bet(below, bet, known)}
        elif key != EVERY_BET and _is_bet(node, key, [*known, EVERY_BET, ALL_SEATS, *TOTALS]):
            named[key] = Range(**_range(node, key))
    for key in _ONLY_BY_REFUSING if rules.marks_boxes else ():
        if node.has(key):
            sentence = (
                f"{rules.book.title} takes every bet and marks boxes, and never applies {key}; leave it out."
            )
            node.fault("not-applied", sentence, key)
    missing = [kind for kind in kinds if kind not in named and not _all_named(rules, kind, named)]
    if every is None and missing:
        sentence = f"there is no limit for {listed(missing)}; name them, or set {EVERY_BET}."
        node.fault("missing", sentence)
    filled = {kind: every for kind in missing if every is not None}
    return Limits(bets=filled | named, spots=spots, **totals)


def _range(node: Node, key: str) -> dict[str, int]:
    least, most = amounts(node, key)
    return {"minimum_cents": least, "maximum_cents": most}


def _all_named(rules: Rules, kind: str, named: Mapping[str, Range]) -> bool:
    return all(bet.id in named for bet in rules.bets.values() if bet.kind == kind)


def _is_bet(node: Node, key: str, known: list[str]) -> bool:
    if key in known:
        return True
    sentence = f"{key} is neither a bet at this table nor a limit.{_meant(key, known)}"
    node.fault("unknown-bet", sentence, key)
    return False

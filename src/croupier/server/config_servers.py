"""Reading how several servers run a floor together: the bus between them, and which of them this one is."""

import re
from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path
from typing import Final
from urllib.parse import quote

from croupier.journal.opening import is_postgres
from croupier.rulebook.reader import Node
from croupier.server.config import Servers
from croupier.server.config_bus import BusPlace, NotABus, bus_hosts_in_the_clear, bus_places
from croupier.server.config_values import flag

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_LONGEST_PASSWORD: Final = 1_000


def read_servers(root: Node, folder: Path, journal: str, *, demonstration: bool) -> Servers | None:
    """The part of the file about several servers; None where there is one server."""
    if not root.has("servers"):
        return None
    if not isinstance(root.raw("servers"), dict):
        # What stands there may have a password in it: it is not repeated.
        root.fault("wrong-type", "servers is a part of the file that begins with [servers].", "servers")
        return None
    node = root.table("servers")
    if demonstration:
        sentence = "a demonstration floor has one server; leave [servers] out."
        node.fault("demonstration-shared", sentence)
    if journal and not is_postgres(journal):
        sentence = (
            "several servers share one journal, and a file cannot be shared: write the postgresql:// address "
            "of a database, the same for every server."
        )
        root.fault("journal-not-shared", sentence, "floor", "journal")
    servers = Servers(bus=_read_bus(node, folder), name=_read_name(node), tables=_read_tables(node, root))
    node.finish()
    return servers


def _read_bus(node: Node, folder: Path) -> str:
    """The bus, with its password where that is kept in a file; no fault repeats what is written there."""
    is_tunnelled = flag(node, "bus_in_the_clear")
    password = _read_password(node, folder)
    address = _secret_text(node, "bus", "the address of the bus in quotes, as in nats://127.0.0.1:4222")
    if not address:
        return ""
    try:
        places = bus_places(address)
    except NotABus as error:
        node.fault(error.code, str(error), "bus")
        return ""
    if (hosts := bus_hosts_in_the_clear(address)) and not is_tunnelled:
        sentence = (
            f"the way to {', '.join(hosts)} is not encrypted: write tls:// instead of nats://, or "
            "bus_in_the_clear = true where a tunnel encrypts it."
        )
        node.fault("bus-in-the-clear", sentence, "bus")
    if password:
        places = _with_password(node, places, password)
    return ",".join(place.address for place in places)


def _read_password(node: Node, folder: Path) -> str:
    """What the password's file holds. Somebody may have written the password itself: it is not repeated."""
    if not node.has("bus_password_file"):
        return ""
    path = _secret_text(node, "bus_password_file", "the path of a file in quotes")
    if not path:
        return ""
    try:
        with (folder / path).open("rb") as file:
            password = file.read(_LONGEST_PASSWORD + 1).rstrip(b"\r\n").decode()
    except UnicodeDecodeError:
        password = ""
    except (OSError, ValueError):  # a path with a null byte is a ValueError
        sentence = "there is no file of this name that can be read; write the path of one with the password."
        node.fault("no-file", sentence, "bus_password_file")
        return ""
    if not password.isprintable() or not 0 < len(password.encode()) <= _LONGEST_PASSWORD:
        sentence = f"the file has to hold one line with the password, of at most {_LONGEST_PASSWORD:,} bytes."
        node.fault("password-malformed", sentence, "bus_password_file")
        return ""
    return password


def _with_password(node: Node, places: list[BusPlace], password: str) -> list[BusPlace]:
    if any(place.password for place in places):
        sentence = "the address has a password already; leave it out there, or leave this out."
        node.fault("not-needed", sentence, "bus_password_file")
    elif not any(place.user for place in places):
        sentence = "a password needs its user: write for example tls://user@bus.example:4222."
        node.fault("bus-user-missing", sentence, "bus")
    written = quote(password, safe="")
    return [place._replace(password=written) if place.user else place for place in places]


def _secret_text(node: Node, key: str, right: str) -> str:
    """A text that has to be there, and that no fault repeats."""
    if not node.has(key):
        node.fault("missing", f"{key} is missing; it must be {right}.")
        return ""
    value = node.raw(key)
    if not isinstance(value, str):
        node.fault("wrong-type", f"{key} must be {right}.", key)
        return ""
    if not value.strip():
        node.fault("empty", f"{key} is empty; it must be {right}.", key)
        return ""
    return value


def _read_name(node: Node) -> str:
    name = node.text("name")
    if name.strip() and _NAME.fullmatch(name) is None:
        sentence = "the name of a server has 1 to 40 letters, digits, - and _; write for example pit-a."
        node.fault("bad-name", sentence, "name")
    return name


def _read_tables(node: Node, root: Node) -> tuple[str, ...]:
    """The tables that this server takes first: all that the file has, where none is named."""
    known = _ids(root)
    if not node.has("tables"):
        return known
    named = node.texts("tables")
    for place, table in enumerate(named):
        if table.strip() and table not in known:
            sentence = f"the file has no table {table!r}.{_hint(table, known)}"
            node.fault("unknown-table", sentence, "tables", place)
        elif table in named[:place]:
            node.fault("double-id", f"table {table} is named already; name it once.", "tables", place)
    return tuple(named)


def _ids(root: Node) -> tuple[str, ...]:
    """The ids of the file's tables as they are written: one with a fault in it is not a fault here too."""
    tables = root.raw("table") if root.has("table") else []
    entries = [entry for entry in tables if isinstance(entry, dict)] if isinstance(tables, list) else []
    ids = [entry.get("id") for entry in entries]
    return tuple(table for table in ids if isinstance(table, str))


def _hint(table: str, known: Collection[str]) -> str:
    near = get_close_matches(table, known, 1)
    return f" Did you mean {near[0]}?" if near else ""

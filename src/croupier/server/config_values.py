"""Values of a configuration file: amounts in money, whole numbers within bounds, hosts, what is left out."""

import ipaddress
from typing import Any, Final

from croupier.rulebook import BadInput, parse_cents, show_cents
from croupier.rulebook.reader import Node, short

NO_TABLE: Final[dict[str, Any]] = {}


def part(node: Node, key: str) -> Node:
    """A table of the file that may be left out."""
    return node.table(key) if node.has(key) else Node(NO_TABLE, (*node.path, key), node.log)


def text(node: Node, key: str, default: str) -> str:
    """A text that may be left out."""
    return node.text(key) if node.has(key) else default


def flag(node: Node, key: str) -> bool:
    """Whether something is so; it is not, where nothing is said."""
    return node.flag(key) if node.has(key) else False


def whole(node: Node, key: str, least: int, most: int, default: int) -> int:
    """A whole number within bounds that may be left out."""
    if not node.has(key):
        return default
    value = node.whole(key, least)
    if value > most:
        node.fault("too-large", f"{key} must be at most {most:,}.", key)
        return most
    return value


def amount(node: Node, key: str, *, least_cents: int = 1) -> int:
    """An amount of money that has to be there, in whole cents."""
    value = node.raw(key)
    if value is None:
        return least_cents
    return _cents(node, value, least_cents, key)


def amounts(node: Node, key: str) -> tuple[int, int]:
    """A minimum and a maximum, in whole cents."""
    value = node.raw(key)
    if not isinstance(value, list) or len(value) != 2:
        sentence = f"{short(value)} is not a minimum and a maximum; write for example [5, 500]."
        node.fault("not-a-range", sentence, key)
        return 1, 1
    least, most = (_cents(node, one, 1, key, place) for place, one in enumerate(value))
    if least > most:
        sentence = f"the minimum {show_cents(least)} is above the maximum {show_cents(most)}."
        node.fault("range-upside-down", sentence, key)
    return least, most


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host's address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _cents(node: Node, value: object, least_cents: int, *below: str | int) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        written = str(value) if abs(value) < 10**13 else "too large"
    elif isinstance(value, str):
        written = value
    else:
        sentence = f'{short(value)} is not an amount; write 5 for dollars, or "12.50" in quotes.'
        node.fault("amount-malformed", sentence, *below)
        return least_cents
    try:
        cents = parse_cents(written)
    except BadInput as error:
        node.fault(error.code, str(error), *below)
        return least_cents
    if cents < least_cents:
        node.fault("amount-small", f"the amount must be at least {show_cents(least_cents)}.", *below)
        return least_cents
    return cents

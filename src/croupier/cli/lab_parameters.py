"""What is set on a betting system, as it is written on the command line."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from croupier.rulebook import BadInput

if TYPE_CHECKING:
    from croupier.lab import Slip, System
    from croupier.rulebook import Book, Layout


def build(name: str, settings: Iterable[str], book: "Book", felt: "Layout", slip: "Slip") -> "System":
    """A system of the lab's own with what KEY=VALUE words set on it."""
    from croupier.lab import SYSTEMS
    from croupier.lab.systems.parameters import build_system

    if name not in SYSTEMS:
        raise BadInput(
            "unknown-system",
            f"There is no system {name!r}.",
            f"The systems are {', '.join(SYSTEMS)}, or FILE.py:NAME for one of your own.",
        )
    given: dict[str, str] = {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadInput(
                "parameter-malformed", f"{text!r} sets nothing.", "Write KEY=VALUE, for example most=8."
            )
        given[key] = value
    return build_system(name, given, book, felt, slip)

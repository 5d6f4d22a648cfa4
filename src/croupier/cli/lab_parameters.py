"""What can be set on a betting system, and how it is written on the command line."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from croupier.rulebook import BadInput

if TYPE_CHECKING:
    from croupier.lab import Slip, System
    from croupier.rulebook import Book, Layout

_WHOLE: Final = re.compile(r"[0-9]{1,15}")
_FRACTION: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}|/[1-9][0-9]{0,8})?")


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise BadInput("parameter-malformed", f"{text!r} is not a whole number.", "Write for example 8.")
    return int(text)


def _line(text: str) -> tuple[int, ...]:
    return tuple(_whole(number) for number in text.split(","))


def _fraction(text: str) -> Fraction:
    if not _FRACTION.fullmatch(text):
        raise BadInput(
            "parameter-malformed", f"{text!r} is not a chance or a share.", "Write for example 0.51 or 19/37."
        )
    return Fraction(text)


class Parameter(NamedTuple):
    """Something that can be set: how it is read and what it means."""

    name: str
    read: Callable[[str], Any]
    meaning: str


_MOST: Final = Parameter("most", _whole, "units that are never exceeded")

PARAMETERS: Final[Mapping[str, tuple[Parameter, ...]]] = MappingProxyType(
    {
        "flat": (Parameter("units", _whole, "units staked every round"),),
        "martingale": (_MOST,),
        "grand-martingale": (_MOST,),
        "anti-martingale": (Parameter("wins", _whole, "wins in a row after which the money is taken"),),
        "dalembert": (_MOST,),
        "fibonacci": (_MOST,),
        "labouchere": (Parameter("line", _line, "the line at the start, with commas"),),
        "oscars-grind": (),
        "james-bond": (),
        "1-3-2-6": (),
        "andrucci": (
            Parameter("watch", _whole, "spins that are watched"),
            Parameter("bets", _whole, "spins that are then bet on at most"),
        ),
        "kelly": (
            Parameter("belief", _fraction, "the chance of winning that is believed in"),
            Parameter("share", _fraction, "the part of Kelly's stake that is risked"),
        ),
    }
)
_BUILDERS: Final = {"1-3-2-6": "one_three_two_six"}


def builder(name: str) -> Callable[..., "System"]:
    """The function that makes a system of this name."""
    from croupier.lab import systems

    made: Callable[..., System] = getattr(systems, _BUILDERS.get(name, name.replace("-", "_")))
    return made


def default(name: str, parameter: str) -> object:
    """What a parameter is where it is not set; None where that depends on the bet."""
    value = inspect.signature(builder(name)).parameters[parameter].default
    return None if value is inspect.Parameter.empty else value


def build(name: str, settings: Iterable[str], book: "Book", felt: "Layout", slip: "Slip") -> "System":
    """A system of the lab's own with what was set on it."""
    from croupier.lab import SYSTEMS

    if name not in SYSTEMS:
        raise BadInput(
            "unknown-system",
            f"There is no system {name!r}.",
            f"The systems are {', '.join(SYSTEMS)}, or FILE.py:NAME for one of your own.",
        )
    given = _read(name, settings)
    if not given:
        return SYSTEMS[name].build(book, felt, slip)
    missing = [known.name for known in PARAMETERS[name] if default(name, known.name) is None]
    if not given.keys() >= set(missing):
        raise BadInput(
            "parameter-missing",
            f"{name} cannot be set without {missing[0]}.",
            f"Write --set {missing[0]}=... too.",
        )
    if SYSTEMS[name].own_bets:
        return builder(name)(book, slip.staked_cents, felt, **given)
    return builder(name)(slip, **given)


def _read(name: str, settings: Iterable[str]) -> dict[str, Any]:
    known = {parameter.name: parameter for parameter in PARAMETERS[name]}
    given: dict[str, Any] = {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals or key not in known:
            knows = f"It knows {', '.join(known)}." if known else "It has nothing to set."
            raise BadInput("unknown-parameter", f"{name} has no parameter {key!r}.", knows)
        given[key] = known[key].read(value)
    return given

"""What can be set on a betting system: read from text, with a meaning and what holds where nothing is set."""

import inspect
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from croupier.lab.slip import Slip
from croupier.lab.system import System
from croupier.lab.systems.bond import james_bond
from croupier.lab.systems.catalogue import SYSTEMS
from croupier.lab.systems.grind import oscars_grind
from croupier.lab.systems.kelly import kelly
from croupier.lab.systems.ladders import (
    UNCAPPED,
    anti_martingale,
    dalembert,
    fibonacci,
    flat,
    grand_martingale,
    martingale,
    one_three_two_six,
)
from croupier.lab.systems.lines import labouchere
from croupier.lab.systems.tracking import andrucci
from croupier.rulebook import BadInput, Book, Layout

_WHOLE: Final = re.compile(r"[0-9]{1,15}")
_FRACTION: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}|/[1-9][0-9]{0,8})?")


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise BadInput(
            "parameter-malformed", f"{text!r} is not a whole number above zero.", "Write for example 8."
        )
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

BUILDERS: Final[Mapping[str, Callable[..., System]]] = MappingProxyType(
    {
        "flat": flat,
        "martingale": martingale,
        "grand-martingale": grand_martingale,
        "anti-martingale": anti_martingale,
        "dalembert": dalembert,
        "fibonacci": fibonacci,
        "labouchere": labouchere,
        "oscars-grind": oscars_grind,
        "james-bond": james_bond,
        "1-3-2-6": one_three_two_six,
        "andrucci": andrucci,
        "kelly": kelly,
    }
)
"""By name, the function that makes a system with what is set on it."""


def default_text(name: str, parameter: str) -> str | None:
    """How a parameter is written where nothing is set; None where it follows from the bet or is without end.

    >>> default_text("labouchere", "line"), default_text("martingale", "most")
    ('1,2,3,4', None)
    """
    value = _default(name, parameter)
    if value is None or value == UNCAPPED:
        return None
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def build_system(name: str, settings: Mapping[str, str], book: Book, felt: Layout, slip: Slip) -> System:
    """A system by its name with what was set on it, each as text; a unit is the slip."""
    if name not in SYSTEMS:
        raise BadInput(
            "unknown-system", f"There is no system {name!r}.", f"The systems are {', '.join(SYSTEMS)}."
        )
    given = _read(name, settings)
    if not given:
        return SYSTEMS[name].build(book, felt, slip)
    missing = [known.name for known in PARAMETERS[name] if _default(name, known.name) is None]
    if not given.keys() >= set(missing):
        raise BadInput(
            "parameter-missing", f"{name} cannot be set without {missing[0]}.", f"Set {missing[0]} too."
        )
    if SYSTEMS[name].own_bets:
        return BUILDERS[name](book, slip.staked_cents, felt, **given)
    return BUILDERS[name](slip, **given)


def _default(name: str, parameter: str) -> object:
    value = inspect.signature(BUILDERS[name]).parameters[parameter].default
    return None if value is inspect.Parameter.empty else value


def _read(name: str, settings: Mapping[str, str]) -> dict[str, Any]:
    known = {parameter.name: parameter for parameter in PARAMETERS[name]}
    for key in settings:
        if key not in known:
            knows = f"It knows {', '.join(known)}." if known else "It has nothing to set."
            raise BadInput("unknown-parameter", f"{name} has no parameter {key!r}.", knows)
    return {key: known[key].read(text) for key, text in settings.items()}

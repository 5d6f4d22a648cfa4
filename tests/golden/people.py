"""Who acts in a transcript: the name says the position, so that no list of people is needed."""

from typing import Final

from croupier.table import SYSTEM, WHEEL, Actor

_POSITIONS: Final = {
    "dealer": "dealer",
    "supervisor": "pit-supervisor",
    "manager": "pit-manager",
    "shift-manager": "shift-manager",
    "wheel": WHEEL,
}
_SYSTEM: Final = ("timer", "recovery", "monitor")
"""The parts of the table's own system that report something."""
_SEATED: Final = ("terminal", "player")
"""A player at a terminal, or at a place at the layout; the number is the seat's."""


def read_actor(name: str) -> Actor:
    """The actor that a name stands for.

    >>> read_actor("terminal-3").seat, read_actor("supervisor-1").position, read_actor("timer").position
    ('3', 'pit-supervisor', 'system')
    """
    if name in _SYSTEM:
        return Actor(id=name, position=SYSTEM)
    role, _, number = name.rpartition("-")
    if role in _SEATED:
        return Actor(id=name, position="player", seat=number)
    if role in _POSITIONS:
        return Actor(id=name, position=_POSITIONS[role])
    raise ValueError(
        f"{name!r} is nobody; use {', '.join([*_POSITIONS, *_SEATED])} with a number, or {_SYSTEM}"
    )

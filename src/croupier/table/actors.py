"""Who acts: people by position, and machines by what they are."""

from typing import Final

import msgspec

from croupier.rulebook.vocabulary import POSITIONS

SYSTEM: Final = "system"
"""The runner of the table: timers, recovery, lost terminals."""
WHEEL: Final = "wheel"
"""A wheel that senses its own spins."""
MACHINES: Final = (SYSTEM, WHEEL)

_RANK: Final = {position: rank for rank, position in enumerate(POSITIONS)}


class Actor(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A person or a machine that gives commands."""

    id: str
    position: str
    seat: str | None = None
    """The seat a player sits at."""


def holds(actor: Actor, position: str) -> bool:
    """Whether the actor is in that position of the house or a higher one; a player is in none."""
    return _RANK.get(actor.position, -1) >= _RANK[position]

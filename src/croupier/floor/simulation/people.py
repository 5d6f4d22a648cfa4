"""Who works on a simulated floor."""

from typing import Final

from croupier.table import SYSTEM, WHEEL, Actor

DEALER: Final = Actor(id="dealer-1", position="dealer")
SUPERVISOR: Final = Actor(id="supervisor-1", position="pit-supervisor")
MANAGER: Final = Actor(id="manager-1", position="pit-manager")
SHIFT_MANAGER: Final = Actor(id="shift-manager-1", position="shift-manager")
CASHIER: Final = Actor(id="cashier-1", position="dealer")
MEDDLER: Final = Actor(id="dealer-2", position="dealer")
MEDDLING_SUPERVISOR: Final = Actor(id="supervisor-2", position="pit-supervisor")
MONITOR: Final = Actor(id="monitor-1", position=SYSTEM)
SENSOR: Final = Actor(id="sensor-1", position=WHEEL)


def player(seat: str) -> Actor:
    """Whoever sits at a seat."""
    return Actor(id=f"terminal-{seat}", position="player", seat=seat)

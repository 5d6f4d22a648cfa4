"""How much a client may send."""

import msgspec


class InputLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of one connection, and how many there may be."""

    message_bytes: int = 64 * 1024
    rate: int = 50
    """Commands a second, from one device; of everything together, twice as much is read."""
    burst: int = 200
    """Commands at once, after a pause."""
    bets: int = 200
    """Bets in one command."""
    problems: int = 20
    """Messages that cannot be taken, before the connection is closed."""
    connections: int = 5000
    """Of all clients together, at one server."""
    of_address: int | None = None
    """Of all clients with one address; None for half of what there is room for."""

"""Open files of the process: every connection is one, and the journal needs some beside them."""

import logging
import sys
from typing import Final

LOG: Final = logging.getLogger("croupier.server")

_BESIDE: Final = 128
"""For the journal, for what reads it, for wheels and the other servers."""


def room_for(connections: int) -> int:
    """How many connections there is room for, once as many files as they need were asked for."""
    if sys.platform == "win32":
        return connections
    import resource  # Windows has none

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _BESIDE
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    files = wanted if hard == resource.RLIM_INFINITY else max(soft, min(wanted, hard))
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    except (OSError, ValueError):
        files = soft
    room = min(connections, max(files - _BESIDE, files // 2))
    if room < connections:
        LOG.warning("%d files may be open: %d connections are taken, not %d", files, room, connections)
    return room

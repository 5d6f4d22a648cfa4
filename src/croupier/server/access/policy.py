"""What an operator sets about coming in: lock-outs, the length of sessions, the cost of hashing."""

import msgspec

from croupier.floor.office.devices import CODE_MINUTES
from croupier.floor.office.lockout import LockOutPolicy
from croupier.server.access.hashing import HashCost


class AccessPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """How people and devices are let in."""

    lock_out: LockOutPolicy = LockOutPolicy()
    session_hours: int = 12
    idle_minutes: int = 30
    sessions_each: int = 8
    """How many sessions a person may have; one more ends the oldest."""
    one_time_hours: int = 72
    """How long a password that was given to somebody waits to be changed."""
    code_minutes: int = CODE_MINUTES
    hash_cost: HashCost = HashCost()
    hashers: int = 2
    """How many passwords are looked at at once; each takes a core and the memory of the cost."""
    hashes_waiting: int = 32
    """How many may wait beyond that; whoever comes then is told to try again."""

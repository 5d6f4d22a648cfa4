"""Who may come in: staff by name and password, devices by token; every attempt is in the journal."""

from croupier.floor.office.listing import StaffRow
from croupier.floor.office.lockout import LockOutPolicy
from croupier.floor.office.state import Device
from croupier.server.access.access import Access, Admitted
from croupier.server.access.devices import Enrolled, Issued
from croupier.server.access.hashing import HashCost
from croupier.server.access.policy import AccessPolicy
from croupier.server.access.refusals import Refusal
from croupier.server.access.sessions import Session
from croupier.server.access.tokens import Token

__all__ = [
    "Access",
    "AccessPolicy",
    "Admitted",
    "Device",
    "Enrolled",
    "HashCost",
    "Issued",
    "LockOutPolicy",
    "Refusal",
    "Session",
    "StaffRow",
    "Token",
]

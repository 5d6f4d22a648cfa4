"""A small typed client: screens' own protocol, for bots, tests and integrators."""

from croupier.client.api import Api, ApiRefused
from croupier.client.connection import Connection, Ended

__all__ = ["Api", "ApiRefused", "Connection", "Ended"]

"""The servers that tests here may ask for: PostgreSQL and NATS."""

from floor.nats_server import nats_server
from journal.server import postgres_address, postgres_database, postgres_server

__all__ = ["nats_server", "postgres_address", "postgres_database", "postgres_server"]

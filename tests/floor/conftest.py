"""The PostgreSQL server that tests here may ask for."""

from journal.server import postgres_address, postgres_database, postgres_server

__all__ = ["postgres_address", "postgres_database", "postgres_server"]

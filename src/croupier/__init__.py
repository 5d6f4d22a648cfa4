"""Electronic casino tables for wheel games: rules as data, a verifiable journal, exact mathematics."""

__version__ = "0.1.0"

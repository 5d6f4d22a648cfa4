"""Who may see what has happened."""

from typing import Final

TABLE: Final = "table"
"""Everybody at the table: seats, displays, console, pit."""
SEAT: Final = "seat"
"""One seat and the staff."""
STAFF: Final = "staff"
"""Console and pit."""

"""The same bets with the eventsourcing package: an aggregate for each seat, kept in memory and in SQLite."""

import time
from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from journal_peers import CREDITS_CENTS, SEATS


class Seat(Aggregate):
    """A seat with its credits and stakes."""

    @event("Opened")
    def __init__(self, credits_cents: int) -> None:
        self.credits_cents = credits_cents
        self.stakes: dict[str, int] = {}

    @event("BetPlaced")
    def place_bet(self, bet: str, cents: int) -> None:
        """Moves an amount from the credits to a bet."""
        self.credits_cents -= cents
        self.stakes[bet] = self.stakes.get(bet, 0) + cents


class Floor(Application[UUID]):
    """Seats that bet."""

    def place_bet(self, seat_id: UUID, bet: str, cents: int) -> None:
        """Registers a bet that the credits cover."""
        seat: Any = self.repository.get(seat_id)
        if cents > seat.credits_cents:
            raise ValueError("not enough credits")
        seat.place_bet(bet, cents)
        self.save(seat)


def eventsourcing_bets(path: Path, seconds: float) -> float:
    """Bets a second, each saved durably before the next: its SQLite recorder logs ahead and syncs."""
    floor = Floor(
        env={
            "PERSISTENCE_MODULE": "eventsourcing.sqlite",
            "SQLITE_DBNAME": str(path),
            "AGGREGATE_CACHE_MAXSIZE": "1000",
        }
    )
    seats = [Seat(CREDITS_CENTS) for _ in range(SEATS)]
    floor.save(*seats)
    placed, began = 0, time.perf_counter()
    while time.perf_counter() < began + seconds:
        floor.place_bet(seats[placed % SEATS].id, "straight:17", 100)
        placed += 1
    took = time.perf_counter() - began
    floor.close()
    return placed / took

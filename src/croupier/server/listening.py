"""Whoever listens to a table: frames wait here until the end of a batch and leave in one write."""

from collections.abc import Callable
from typing import Protocol

from croupier.table import Actor


class Line(Protocol):
    """A connection as a listener needs it."""

    def write(self, frames: list[bytes]) -> None:
        """Sends frames; never waits."""

    def close(self, code: int) -> None:
        """Ends the connection once everything was sent."""


class Listener:
    """One connection that has said hello: what it may see, and what still has to go out to it."""

    __slots__ = (
        "_answers",
        "_line",
        "_schedule",
        "_told",
        "actor",
        "audience",
        "catch_up",
        "is_behind",
        "seat",
    )

    def __init__(
        self,
        line: Line,
        audience: str,
        actor: Actor,
        seat: str | None,
        schedule: Callable[["Listener"], None],
        catch_up: Callable[["Listener"], None],
    ) -> None:
        self.audience = audience
        self.actor = actor
        self.seat = seat
        self.catch_up = catch_up
        """Sends a snapshot in place of everything that was left out."""
        self.is_behind = False
        """Whether it reads too slowly: it is told nothing until it has caught up, and then everything."""
        self._line = line
        self._schedule = schedule
        self._told: list[bytes] = []
        self._answers: list[bytes] = []

    def tell(self, frame: bytes) -> None:
        """Lets an event follow those before it."""
        if self.is_behind:
            return
        if not self._told and not self._answers:
            self._schedule(self)
        self._told.append(frame)

    def answer(self, frame: bytes) -> None:
        """Lets an answer follow the events that it rests on."""
        if not self._told and not self._answers:
            self._schedule(self)
        self._answers.append(frame)

    def flush(self) -> None:
        """Sends what waits: events first, so that an answer finds the screen up to date."""
        frames = self._told + self._answers
        self._told, self._answers = [], []
        if frames:
            self._line.write(frames)

    def replace(self, frame: bytes) -> None:
        """A snapshot takes the place of the events that wait."""
        self._told = []
        self.is_behind = False
        self.tell(frame)

    def fell_behind(self) -> None:
        """The connection takes no more: events are left out from here."""
        self.is_behind = True
        self._told = []

    def caught_up(self) -> None:
        """The connection takes messages again."""
        if self.is_behind:
            self.catch_up(self)

    def end(self, frame: bytes, code: int) -> None:
        """Says why, and ends the connection."""
        self._answers.append(frame)
        self.flush()
        self._line.close(code)

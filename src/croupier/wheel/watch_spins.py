"""A table's spins as its journal tells them: what came, who spun, and whether it may be counted."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from croupier.table import Entry, Settings
from croupier.table import events as e
from croupier.table.actors import MACHINES, Actor

COUNTED, VOIDED, DISAGREED = "counted", "voided", "disagreed"
STANDINGS: Final = (COUNTED, VOIDED, DISAGREED)

KINDS: Final = frozenset(
    {
        "table-created",
        "round-opened",
        "bets-closed",
        "spin-started",
        "spin-finished",
        "table-interrupted",
        "round-settled",
        "round-voided",
        "result-corrected",
    }
)
"""The kinds of records that say something about spins; the others need not be read."""


class Spin(msgspec.Struct, kw_only=True):
    """One round's spin as far as it is known."""

    round: int
    dealer: str | None = None
    """The person who spun; where a machine said so, the one who opened the round or closed the bets."""
    started_ms: int | None = None
    rotor_start_tenths_rpm: int | None = None
    sensed: str | None = None
    """Where the ball or the clapper rested when the spin was over, as it was seen then."""
    diamond: int | None = None
    result: str | None = None
    """The result the round has, after any correction; None where it is void."""
    stretch: int = 0
    """In which stretch of the wheel's spins it was counted."""

    @property
    def standing(self) -> str:
        """Whether it counts, or why it does not.

        A void round has no result to count. Where the wheel was seen to rest elsewhere than the result says,
        one of the two is wrong and nobody can tell from here which.
        """
        if self.result is None:
            return VOIDED
        return DISAGREED if self.sensed not in (None, self.result) else COUNTED


class Measured(NamedTuple):
    """A spin came to rest, and this was measured; None for what is not known."""

    spin_ms: int | None
    rotor_start_tenths_rpm: int | None
    rotor_rest_tenths_rpm: int | None
    diamond: int | None


class Ended(NamedTuple):
    """A round is over."""

    spin: Spin
    at_ms: int


class Amended(NamedTuple):
    """The result of a round that was over is another one now."""

    spin: Spin
    before: Spin
    at_ms: int


News = Measured | Ended | Amended


class TableSpins:
    """Follows one table and remembers every spin: no age limits a correction of its result."""

    def __init__(self) -> None:
        self.settings: Settings | None = None
        self._spins: dict[int, Spin] = {}

    def take(self, entry: Entry) -> Iterator[News]:
        """The next entry, and what it says about the wheel."""
        event, at_ms = entry.event, entry.cause.at_ms
        match event:
            case e.TableCreated():
                self.settings = event.settings
            case e.RoundOpened():
                self._open(event.round, entry.cause.actor)
            case e.BetsClosed():
                spin = self._spins[event.round]
                spin.dealer = spin.dealer or person(entry.cause.actor)
            case e.SpinStarted():
                spin = self._spins[event.round]
                spin.dealer = person(entry.cause.actor) or spin.dealer
                spin.started_ms, spin.rotor_start_tenths_rpm = at_ms, event.rotor_tenths_rpm
            case e.TableInterrupted(round=int(number)):
                # How long the ball rolled while nobody looked is not known.
                self._spins[number].started_ms = None
            case e.SpinFinished():
                yield from self._finish(event, at_ms)
            case e.SpinReportedLate(pocket=str(pocket)) if event.round in self._spins:
                spin = self._spins[event.round]
                before = msgspec.structs.replace(spin)
                spin.sensed = pocket
                yield Amended(spin, before, at_ms)
            case e.RoundSettled():
                self._spins[event.round].result = event.result
                yield Ended(self._spins[event.round], at_ms)
            case e.RoundVoided():
                yield Ended(self._spins[event.round], at_ms)
            case e.ResultCorrected(settled=True):
                spin = self._spins[event.round]
                before = msgspec.structs.replace(spin)
                spin.result = event.new
                yield Amended(spin, before, at_ms)

    def _open(self, number: int, actor: Actor) -> None:
        self._spins[number] = Spin(round=number, dealer=person(actor))

    def _finish(self, event: e.SpinFinished, at_ms: int) -> Iterator[News]:
        spin = self._spins[event.round]
        spin.sensed, spin.diamond = event.pocket, event.diamond
        if event.at_rest:
            took = None if spin.started_ms is None else at_ms - spin.started_ms
            yield Measured(took, spin.rotor_start_tenths_rpm, event.rotor_tenths_rpm, event.diamond)


def person(actor: Actor) -> str | None:
    """Who it is, where it is a person.

    >>> person(Actor(id="dealer-7", position="dealer")), person(Actor(id="timer", position="system"))
    ('dealer-7', None)
    """
    return None if actor.position in MACHINES else actor.id

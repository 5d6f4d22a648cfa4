"""A wheel that is not there: draws a result, spins to it, and says what a wheel with sensors would say."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Final

import msgspec

from croupier.floor.clock import Clock
from croupier.rulebook import BadInput, Book
from croupier.wheel.fair import Opening, commitment_of, draw
from croupier.wheel.physics_film import Film, shoot
from croupier.wheel.signals import Cleared, Fault, Ready, Signal
from croupier.wheel.simulated_script import plan_spin, script_of
from croupier.wheel.simulated_trouble import Troubles
from croupier.wheel.uniform import Chance, ChanceOf

_KEPT_ROUNDS: Final = 100


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """The film of a spin with when it began and how fast it runs."""

    round: int
    launched_ms: int
    speed: float
    """Seconds of the film in a second of the table's clock."""
    film: Film


class _Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """What was drawn for a round, and what else its spin is made of."""

    number: int
    opening: Opening
    chance: Chance


class SimulatedSource:
    """Spins for one table: the result is drawn first, and the motion is solved to end there.

    `prepare` draws for a round and gives the commitment to publish; `start_game` spins what was prepared.
    """

    def __init__(
        self,
        table: str,
        book: Book,
        clock: Clock,
        chance_of: ChanceOf,
        *,
        speed: float = 1.0,
        troubles: Troubles | None = None,
    ) -> None:
        if not 0 < speed <= 1000:
            raise BadInput("bad-speed", f"A wheel cannot run at {speed} times its speed.", "Use 0.1 to 1000.")
        self.troubles = troubles or Troubles(book)
        self._table = table
        self._wheel = book.wheel
        self._clock = clock
        self._chance_of = chance_of
        self._speed = speed
        self._drawn: dict[int, _Drawn] = {}
        self._next: int | None = None
        """The round that the next game is for."""
        self._signals: deque[Signal] = deque([self._ready()])
        self._news = asyncio.Event()
        self._closed = False
        self._is_lost = False
        self._game: asyncio.Task[None] | None = None
        self._shown: Shown | None = None

    def prepare(self, number: int) -> str:
        """Draws the pocket of a round, once; gives the commitment to it."""
        if self._is_lost:
            self._is_lost = False
            self._give(Cleared(at_ms=0))
            self._give(self._ready())
        drawn = self._draw(number)
        self._next = number
        return commitment_of(self._table, number, drawn.opening)

    def opening_of(self, number: int) -> str | None:
        """What the commitment of a round stands for; None where it was drawn elsewhere or long ago."""
        drawn = self._drawn.get(number)
        return None if drawn is None else drawn.opening.text

    def remember(self, number: int, commitment: str) -> bool:
        """Draws a round of an earlier life again; whether it is the draw that was committed to.

        Chance that repeats gives the same draw; the operating system's never does.
        """
        if number in self._drawn:
            return commitment_of(self._table, number, self._drawn[number].opening) == commitment
        drawn = self._draw(number)
        if commitment_of(self._table, number, drawn.opening) == commitment:
            return True
        del self._drawn[number]
        return False

    def lose(self, number: int) -> None:
        """Says that a round cannot be spun, because what was drawn for it went with an earlier life."""
        self._is_lost = True
        self._give(Fault(at_ms=0, code="restarted", detail=f"what was drawn for round {number} is lost"))

    @property
    def is_spinning(self) -> bool:
        """Whether a spin is going on."""
        return self._game is not None and not self._game.done()

    @property
    def waiting(self) -> int:
        """How many signals nobody has taken yet."""
        return len(self._signals)

    async def start_game(self) -> None:
        """Spins for the round that was prepared, once; where a spin is going on, after it."""
        number, before = self._next, self._game
        if self._closed or number is None:
            return
        self._next = None
        self._game = asyncio.create_task(self._play(self._drawn[number], before))

    def seen(self) -> Shown | None:
        """What has happened of the latest spin by now: safe to show while bets are open."""
        shown = self._shown
        if shown is None:
            return None
        gone_ms = (self._clock.now_ms() - shown.launched_ms) * self._speed
        return msgspec.structs.replace(shown, film=shown.film.until(int(gone_ms)))

    def whole(self) -> Shown | None:
        """The latest spin to its end; for nobody before bets are closed."""
        return self._shown

    async def __aiter__(self) -> AsyncIterator[Signal]:
        """The signals in their order, until the source is closed."""
        while True:
            while self._signals:
                yield self._signals.popleft()
            if self._closed:
                return
            self._news.clear()
            await self._news.wait()

    async def close(self) -> None:
        """Ends the signals and the spin."""
        self._closed = True
        self._news.set()
        if self._game is not None:
            self._game.cancel()
            await asyncio.gather(self._game, return_exceptions=True)

    def _draw(self, number: int) -> _Drawn:
        if number not in self._drawn:
            chance = self._chance_of(self._table, number)
            opening = draw(len(self._wheel.order), chance)
            self._drawn[number] = _Drawn(number=number, opening=opening, chance=chance)
            while len(self._drawn) > _KEPT_ROUNDS:
                del self._drawn[next(iter(self._drawn))]
        return self._drawn[number]

    async def _play(self, drawn: _Drawn, before: "asyncio.Task[None] | None") -> None:
        if before is not None:
            await asyncio.wait([before])
        trouble = self.troubles.next(drawn.chance)
        spin = plan_spin(self._wheel, drawn.opening.pocket, drawn.chance, trouble)
        launched_ms = self._clock.now_ms()
        self._shown = Shown(round=drawn.number, launched_ms=launched_ms, speed=self._speed, film=shoot(spin))
        self._give(self._ready())  # until now the wheel has waited, and this round has to have seen it
        for cue in script_of(self._wheel, spin, drawn.chance, trouble):
            await self._clock.sleep_until(launched_ms + round(cue.at_ms / self._speed))
            self._give(cue.signal)

    def _give(self, signal: Signal) -> None:
        self._signals.append(msgspec.structs.replace(signal, at_ms=self._clock.now_ms()))
        self._news.set()

    def _ready(self) -> Ready:
        return Ready(at_ms=self._clock.now_ms(), pockets=len(self._wheel.order))

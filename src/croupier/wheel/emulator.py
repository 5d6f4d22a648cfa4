"""A wheel that is a program: it speaks the line protocol in a real wheel's time, and fails when asked to."""

import re
from random import Random
from typing import Final

import msgspec

from croupier.wheel import line as w
from croupier.wheel.emulator_troubles import (
    END,
    Chances,
    bare_result,
    flags_of,
    least_ticks,
    spoil,
)
from croupier.wheel.line import DIRECTIONS, LineBuffer, Status, pockets_of, write_status

TICK_MS: Final = 500
"""How often a wheel says its status."""

USER_STARTS, NO_BARE_RESULT, SPEAKS = 2, 16, 128
"""Bits of the mode that change what the emulator does: games start when asked for, no result on a line by
itself, the status twice a second."""
USUAL_MODE: Final = SPEAKS

_COMMAND: Final = re.compile(rb"\*(?P<name>[A-Za-z])(?: (?P<number>[0-9]{1,5}))?")


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """How many half seconds each state lasts: the least and the most."""

    before: tuple[int, int] = (4, 4)
    waiting: tuple[int, int] = (40, 40)
    """Until the ball is launched, where games start by themselves."""
    launching: tuple[int, int] = (4, 8)
    in_rim: tuple[int, int] = (20, 32)
    dropping: tuple[int, int] = (12, 20)
    result: tuple[int, int] = (10, 10)


USUAL_TIMING: Final = Timing()
NO_TROUBLE: Final = Chances({})


class EmulatedSpin(msgspec.Struct, kw_only=True):
    """What happened in one spin, whatever the line says about it."""

    number: int
    pocket: str
    direction: str
    trouble: str | None
    tenths_rpm: int = 0
    """How fast the wheel turned when the ball was in the rim."""
    ended: bool = False


class EmulatedWheel:
    """One wheel; `tick` is half a second of its life and gives what it sends."""

    def __init__(
        self,
        pockets: int,
        random: Random,
        *,
        chances: Chances = NO_TROUBLE,
        mode: int = USUAL_MODE,
        timing: Timing = USUAL_TIMING,
    ) -> None:
        self.spins: list[EmulatedSpin] = []
        self.hangs_up = False
        """Whether the line is to be cut now; whoever cuts it takes this back."""
        self.mode = mode
        self._pockets = pockets
        self._order = sorted(pockets_of(pockets), key=lambda pocket: (int(pocket), pocket))
        self._random = random
        self.chances = chances
        self._timing = timing
        self._lines = LineBuffer()
        self._starts = 0
        self._direction = 0
        self._last: str | None = None
        self._count = 0
        self._trouble: str | None = None
        self._tenths_rpm = 250
        self.state, self._tick_number, self._length = w.SHUT, 0, 2

    @property
    def spin(self) -> EmulatedSpin | None:
        """The spin that is going on, or the latest."""
        return self.spins[-1] if self.spins else None

    def take(self, data: bytes) -> bytes:
        """Commands that came in; gives the answers."""
        return b"".join(self._obey(line) for line in self._lines.take(data))

    def tick(self) -> list[bytes]:
        """Half a second passes; gives what is sent, piece by piece."""
        sent: list[bytes] = []
        if self._tick_number >= self._length:
            sent += self._advance()
        self._tenths_rpm = min(999, max(1, self._tenths_rpm + self._random.randint(-1, 1)))
        status, number, state = self.status(), self._tick_number, self.state
        self._tick_number += 1
        if self._trouble == "hang-up" and state == w.IN_RIM and number == 3:
            self.hangs_up = True
        if not self.mode & SPEAKS:
            return sent
        has_bare = not self.mode & NO_BARE_RESULT and self._trouble != "result-changes"
        if state == w.RESULT and number == 0 and has_bare and status.pocket is not None:
            sent.append(bare_result(self._trouble, status.pocket))
        spoiled = spoil(self._trouble, status, number, self._random, self._pockets)
        return sent + ([write_status(status) + END] if spoiled is None else spoiled)

    def status(self) -> Status:
        """What the wheel says of itself now."""
        return Status(
            state=self.state,
            spins=self._count,
            pocket=self._last,
            flags=flags_of(self._trouble, self.state, self._tick_number),
            rotor_tenths_rpm=0 if self.state == w.SHUT else self._tenths_rpm,
            direction=DIRECTIONS[self._direction],
        )

    def _enter(self, state: int, lasts: tuple[int, int]) -> None:
        self.state, self._tick_number = state, 0
        self._length = max(self._random.randint(*lasts), least_ticks(self._trouble, state))

    def _advance(self) -> list[bytes]:
        """The present state is over: what comes next."""
        timing, trouble = self._timing, self._trouble
        if self.state == w.SHUT:
            self._enter(w.BEFORE_GAME, timing.before)
        elif self.state in (w.BEFORE_GAME, w.RESULT, w.NO_BALL):
            self._wait_for_game()
        elif self.state == w.PLACE_BETS:
            self._launch_or_wait()
        elif self.state == w.IN_RIM and trouble == "restart":
            self._count, self._last, self._trouble = 0, None, None
            self._enter(w.SHUT, (1, 1))
        elif self.state == w.IN_RIM and trouble != "skipped-state":
            self._enter(w.NO_MORE_BETS, timing.dropping)
        elif trouble == "no-ball":
            self._enter(w.NO_BALL, (3, 3))
        elif self.spin is not None:
            self.spin.ended = True
            self._last = self.spin.pocket
            self._count = self._count % w.MOST_SPINS + 1
            self._enter(w.RESULT, timing.result)
        return []

    def _wait_for_game(self) -> None:
        if self.spin is not None:
            self.spin.ended = True
        self._trouble = None
        self._direction = 1 - self._direction
        self._enter(w.PLACE_BETS, (1, 1) if self.mode & USER_STARTS else self._timing.waiting)

    def _launch_or_wait(self) -> None:
        """In state 2 the wheel first waits for a game to start, then launches the ball."""
        if self.mode & USER_STARTS and not self._starts:
            self._length = self._tick_number + 1
            return
        if self._starts < 2:
            self._starts = 2
            self._length = self._tick_number + self._random.randint(*self._timing.launching)
            return
        self._starts = 0
        self._trouble = self.chances.draw(self._random)
        self.spins.append(
            EmulatedSpin(
                number=len(self.spins) + 1,
                pocket=self._random.choice(self._order),
                direction=DIRECTIONS[self._direction],
                trouble=self._trouble,
                tenths_rpm=self._tenths_rpm,
            )
        )
        self._enter(w.IN_RIM, self._timing.in_rim)
        if self._trouble == "counter-jump":
            self._count = (self._count + 3) % w.MOST_SPINS

    def _obey(self, line: bytes) -> bytes:
        match = _COMMAND.fullmatch(line)
        if match is None:
            return b""
        name = match["name"].decode()
        number = None if match["number"] is None else int(match["number"])
        if name == "X":
            is_silent = self._trouble == "silence" and self.state == w.IN_RIM
            return b"" if is_silent else write_status(self.status()) + END
        if name == "u" and number == 1 and self.state == w.PLACE_BETS:
            self._starts = max(self._starts, 1)
        elif name == "R" or (name == "P" and number == 1 and self.state == w.SHUT):
            self._enter(w.SHUT, (1, 1))
        elif name == "P" and number == 0:
            self._enter(w.SHUT, (10**9, 10**9))
        elif name == "o" and number is not None:
            self.mode = number
        elif name == "F":
            return b"*F 0" + END
        return f"*{name} {self._setting(name, number)}".encode() + END if name in "oT" else b""

    def _setting(self, name: str, number: int | None) -> int:
        if name == "T" and number in (37, 38, 39):
            self._pockets = number
            self._order = sorted(pockets_of(number), key=lambda pocket: (int(pocket), pocket))
        return self.mode if name == "o" else self._pockets

"""A sensor wheel on its line, which is opened again whenever it is lost."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Final

from croupier.floor.clock import Clock
from croupier.rulebook import BadInput
from croupier.wheel.line import POCKET_COUNTS, LineBuffer, write_command
from croupier.wheel.port import Port, check_address, open_port
from croupier.wheel.recording import LOST, OPENED, Heard, heard_line, take_heard
from croupier.wheel.sensor import LASTING_MS, Sensor
from croupier.wheel.signals import Signal

REOPEN_MS: Final = 1_000
LONGEST_PAUSE_MS: Final = 8_000
"""A line that ends soon after each opening is opened again after 1, 2, 4 and then always 8 seconds."""
LOOK_MS: Final = 500
POLL_MS: Final = 700
"""After so long without a line the wheel is asked for its status: it may be set not to speak by itself."""


class LineSource:
    """A sensor wheel on a line: reads it, asks it, and opens it again where it is lost."""

    def __init__(
        self,
        address: str,
        pockets: int,
        clock: Clock,
        *,
        note: Callable[[Heard], None] = lambda heard: None,
        told: Callable[[Signal], None] = lambda signal: None,
    ) -> None:
        check_address(address)
        if pockets not in POCKET_COUNTS:
            sentence = f"There is no sensor wheel with {pockets} places."
            raise BadInput("no-sensor-wheel", sentence, "Use one for a roulette with 37, 38 or 39 pockets.")
        self.address = address
        self.sensor = Sensor(pockets)
        self._clock = clock
        self._note = note
        """Is told of everything on the line, for recordings and monitors."""
        self._told = told
        """Is told of each signal right behind the line that it came from, before the next line."""
        self._port: Port | None = None
        self._signals: asyncio.Queue[Signal | BaseException | None] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._heard_ms = 0

    async def __aiter__(self) -> AsyncIterator[Signal]:
        """The signals in their order, until the source is closed."""
        if not self._tasks:
            self._signals = asyncio.Queue()
            self.sensor.awaited(self._clock.now_ms())
            self._tasks = [asyncio.create_task(run()) for run in (self._keep_open, self._keep_time)]
            for task in self._tasks:
                task.add_done_callback(self._ended)
        while (signal := await self._signals.get()) is not None:
            if isinstance(signal, BaseException):
                await self._let_go()  # whoever listens again has the line opened anew
                raise signal
            yield signal

    async def start_game(self) -> None:
        """Asks the wheel to launch the ball; a wheel that cannot be asked is spun by hand."""
        await self.send(write_command("u", 1))

    async def send(self, command: bytes) -> None:
        """Sends a command where the line is open."""
        if self._port is not None:
            with contextlib.suppress(OSError):  # the reader finds out that the line is lost
                await self._port.write(command)

    async def close(self) -> None:
        """Ends the signals and lets go of the line."""
        await self._let_go()
        self._signals.put_nowait(None)

    async def _let_go(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        if self._port is not None:
            self._port.close()
            self._port = None

    async def _keep_open(self) -> None:
        pause_ms = 0
        while True:
            ended_soon = await self._hold_open()
            pause_ms = min(2 * pause_ms or REOPEN_MS, LONGEST_PAUSE_MS) if ended_soon else 0
            await self._clock.sleep_until(self._clock.now_ms() + max(pause_ms, REOPEN_MS))

    async def _hold_open(self) -> bool:
        """Opens the line and reads it until it is lost; whether that was soon after it was opened."""
        try:
            self._port = await open_port(self.address)
        except OSError as error:
            self._hear(Heard(at_ms=self._clock.now_ms(), what=LOST, text=_reason(error)))
            return False
        opened_ms = self._clock.now_ms()
        self._hear(Heard(at_ms=opened_ms, what=OPENED))
        await self.send(write_command("T"))
        reason = await self._read(self._port)
        lost_ms = self._clock.now_ms()
        self._hear(Heard(at_ms=lost_ms, what=LOST, text=reason))
        self._port.close()
        self._port = None
        return lost_ms - opened_ms < LASTING_MS

    async def _read(self, port: Port) -> str:
        """Reads until the line is lost; says why."""
        lines = LineBuffer()
        try:
            while data := await port.read():
                for line in lines.take(data):
                    self._hear(heard_line(self._clock.now_ms(), line))
        except OSError as error:
            return _reason(error)
        return "the other end is gone"

    async def _keep_time(self) -> None:
        """Asks a silent wheel for its status, and notices where it stays silent; asks what is in doubt."""
        while True:
            await self._clock.sleep_until(self._clock.now_ms() + LOOK_MS)
            now_ms = self._clock.now_ms()
            self._give(self.sensor.tick(now_ms))
            if self.sensor.asks_pockets():
                await self.send(write_command("T"))
            if now_ms - self._heard_ms >= POLL_MS:
                await self.send(write_command("X"))

    def _ended(self, task: "asyncio.Task[None]") -> None:
        """Whoever listens is told where one of the tasks has failed: nothing would come any more."""
        if not task.cancelled() and (failure := task.exception()) is not None:
            self._signals.put_nowait(failure)

    def _hear(self, heard: Heard) -> None:
        self._note(heard)
        self._heard_ms = heard.at_ms
        self._give(take_heard(self.sensor, heard))

    def _give(self, signals: list[Signal]) -> None:
        for signal in signals:
            self._told(signal)
            self._signals.put_nowait(signal)


def _reason(error: OSError) -> str:
    return error.strerror or str(error)

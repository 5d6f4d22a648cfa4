"""A wheel's line written down with times, and played again: a JSON object a line."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Final, TextIO

import msgspec

from croupier.floor.clock import Clock
from croupier.journal.guarding import refuse_to_replace
from croupier.rulebook import BadInput
from croupier.rulebook.files import read_file
from croupier.wheel.sensor import Sensor
from croupier.wheel.signals import Signal

LINE, OPENED, LOST = "line", "opened", "lost"
WHATS: Final = (LINE, OPENED, LOST)
LATEST_MS: Final = 253_402_300_799_999
"""The end of the year 9999: what comes later has no date."""


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened on the line."""

    at_ms: int
    what: str
    """`line`, `opened` or `lost`."""
    text: str = ""
    """The line without its end, each byte a character; or why it was lost."""

    @property
    def line(self) -> bytes:
        """The line as it came."""
        return self.text.encode("latin-1")


def heard_line(at_ms: int, line: bytes) -> Heard:
    """A line as it is written down."""
    return Heard(at_ms=at_ms, what=LINE, text=line.decode("latin-1"))


class Recorder:
    """Writes what is heard into a file, a line at a time, so that nothing is lost with the program."""

    def __init__(self, path: Path) -> None:
        place = refuse_to_replace(path)  # it would be added to, and a pipe would wait for its other end
        try:
            self._file: TextIO = place.open("a", encoding="utf-8")
        except OSError as error:
            sentence = f"The recording cannot be written to {str(path)!r}: {error.strerror}."
            advice = "Name a file in a folder that exists and that you may write to."
            raise BadInput("file-unwritable", sentence, advice) from error

    def write(self, heard: Heard) -> None:
        """Writes one thing down."""
        self._file.write(msgspec.json.encode(heard).decode() + "\n")
        self._file.flush()

    def close(self) -> None:
        """Ends the file."""
        self._file.close()


def read_recording(path: Path) -> list[Heard]:
    """A recording from its file."""
    try:
        # Only line feeds part the rows: other characters that may end a line stand in the text of some.
        rows = read_file(path).decode().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise BadInput("file-unreadable", f"The recording {str(path)!r} cannot be read: {reason}.") from error
    return [*_read_rows(path, rows if rows[-1] else rows[:-1])]


def _read_rows(path: Path, rows: Iterable[str]) -> Iterator[Heard]:
    latest_ms = 0
    for number, row in enumerate(rows, 1):
        try:
            heard = msgspec.json.decode(row, type=Heard)
            is_sound = heard.what in WHATS and latest_ms <= heard.at_ms <= LATEST_MS
            is_sound = is_sound and heard.text.isascii() | bool(heard.line)
        except (msgspec.MsgspecError, UnicodeEncodeError):
            is_sound = False
        if not is_sound:
            sentence = f"Line {number} of {str(path)!r} is not one of a recording."
            raise BadInput("bad-recording", sentence, "Record with croupier wheel-monitor --record.")
        latest_ms = heard.at_ms
        yield heard


def replay_signals(heard: Iterable[Heard], pockets: int) -> Iterator[tuple[Heard | None, Signal]]:
    """What a sensor makes of a recording: each signal with what it followed, or None where time passed."""
    sensor = Sensor(pockets)
    for one in heard:
        due_ms = sensor.due_ms
        if due_ms is not None and due_ms <= one.at_ms:
            yield from ((None, signal) for signal in sensor.tick(due_ms))
        yield from ((one, signal) for signal in take_heard(sensor, one))


def take_heard(sensor: Sensor, heard: Heard) -> list[Signal]:
    """What a sensor makes of one thing on its line."""
    if heard.what == OPENED:
        return sensor.connected(heard.at_ms)
    if heard.what == LOST:
        return sensor.lost(heard.at_ms, heard.text)
    return sensor.hear(heard.line, heard.at_ms)


class RecordedSource:
    """Plays a recording into a table, with the pauses it had."""

    def __init__(self, heard: Iterable[Heard], pockets: int, clock: Clock, speed: float = 1.0) -> None:
        self._signals = [signal for _, signal in replay_signals(heard, pockets)]
        self._clock = clock
        self._speed = speed
        self._closed = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[Signal]:
        """The signals of the recording, each when it is time for it."""
        began_ms = self._clock.now_ms()
        first_ms = self._signals[0].at_ms if self._signals else 0
        for signal in self._signals:
            if not await self._wait_until(began_ms + round((signal.at_ms - first_ms) / self._speed)):
                return
            yield signal

    async def _wait_until(self, at_ms: int) -> bool:
        """Waits for a time; False where the source was closed before."""
        waits = [
            asyncio.ensure_future(wait) for wait in (self._clock.sleep_until(at_ms), self._closed.wait())
        ]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        return not self._closed.is_set()

    async def start_game(self) -> None:
        """Does nothing: what happens has happened."""

    async def close(self) -> None:
        """Ends it."""
        self._closed.set()

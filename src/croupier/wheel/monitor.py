"""A wheel's line in words: what changes on it, and what a table makes of it."""

import datetime
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from croupier.table.wheel_faults import WHEEL_FAULTS
from croupier.wheel.line import BareResult, CommandAnswer, Status, Unreadable, read_line
from croupier.wheel.recording import LINE, LOST, Heard
from croupier.wheel.signals import AtRest, BallInRim, Cleared, Fault, Irregular, NoMoreBets, Ready, Signal

STATES: Final = {
    1: "before a game",
    2: "place bets or launching",
    3: "ball in the rim",
    4: "no more bets",
    5: "result",
    6: "closed",
    7: "ball not detected",
}
FLAGS: Final = {
    1: "ball not detected",
    2: "ball with the rotor",
    4: "sensor or motor",
    8: "launch failed",
}


class Monitor:
    """Tells of a line in lines of its own; what says nothing new is left out."""

    def __init__(self) -> None:
        self._shown: tuple[Any, ...] | None = None
        self._is_ready = False

    def hear(self, heard: Heard) -> Iterator[str]:
        """What came on the line, where it is something new."""
        if heard.what != LINE:
            told = f"the line is lost: {heard.text}" if heard.what == LOST else "the line is open"
            yield f"{clock_time(heard.at_ms)}  {told}"
            return
        read = read_line(heard.line)
        if isinstance(read, Status):
            facts = (read.state, read.spins, read.pocket, read.flags, read.direction)
            if facts == self._shown:
                return
            self._shown = facts
        yield f"{clock_time(heard.at_ms)}  {_line(read)}"

    def take(self, signal: Signal) -> Iterator[str]:
        """What a table is told; that the wheel waits is told once."""
        if isinstance(signal, Ready):
            if not self._is_ready:
                yield f"{clock_time(signal.at_ms)}    > the wheel waits for a spin"
            self._is_ready = True
            return
        self._is_ready = False
        yield f"{clock_time(signal.at_ms)}    > {_signal(signal)}"


def clock_time(at_ms: int) -> str:
    """The time of day in UTC.

    >>> clock_time(1_700_000_000_500)
    '22:13:20.500'
    """
    time = datetime.datetime.fromtimestamp(at_ms / 1000, datetime.UTC)
    return time.strftime("%H:%M:%S.") + f"{at_ms % 1000:03}"


def _line(read: Status | BareResult | CommandAnswer | Unreadable) -> str:
    match read:
        case Status():
            flags = [told for flag, told in FLAGS.items() if read.flags & flag]
            parts = [
                f"state {read.state} {STATES[read.state]}",
                f"spin {read.spins}",
                f"result {read.pocket or 'none yet'}",
                f"{read.rotor_tenths_rpm / 10:.1f} rpm {read.direction}",
            ]
            return ", ".join(parts + flags)
        case BareResult():
            return f"result {read.pocket} on a line by itself"
        case CommandAnswer():
            return f"answer to *{read.command}: {read.text or 'nothing'}"
        case Unreadable():
            return f"cannot be read: {read.text!r}"


def _signal(signal: Signal) -> str:
    match signal:
        case BallInRim():
            return "the spin has begun"
        case NoMoreBets():
            return "no more bets"
        case AtRest(pocket=None):
            return "the spin is over; the dealer states the result"
        case AtRest():
            return f"the ball rests in {signal.pocket}"
        case Irregular():
            return f"void: {signal.cause} ({signal.note})"
        case Fault():
            stops = " The table stops." if signal.stops_table else ""
            return f"fault {signal.code}: {signal.detail}. {WHEEL_FAULTS[signal.code]}{stops}"
        case Cleared():
            return "the fault is over"
    return "the wheel waits for a spin"


def as_facts(item: Heard | Signal) -> dict[str, Any]:
    """A thing on the line, or a signal, for programs."""
    if isinstance(item, Heard):
        return msgspec.structs.asdict(item)
    kind = "".join(f"-{mark.lower()}" if mark.isupper() else mark for mark in type(item).__name__)
    return {"at_ms": item.at_ms, "signal": kind.removeprefix("-"), **msgspec.structs.asdict(item)}

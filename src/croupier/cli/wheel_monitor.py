"""`croupier wheel-monitor`: a sensor wheel's line, live or from a recording."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier.cli.command import Command, Output, add_json
from croupier.cli.wheel_emulator import sensor_pockets
from croupier.rulebook import BadInput

if TYPE_CHECKING:
    from croupier.wheel.recording import Heard
    from croupier.wheel.signals import Signal


def _run(args: argparse.Namespace) -> Output:
    if (args.line is None) == (args.play is None):
        sentence = "It has to be one line, live or from a recording."
        raise BadInput("which-line", sentence, "Write a path, HOST:PORT, or --play FILE.")
    if args.play is not None and args.record is not None:
        raise BadInput("two-files", "A recording cannot be recorded.", "Leave --record or --play out.")
    if args.spins is not None and args.spins < 1:
        raise BadInput("bad-count", f"{args.spins} spins are none.", "Ask for at least 1.")
    pockets = sensor_pockets(args.book)
    if args.play is not None:
        return Output(text=_played(args, pockets))

    import asyncio

    asyncio.run(_watch(args, pockets))
    return Output(text="")


class _Page:
    """What is printed of a line, for people or for programs."""

    def __init__(self, as_json: bool) -> None:
        from croupier.wheel.monitor import Monitor

        self._as_json = as_json
        self._monitor = Monitor()

    def hear(self, heard: "Heard") -> list[str]:
        return [self._facts(heard)] if self._as_json else [*self._monitor.hear(heard)]

    def take(self, signal: "Signal") -> list[str]:
        return [self._facts(signal)] if self._as_json else [*self._monitor.take(signal)]

    def _facts(self, item: "Heard | Signal") -> str:
        from croupier.wheel.monitor import as_facts

        return json.dumps(as_facts(item))


def _played(args: argparse.Namespace, pockets: int) -> str:
    from croupier.wheel.recording import read_recording, take_heard
    from croupier.wheel.sensor import Sensor

    page, sensor, lines = _Page(args.json), Sensor(pockets), []
    for heard in read_recording(Path(args.play)):
        due_ms = sensor.due_ms
        if due_ms is not None and due_ms <= heard.at_ms:
            lines += [line for signal in sensor.tick(due_ms) for line in page.take(signal)]
        lines += page.hear(heard)
        lines += [line for signal in take_heard(sensor, heard) for line in page.take(signal)]
    return "".join(f"{line}\n" for line in lines)


async def _watch(args: argparse.Namespace, pockets: int) -> None:
    from croupier.floor import SystemClock
    from croupier.wheel.line_source import LineSource
    from croupier.wheel.recording import Recorder
    from croupier.wheel.signals import AtRest

    page = _Page(args.json)
    recorder = None if args.record is None else Recorder(Path(args.record))

    def note(heard: "Heard") -> None:
        if recorder is not None:
            recorder.write(heard)
        for line in page.hear(heard):
            print(line, flush=True)

    def told(signal: "Signal") -> None:
        for line in page.take(signal):
            print(line, flush=True)

    source = LineSource(args.line, pockets, SystemClock(), note=note, told=told)
    spins = 0
    try:
        async for signal in source:
            spins += isinstance(signal, AtRest)
            if spins == args.spins:
                break
    finally:
        await source.close()
        if recorder is not None:
            recorder.close()


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "line", metavar="LINE", nargs="?", help="path of a serial port, or HOST:PORT of a TCP line"
    )
    parser.add_argument("--play", metavar="FILE", help="print a recording instead")
    parser.add_argument("--record", metavar="FILE", help="write the line down in FILE, behind what is in it")
    parser.add_argument(
        "--book", metavar="BOOK", default="mbs-roulette", help="whose wheel it is (mbs-roulette)"
    )
    parser.add_argument("--spins", metavar="N", type=int, help="end after so many spins")
    add_json(parser)


WHEEL_MONITOR: Final = Command(
    "wheel-monitor",
    "(LINE | --play FILE) [--record FILE] [--book BOOK] [--spins N] [--json]",
    "a sensor wheel's line, live or from a recording",
    _add_arguments,
    _run,
)

"""`croupier wheel-emulator`: a wheel that is a program, on a line that any driver can open."""

import argparse
import json
from typing import TYPE_CHECKING, Final

from croupier.cli.command import Command, Output, add_json
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import BadInput, load_book

if TYPE_CHECKING:
    from croupier.wheel.emulator import EmulatedWheel
    from croupier.wheel.emulator_wire import Wire


def sensor_pockets(book_id: str) -> int:
    """How many pockets the sensor wheel of a book has."""
    from croupier.wheel.line import has_sensors

    book = load_book(book_id)
    if not has_sensors(book):
        sentence = f"There is no sensor wheel for {book.id} with its {book.pockets} places."
        raise BadInput("no-sensor-wheel", sentence, "Name a roulette with 37, 38 or 39 pockets.")
    return book.pockets


def _run(args: argparse.Namespace) -> Output:
    from croupier.wheel.emulator_troubles import TROUBLES, read_chances

    if args.faults:
        rows = [Row([name, told]) for name, told in TROUBLES.items()]
        title = "What an emulated wheel can do wrong"
        return Output(text=render_table(title, [Column("FAULT"), Column("WHAT HAPPENS", wraps=True)], rows))
    if args.pty == (args.tcp is not None):
        raise BadInput("which-line", "The wheel needs one line.", "Write --pty or --tcp HOST:PORT.")
    if not 0 < args.speed <= 1000:
        sentence = f"A wheel cannot run at {args.speed} times its speed."
        raise BadInput("bad-speed", sentence, "Use 0.1 to 1000.")
    if args.spins is not None and args.spins < 1:
        raise BadInput("bad-count", f"{args.spins} spins are none.", "Ask for at least 1.")
    pockets = sensor_pockets(args.book)
    chances = read_chances(args.fault, pockets)

    import asyncio
    from random import Random

    from croupier.wheel.emulator import SPEAKS, USER_STARTS, EmulatedWheel

    mode = SPEAKS | (USER_STARTS if args.wait else 0)
    random = Random() if args.seed is None else Random(args.seed)
    wheel = EmulatedWheel(pockets, random, chances=chances, mode=mode)
    asyncio.run(_serve(args, wheel, _wire(args)))
    return Output(text="")


def _wire(args: argparse.Namespace) -> "Wire":
    from croupier.wheel.emulator_wire import PtyWire, TcpWire
    from croupier.wheel.port import check_host, host_and_port

    if args.pty:
        return PtyWire()
    check_host(args.tcp)
    found = host_and_port(args.tcp)
    if found is None:
        raise BadInput("bad-address", f"{args.tcp!r} is no address.", "Write it as in 127.0.0.1:4001.")
    return TcpWire(*found)


async def _serve(args: argparse.Namespace, wheel: "EmulatedWheel", wire: "Wire") -> None:
    from croupier.floor import SystemClock
    from croupier.wheel.emulator_wire import run_wheel

    await wire.open(wheel.take)
    if args.json:
        print(json.dumps({"address": wire.address, "book": args.book}), flush=True)
    else:
        print(f"The wheel of {args.book} is on {wire.address}", flush=True)
    told = 0

    def tell() -> None:
        nonlocal told
        for spin in wheel.spins[told:]:
            if not spin.ended:
                return
            told += 1
            if args.json:
                facts = {"spin": spin.number, "pocket": spin.pocket, "fault": spin.trouble}
                print(json.dumps(facts), flush=True)
            else:
                wrong = f", {spin.trouble}" if spin.trouble else ""
                print(f"spin {spin.number}: {spin.pocket}{wrong}", flush=True)

    try:
        await run_wheel(wheel, wire, SystemClock(), speed=args.speed, spins=args.spins, tell=tell)
    finally:
        await wire.close()


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pty", action="store_true", help="speak on a pseudo-terminal, the path is printed")
    parser.add_argument("--tcp", metavar="HOST:PORT", help="speak on a TCP port (0 takes a free one)")
    parser.add_argument(
        "--book", metavar="BOOK", default="mbs-roulette", help="whose wheel it is (mbs-roulette)"
    )
    parser.add_argument("--seed", metavar="N", type=int, help="repeat the same life")
    parser.add_argument("--speed", metavar="X", type=float, default=1.0, help="so many times as fast (1)")
    parser.add_argument("--spins", metavar="N", type=int, help="end after so many spins")
    parser.add_argument("--wait", action="store_true", help="launch only when asked to with *u 1")
    parser.add_argument(
        "--fault",
        metavar="NAME[:RATE]",
        action="append",
        default=[],
        help="do this wrong in a share of the spins (0.1); as often as you like",
    )
    parser.add_argument("--faults", action="store_true", help="list what can be done wrong, and end")
    add_json(parser)


WHEEL_EMULATOR: Final = Command(
    "wheel-emulator",
    "(--pty | --tcp HOST:PORT | --faults) [--book BOOK] [--seed N] [--speed X] [--spins N] [--wait] "
    "[--fault NAME[:RATE]]... [--json]",
    "a sensor wheel that is a program, with faults on demand",
    _add_arguments,
    _run,
)

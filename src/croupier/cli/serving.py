"""Serving a floor: from its configuration, or the demonstration floor."""

import argparse
import asyncio
import logging
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from croupier.cli.command import Command, Output
from croupier.cli.files import make_folder, named_place
from croupier.cli.journals import forward_bar
from croupier.rulebook import BadInput

if TYPE_CHECKING:
    from croupier.server.config import Config
    from croupier.server.running import RunningFloor

BOTS_A_TABLE: Final = 3
LAST_PORT: Final = 65_535
DEFAULT_DATA: Final = "data"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", nargs="?", metavar="FILE", help="the floor's configuration (croupier.toml)")
    parser.add_argument("--demonstration", action="store_true", help="serve the demonstration floor instead")
    _demonstration_arguments(parser)


def _demonstration_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", metavar="DIR", help=f"where the demonstration keeps its data ({DEFAULT_DATA})"
    )
    parser.add_argument("--port", type=int, metavar="PORT", help="another port than the configuration's")
    parser.add_argument("--bots", type=int, metavar="N", help=f"bots at each table ({BOTS_A_TABLE})")
    parser.add_argument(
        "--speed", type=float, default=1.0, metavar="X", help="how fast simulated wheels turn"
    )


def _serve(args: argparse.Namespace) -> Output:
    if args.demonstration == (args.config is not None):
        raise BadInput("no-floor", "Name the floor's configuration, or --demonstration, and not both.")
    if args.demonstration:
        return _demonstrate(args)
    for option, value in (("--data", args.data), ("--bots", args.bots)):
        if value is not None:
            sentence = f"{option} is for a demonstration; a floor has what its configuration says."
            raise BadInput("not-a-demonstration", sentence, f"Leave {option} out.")
    from croupier.server.config import ConfigFaults
    from croupier.server.config_reading import load_config

    try:
        config = load_config(args.config, to_start=True)
    except ConfigFaults as faults:
        raise BadInput("bad-config", str(faults)) from faults
    return _run(_with_port(config, args.port), None, args.speed)


def _demonstrate(args: argparse.Namespace) -> Output:
    from croupier.cli.demonstrating import Demonstration
    from croupier.server.demonstration import demonstration_config

    bots = BOTS_A_TABLE if args.bots is None else args.bots
    if not 0 <= bots <= 8:
        raise BadInput("bad-bots", f"A table takes 0 to 8 bots, not {bots}.")
    if args.port is not None:
        _check_port(args.port)
    data = named_place(DEFAULT_DATA if args.data is None else args.data)
    make_folder(data)
    config = demonstration_config(data, args.port)
    return _run(config, Demonstration(bots), args.speed)


def _with_port(config: "Config", port: int | None) -> "Config":
    import msgspec

    if port is None:
        return config
    _check_port(port)
    return msgspec.structs.replace(config, listen=msgspec.structs.replace(config.listen, port=port))


def _check_port(port: int) -> None:
    if not 0 <= port <= LAST_PORT:
        sentence = f"There is no port {port}: they go from 0 to {LAST_PORT}, and 0 takes any that is free."
        raise BadInput("bad-port", sentence)


def _run(config: "Config", demonstration: object, speed: float) -> Output:
    from croupier.cli.demonstrating import Demonstration
    from croupier.journal import StoreError
    from croupier.server.logs import start_logging
    from croupier.server.older_journal import in_the_log
    from croupier.server.running import run

    crew = demonstration if isinstance(demonstration, Demonstration) else None
    start_logging()
    for chatty in ("httpx", "websockets"):
        logging.getLogger(chatty).setLevel(logging.WARNING)

    async def ready(running: "RunningFloor") -> None:
        if crew is not None:
            await crew.start(running)
        else:
            print(f"croupier serves {running.config.name} at {running.base_url}", flush=True)
            if running.config.demonstration:
                from croupier.server.demonstration import sign_in_text

                print(f"It is a demonstration, not for real money. {sign_in_text()}", flush=True)

    async def serve() -> None:
        try:
            await run(
                config,
                ready=ready,
                wheel_speed=speed,
                drain_seconds=0 if crew is not None else 30,
                showing=forward_bar if sys.stderr.isatty() else in_the_log,
            )
        finally:
            if crew is not None:
                await crew.stop()

    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(serve())
    except StoreError as error:
        raise BadInput("journal", str(error)) from error
    return Output(text="croupier has stopped.\n")


def _loop_factory() -> "Callable[[], asyncio.AbstractEventLoop] | None":
    try:
        import uvloop
    except ImportError:  # there is none for Windows
        return None
    return uvloop.new_event_loop


SERVE: Final = Command(
    "serve", "FILE | --demonstration [--port PORT]", "serve a floor of tables", _arguments, _serve
)
DEMO: Final = Command(
    "demo",
    "[--data DIR] [--port PORT] [--bots N] [--speed X]",
    "run a floor by itself, to be looked at",
    _demonstration_arguments,
    _demonstrate,
)

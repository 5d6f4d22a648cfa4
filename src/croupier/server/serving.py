"""Runs a floor behind a port until it is told to stop, and stops it so that nobody loses anything."""

import asyncio
import contextlib
import gc
import logging
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from typing import Final

import uvicorn
from litestar import Litestar

from croupier.floor.insisting import submit_until_settled
from croupier.rulebook import BadInput
from croupier.server.addresses import AddressShares, in_either_form
from croupier.server.floor import Floor, LiveTable
from croupier.server.http.heads import answering_head
from croupier.server.open_files import room_for
from croupier.server.requesting import requests_for
from croupier.server.socket import sockets_for
from croupier.table.commands import AnnounceLastRound

LOG: Final = logging.getLogger("croupier.server")

DRAIN_SECONDS: Final = 30
"""How long a stop waits for rounds to end, unless it is asked for twice."""


GARBAGE_AT: Final = (50_000, 20, 50)
"""When Python looks for rings of garbage: bets leave none, and everybody waits while it looks."""


_HANG_UP: Final = (signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()
"""The terminal, or the session that the server was started in, has gone; Windows has no such signal."""


class _Server(uvicorn.Server):
    """uvicorn without its own handling of signals: a floor stops its tables before its connections."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals to `serve`."""
        yield


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; says what is wrong where the port cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio turns Nagle's algorithm off: an answer does not wait for another one.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError, TypeError, ValueError) as error:  # no port, or no host, can be so
        listener.close()
        sentence = f"Port {port} on {host!r} cannot be used: {getattr(error, 'strerror', None) or error}."
        raise BadInput(
            "port-taken", sentence, "Choose another one with --port, or as make run PORT=8001."
        ) from error
    listener.listen(2048)
    listener.setblocking(False)
    return listener


async def serve(
    floor: Floor,
    app: Litestar,
    listener: socket.socket,
    *,
    ready: Callable[[], Awaitable[None]] | None = None,
    stop: asyncio.Event | None = None,
    hurry: asyncio.Event | None = None,
    drain_seconds: float = DRAIN_SECONDS,
    tls: tuple[str, str] | None = None,
) -> None:
    """Serves until a signal or `stop`: SIGTERM and SIGHUP let rounds that run end, SIGINT does not wait."""
    room = room_for(floor.input_limits.connections)
    shares = AddressShares(floor.input_limits.of_address or max(1, room // 2), floor.proxies)
    config = uvicorn.Config(
        answering_head(app),
        ws=sockets_for(floor, shares),
        http=requests_for(room, shares),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(floor.proxies),
        forwarded_allow_ips=in_either_form(floor.proxies),
        date_header=True,
        lifespan="on",
        timeout_graceful_shutdown=5,
        ssl_certfile=tls[0] if tls else None,
        ssl_keyfile=tls[1] if tls else None,
    )
    server = _Server(config)
    stop = stop or asyncio.Event()
    hurry = hurry or asyncio.Event()
    with stop_signals(stop, hurry), _calm_collector():
        serving = asyncio.create_task(_serve(server, listener))
        stopping = asyncio.create_task(stop.wait())
        announcing = asyncio.create_task(_announce(server, ready))
        try:
            # A fault in what is done on starting ends the server; a stop does not wait for it.
            waited = {serving, stopping, announcing}
            while not serving.done() and not stopping.done():
                done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                waited -= done
                if announcing.done():
                    announcing.result()
            if not stopping.done():
                raise _ended()
            floor.is_closing = True
            if not serving.done() and not hurry.is_set() and drain_seconds:
                await _drain(floor, hurry, drain_seconds)
        finally:
            await floor.stop()
            server.should_exit = True
            stopping.cancel()
            announcing.cancel()
            await serving


async def _serve(server: uvicorn.Server, listener: socket.socket) -> None:
    try:
        await server.serve([listener])
    except SystemExit as error:  # uvicorn's way to say that the application did not start
        raise _ended() from error


def _ended() -> BadInput:
    return BadInput("not-serving", "The server ended by itself; its log says why.")


async def _announce(server: uvicorn.Server, ready: Callable[[], Awaitable[None]] | None) -> None:
    """Says that the floor can be reached, once it can."""
    while not server.started:
        await asyncio.sleep(0.01)
    if ready is not None:
        await ready()


@contextlib.contextmanager
def stop_signals(stop: asyncio.Event, hurry: asyncio.Event) -> Iterator[None]:
    """Has signals ask for a stop: the first one, unless it is Ctrl-C, for one that lets rounds end."""
    loop = asyncio.get_running_loop()

    def asked(signum: signal.Signals) -> None:
        if signum == signal.SIGINT or stop.is_set():
            hurry.set()
        stop.set()

    handled = []
    for signum in (signal.SIGINT, signal.SIGTERM, *_HANG_UP):
        if signum in _HANG_UP and signal.getsignal(signum) == signal.SIG_IGN:
            continue  # whoever started it with nohup wants it to stay when the terminal goes
        with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):  # not in the main thread
            loop.add_signal_handler(signum, asked, signum)
            handled.append(signum)
    try:
        yield
    finally:
        for signum in handled:
            loop.remove_signal_handler(signum)


async def _drain(floor: Floor, hurry: asyncio.Event, seconds: float) -> None:
    """Gives the rounds that run here time to end; other servers take the tables, or it was the last round."""
    here = {name: live for name, live in floor.tables.items() if floor.neighbours.runs_here(name)}
    running = sum(live.runner.state.round is not None for live in here.values())
    if not running:
        return
    LOG.info("stopping: %d rounds are running", running)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*(_announce_last(floor, live, hurry) for live in here.values()))
            while here and not hurry.is_set():
                for name in [name for name, live in here.items() if live.runner.state.round is None]:
                    del here[name]
                    await floor.neighbours.hand_over(name)
                await asyncio.sleep(0.05)


async def _announce_last(floor: Floor, live: LiveTable, hurry: asyncio.Event) -> None:
    """Has a table say that the round that runs is its last one, where no other server goes on with it."""
    state = live.runner.state
    if state.open and state.rounds_left is None and not floor.neighbours.can_take_over:
        ask = live.runner.as_system(AnnounceLastRound())
        await submit_until_settled(live.runner, ask, floor.clock, is_wanted=lambda: not hurry.is_set())


@contextlib.contextmanager
def _calm_collector() -> Iterator[None]:
    """Has the collector leave alone what was loaded to serve, and look at the rest less often."""
    before = gc.get_threshold()
    gc.freeze()  # without a look at it all: tables run by now, and would stand still for it
    gc.set_threshold(*GARBAGE_AT)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()

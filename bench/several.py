"""A floor of three servers, on loopback: what following costs, and how long a takeover takes.

    python bench/several.py [--seconds 5] [--repeats 5] [--json]

PostgreSQL, NATS and three processes of `croupier serve` run beside the clients, and share the machine's cores
with them. One of the servers runs the table, the other two follow it. Three questions, in one run:

- How long does a durable answer take to a terminal that sends one bet after the other, at the server that
  runs the table, and at one that follows it? The second sends each bet over the bus and hears its answer
  there: two hops more. The first is the bound; the ratio says what the hops cost. Both take turns.
- How many bets a second do 32 terminals place that each wait for their answer, at the one and at the other?
- How long after its owner was killed does a table answer again? A terminal at a follower goes on betting;
  what is taken is the time from the signal to the answer that ended its longest wait. The bound is how long a
  server may be silent before the others look, and how often they look. The same after a stop in good order,
  between two rounds: then the owner says that it leaves, and only their look is waited for.
"""

import argparse
import asyncio
import json
import os
import platform
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import uvloop

import several_floor
from several_floor import Floor, Seat, Server, servers_of

# The tests start a PostgreSQL and a NATS; their folders have the names of programs beside this.
sys.path[0] = str(Path(__file__).parents[1] / "tests")

from croupier.floor.shared.table import LOOK_MS, SILENT_MS  # noqa: E402  # the path comes first
from floor.nats_server import NatsServer  # noqa: E402
from journal.server import own_server  # noqa: E402

TERMINALS = 32
NAMES = ("a", "b", "c")
TURNS = 4
"""How often owner and follower take turns, so that a slow moment of the machine is not one's alone."""


def percentile(values: list[float], percent: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * percent / 100))]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def begin(floor: Floor) -> None:
    """Opens the table and gives every seat its credits, with three servers there."""
    for name in NAMES:
        await floor.start(name)
        if name == NAMES[0]:
            await floor.enrol()
    console = await floor.console(await floor.owner())
    await console.say({"type": "open-table"})
    console.close()
    owner = await floor.owner()
    for number in range(1, TERMINALS + 1):
        seat = await floor.seat(owner, number)
        await seat.buy(several_floor.CREDITS_CENTS)
        seat.close()


async def at_console(floor: Floor, *commands: dict[str, Any]) -> None:
    console = await floor.console(await floor.owner())
    for do in commands:
        await console.say(do)
    console.close()


async def betting(seat: Seat, until: float, waits: list[float]) -> None:
    """One bet after the other; notes how long each answer took, in ms."""
    while (began := time.perf_counter()) < until:
        await seat.bet()
        waits.append(1000 * (time.perf_counter() - began))


async def pace(floor: Floor, server: Server, terminals: int, seconds: float) -> tuple[list[float], float]:
    """How long answers took, and how many there were in a second."""
    seats = [await floor.seat(server, number) for number in range(1, terminals + 1)]
    waits: list[float] = []
    began = time.perf_counter()
    await asyncio.gather(*(betting(seat, began + seconds, waits) for seat in seats))
    took = time.perf_counter() - began
    for seat in seats:
        seat.close()
    return waits, len(waits) / took


async def compare(floor: Floor, terminals: int, seconds: float) -> dict[str, Any]:
    """The same at the owner and at a follower, in turns."""
    owner, follower = await floor.owner(), await floor.follower()
    waits: dict[str, list[float]] = {"owner": [], "follower": []}
    paces: dict[str, list[float]] = {"owner": [], "follower": []}
    for _ in range(TURNS):
        for where, server in (("owner", owner), ("follower", follower)):
            found, a_second = await pace(floor, server, terminals, seconds / TURNS)
            waits[where] += found
            paces[where].append(a_second)
    return {
        where: {
            "bets_a_second": statistics.mean(paces[where]),
            "answer_p50_ms": percentile(waits[where], 50),
            "answer_p99_ms": percentile(waits[where], 99),
        }
        for where in waits
    }


async def takeover(floor: Floor, signum: signal.Signals, act: Callable[[Seat], Awaitable[None]]) -> float:
    """From a signal to the owner until the answer that ended a terminal's longest wait, in ms."""
    owner = await floor.owner()
    seat = await floor.seat(await floor.follower(), 1)
    answered: list[float] = []
    stop = asyncio.Event()

    async def go_on() -> None:
        while not stop.is_set():
            await act(seat)
            answered.append(time.perf_counter())

    going = asyncio.create_task(go_on())
    while len(answered) < 100:
        await asyncio.sleep(0.01)
    del floor.servers[owner.name]
    signalled = time.perf_counter()
    owner.signal(signum)
    await owner.end()
    await floor.owner()
    known = len(answered)
    while len(answered) < known + 100:
        await asyncio.sleep(0.01)
    stop.set()
    await going
    seat.close()
    await floor.start(owner.name)
    before = [at for at in answered if at < signalled][-1]
    after = [at for at in answered if at >= signalled]
    waits = [now - last for last, now in zip([before, *after], after, strict=False)]
    return 1000 * (after[waits.index(max(waits))] - signalled)


async def takeovers(
    floor: Floor, repeats: int, signum: signal.Signals, act: Callable[[Seat], Awaitable[None]]
) -> dict[str, float]:
    found = [await takeover(floor, signum, act) for _ in range(repeats)]
    return {"median_ms": statistics.median(found), "worst_ms": max(found)}


async def measure(folder: Path, journal: str, bus: str, seconds: float, repeats: int) -> dict[str, Any]:
    with servers_of(folder, journal, bus, TERMINALS) as floor:
        say("three servers start ...")
        await floor.prepare()
        await begin(floor)
        await at_console(floor, {"type": "open-round"})
        await pace(floor, await floor.follower(), 1, 1)  # everything was used once
        say("one terminal ...")
        found: dict[str, Any] = {"one": await compare(floor, 1, seconds)}
        say(f"{TERMINALS} terminals ...")
        found["many"] = await compare(floor, TERMINALS, seconds)
        say("the owner is killed ...")
        found["killed"] = await takeovers(floor, repeats, signal.SIGKILL, Seat.bet)
        result = {"result": "17"}
        await at_console(
            floor,
            {"type": "close-bets"},
            {"type": "start-spin"},
            {"type": "enter-result", **result},
            {"type": "confirm-result", **result},
        )
        say("the owner is stopped ...")
        found["stopped"] = await takeovers(floor, repeats, signal.SIGTERM, Seat.buy)
    return found


def table(found: dict[str, Any], repeats: int) -> str:
    one, many = found["one"], found["many"]
    lines = [f"{os.cpu_count()} cores, Python {platform.python_version()}, three servers"]
    lines.append(f"{'':52}{'owner':>10}{'follower':>10}{'ratio':>8}")
    rows = [
        ("one terminal: answer p50, ms", one, "answer_p50_ms", ".2f"),
        ("one terminal: answer p99, ms", one, "answer_p99_ms", ".2f"),
        ("one terminal: bets a second, durable", one, "bets_a_second", ",.0f"),
        (f"{TERMINALS} terminals: answer p50, ms", many, "answer_p50_ms", ".2f"),
        (f"{TERMINALS} terminals: answer p99, ms", many, "answer_p99_ms", ".2f"),
        (f"{TERMINALS} terminals: bets a second, durable", many, "bets_a_second", ",.0f"),
    ]
    for name, where, key, shown in rows:
        owner, follower = where["owner"][key], where["follower"][key]
        lines.append(f"{name:52}{owner:>10{shown}}{follower:>10{shown}}{follower / owner:>8.2f}")
    lines += [
        "",
        f"{f'until a table answers again, ms ({repeats} times)':52}{'median':>10}{'worst':>10}{'bound':>8}",
    ]
    for name, key, bound in (
        ("its owner was killed in a round", "killed", SILENT_MS + LOOK_MS),
        ("its owner was stopped in good order, between rounds", "stopped", LOOK_MS),
    ):
        took = found[key]
        lines.append(f"{name:52}{took['median_ms']:>10,.0f}{took['worst_ms']:>10,.0f}{bound:>8,}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=5.0, help="for each of owner and follower")
    parser.add_argument("--repeats", type=int, default=5, help="how often the owner is killed, and stopped")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with (
        own_server() as journal,
        NatsServer() as nats,
        tempfile.TemporaryDirectory() as folder,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        found = runner.run(measure(Path(folder), journal, nats.address, args.seconds, args.repeats))
    print(json.dumps(found, indent=2) if args.json else table(found, args.repeats))


if __name__ == "__main__":
    main()

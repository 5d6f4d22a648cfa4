"""A floor under load, on loopback: bets acknowledged durably, and how fast everybody hears.

    python bench/server.py [--terminals 1000 2000] [--json]

The server runs in a process of its own, the clients in this one: on a machine with two cores each has one.
Three questions, in one run:

- With so many terminals in a betting window and 1,000 commands a second, how long does an answer take?
- How long until the last terminal hears "no more bets", and its result, from when the dealer said so? The
  bound is a bare loop that sends the same bytes to as many clients with the same WebSocket library, in the
  same rhythm: what was sent half a second ago is not in the processor's caches any more, there as here. Of
  both the middle one of nine is taken.
- With 32 connections that send as fast as they are answered, how many commands of four bets are durable in a
  second? Five floors one after the other; the figure is the median, and the range is printed beside it.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import uvloop

from server_client import Client, connect

COLYSEUS = 22_000
"""Messages a second of a Colyseus room that keeps nothing, as measured on the reference machine."""
FLOODS = 5
"""How often that is measured; the figure is the median."""
RATE = 1_000
BROADCASTS = 9
"""How often a broadcast is measured, by the floor and by the bare loop; the figure is the middle one."""
SHORT_SECONDS = 0.5
"""How long bets are taken in the rounds after the first."""
BETS = [f"straight:{number}" for number in range(37)]


def start(script: str, *arguments: str) -> tuple[subprocess.Popen[bytes], int]:
    child = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name(script)), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    return child, int(json.loads(child.stdout.readline())["port"])


def stop(child: subprocess.Popen[bytes]) -> None:
    assert child.stdin is not None
    child.stdin.write(b"\n")
    child.stdin.close()
    child.wait(60)


def percentile(values: list[float], percent: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * percent / 100))]


def hello(token: str, audience: str) -> bytes:
    table = {"table": "R1"} if audience == "console" else {}
    return json.dumps({"type": "hello", "version": 1, "token": token, "audience": audience, **table}).encode()


class Floor:
    """The clients of a floor under load."""

    def __init__(self, port: int, tokens: dict[str, Any]) -> None:
        self.port = port
        self.tokens = tokens
        self.seats: list[Client] = []
        self.sent: dict[Client, float] = {}
        self.answers: list[float] = []
        self.heard: dict[bytes, list[float]] = {}
        self.snapshots = 0
        self.refused = 0
        self.console_answer: asyncio.Future[bytes] | None = None
        self.bytes_of: dict[bytes, int] = {}

    def told(self, client: Client, message: bytes) -> None:
        """Notes when a terminal heard what."""
        now = time.perf_counter()
        if message.startswith(b'{"type":"answer"'):
            began = self.sent.pop(client, None)
            if began is not None:
                self.answers.append(now - began)
            if b'"refused"' in message:
                self.refused += 1
        elif message.startswith(b'{"type":"snapshot"'):
            self.snapshots += 1
        elif message.startswith(b'{"type":"event"'):
            for kind in (b'"bets-closed"', b'"round-settled"', b'"seat-settled"'):
                if kind in message[:200]:
                    self.heard.setdefault(kind, []).append(now)
                    self.bytes_of[kind] = len(message)

    def told_console(self, client: Client, message: bytes) -> None:
        """Gives the answer to whoever waits for it."""
        if message.startswith(b'{"type":"answer"') and self.console_answer is not None:
            self.console_answer.set_result(message)

    async def open(self, terminals: int) -> None:
        """Connects a console and so many terminals."""
        self.console = await connect(self.port, self.told_console)
        self.console.send(hello(self.tokens["console"], "console"))
        for token in self.tokens["seats"][:terminals]:
            client = await connect(self.port, self.told)
            client.send(hello(token, "seat"))
            self.seats.append(client)
        while self.snapshots < terminals:
            await asyncio.sleep(0.01)

    async def say(self, do: dict[str, Any]) -> None:
        """Gives a command at the console."""
        self.console.number += 1
        self.console_answer = asyncio.get_running_loop().create_future()
        order = {"type": "command", "number": self.console.number, "do": do}
        self.console.send(json.dumps(order).encode())
        answer = await self.console_answer
        if b'"refused"' in answer:
            raise RuntimeError(answer.decode())

    def bet(self, place: int, client: Client, bets: int) -> None:
        """Sends a command with so many bets."""
        client.number += 1
        stakes = [{"bet": BETS[(client.number + n) % 37], "cents": 100} for n in range(bets)]
        do = {"type": "place-bets", "seat": str(place), "stakes": stakes}
        self.sent[client] = time.perf_counter()
        client.send(json.dumps({"type": "command", "number": client.number, "do": do}).encode())


async def window(floor: Floor, terminals: int, seconds: float) -> dict[str, Any]:
    """A betting window at 1,000 commands a second; then more rounds, for the middle of their broadcasts."""
    await floor.open(terminals)
    took, count, *first = await one_round(floor, terminals, seconds)
    answers = [1000 * seconds for seconds in floor.answers]
    more = [(await one_round(floor, terminals, SHORT_SECONDS))[2:] for _ in range(BROADCASTS - 1)]
    closed, settled = (sorted(each)[BROADCASTS // 2] for each in zip(first, *more, strict=True))
    return {
        "terminals": terminals,
        "commands_a_second": round(count / took),
        "bets_a_second": round(3 * count / took),
        "answer_p50_ms": percentile(answers, 50),
        "answer_p99_ms": percentile(answers, 99),
        "no_more_bets_p99_ms": closed,
        "result_p99_ms": settled,
        "message_bytes": floor.bytes_of[b'"bets-closed"'],
        "refused": floor.refused,
    }


async def one_round(floor: Floor, terminals: int, seconds: float) -> tuple[float, int, float, float]:
    """Bets at 1,000 commands a second, the close, the result.

    Gives how long the bets took, how many commands they were, and the 99th percentiles of both broadcasts.
    """
    floor.heard.clear()
    await floor.say({"type": "open-round"})
    began, count = time.perf_counter(), 0
    while (gone := time.perf_counter() - began) < seconds:
        while count < gone * RATE:
            floor.bet(count % terminals, floor.seats[count % terminals], 3)
            count += 1
        await asyncio.sleep(0.001)
    while floor.sent:
        await asyncio.sleep(0.001)
    took = time.perf_counter() - began
    closing = time.perf_counter()
    await floor.say({"type": "close-bets"})
    await heard(floor, b'"bets-closed"', terminals)
    await floor.say({"type": "start-spin"})
    await floor.say({"type": "enter-result", "result": "17"})
    settling = time.perf_counter()
    await floor.say({"type": "confirm-result", "result": "17"})
    await heard(floor, b'"round-settled"', terminals)
    closed = [1000 * (at - closing) for at in floor.heard[b'"bets-closed"']]
    settled = [1000 * (at - settling) for at in floor.heard[b'"round-settled"']]
    return took, count, percentile(closed, 99), percentile(settled, 99)


async def heard(floor: Floor, kind: bytes, terminals: int) -> None:
    while len(floor.heard.get(kind, ())) < terminals:
        await asyncio.sleep(0.0005)


async def bare(port: int, terminals: int, size: int) -> float:
    """The 99th percentile of a broadcast by the bare loop, in ms; the middle one of some."""
    times: list[float] = []
    clients = [
        await connect(port, lambda client, message: times.append(time.perf_counter()))
        for _ in range(terminals)
    ]
    found = []
    for _ in range(BROADCASTS):
        times.clear()
        await asyncio.sleep(SHORT_SECONDS)  # as long as bets are taken between the floor's
        began = time.perf_counter()
        clients[0].send(str(size).encode())
        while len(times) < terminals:
            await asyncio.sleep(0.0005)
        found.append(percentile([1000 * (at - began) for at in times], 99))
    for client in clients:
        client.transport.close()
    return sorted(found)[BROADCASTS // 2]


async def flood(floor: Floor, connections: int, seconds: float, waiting: int = 32) -> dict[str, Any]:
    """Connections that send the next command as soon as one is answered, a few at a time."""
    await floor.open(connections)
    await floor.say({"type": "open-round"})
    places = {client: place for place, client in enumerate(floor.seats)}
    latencies: list[float] = []
    pending: dict[Client, list[float]] = {client: [] for client in floor.seats}
    done = 0
    running = True

    def message(client: Client) -> bytes:
        client.number += 1
        seat, number = places[client], client.number
        stakes = ",".join(f'{{"bet":"{BETS[(number + n) % 37]}","cents":100}}' for n in range(4))
        return (
            f'{{"type":"command","number":{number},"do":{{"type":"place-bets","seat":"{seat}",'
            f'"stakes":[{stakes}]}}}}'
        ).encode()

    def told(client: Client, raw: bytes) -> None:
        nonlocal done
        if raw.startswith(b'{"type":"answer"'):
            done += 1
            latencies.append(time.perf_counter() - pending[client].pop(0))
            if running:
                pending[client].append(time.perf_counter())
                client.send(message(client))

    for client in floor.seats:
        client.told = told
    began = time.perf_counter()
    for client in floor.seats:
        for _ in range(waiting):
            pending[client].append(time.perf_counter())
            client.send(message(client))
    await asyncio.sleep(seconds)
    took, counted = time.perf_counter() - began, done
    running = False
    while any(pending.values()):
        await asyncio.sleep(0.01)
    return {
        "connections": connections,
        "messages_a_second": round(counted / took),
        "bets_a_second": round(4 * counted / took),
        "answer_p50_ms": 1000 * percentile(latencies, 50),
        "answer_p99_ms": 1000 * percentile(latencies, 99),
        "ratio_to_a_room_that_keeps_nothing": counted / took / COLYSEUS,
    }


async def measure(terminals: list[int], seconds: float) -> dict[str, Any]:
    found: dict[str, Any] = {"windows": []}
    for count in terminals:
        print(f"{count} terminals: enrolling ...", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            child, port = start("server_child.py", folder, str(count))
            floor = Floor(port, json.loads((Path(folder) / "tokens.json").read_text()))
            row = await window(floor, count, seconds)
            for client in [*floor.seats, floor.console]:
                client.transport.close()
            stop(child)
        child, port = start("server_bare.py")
        row["bare_p99_ms"] = await bare(port, count, row["message_bytes"])
        stop(child)
        row["ratio"] = row["no_more_bets_p99_ms"] / row["bare_p99_ms"]
        found["windows"].append(row)
    floods = []
    for number in range(FLOODS):
        print(
            f"32 connections, as fast as they can ({number + 1} of {FLOODS}) ...", file=sys.stderr, flush=True
        )
        with tempfile.TemporaryDirectory() as folder:
            child, port = start("server_child.py", folder, "32")
            floor = Floor(port, json.loads((Path(folder) / "tokens.json").read_text()))
            floods.append(await flood(floor, 32, seconds))
            for client in [*floor.seats, floor.console]:
                client.transport.close()
            stop(child)
    floods.sort(key=lambda flooded: flooded["messages_a_second"])
    found["flood"] = floods[FLOODS // 2]
    found["floods"] = [flooded["messages_a_second"] for flooded in floods]
    return found


def table(found: dict[str, Any]) -> str:
    names = {
        "terminals": "terminals",
        "commands_a_second": "commands a second, durable",
        "bets_a_second": "bets a second, durable",
        "answer_p50_ms": "answer p50, ms",
        "answer_p99_ms": "answer p99, ms (aim under 100)",
        "no_more_bets_p99_ms": '"no more bets" p99, ms',
        "result_p99_ms": "result settled and told p99, ms",
        "bare_p99_ms": "bare loop, same bytes, p99, ms",
        "ratio": 'ratio of "no more bets" to the bare loop (aim under 2)',
    }
    lines = []
    for key, name in names.items():
        cells = "".join(f"{_figure(row[key]):>12}" for row in found["windows"])
        lines.append(f"{name:56}{cells}")
    flooded = found["flood"]
    lines.append("")
    lines.append(f"{'32 connections: messages a second, durable':56}{flooded['messages_a_second']:>12,}")
    lowest, highest = found["floods"][0], found["floods"][-1]
    lines.append(f"{'  the lowest and the highest of five':56}{lowest:>12,}{highest:>12,}")
    lines.append(f"{'bets a second (four in a message)':56}{flooded['bets_a_second']:>12,}")
    lines.append(
        f"{'answer p50 / p99, ms':56}{flooded['answer_p50_ms']:>7.1f} / {flooded['answer_p99_ms']:.1f}"
    )
    ratio = flooded["ratio_to_a_room_that_keeps_nothing"]
    lines.append(f"{f'ratio to a room that keeps nothing ({COLYSEUS:,} a second; aim 1)':56}{ratio:>12.2f}")
    return "\n".join(lines)


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--terminals", type=int, nargs="+", default=[1000, 2000])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(measure(args.terminals, args.seconds))
    print(json.dumps(found, indent=2) if args.json else table(found))


if __name__ == "__main__":
    main()

"""The server under load in a process of its own; prints a line of JSON when it can be reached."""

import asyncio
import json
import sys
from pathlib import Path

import uvloop

from croupier.floor import Ask, SystemClock, create_table
from croupier.journal import open_store
from croupier.rulebook import load_book
from croupier.server.access import AccessPolicy, HashCost, LockOutPolicy, Refusal
from croupier.server.floor import Floor
from croupier.server.http import make_app
from croupier.server.input_limits import InputLimits
from croupier.server.serving import listen, serve
from croupier.table import Actor, Do, Limits, Range, Rules, Settings
from croupier.table import commands as c

BOSS = Actor(id="boss", position="shift-manager")
QUICK = AccessPolicy(hash_cost=HashCost(time=1, memory_kib=64, lanes=1), lock_out=LockOutPolicy())


def told_to_stop(stop: asyncio.Event) -> None:
    asyncio.get_running_loop().remove_reader(sys.stdin)
    stop.set()


async def main(folder: Path, seats: int) -> None:
    journal = str(folder / "journal.db")
    store, clock = open_store(journal), SystemClock()
    rules = Rules(load_book("mbs-roulette"))
    kinds = {bet.kind for bet in rules.bets.values()}
    limits = Limits(bets={kind: Range(minimum_cents=1, maximum_cents=10**12) for kind in kinds})
    settings = Settings(
        table="R1",
        book=rules.book.id,
        layouts=tuple(rules.layouts),
        limits=limits,
        lock_up_cents=10**15,
        voucher_limit_cents=10**15,
    )
    create_table(store, rules, settings, clock.now_ms(), BOSS)
    wide = InputLimits(rate=10**9, burst=10**9)
    floor = Floor(store, clock, voucher_key=b"bench", input_limits=wide)
    await floor.open(QUICK)
    live = await floor.open_table("R1")
    kind = rules.seat_kinds[0]
    commands: list[Do] = [c.OpenTable()]
    for seat in range(seats):
        commands += [c.OpenSeat(seat=str(seat), kind=kind), c.BuyCredits(seat=str(seat), cents=10**11)]
    for number, do in enumerate(commands, 1):
        reply = await live.runner.submit(Ask(BOSS, do, "boss", number))
        if reply.rejection is not None:
            raise RuntimeError(reply.rejection.sentence)
    tokens = []
    for seat in range(seats):
        code = await floor.access.issue_code(BOSS, "terminal", "R1", str(seat))
        if isinstance(code, Refusal):
            raise RuntimeError(code.sentence)
        enrolled = await floor.access.enrol(code.code.reveal(), f"127.0.{seat // 256}.{seat % 256}")
        if isinstance(enrolled, Refusal):
            raise RuntimeError(enrolled.sentence)
        tokens.append(enrolled.token.reveal())
    _, token = floor.access._sessions.open("bench", "bench", "shift-manager", (), "", clock.now_ms())
    listener = listen("127.0.0.1", 0)

    async def ready() -> None:
        (folder / "tokens.json").write_text(json.dumps({"seats": tokens, "console": token.reveal()}))
        print(json.dumps({"port": listener.getsockname()[1]}), flush=True)

    stop = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin, told_to_stop, stop)
    app = make_app(floor, journal)
    await serve(floor, app, listener, ready=ready, stop=stop, drain_seconds=0)
    store.close()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(Path(sys.argv[1]), int(sys.argv[2])))

"""Error states: they outlast a power cut, and the last rounds are recalled in them."""

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.floor import Ask
from croupier.table import Actor, State
from croupier.table import commands as c
from floor.sim_live import Live, WatchedStore, played
from server.server_rig import LiveServer
from table.rig import DEALER, SENSOR, player


async def after_a_power_cut(live: Live, before: Path, after: Path) -> Live:
    """A table that starts on what the disk held at this moment, with nothing shut down in good order."""
    await live.run.settled_state()
    after.mkdir()
    for name in ("journal.db", "journal.db-wal"):
        shutil.copy(before / name, after / name)
    other = Live(after, store=WatchedStore(after / "journal.db"))
    other.clock.advance(60_000)
    return await other.start()


async def halted(live: Live) -> None:
    await live.run.submit_as_system(c.HaltTable(reason="the books do not balance"))


async def locked(live: Live) -> None:
    await live.do(DEALER, c.OpenRound())
    await live.do(player("1"), c.PlaceBets(seat="1", stakes=(c.Stake("straight:7", 1_000),)))
    for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="7"), c.ConfirmResult(result="7")):
        await live.do(DEALER, do)


async def lost(live: Live) -> None:
    await live.run.submit_as_system(c.LoseSeat(seat="1"))


async def faulty(live: Live) -> None:
    await live.do(SENSOR, c.ReportWheel(fault="sensor-fault"))


def kept(state: State) -> dict[str, Any]:
    """Everything of a table that an interruption between rounds has no business to change."""
    facts: dict[str, Any] = msgspec.to_builtins(state)
    return {name: fact for name, fact in facts.items() if name not in ("sequence", "at_ms", "answers")}


@pytest.mark.parametrize(
    ("bring_about", "actor", "do", "code"),
    [
        (halted, DEALER, c.OpenRound(), "table-halted"),
        (locked, player("1"), c.CashOut(seat="1", voucher="1"), "seat-locked"),
        (lost, player("1"), c.CashOut(seat="1", voucher="1"), "seat-lost"),
        (faulty, SENSOR, c.ReportWheel(fault="sensor-fault"), "same-report"),
    ],
)
@played
async def test_an_error_state_outlasts_a_power_cut(
    tmp_path: Path, bring_about: Callable[[Live], Awaitable[None]], actor: Actor, do: c.Do, code: str
) -> None:
    before = tmp_path / "before"
    before.mkdir()
    live = await Live(before, lock_up_cents=30_000).start()
    await live.open("1")
    await bring_about(live)
    again = await after_a_power_cut(live, before, tmp_path / "after")
    assert kept(await again.run.settled_state()) == kept(live.run.state)
    reply = await again.run.submit(Ask(actor, do, actor.id, 1_000))
    assert reply.rejection is not None
    assert reply.rejection.code == code
    await again.stop()
    await live.stop()


RED = frozenset({1, 3, 5, 7, 9, 12})
"""Of the first dozen."""


def bets_of(round_number: int, seat: str) -> dict[str, int]:
    """Bets that differ from round to round and from seat to seat; the first one always wins."""
    cents = 100 * round_number + 1_000 * int(seat)
    return {f"straight:{round_number}": cents, "black": 3 * cents, "red": 2 * cents}


def back_of(round_number: int, seat: str) -> dict[str, int]:
    """What goes back on each: 35 to 1 on a number and even money on a colour, with the stake."""
    bets, is_red = bets_of(round_number, seat), round_number in RED
    straight = f"straight:{round_number}"
    return {
        straight: 36 * bets[straight],
        "black": 0 if is_red else 2 * bets["black"],
        "red": 2 * bets["red"] if is_red else 0,
    }


def test_the_last_ten_rounds_are_recalled_whole_while_the_table_is_halted(tmp_path: Path) -> None:
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}) as live:
        for number in range(1, 13):
            live.play("R1", {seat: bets_of(number, seat) for seat in ("1", "2")}, str(number))
        live.run(lambda: live.rig.floor.tables["R1"].runner.submit_as_system(c.HaltTable(reason="a test")))
        with live.client(live.staff_token("dealer")) as dealer:
            assert dealer.get("/api/tables/R1").json()["halted"] is True
            rounds = [dealer.get(f"/api/tables/R1/rounds/{number}").json() for number in range(1, 13)]
        with live.client(live.device_token("terminal", "R1", "1")) as terminal:
            history = terminal.get("/api/seat/history").json()
    assert [recalled["round"] for recalled in history["rounds"]] == list(range(12, 2, -1))
    credits = {"1": 0, "2": 0}
    for number, recalled in enumerate(rounds, start=1):
        assert (recalled["recall"], recalled["label"][:7]) == (True, "RECALL:")
        assert recalled["result"] == str(number)
        acts = [act["event"] for act in recalled["acts"]]
        for seat in recalled["seats"]:
            staked, back = bets_of(number, seat["seat"]), back_of(number, seat["seat"])
            opening = credits[seat["seat"]] + sum(staked.values())
            placed = [
                (change["bet"], change["cents"])
                for act in acts
                if act["type"] == "bets-changed" and act["seat"] == seat["seat"]
                for change in act["changes"]
            ]
            assert placed == list(staked.items())
            assert {line["bet"]: line["returned_cents"] for line in seat["lines"]} == back
            assert seat["credits_before_cents"] == opening
            credits[seat["seat"]] = opening - sum(staked.values()) + sum(back.values())
            assert seat["credits_after_cents"] == credits[seat["seat"]]
        assert len(recalled["seats"]) == 2
    own = [{**recalled, "seats": [recalled["seats"][0]]} for recalled in rounds[2:]]
    for recalled, whole in zip(reversed(history["rounds"]), own, strict=True):
        assert recalled["recall"] is True
        assert {name: recalled[name] for name in ("round", "result", "seats")} == {
            name: whole[name] for name in ("round", "result", "seats")
        }

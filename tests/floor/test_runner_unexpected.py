"""What nobody thought of is raised somewhere: everybody gets one answer, and the table goes on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.floor import Ask
from croupier.floor.flow import Flow
from croupier.table import Reply
from croupier.table import commands as c
from croupier.table import events as e
from floor.sim_live import Live, answers, played, turns
from floor.test_runner_claims import redeem, with_voucher
from floor.test_runner_halting import Breakage
from table.rig import DEALER, player


async def betting(path: Path) -> Live:
    """A table with open bets and two seats."""
    live = await Live(path).start()
    await live.open("1", "2")
    await live.do(DEALER, c.OpenRound())
    return live


def surprising(monkeypatch: pytest.MonkeyPatch, where: object, name: str, when: Callable[[], bool]) -> None:
    """Has something raise once what nothing is prepared for."""
    as_it_was, done = getattr(where, name), list[bool]()

    def surprise(*args: Any) -> Any:
        if not done and when():
            done.append(True)
            raise KeyError("nobody thought of this")
        return as_it_was(*args)

    monkeypatch.setattr(where, name, surprise)


@played
async def test_a_table_that_breaks_and_cannot_be_read_answers_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await betting(tmp_path)
    breakage = Breakage(monkeypatch, "money appears")
    surprising(monkeypatch, live.store, "head", lambda: True)
    given: list[Reply] = []
    bet = c.PlaceBets(seat="1", stakes=(c.Stake("red", Breakage.CENTS),))
    live.run.submit_nowait(Ask(player("1"), bet, player("1").id, 99), given.append)
    while not given:
        await turns(1)
    breakage.mended = True
    assert await answers(live.bet("2", "red", 1_000)) == ["table-halted"]
    assert [reply.rejection and reply.rejection.code for reply in given] == ["table-down"]
    assert live.kinds()[-1] == "command-refused"
    assert "table-halted" in live.kinds()
    await live.stop()


@played
async def test_a_voucher_that_is_used_twice_at_a_table_that_cannot_be_read_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await with_voucher(tmp_path, "1", "2")
    await live.do(player("1"), redeem("1"))
    surprising(monkeypatch, live.store, "snapshot", lambda: True)
    assert await live.refused(player("2"), redeem("2")) == "not-registered"
    assert await live.refused(player("2"), redeem("2")) == "voucher-used"
    await live.stop()


@played
async def test_what_goes_wrong_beside_a_write_leaves_nobody_without_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await betting(tmp_path)
    live.store.hold()
    first = live.bet("1", "red", 1_000)
    await live.store.reached()
    # With a batch on its way to the disk and another one decided behind it.
    surprising(monkeypatch, Flow, "_may_decide", lambda: live.run.state.seats["2"].staked_cents > 0)
    behind = live.bet("2", "red", 1_000)
    while not live.run.state.seats["2"].staked_cents:
        await turns(1)
    live.store.let_through()
    assert await answers(first, behind) == ["not-registered", "not-registered"]
    assert len(live.alarms) == 1
    assert await answers(live.bet("2", "black", 500)) == [None]
    state = await live.run.settled_state()
    assert (state.seats["1"].stakes, state.seats["2"].stakes) == ({"red": 1_000}, {"black": 500})
    assert state == live.replayed()
    await live.stop()


@played
async def test_the_clock_of_a_table_goes_on_after_it_could_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await betting(tmp_path)
    live.store.failures_before = 1
    surprising(monkeypatch, live.store, "head", lambda: True)
    assert await answers(live.bet("1", "red", 1_000)) == ["not-registered"]
    await turns()
    for _ in range(40):
        live.clock.advance(1_000)
        await turns(5)
    assert (await live.until(e.BetsClosed)).closed_by == "timer"
    await live.stop()

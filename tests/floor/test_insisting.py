"""What has to arrive is sent again, as the same command, until the table has said what became of it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from croupier.floor import Ask, ManualClock
from croupier.floor.insisting import AGAIN_MS, submit_until_settled
from croupier.floor.refusals import CODES, UNSETTLED, answer
from croupier.table import Reply
from croupier.table import commands as c
from floor.sim_live import Live, played, turns
from table.rig import SUPERVISOR

DONE = Reply(rejection=None, entries=(), first=1, last=1)
ASK = Ask(SUPERVISOR, c.OpenTable(), "sender", 7)


class Answering:
    """A table that gives the answers it is told to give."""

    def __init__(self, *replies: Reply) -> None:
        self.asked: list[Ask] = []
        self._replies = [*replies]

    async def submit(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        return self._replies.pop(0)


def insist(table: Any, clock: ManualClock, **options: Any) -> "asyncio.Task[Reply]":
    return asyncio.create_task(submit_until_settled(table, ASK, clock, **options))


@pytest.mark.parametrize("code", sorted(UNSETTLED))
def test_an_answer_that_settles_nothing_has_the_same_command_sent_again(code: str) -> None:
    @played
    async def scene() -> None:
        table, clock = Answering(answer(code), answer(code), DONE), ManualClock(0)
        insisting = insist(table, clock)
        for count in (1, 2, 3):
            await turns(5)
            assert table.asked == [ASK] * count
            clock.advance(AGAIN_MS)
        assert await insisting == DONE

    scene()


@pytest.mark.parametrize("code", sorted(CODES.keys() - UNSETTLED))
def test_every_other_answer_is_the_answer(code: str) -> None:
    @played
    async def scene() -> None:
        table = Answering(answer(code))
        assert await insist(table, ManualClock(0)) == answer(code)
        assert table.asked == [ASK]

    scene()


@played
async def test_what_is_not_wanted_any_more_is_not_sent_again() -> None:
    table, clock, wanted = Answering(answer("busy"), DONE), ManualClock(0), [True]
    insisting = insist(table, clock, is_wanted=lambda: wanted[0])
    await turns(5)
    wanted[0] = False
    clock.advance(AGAIN_MS)
    assert await insisting == answer("busy")
    assert table.asked == [ASK]


@pytest.mark.parametrize("failure", ["failures_before", "failures_after"])
@played
async def test_what_the_table_itself_reports_is_written_once_though_the_disk_fails(
    tmp_path: Path, failure: str
) -> None:
    live = await (await Live(tmp_path).start()).open()
    setattr(live.store, failure, 1)
    ask = live.run.as_system(c.HaltTable(reason="a fault"))
    insisting = asyncio.create_task(submit_until_settled(live.run, ask, live.clock))
    while not insisting.done():
        await turns(5)
        live.clock.advance(AGAIN_MS)
    assert (await insisting).rejection is None
    assert live.kinds().count("table-halted") == 1
    assert live.replayed().halted == "a fault"
    await live.stop()

"""A running table corrects rounds that it has let go of: they are read beside its work, from the journal."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from croupier.floor import Ask, earlier_rounds
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.table import Actor, Rejection, foresee_correction
from croupier.table import commands as c
from croupier.table import events as e
from floor.shared_rig import SharedFloor
from floor.sim_live import Live, played
from table.rig import DEALER, MANAGER, SUPERVISOR, player

OLD = c.CorrectResult(round=1, result="20", reason="on camera")


async def play_round(live: Live, result: str, **bets: int) -> None:
    await live.do(DEALER, c.OpenRound())
    for bet, cents in bets.items():
        assert (await live.bet("1", bet, cents)).rejection is None
    for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result=result), c.ConfirmResult(result=result)):
        await live.do(DEALER, do)


async def long_ago(path: Path) -> Live:
    """Round 1 was won and let go of."""
    live = await Live(path, rounds_kept=2).start()
    await live.open("1")
    await play_round(live, "17", odd=1_000)
    for _ in range(3):
        await play_round(live, "0")
    assert live.run.state.over(1) is None
    return live


@played
async def test_a_round_of_any_age_is_corrected_and_the_journal_alone_says_the_same(tmp_path: Path) -> None:
    live = await long_ago(tmp_path)

    events = await live.do(MANAGER, OLD, SUPERVISOR)

    assert [type(event) for event in events] == [e.ResultCorrected, e.SeatCorrected]
    assert live.run.state.credits_cents("1") == 99_000
    assert "round-recalled" in live.kinds()
    assert live.replayed() == await live.run.consistent_state()
    await live.stop()
    evidence = open_evidence(str(tmp_path / "journal.db"))
    (report,) = verify_journal(evidence)
    evidence.close()
    assert report.first_misfit is None


@played
async def test_the_table_plays_on_while_an_old_round_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await long_ago(tmp_path)
    gate, read = threading.Event(), earlier_rounds.read_rounds

    def held_up(*asked: Any) -> Any:
        gate.wait()
        return read(*asked)

    monkeypatch.setattr(earlier_rounds, "read_rounds", held_up)
    correction = live.send(MANAGER, OLD, SUPERVISOR)
    await play_round(live, "17", odd=1_000)
    assert not correction.done()
    gate.set()

    assert (await correction).rejection is None
    assert live.run.state.credits_cents("1") == 100_000
    await live.stop()


@played
async def test_two_corrections_of_one_old_round_are_both_decided_on_what_it_is_then(tmp_path: Path) -> None:
    live = await long_ago(tmp_path)
    other = Actor(id="manager-2", position=MANAGER.position)

    first = live.send(MANAGER, OLD, SUPERVISOR)
    second = live.send(other, OLD, SUPERVISOR)
    codes = [reply.rejection and reply.rejection.code for reply in await asyncio.gather(first, second)]

    assert codes == [None, "same-result"]
    await live.stop()


@played
async def test_nothing_is_read_for_whoever_may_not_correct(tmp_path: Path) -> None:
    live = await long_ago(tmp_path)

    assert await live.refused(DEALER, OLD) == "not-allowed"
    assert await live.refused(MANAGER, OLD) == "second-person"
    assert "round-recalled" not in live.kinds()
    await live.stop()


@played
async def test_a_journal_that_cannot_be_read_is_an_answer_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await long_ago(tmp_path)
    monkeypatch.setattr(earlier_rounds, "read_rounds", lambda *asked: 1 / 0)

    assert await live.refused(MANAGER, OLD, SUPERVISOR) == "not-registered"
    await play_round(live, "17", odd=1_000)
    await live.stop()


@played
async def test_what_was_foreseen_is_done_without_reading_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, times = await long_ago(tmp_path), 0
    read = earlier_rounds.read_rounds

    def counted(*asked: Any) -> Any:
        nonlocal times
        times += 1
        return read(*asked)

    monkeypatch.setattr(earlier_rounds, "read_rounds", counted)
    state = await live.run.state_with(OLD)
    found = foresee_correction(live.run.rules, state, 0, DEALER, 1, "20")
    await live.do(MANAGER, OLD, SUPERVISOR)
    assert times == 1
    assert not isinstance(found, Rejection)
    assert found.seats[0].credits_after_cents == live.run.state.credits_cents("1")
    for _ in range(4):
        await play_round(live, "0")
    back = c.CorrectResult(round=1, result="17", reason="it was right")
    await live.do(MANAGER, back, SUPERVISOR)
    assert times == 2, "it has changed since"
    assert live.run.state.credits_cents("1") == 101_000
    await live.stop()


@played
async def test_a_follower_has_the_owner_correct_it_and_foresees_it_by_itself(tmp_path: Path) -> None:
    floor = SharedFloor(tmp_path, rounds_kept=2, two_people=())
    here = await floor.server("here")
    there = await floor.server("there")
    await floor.open(here, "1")
    await here.do(player("1"), c.PlaceBets(seat="1", stakes=(c.Stake("odd", 1_000),)))
    for result in ("17", "0", "0", "0"):
        if here.table.state.round is None:
            await here.do(DEALER, c.OpenRound())
        for do in (
            c.CloseBets(),
            c.StartSpin(),
            c.EnterResult(result=result),
            c.ConfirmResult(result=result),
        ):
            await here.do(DEALER, do)
    await floor.together(here, there)
    assert (there.table.is_owner, there.table.state.over(1)) == (False, None)

    state = await there.table.state_with(OLD)
    assert not isinstance(foresee_correction(there.table.rules, state, 0, DEALER, 1, "20"), Rejection)
    ask = Ask(MANAGER, OLD, MANAGER.id, floor.next_number(MANAGER.id), SUPERVISOR)
    reply = await floor.wait(asyncio.ensure_future(there.table.submit(ask)))

    assert reply.rejection is None
    await floor.together(here, there)
    assert there.table.state.credits_cents("1") == 99_000
    assert floor.replayed().recalled_at > 0
    await floor.stop()

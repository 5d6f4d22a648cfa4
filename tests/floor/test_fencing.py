"""Two writers on one table: the journal's sequence lets one of them through, and the other steps down."""

from pathlib import Path

import pytest

from croupier.floor import Ask, writer
from croupier.floor.refusals import CODES
from croupier.journal import EMPTY, Head, misfit
from croupier.table import Reply
from croupier.table import commands as c
from croupier.table import events as e
from floor.sim_live import Live, WatchedStore, answers, played, turns
from table.rig import DEALER, player


async def two_writers(path: Path) -> tuple[Live, Live]:
    """A table whose process stands still and is replaced by another one, on a connection of its own."""
    slow = await Live(path).start()
    await slow.open("1")
    await slow.do(DEALER, c.OpenRound())
    quick = Live(path, store=WatchedStore(path / "journal.db"))
    quick._numbers = slow._numbers
    await quick.start()
    return slow, quick


async def stop(*tables: Live) -> None:
    """Stops both, whoever has stepped down."""
    for live in tables:
        await live.stop()


@played
async def test_the_slower_writer_loses_says_so_and_steps_down(tmp_path: Path) -> None:
    slow, quick = await two_writers(tmp_path)
    assert await answers(slow.bet("1", "red", 1_000)) == ["stepped-down"]
    assert slow.run.stepped_down
    assert slow.alarms == [f"T1: {CODES['stepped-down']}"]
    assert not quick.run.stepped_down
    await stop(slow, quick)


@played
async def test_the_chain_is_whole_and_holds_only_what_the_winner_wrote(tmp_path: Path) -> None:
    slow, quick = await two_writers(tmp_path)
    lost = slow.bet("1", "red", 1_000)
    won = quick.bet("1", "black", 1_000)
    await answers(lost, won)
    head: Head = EMPTY
    for record in quick.store.read("T1"):
        assert misfit(record, head) is None
        head = Head(record.sequence, record.hash)
    assert quick.replayed().seats["1"].stakes == {"black": 1_000}
    assert await quick.run.settled_state() == quick.replayed()
    await stop(slow, quick)


@played
async def test_everybody_who_waits_at_the_loser_is_sent_away(tmp_path: Path) -> None:
    slow, quick = await two_writers(tmp_path)
    slow.store.hold()
    first = slow.bet("1", "red", 1_000)
    await slow.store.reached()
    waiting = [slow.bet("1", "red", 1_000) for _ in range(3)]
    slow.store.let_through()
    assert await answers(first, *waiting) == ["stepped-down"] * 4
    assert await answers(slow.bet("1", "red", 1_000)) == ["stepped-down"]
    await stop(slow, quick)


@played
async def test_a_writer_that_was_replaced_and_breaks_gives_one_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick = await two_writers(tmp_path)
    monkeypatch.setattr(writer, "faults_after", lambda state, entries: ["Money has appeared."])
    given: list[Reply] = []
    bet = c.PlaceBets(seat="1", stakes=(c.Stake("red", 1_000),))
    slow.run.submit_nowait(Ask(player("1"), bet, player("1").id, 99), given.append)
    while not slow.run.stepped_down:
        await turns(1)
    await stop(slow, quick)
    assert [reply.rejection and reply.rejection.code for reply in given] == ["stepped-down"]


@played
async def test_a_command_that_the_loser_sent_away_is_carried_out_once_by_the_winner(tmp_path: Path) -> None:
    slow, quick = await two_writers(tmp_path)
    actor, bet = DEALER, c.CloseBets()
    lost = await slow.run.submit(Ask(actor, bet, "console", 9))
    assert lost.rejection is not None
    won = await quick.run.submit(Ask(actor, bet, "console", 9))
    assert (won.rejection, won.repeated) == (None, False)
    await stop(slow, quick)


@played
async def test_the_loser_keeps_no_snapshot_and_beats_no_more(tmp_path: Path) -> None:
    slow, quick = await two_writers(tmp_path)
    await answers(slow.bet("1", "red", 1_000))
    quick.store.beat("T1", 1)
    slow.clock.advance(60_000)
    await turns()
    assert quick.store.last_beat("T1") == 1
    await slow.stop()
    assert slow.store.snapshots == 0
    await quick.stop()


@played
async def test_the_loser_steps_down_by_its_timer_too(tmp_path: Path) -> None:
    slow, quick = await two_writers(tmp_path)
    slow.clock.advance(30_000)
    while not slow.run.stepped_down:
        await turns(1)
    await quick.do(DEALER, c.CloseBets())
    assert (await quick.until(e.BetsClosed)).closed_by == "dealer"
    await stop(slow, quick)


@played
async def test_a_writer_whose_store_failed_does_not_go_on_behind_the_one_that_replaced_it(
    tmp_path: Path,
) -> None:
    """It reads the journal again, and finds there that it is not the writer any more."""
    slow, quick = await two_writers(tmp_path)
    slow.store.failures_before = 1
    assert await answers(slow.bet("1", "red", 1_000)) == ["not-registered"]
    assert await answers(slow.bet("1", "red", 1_000)) == ["stepped-down"]
    assert await answers(quick.bet("1", "black", 1_000)) == [None]
    await stop(slow, quick)


@played
async def test_a_writer_whose_store_failed_steps_down_by_its_timer_too(tmp_path: Path) -> None:
    slow, quick = await two_writers(tmp_path)
    slow.store.failures_before = 1
    assert await answers(slow.bet("1", "red", 1_000)) == ["not-registered"]
    for _ in range(50):
        slow.clock.advance(1_000)
        await turns(5)
    assert slow.run.stepped_down
    await stop(slow, quick)


@pytest.mark.parametrize("lost", [False, True], ids=["nothing written", "acknowledgement lost"])
@played
async def test_a_writer_that_was_not_replaced_goes_on_after_a_failure(tmp_path: Path, lost: bool) -> None:
    live = await Live(tmp_path).start()
    await live.open("1")
    await live.do(DEALER, c.OpenRound())
    live.store.failures_before, live.store.failures_after = int(not lost), int(lost)
    assert await answers(live.bet("1", "red", 1_000)) == ["not-registered"]
    assert await answers(live.bet("1", "red", 1_000)) == [None]
    await live.stop()


@played
async def test_a_writer_that_is_fenced_before_it_has_begun_does_not_start(tmp_path: Path) -> None:
    slow, quick = await two_writers(tmp_path)
    late = quick.runner()
    quick.store.hold()
    starting = quick.send(DEALER, c.CloseBets())
    await quick.store.reached()
    quick.store.let_through()
    await starting
    await late.start()
    assert await answers(quick.bet("1", "red", 1_000)) == ["stepped-down"]
    assert not late.stepped_down
    await late.stop()
    await stop(slow, quick)

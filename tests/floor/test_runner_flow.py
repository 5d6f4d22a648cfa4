"""A batch is decided while the one before it is being written, and nobody outside can tell."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from croupier.floor import Ask, Published
from croupier.journal import Head
from croupier.table import Reply
from croupier.table import commands as c
from floor.sim_live import Live, answers, played
from floor.test_runner_halting import Breakage
from table.rig import DEALER, player


async def betting(path: Path, **options: object) -> Live:
    """A table with open bets and two seats."""
    live = await Live(path).start(**options)
    await live.open("1", "2")
    await live.do(DEALER, c.OpenRound())
    return live


async def decided(live: Live, stakes: dict[str, int], seat: str = "1") -> None:
    """Returns once the table has decided bets, which may not be on the disk."""
    while live.run.state.seats[seat].stakes != stakes:
        await asyncio.sleep(0)


@played
async def test_what_is_decided_behind_a_write_is_neither_answered_nor_told(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.hold()
    first = live.bet("1", "red", 1_000)
    await live.store.reached()
    news, written = len(live.published), len(live.store.appends)
    behind = [live.bet("1", bet, 500) for bet in ("black", "even", "odd")]
    await decided(live, {"red": 1_000, "black": 500, "even": 500, "odd": 500})
    assert not any(sent.done() for sent in (first, *behind))
    assert len(live.published) == news
    assert live.store.head("T1") == Head(*live.store.appends[-1][-1][1::10])
    live.store.let_through()
    assert await answers(first, *behind) == [None] * 4
    assert [len(records) for records in live.store.appends[written:]] == [1, 3]
    assert [item.sequence for item in live.published[news:]] == [
        record.sequence for records in live.store.appends[written:] for record in records
    ]
    await live.stop()


@played
async def test_answers_come_in_order_also_where_the_journal_was_asked_about_the_sender(
    tmp_path: Path,
) -> None:
    """The first commands of a sender wait in a line of their own, and a later one does not."""
    live = await betting(tmp_path)
    replies: list[Reply] = []

    def send(number: int, bet: str) -> None:
        do = c.PlaceBets(seat="1", stakes=(c.Stake(bet, 500),))
        live.run.submit_nowait(Ask(player("1"), do, "a fresh page", number), replies.append)

    live.store.hold()
    send(1, "red")
    send(2, "black")
    await decided(live, {"red": 500, "black": 500})
    send(3, "even")
    await decided(live, {"red": 500, "black": 500, "even": 500})
    assert replies == []
    live.store.let_through()
    while len(replies) < 3:
        await asyncio.sleep(0)
    assert [reply.first for reply in replies] == sorted(reply.first for reply in replies)
    await live.stop()


@played
async def test_a_repeated_command_waits_for_the_disk_as_its_first_one_does(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    bet = c.PlaceBets(seat="1", stakes=(c.Stake("red", 1_000),))
    await live.run.submit(Ask(player("1"), bet, "terminal", 1))
    live.store.hold()
    first = asyncio.create_task(live.run.submit(Ask(player("1"), bet, "terminal", 2)))
    await live.store.reached()
    again = asyncio.create_task(live.run.submit(Ask(player("1"), bet, "terminal", 2)))
    while live.run.waiting != 1:
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    assert not again.done()
    live.store.let_through()
    assert (await again).last == (await first).last
    await live.stop()


@played
async def test_what_was_decided_behind_a_failed_write_is_decided_anew(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.hold()
    lost = live.bet("1", "red", 60_000)
    await live.store.reached()
    # 60,000 of 100,000 cents are staked as it seems now: the first one behind it is refused, and then is not.
    behind = [live.bet("1", "black", 90_000), live.bet("2", "odd", 700)]
    while live.run.waiting != 2:
        await asyncio.sleep(0)
    live.store.failures_before = 1
    live.store.let_through()
    assert await answers(lost, *behind) == ["not-registered", None, None]
    state = await live.run.settled_state()
    assert state == live.replayed()
    assert state.seats["1"].stakes == {"black": 90_000}
    assert state.seats["2"].stakes == {"odd": 700}
    await live.stop()


@played
async def test_a_write_whose_end_nobody_heard_of_counts_and_the_next_go_on_from_it(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.hold()
    unheard = live.bet("1", "red", 1_000)
    await live.store.reached()
    behind = live.bet("1", "black", 500)
    while live.run.waiting != 1:
        await asyncio.sleep(0)
    live.store.failures_after = 1
    live.store.let_through()
    assert await answers(unheard, behind) == ["not-registered", None]
    state = await live.run.settled_state()
    assert state == live.replayed()
    assert state.seats["1"].stakes == {"red": 1_000, "black": 500}
    await live.stop()


@played
async def test_an_invariant_that_breaks_behind_a_write_leaves_that_write_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await betting(tmp_path)
    breakage = Breakage(monkeypatch, "money appears")
    live.store.hold()
    whole = live.bet("1", "red", 1_000)
    await live.store.reached()
    behind = [live.bet("2", "odd", 700), live.bet("1", "black", Breakage.CENTS)]
    for _ in range(10):  # turns of the loop in which both are decided
        await asyncio.sleep(0)
    live.store.let_through()
    assert await answers(whole, *behind) == [None, "table-down", "table-down"]
    breakage.mended = True
    state = await live.run.settled_state()
    assert state == live.replayed()
    assert state.halted is not None
    assert state.seats["1"].stakes == {"red": 1_000}
    assert state.seats["2"].stakes == {}
    await live.stop()


@played
async def test_whoever_looks_while_bets_pour_in_sees_what_is_on_the_disk(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    pouring = True

    async def pour(seat: str) -> int:
        sent = 0
        while pouring:
            bets = [live.bet(seat, "red", 100) for _ in range(10)]
            assert await answers(*bets) == [None] * 10
            sent += 10
        return sent

    senders = [asyncio.create_task(pour(seat)) for seat in ("1", "2")]
    for _ in range(20):
        state = await live.run.consistent_state()
        assert state.sequence == live.store.head("T1").sequence
        await asyncio.sleep(0.002)
    pouring = False
    assert sum(await asyncio.gather(*senders)) > 0
    assert await live.run.settled_state() == live.replayed()
    await live.stop()


@played
async def test_news_are_made_with_the_state_they_tell_of_and_sent_from_the_disk(tmp_path: Path) -> None:
    composed: list[tuple[int, int]] = []
    sent: list[int] = []
    live = Live(tmp_path)

    def compose(published: Sequence[Published]) -> Callable[[], None]:
        last = published[-1].sequence
        composed.append((last, live.run.state.sequence))

        def send() -> None:
            assert last <= live.store.head("T1").sequence
            sent.append(last)

        return send

    await live.start(compose=compose)
    await live.open("1", "2")
    await live.do(DEALER, c.OpenRound())
    live.store.hold()
    first = live.bet("1", "red", 1_000)
    await live.store.reached()
    behind = [live.bet("1", "black", 500) for _ in range(3)]
    await decided(live, {"red": 1_000, "black": 1_500})
    live.store.failures_before = 1
    live.store.let_through()
    assert await answers(first, *behind) == ["not-registered", None, None, None]
    assert all(last == state for last, state in composed)
    assert len(composed) == len(sent) + 1  # the news of the failed write were made and never sent
    await live.stop()


@played
async def test_a_large_crowd_is_written_in_few_batches_in_its_order(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    before = len(live.store.appends)
    assert (
        await answers(*(live.bet("1", f"straight:{number % 37}", 100) for number in range(900)))
        == [None] * 900
    )
    assert len(live.store.appends) - before < 900 // 10
    assert await live.run.settled_state() == live.replayed()
    await live.stop()

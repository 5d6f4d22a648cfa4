"""Answers without a task for each, in order, to everybody, and however much there is to do."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from croupier.floor import Ask, Published
from croupier.floor.watching import faults_after
from croupier.journal import Record
from croupier.rulebook import BadInput, Book, load_book
from croupier.table import Entry, Posting, Reply
from croupier.table import commands as c
from croupier.table import events as e
from floor.sim_live import Live, WatchedStore, answers, played, turns
from table.rig import DEALER, Play, player

RED = c.PlaceBets(seat="1", stakes=(c.Stake("red", 500),))


async def betting(path: Path, *, store: WatchedStore | None = None, **options: object) -> Live:
    """A table with open bets."""
    live = await Live(path, store=store).start(**options)
    await live.open("1", "2")
    await live.do(DEALER, c.OpenRound())
    return live


def ask(live: Live, answered: Callable[[Reply], None], seat: str = "1") -> None:
    """Asks for a bet without a task."""
    who = player(seat)
    bet = c.PlaceBets(seat=seat, stakes=(c.Stake("red", 500),))
    live.run.submit_nowait(Ask(who, bet, who.id, live.next_number(who.id)), answered)


class Crowd:
    """Somebody who bets again with every answer, so that something waits at all times."""

    def __init__(self, live: Live) -> None:
        self.answers = 0
        self.over = False
        self._live = live
        ask(live, self._answered)
        ask(live, self._answered, "2")

    def _answered(self, reply: Reply) -> None:
        self.answers += 1
        if not self.over and reply.rejection is None:
            ask(self._live, self._answered, "1" if self.answers % 2 else "2")


@played
async def test_an_answer_comes_behind_the_news_and_never_before_the_question_is_out(tmp_path: Path) -> None:
    order: list[str] = []

    def publish(published: Sequence[Published]) -> None:
        order.append("published")

    live = await betting(tmp_path, publish=publish)
    order.clear()
    over = asyncio.Event()

    def answered(reply: Reply) -> None:
        order.append("answered")
        assert reply.entries
        over.set()

    ask(live, answered)
    order.append("asked")
    await over.wait()
    assert order == ["asked", "published", "answered"]
    await live.stop()


@pytest.mark.parametrize("why", ["bad-command", "busy", "table-down", "sender unknown"])
@played
async def test_what_is_not_put_into_the_queue_is_answered_as_well(tmp_path: Path, why: str) -> None:
    live = await (Live(tmp_path).start(queue_limit=0) if why == "busy" else betting(tmp_path))
    if why == "table-down":
        await live.run.stop()
    got: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    sender = {"bad-command": "a\nb", "sender unknown": "screen"}.get(why, "terminal-1")
    live.run.submit_nowait(Ask(player("1"), RED, sender, 100), got.set_result)
    assert not got.done()
    rejection = (await got).rejection
    assert (None if rejection is None else rejection.code) == (None if why == "sender unknown" else why)
    await live.stop()


@played
async def test_whoever_fails_to_take_an_answer_keeps_nobody_else_from_theirs(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    got: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

    def gone(reply: Reply) -> None:
        raise ConnectionResetError

    live.store.hold()
    ask(live, gone)
    ask(live, got.set_result)
    live.store.let_through()
    assert (await got).rejection is None
    assert await answers(live.bet("1", "red", 500)) == [None]
    await live.stop()


@pytest.mark.parametrize("look", ["settled_state", "consistent_state"])
@played
async def test_a_look_at_a_table_that_is_never_idle_does_not_wait_for_ever(tmp_path: Path, look: str) -> None:
    live = await betting(tmp_path)
    crowd = Crowd(live)
    before = crowd.answers
    state = await getattr(live.run, look)()
    assert state.sequence == live.published[-1].sequence
    await getattr(live.run, look)()
    crowd.over = True
    assert crowd.answers >= before
    await live.stop()


@played
async def test_everything_asked_before_a_look_is_in_it(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    for _ in range(5):
        ask(live, lambda reply: None)
    assert (await live.run.settled_state()).seats["1"].staked_cents == 2_500
    await live.stop()


@played
async def test_bets_close_on_time_however_many_come(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    crowd = Crowd(live)
    await turns(5)
    live.clock.advance(30_000)
    await live.until(e.BetsClosed)
    assert crowd.answers
    await live.stop()


@played
async def test_a_book_that_is_taken_away_does_not_stop_a_table_that_runs(tmp_path: Path) -> None:
    taken = False

    def find(book_id: str) -> Book:
        if taken:
            raise BadInput("no-book", "There is no such file.")
        return load_book(book_id)

    live = await betting(tmp_path, find_book=find)
    taken = True
    live.store.failures_before = 1
    assert await answers(live.bet("1", "red", 500)) == ["not-registered"]
    assert await answers(live.bet("1", "red", 500)) == [None]
    await live.stop()


class StrangeStore(WatchedStore):
    """A store that fails in a way nobody has thought of."""

    strange = False

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        if self.strange:
            self.strange = False
            raise ArithmeticError("nobody has thought of this")
        super().append(records, claims)


@played
async def test_a_failure_that_nobody_thought_of_is_answered_and_read_over(tmp_path: Path) -> None:
    store = StrangeStore(tmp_path / "journal.db")
    live = await betting(tmp_path, store=store)
    store.strange = True
    assert await answers(live.bet("1", "red", 500)) == ["not-registered"]
    assert await answers(live.bet("1", "red", 700)) == [None]
    assert await live.run.settled_state() == live.replayed()
    assert live.replayed().seats["1"].staked_cents == 700
    await live.stop()


@played
async def test_a_replaced_table_finds_it_out_by_its_heart(tmp_path: Path) -> None:
    """Nobody asks it anything, and still it neither beats on nor believes that it runs the table."""
    slow = await betting(tmp_path)
    quick = Live(tmp_path, store=WatchedStore(tmp_path / "journal.db"))
    await quick.start()
    beats: list[int] = []
    slow.store.beat = lambda table, at_ms: beats.append(at_ms)  # type: ignore[method-assign]  # watched
    slow.clock.advance(1_000)
    for _ in range(20):
        if not slow.run.stepped_down:
            await turns()
    assert slow.run.stepped_down
    assert len(slow.alarms) == 1
    slow.clock.advance(1_000)
    await turns()
    assert beats == []
    await slow.stop()
    await quick.stop()


def test_money_of_a_seat_that_an_event_does_not_name_is_noticed() -> None:
    play = Play().open(("1", "2"), 5_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 500})
    entry = play.entries[-1]
    assert isinstance(entry.event, e.BetsChanged)
    assert faults_after(play.state, (entry,)) == []
    changed = e.BetsChanged(
        seat="1",
        round=1,
        changes=entry.event.changes,
        placed_by="player",
        clause=None,
        postings=(Posting("credits/2", "stakes/1", 500),),
    )
    assert faults_after(play.state, (Entry(entry.cause, changed),)) == [
        "An event of seat 1 moves money of credits/2."
    ]


@played
async def test_a_table_that_is_never_idle_keeps_fewer_snapshots(tmp_path: Path) -> None:
    """Nobody waits for a snapshot while there is something else to do, unless it has been very long."""
    live = await betting(tmp_path, snapshot_every=20)
    before = live.store.snapshots
    crowd = Crowd(live)
    while crowd.answers < 300:
        await asyncio.sleep(0)
    busy, crowd.over = live.store.snapshots - before, True
    await live.run.settled_state()
    assert 2 <= busy <= 5
    await live.stop()


@played
async def test_what_a_new_sender_sends_is_carried_out_in_its_order(tmp_path: Path) -> None:
    """The journal is asked about a sender that the table does not know; what follows stays behind it."""
    live = await betting(tmp_path)
    replies: list[Reply] = []
    actor = player("1")
    for number in range(1, 61):
        do = c.PlaceBets(seat="1", stakes=(c.Stake("red", 100),)) if number % 2 else c.ClearBets(seat="1")
        live.run.submit_nowait(Ask(actor, do, "a fresh page", number), replies.append)
        await asyncio.sleep(0.0002 * (number % 5))
    while len(replies) < 60:
        await asyncio.sleep(0.001)
    assert [reply.rejection for reply in replies] == [None] * 60
    firsts = [reply.first for reply in replies]
    assert firsts == sorted(firsts)
    await live.stop()

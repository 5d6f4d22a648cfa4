"""A table on its queue: one transaction for all who wait, and no answer before it is on the disk."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from clauses import clause
from croupier.floor import Ask, Published, Runner
from croupier.journal import StoreError
from croupier.table import Actor
from croupier.table import commands as c
from croupier.table import events as e
from floor.sim_live import Live, WatchedStore, answers, played
from table.rig import DEALER, SUPERVISOR, player


async def betting(path: Path, *seats: str, **options: object) -> Live:
    """A table with open bets."""
    live = await Live(path).start(**options)
    await live.open(*seats)
    await live.do(DEALER, c.OpenRound())
    return live


@played
async def test_all_commands_that_wait_become_one_transaction(tmp_path: Path) -> None:
    live = await betting(tmp_path, "1", "2", "3")
    live.store.hold()
    first = live.bet("1", "straight:1", 500)
    await live.store.reached()
    before = len(live.store.appends)
    waiting = [live.bet(seat, f"straight:{number}", 500) for seat in "123" for number in range(5)]
    live.store.let_through()
    assert await answers(first, *waiting) == [None] * 16
    alone, together = live.store.appends[before:]
    assert (len(alone), len(together)) == (1, 15)
    await live.stop()


@played
async def test_a_batch_is_no_larger_than_its_limit(tmp_path: Path) -> None:
    live = await betting(tmp_path, batch_limit=4)
    live.store.hold()
    first = live.bet("1", "straight:1", 500)
    await live.store.reached()
    before = len(live.store.appends)
    waiting = [live.bet("1", "straight:1", 500) for _ in range(10)]
    live.store.let_through()
    await answers(first, *waiting)
    assert [len(records) for records in live.store.appends[before:]] == [1, 4, 4, 2]
    await live.stop()


@clause("mbs-roulette:5.14")
@played
async def test_no_answer_and_no_news_before_it_is_on_the_disk(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.hold()
    news = len(live.published)
    sent = live.bet("1", "straight:1", 500)
    await live.store.reached()
    assert not sent.done()
    assert len(live.published) == news
    live.store.let_through()
    assert (await sent).rejection is None
    assert len(live.published) == news + 1
    await live.stop()


@played
async def test_news_comes_in_the_order_of_the_journal_and_only_from_the_disk(tmp_path: Path) -> None:
    store = WatchedStore(tmp_path / "journal.db")
    on_disk: list[bool] = []
    sequences: list[int] = []

    def publish(published: Sequence[Published]) -> None:
        on_disk.append(published[-1].sequence <= store.head("T1").sequence)
        sequences.extend(item.sequence for item in published)

    live = await Live(tmp_path, store=store).start(publish=publish)
    await live.open("1", "2")
    await live.do(DEALER, c.OpenRound())
    await answers(*(live.bet(seat, "red", 1_000) for seat in "1212"))
    assert sequences == list(range(2, store.head("T1").sequence + 1))
    assert all(on_disk)
    await live.stop()


@played
async def test_a_full_queue_answers_busy_at_once(tmp_path: Path) -> None:
    live = await betting(tmp_path, queue_limit=3)
    live.store.hold()
    first = live.bet("1", "straight:1", 500)
    await live.store.reached()
    waiting = [live.bet("1", "straight:1", 500) for _ in range(3)]
    assert await answers(live.bet("1", "straight:1", 500)) == ["busy"]
    assert not any(sent.done() for sent in [first, *waiting])
    live.store.let_through()
    assert await answers(first, *waiting) == [None] * 4
    assert await answers(live.bet("1", "straight:1", 500)) == [None]
    await live.stop()


@played
async def test_a_repeated_number_gets_the_first_answer_and_changes_nothing(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    seat, bet = player("1"), c.PlaceBets(seat="1", stakes=(c.Stake("straight:1", 500),))
    first = await live.run.submit(Ask(seat, bet, "terminal", 7))
    head = live.store.head("T1")
    again = await live.run.submit(Ask(seat, bet, "terminal", 7))
    assert (again.repeated, again.first, again.last) == (True, first.first, first.last)
    assert live.store.head("T1") == head
    await live.stop()


@played
async def test_the_same_number_twice_in_one_batch_is_carried_out_once(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    seat, bet = player("1"), c.PlaceBets(seat="1", stakes=(c.Stake("straight:1", 500),))
    first, again = await asyncio.gather(
        live.run.submit(Ask(seat, bet, "terminal", 7)), live.run.submit(Ask(seat, bet, "terminal", 7))
    )
    assert (first.repeated, again.repeated, again.first) == (False, True, first.first)
    assert (await live.run.settled_state()).seats["1"].staked_cents == 500
    await live.stop()


@played
async def test_a_refusal_is_recorded_and_repeated(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    too_much = c.PlaceBets(seat="1", stakes=(c.Stake("red", 900_000),))
    first = await live.run.submit(Ask(player("1"), too_much, "terminal", 7))
    assert live.kinds()[-1] == "command-refused"
    again = await live.run.submit(Ask(player("1"), too_much, "terminal", 7))
    assert again.rejection == first.rejection
    assert again.repeated
    await live.stop()


@played
async def test_a_look_waits_until_nothing_is_on_its_way_to_the_disk(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.hold()
    sent = live.bet("1", "straight:1", 500)
    await live.store.reached()
    looking = asyncio.create_task(live.run.settled_state())
    await asyncio.sleep(0)
    assert not looking.done()
    live.store.let_through()
    await sent
    assert await looking == live.replayed()
    await live.stop()


@played
async def test_who_goes_away_before_the_answer_disturbs_nobody(tmp_path: Path) -> None:
    live = await betting(tmp_path, "1", "2")
    live.store.hold()
    leaving, staying = live.bet("1", "straight:1", 500), live.bet("2", "straight:2", 500)
    await live.store.reached()
    leaving.cancel()
    live.store.let_through()
    assert (await staying).rejection is None
    assert (await live.run.settled_state()).seats["1"].staked_cents == 500
    await live.stop()


@played
async def test_a_table_that_is_not_running_says_so(tmp_path: Path) -> None:
    live = await Live(tmp_path).start()
    await live.open()
    await live.stop()
    assert await live.refused(DEALER, c.OpenRound()) == "table-down"


@played
async def test_stopping_answers_everybody_who_waits_first(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.hold()
    sent = live.bet("1", "straight:1", 500)
    await live.store.reached()
    stopping = asyncio.create_task(live.run.stop())
    await asyncio.sleep(0)
    live.store.let_through()
    await stopping
    assert (await sent).rejection is None
    live.store.close()


@played
async def test_a_table_that_does_not_exist_is_not_started(tmp_path: Path) -> None:
    live = Live(tmp_path)
    runner = Runner(live.store, "T2", live.clock)
    with pytest.raises(StoreError, match="There is no table 'T2'"):
        await runner.start()
    await runner.stop()
    live.store.close()


@played
async def test_a_publisher_that_fails_does_not_stop_the_table(tmp_path: Path) -> None:
    def publish(published: Sequence[Published]) -> None:
        if any(isinstance(item.entry.event, e.RoundOpened) for item in published):
            raise RuntimeError("the screen is broken")

    live = await Live(tmp_path).start(publish=publish)
    await live.open()
    await live.do(DEALER, c.OpenRound())
    assert await answers(live.bet("1", "straight:1", 500)) == [None]
    await live.stop()


@pytest.mark.parametrize(
    ("sender", "number"),
    [("line\nfeed", 1), ("null\0character", 1), ("half \ud800 a character", 1), ("terminal", 2**63)],
    ids=["line feed", "null", "surrogate", "number"],
)
@played
async def test_a_sender_that_no_journal_can_keep_is_refused_and_the_table_goes_on(
    tmp_path: Path, sender: str, number: int
) -> None:
    live = await betting(tmp_path)
    bet = c.PlaceBets(seat="1", stakes=(c.Stake("straight:1", 500),))
    reply = await live.run.submit(Ask(player("1"), bet, sender, number))
    assert reply.rejection is not None
    assert live.alarms == []
    assert await answers(live.bet("1", "straight:1", 500)) == [None]
    await live.stop()


@played
async def test_a_text_that_no_journal_can_keep_is_refused_and_the_table_goes_on(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    nobody = Actor(id="dealer\n2", position="dealer")
    reply = await live.run.submit(Ask(nobody, c.CallNoSpin(reason="late"), "console", 1))
    assert reply.rejection is not None
    odd = await live.run.submit(Ask(SUPERVISOR, c.CallNoSpin(reason="half \ud800 a character"), "console", 2))
    assert odd.rejection is not None
    assert live.alarms == []
    assert await answers(live.bet("1", "straight:1", 500)) == [None]
    await live.stop()


@played
async def test_what_is_meant_for_a_round_is_judged_by_the_round_of_its_turn(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.hold()
    first = live.bet("1", "straight:1", 500)
    await live.store.reached()
    bet = c.PlaceBets(seat="1", stakes=(c.Stake("straight:2", 500), c.Stake("red", 500)))
    sent = [
        live.send(player("1"), bet, round_=1),
        live.send(SUPERVISOR, c.CallNoSpin(reason="a test")),
        live.send(DEALER, c.OpenRound(), round_=1),
        live.send(player("1"), bet, round_=1),
        live.send(SUPERVISOR, c.CallNoSpin(reason="the same again"), round_=1),
        live.send(player("1"), bet, round_=2),
        live.send(player("new"), c.PlaceBets(seat="1", stakes=bet.stakes), round_=1),
    ]
    live.store.let_through()
    late = "another-round"
    assert await answers(first, *sent) == [None, None, None, None, late, late, None, "not-your-seat"]
    round_ = live.replayed().round
    assert round_ is not None
    assert (round_.number, live.replayed().seats["1"].staked_cents) == (2, 1_000)
    await live.stop()


@played
async def test_a_sender_that_the_journal_is_asked_about_names_its_round_as_well(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    bet = c.PlaceBets(seat="1", stakes=(c.Stake("red", 500),))
    late = await live.run.submit(Ask(player("1"), bet, "a new terminal", 1, round=7))
    assert late.rejection is not None
    assert (late.rejection.code, live.kinds()[-1]) == ("another-round", "command-refused")
    again = await live.run.submit(Ask(player("1"), bet, "a new terminal", 1, round=1))
    assert (again.repeated, again.rejection) == (True, late.rejection)
    await live.stop()

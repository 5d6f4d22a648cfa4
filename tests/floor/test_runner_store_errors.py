"""A store that fails: nobody is told a bet is registered that is not, and nothing happens twice."""

import asyncio
import re
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest

from croupier.floor import Ask, Runner, writer
from croupier.floor.refusals import CODES
from croupier.floor.timekeeping import BEAT_SECONDS
from croupier.journal import Draft, StoreError
from croupier.table import Entry
from croupier.table import commands as c
from croupier.table import events as e
from floor.sim_live import Live, answers, played, turns
from table.rig import DEALER, player

RED = c.PlaceBets(seat="1", stakes=(c.Stake("red", 1_000),))


async def betting(path: Path, *seats: str, **chosen: object) -> Live:
    """A table with open bets."""
    live = await Live(path, **chosen).start()
    await live.open(*seats)
    await live.do(DEALER, c.OpenRound())
    return live


@played
async def test_a_failed_append_is_answered_as_not_registered(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    head = live.store.head("T1")
    live.store.failures_before = 1
    assert await answers(live.bet("1", "red", 1_000)) == ["not-registered"]
    assert live.store.head("T1") == head
    await live.stop()


@played
async def test_what_was_written_after_all_is_told_to_whoever_listens(tmp_path: Path) -> None:
    """The sender asks again, and gets its first answer; others have nobody to ask."""
    live = await betting(tmp_path)
    told = len(live.published)
    live.store.failures_after = 1
    assert await answers(live.bet("1", "red", 1_000)) == ["not-registered"]
    assert len(live.published) == told
    await live.run.consistent_state()
    (news,) = live.published[told:]
    assert isinstance(news.entry.event, e.BetsChanged)
    assert await answers(live.bet("1", "black", 1_000)) == [None]
    assert [item.sequence for item in live.published] == [
        *range(live.published[0].sequence, live.run.state.sequence + 1)
    ]
    await live.stop()


@played
async def test_everybody_in_a_failed_batch_hears_of_it(tmp_path: Path) -> None:
    live = await betting(tmp_path, "1", "2")
    live.store.hold()
    first = live.bet("1", "red", 1_000)
    await live.store.reached()
    waiting = [live.bet(seat, "red", 1_000) for seat in "1212"]
    live.store.failures_before = 2
    live.store.let_through()
    assert await answers(first, *waiting) == ["not-registered"] * 5
    await live.stop()


@played
async def test_after_a_failed_append_the_table_is_what_its_journal_says(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.failures_before = 1
    await answers(live.bet("1", "red", 1_000))
    assert await answers(live.bet("1", "black", 2_000)) == [None]
    state = await live.run.settled_state()
    assert state == live.replayed()
    assert state.seats["1"].stakes == {"black": 2_000}
    await live.stop()


@played
async def test_a_look_after_a_failed_append_does_not_show_what_is_not_on_the_disk(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.failures_before = 1
    assert await answers(live.bet("1", "red", 1_000)) == ["not-registered"]
    assert await live.run.settled_state() == live.replayed()
    await live.stop()


@played
async def test_news_of_a_failed_append_reaches_nobody(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    news = len(live.published)
    live.store.failures_before = 1
    await answers(live.bet("1", "red", 1_000))
    assert len(live.published) == news
    await live.stop()


@pytest.mark.parametrize("on_disk", [False, True], ids=["nothing written", "acknowledgement lost"])
@played
async def test_a_command_sent_again_is_carried_out_once(tmp_path: Path, on_disk: bool) -> None:
    live = await betting(tmp_path)
    if on_disk:
        live.store.failures_after = 1
    else:
        live.store.failures_before = 1
    unsure = await live.run.submit(Ask(player("1"), RED, "terminal", 7))
    assert unsure.rejection is not None
    assert unsure.rejection.code == "not-registered"
    again = await live.run.submit(Ask(player("1"), RED, "terminal", 7))
    assert again.rejection is None
    assert again.repeated is on_disk
    state = await live.run.settled_state()
    assert (state.seats["1"].staked_cents, state.credits_cents("1")) == (1_000, 99_000)
    assert state == live.replayed()
    await live.stop()


@played
async def test_a_refusal_whose_acknowledgement_was_lost_is_repeated(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    too_much = c.PlaceBets(seat="1", stakes=(c.Stake("red", 900_000),))
    live.store.failures_after = 1
    await live.run.submit(Ask(player("1"), too_much, "terminal", 7))
    again = await live.run.submit(Ask(player("1"), too_much, "terminal", 7))
    assert again.rejection is not None
    assert (again.rejection.code, again.repeated) == ("not-enough-credits", True)
    await live.stop()


@played
async def test_while_the_journal_cannot_be_read_the_table_says_that_it_does_not_know(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.failures_before = 1
    live.store.failing_reads = True
    for _ in range(3):
        assert await answers(live.bet("1", "red", 1_000)) == ["not-registered"]
    live.store.failing_reads = False
    assert await answers(live.bet("1", "red", 1_000)) == [None]
    assert (await live.run.settled_state()).seats["1"].staked_cents == 1_000
    await live.stop()


@played
async def test_a_start_that_cannot_record_the_interruption_fails(tmp_path: Path) -> None:
    """Otherwise the round would go on as if nothing had happened."""
    live = await betting(tmp_path)
    await live.run.stop()
    live.clock.advance(60_000)
    live.store.failures_before = 1
    with pytest.raises(StoreError):
        await live.start()
    await live.run.stop()
    await live.start()
    assert (await live.run.settled_state()).round is None
    assert live.kinds().count("table-interrupted") == 1
    await live.stop()


@played
async def test_the_close_comes_later_where_it_could_not_be_written_in_time(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.failures_before = 3
    live.clock.advance(30_000)
    while "bets-closed" not in live.kinds():
        await turns(5)
        live.clock.advance(1_000)
    closed = await live.until(e.BetsClosed)
    assert closed.closed_by == "timer"
    await live.stop()


@played
async def test_timers_do_not_hammer_a_store_that_fails(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.failures_before = 1_000_000
    before = live.store.attempts
    live.clock.advance(30_000)
    await turns(200)
    assert live.store.attempts - before <= 3
    live.store.failures_before = 0
    await live.stop()


@played
async def test_a_heart_that_cannot_beat_stops_nothing(tmp_path: Path) -> None:
    live = await betting(tmp_path)

    def no_beat(table: str, at_ms: int) -> None:
        raise StoreError("The disk is full.")

    live.store.beat = no_beat  # type: ignore[method-assign]  # a disk that fails only for beats
    live.clock.advance(1000 * BEAT_SECONDS)
    await turns()
    assert await answers(live.bet("1", "red", 1_000)) == [None]
    await live.stop()


@played
async def test_two_reports_of_the_system_never_take_the_same_number(tmp_path: Path) -> None:
    """Not even where the table is read again from its journal between the two."""
    live = await betting(tmp_path, "1", "2")
    live.store.failures_before = 1
    await answers(live.bet("1", "red", 1_000))
    first = asyncio.create_task(live.run.submit_as_system(c.LoseSeat(seat="1")))
    for _ in range(3):
        await asyncio.sleep(0)  # the first is on its way, and the journal is being read
    second = asyncio.create_task(live.run.submit_as_system(c.LoseSeat(seat="2")))
    assert await answers(first, second) == [None, None]
    await live.stop()


@played
async def test_a_sender_that_the_table_has_forgotten_does_not_bring_it_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its old number is in the journal and not in the table's memory any more."""
    monkeypatch.setattr(sys.modules["croupier.table.evolve"], "SENDERS_KEPT", 3)
    live = await betting(tmp_path)
    first = await live.run.submit(Ask(player("1"), RED, "old-terminal", 1))
    for number in range(5):
        await live.run.submit(Ask(player("1"), RED, f"terminal-{number}", 1))
    again = await live.run.submit(Ask(player("1"), RED, "old-terminal", 1))
    assert not live.run.stepped_down
    assert (again.rejection, again.first, again.repeated) == (None, first.first, True)
    assert await answers(live.bet("1", "red", 1_000)) == [None]
    await live.stop()


@played
async def test_a_late_copy_from_a_sender_that_was_forgotten_and_came_back_gets_its_first_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["croupier.table.evolve"], "SENDERS_KEPT", 3)
    live = await betting(tmp_path)
    first = await live.run.submit(Ask(player("1"), RED, "old-terminal", 1))
    for number in range(5):
        await live.run.submit(Ask(player("1"), RED, f"terminal-{number}", 1))
    assert (await live.run.submit(Ask(player("1"), RED, "old-terminal", 2))).rejection is None
    again = await live.run.submit(Ask(player("1"), RED, "old-terminal", 1))
    assert (again.rejection, again.first, again.repeated) == (None, first.first, True)
    await live.stop()


@played
async def test_a_table_that_has_forgotten_its_own_numbers_goes_on_with_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["croupier.table.evolve"], "SENDERS_KEPT", 3)
    live = await betting(tmp_path)
    await live.run.submit_as_system(c.LoseSeat(seat="1"))
    await live.run.submit_as_system(c.RestoreSeat(seat="1"))
    for number in range(5):
        await live.run.submit(Ask(player("1"), RED, f"terminal-{number}", 1))
    await live.run.stop()
    await live.start()
    assert live.kinds()[-1] == "table-interrupted"
    await live.stop()


@played
async def test_a_snapshot_that_cannot_be_kept_is_no_reason_to_stop(tmp_path: Path) -> None:
    live = Live(tmp_path)

    def no_room(table: str, snapshot: object) -> None:
        raise StoreError("The disk is full.")

    live.store.save_snapshot = no_room  # type: ignore[method-assign]  # a disk that fails only for snapshots
    await live.start(snapshot_every=2)
    await live.open("1", "2")
    assert await live.run.settled_state() == live.replayed()
    await live.stop()


def test_every_answer_of_the_floor_is_documented_with_its_kind() -> None:
    document = Path(__file__).parents[2] / "docs" / "rejections.md"
    _, _, of_floor = document.read_text(encoding="utf-8").partition("## Of the floor")
    listed = re.findall(r"^\| `(.+)` \| (?:malformed|illegal|not-now) \| (.+) \|$", of_floor, re.MULTILINE)
    assert listed == [*CODES.items()]


def test_every_answer_of_the_floor_says_what_to_do() -> None:
    assert set(CODES) >= {"busy", "not-registered", "stepped-down", "table-down", "voucher-used"}
    assert all(sentence.endswith(".") for sentence in CODES.values())


@played
async def test_stopping_after_a_failed_append_keeps_no_snapshot_of_what_never_was(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.failures_before = 1
    await answers(live.bet("1", "red", 1_000))
    await live.run.stop()
    await live.start()
    assert await live.run.settled_state() == live.replayed()
    assert isinstance(live.run, Runner)
    await live.stop()


@played
async def test_what_cannot_be_written_down_keeps_nobody_else_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await betting(tmp_path, "1", "2", "3")
    encode = writer.drafts_of_batch

    def of_some(commands: Sequence[Sequence[Entry]]) -> list[Draft]:
        if any(
            isinstance(entry.event, e.BetsChanged) and entry.event.seat == "2" for entry in chain(*commands)
        ):
            raise ValueError("Exceeds the limit for integer string conversion")
        return encode(commands)

    monkeypatch.setattr(writer, "drafts_of_batch", of_some)
    sent = [live.bet(seat, "red", 1_000) for seat in ("1", "2", "3")]
    assert await answers(*sent) == [None, "not-registered", None]
    assert await answers(live.bet("1", "black", 1_000)) == [None]
    assert live.replayed().seats["2"].stakes == {}
    assert live.replayed().seats["3"].stakes == {"red": 1_000}
    await live.stop()

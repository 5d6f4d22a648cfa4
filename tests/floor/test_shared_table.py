"""A table of several servers: one runs it, the others follow, and nobody who uses it notices which."""

import asyncio
from pathlib import Path

import pytest

from croupier.floor import load_table
from croupier.floor.shared.messages import Subjects, Told, decode_told, encode
from croupier.floor.shared.sealing import OVERHEAD
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal import StoreError
from croupier.table import commands as c
from croupier.table import events as e
from floor.shared_rig import SharedFloor, owners, two
from floor.sim_live import TABLE, played
from table.rig import DEALER, player


@played
async def test_a_command_at_a_follower_is_carried_out_by_the_owner_and_seen_by_both(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    reply = await floor.wait(there.bet("1", "red", 1_000))
    assert reply.rejection is None
    assert [type(entry.event) for entry in reply.entries] == [e.BetsChanged]
    assert here.table.state.seats["1"].stakes == there.table.state.seats["1"].stakes == {"red": 1_000}
    assert here.table.state == there.table.state == floor.replayed()
    assert here.sequences[-1] == there.sequences[-1] == reply.last
    assert there.sequences == [*range(there.first_told, reply.last + 1)]
    await floor.stop()


@played
async def test_a_refusal_comes_with_its_sentence_and_is_recorded(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    reply = await floor.wait(there.bet("1", "red", 99_999_999))
    assert reply.rejection is not None
    assert reply.rejection.code == (await floor.wait(here.bet("1", "red", 99_999_999))).rejection.code  # type: ignore[union-attr]  # both are refused
    assert isinstance(reply.entries[0].event, e.CommandRefused)
    await floor.stop()


@played
async def test_an_answer_comes_behind_the_news_that_it_rests_on(tmp_path: Path) -> None:
    floor, _, there = await two(tmp_path)
    floor.exchange.drop = lambda subject: subject.endswith(".told")
    sent = there.bet("1", "red", 1_000)
    before = there.table.state.sequence
    reply = await floor.wait(sent)
    assert reply.last > before  # the news were lost, and the answer has waited until the journal was read
    assert [told >= answer.last for answer, told in there.answers] == [True] * len(there.answers)
    assert there.table.state.seats["1"].stakes == {"red": 1_000}
    await floor.stop()


@played
async def test_a_follower_that_misses_messages_reads_the_journal(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    floor.exchange.drop = lambda subject: subject.endswith(".told")
    for _ in range(3):
        await floor.wait(here.bet("2", "even", 500))
    behind = there.table.state.sequence
    assert behind < here.table.state.sequence
    floor.exchange.drop = lambda subject: False
    await floor.together(here, there)
    assert there.table.state == here.table.state
    assert there.sequences == [*range(there.first_told, here.table.state.sequence + 1)]
    await floor.stop()


@played
async def test_what_is_told_twice_happens_once(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    floor.exchange.twice = lambda subject: True
    replies = [await floor.wait(there.bet("1", bet, 500)) for bet in ("red", "black", "even")]
    assert [reply.repeated for reply in replies] == [False] * 3
    assert there.table.state.seats["1"].stakes == {"red": 500, "black": 500, "even": 500}
    await floor.together(here, there)
    assert there.sequences == [*range(there.first_told, here.table.state.sequence + 1)]
    assert here.table.state == there.table.state == floor.replayed()
    await floor.stop()


def placed_number(floor: SharedFloor) -> int:
    return floor._numbers["terminal-1"]


@played
async def test_another_server_takes_the_table_of_one_that_died(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    placed = await floor.wait(there.bet("1", "red", 1_000))
    here.die()
    await floor.until(lambda: there.table.is_owner)
    state = there.table.state
    assert state.seats["1"].stakes == {"red": 1_000}
    last = there.news[-1][0].entry.event
    assert isinstance(last, e.TableInterrupted)
    assert there.sequences == [*range(there.first_told, state.sequence + 1)]
    assert placed.last < state.sequence
    again = await floor.wait(
        there.send(player("1"), c.PlaceBets(seat="1", stakes=(c.Stake("red", 1_000),)), placed_number(floor))
    )
    assert again.repeated
    assert again.first == placed.first
    await floor.stop()


@played
async def test_an_owner_that_has_lost_its_lease_steps_down_and_follows(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    here.leases.lose()
    there.leases.take(TABLE)  # it is faster
    await floor.until(lambda: owners(here, there) == [there])
    reply = await floor.wait(here.bet("2", "odd", 700))
    assert reply.rejection is None
    await floor.together(here, there)
    assert here.table.state == there.table.state == floor.replayed()
    assert here.sequences == [*range(here.first_told, here.table.state.sequence + 1)]
    await floor.stop()


@played
async def test_a_server_without_a_bus_takes_a_table_and_answers_whoever_waits_there(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    there.bus.is_up = False
    sent = there.bet("1", "red", 1_000)
    here.die()
    assert (await floor.wait(sent)).rejection is None
    assert there.table.is_owner
    there.bus.is_up = True
    await floor.stop()


@played
async def test_a_server_that_hangs_loses_its_table_and_one_that_cannot_be_heard_does_not(
    tmp_path: Path,
) -> None:
    floor, here, there = await two(tmp_path)
    here.bus.is_up = False
    await floor.until(lambda: floor.clock.now_ms() > here.first_told_ms + 60_000)
    assert owners(there) == []  # the journal says that the owner is alive
    assert here.table.is_owner
    here.hang()
    await floor.until(lambda: there.table.is_owner)
    await floor.stop()


@played
async def test_a_table_that_is_handed_over_is_with_another_server_at_once(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    handing = asyncio.ensure_future(here.table.hand_over())
    await floor.until(lambda: handing.done() and there.table.is_owner)
    assert (await floor.wait(here.bet("1", "red", 1_000))).rejection is None
    there.die()
    await floor.until(lambda: floor.clock.now_ms() > 0 and TABLE not in floor.holders.of)
    await asyncio.sleep(0.05)
    floor.clock.advance(10_000)
    await asyncio.sleep(0.05)
    assert not here.table.is_owner  # whoever leaves does not take it back
    await floor.stop()


@played
async def test_a_server_that_stops_in_good_order_leaves_the_table_to_the_other(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    await floor.wait(here.bet("1", "red", 1_000))
    stopping = asyncio.ensure_future(here.table.stop())
    await floor.until(stopping.done)
    here.bus.is_up = False
    await floor.until(lambda: there.table.is_owner)
    assert there.table.state.seats["1"].stakes == {"red": 1_000}
    await floor.stop()


@played
async def test_a_server_that_is_not_to_take_a_table_first_waits_for_the_other(tmp_path: Path) -> None:
    floor = SharedFloor(tmp_path)
    late = await floor.server("late", takes_first=False)
    assert not late.table.is_owner
    first = await floor.server("first")
    assert owners(late, first) == [first]
    await floor.stop()


@played
async def test_what_was_overheard_is_no_sign_of_life(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    told = Subjects("test").told(TABLE)
    await floor.until(lambda: any(subject == told for subject, _ in floor.exchange.passed))
    overheard = [data for subject, data in floor.exchange.passed if subject == told]
    here.die()
    died_ms = floor.clock.now_ms()
    somebody = floor.exchange.bus()

    def is_taken() -> bool:
        for data in overheard[-20:]:
            somebody.send(told, data)
        return there.table.is_owner or floor.clock.now_ms() > died_ms + 30_000

    await floor.until(is_taken)
    assert floor.clock.now_ms() < died_ms + 10_000
    await floor.stop()


@played
async def test_messages_of_another_floor_are_not_believed(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    stranger = floor.exchange.bus()
    subject = next(name for name, _ in floor.exchange.passed if name.endswith(".told"))
    forged = Told(owner="stranger", first=there.table.state.sequence + 1, leaving=True)
    stranger.send(subject, bytes(40) + encode(forged))
    asked = subject.replace(".told", ".ask")
    stranger.send(asked, b"{}", f"{asked}.answers.1")
    genuine = [data for name, data in floor.exchange.passed if name == subject][-1]
    stranger.send(asked, genuine, f"{asked}.answers.1")  # sealed by the floor, and for something else
    sequence = here.table.state.sequence
    await floor.until(lambda: floor.clock.now_ms() % 1_000 == 0)
    assert (here.table.state.sequence, there.table.state.sequence) == (sequence, sequence)
    assert owners(here, there) == [here]
    await floor.stop()


@played
async def test_news_that_are_too_large_for_one_message_are_seen_together(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path, most_bytes=20_000)
    bets = [bet for bet in here.table.rules.layout.bets if bet.startswith(("split", "corner", "straight"))]
    seats = [str(seat) for seat in range(3, 43)]
    for seat in seats:
        await here.do(DEALER, c.OpenSeat(seat=seat, kind=here.table.rules.seat_kinds[0]))
        await here.do(player(seat), c.BuyCredits(seat=seat, cents=100_000))
        stakes = tuple(c.Stake(bet, 100) for bet in bets)
        await here.do(player(seat), c.PlaceBets(seat=seat, stakes=stakes))
    for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="17")):
        await here.do(DEALER, do)
    await floor.together(here, there)
    passed = len(floor.exchange.passed)
    reply = await floor.wait(there.send(DEALER, c.ConfirmResult(result="17")))
    assert reply.rejection is None
    told = [data for name, data in floor.exchange.passed[passed:] if name.endswith(".told")]
    parts = [part for data in told if (part := decode_told(data[OVERHEAD:])).entries]
    assert len(parts) > 1
    assert [part.more for part in parts] == [True] * (len(parts) - 1) + [False]
    assert max(map(len, told)) <= 20_000 + OVERHEAD
    settled = [at for item, at in there.news if isinstance(item.entry.event, e.SeatSettled)]
    assert len(settled) == len(seats)
    assert set(settled) == {reply.last}  # nobody saw a round that was settled for some and not for others
    assert (
        len(reply.entries) == reply.last - reply.first + 1
    )  # they were too many for the answer, and are there
    assert there.table.state == floor.replayed()
    await floor.stop()


@played
async def test_a_journal_of_several_owners_verifies(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    await floor.wait(there.bet("1", "red", 1_000))
    here.die()
    await floor.until(lambda: there.table.is_owner)
    third = await floor.server("c")
    assert not third.table.is_owner
    await floor.wait(third.bet("2", "black", 1_000))
    await floor.together(there, third)
    assert third.table.state == there.table.state
    await floor.stop()
    evidence = open_evidence(str(tmp_path / "journal.db"))
    reports = verify_journal(evidence)
    assert [report.first_misfit for report in reports] == [None]
    evidence.close()


@played
async def test_a_follower_says_so_where_there_is_no_such_table(tmp_path: Path) -> None:
    floor = SharedFloor(tmp_path)
    loaded = load_table(floor.store, TABLE)
    assert loaded is not None
    floor.store.close()
    with pytest.raises(StoreError, match="journal"):
        await floor.server("a")

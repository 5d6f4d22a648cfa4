"""A shared table in the worst moment: nothing is told twice or never, and nobody waits for ever."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from croupier.floor import Ask, Published
from croupier.floor.office.command import command_stopped_table
from croupier.floor.shared.bus import Heard
from croupier.floor.shared.following import Following
from croupier.journal import StoreError
from croupier.rulebook import BadInput
from croupier.table import Reply
from croupier.table import commands as c
from floor.shared_rig import owners, two
from floor.sim_live import TABLE, played
from table.rig import DEALER, player


def inside(table: object) -> Any:
    """A table with what is nobody's business but a test's."""
    return table


@played
async def test_what_was_followed_during_the_takeover_is_not_told_again(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    floor.exchange.drop = lambda subject: subject.endswith(".told")
    await floor.wait(here.bet("1", "red", 500))
    table = inside(there.table)
    missed = table._missed

    async def slowly(runner: object) -> list[Published]:
        found: list[Published] = await missed(runner)
        await table._following.catch_up()  # the journal was being read here all the time
        return found

    table._missed = slowly
    here.die()
    await floor.until(lambda: there.table.is_owner)
    assert there.sequences == [*range(there.first_told, there.table.state.sequence + 1)]
    await floor.stop()


@played
async def test_an_answer_that_comes_before_the_table_is_followed_waits_for_the_news(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor, here, there = await two(tmp_path)
    gate, load = asyncio.Event(), Following.load

    async def late(following: Following, told_to: int | None = None) -> list[Published]:
        await gate.wait()
        return await load(following, told_to)

    monkeypatch.setattr(Following, "load", late)
    handing = asyncio.ensure_future(here.table.hand_over())
    await floor.until(lambda: there.table.is_owner)
    answered = len(floor.exchange.passed)
    sent = here.bet("1", "red", 1_000)
    await floor.until(
        lambda: any(".answers." in name for name, _ in floor.exchange.passed[answered:]) or sent.done()
    )
    for _ in range(10):
        await asyncio.sleep(0)
    gate.set()
    reply = await floor.wait(sent)
    assert reply.rejection is None
    assert here.answers[-1][1] >= reply.last  # what it rests on was told first
    await floor.until(handing.done)
    await floor.stop()


@played
async def test_a_command_to_a_table_that_has_stopped_is_answered(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    for server in (there, here):
        stopping = asyncio.ensure_future(server.table.stop())
        await floor.until(stopping.done)
        reply = await floor.wait(server.bet("1", "red", 1_000))
        assert reply.rejection is not None
        assert reply.rejection.code == "table-down"
        server.bus.is_up = False
    await floor.stop()


@played
async def test_a_sender_that_fails_at_its_answer_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    there.leases.is_reachable = False
    here.die()

    def fails(reply: Reply) -> None:
        raise RuntimeError("it has gone away")

    do = c.PlaceBets(seat="1", stakes=(c.Stake("red", 500),))
    there.table.submit_nowait(Ask(player("1"), do, "terminal-1", 1_000), fails)
    first = there.bet("1", "red", 500)
    assert (await floor.wait(first)).rejection is not None
    later = await floor.wait(there.bet("1", "red", 500))
    assert later.rejection is not None
    assert later.rejection.code == "not-registered"
    await floor.stop()


@played
async def test_a_command_that_cannot_be_sent_keeps_nobody_else_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor, _, there = await two(tmp_path)
    for number in (2**64, -(2**63) - 1):
        malformed = await floor.wait(there.send(player("1"), c.CallAttendant(seat="1"), number))
        assert malformed.rejection is not None
        assert malformed.rejection.code == "bad-command"
    # What is sent again is not lost either where the bus fails in an unexpected way meanwhile.
    send, failures = there.bus.send, iter([RuntimeError("first"), RuntimeError("again")])

    def failing(subject: str, data: bytes, reply_to: str = "") -> None:
        if (error := next(failures, None)) is not None:
            raise error
        send(subject, data, reply_to)

    monkeypatch.setattr(there.bus, "send", failing)
    assert (await floor.wait(there.bet("1", "red", 500))).rejection is None
    assert there.table.waiting == 0
    await floor.stop()


@played
async def test_what_looks_like_an_answer_and_is_none_does_no_harm(tmp_path: Path) -> None:
    floor, _, there = await two(tmp_path)
    asking = inside(there.table)._asking
    for number in ("x", "", "²", "-1", "9" * 5_000):
        asking._hear(Heard(f"{asking._inbox}.{number}", b"", "", False))
    assert (await floor.wait(there.bet("1", "red", 500))).rejection is None
    await floor.stop()


@played
async def test_a_lease_that_was_taken_in_the_moment_of_stopping_is_given_back(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    gate, reached, lock = threading.Event(), threading.Event(), threading.Lock()
    take, give_back = there.leases.take, there.leases.give_back

    def slowly(table: str) -> bool:
        with lock:
            reached.set()
            gate.wait()
            return take(table)

    def in_turn(table: str) -> None:
        with lock:
            give_back(table)

    leases: Any = there.leases
    leases.take, leases.give_back = slowly, in_turn
    here.die()
    await floor.until(reached.is_set)
    stopping = asyncio.ensure_future(there.table.stop())
    await asyncio.sleep(0)
    gate.set()
    await floor.until(stopping.done)
    there.bus.is_up = False
    assert floor.holders.of == {}
    await floor.stop()


@played
async def test_a_settled_state_does_not_wait_for_what_is_asked_later(tmp_path: Path) -> None:
    floor, _, there = await two(tmp_path)
    floor.exchange.drop = lambda subject: subject.endswith(".ask")
    there.bet("1", "red", 500)
    settling = asyncio.ensure_future(there.table.settled_state())

    def is_settled() -> bool:
        if floor.clock.now_ms() % 500 == 0:
            there.bet("2", "red", 500)
        return settling.done()

    await floor.until(is_settled)
    assert there.table.waiting > 0
    await floor.stop()


@played
async def test_handing_over_succeeds_where_the_journal_cannot_be_read_just_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor, here, there = await two(tmp_path)
    load, fails = Following.load, [True]

    async def fail(following: Following, told_to: int | None = None) -> list[Published]:
        if fails[0]:
            raise StoreError("The disk cannot be read.")
        return await load(following, told_to)

    monkeypatch.setattr(Following, "load", fail)
    handing = asyncio.ensure_future(here.table.hand_over())
    await floor.until(handing.done)
    handing.result()
    await floor.until(lambda: owners(here, there) == [there])
    fails[0] = False
    await floor.until(lambda: not here.table.is_owner and inside(here.table)._following is not None)
    assert (await floor.wait(here.bet("1", "red", 500))).rejection is None
    assert here.table.state == there.table.state
    assert here.sequences == [*range(here.first_told, here.table.state.sequence + 1)]
    await floor.stop()


@played
async def test_nobody_is_shown_what_never_happened_while_the_journal_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor, here, there = await two(tmp_path)
    there.leases.is_reachable = False
    load = Following.load

    async def fail(following: Following, told_to: int | None = None) -> list[Published]:
        raise StoreError("The disk cannot be read.")

    monkeypatch.setattr(Following, "load", fail)
    floor.store.failures_before = 1
    here.leases.is_reachable = False
    refused = await floor.wait(here.bet("1", "red", 1_000))
    assert refused.rejection is not None
    await floor.until(lambda: not here.table.is_owner)
    with pytest.raises(StoreError):
        await here.table.consistent_state()
    monkeypatch.setattr(Following, "load", load)
    assert not (await here.table.consistent_state()).seats["1"].stakes
    await floor.stop()


@played
async def test_commands_that_the_journal_is_asked_about_outlive_the_hand_over(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    gate = threading.Event()
    inside(here.table)._runner._own_thread.submit(gate.wait)
    new = player("9")
    do = c.PlaceBets(seat="1", stakes=(c.Stake("red", 500),))
    sent = [here.send(new, do) for _ in range(3)]
    await asyncio.sleep(0)
    handing = asyncio.ensure_future(here.table.hand_over())
    for _ in range(20):
        await asyncio.sleep(0.001)
    gate.set()
    replies = [await floor.wait(one) for one in sent]
    assert [reply.first > 0 for reply in replies] == [True] * 3  # each is in the journal
    await floor.until(handing.done)
    assert owners(here, there) == [there]
    await floor.stop()


@played
async def test_what_a_server_missed_while_it_ran_the_table_is_told_with_the_state_behind_it(
    tmp_path: Path,
) -> None:
    """It hung with a command under way that never came to the disk, and another one took the table."""
    floor, here, there = await two(tmp_path)
    here.bus.is_up = False
    del floor.holders.of[TABLE]
    here.leases.held = lambda: frozenset({TABLE})  # type: ignore[method-assign]  # it has not looked yet
    await floor.until(lambda: there.table.is_owner)
    for bet in ("red", "black", "even"):
        await floor.wait(there.bet("2", bet, 500))
    known = len(here.news)
    here.bus.is_up = True
    assert (await floor.wait(here.bet("1", "red", 1_000))).rejection is None
    await floor.until(lambda: owners(here, there) == [there])
    await floor.together(here, there)
    assert [at >= item.sequence for item, at in here.news[known:]] == [True] * len(here.news[known:])
    assert here.sequences == [*range(here.first_told, here.table.state.sequence + 1)]
    await floor.stop()


@played
async def test_what_was_written_without_anybody_knowing_is_told_all_the_same(tmp_path: Path) -> None:
    """The connection to the journal is lost behind the commit, and nothing else happens at the table."""
    floor, here, there = await two(tmp_path)
    floor.store.failures_after = 1
    reply = await floor.wait(here.bet("1", "red", 500))
    assert reply.rejection is not None
    assert reply.rejection.code == "not-registered"
    head = floor.store.head(TABLE).sequence
    await floor.until(lambda: here.sequences[-1] == there.sequences[-1] == head)
    floor.store.failures_after = 1
    await floor.wait(here.bet("1", "red", 500))
    await floor.wait(here.bet("2", "red", 500))  # and where something else does
    await floor.together(here, there)
    assert here.sequences == [*range(here.first_told, here.table.state.sequence + 1)]
    await floor.stop()


@played
async def test_a_command_past_the_servers_is_refused_or_followed_by_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `croupier admin limits set` gives one: to a table that no server runs, as far as it can know."""
    floor, here, there = await two(tmp_path)
    await floor.until(lambda: floor.store.last_beat(TABLE) is not None)
    do = c.OpenSeat(seat="7", kind=here.table.rules.seat_kinds[0])
    with pytest.raises(BadInput) as refused:
        command_stopped_table(floor.store, floor.clock, TABLE, do, DEALER)
    assert refused.value.code == "table-running"
    with monkeypatch.context() as patched:
        patched.setattr(floor.store, "last_beat", lambda table: None)
        reply = command_stopped_table(floor.store, floor.clock, TABLE, do, DEALER)
    assert reply.rejection is None
    await floor.until(lambda: all("7" in server.table.state.seats for server in (here, there)))
    assert (await floor.wait(here.bet("1", "red", 500))).last  # the one that was fenced has asked again
    await floor.until(lambda: len(owners(here, there)) == 1)
    await floor.together(here, there)
    assert here.table.state == there.table.state == floor.replayed()
    for server in (here, there):
        assert server.sequences == [*range(server.first_told, server.table.state.sequence + 1)]
    await floor.stop()

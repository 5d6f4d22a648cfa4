"""A shared table in the worst moment: nothing is told twice or never, and nobody waits for ever."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from croupier.floor import ManualClock, Published, create_table
from croupier.floor.bus import Heard
from croupier.floor.office_command import command_stopped_table
from croupier.floor.shared_following import Following, entries_behind
from croupier.floor.shared_messages import Told
from croupier.floor.shared_suspicion import HUNG_MS, Suspicion
from croupier.journal import StoreError
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import BadInput, load_book
from croupier.table import Reply, evolve
from croupier.table import commands as c
from floor.shared_rig import Server, SharedFloor, owners
from floor.sim_live import TABLE, played, settings
from table.rig import DEALER, START_MS, SUPERVISOR, player


async def two(path: Path) -> tuple[SharedFloor, Server, Server]:
    """A floor with two servers, and bets open for two seats at the first one's table."""
    floor = SharedFloor(path)
    here, there = await floor.server("a"), await floor.server("b")
    await floor.open(here, "1", "2")
    await floor.together(here, there)
    return floor, here, there


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
    there.table.submit_nowait(player("1"), do, "terminal-1", 1_000, None, fails)
    first = there.bet("1", "red", 500)
    assert (await floor.wait(first)).rejection is not None
    later = await floor.wait(there.bet("1", "red", 500))
    assert later.rejection is not None
    assert later.rejection.code == "not-registered"
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


class Followed:
    """A table in a journal, and somebody who follows it by hand."""

    def __init__(self, path: Path) -> None:
        rules, chosen = settings()
        self.store = SqliteStore(path / "journal.db")
        create_table(self.store, rules, chosen, START_MS, SUPERVISOR)
        self.told: list[list[int]] = []
        self.following = Following(self.store, TABLE, load_book, self._tell)

    def _tell(self, published: Sequence[Published]) -> None:
        self.told.append([item.sequence for item in published])


async def played_on(path: Path) -> tuple[SharedFloor, list[Published]]:
    """A floor with a history, and what there is behind the table's creation."""
    floor = SharedFloor(path)
    server = await floor.server("a")
    await floor.open(server, "1", "2")
    await floor.wait(server.bet("1", "red", 500))
    return floor, entries_behind(floor.store, TABLE, 1)


def part(published: Sequence[Published], *, more: bool = False) -> Told:
    return Told(
        owner="x", first=published[0].sequence, entries=tuple(item.entry for item in published), more=more
    )


@played
async def test_a_message_that_comes_again_between_two_parts_does_not_tear_them_apart(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    followed = Followed(tmp_path / "other")
    await followed.following.load()
    floor, history = await played_on(tmp_path)
    followed.following.hear(part(history[:2]))
    followed.following.hear(part(history[2:4], more=True))
    followed.following.hear(Told(owner="x", first=history[0].sequence))  # how far it was, said again
    followed.following.hear(part(history[:2]))
    assert followed.told == [[2, 3]]
    followed.following.hear(part(history[4:6]))
    assert followed.told == [[2, 3], [4, 5, 6, 7]]
    followed.store.close()
    await floor.stop()


@played
async def test_one_that_was_stopped_before_it_could_read_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = Followed(tmp_path)
    await followed.following.load()
    followed.following.hear(Told(owner="x", first=100))
    followed.following.stop()
    await asyncio.sleep(0)
    turns = 0
    wait = asyncio.wait

    async def counted(*args: Any, **kwargs: Any) -> Any:
        nonlocal turns
        turns += 1
        assert turns < 10, "it waits for something that will never be there"
        return await wait(*args, **kwargs)

    monkeypatch.setattr(asyncio, "wait", counted)
    await followed.following.catch_up()
    followed.store.close()


@played
async def test_what_cannot_be_followed_is_read_until_it_can_and_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Carrying something out fails in the middle, and the journal cannot be read just then either."""
    floor, here, there = await two(tmp_path)
    broken, load = [True], Following.load

    def break_once(rules: Any, state: Any, entry: Any) -> None:
        if broken[0] and entry.cause.actor.id == "terminal-2":
            state.seats["2"].credits_cents = -1
            raise KeyError("no such thing")
        evolve(rules, state, entry)

    async def fail(following: Following, told_to: int | None = None) -> list[Published]:
        if broken[0]:
            raise KeyError("no such thing")
        return await load(following, told_to)

    monkeypatch.setattr("croupier.floor.shared_following.evolve", break_once)
    monkeypatch.setattr(Following, "load", fail)
    floor.exchange.drop = lambda subject: subject.endswith(".told")
    await floor.wait(here.bet("1", "red", 500))
    await floor.wait(here.bet("2", "red", 500))
    floor.exchange.drop = lambda subject: False
    for _ in range(5):  # it is tried again with every message
        await floor.until(lambda: floor.clock.now_ms() % 1_000 == 0)
        floor.clock.advance(50)
    broken[0] = False
    await floor.until(lambda: there.table.state == here.table.state)
    assert there.sequences == [*range(there.first_told, here.table.state.sequence + 1)]
    await floor.stop()


class _Beats(SqliteStore):
    beat_ms: int | None = 1

    def last_beat(self, table: str) -> int | None:
        return self.beat_ms


@played
async def test_whoever_took_the_table_from_one_that_hangs_is_not_suspected_at_once(tmp_path: Path) -> None:
    store, clock = _Beats(tmp_path / "journal.db"), ManualClock(START_MS)
    suspicion = Suspicion(store, TABLE, clock)
    assert not await suspicion.is_confirmed()
    clock.advance(HUNG_MS - 1)
    assert not await suspicion.is_confirmed()
    clock.advance(1)
    assert await suspicion.is_confirmed()
    assert not await suspicion.is_confirmed()  # whoever has it now reads the journal first
    clock.advance(HUNG_MS - 1)
    store.beat_ms = 2
    assert not await suspicion.is_confirmed()
    clock.advance(HUNG_MS - 1)
    assert not await suspicion.is_confirmed()
    store.close()

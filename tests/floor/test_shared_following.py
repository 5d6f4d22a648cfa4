"""Following a table that another server runs: in order, without a gap, and told once."""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from croupier.floor import ManualClock, Published, create_table
from croupier.floor.shared.following import Following
from croupier.floor.shared.messages import Told
from croupier.floor.shared.suspicion import HUNG_MS, Suspicion
from croupier.floor.shared.table import LOOK_MS
from croupier.floor.writer import entries_behind
from croupier.journal import Head, StoreError
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import load_book
from croupier.table import evolve
from floor.shared_rig import SharedFloor, two
from floor.sim_live import TABLE, played, settings
from table.rig import START_MS, SUPERVISOR


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

    monkeypatch.setattr("croupier.floor.shared.following.evolve", break_once)
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


class _Unreadable(SqliteStore):
    """A journal that cannot be read, in a file that is well."""

    asked = 0
    is_readable = True

    def head(self, table: str) -> Head:
        self.asked += 1
        if not self.is_readable:
            raise StoreError("The connection is refused.")
        return super().head(table)


@played
async def test_a_journal_that_cannot_be_read_is_not_asked_again_with_every_message(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A server lost bus and database and has the bus again: of a busy table it hears hundreds a second."""
    floor, history = await played_on(tmp_path)
    store = _Unreadable(tmp_path / "journal.db")
    followed: list[int] = []
    following = Following(
        store, TABLE, load_book, lambda published: followed.extend(item.sequence for item in published)
    )
    await following.load(1)
    await floor.wait(floor.servers[0].bet("1", "red", 500))
    store.is_readable, store.asked = False, 0
    for number in range(2, 52):
        following.hear(Told(owner="x", first=len(history) + 1 + number))
        await asyncio.to_thread(int)  # a turn for whoever reads
    assert store.asked == 1
    store.is_readable = True
    while not followed:
        following.hear(Told(owner="x", first=len(history) + 60))
        await asyncio.sleep(0.001)
    assert followed == [len(history) + 2]
    said = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert said == [f"table {TABLE}: what was missed cannot be read yet: The connection is refused."]
    following.stop()
    store.close()
    await floor.stop()


class _Beats(SqliteStore):
    beat_ms: int | None = 1

    def last_beat(self, table: str) -> int | None:
        return self.beat_ms


async def watched(suspicion: Suspicion, clock: ManualClock, milliseconds: int) -> bool:
    """Whether the owner is found to hang by whoever looks twice a second for so long."""
    found = False
    while milliseconds and not found:
        clock.advance(min(milliseconds, LOOK_MS))
        milliseconds -= min(milliseconds, LOOK_MS)
        found = await suspicion.is_confirmed()
    return found


@played
async def test_whoever_took_the_table_from_one_that_hangs_is_not_suspected_at_once(tmp_path: Path) -> None:
    store, clock = _Beats(tmp_path / "journal.db"), ManualClock(START_MS)
    suspicion = Suspicion(store, TABLE, clock)
    assert not await suspicion.is_confirmed()
    assert not await watched(suspicion, clock, HUNG_MS - 1)
    assert await watched(suspicion, clock, 1)
    assert not await suspicion.is_confirmed()  # whoever has it now reads the journal first
    assert not await watched(suspicion, clock, HUNG_MS - 1)
    store.beat_ms = 2
    assert not await suspicion.is_confirmed()
    assert not await watched(suspicion, clock, HUNG_MS - 1)
    store.close()


@pytest.mark.parametrize("beat_ms", [None, 1])
@played
async def test_a_clock_that_is_set_ahead_makes_nobody_hang(tmp_path: Path, beat_ms: int | None) -> None:
    store, clock = _Beats(tmp_path / "journal.db"), ManualClock(START_MS)
    store.beat_ms = beat_ms
    suspicion = Suspicion(store, TABLE, clock)
    clock.advance(86_400_000)
    assert not await suspicion.is_confirmed(), "an owner that nobody has looked at yet"
    clock.advance(86_400_000)
    assert not await suspicion.is_confirmed(), "one that has had no time for its next sign of life"
    assert await watched(suspicion, clock, HUNG_MS)
    store.close()


class _Full(SqliteStore):
    is_full = False

    def beat(self, table: str, at_ms: int) -> None:
        if self.is_full:
            raise StoreError("The disk is full.")
        super().beat(table, at_ms)


@played
async def test_whoever_cannot_write_itself_suspects_nobody(tmp_path: Path) -> None:
    store, clock = _Full(tmp_path / "journal.db"), ManualClock(START_MS)
    store.beat(TABLE, START_MS)
    suspicion = Suspicion(store, TABLE, clock)
    assert not await suspicion.is_confirmed()
    assert not await watched(suspicion, clock, HUNG_MS - 1)
    clock.advance(1)
    store.is_full = True
    with pytest.raises(StoreError, match="full"):
        await suspicion.is_confirmed()
    store.close()


@played
async def test_an_owner_that_nobody_could_hear_or_write_for_is_not_driven_out(tmp_path: Path) -> None:
    """The bus is down, and the journal takes nothing for a while: the owner has done nothing wrong."""
    floor, here, there = await two(tmp_path)
    there.bus.is_up = False
    full, beat = [False], floor.store.beat

    def beaten(table: str, at_ms: int) -> None:
        if full[0]:
            raise StoreError("The disk is full.")
        beat(table, at_ms)

    floor.store.beat = beaten  # type: ignore[method-assign]  # for as long as it is full
    evicted: list[str] = []
    there.leases.evict = evicted.append  # type: ignore[method-assign]  # nobody is to be driven out
    for full[0] in (False, True, False):
        begun_ms = floor.clock.now_ms()
        await floor.until(lambda begun_ms=begun_ms: floor.clock.now_ms() > begun_ms + 3 * HUNG_MS)
    assert evicted == []
    here.hang()
    await floor.until(lambda: evicted == [TABLE])
    there.bus.is_up = True
    await floor.stop()

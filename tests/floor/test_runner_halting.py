"""An invariant that breaks stops the table, loudly; only a shift manager lets it play again."""

import sys
from pathlib import Path
from typing import Any

import pytest

from croupier.journal import EMPTY, Head, misfit
from croupier.table import Entry, State
from croupier.table import commands as c
from croupier.table import events as e
from floor.sim_live import Live, answers, played
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR, player

WRITER = sys.modules["croupier.floor.writer"]
AT_ONCE = sys.modules["croupier.table.at_once"]
EVOLVE = sys.modules["croupier.table.evolve"]


class Breakage:
    """Breaks a table's money, its rules or its memory for bets of one amount, as a defect would."""

    CENTS = 666

    def __init__(self, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
        self.mended = False
        self._play, self._faults = WRITER.play, WRITER.faults_after
        self._plain, self._stakes = AT_ONCE.plain_bet, EVOLVE.change_stakes
        where, name = {
            "money appears": (WRITER, "play"),
            "carrying out raises": (EVOLVE, "change_stakes"),
            "deciding raises": (AT_ONCE, "plain_bet"),
            "a watcher finds it": (WRITER, "faults_after"),
        }[how]
        monkeypatch.setattr(where, name, getattr(self, "_" + how.replace(" ", "_")))

    def _hits(self, thing: Any) -> bool:
        return not self.mended and str(self.CENTS) in repr(thing)

    def _money_appears(self, rules: Any, state: State, command: c.Command) -> Any:
        reply = self._play(rules, state, command)
        if self._hits(command):
            state.balances["credits/1"] += 1
        return reply

    def _carrying_out_raises(self, rules: Any, state: State, seat: str, changes: Any) -> Any:
        if self._hits(changes):
            raise KeyError("a seat that is not there")
        return self._stakes(rules, state, seat, changes)

    def _deciding_raises(self, rules: Any, state: State, command: c.Command) -> Any:
        if self._hits(command):
            raise ZeroDivisionError("a share of nothing")
        return self._plain(rules, state, command)

    def _a_watcher_finds_it(self, state: State, entries: tuple[Entry, ...]) -> list[str]:
        if self._hits(entries):
            return ["All accounts together hold 1 cents; they must hold nothing."]
        return list(self._faults(state, entries))


WAYS = ["money appears", "carrying out raises", "deciding raises", "a watcher finds it"]


async def betting(path: Path, **options: object) -> Live:
    """A table with open bets and one bet of another seat."""
    live = await Live(path).start(**options)
    await live.open("1", "2")
    await live.do(DEALER, c.OpenRound())
    assert await answers(live.bet("2", "red", 1_000)) == [None]
    return live


@pytest.mark.parametrize("how", WAYS)
@played
async def test_a_broken_table_halts_and_calls_somebody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    live = await betting(tmp_path)
    Breakage(monkeypatch, how)
    assert await answers(live.bet("1", "red", Breakage.CENTS)) == ["table-down"]
    assert len(live.alarms) == 1
    assert (await live.run.settled_state()).halted is not None
    assert live.kinds()[-1] == "table-halted"
    await live.stop()


@pytest.mark.parametrize("how", WAYS)
@played
async def test_nothing_of_the_broken_batch_is_in_the_journal_and_the_chain_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    live = await betting(tmp_path)
    Breakage(monkeypatch, how)
    live.store.hold()
    first = live.bet("2", "red", 1_000)
    await live.store.reached()
    batch = [live.bet("2", "black", 1_000), live.bet("1", "red", Breakage.CENTS)]
    live.store.let_through()
    assert await answers(first, *batch) == [None, "table-down", "table-down"]
    head: Head = EMPTY
    for record in live.store.read("T1"):
        assert misfit(record, head) is None
        head = Head(record.sequence, record.hash)
    state = live.replayed()
    assert state.seats["2"].stakes == {"red": 2_000}
    assert not state.seats["1"].stakes
    assert sum(state.balances.values()) == 0
    await live.stop()


@played
async def test_play_is_refused_until_a_shift_manager_has_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await betting(tmp_path)
    breakage = Breakage(monkeypatch, "money appears")
    await answers(live.bet("1", "red", Breakage.CENTS))
    assert await answers(live.bet("2", "red", 1_000)) == ["table-halted"]
    assert await live.refused(DEALER, c.CloseBets()) == "table-halted"
    assert await live.refused(SUPERVISOR, c.ResumeTable(reason="looks fine")) == "not-allowed"
    breakage.mended = True
    await live.do(SHIFT_MANAGER, c.ResumeTable(reason="the software was mended"))
    assert await answers(live.bet("1", "red", Breakage.CENTS)) == [None]
    await live.stop()


@played
async def test_a_halted_table_stays_halted_when_it_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await betting(tmp_path)
    Breakage(monkeypatch, "money appears")
    await answers(live.bet("1", "red", Breakage.CENTS))
    await live.run.stop()
    await live.start()
    assert await live.refused(DEALER, c.CloseBets()) == "table-halted"
    await live.stop()


@played
async def test_the_timer_rests_while_a_table_is_halted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await betting(tmp_path)
    Breakage(monkeypatch, "money appears")
    await answers(live.bet("1", "red", Breakage.CENTS))
    records = len(live.kinds())
    live.clock.advance(60_000)
    await live.run.settled_state()
    assert len(live.kinds()) == records
    await live.stop()


@played
async def test_a_halt_that_cannot_be_written_down_still_stops_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await betting(tmp_path)
    breakage = Breakage(monkeypatch, "money appears")
    live.store.failures_before = 1
    assert await answers(live.bet("1", "red", Breakage.CENTS)) == ["table-down"]
    breakage.mended = True
    code = await live.refused(player("2"), c.PlaceBets(seat="2", stakes=(c.Stake("red", 1_000),)))
    assert code in ("table-halted", "table-down")
    assert "bets-changed" not in live.kinds()[-1:]
    await live.stop()


@played
async def test_an_alarm_that_fails_does_not_keep_the_table_from_halting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def alarm(table: str, reason: str) -> None:
        raise RuntimeError("the bell is broken")

    live = await betting(tmp_path, alarm=alarm)
    Breakage(monkeypatch, "money appears")
    assert await answers(live.bet("1", "red", Breakage.CENTS)) == ["table-down"]
    assert isinstance(live.published[-1].entry.event, e.TableHalted)
    await live.stop()

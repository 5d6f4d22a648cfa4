"""Whole floors on simulated time: every seed a history, every history audited from outside."""

import asyncio
import itertools
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from croupier.floor.flow import Flow
from croupier.floor.simulation import Outcome, describe, simulate, soak
from croupier.floor.simulation.__main__ import main
from croupier.floor.simulation.instant import START_MS, NothingLeft, SimulatedClock, SimulatedLoop
from croupier.floor.streams import is_table
from croupier.floor.waiting import answer_soon
from croupier.floor.writer import Batch, Writer
from croupier.journal import Head, Record
from croupier.journal.sqlite import SqliteStore
from croupier.table import Event, State
from croupier.table.commands import SettleCarried
from croupier.table.events import Line

SEEDS = range(1, 21)
MODULE = "croupier.floor.simulation"

INTERRUPTING = sys.modules["croupier.table.interrupting"]
SETTLING = sys.modules["croupier.table.settling"]
STAFF = sys.modules["croupier.floor.simulation.staff"]
AUTHORITY = sys.modules["croupier.table.authority"]
DECIDE = sys.modules["croupier.table.decide"]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_books_of_every_seed_are_right(seed: int) -> None:
    outcome = simulate(seed)
    assert outcome.faults == [], describe(outcome)
    assert outcome.events > 100


def test_one_seed_is_one_history_in_every_process() -> None:
    """Also where Python orders its sets in another way."""
    command = [sys.executable, "-m", MODULE, "--seed", "7"]
    histories = {
        subprocess.run(
            command, env={"PYTHONHASHSEED": order}, capture_output=True, text=True, check=True
        ).stdout
        for order in ("1", "2")
    }
    assert len(histories) == 1
    assert simulate(7).digest in histories.pop()
    assert simulate(8).digest != simulate(7).digest


def test_the_seeds_meet_everything_that_goes_wrong_and_almost_every_event() -> None:
    outcomes = [simulate(seed) for seed in (3, 4, 11, 15, 39)]
    wrong = {"failed writes", "lost acknowledgements", "failed reads", "writes to a full disk", "crashes"}
    wrong |= {"stalls", "restarts", "step-downs", "failed starts", "damaged snapshots", "lost messages"}
    wrong |= {"doubled messages", "senders that hung up", "halts", "declared interruptions"}
    wrong |= {"attempts of a meddling dealer"}
    assert {what for outcome in outcomes for what in outcome.counts} >= wrong
    every = {str(event.__struct_config__.tag) for event in get_args(Event)}
    met = {kind for outcome in outcomes for kind in outcome.kinds}
    assert every - met <= {"minimum-advised", "carried-netted"}


def test_the_staff_ends_money_of_rounds_that_are_not_kept_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, earlier = STAFF._left_open, list[int]()

    def seen(state: State) -> list[SettleCarried]:
        offered: list[SettleCarried] = whole(state)
        earlier.extend(do.round for do in offered if do.round in state.owing)
        return offered

    monkeypatch.setattr(STAFF, "_left_open", seen)
    outcome = simulate(18)
    assert outcome.faults == [], describe(outcome)
    assert "carried-settled" in outcome.kinds
    assert earlier


# An audit that cannot fail is worth nothing: each of these defects is found by some seed.


def pays_a_cent_less(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = SETTLING.settle_line

    def less(*args: Any) -> Line:
        line: Line = whole(*args)
        return msgspec.structs.replace(line, returned_cents=line.returned_cents - line.won)

    monkeypatch.setattr(SETTLING, "settle_line", less)


def forgets_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DECIDE, "_repeat", lambda *args: None)


def answers_before_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Writer._append

    def early(self: Writer, drafts: Any) -> "asyncio.Future[Head]":
        before = self._head
        writing = whole(self, drafts)
        writing.add_done_callback(lambda done: done.exception())
        assert self._possible is not None
        (after,) = self._possible - {before}
        told: asyncio.Future[Head] = asyncio.get_running_loop().create_future()
        told.set_result(after)
        return told

    monkeypatch.setattr(Writer, "_append", early)


def uses_vouchers_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = SqliteStore.append

    def unclaimed(self: SqliteStore, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        whole(self, records, [])

    monkeypatch.setattr(SqliteStore, "append", unclaimed)


def goes_on_after_any_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(INTERRUPTING, "_consequence", lambda *args: ("continue", None))


def goes_on_with_what_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Writer._append

    def never_reads_again(self: Writer, drafts: Any) -> "asyncio.Future[Head]":
        writing = whole(self, drafts)
        writing.add_done_callback(lambda done: setattr(self, "loaded", True))
        return writing

    monkeypatch.setattr(Writer, "_append", never_reads_again)


def loses_what_was_decided_behind_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def takes_it_for_written(self: Flow) -> None:
        batch, self._ahead = self._ahead, Batch()
        answer_soon(batch.waiting, batch.replies)

    monkeypatch.setattr(Flow, "_take_back", takes_it_for_written)


def lets_staff_play_for_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AUTHORITY, "_not_the_player", lambda *args: None)


DEFECTS = (
    *(pays_a_cent_less, forgets_answers, answers_before_the_disk),
    *(uses_vouchers_twice, goes_on_after_any_interruption, goes_on_with_what_failed),
    *(loses_what_was_decided_behind_a_failure, lets_staff_play_for_players),
)


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.__name__)
def test_the_audit_finds_a_table_that(
    monkeypatch: pytest.MonkeyPatch, defect: Callable[[pytest.MonkeyPatch], None]
) -> None:
    defect(monkeypatch)
    assert any(simulate(seed).faults for seed in SEEDS)


# Soaking, and the command.


def outcome(seed: int, *faults: str) -> Outcome:
    """An outcome that nobody played."""
    counts = {"crashes": 2, "failed writes": 3}
    return Outcome(seed, 100, frozenset({"round-opened"}), counts, "0123456789abcdef", list(faults))


def test_a_soak_plays_seeds_until_the_time_is_over() -> None:
    seconds = itertools.count(step=20)
    lines: list[str] = []
    soaked = soak(
        itertools.count(7), 1, lambda told: lines.append(told.line()), outcome, lambda: float(next(seconds))
    )
    assert (soaked.seeds, soaked.failed) == (3, None)
    assert lines == [
        f"{seeds} seeds, {100 * seeds} events, {2 * seeds} processes ended, {3 * seeds} faults injected, "
        "no fault found"
        for seeds in (1, 2, 3)
    ]


def test_a_soak_stops_at_the_first_seed_that_fails_and_says_how_to_play_it_again() -> None:
    soaked = soak(
        itertools.count(7),
        1,
        lambda told: None,
        lambda seed: outcome(seed, *["a cent is gone"] * (seed == 9)),
    )
    assert soaked.seeds == 3
    assert soaked.failed is not None
    assert soaked.line().endswith("seed 9 FAILED")
    told = describe(soaked.failed)
    assert "a cent is gone" in told
    assert told.endswith("play it again: python -m croupier.floor.simulation --seed 9")


def test_the_command_plays_a_seed_and_keeps_its_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "kept.db"
    assert main(["--seed", "27", "--journal", str(journal)]) == 0
    assert capsys.readouterr().out.endswith("the books are right\n")
    store = SqliteStore(journal)
    assert len([*filter(is_table, store.tables())]) == 4
    store.close()


def test_the_command_soaks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--minutes", "0.0001", "--first-seed", "27"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("from seed 27: 1 seeds, ")
    assert "no fault found" in said.err


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--seed", "7", "--minutes", "1"],
        ["--seed", "seven"],
        ["--minutes", "0"],
        ["--minutes", "nan"],
        ["--minutes", "1", "--journal", "kept.db"],
        ["--seed", "7", "--journal", __file__],
        ["--sed", "7"],
    ],
)
def test_the_command_refuses_what_it_cannot_do(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "Write python -m croupier.floor.simulation" in said.err


# Simulated time.


def test_simulated_time_passes_in_order_and_without_waiting() -> None:
    clock, woken = SimulatedClock(), []

    async def sleeper(name: str, every_ms: int) -> None:
        for _ in range(3):
            await clock.sleep_until(clock.now_ms() + every_ms)
            woken.append((clock.now_ms() - START_MS, name))

    async def day() -> None:
        await asyncio.gather(sleeper("day", 86_400_000), sleeper("hour", 3_600_000), sleeper("blink", 1))

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        runner.run(day())
    assert woken == sorted(woken)
    assert woken[-1] == (3 * 86_400_000, "day")


def test_a_simulation_in_which_nothing_can_happen_any_more_ends() -> None:
    async def forever() -> None:
        await asyncio.get_running_loop().create_future()

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner, pytest.raises(NothingLeft):
        runner.run(forever())

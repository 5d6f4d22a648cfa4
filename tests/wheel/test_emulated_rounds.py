"""A thousand rounds over real lines with everything that can go wrong: the journal agrees with the wheel."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from croupier.table.events import CommandRefused
from croupier.wheel.emulator import EmulatedSpin
from croupier.wheel.emulator_troubles import TROUBLES
from croupier.wheel.emulator_wire import PtyWire, TcpWire, Wire
from wheel.emulated_table import EmulatedTable, Ended

WHEEL, DEALER = "wheel", "dealer"

EXPECTED: dict[str | None, tuple[str, str | None]] = {
    # By what goes wrong: who gives the result or by which cause the round is void, and the fault told.
    None: (WHEEL, None),
    "with-rotor": ("void same-direction", None),
    "ball-removed": ("void ball-out", None),
    "ball-glimpse": (WHEEL, None),
    "ball-unseen": (DEALER, "ball-missing"),
    "relaunch": (WHEEL, None),
    "launch-failed": ("void too-few-revolutions", None),
    "sensor-fault": ("shift-manager", "sensor-fault"),
    "no-ball": ("void ball-out", "ball-missing"),
    "skipped-state": (DEALER, "wrong-order"),
    "counter-jump": (DEALER, "counter-jumped"),
    "restart": (DEALER, "restarted"),
    "stuck": (DEALER, "line-stuck"),
    "silence": (DEALER, "line-lost"),
    "hang-up": (DEALER, "line-lost"),
    "garbage": (DEALER, "line-garbled"),
    "half-line": (DEALER, "line-garbled"),
    "torn-line": (DEALER, "line-garbled"),
    "repeated-lines": (DEALER, "line-repeated"),
    "stale-line": (DEALER, "restarted"),
    "results-differ": (DEALER, "results-differ"),
    "result-changes": (DEALER, "results-differ"),
    "no-result": (DEALER, "results-differ"),
    "wrong-wheel": (DEALER, "wrong-wheel"),
    "old-result": (DEALER, "results-differ"),
}


def told(spin: EmulatedSpin, ended: Ended) -> tuple[str, str | None]:
    """How a round ended, in the words of the table above; the wrong number has no words there."""
    fault = ended.faults[0] if ended.faults else None
    if ended.void is not None:
        return f"void {ended.void}", fault
    if ended.result != spin.pocket:
        return f"{ended.said_by} says {ended.result}, and the ball lies in {spin.pocket}", fault
    return str(ended.said_by), fault


def within_patience(play: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Whoever waits for a line that never comes has failed; none of them ever waits that long."""

    async def patiently() -> None:
        async with asyncio.timeout(120):
            await play()

    asyncio.run(patiently())


def wire(kind: str) -> Wire:
    return PtyWire() if kind == "pty" else TcpWire("127.0.0.1", 0)


def test_everything_that_can_go_wrong_is_expected() -> None:
    assert {None, *TROUBLES} == {*EXPECTED}


@pytest.mark.parametrize(
    ("kind", "book", "rounds"),
    [
        ("pty", "mbs-roulette", 260),
        ("tcp", "rws-roulette-00", 260),
        ("pty", "rws-roulette-00", 240),
        ("tcp", "mbs-roulette", 240),
    ],
)
def test_a_thousand_rounds_with_every_fault_end_as_the_wheel_says(
    tmp_path: Path, kind: str, book: str, rounds: int
) -> None:
    async def play() -> None:
        rates = dict.fromkeys(TROUBLES, 0.035) | {"stuck": 0.006}
        table = await EmulatedTable.begin(tmp_path, wire(kind), book, rates, seed=len(kind + book) + rounds)
        await table.rounds(rounds)
        spins, ended = table.wheel.spins, table.ended()
        await table.end()
        assert len(spins) == len(ended) == rounds
        found = [told(*pair) for pair in zip(spins, ended, strict=True)]
        assert found == [EXPECTED[spin.trouble] for spin in spins]
        assert {spin.trouble for spin in spins} >= {None, *TROUBLES} - {"stuck"}
        refused = [item for item in table.live.published if isinstance(item.entry.event, CommandRefused)]
        assert refused == [], "the feed asks for nothing that the table would refuse"

    within_patience(play)


@pytest.mark.parametrize("kind", ["pty", "tcp"])
@pytest.mark.parametrize("trouble", TROUBLES)
def test_each_fault_is_told_and_the_next_spin_counts_again(tmp_path: Path, kind: str, trouble: str) -> None:
    async def play() -> None:
        table = await EmulatedTable.begin(tmp_path, wire(kind), "rws-roulette-00", {trouble: 1.0}, seed=7)
        await table.rounds(1)
        table.wheel.chances = type(table.wheel.chances)({})
        await table.rounds(2)
        spins, ended = table.wheel.spins, table.ended()
        assert table.live.run.state.wheel_fault is None
        await table.end()
        assert told(spins[0], ended[0]) == EXPECTED[trouble]
        assert told(spins[1], ended[1])[0] == WHEEL

    within_patience(play)

"""A recording is the line: it comes back from its file, and into a table it gives the same record."""

import asyncio
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from croupier.floor import ManualClock
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import BadInput
from croupier.table import Event
from croupier.wheel.emulator_troubles import TROUBLES
from croupier.wheel.emulator_wire import TcpWire
from croupier.wheel.feed import WheelFeed
from croupier.wheel.hand import HandSource
from croupier.wheel.recording import (
    LOST,
    OPENED,
    Heard,
    RecordedSource,
    Recorder,
    heard_line,
    read_recording,
    replay_signals,
)
from croupier.wheel.signals import Fault, Ready, Signal
from floor.sim_live import Live, played, turns
from wheel.emulated_table import EmulatedTable

WHOLE = [
    Heard(at_ms=1_000, what=OPENED),
    heard_line(1_500, b"*X;2;007;17;0;251;1"),
    heard_line(2_000, b"\xff\x00 noise \\"),
    Heard(at_ms=2_500, what=LOST, text="der Stecker ist draußen"),
]


def events_of(live: Live) -> list[Event]:
    return [item.entry.event for item in live.published]


def test_a_recording_comes_back_from_its_file_to_the_byte(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "line.jsonl")
    for heard in WHOLE:
        recorder.write(heard)
    assert read_recording(tmp_path / "line.jsonl") == WHOLE, "it is written before the recorder is closed"
    recorder.close()
    assert read_recording(tmp_path / "line.jsonl")[2].line == b"\xff\x00 noise \\"


def test_bytes_that_end_a_line_elsewhere_do_not_end_one_of_a_recording(tmp_path: Path) -> None:
    every = [heard_line(byte, bytes([97, byte, 98])) for byte in range(256)]
    recorder = Recorder(tmp_path / "line.jsonl")
    for heard in every:
        recorder.write(heard)
    recorder.close()
    assert read_recording(tmp_path / "line.jsonl") == every


def test_a_recording_of_nothing_is_empty(tmp_path: Path) -> None:
    Recorder(tmp_path / "line.jsonl").close()
    assert read_recording(tmp_path / "line.jsonl") == []


def test_a_recording_goes_on_where_it_ended(tmp_path: Path) -> None:
    for half in (WHOLE[:2], WHOLE[2:]):
        recorder = Recorder(tmp_path / "line.jsonl")
        for heard in half:
            recorder.write(heard)
        recorder.close()
    assert read_recording(tmp_path / "line.jsonl") == WHOLE


@pytest.mark.parametrize(
    "row",
    [
        "",
        "no json",
        "{}",
        '{"at_ms": 5, "what": "sound"}',
        '{"at_ms": "5", "what": "line"}',
        '{"at_ms": 5, "what": "line", "text": "\\u0107"}',
        '{"at_ms": -1, "what": "line"}',
        '{"at_ms": 253402300800000, "what": "line"}',
        '{"at_ms": 100000000000000000, "what": "opened"}',
        '{"at_ms": 100000000000000000000000000, "what": "opened"}',
    ],
)
def test_what_is_no_recording_is_refused_with_its_line(tmp_path: Path, row: str) -> None:
    path = tmp_path / "line.jsonl"
    path.write_text(f'{{"at_ms": 0, "what": "opened"}}\n{row}\n{{"at_ms": 9, "what": "opened"}}\n')
    with pytest.raises(BadInput, match=r"Line 2 of .* is not one of a recording") as found:
        read_recording(path)
    assert found.value.code == "bad-recording"


def test_a_recording_whose_time_goes_back_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "line.jsonl"
    path.write_text('{"at_ms": 5, "what": "opened"}\n{"at_ms": 4, "what": "opened"}\n')
    with pytest.raises(BadInput, match="Line 2"):
        read_recording(path)


def test_files_that_cannot_be_read_or_written_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_recording(tmp_path / "nothing")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="it is not text"):
        read_recording(tmp_path / "bytes")
    with pytest.raises(BadInput, match="cannot be written"):
        Recorder(tmp_path / "folder" / "line.jsonl")


def test_a_recording_is_not_written_into_a_journal(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "floor.db").close()
    before = (tmp_path / "floor.db").read_bytes()
    with pytest.raises(BadInput, match="a journal is never overwritten"):
        Recorder(tmp_path / "floor.db").close()
    assert (tmp_path / "floor.db").read_bytes() == before


def test_silence_in_a_recording_is_heard() -> None:
    line = b"*X;2;007;17;0;251;1"
    heard = [Heard(at_ms=0, what=OPENED), heard_line(500, line), heard_line(9_000, line)]
    signals = [signal for _, signal in replay_signals(heard, 37)]
    assert [type(signal) for signal in signals] == [Ready, Fault]
    assert signals[1].at_ms == 2_500, "it is noticed when it is noticed on a live line, and not at the next"


@played
async def test_a_recording_is_played_with_its_pauses_at_any_speed() -> None:
    line = b"*X;2;007;17;0;251;1"
    heard = [heard_line(10_000 + 500 * number, line) for number in range(3)]
    clock = ManualClock(77)
    given: list[Signal] = []
    source = RecordedSource(heard, 37, clock, speed=2.0)

    async def listen() -> None:
        async for signal in source:
            given.append(signal)  # noqa: PERF401  # the test looks at it while it grows

    listening = asyncio.create_task(listen())
    for count in (1, 2):
        await turns(3)
        assert len(given) == count
        clock.advance(249)
        await turns(3)
        assert len(given) == count
        clock.advance(1)
    await source.close()
    await listening
    assert len(given) == 2, "it was closed before the third"


def test_a_recording_played_into_a_table_gives_the_same_record(tmp_path: Path) -> None:
    async def live() -> tuple[list[Any], list[Event]]:
        rates = dict.fromkeys(TROUBLES, 0.04) | {"stuck": 0.0}
        wire = TcpWire("127.0.0.1", 0)
        folder = tmp_path / "live"
        folder.mkdir()
        table = await EmulatedTable.begin(folder, wire, "rws-roulette-00", rates, seed=3)
        await table.rounds(60)
        await table.end()
        return table.log, events_of(table.live)

    async def again(log: list[Any], heard: list[Heard]) -> list[Event]:
        folder = tmp_path / "again"
        folder.mkdir()
        table = Live(folder, book="rws-roulette-00", betting_seconds=None, rounds_kept=2)
        await (await table.start()).open("1")
        feed = WheelFeed(table.run, HandSource(), table.clock)
        following = _following(heard)
        for item in log:
            if isinstance(item, Heard):
                for signal in next(following):
                    await feed.take(signal)
            else:
                await table.do(*item)
        await table.stop()
        return events_of(table)

    log, first = asyncio.run(live())
    recorder = Recorder(tmp_path / "line.jsonl")
    for item in log:
        if isinstance(item, Heard):
            recorder.write(item)
    recorder.close()
    second = asyncio.run(again(log, read_recording(tmp_path / "line.jsonl")))
    assert len(first) > 500
    assert second == first


def _following(heard: list[Heard]) -> Any:
    """The signals that follow each thing on the line, with those of the silence before it."""
    numbers = {id(one): number for number, one in enumerate(heard)}
    signals: list[tuple[int | None, Signal]] = [
        (None if one is None else numbers[id(one)], signal) for one, signal in replay_signals(heard, 38)
    ]
    by_number: dict[int, list[Signal]] = {}
    waiting: list[Signal] = []
    for number, group in groupby(signals, key=lambda pair: pair[0]):
        found = [signal for _, signal in group]
        if number is None:
            waiting = found
        else:
            by_number[number] = waiting + found
            waiting = []
    return iter([by_number.get(number, []) for number in range(len(heard))])

"""The emulated wheel: its time, its commands, its lines, and that a seed repeats it."""

from random import Random

import pytest

from croupier.floor import ManualClock
from croupier.rulebook import BadInput
from croupier.wheel.emulator import (
    NO_BARE_RESULT,
    SPEAKS,
    USER_STARTS,
    EmulatedWheel,
)
from croupier.wheel.emulator_troubles import TROUBLES, Chances, read_chances
from croupier.wheel.emulator_wire import TcpWire, run_wheel
from croupier.wheel.line import BareResult, LineBuffer, Status, pockets_of, read_line
from floor.sim_live import played


def lines(wheel: EmulatedWheel, ticks: int) -> list[bytes]:
    buffer = LineBuffer()
    return [line for _ in range(ticks) for piece in wheel.tick() for line in buffer.take(piece)]


def states(wheel: EmulatedWheel, ticks: int) -> list[int]:
    read = [read_line(line) for line in lines(wheel, ticks)]
    return [status.state for status in read if isinstance(status, Status)]


def runs(found: list[int]) -> list[int]:
    return [state for number, state in enumerate(found) if number == 0 or found[number - 1] != state]


def test_the_normal_flow_is_6_1_and_then_2_3_4_5_over_and_over() -> None:
    assert runs(states(EmulatedWheel(37, Random(1)), 1_000))[:14] == [
        6,
        1,
        2,
        3,
        4,
        5,
        2,
        3,
        4,
        5,
        2,
        3,
        4,
        5,
    ]


def test_the_previous_result_is_held_until_the_next_and_blank_before_the_first() -> None:
    wheel = EmulatedWheel(38, Random(4))
    held: str | None = None
    for line in lines(wheel, 2_000):
        read = read_line(line)
        if isinstance(read, BareResult):
            held = read.pocket
        elif isinstance(read, Status):
            assert read.pocket == held
    assert len(wheel.spins) > 10


def test_a_bare_result_comes_before_the_first_status_with_it_and_ends_the_wrong_way_round() -> None:
    wheel = EmulatedWheel(37, Random(1))
    pieces = [piece for _ in range(200) for piece in wheel.tick()]
    bare = next(number for number, piece in enumerate(pieces) if piece.endswith(b"\n\r"))
    assert pieces[bare + 1].startswith(b"*X;5;001;")
    assert pieces[bare + 1].endswith(b"\r\n")
    without = EmulatedWheel(37, Random(1), mode=SPEAKS | NO_BARE_RESULT)
    assert not any(piece.endswith(b"\n\r") for _ in range(200) for piece in without.tick())


def test_a_wheel_that_reverses_turns_the_other_way_in_every_game() -> None:
    wheel = EmulatedWheel(37, Random(1))
    lines(wheel, 1_000)
    directions = [spin.direction for spin in wheel.spins]
    assert directions[::2] == directions[:1] * len(directions[::2])
    assert len({*directions}) == 2


def test_a_seed_repeats_every_byte_and_another_one_does_not() -> None:
    def life(seed: int) -> list[bytes]:
        return lines(EmulatedWheel(37, Random(seed), chances=read_chances(["garbage:0.5"], 37)), 500)

    assert life(5) == life(5)
    assert life(5) != life(6)


def test_the_count_goes_to_256_and_begins_with_1_again() -> None:
    wheel = EmulatedWheel(37, Random(1))
    wheel._count = 255
    found = [read for line in lines(wheel, 400) if isinstance(read := read_line(line), Status)]
    assert runs([status.spins for status in found])[:4] == [255, 256, 1, 2]


def test_results_come_from_all_pockets() -> None:
    for pockets in (37, 38, 39):
        wheel = EmulatedWheel(pockets, Random(1))
        lines(wheel, 60_000)
        assert {spin.pocket for spin in wheel.spins} == pockets_of(pockets)


def test_a_game_starts_when_it_is_asked_for_where_that_is_the_mode() -> None:
    wheel = EmulatedWheel(37, Random(1), mode=SPEAKS | USER_STARTS)
    assert {*states(wheel, 300)[10:]} == {2}
    assert wheel.take(b"*u 1\r\n") == b""
    assert runs(states(wheel, 300)) == [2, 3, 4, 5, 2]
    assert wheel.take(b"*u 1\r") == b""
    assert runs(states(wheel, 300)) == [2, 3, 4, 5, 2]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        (b"*T\r\n", b"*T 37\r\n"),
        (b"*T 38\n", b"*T 38\r\n"),
        (b"*o\r", b"*o 128\r\n"),
        (b"*o 130\r\n", b"*o 130\r\n"),
        (b"*F\r\n", b"*F 0\r\n"),
        (b"*X\r\n", b"*X;6;000;  ;0;000;0\r\n"),
        (b"*Q\r\n", b""),
        (b"noise\r\n", b""),
        (b"*X\r\n*T\r\n", b"*X;6;000;  ;0;000;0\r\n*T 37\r\n"),
        (b"*X", b""),
    ],
)
def test_commands_and_their_answers(command: bytes, answer: bytes) -> None:
    assert EmulatedWheel(37, Random(1)).take(command) == answer


def test_power_and_restart() -> None:
    wheel = EmulatedWheel(37, Random(1))
    states(wheel, 60)
    wheel.take(b"*P 0\r\n")
    assert {*states(wheel, 100)} == {6}
    wheel.take(b"*P 1\r\n")
    assert runs(states(wheel, 20)) == [6, 1, 2]
    wheel.take(b"*R\r\n")
    assert runs(states(wheel, 20)) == [6, 1, 2]


def test_a_wheel_that_does_not_speak_by_itself_answers() -> None:
    wheel = EmulatedWheel(37, Random(1), mode=0)
    assert lines(wheel, 20) == []
    assert wheel.take(b"*X\r\n").startswith(b"*X;2;")


@pytest.mark.parametrize("trouble", TROUBLES)
def test_every_fault_shows_on_the_line(trouble: str) -> None:
    """The first spin goes as it should; the second one differs from what it would have been."""

    def life(chances: dict[str, float]) -> list[bytes | str]:
        wheel = EmulatedWheel(37, Random(3))
        lines(wheel, 160)
        wheel.chances = Chances(chances)
        shown: list[bytes | str] = []
        for _ in range(200):
            shown += wheel.tick()
            shown += ["hung up"] if wheel.hangs_up else []
            wheel.hangs_up = False
        return shown

    assert life({trouble: 1.0}) != life({})


@pytest.mark.parametrize(
    ("words", "pockets", "code"),
    [
        (["rain"], 37, "unknown-fault"),
        (["wrong-wheel"], 39, "unknown-fault"),
        (["garbage:2"], 37, "bad-rate"),
        (["garbage:-0.1"], 37, "bad-rate"),
        (["garbage:often"], 37, "bad-rate"),
        (["garbage:nan"], 37, "bad-rate"),
        (["garbage:0.6", "silence:0.6"], 37, "bad-rate"),
    ],
)
def test_faults_that_cannot_be_asked_for(words: list[str], pockets: int, code: str) -> None:
    with pytest.raises(BadInput) as found:
        read_chances(words, pockets)
    assert found.value.code == code


def test_rates_are_shares_of_the_spins() -> None:
    chances = read_chances(["garbage:0.25", "silence:0.5"], 37)
    random = Random(1)
    drawn = [chances.draw(random) for _ in range(4_000)]
    assert 900 < drawn.count("garbage") < 1_100
    assert 1_900 < drawn.count("silence") < 2_100


@played
async def test_a_wheel_lives_by_the_clock_at_its_speed() -> None:
    clock, wire, wheel = ManualClock(0), TcpWire("127.0.0.1", 0), EmulatedWheel(37, Random(1))
    ticks: list[int] = []
    ticking = wheel.tick

    def tick() -> list[bytes]:
        ticks.append(clock.now_ms())
        clock.advance(50)
        return ticking()

    wheel.tick = tick  # type: ignore[method-assign]  # it notes when it is asked
    await wire.open(wheel.take)
    await run_wheel(wheel, wire, clock, speed=10.0, spins=2)
    await wire.close()
    assert sum(spin.ended for spin in wheel.spins) == 2
    assert ticks == [50 * number for number in range(len(ticks))]


@played
async def test_a_port_that_is_taken_is_refused() -> None:
    first = TcpWire("127.0.0.1", 0)
    await first.open(lambda data: b"")
    port = int(first.address.rpartition(":")[2])
    with pytest.raises(BadInput, match="cannot be heard") as found:
        await TcpWire("127.0.0.1", port).open(lambda data: b"")
    assert found.value.code == "address-taken"
    await first.close()

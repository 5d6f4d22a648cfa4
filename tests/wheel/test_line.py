"""Every line of the protocol is read as what it is, and nothing else is read as one of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.wheel.line import (
    DIRECTIONS,
    LONGEST_LINE,
    BareResult,
    CommandAnswer,
    LineBuffer,
    Status,
    Unreadable,
    pockets_of,
    read_line,
    read_result,
    write_command,
    write_result,
    write_status,
)

ALL = sorted(pockets_of(39))


def status(line: bytes) -> Status:
    read = read_line(line)
    assert isinstance(read, Status), read
    return read


@pytest.mark.parametrize("state", range(1, 8))
def test_the_seven_states(state: int) -> None:
    assert status(f"*X;{state};012;17;0;251;1".encode()).state == state


@pytest.mark.parametrize(
    ("written", "spins"), [("001", 1), ("  1", 1), (" 12", 12), ("256", 256), ("000", 0)]
)
def test_the_count_of_spins(written: str, spins: int) -> None:
    assert status(f"*X;2;{written};17;0;251;1".encode()).spins == spins


@pytest.mark.parametrize(
    ("written", "pocket"),
    [
        (" 0", "0"),
        ("00", "00"),
        ("38", "000"),
        (" 1", "1"),
        (" 9", "9"),
        ("10", "10"),
        ("36", "36"),
        ("  ", None),
    ],
)
def test_results_are_names_and_not_numbers(written: str, pocket: str | None) -> None:
    assert status(f"*X;5;012;{written};0;251;1".encode()).pocket == pocket
    assert write_result(pocket) == written


def test_zero_and_double_zero_and_triple_zero_are_three_pockets() -> None:
    assert len({read_result(written) for written in (" 0", "00", "38")}) == 3


@pytest.mark.parametrize("written", ["01", "07", "09", "37", "39", "40", "99", "0 ", "1 ", "-1", "a1"])
def test_what_is_no_result_is_not_read_as_one(written: str) -> None:
    line = f"*X;5;012;{written};0;251;1"
    assert read_line(line.encode()) == Unreadable(text=line)
    assert read_result(written) is None


@pytest.mark.parametrize(
    ("written", "flags"), [("0", 0), ("1", 1), ("2", 2), ("4", 4), ("8", 8), ("9", 9), ("F", 15), ("b", 11)]
)
def test_warning_flags_are_one_hexadecimal_digit(written: str, flags: int) -> None:
    assert status(f"*X;3;012;17;{written};251;1".encode()).flags == flags


@pytest.mark.parametrize(("written", "tenths"), [("000", 0), ("251", 251), (" 51", 51), ("999", 999)])
def test_the_rotor_speed_is_in_tenths_of_rpm(written: str, tenths: int) -> None:
    assert status(f"*X;3;012;17;0;{written};1".encode()).rotor_tenths_rpm == tenths


@pytest.mark.parametrize(("written", "direction"), [("0", "clockwise"), ("1", "counter-clockwise")])
def test_directions(written: str, direction: str) -> None:
    assert status(f"*X;3;012;17;0;251;{written}".encode()).direction == direction


@pytest.mark.parametrize(
    ("line", "pocket"), [(b"17", "17"), (b" 0", "0"), (b"0", "0"), (b"00", "00"), (b"38", "000")]
)
def test_a_result_on_a_line_by_itself(line: bytes, pocket: str) -> None:
    assert read_line(line) == BareResult(pocket=pocket)


@pytest.mark.parametrize(
    ("line", "command", "text"),
    [
        (b"*T 37", "T", "37"),
        (b"*o 1157", "o", "1157"),
        (b"*o1157", "o", "1157"),
        (b"*F;3 motor", "F", ";3 motor"),
    ],
)
def test_answers_to_commands(line: bytes, command: str, text: str) -> None:
    assert read_line(line) == CommandAnswer(command=command, text=text)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" ",
        b"*",
        b"*X",
        b"*X;",
        b"*X;0;012;17;0;251;1",
        b"*X;8;012;17;0;251;1",
        b"*X;5;257;17;0;251;1",
        b"*X;5;12;17;0;251;1",
        b"*X;5;1 2;17;0;251;1",
        b"*X;5;   ;17;0;251;1",
        b"*X;5;012;17;G;251;1",
        b"*X;5;012;17;0;2 1;1",
        b"*X;5;012;17;0;251;2",
        b"*X;5;012;17;0;251",
        b"*X;5;012;17;0;251;1;",
        b" *X;5;012;17;0;251;1",
        b"*x;5;012;17;0;251;1",
        b"*X:5:012:17:0:251:1",
        b"X;5;012;17;0;251;1",
        b"5;012;17;0;251;1",
        b"*X;5;0*X;5;012;17;0;251;1",
        b"*Q 7",
        b"*T 37;",
        b"\xb2\xb3",
        b"17 ",
        b"117",
    ],
)
def test_what_is_no_line_is_unreadable(line: bytes) -> None:
    assert isinstance(read_line(line), Unreadable)


@pytest.mark.parametrize(
    ("sent", "numbers", "line"),
    [
        ("P", (1,), b"*P 1\r\n"),
        ("P", (0,), b"*P 0\r\n"),
        ("R", (), b"*R\r\n"),
        ("u", (1,), b"*u 1\r\n"),
        ("o", (1157,), b"*o 1157\r\n"),
        ("T", (37,), b"*T 37\r\n"),
        ("F", (), b"*F\r\n"),
        ("X", (), b"*X\r\n"),
    ],
)
def test_commands_as_they_are_sent(sent: str, numbers: tuple[int, ...], line: bytes) -> None:
    assert write_command(sent, *numbers) == line


def test_which_pockets_a_wheel_has() -> None:
    assert len(pockets_of(37)) == 37
    assert pockets_of(38) - pockets_of(37) == {"00"}
    assert pockets_of(39) - pockets_of(38) == {"000"}
    with pytest.raises(ValueError, match="37, 38 or 39"):
        pockets_of(52)


statuses = st.builds(
    Status,
    state=st.integers(1, 7),
    spins=st.integers(0, 256),
    pocket=st.one_of(st.none(), st.sampled_from(ALL)),
    flags=st.integers(0, 15),
    rotor_tenths_rpm=st.integers(0, 999),
    direction=st.sampled_from(DIRECTIONS),
)


@given(statuses)
def test_a_status_comes_back_as_it_was(written: Status) -> None:
    assert read_line(write_status(written)) == written


@given(st.binary(max_size=80))
def test_any_line_is_read_as_something(line: bytes) -> None:
    read = read_line(line)
    if isinstance(read, Status):
        assert read_line(write_status(read)) == read
    elif isinstance(read, BareResult):
        assert read.pocket in ALL
        assert len(line) <= 2


@given(statuses, st.integers(0, 18), st.integers(0, 255))
def test_a_line_with_a_wrong_byte_is_read_for_what_it_says_now(
    written: Status, place: int, byte: int
) -> None:
    line = bytearray(write_status(written))
    is_wrong = line[place] != byte
    line[place] = byte
    read = read_line(bytes(line))
    if isinstance(read, Status) and is_wrong:
        is_same = bytes(line).replace(b" ", b"0").upper() == write_status(written).replace(b" ", b"0").upper()
        assert (read == written) <= is_same, "only padding and small letters mean the same"


@given(statuses, st.integers(0, 18))
def test_half_a_status_is_never_a_status(written: Status, length: int) -> None:
    assert not isinstance(read_line(write_status(written)[:length]), Status)


@given(
    st.lists(statuses, max_size=6),
    st.sampled_from([b"\r\n", b"\n\r", b"\r", b"\n", b"\r\r\n"]),
    st.lists(st.integers(1, 30), min_size=1, max_size=20),
)
def test_lines_come_out_whole_however_they_come_in_and_end(
    written: list[Status], end: bytes, cuts: list[int]
) -> None:
    stream = b"".join(write_status(one) + end for one in written)
    buffer, lines, place = LineBuffer(), [], 0
    for cut in cuts:
        lines += buffer.take(stream[place : place + cut])
        place += cut
    lines += buffer.take(stream[place:])
    assert [read_line(line) for line in lines] == written


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_a_stream_of_anything_gives_short_lines(pieces: list[bytes]) -> None:
    buffer = LineBuffer()
    for line in [line for piece in pieces for line in buffer.take(piece)]:
        assert 0 < len(line) <= LONGEST_LINE + 1
        assert b"\n" not in line
        assert b"\r" not in line


def test_a_line_without_end_is_given_up_once_and_what_follows_is_read() -> None:
    buffer = LineBuffer()
    assert buffer.take(b"x" * 60) == []
    assert buffer.take(b"x" * 60) == [b"x" * 65]
    assert buffer.take(b"x" * 500) == []
    assert buffer.take(b"x\r\n17\r\n") == [b"17"]

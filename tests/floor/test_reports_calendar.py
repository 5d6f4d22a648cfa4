"""Days, shifts and hours by the clocks of the house, also where those are set."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.exports.selection import read_zone
from croupier.floor.reports.calendar import Calendar
from croupier.rulebook import BadInput
from table.rig import START_MS

HOUR_MS = 3_600_000


@pytest.mark.parametrize(
    ("zone", "at_ms", "day", "shift"),
    [
        ("UTC", START_MS, "2023-11-14", "22:00-06:00"),
        ("Asia/Singapore", START_MS, "2023-11-15", "06:00-14:00"),
        ("+08:00", START_MS - 14 * 60_000, "2023-11-14", "22:00-06:00"),
        ("America/New_York", 1_710_050_400_000, "2024-03-09", "22:00-06:00"),
    ],
)
def test_days_and_shifts_are_by_the_clocks_of_the_house(zone: str, at_ms: int, day: str, shift: str) -> None:
    assert Calendar(zone).shift_of(at_ms)[:2] == (day, shift)


@given(
    zone=st.sampled_from(
        ["UTC", "Asia/Singapore", "Europe/Berlin", "Australia/Lord_Howe", "America/New_York"]
    ),
    at_ms=st.integers(0, 4_000_000_000_000),
    starts=st.sampled_from([("06:00", "14:00", "22:00"), ("00:00",), ("02:30", "03:10"), ("23:30", "02:15")]),
)
def test_every_moment_is_in_one_shift(zone: str, at_ms: int, starts: tuple[str, ...]) -> None:
    calendar = Calendar(zone, starts)
    shift = calendar.shift_of(at_ms)
    assert shift.from_ms <= at_ms < shift.until_ms
    assert Calendar(zone, starts).shift_of(shift.until_ms).from_ms == shift.until_ms
    assert Calendar(zone, starts).shift_of(shift.until_ms - 1) == shift
    assert sum(ms for _, _, ms in calendar.split(at_ms, at_ms + 99 * HOUR_MS)) == 99 * HOUR_MS


@given(
    zone=st.sampled_from(["UTC", "+05:53", "Asia/Kathmandu", "Europe/Berlin", "Australia/Lord_Howe"]),
    at_ms=st.integers(86_400_000, 4_000_000_000_000),
)
def test_every_part_of_a_stretch_of_time_is_in_one_hour(zone: str, at_ms: int) -> None:
    from_ms = at_ms
    for _, hour, ms in Calendar(zone).split(at_ms, at_ms + 400 * HOUR_MS):
        for moment_ms in (from_ms, from_ms + ms - 1):
            shown = datetime.datetime.fromtimestamp(moment_ms // 1000, read_zone(zone))
            assert hour.hour.removesuffix(" again") == f"{shown.hour:02}:00"
            assert Calendar(zone).hour_of(moment_ms) == hour
        from_ms += ms


def test_an_hour_that_comes_twice_is_told_apart_and_one_that_is_left_out_is_not_there() -> None:
    new_york = Calendar("America/New_York")

    def hours(from_ms: int) -> list[str]:
        return [new_york.hour_of(from_ms + number * HOUR_MS).hour for number in range(4)]

    assert hours(1_730_606_400_000) == ["00:00", "01:00", "01:00 again", "02:00"]
    assert hours(1_710_046_800_000) == ["00:00", "01:00", "03:00", "04:00"]


@given(
    zone=st.sampled_from(
        ["UTC", "Asia/Kathmandu", "Europe/Berlin", "Australia/Lord_Howe", "America/New_York"]
    ),
    at_ms=st.integers(86_400_000, 4_000_000_000_000),
    starts=st.sampled_from([("04:30", "12:15", "20:45"), ("01:45",), ("02:30", "03:10"), ("23:30", "02:15")]),
)
def test_no_two_hours_of_a_gaming_day_are_called_the_same(
    zone: str, at_ms: int, starts: tuple[str, ...]
) -> None:
    calendar = Calendar(zone, starts)
    named: dict[tuple[str, str], int] = {}
    for shift, hour, _ in calendar.split(at_ms, at_ms + 99 * HOUR_MS):
        assert named.setdefault((shift.day, hour.hour), hour.from_ms) == hour.from_ms
        assert Calendar(zone, starts).hour_of(shift.until_ms - 1) == calendar.hour_of(shift.until_ms - 1)


def test_the_hour_that_a_gaming_day_begins_and_ends_in_is_told_apart() -> None:
    kathmandu = Calendar("Asia/Kathmandu", ("04:30", "12:15"))
    at_ms = 1_699_999_200_000  # 2023-11-15 at 03:45 by those clocks
    found = [kathmandu.hour_of(at_ms + minute * 60_000).hour for minute in (0, 15, 44, 45, 74, 75)]
    assert found == ["03:00", "04:00 again", "04:00 again", "04:00", "04:00", "05:00"]


@pytest.mark.parametrize("asked_from", [0, 1, 2, 3])
def test_an_hour_of_which_a_part_comes_twice_is_one_hour_whenever_it_is_asked_for(asked_from: int) -> None:
    """On Chatham Island 02:45 comes after 03:45: the hour from 03:00 to 04:00 comes again, and then whole."""
    chatham = Calendar("Pacific/Chatham")
    set_ms = 1_775_311_200_000
    found = [chatham.hour_of(set_ms + minute * 60_000).hour for minute in (-1, 15, 59, 60, 75)[asked_from:]]
    assert found == ["03:00", "03:00 again", "03:00 again", "03:00 again", "04:00"][asked_from:]


def test_clocks_that_are_set_make_a_shift_longer_or_shorter() -> None:
    # New York sets its clocks forward on 2024-03-10 and back on 2024-11-03, in the night.
    night = Calendar("America/New_York").shift_of(1_710_050_400_000)
    assert night.until_ms - night.from_ms == 7 * HOUR_MS
    night = Calendar("America/New_York").shift_of(1_730_610_000_000)
    assert (night.day, night.until_ms - night.from_ms) == ("2024-11-02", 9 * HOUR_MS)


@given(
    zone=st.sampled_from(["UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/New_York", "Pacific/Apia"]),
    at_ms=st.integers(0, 4_000_000_000_000),
    starts=st.sampled_from([("06:00", "22:00"), ("01:30",), ("02:30", "03:00"), ("03:00", "11:00", "02:30")]),
)
def test_a_gaming_day_is_one_piece(zone: str, at_ms: int, starts: tuple[str, ...]) -> None:
    calendar = Calendar(zone, starts)
    shift = calendar.shift_of(at_ms)
    from_ms, until_ms = calendar.span_of(shift.day)
    assert from_ms == shift.day_from_ms <= at_ms < until_ms
    assert {piece.day for piece, _, _ in calendar.split(from_ms, until_ms)} == {shift.day}
    assert calendar.shift_of(from_ms - 1).day < shift.day < calendar.shift_of(until_ms).day


def test_a_shift_that_clocks_are_set_over_never_begins() -> None:
    """In Berlin 02:00 is 03:00 on 2024-03-31: the shift of 02:30 would begin behind the one of 03:00."""
    at_ms = 1_711_846_800_000
    for starts in (("02:30", "03:00", "11:00"), ("03:00", "11:00", "02:30")):
        berlin = Calendar("Europe/Berlin", starts)
        named = {berlin.shift_of(at_ms + minute * 60_000)[:2] for minute in (0, 29, 30, 479)}
        assert named == {("2024-03-31", "03:00-11:00")}


@pytest.mark.parametrize(
    "starts", [(), ("6:00",), ("24:00",), ("06:00", "06:00"), ("06:00", "22:00", "14:00")]
)
def test_shifts_that_are_none_are_refused(starts: tuple[str, ...]) -> None:
    with pytest.raises(BadInput) as refused:
        Calendar("UTC", starts)
    assert refused.value.code == "bad-shifts"


@pytest.mark.parametrize(("zone", "hours"), [("-05:00", -5), ("+05:00", 5), ("+00:00", 0)])
def test_a_zone_east_and_one_west_of_greenwich_are_not_the_same(zone: str, hours: int) -> None:
    assert read_zone(zone).utcoffset(datetime.datetime(2024, 5, 31)) == datetime.timedelta(hours=hours)

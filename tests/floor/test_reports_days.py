"""Where gaming days begin at the edges of clocks, in a list that the screens' tests read as well."""

import datetime
import json
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.floor.reports.calendar import Calendar

MINUTE_MS: Final = 60_000
BEGINNINGS: Final[list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "gaming_days.json").read_bytes()
)
"""By zone and shifts, the gaming days around a change of clocks, a new year or a leap day."""


def name(row: dict[str, Any]) -> str:
    return f"{row['zone']} {max(row['begins'])} {row['shifts'][0]}"


def beginnings(row: dict[str, Any]) -> list[tuple[str, int]]:
    """Each gaming day of a row, and when it begins."""
    moments = ((day, datetime.datetime.fromisoformat(text)) for day, text in row["begins"].items())
    return [(day, round(moment.timestamp()) * 1000) for day, moment in moments]


@pytest.mark.parametrize("row", BEGINNINGS, ids=name)
def test_gaming_days_begin_where_the_list_says(row: dict[str, Any]) -> None:
    calendar = Calendar(row["zone"], row["shifts"])
    for (day, from_ms), (next_day, until_ms) in pairwise(beginnings(row)):
        assert calendar.span_of(day) == (from_ms, until_ms)
        assert Calendar(row["zone"], row["shifts"]).shift_of(until_ms - 1).day == day
        assert Calendar(row["zone"], row["shifts"]).shift_of(until_ms).day == next_day


@pytest.mark.parametrize("row", BEGINNINGS, ids=name)
def test_every_moment_is_in_one_shift_and_one_hour_of_its_day_and_no_two_are_called_the_same(
    row: dict[str, Any],
) -> None:
    calendar = Calendar(row["zone"], row["shifts"])
    days = beginnings(row)
    hours: dict[tuple[str, str], int] = {}
    shifts: dict[tuple[str, str], int] = {}
    for (day, from_ms), (_, until_ms) in pairwise(days):
        for at_ms in range(from_ms, until_ms, 5 * MINUTE_MS):
            shift, hour = calendar.shift_of(at_ms), calendar.hour_of(at_ms)
            assert shift.day == day
            assert shifts.setdefault((day, shift.shift), shift.from_ms) == shift.from_ms
            assert hours.setdefault((day, hour.hour), hour.from_ms) == hour.from_ms
    whole_ms = days[-1][1] - days[0][1]
    assert sum(ms for _, _, ms in calendar.split(days[0][1], days[-1][1])) == whole_ms


def test_a_day_that_begins_within_the_hour_that_comes_twice_has_it_three_times() -> None:
    """Berlin shows 02:30 at 00:30 UTC and at 01:30 UTC; the day lasts until 02:30 of the next one."""
    berlin = Calendar("Europe/Berlin", ["02:30"])
    first_ms = round(datetime.datetime(2026, 10, 25, tzinfo=datetime.UTC).timestamp()) * 1000

    def hour(minutes: int) -> tuple[str, str]:
        at_ms = first_ms + minutes * MINUTE_MS
        return berlin.shift_of(at_ms).day[8:], berlin.hour_of(at_ms).hour

    assert [hour(minutes) for minutes in (29, 30, 60, 119, 120)] == [
        ("24", "02:00 again"),
        ("25", "02:00"),
        ("25", "02:00 again"),
        ("25", "02:00 again"),
        ("25", "03:00"),
    ]
    assert hour(24 * 60 + 60) == ("25", "02:00 a third time")
    assert hour(24 * 60 + 90) == ("26", "02:00")

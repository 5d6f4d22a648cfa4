"""Gaming days, shifts and hours: when a day begins by the clocks of the house, and how it is divided."""

import datetime
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from croupier.floor.exports.selection import no_day, read_date, read_zone
from croupier.rulebook import BadInput

STARTS: Final = ("06:00", "14:00", "22:00")
"""When shifts begin, where nobody says otherwise; the first of them begins the gaming day."""

_AGAIN: Final = ("", " again", " a third time", " a fourth time")
"""What is said of an hour behind its name, by how often it came in its gaming day before."""

_TIME: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_DAY: Final = datetime.timedelta(days=1)
_DAY_MINUTES: Final = 24 * 60
_MINUTE_MS: Final = 60_000
_HOUR_MS: Final = 60 * _MINUTE_MS


class Shift(NamedTuple):
    """One shift of one gaming day."""

    day: str
    """The gaming day, by the date on which it begins."""
    shift: str
    """The shift by the times at which it begins and ends on the clocks of the house."""
    from_ms: int
    until_ms: int
    day_from_ms: int
    """When the gaming day begins."""


class GamingDays(msgspec.Struct, frozen=True):
    """Gaming days from one to another, both included; None is the first there was, or the last.

    >>> "2023-11-15" in GamingDays("2023-11-14", "2023-11-15"), "2023-11-15" in GamingDays(last="2023-11-14")
    (True, False)
    """

    first: str | None = None
    last: str | None = None

    def __post_init__(self) -> None:
        """Refuses days that are named the wrong way round."""
        if self.first is not None and self.last is not None and self.last < self.first:
            raise BadInput(
                "bad-days",
                f"{self.last} is before {self.first}.",
                "Name the earlier day first; both are included.",
            )

    def __contains__(self, day: str) -> bool:
        """Whether a gaming day is one of them."""
        return (self.first is None or self.first <= day) and self.reach(day)

    def reach(self, day: str) -> bool:
        """Whether a gaming day is not behind the last of them."""
        return self.last is None or day <= self.last


ALL_DAYS: Final = GamingDays()


class Hour(NamedTuple):
    """One hour as the clocks of the house show it."""

    from_ms: int
    """When it begins by those clocks."""
    hour: str
    """As in 21:00; an hour that comes twice in a gaming day is 01:00 and then 01:00 again.

    Clocks that are set back lead to it, and so does a gaming day that begins within an hour: it ends in one
    that is called the same. Where it begins within the very hour that is shown twice, that is the third one.
    """


class Calendar:
    """Finds the shift and the hour of a moment.

    A shift by the clocks is longer or shorter where the clocks are set.
    """

    def __init__(self, zone: str = "UTC", starts: Iterable[str] = STARTS) -> None:
        self.zone = zone
        self.starts = tuple(starts)
        self._clock = read_zone(zone)
        self._times = [_read_time(start) for start in self.starts]
        if not self._times:
            raise BadInput("bad-shifts", "There are no shifts.", "Write when each begins, as in 06:00,18:00.")
        since_first = [(_minutes(time) - _minutes(self._times[0])) % _DAY_MINUTES for time in self._times]
        if any(one >= other for one, other in pairwise(since_first)):
            raise BadInput(
                "bad-shifts",
                f"The shifts {', '.join(self.starts)} do not follow each other within a day.",
                "Write when each begins, the gaming day's first, as in 06:00,14:00,22:00.",
            )
        self._latest: Shift | None = None
        self._latest_hour: tuple[int, int, Hour] = (0, 0, Hour(0, ""))
        """From when on and until when the last answer is right, and that answer."""

    def shift_of(self, at_ms: int) -> Shift:
        """The shift that a moment falls into.

        >>> Calendar("Asia/Singapore").shift_of(1_700_000_000_000)[:2]
        ('2023-11-15', '06:00-14:00')
        >>> Calendar("Asia/Singapore").shift_of(1_699_990_000_000)[:2]
        ('2023-11-14', '22:00-06:00')
        """
        latest = self._latest
        if latest is not None and latest.from_ms <= at_ms < latest.until_ms:
            return latest
        for shift in self._around(self._at(at_ms).date()):
            if shift.from_ms <= at_ms < shift.until_ms:
                self._latest = shift
                return shift
        raise ValueError(f"no shift holds {at_ms}")

    def span_of(self, day: str) -> tuple[int, int]:
        """When a gaming day begins and when it ends.

        >>> Calendar("Asia/Singapore").span_of("2023-11-15")
        (1699999200000, 1700085600000)
        """
        date = read_date(day)
        try:
            shifts = [shift for shift in self._around(date) if shift.day == day]
        except OverflowError as error:
            raise no_day(day) from error
        return shifts[0].from_ms, shifts[-1].until_ms

    def hour_of(self, at_ms: int) -> Hour:
        """The hour that a moment falls into.

        >>> Calendar("Asia/Singapore").hour_of(1_700_000_000_000).hour
        '06:00'
        """
        right_from, right_until, hour = self._latest_hour
        if not right_from <= at_ms < right_until:
            right_until, hour = self._find_hour(at_ms)
            self._latest_hour = at_ms, right_until, hour
        return hour

    def split(self, from_ms: int, until_ms: int) -> Iterator[tuple[Shift, Hour, int]]:
        """The shifts and hours that a stretch of time runs through, and how many milliseconds each has."""
        while from_ms < until_ms:
            shift, hour = self.shift_of(from_ms), self.hour_of(from_ms)
            end_ms = min(until_ms, shift.until_ms, self._latest_hour[1])
            yield shift, hour, end_ms - from_ms
            from_ms = end_ms

    def _find_hour(self, at_ms: int) -> tuple[int, Hour]:
        """The hour of a moment, and until when it is surely the same one."""
        moment, shift = self._at(at_ms), self.shift_of(at_ms)
        past_ms = (60 * moment.minute + moment.second) * 1000 + at_ms % 1000
        from_ms = at_ms - past_ms
        until_ms = from_ms + _HOUR_MS
        if self._at(until_ms - 1).utcoffset() != moment.utcoffset():
            # Clocks are set within this hour, by whole minutes: it is found anew for each.
            until_ms = at_ms + _MINUTE_MS - past_ms % _MINUTE_MS
        until_ms = min(until_ms, shift.until_ms)
        # Where only the first part of an hour comes twice, the rest of it is of the same hour.
        times = max(moment.fold, self._at(from_ms).fold)
        a_day_before = _full_hour(moment) - _DAY
        if a_day_before >= _full_hour(self._at(shift.day_from_ms)):
            times += 2 if self._comes_twice(a_day_before) else 1
        return until_ms, Hour(from_ms, f"{moment.hour:02}:00{_AGAIN[times]}")

    def _comes_twice(self, hour: datetime.datetime) -> bool:
        """Whether clocks are set back over an hour, or some of it, so that they show it twice."""
        for minute in (0, 59):
            first, second = (hour.replace(minute=minute, tzinfo=self._clock, fold=fold) for fold in (0, 1))
            if first.timestamp() < second.timestamp():
                return True
        return False

    def _at(self, at_ms: int) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(at_ms // 1000, self._clock)

    def _around(self, date: datetime.date) -> Iterator[Shift]:
        """The shifts of the days before and behind a date, each ending where the next one begins."""
        begins: list[tuple[int, str, int]] = []
        for day in (date - 2 * _DAY, date - _DAY, date, date + _DAY, date + 2 * _DAY):
            for number, time in enumerate(self._times):
                on = day + _DAY if time < self._times[0] else day
                begins.append((self._moment_ms(on, time), day.isoformat(), number))
        # Clocks that are set forward over the beginning of a shift may show that of the next one first: then
        # it never begins, and the next one is of its own gaming day all the same.
        for place in reversed(range(len(begins) - 1)):
            from_ms, day_text, number = begins[place]
            begins[place] = min(from_ms, begins[place + 1][0]), day_text, number
        day_from_ms: dict[str, int] = {}
        for (from_ms, day_text, number), (until_ms, _, _) in pairwise(begins):
            end = self.starts[(number + 1) % len(self.starts)]
            since_ms = day_from_ms.setdefault(day_text, from_ms)
            yield Shift(day_text, f"{self.starts[number]}-{end}", from_ms, until_ms, since_ms)

    def _moment_ms(self, date: datetime.date, time: datetime.time) -> int:
        return round(datetime.datetime.combine(date, time, self._clock).timestamp()) * 1000


def _full_hour(moment: datetime.datetime) -> datetime.datetime:
    """The hour that clocks show at a moment, whichever zone they are in."""
    return moment.replace(minute=0, second=0, fold=0, tzinfo=None)


def _minutes(time: datetime.time) -> int:
    return 60 * time.hour + time.minute


def _read_time(text: str) -> datetime.time:
    match = _TIME.fullmatch(text)
    if match is None:
        raise BadInput("bad-shifts", f"{text!r} is not a time of day.", "Write it as in 06:00.")
    return datetime.time(int(match[1]), int(match[2]))


def read_days(first: str | None, last: str | None) -> GamingDays:
    """Gaming days as somebody has written them; None is one that nobody has named."""
    return GamingDays(*(None if day is None else read_date(day).isoformat() for day in (first, last)))

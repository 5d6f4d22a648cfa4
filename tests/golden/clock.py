"""Times of day in transcripts: every table of a transcript is set up at 20:00:00."""

from typing import Final

from table.rig import START_MS

_START_SECONDS: Final = 20 * 3600


def show_time(at_ms: int) -> str:
    """A moment as people read it; parts of a second do not occur.

    >>> show_time(START_MS + 61_000)
    '20:01:01'
    """
    seconds, parts = divmod(at_ms - START_MS, 1000)
    if parts:
        raise ValueError(f"{at_ms} is not on a whole second")
    minutes, second = divmod(_START_SECONDS + seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour:02}:{minute:02}:{second:02}"


def read_time(text: str) -> int:
    """The moment that a time of day stands for.

    >>> read_time("20:00:01") - START_MS
    1000
    """
    hour, minute, second = (int(part) for part in text.split(":"))
    return START_MS + 1000 * (3600 * hour + 60 * minute + second - _START_SECONDS)

"""Times on the command line."""

import datetime


def shown_time(at_ms: int | None) -> str:
    """A time in UTC to the minute, marked as such like all times on the command line.

    >>> shown_time(1_700_000_000_000), shown_time(None)
    ('2023-11-14 22:13Z', '-')
    """
    if at_ms is None:
        return "-"
    return datetime.datetime.fromtimestamp(at_ms // 1000, datetime.UTC).strftime("%Y-%m-%d %H:%MZ")

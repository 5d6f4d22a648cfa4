"""Logs of a server: one JSON object a line for machines, short lines for whoever sits at a terminal.

No secret gets into them. A field is shown only where it is on the list of those that may be, and what looks
like a token, a password or a voucher's number is masked wherever it stands.
"""

import json
import logging
import re
import sys
import time
from typing import Any, Final, TextIO

FIELDS: Final = ("table", "round", "seat", "device", "stream", "code", "address")
"""What may stand beside a message, from `extra=`; whatever else somebody adds is not shown."""

BY_ANYBODY: Final = ("Invalid HTTP request received.", "Unsupported upgrade request.")
"""What uvicorn says of requests that are none, before anybody has said who they are."""
SELDOM_SECONDS: Final = 60

MASK: Final = "***"

_SECRET_NAMES: Final = (
    "password|passwd|secret|token|authorization|cookie|session|voucher|validation|api[-_]?key"
)
_NAMED: Final = re.compile(
    rf"""(?ix) ( ["']? [\w-]* (?:{_SECRET_NAMES}) [\w-]* ["']? \s* [:=] \s* (?:bearer\s+|basic\s+)? )
    ( "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | [^\s,;&}}\])]+ )"""
)
"""A name that speaks of a secret, and the value behind it."""
_BEARER: Final = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]+")
_IN_ADDRESS: Final = re.compile(r"(?<=://)[^\s/@]*:[^\s/@]*(?=@)")
"""Name and password in an address."""
_ARGON2: Final = re.compile(r"\$argon2[^\s\"']*")
_LONG: Final = re.compile(r"[A-Za-z0-9_-]{32,}")
"""A run of signs as long as a token; hashes of records are as long, and no loss in a log."""
_DIGEST: Final = re.compile(r"\b(SHA-256 [0-9a-f]{64})\b")
"""A hash that says what it is, such as that of the software: whoever finds it changed has to read it."""
_CODE: Final = re.compile(r"\b[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}\b")
"""A code that enrols a device."""
_VOUCHER: Final = re.compile(r"(?<![0-9])(?:[0-9][ -]?){17}[0-9](?![0-9])")
"""Eighteen digits, together or in groups."""


def mask(text: str) -> str:
    """A text with everything masked that may be a secret; of a voucher's number the last four digits stay.

    >>> mask("voucher 123456789012345672 is refused, password=hunter2")
    'voucher ***5672 is refused, password=***'
    """
    # Every other part is a hash that stays.
    parts = _DIGEST.split(text)
    return "".join(part if place % 2 else _mask(part) for place, part in enumerate(parts))


def _mask(text: str) -> str:
    text = _IN_ADDRESS.sub(MASK, text)
    text = _ARGON2.sub(MASK, text)
    text = _VOUCHER.sub(lambda found: MASK + re.sub("[^0-9]", "", found[0])[-4:], text)
    text = _NAMED.sub(rf"\1{MASK}", text)
    text = _BEARER.sub(rf"\1 {MASK}", text)
    return _CODE.sub(MASK, _LONG.sub(MASK, text))


class JsonLines(logging.Formatter):
    """One JSON object a line: time in UTC, level, logger, message, fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        line: dict[str, Any] = {
            "time": _time_of(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": mask(record.getMessage()),
            **_fields_of(record),
        }
        if (trace := _trace_of(self, record)) is not None:
            line["trace"] = trace
        return json.dumps(line)


class ForPeople(logging.Formatter):
    """Short lines: time of day, level, message, fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record, and what went wrong beneath it."""
        fields = "".join(f" {name}={value}" for name, value in _fields_of(record).items())
        line = f"{_time_of(record)[11:19]} {record.levelname.lower():8} {mask(record.getMessage())}{fields}"
        trace = _trace_of(self, record)
        return line if trace is None else f"{line}\n{trace}"


class Seldom(logging.Filter):
    """Says once a minute what anybody can cause as often as they like, and how often it came since.

    A log that somebody fills from outside takes the disk, or what journald leaves out of it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, tuple[float, int]] = {}
        """By sentence, when it was said and how often it came since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record gets into the log."""
        if record.msg not in BY_ANYBODY:
            return True
        said_at, more = self._said.get(record.msg, (None, 0))
        if said_at is not None and 0 <= record.created - said_at < SELDOM_SECONDS:
            self._said[record.msg] = said_at, more + 1
            return False
        self._said[record.msg] = record.created, 0
        if more:
            record.msg = f"{record.msg} (So were {more} more before.)"
        return True


def start_logging(stream: TextIO | None = None, level: int = logging.INFO) -> logging.Handler:
    """Sends the logs of everything to a stream: JSON lines, or short ones where somebody watches.

    What was sent anywhere before is not any more, so that nothing goes around the masks.
    """
    out = sys.stderr if stream is None else stream
    handler = logging.StreamHandler(out)
    handler.setFormatter(ForPeople() if out.isatty() else JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets", "litestar"):
        logger = logging.getLogger(name)
        logger.handlers[:] = []
        logger.propagate = True
    logging.getLogger("uvicorn.error").filters[:] = [Seldom()]
    # These say for every request and connection what the metrics count.
    for name in ("uvicorn.access", "websockets"):
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    return handler


def _time_of(record: logging.LogRecord) -> str:
    seconds, fraction = divmod(record.created, 1)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{int(fraction * 1000):03}Z"


def _fields_of(record: logging.LogRecord) -> dict[str, Any]:
    found = ((name, getattr(record, name, None)) for name in FIELDS)
    return {
        name: value if isinstance(value, int) else mask(str(value))
        for name, value in found
        if value is not None
    }


def _trace_of(formatter: logging.Formatter, record: logging.LogRecord) -> str | None:
    """What went wrong, where something did; the lines of code in it hold no values."""
    if not record.exc_info:
        return None
    return mask(formatter.formatException(record.exc_info))

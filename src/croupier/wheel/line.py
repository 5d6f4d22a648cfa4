"""The lines of a sensor wheel, read and written. Results are names of pockets and never numbers.

The facts behind this, and how certain each is, stand in docs/wheel.md.
"""

import re
from typing import Final

import msgspec

from croupier.rulebook import Book

BEFORE_GAME, PLACE_BETS, IN_RIM, NO_MORE_BETS, RESULT, SHUT, NO_BALL = range(1, 8)
"""The states of the wheel: 1 before a game, 2 place bets or launching, 3 ball in the rim, 4 no more bets,
5 result, 6 closed, 7 ball not detected."""

BALL_MISSING, WITH_ROTOR, OUT_OF_ORDER, LAUNCH_FAILED = 1, 2, 4, 8
"""The warning flags, which add up to one hexadecimal digit."""

MOST_SPINS: Final = 256
"""The count of spins goes from 1 to this and begins again."""

DIRECTIONS: Final = ("clockwise", "counter-clockwise")
LONGEST_LINE: Final = 64
POCKET_COUNTS: Final = (37, 38, 39)

_STATUS: Final = re.compile(
    r"\*X;(?P<state>[1-7]);(?P<spins>[ 0-9]{2}[0-9]);(?P<result>[ 0-9]{2});"
    r"(?P<flags>[0-9A-Fa-f]);(?P<rotor>[ 0-9]{2}[0-9]);(?P<direction>[01])"
)
_ANSWER: Final = re.compile(r"\*(?P<command>[PRuoTK]) ?(?P<text>[ 0-9]*)|\*F(?P<test>[ -~]*)")
_COUNT: Final = re.compile(r" *[0-9]+")

_TRIPLE_ZERO: Final = "38"
_POCKETS: Final = {
    **{f"{number:>2}": str(number) for number in range(37)},
    "00": "00",
    _TRIPLE_ZERO: "000",
}
_RESULTS: Final = {pocket: written for written, pocket in _POCKETS.items()}


def has_sensors(book: Book) -> bool:
    """Whether there are sensor wheels for a game: with a ball, and with pockets that a line can name.

    >>> from croupier.rulebook import load_book
    >>> [has_sensors(load_book(book_id)) for book_id in ("rws-roulette-000", "rws-money-wheel")]
    [True, False]
    """
    wheel = book.wheel
    return wheel.kind == "ball" and book.pockets in POCKET_COUNTS and wheel.outcomes.keys() <= _RESULTS.keys()


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """`*X;S;GGG;NN;W;RRR;D`: all that the wheel says of itself, twice a second or when it is asked."""

    state: int
    spins: int
    """Spins since the wheel was switched on, up to 256 and then from 1 again."""
    pocket: str | None
    """The result in state 5 and the previous one before; None while there was none."""
    flags: int
    rotor_tenths_rpm: int
    direction: str
    """Which way the wheel turns."""


class BareResult(msgspec.Struct, frozen=True, kw_only=True):
    """A result on a line by itself, which may come before the first status that has it."""

    pocket: str


class CommandAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What the wheel says back to a command, such as `*T 37`."""

    command: str
    text: str


class Unreadable(msgspec.Struct, frozen=True, kw_only=True):
    """A line that is none of a wheel's."""

    text: str


Line = Status | BareResult | CommandAnswer | Unreadable


def read_line(line: bytes) -> Line:
    """What one line says, without its line end.

    >>> read_line(b"*X;5;012;00;0;251;1").pocket, read_line(b"*X;5;012; 0;0;251;1").pocket
    ('00', '0')
    >>> read_line(b"*X;5;012;07;0;251;1")
    Unreadable(text='*X;5;012;07;0;251;1')
    """
    text = line.decode("ascii", "backslashreplace")
    if (match := _STATUS.fullmatch(text)) is not None:
        return _status(match) or Unreadable(text=text)
    if (pocket := read_result(text.rjust(2))) is not None and text.strip():
        return BareResult(pocket=pocket)
    if (match := _ANSWER.fullmatch(text)) is not None:
        return CommandAnswer(
            command=match["command"] or "F", text=(match["text"] or match["test"] or "").strip()
        )
    return Unreadable(text=text)


def read_result(written: str) -> str | None:
    """The pocket that two characters stand for; None where they stand for none.

    >>> [read_result(written) for written in (" 0", "00", "38", " 7", "36", "37", "07", "  ")]
    ['0', '00', '000', '7', '36', None, None, None]
    """
    return _POCKETS.get(written)


def write_result(pocket: str | None) -> str:
    """How a pocket is written: in two characters, blank where there is none.

    >>> [write_result(pocket) for pocket in ("0", "00", "000", "7", None)]
    [' 0', '00', '38', ' 7', '  ']
    """
    return "  " if pocket is None else _RESULTS[pocket]


def write_status(status: Status) -> bytes:
    """A status as the wheel writes it, without a line end."""
    return (
        f"*X;{status.state};{status.spins:03};{write_result(status.pocket)};{status.flags:X};"
        f"{status.rotor_tenths_rpm:03};{DIRECTIONS.index(status.direction)}"
    ).encode("ascii")


def write_command(command: str, *numbers: int) -> bytes:
    r"""A command as the wheel takes it.

    >>> write_command("u", 1), write_command("X")
    (b'*u 1\r\n', b'*X\r\n')
    """
    return "".join([f"*{command}", *(f" {number}" for number in numbers), "\r\n"]).encode("ascii")


def pockets_of(count: int) -> frozenset[str]:
    """The pockets of a wheel by how many it has: 37 with 0, 38 with 00, 39 with 000.

    >>> sorted(pockets_of(39) - pockets_of(37))
    ['00', '000']
    """
    if count not in POCKET_COUNTS:
        raise ValueError(f"a sensor wheel has 37, 38 or 39 pockets, not {count}")
    zeros = ("0", "00", "000")[: count - 36]
    return frozenset(zeros) | {str(number) for number in range(1, 37)}


def _status(match: re.Match[str]) -> Status | None:
    spins, rotor, written = match["spins"], match["rotor"], match["result"]
    pocket = read_result(written)
    if not all(_COUNT.fullmatch(count) for count in (spins, rotor)) or int(spins) > MOST_SPINS:
        return None
    if pocket is None and written != "  ":
        return None
    return Status(
        state=int(match["state"]),
        spins=int(spins),
        pocket=pocket,
        flags=int(match["flags"], 16),
        rotor_tenths_rpm=int(rotor),
        direction=DIRECTIONS[int(match["direction"])],
    )


class LineBuffer:
    """Makes lines of what comes in pieces; CR, LF, both, or both the wrong way round end a line."""

    def __init__(self) -> None:
        self._rest = b""
        self._is_too_long = False

    def take(self, piece: bytes) -> list[bytes]:
        r"""The lines that a piece completes; one that never ends is given up, and its end with it.

        >>> buffer = LineBuffer()
        >>> buffer.take(b"*X;1;001;  ;0;251"), buffer.take(b";0\n\r 0\r")
        ([], [b'*X;1;001;  ;0;251;0', b' 0'])
        """
        *whole, rest = re.split(rb"[\r\n]", self._rest + piece)
        lines = []
        for line in whole:
            if self._is_too_long:
                self._is_too_long = False
            elif line:
                lines.append(line[: LONGEST_LINE + 1])
        if len(rest) > LONGEST_LINE and not self._is_too_long:
            lines.append(rest[: LONGEST_LINE + 1])
            self._is_too_long = True
        self._rest = b"" if self._is_too_long else rest
        return lines

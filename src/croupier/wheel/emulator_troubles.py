"""What an emulated wheel can do wrong, one thing a spin, and in which moment of it."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

import msgspec

from croupier.rulebook import BadInput
from croupier.wheel import line as w
from croupier.wheel.line import Status, write_result, write_status

TROUBLES: Final[Mapping[str, str]] = {
    "with-rotor": "the ball travels with the rotor (flag 2 in state 3)",
    "ball-removed": "the ball is gone for over 5 s (flag 1 in state 4)",
    "ball-glimpse": "the ball is out of sight for less than 5 s in state 4, which is as it should be",
    "ball-unseen": "the rim does not see the ball for a moment (flag 1 in state 3)",
    "relaunch": "a launch fails and is retried in time (flag 8 until 2 s into state 3)",
    "launch-failed": "a launch fails for good (flag 8 for over 3 s of state 3)",
    "sensor-fault": "a sensor or the motor fails (flag 4 in state 3)",
    "no-ball": "the wheel gives the ball up (state 7 after state 4)",
    "skipped-state": "state 4 is never said",
    "counter-jump": "the count of spins jumps by three in state 3",
    "restart": "the wheel starts again in the middle of a spin",
    "stuck": "state 4 never ends",
    "silence": "nothing is sent for 5 s of state 3",
    "hang-up": "the line is cut in state 3",
    "garbage": "a line of noise in state 3",
    "half-line": "half a line in state 4",
    "torn-line": "a line without its end in state 3",
    "repeated-lines": "the same line six times at once in state 3",
    "stale-line": "a line of state 2 again in state 4",
    "results-differ": "the bare result is another than that of state 5",
    "result-changes": "the second line of state 5 has another result than the first",
    "no-result": "state 5 without a result",
    "wrong-wheel": "a result that is not on the wheel",
    "old-result": "the result before changes in state 3",
}
"""Every trouble in words."""

_FLAGS: Final[Mapping[str, tuple[int, int, range]]] = {
    "with-rotor": (w.IN_RIM, w.WITH_ROTOR, range(2, 1000)),
    "ball-removed": (w.NO_MORE_BETS, w.BALL_MISSING, range(1, 1000)),
    "ball-glimpse": (w.NO_MORE_BETS, w.BALL_MISSING, range(1, 9)),
    "ball-unseen": (w.IN_RIM, w.BALL_MISSING, range(2, 3)),
    "relaunch": (w.IN_RIM, w.LAUNCH_FAILED, range(5)),
    "launch-failed": (w.IN_RIM, w.LAUNCH_FAILED, range(1000)),
    "sensor-fault": (w.IN_RIM, w.OUT_OF_ORDER, range(2, 5)),
}
"""In which state a trouble raises which flag, and during which lines of it."""

_LEAST: Final = {
    "ball-removed": (w.NO_MORE_BETS, 14),
    "ball-glimpse": (w.NO_MORE_BETS, 10),
    "launch-failed": (w.IN_RIM, 9),
    "silence": (w.IN_RIM, 15),
    "hang-up": (w.IN_RIM, 10),
    "stuck": (w.NO_MORE_BETS, 245),
}
"""How many lines of a state a trouble takes."""


class Chances(msgspec.Struct, frozen=True):
    """How often each trouble comes, in shares of all spins."""

    rates: Mapping[str, float]

    def draw(self, random: Random) -> str | None:
        """The trouble of one spin, if any."""
        lot = random.random()
        for name, rate in self.rates.items():
            if lot < rate:
                return name
            lot -= rate
        return None


def read_chances(words: list[str], pockets: int) -> Chances:
    """Troubles as they are asked for: a name, and behind a colon how often it comes.

    >>> read_chances(["garbage:0.25", "hang-up"], 37).rates
    {'garbage': 0.25, 'hang-up': 0.1}
    """
    rates: dict[str, float] = {}
    for word in words:
        name, _, said = word.partition(":")
        if name not in TROUBLES or (name == "wrong-wheel" and pockets == 39):
            known = ", ".join(known for known in TROUBLES if known != "wrong-wheel" or pockets != 39)
            raise BadInput("unknown-fault", f"This wheel has no fault {name!r}.", f"Use one of {known}.")
        try:
            rates[name] = float(said) if said else 0.1
        except ValueError:
            rates[name] = -1.0
        if not 0 <= rates[name] <= 1:
            raise BadInput("bad-rate", f"{said!r} is not a rate.", "Write a share of the spins, 0 to 1.")
    if sum(rates.values()) > 1:
        raise BadInput("bad-rate", "The rates of all faults together are above 1.", "Use smaller ones.")
    return Chances(rates)


def flags_of(trouble: str | None, state: int, tick: int) -> int:
    """The flags that a trouble raises at the tick of a state."""
    found = _FLAGS.get(trouble or "")
    return found[1] if found is not None and found[0] == state and tick in found[2] else 0


def least_ticks(trouble: str | None, state: int) -> int:
    """How many lines a state has to last for a trouble to show."""
    found = _LEAST.get(trouble or "")
    return found[1] if found is not None and found[0] == state else 0


def spoil(trouble: str | None, status: Status, tick: int, random: Random, pockets: int) -> list[bytes] | None:
    """What is sent instead of a status line, where a trouble is about lines; None where it stays as it is."""
    spoiler = _SPOILERS.get((trouble or "", status.state))
    return None if spoiler is None else spoiler(status, tick, random, pockets)


Spoiler = Callable[[Status, int, Random, int], list[bytes] | None]
END: Final = b"\r\n"


def _silence(status: Status, tick: int, random: Random, pockets: int) -> list[bytes] | None:
    return [] if 2 <= tick < 12 else None


def _garbage(status: Status, tick: int, random: Random, pockets: int) -> list[bytes] | None:
    noise = bytes(random.choice(range(33, 256)) for _ in range(12))
    return [b"?" + noise + END] if tick == 2 else None


def _half_line(status: Status, tick: int, random: Random, pockets: int) -> list[bytes] | None:
    return [write_status(status)[: random.randrange(3, 18)] + END] if tick == 1 else None


def _torn_line(status: Status, tick: int, random: Random, pockets: int) -> list[bytes] | None:
    return [write_status(status)] if tick == 2 else None


def _repeated(status: Status, tick: int, random: Random, pockets: int) -> list[bytes] | None:
    return [(write_status(status) + END) * 6] if tick == 2 else None


def _stale(status: Status, tick: int, random: Random, pockets: int) -> list[bytes] | None:
    old = write_status(msgspec.structs.replace(status, state=w.PLACE_BETS))
    return [old + END + write_status(status) + END] if tick == 2 else None


def _result_changes(status: Status, tick: int, random: Random, pockets: int) -> list[bytes] | None:
    other = msgspec.structs.replace(status, pocket="1" if status.pocket != "1" else "2")
    return [write_status(other) + END] if tick == 1 else None


def _no_result(status: Status, tick: int, random: Random, pockets: int) -> list[bytes] | None:
    return [write_status(msgspec.structs.replace(status, pocket=None)) + END]


def _wrong_wheel(status: Status, tick: int, random: Random, pockets: int) -> list[bytes] | None:
    foreign = "00" if pockets == 37 else "000"
    return [write_status(msgspec.structs.replace(status, pocket=foreign)) + END]


def _old_result(status: Status, tick: int, random: Random, pockets: int) -> list[bytes] | None:
    other = msgspec.structs.replace(status, pocket="1" if status.pocket != "1" else "2")
    return [write_status(other) + END] if tick == 2 else None


_SPOILERS: Final[Mapping[tuple[str, int], Spoiler]] = {
    ("silence", w.IN_RIM): _silence,
    ("garbage", w.IN_RIM): _garbage,
    ("half-line", w.NO_MORE_BETS): _half_line,
    ("torn-line", w.IN_RIM): _torn_line,
    ("repeated-lines", w.IN_RIM): _repeated,
    ("stale-line", w.NO_MORE_BETS): _stale,
    ("result-changes", w.RESULT): _result_changes,
    ("no-result", w.RESULT): _no_result,
    ("wrong-wheel", w.RESULT): _wrong_wheel,
    ("old-result", w.IN_RIM): _old_result,
}


def bare_result(trouble: str | None, pocket: str) -> bytes:
    """The line before the first status with the result; one controller ends it the wrong way round."""
    if trouble == "results-differ":
        pocket = "1" if pocket != "1" else "2"
    return write_result(pocket).encode("ascii") + b"\n\r"

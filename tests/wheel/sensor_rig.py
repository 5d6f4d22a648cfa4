"""A sensor that hears a line every half second, and what it says in short."""

from typing import Any

from croupier.wheel.line import Status, write_status
from croupier.wheel.sensor import Sensor
from croupier.wheel.signals import AtRest, Fault, Irregular, Signal

START_MS = 1_000_000


class Line:
    """A sensor that hears a line every half second."""

    def __init__(self, pockets: int = 37) -> None:
        self.sensor = Sensor(pockets)
        self.at_ms = START_MS
        self.facts: dict[str, Any] = {
            "spins": 7,
            "pocket": "3",
            "flags": 0,
            "rotor_tenths_rpm": 251,
            "direction": "clockwise",
        }
        self.sensor.connected(self.at_ms)

    def say(self, state: int, times: int = 1, **facts: Any) -> list[Signal]:
        """So many status lines; facts stay until they are said otherwise."""
        self.facts.update(facts)
        signals: list[Signal] = []
        for _ in range(times):
            self.at_ms += 500
            signals += self.sensor.hear(write_status(Status(state=state, **self.facts)), self.at_ms)
        return signals

    def raw(self, line: bytes, wait_ms: int = 0) -> list[Signal]:
        self.at_ms += wait_ms
        return self.sensor.hear(line, self.at_ms)

    def to(self, state: int) -> "Line":
        """Says everything up to two lines of a state."""
        for reached in range(1, state + 1):
            facts = {"spins": 8, "pocket": "17"} if reached == 5 else {}
            self.say(reached, 2, **facts)
        return self

    def end(self, pocket: str = "17") -> list[Signal]:
        return self.say(5, 3, spins=8, pocket=pocket)


def shapes(signals: list[Signal]) -> list[str]:
    """What the signals are, without times."""
    shown = []
    for signal in signals:
        match signal:
            case Fault():
                shown.append(f"fault {signal.code}")
            case Irregular():
                shown.append(f"irregular {signal.cause}")
            case AtRest():
                shown.append(f"rest {signal.pocket}")
            case _:
                shown.append(type(signal).__name__)
    return shown

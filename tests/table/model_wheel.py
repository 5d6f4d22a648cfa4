"""What can be known of a round's outcome, worked out from the accepted commands and the texts alone.

No bet is placed or changed once the outcome can be known, a result is the sensor's unless two people say
otherwise, and an outcome needs a spin (MBS 3.7, 5.13; RWS 3.5, 3.7, 5.1; Money Wheel 3.6, 3.8, 5.3).
"""

from dataclasses import dataclass

from croupier.table import Settings
from croupier.table import commands as c

RANKS = ("dealer", "pit-supervisor", "pit-manager", "shift-manager")
BETS = (c.PlaceBets, c.TakeBets, c.MoveBet, c.ClearBets, c.RejectExcess)


@dataclass
class ModelSpin:
    """The spin of the running round."""

    begun: bool = False
    seen: bool = False
    """Whether the sensor saw the launch."""
    ended_by_wheel: bool = False
    pocket: str | None = None
    tainted: bool = False
    in_halt: bool = False
    stopped: bool = False
    """Whether play has stopped since it began: whoever walks by the wheel may know the number."""


class WheelModel:
    """The wheel of a table, its sensor, and who overrules it."""

    def __init__(self, settings: Settings) -> None:
        self.has_sensor = settings.spin_source != "hand"
        self.fault: str | None = None
        self.halted = False
        self.awaiting = False
        self.spin = ModelSpin()

    def accept(self, command: c.Command) -> None:
        """Takes a command that the table has carried out; fails if the texts forbid it."""
        do = command.do
        if isinstance(do, BETS):
            assert not self.halted
            assert not self.spin.stopped, "a bet on an outcome that could be known"
            assert not self.spin.ended_by_wheel
        elif isinstance(do, c.OpenRound):
            self.spin, self.awaiting = ModelSpin(), False
        elif isinstance(do, c.ReportWheel):
            self.fault = do.fault
            if do.fault is not None and self.spin.begun and not self.spin.ended_by_wheel:
                self.spin.tainted = True
        elif isinstance(do, c.StartSpin):
            self._start(command)
        elif isinstance(do, c.FinishSpin):
            self._finish(command, do)
        elif isinstance(do, c.HaltTable):
            self.halted = True
            self.spin.stopped = self.spin.stopped or self.spin.begun
        elif isinstance(do, c.ResumeTable):
            self.halted = False
            self._stop(is_spun=self.spin.begun)
        elif isinstance(do, c.Interrupt):
            self._stop(is_spun=self.spin.begun)
        elif isinstance(do, c.DeclareInterruption):
            self._stop(is_spun=self.spin.begun or do.spun)
        elif isinstance(do, c.EnterResult):
            self.registered(command, do.result)
        elif isinstance(do, c.StateOutcome):
            self._stated(command, do)

    def _stop(self, *, is_spun: bool) -> None:
        self.spin.stopped = self.spin.stopped or is_spun
        self.awaiting = self.awaiting or is_spun

    def _start(self, command: c.Command) -> None:
        is_wheel = command.actor.position == "wheel"
        if not self.spin.begun:
            self.spin.begun, self.spin.in_halt = True, self.halted or self.awaiting
            self.spin.tainted = self.fault is not None
        self.spin.seen = is_wheel
        self.spin.stopped = self.spin.stopped or self.halted

    def _finish(self, command: c.Command, do: c.FinishSpin) -> None:
        is_wheel = command.actor.position == "wheel"
        assert is_wheel or not self._sees(), "a person ends a spin that the sensor watches"
        if is_wheel:
            self.spin.ended_by_wheel, self.spin.pocket = True, do.pocket

    def _sees(self) -> bool:
        return self.spin.seen and self.fault is None and not self.spin.tainted

    def registered(self, command: c.Command, result: str) -> None:
        """A result of the running round, entered or corrected before its confirmation."""
        spin = self.spin
        assert spin.begun, "an outcome without a spin"
        assert not self.halted
        if spin.ended_by_wheel and spin.pocket == result:
            return
        if not spin.ended_by_wheel:
            assert not self._sees(), "a result before the ball rests"
        if self.has_sensor or spin.seen or spin.pocket is not None:
            assert self._two_with(command, "pit-supervisor"), "a result without the sensor or against it"

    def _stated(self, command: c.Command, do: c.StateOutcome) -> None:
        assert self.awaiting
        spin = self.spin
        if do.result is not None and (not spin.begun or spin.in_halt):
            assert do.spun, "an outcome without a spin"
            second = command.second
            assert second is not None
            assert second.id != command.actor.id
            assert second.position in RANKS[2:]
        if spin.ended_by_wheel and spin.pocket not in (None, do.result):
            people = [command.actor, *([command.second] if command.second else [])]
            assert any(person.position == "shift-manager" for person in people)
        self.awaiting = False

    @staticmethod
    def _two_with(command: c.Command, position: str) -> bool:
        second = command.second
        if second is None or second.id == command.actor.id:
            return False
        people = command.actor.position, second.position
        return all(p in RANKS for p in people) and any(p in RANKS[RANKS.index(position) :] for p in people)

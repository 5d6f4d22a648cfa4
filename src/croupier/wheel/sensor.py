"""What a sensor wheel's lines mean: a state machine from lines and times to the table's signals.

It guesses nothing. A pocket is given only for a spin that was heard from state 2 through 3 and 4, in order
and without a fault, and only where two lines agree on it. Nothing is held over a gap in the line: what went
on in it nobody heard.
"""

from typing import Final

from croupier.wheel import line as w
from croupier.wheel.line import BareResult, CommandAnswer, Status, pockets_of, read_line
from croupier.wheel.sensor_order import Repeats, miscounted, misplaced
from croupier.wheel.signals import AtRest, BallInRim, Cleared, Fault, Irregular, NoMoreBets, Ready, Signal

SILENCE_MS: Final = 2_000
"""Four lines that should have come and did not."""
MISSING_MS: Final = 5_000
"""How long the ball may be out of sight in state 4: on its way from the rim into a pocket it always is."""
RELAUNCH_MS: Final = 3_000
"""How long the flag of a failed launch may stay on in state 3, from the attempt before."""
LONGEST_MS: Final = 120_000
"""No ball runs or drops for longer than this."""
GOOD_LINES: Final = 2
"""So many lines in a row have to be read before the line counts as well again."""
LASTING_MS: Final = 10_000
"""A line that was lost has to be heard for so long before it is told that it cannot be read.

Whatever says something else and hangs up, over and over, would be two faults each time it is called.
"""
ANOTHER_MS: Final = 400
"""A status that says the same sooner than this may be the same one, sent twice: they come every 500 ms."""

_ROLLING: Final = (w.IN_RIM, w.NO_MORE_BETS)
_WAITING: Final = (w.BEFORE_GAME, w.PLACE_BETS)
_OUT_OF_PLAY: Final = (w.SHUT, w.NO_BALL)
_OF_THE_LINE: Final = ("line-lost", "line-garbled", "line-repeated")
"""Faults that are over when lines are read again; the others when the wheel waits for a new spin."""


class Sensor:
    """Listens to one wheel. Every method gives the signals that follow, in their order."""

    def __init__(self, pockets: int) -> None:
        self.fault: str | None = None
        self.last: Status | None = None
        self._pockets = pockets
        self._on_wheel = pockets_of(pockets)
        self._another: int | None = None
        """Another number of pockets that the wheel has, as it said twice itself."""
        self._doubt: tuple[int, int] | None = None
        """Another number of pockets that it said once, and when."""
        self._asks_pockets = False
        self._heard_ms: int | None = None
        self._said_ms: int | None = None
        """When the latest status came; None where the line was lost since."""
        self._is_new = True
        """Whether nothing was heard yet since the line was opened: the first piece may be half a line."""
        self._good = 0
        self._lasts_from_ms = 0
        """Since when the line has been open without a silence."""
        self._since_ms = 0
        """When the present state began."""
        self._missing_ms: int | None = None
        self._is_sudden = False
        """Whether the present state came while the ball ran or dropped."""
        self._whole = False
        """Whether the spin was heard from state 2 on, in order and without a fault."""
        self._void = False
        self._told = False
        """Whether the end of the spin was told."""
        self._bare: str | None = None
        self._once: str | None = None
        """A result that one status gave, and that another has to give as well."""
        self._once_ms = 0
        self._flagged_ms: dict[int, int] = {}
        """Since when a flag that voids the round has been up with the ball in the rim."""
        self._has_turned = False
        self._repeats = Repeats()

    @property
    def due_ms(self) -> int | None:
        """When `tick` has something to say if nothing is heard until then."""
        if self._heard_ms is None or self.fault == "line-lost":
            return None
        return self._heard_ms + SILENCE_MS

    def asks_pockets(self) -> bool:
        """Whether the wheel is to be asked now how many pockets it has.

        After a gap it is asked once: another wheel may have been put on the line, and some never answer. One
        that has said another number is asked until it says it again, or the right one.
        """
        asks, self._asks_pockets = self._asks_pockets, False
        return asks or self._doubt is not None

    def awaited(self, at_ms: int) -> None:
        """The line is to be opened: what is not heard from now on is silence, also where it never opens."""
        self._heard_ms = at_ms

    def connected(self, at_ms: int) -> list[Signal]:
        """The line was opened; until something is read on it nothing is known."""
        self._heard_ms, self._is_new, self._good, self._lasts_from_ms = at_ms, True, 0, at_ms
        return [] if self.last is None else self._fail(at_ms, "line-lost", "the line was opened anew")

    def lost(self, at_ms: int, detail: str) -> list[Signal]:
        """The line was closed at the other end, or cannot be opened."""
        return self._fail(at_ms, "line-lost", detail)

    def tick(self, at_ms: int) -> list[Signal]:
        """Time has passed without a line."""
        due_ms = self.due_ms
        if due_ms is None or at_ms < due_ms:
            return []
        return self._fail(at_ms, "line-lost", f"nothing heard for {SILENCE_MS / 1000:.1f} s")

    def hear(self, line: bytes, at_ms: int) -> list[Signal]:
        """One line, without its end."""
        signals = self.tick(at_ms)
        if self._heard_ms is None or at_ms - self._heard_ms >= SILENCE_MS:
            self._lasts_from_ms = at_ms
        self._heard_ms = at_ms
        is_new, self._is_new = self._is_new, False
        read = read_line(line)
        if isinstance(read, Status):
            return signals + self._status(read, at_ms)
        if isinstance(read, CommandAnswer):
            return signals + self._answer(read, at_ms)
        if is_new:  # the first piece on a line that was just opened may be half of one, from its middle on
            return signals
        if isinstance(read, BareResult):
            return signals + self._result(read.pocket, at_ms)
        if self.fault == "line-lost" and at_ms - self._lasts_from_ms < LASTING_MS:
            self._good = 0
            return signals
        return signals + self._fail(at_ms, "line-garbled", f"cannot read {read.text!r}")

    def _fail(self, at_ms: int, code: str, detail: str, *, stops_table: bool = False) -> list[Signal]:
        self._whole = False
        if code in _OF_THE_LINE:
            self._good = 0
        if code == "line-lost":
            self._said_ms = None
        if code == self.fault:
            return []
        self.fault = code
        return [Fault(at_ms=at_ms, code=code, detail=detail, stops_table=stops_table)]

    def _answer(self, answer: CommandAnswer, at_ms: int) -> list[Signal]:
        if answer.command != "T" or not answer.text.isdigit():
            return []
        pockets = int(answer.text)
        if pockets == self._pockets:
            self._another = self._doubt = None
            return []
        if self._another is None:
            # The line may be damaged, and there is nothing else to hold it against.
            if self._doubt is None or self._doubt[0] != pockets:
                self._doubt = pockets, at_ms
            if at_ms - self._doubt[1] < ANOTHER_MS:
                return []
        self._another, self._doubt = pockets, None
        return self._is_wrong(at_ms, pockets)

    def _is_wrong(self, at_ms: int, pockets: int) -> list[Signal]:
        detail = f"it has {pockets} pockets, and the book has {self._pockets}"
        return self._fail(at_ms, "wrong-wheel", detail)

    def _result(self, pocket: str, at_ms: int) -> list[Signal]:
        """A bare result is held against the status that follows; one that comes at another time is none."""
        if self.last is None or self._is_after_gap(at_ms):
            return []
        if self.last.state == w.RESULT and pocket == self.last.pocket:
            return []
        if self.last.state == w.NO_MORE_BETS and self._bare in (None, pocket):
            self._bare = pocket
            return []
        if self.last.state in (w.NO_MORE_BETS, w.RESULT):
            return self._fail(at_ms, "results-differ", f"a line by itself says {pocket}")
        detail = f"the result {pocket} came in state {self.last.state}"
        return self._fail(at_ms, "wrong-order", detail)

    def _status(self, status: Status, at_ms: int) -> list[Signal]:
        signals: list[Signal] = []
        before = self.last
        is_after_gap = self._is_after_gap(at_ms)
        if is_after_gap:
            if self.fault is None:
                signals += self._fail(at_ms, "line-lost", f"no status for {SILENCE_MS / 1000:.1f} s")
            before = self._resume(before, status, at_ms)
        self.last, self._said_ms = status, at_ms
        is_new_state = before is None or before.state != status.state
        if self._repeats.many(status, at_ms):
            signals += self._fail(at_ms, "line-repeated", "the same line again and again")
        self._good += 1
        for found in (misplaced(before, status, self._void), miscounted(before, status)):
            # After a gap it is no wonder that a spin is not heard from its beginning.
            if found is not None and not (is_after_gap and found.code == "wrong-order"):
                signals += self._fail(at_ms, found.code, found.detail)
        if is_new_state:
            signals += self._enter(before, status, at_ms)
        elif status.state in _ROLLING and at_ms - self._since_ms > LONGEST_MS:
            signals += self._fail(at_ms, "line-stuck", f"state {status.state} for too long")
        signals += self._flags(status, at_ms)
        signals += self._recover(status, at_ms)
        if status.state == w.RESULT:
            signals += self._rest(status, at_ms)
        elif status.state == w.PLACE_BETS and self.fault is None and self._surely_waits(at_ms):
            self._whole = True
            signals.append(Ready(at_ms=at_ms, pockets=self._pockets, until_launch=False))
        self._has_turned |= status.rotor_tenths_rpm > 0
        return signals

    def _is_after_gap(self, at_ms: int) -> bool:
        """Whether so much time has passed without a status that anything may have happened in between."""
        return self.last is not None and (self._said_ms is None or at_ms - self._said_ms >= SILENCE_MS)

    def _resume(self, before: Status | None, status: Status, at_ms: int) -> Status | None:
        """The first status after a gap: all times count anew, and what was known of another spin is gone.

        Gives the status before the gap where the wheel is still where it was.
        """
        self._good, self._asks_pockets = 0, True
        self._since_ms, self._missing_ms = at_ms, None
        self._flagged_ms.clear()
        if before is not None and _is_same_moment(before, status):
            return before if status.state not in _OUT_OF_PLAY else None
        self._has_turned = False
        self._forget_spin()
        return None

    def _enter(self, before: Status | None, status: Status, at_ms: int) -> list[Signal]:
        """Another state than before."""
        self._since_ms, self._missing_ms = at_ms, None
        self._flagged_ms.clear()
        old = None if before is None else before.state
        self._is_sudden = old in _ROLLING
        if status.state == w.IN_RIM:
            if self._void and old == w.NO_MORE_BETS:
                return []  # one damaged line of state 4 makes no other spin of one that is void
            self._forget_spin()
            return [self._launched(status, at_ms)]
        if status.state == w.NO_MORE_BETS:
            return [NoMoreBets(at_ms=at_ms)]
        signals: list[Signal] = []
        if status.state in _WAITING:
            if old == w.IN_RIM and status.flags & w.LAUNCH_FAILED:
                signals += self._void_by(at_ms, "too-few-revolutions", "flag 8: the ball is launched again")
            elif old == w.RESULT and self._once is not None and not self._told:
                signals += self._fail(at_ms, "wrong-order", f"the result {self._once} was said only once")
                signals.append(AtRest(at_ms=at_ms, pocket=None))
            self._forget_spin()
        return signals

    def _surely_waits(self, at_ms: int) -> bool:
        """Whether state 2 can be believed: while a ball rolls, one line of it alone may be damaged."""
        return not self._is_sudden or at_ms - self._since_ms >= ANOTHER_MS

    def _forget_spin(self) -> None:
        """Nothing that was known of the spin before is held against another one."""
        self._void = self._told = False
        self._bare = self._once = None

    def _launched(self, status: Status, at_ms: int) -> Signal:
        """A wheel that never says its speed is not taken for one that stands still."""
        turns = True if status.rotor_tenths_rpm else (False if self._has_turned else None)
        return BallInRim(
            at_ms=at_ms,
            wheel=status.direction,
            wheel_turning=turns,
            rotor_tenths_rpm=status.rotor_tenths_rpm,
        )

    def _flags(self, status: Status, at_ms: int) -> list[Signal]:
        signals: list[Signal] = []
        flags = status.flags
        if flags & w.OUT_OF_ORDER:
            signals += self._fail(at_ms, "sensor-fault", "flag 4: sensor or motor", stops_table=True)
        if status.state == w.IN_RIM:
            if self._is_up(w.WITH_ROTOR, flags, at_ms):
                signals += self._void_by(at_ms, "same-direction", "flag 2: the ball travels with the rotor")
            if self._is_up(w.LAUNCH_FAILED, flags, at_ms) and at_ms - self._since_ms > RELAUNCH_MS:
                signals += self._void_by(at_ms, "too-few-revolutions", "flag 8: the launch failed")
            if flags & w.BALL_MISSING and not self._void:
                signals += self._fail(at_ms, "ball-missing", "flag 1 with the ball in the rim")
        if status.state != w.NO_MORE_BETS or not flags & w.BALL_MISSING:
            self._missing_ms = None
        elif self._missing_ms is None:
            self._missing_ms = at_ms
        elif at_ms - self._missing_ms > MISSING_MS:
            signals += self._void_by(at_ms, "ball-out", "flag 1: no ball for over 5 s")
        return signals

    def _is_up(self, flag: int, flags: int, at_ms: int) -> bool:
        """Whether two statuses in a row have said so: one line may be damaged, also if it comes twice."""
        if not flags & flag:
            self._flagged_ms.pop(flag, None)
            return False
        return at_ms - self._flagged_ms.setdefault(flag, at_ms) >= ANOTHER_MS

    def _void_by(self, at_ms: int, cause: str, note: str) -> list[Signal]:
        if self._void:
            return []
        self._void, self._whole = True, False
        return [Irregular(at_ms=at_ms, cause=cause, note=note)]

    def _recover(self, status: Status, at_ms: int) -> list[Signal]:
        if self.fault is None or self._good < GOOD_LINES:
            return []
        if self.fault == "sensor-fault" and status.flags & w.OUT_OF_ORDER:
            return []
        if self.fault not in _OF_THE_LINE and status.state not in _WAITING:
            return []
        if self._another is not None:
            return self._is_wrong(at_ms, self._another)
        if status.state in _OUT_OF_PLAY and (found := misplaced(None, status, self._void)) is not None:
            return self._fail(at_ms, found.code, found.detail)
        self.fault = None
        return [Cleared(at_ms=at_ms)]

    def _rest(self, status: Status, at_ms: int) -> list[Signal]:
        """State 5: the result is told once, where a second line has confirmed it."""
        pocket = status.pocket
        signals: list[Signal] = []
        if self._void or (self._told and pocket == self._once):
            return signals
        if pocket is None:
            signals += self._fail(at_ms, "results-differ", "state 5 without a result")
        elif pocket not in self._on_wheel:
            detail = f"the result {pocket} is not on a wheel with {self._pockets} pockets"
            signals += self._fail(at_ms, "wrong-wheel", detail)
        elif any(other not in (None, pocket) for other in (self._bare, self._once)):
            said = self._once or self._bare
            signals += self._fail(at_ms, "results-differ", f"first {said}, then {pocket}")
        is_another = pocket == self._once and at_ms - self._once_ms >= ANOTHER_MS
        is_confirmed = pocket is not None and (pocket == self._bare or is_another)
        if self._once is None:
            self._once, self._once_ms = pocket, at_ms
        if self._told or (self._whole and not is_confirmed):
            return signals
        self._told = True
        rotor = status.rotor_tenths_rpm
        signals.append(AtRest(at_ms=at_ms, pocket=pocket if self._whole else None, rotor_tenths_rpm=rotor))
        return signals


def _is_same_moment(before: Status, status: Status) -> bool:
    """Whether two statuses are of the same state of the same spin, as far as they say."""
    return (before.state, before.spins, before.pocket) == (status.state, status.spins, status.pocket)

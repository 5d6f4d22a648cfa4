"""What could be known of a round's outcome and when, as an outsider works it out.

The wheel says when its ball began to roll and when it came to rest; everything else is taken from what was
asked, by whom, and how it was answered. No bet stands that was changed when the outcome could be known, no
result is taken before the ball rests or against the sensor without two people, and no outcome without a spin
(MBS 3.7, 5.13; RWS 3.5, 3.7, 5.1; Money Wheel 3.6, 3.8, 5.3).
"""

from collections.abc import Iterator
from typing import Final

from croupier.floor.simulation.correspondence import Question
from croupier.table import WHEEL, Actor
from croupier.table import commands as c

RANKS: Final = ("dealer", "pit-supervisor", "pit-manager", "shift-manager")

LANDED: Final = frozenset(
    {
        "too-few-revolutions",
        "no-compartment",
        "ball-out",
        "ball-dropped",
        "wheel-stopped",
        "interruption-no-outcome",
    }
)
"""What cannot have happened to a ball that the sensor saw at rest in a pocket."""


class SpinTally:
    """One round's spin: how it was told, and how it was."""

    def __init__(self) -> None:
        self.begun = False
        self.rests_ms: int | None = None
        """When the ball really comes to rest."""
        self.seen = False
        """Whether the sensor told of the launch."""
        self.opposed = self.turning = False
        """What it saw of it: ball against wheel, a wheel that turns."""
        self.faulted = False
        self.over = False
        """Whether the sensor told of the end."""
        self.told_late = False
        """Whether a result was registered before it did."""
        self.pocket: str | None = None
        self.on_record = False
        """Whether the spin began while play went on."""

    def start(self, question: Question, do: c.StartSpin, *, stopped: bool, fault: str | None) -> None:
        """Somebody told of the launch; the sensor may do so behind a person."""
        if not self.begun:
            self.begun, self.on_record = True, not stopped
            self.faulted, self.rests_ms = fault is not None, question.rests_ms
        if by_wheel(question):
            self.seen = True
            self.opposed = None not in (do.ball, do.wheel) and do.ball != do.wheel
            self.turning = do.wheel_turning is True

    def finish(self, do: c.FinishSpin, *, valid: bool) -> None:
        """The sensor told of the end."""
        self.over, self.pocket = True, do.pocket if valid else None

    def watched(self, fault: str | None) -> bool:
        """Whether a sensor in good order follows the ball, which has not been told to rest."""
        return self.seen and not self.over and not self.faulted and fault is None

    def denies(self, cause: str) -> bool:
        """Whether the sensor saw that this did not happen."""
        if self.faulted:
            return False
        if cause in ("same-direction", "wheel-still"):
            return self.seen and (self.opposed if cause == "same-direction" else self.turning)
        return cause in LANDED and self.pocket is not None

    def wrong_result(
        self, question: Question, result: str, heard_ms: int, *, has_sensor: bool, fault: str | None
    ) -> Iterator[str]:
        """What is wrong about a result that was registered."""
        if not self.begun:
            yield f"{result} was registered without a spin"
        elif self.watched(fault):
            yield f"{result} was registered while the sensor saw the ball roll"
        elif self.seen and self.pocket is not None and heard_ms < (self.rests_ms or 0):
            yield f"{result} was registered before the ball rested, and the sensor cannot have told of it"
        elif self.pocket != result and (has_sensor or self.seen or self.pocket is not None):
            said = self.pocket or "nothing"
            if not signed(question, "pit-supervisor"):
                yield f"one person registered {result}, and the sensor said {said}"

    def wrong_outcome(self, question: Question, do: c.StateOutcome) -> Iterator[str]:
        """What is wrong about an outcome that was stated after an interruption."""
        second = question.second
        if do.result is not None and not self.on_record:
            others = second is not None and second != question.actor
            if not do.spun or not others or not _holds(second, "pit-manager"):
                yield f"{do.result} was stated without a spin on record, by {names(question)}"
        if self.pocket not in (None, do.result) and not any(
            _holds(person, "shift-manager") for person in people(question)
        ):
            yield f"{do.result} was stated by {names(question)}, and the sensor said {self.pocket}"


def by_wheel(question: Question) -> bool:
    """Whether the wheel itself says something."""
    return question.actor is not None and question.actor.position == WHEEL


def people(question: Question) -> list[Actor]:
    """Who asked, and who signed."""
    return [person for person in (question.actor, question.second) if person is not None]


def names(question: Question) -> str:
    """Who asked, and who signed, in words."""
    return " and ".join(person.id for person in people(question))


def signed(question: Question, position: str = "dealer") -> bool:
    """Whether two employees did something, one of them in a position or a higher one."""
    both = people(question)
    return (
        len({person.id for person in both}) == 2
        and all(_holds(person, "dealer") for person in both)
        and any(_holds(person, position) for person in both)
    )


def _holds(person: Actor | None, position: str) -> bool:
    return person is not None and person.position in RANKS[RANKS.index(position) :]

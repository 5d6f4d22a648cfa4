"""What was asked of a table and what came back: all that an outsider ever sees of it."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from croupier.floor import refusals
from croupier.table import Actor, Do, Reply

UNSETTLED: Final = refusals.UNSETTLED | {"stepped-down"}
"""Answers that leave open whether the command was carried out: whoever gets one asks again, somewhere."""

UNRECORDED: Final = frozenset(
    {"bad-command", "voucher-unknown", "voucher-amount", "voucher-currency", "voucher-expired"}
)
"""Refusals that settle a question and are in no journal: the table itself was never asked."""

FORGOTTEN: Final = "number-too-old"


class Gone(NamedTuple):
    """An interruption as the staff saw it."""

    since_ms: int
    until_ms: int
    certain: bool
    """Whether nobody can have run the table in between."""


class Question(NamedTuple):
    """A command as its sender knows it."""

    sender: str
    number: int
    do: Do
    asked_ms: int
    """When it was sent for the first time."""
    gone: Gone | None = None
    """Where it is the first question after an interruption: from when to when nobody answered."""
    actor: Actor | None = None
    second: Actor | None = None
    rests_ms: int | None = None
    """Where a ball begins to roll with it: when that ball comes to rest."""


class Answer(NamedTuple):
    """What a sender was told in the end."""

    code: str | None
    """The code of the refusal; None where the command was carried out."""
    first: int
    last: int
    heard_ms: int


class Correspondence:
    """Everything that was asked of one table, and every answer; answers that contradict are faults."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.faults: list[str] = []
        self._questions: dict[tuple[str, int], Question] = {}
        self._answers: dict[tuple[str, int], Answer] = {}
        self._dismissed: set[tuple[str, int]] = set()

    def ask(self, question: Question) -> None:
        """Notes a question down; the same one may be sent any number of times."""
        known = self._questions.setdefault((question.sender, question.number), question)
        if known.do != question.do:
            raise ValueError(f"{question.sender} uses number {question.number} twice")

    def hear(self, sender: str, number: int, reply: Reply, heard_ms: int) -> bool:
        """Notes an answer down; says whether it settles the question."""
        key = sender, number
        code = None if reply.rejection is None else reply.rejection.code
        known = self._answers.get(key)
        if code in UNSETTLED:
            return False
        if code == FORGOTTEN and known is not None:
            return True  # a copy that was on its way for very long
        if code in UNRECORDED and known is None:
            self._dismissed.add(key)
            return True
        answer = Answer(code, reply.first, reply.last, heard_ms)
        if code in (FORGOTTEN, "number-reused"):
            self.faults.append(f"{self.table}: {sender} never learned what became of number {number}: {code}")
        elif known is None:
            self._answers[key] = answer
        elif known[:3] != answer[:3]:
            self.faults.append(f"{self.table}: {sender} was told {known} for number {number}, then {answer}")
        return True

    def doubt(self, question: Question) -> None:
        """Notes that a question after one interruption may only have arrived after another."""
        if question.gone is not None:
            doubted = question._replace(gone=question.gone._replace(certain=False))
            self._questions[question.sender, question.number] = doubted

    def open_questions(self) -> list[Question]:
        """What nobody has answered."""
        settled = self._answers.keys() | self._dismissed
        return [question for key, question in self._questions.items() if key not in settled]

    def in_order(self) -> Iterator[tuple[Question, Answer]]:
        """Every question with its answer, in the order in which the table took them."""
        for key, answer in sorted(self._answers.items(), key=lambda item: item[1].first):
            yield self._questions[key], answer

    def overlaps(self) -> list[str]:
        """Answers that rest on the same events, and answers that rest on none."""
        faults = []
        last = 0
        for question, answer in self.in_order():
            if answer.first <= last or answer.last < answer.first:
                faults.append(
                    f"{self.table}: the answer to {question.sender} number {question.number} rests on "
                    f"{answer.first} to {answer.last}, behind {last}"
                )
            last = answer.last
        return faults

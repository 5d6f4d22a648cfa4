"""What is said when a person's input or a book is wrong."""

import msgspec


class BadInput(ValueError):
    """Input that cannot be used: a stable code, a sentence, what would have been right, perhaps facts."""

    def __init__(self, code: str, sentence: str, right: str = "", **facts: str | int | None) -> None:
        super().__init__(f"{sentence} {right}".strip())
        self.code = code
        self.sentence = sentence
        self.right = right
        self.facts = facts


class Fault(msgspec.Struct, frozen=True, order=True):
    """One thing that is wrong with a book, and where in its file."""

    line: int
    place: str
    code: str
    sentence: str

    def __str__(self) -> str:
        return f"line {self.line}, {self.place}: {self.sentence} [{self.code}]"


class BookFaults(ValueError):
    """A book that cannot be used, with everything that is wrong with it."""

    def __init__(self, source: str, faults: list[Fault]) -> None:
        self.source = source
        self.faults = tuple(sorted(faults))
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__("\n".join([f"{source} has {count}:", *map(str, self.faults)]))

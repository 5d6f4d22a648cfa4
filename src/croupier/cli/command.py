"""What a command is: how it is written, what it reads, and what it says."""

import argparse
import json
import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, NamedTuple, NoReturn

import msgspec

from croupier.rulebook import BadInput


class Output(msgspec.Struct, frozen=True, kw_only=True):
    """All that a command says, built whole before any of it is written: a refusal leaves no half answer."""

    text: str
    """For standard output."""
    notes: tuple[str, ...] = ()
    """For standard error, a line each."""
    status: int = 0


class Command(NamedTuple):
    """One command: `arguments` tells the parser what it reads, `run` does it."""

    name: str
    usage: str
    """What stands behind the name of the command."""
    summary: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Output]


class _Once(argparse.Action):
    """An option that has one value: another one is refused, and does not quietly take its place."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        given: frozenset[str] = getattr(namespace, "given", frozenset())
        if option_string is not None and self.dest in given:
            parser.error(f"{option_string} is given twice, and takes one value")
        namespace.given = given | {self.dest}
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """A parser that refuses in a sentence and shows how the command is written."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.register("action", None, _Once)
        self.register("action", "store", _Once)

    def refuse_no_values(self, words: Sequence[str]) -> None:
        """Refuses `--` in place of a value, of which argparse makes an empty list."""
        for word in takewhile(lambda word: word != "--", words):
            if word.startswith("--") and word.endswith("=--"):
                self.error(f"{word.removesuffix('=--')} has no value")

    def error(self, message: str) -> NoReturn:
        """Refuses what cannot be read."""
        forms = re.split(r"\n *(?=croupier )", self.usage or self.prog)
        written = ", or ".join(" ".join(form.split()) for form in forms)
        raise BadInput("usage", f"{message[:1].upper()}{message[1:]}.", f"Write {written}")


def add_book(parser: argparse.ArgumentParser) -> None:
    """The book that a command is about."""
    parser.add_argument("book", metavar="BOOK", help="id of a book, or the path of a .toml file")


def add_layout(parser: argparse.ArgumentParser) -> None:
    """The layout that a command is about."""
    parser.add_argument("--layout", metavar="L", help="layout of the book (its first, where none is named)")


def add_json(parser: argparse.ArgumentParser) -> None:
    """The choice between a table for people and JSON for programs."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def as_json(value: object) -> str:
    """A value as JSON in plain ASCII, which no terminal can spoil.

    >>> print(as_json({"book": "mbs-roulette"}), end="")
    {
      "book": "mbs-roulette"
    }
    """
    return json.dumps(value, indent=2) + "\n"

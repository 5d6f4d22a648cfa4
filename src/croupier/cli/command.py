"""What a command is: how it is written, what it reads, and what it says."""

import argparse
import json
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import NamedTuple, NoReturn

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


class Parser(argparse.ArgumentParser):
    """A parser that refuses in a sentence and shows how the command is written."""

    def refuse_no_values(self, words: Sequence[str]) -> None:
        """Refuses `--` in place of a value, of which argparse makes an empty list."""
        for word in takewhile(lambda word: word != "--", words):
            if word.startswith("--") and word.endswith("=--"):
                self.error(f"{word.removesuffix('=--')} has no value")

    def error(self, message: str) -> NoReturn:
        """Refuses what cannot be read."""
        written = " ".join((self.usage or self.prog).split())
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

"""A book with something left out is refused when it is loaded, or can be played: it never fails in play."""

import datetime
import json
import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from croupier.rulebook import BookFaults, load_book_file, read_book
from croupier.table import events as e
from rulebook.whole_evening import evenings

ROOT = Path(__file__).parents[2]
FILES = sorted(ROOT.glob("src/croupier/rulebook/books/*.toml"))
FILES += [ROOT / "examples" / f"{name}.toml" for name in ("french-roulette", "money-wheel-54")]
every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
OPTIONAL = (
    "announced",
    "neighbours",
    "finales",
    "terminal",
    "irregularity",
    "citations",
    "placing",
    "assumption",
)
BY_ENTRY = ("announced", "terminal", "irregularity", "citations", "authority")
"""Parts of a book whose entries are left out one by one."""

Place = tuple[str | int, ...]


def entries(document: dict[str, Any]) -> Iterator[Place]:
    """Everything in a book that somebody might leave out, from whole parts down to single keys."""
    yield from ((part,) for part in OPTIONAL if part in document)
    for part in BY_ENTRY:
        listed = document.get(part, [])
        yield from ((part, key) for key in (listed if isinstance(listed, dict) else range(len(listed))))
    for key, action in document["authority"].items():
        if "people" in action:
            yield "authority", key, "people"
    for at, terminal in enumerate(document.get("terminal", [])):
        for index, offer in enumerate(terminal["offer"]):
            yield "terminal", at, "offer", index
            yield "terminal", at, "offer", index, "labels", next(iter(offer["labels"]))
    for at, announced in enumerate(document.get("announced", [])):
        yield from [("announced", at, "aliases")] * ("aliases" in announced)
    for layout in document["layout"]:
        yield from (
            ("layout", layout, key) for key in ("aliases", "boxes") if key in document["layout"][layout]
        )
        yield from [("layout", layout)] * (len(document["layout"]) > 1)


def without(document: dict[str, Any], path: Place) -> bytes:
    """The book as TOML with one thing left out."""
    left = deepcopy(document)
    inner: Any = left
    for step in path[:-1]:
        inner = inner[step]
    del inner[path[-1]]
    return "\n".join(pairs(left)).encode()


def pairs(table: dict[str, Any]) -> Iterator[str]:
    """Keys and values as TOML."""
    for key, value in table.items():
        yield f"{key if re.fullmatch('[A-Za-z0-9_-]+', key) else json.dumps(key)} = {toml(value)}"


def toml(value: object) -> str:
    """A value as TOML on one line."""
    match value:
        case dict():
            return "{" + ", ".join(pairs(value)) + "}"
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
        case datetime.date():
            return value.isoformat()
    return json.dumps(value, ensure_ascii=False)


@every_file
def test_everything_that_can_happen_in_an_evening_is_in_the_book(path: Path) -> None:
    seen = set()
    for seed in range(4):
        for evening in evenings(load_book_file(path), seed):
            evening.play()
            evening.audited()
            seen |= {type(entry.event) for entry in evening.entries}

    assert {e.RoundVoided, e.ResultCorrected, e.DecisionRecorded, e.OutcomeStated, e.CreditsPaidOut} <= seen


@every_file
def test_whatever_is_left_out_of_a_book_is_a_fault_or_can_be_done_without(path: Path) -> None:
    document = tomllib.loads(path.read_text("utf-8"))
    for clause in document["clause"]:
        clause["summary"] = "."  # nobody plays by the words, and there are many to read again and again
    refused, played = [], []
    for left_out in entries(document):
        try:
            book = read_book(without(document, left_out), "own.toml")
        except BookFaults:
            refused.append(left_out)
            continue
        for evening in evenings(book, left_out):
            try:
                evening.play()
                evening.audited()
            except Exception as error:
                raise AssertionError(f"{path.name} without {left_out} fails in play: {error!r}") from error
        played.append(left_out)

    assert ("authority", "clear-lock-up") in refused
    assert ("irregularity",) in refused
    assert ("citations", "place") in played
    assert len(refused) > 20
    assert len(played) > 15

"""docs/standards.md answers every point, names only what exists, and counts what is open."""

import ast
import functools
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
WRITTEN = (ROOT / "docs" / "standards.md").read_text(encoding="utf-8")
DOCUMENT = re.sub(r"(?<!\n)\n *(?![\n#-]| )", " ", WRITTEN)
"""With every paragraph and every item of a list on a line of its own."""
OWN = Path(__file__).parent

HEADING = re.compile(r"^## (\d+)\. .+: (done|partly|not applicable)$", re.MULTILINE)
SOURCE = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\b(?:S|R|S/R)\)")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
MODULE = re.compile(r"`(croupier(?:\.\w+)+)`")
LINK = re.compile(r"\]\(([^)]+)\)")
FILE = re.compile(r"`((?:deploy|tests|docs|examples)/[\w./-]+)`")
OPEN_TO = ("screens", "wheel", "lab", "software", "operator")


class Point(NamedTuple):
    """One answer: its number, how far it is met, and its text."""

    number: int
    status: str
    text: str

    def lines(self, kind: str) -> list[str]:
        """What stands behind a word at the beginning of a line."""
        return re.findall(rf"^- {kind}: (.+)$", self.text, re.MULTILINE)

    @property
    def open_to(self) -> list[str]:
        """Whose business each open thing is."""
        return re.findall(r"^- open, (\w+): \S", self.text, re.MULTILINE)


def points() -> list[Point]:
    headings = [*HEADING.finditer(DOCUMENT)]
    ends = [heading.start() for heading in headings[1:]] + [len(DOCUMENT)]
    return [
        Point(int(heading[1]), heading[2], DOCUMENT[heading.end() : end])
        for heading, end in zip(headings, ends, strict=True)
    ]


@functools.cache
def defined_in(path: Path) -> frozenset[str]:
    """The tests that a file defines, read without running it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    )


def test_every_point_is_answered_once_and_in_order() -> None:
    assert [point.number for point in points()] == list(range(1, 27))
    assert DOCUMENT.count("\n## ") == 26


@pytest.mark.parametrize("point", points(), ids=lambda point: str(point.number))
def test_an_answer_has_its_source_and_its_status_is_what_it_says(point: Point) -> None:
    (asked,) = re.findall(r"^Asked: (.+)$", point.text, re.MULTILINE)
    assert SOURCE.search(asked)
    assert set(point.open_to) <= set(OPEN_TO)
    listed = re.findall(r"^- .+", point.text, re.MULTILINE)
    kinds = [*point.lines("met"), *point.lines("shown"), *point.lines("not applicable"), *point.open_to]
    assert len(listed) == len(kinds)
    if not point.lines("met"):
        assert point.status == "not applicable"
    else:
        assert point.status == ("partly" if point.open_to else "done")


@pytest.mark.parametrize("point", points(), ids=lambda point: str(point.number))
def test_whatever_is_met_is_shown_by_a_test(point: Point) -> None:
    kinds = re.findall(r"^- (met|shown):", point.text, re.MULTILINE)
    assert kinds == ["met", "shown"] * (len(kinds) // 2)
    assert all(TEST.search(line) for line in point.lines("shown"))


@pytest.mark.parametrize(("path", "name"), sorted(set(TEST.findall(DOCUMENT))))
def test_every_named_test_exists(path: str, name: str) -> None:
    assert (ROOT / path).is_file()
    assert name in defined_in(ROOT / path)


@pytest.mark.parametrize("module", sorted(set(MODULE.findall(DOCUMENT))))
def test_every_named_module_exists(module: str) -> None:
    path = ROOT / "src" / Path(*module.split("."))
    assert path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


@pytest.mark.parametrize("target", sorted({*LINK.findall(DOCUMENT)}))
def test_every_linked_document_exists(target: str) -> None:
    assert (ROOT / "docs" / target).is_file()


@pytest.mark.parametrize("name", sorted({*FILE.findall(DOCUMENT)}))
def test_every_named_file_exists(name: str) -> None:
    assert (ROOT / name).is_file()


def test_the_head_counts_points_and_what_is_open() -> None:
    status = Counter(point.status for point in points())
    open_to = Counter(whose for point in points() for whose in point.open_to)
    by_whose = ", ".join(f"{open_to[whose]} {whose}" for whose in OPEN_TO)
    answered = ", ".join(f"{status[name]} {name}" for name in ("done", "partly", "not applicable"))
    line = f"26 points: {answered}. {open_to.total()} things are open: {by_whose}."
    assert line in DOCUMENT.split("\n## ")[0].splitlines()


def test_every_test_of_the_standards_is_named() -> None:
    written = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in OWN.glob("test_*.py")
        if path != Path(__file__)
        for name in defined_in(path)
    }
    assert written - set(TEST.findall(DOCUMENT)) == set()

"""Which tests show which clause: the marks on the tests, read from their sources without running them."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

import croupier
from croupier.rulebook import BadInput

_MARK: Final = "clause"
_PATTERNS: Final = ("test_*.py", "*_test.py")
"""The names of the files, and below of functions and classes, that pytest takes for tests."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Constants = Mapping[str, Sequence[ast.expr]]
"""By name, everything that a module assigns or adds to it."""


class Citation(msgspec.Struct, frozen=True, kw_only=True):
    """One test, and one clause that it says it shows."""

    clause: str | None
    """None where the mark holds something else than a text in quotes."""
    test: str
    line: int


def find_tests_folder() -> Path | None:
    """The tests of the source checkout that the package runs from, or those of the folder one stands in."""
    source = Path(croupier.__file__).resolve().parent.parent
    for folder in (source.parent / "tests" if source.name == "src" else None, Path("tests")):
        if folder is not None and folder.is_dir():
            return folder
    return None


def find_citations(folder: Path) -> list[Citation]:
    """Every mark on a test in the folder, in the order of files and lines."""
    root = folder.resolve().parent
    files = sorted({path for pattern in _PATTERNS for path in folder.resolve().rglob(pattern)})
    return [citation for path in files for citation in _read_file(path, path.relative_to(root).as_posix())]


def _read_file(path: Path, name: str) -> Iterator[Citation]:
    try:
        module = ast.parse(path.read_bytes(), name)
    except (OSError, SyntaxError, ValueError) as error:
        raise BadInput(
            "test-unreadable",
            f"The test file {name!r} cannot be read: {error}.",
            "Mend it, or name another folder.",
        ) from error
    constants: dict[str, list[ast.expr]] = {}
    for target, value in _assignments(module.body):
        constants.setdefault(target, []).append(value)
    yield from _read_body(module.body, name, [], constants)


def _read_body(
    body: Sequence[ast.stmt], name: str, above: Sequence[ast.expr], constants: Constants
) -> Iterator[Citation]:
    """The citations of a module or class: marks on the whole of it count for every test in it."""
    above = [*above, *(value for target, value in _assignments(body) if target == "pytestmark")]
    for statement in body:
        if isinstance(statement, ast.ClassDef) and statement.name.startswith("Test"):
            marks = [*above, *statement.decorator_list]
            yield from _read_body(statement.body, f"{name}::{statement.name}", marks, constants)
        elif isinstance(statement, Function) and statement.name.startswith("test"):
            test = f"{name}::{statement.name}"
            marks = [*above, *statement.decorator_list]
            for clause, line in dict.fromkeys(_read_marks(marks, constants)):
                yield Citation(clause=clause, test=test, line=line)


def _read_marks(marks: Iterable[ast.expr], constants: Constants) -> Iterator[tuple[str | None, int]]:
    """Each clause in the marks and its line, also from marks on single cases of a parametrized test."""
    for mark in marks:
        for node in _follow(mark, constants, frozenset()):
            if isinstance(node, ast.Call) and _name_of(node.func) == _MARK:
                yield from ((_text_of(argument), argument.lineno) for argument in node.args)


def _follow(mark: ast.expr, constants: Constants, seen: frozenset[str]) -> Iterator[ast.AST]:
    """Everything inside a mark; a table of cases that stands in a constant is read where it stands."""
    for node in ast.walk(mark):
        yield node
        if isinstance(node, ast.Name) and node.id in constants and node.id not in seen:
            for value in constants[node.id]:
                yield from _follow(value, constants, seen | {node.id})


def _assignments(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for statement in body:
        match statement:
            case ast.Assign(targets=targets, value=value):
                yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                yield name, value


def _name_of(function: ast.expr) -> str:
    """`clause` for both `clause(...)` and `pytest.mark.clause(...)`."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _text_of(argument: ast.expr) -> str | None:
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return argument.value
    return None

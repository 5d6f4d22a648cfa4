"""What compiled code rests on: its own file, and every file of ours that it imports, however far."""

import ast
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import croupier

_PACKAGE: Final = "croupier"
_ROOT: Final = Path(croupier.__file__).parent


def fingerprint(source: Path) -> str:
    """A name for the state of everything that functions in a file can be compiled from.

    A compiled function uses what its module defines and what it imports, so files that are not imported, say
    those of a report, do not count. Other libraries do not count either: numba keeps its own version in mind.
    """
    return f"numba-{_digest(source.resolve())[:16]}"


def sources_of(source: Path) -> set[Path]:
    """A file and every file of this package that it imports, or that is imported there, and so on."""
    found: set[Path] = set()
    waiting = [source.resolve()]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _imported(file)
    return found


@cache
def _digest(source: Path) -> str:
    sources = sha256()
    for file in sorted(sources_of(source)):
        sources.update(f"{file}\n".encode())
        sources.update(file.read_bytes())
    return sources.hexdigest()


@cache
def _imported(file: Path) -> tuple[Path, ...]:
    """The files of this package that one file imports, wherever in it the import stands."""
    inside = file.parent if file.is_relative_to(_ROOT) else None
    named = _named(ast.parse(file.read_bytes()), inside)
    return tuple(path for path in dict.fromkeys(map(_file, named)) if path is not None)


def _named(tree: ast.Module, inside: Path | None) -> Iterator[tuple[str, ...]]:
    """The modules that imports name, as parts; what is imported from a package may be a module of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (tuple(each.name.split(".")) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = tuple(node.module.split(".")) if node.module else ()
            if node.level and inside is not None:
                here = (_PACKAGE, *inside.relative_to(_ROOT).parts)
                base = (*here[: len(here) - node.level + 1], *base)
            yield base
            yield from ((*base, each.name) for each in node.names)


def _file(parts: tuple[str, ...]) -> Path | None:
    """The file of a module; None for what is not ours, and for a name inside a module."""
    if parts[:1] != (_PACKAGE,):
        return None
    path = _ROOT.joinpath(*parts[1:])
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None

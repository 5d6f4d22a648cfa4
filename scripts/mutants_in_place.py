"""Runs mutants in copies of one process that has collected all tests.

To load every test anew for each mutant takes far longer than the tests that kill it. Here the process that
has collected them is forked for each mutant, the changed function is given its other code, and the tests
that call it are run. What lies outside of functions, or is worked out when a module is loaded, cannot be put
in so: `changed_code` gives none for it.
"""

import contextlib
import importlib
import inspect
import os
import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest
from mutants import Mutant, compile_mutant


class Change(NamedTuple):
    """A function by its module and qualified name, and the code that it has in a mutant."""

    module: str
    function: str
    code: CodeType


def changed_code(mutant: Mutant, sources: Path) -> Change | None:
    """The one function that a mutant changes; None where the module has to be loaded anew."""
    if mutant.function is None:
        return None
    function = mutant.function.partition(".<locals>")[0]
    before = _named(compile(mutant.path.read_text(encoding="utf-8"), str(mutant.path), "exec"), function)
    after = _named(compile_mutant(mutant.path, mutant.ordinal), function)
    if len(before) != 1 or len(after) != 1 or before == after:
        return None  # of two functions of a name, or in a default, which is worked out only once
    if before[0].co_freevars != after[0].co_freevars:
        return None
    module = ".".join(mutant.path.relative_to(sources).with_suffix("").parts)
    return Change(module, function, after[0])


def put_in(change: Change) -> bool:
    """Gives a function its other code; says whether there is such a function."""
    found: Any = importlib.import_module(change.module)
    for name in change.function.split("."):
        found = inspect.getattr_static(found, name, None)
    match found:
        case staticmethod() | classmethod():
            found = found.__func__
        case property():
            found = found.fget
        case cached_property():
            found = found.func
    found = inspect.unwrap(found) if callable(found) else found
    if not isinstance(found, FunctionType):
        return False
    found.__code__ = change.code
    return True


def run_items(items: Sequence[pytest.Item]) -> bool:
    """Runs collected tests one after another, up to the first that fails; says whether all passed."""
    for place, item in enumerate(items):
        behind = items[place + 1] if place + 1 < len(items) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=behind)
        if item.session.testsfailed:
            return False
    return True


class Copies:
    """Copies of this process, a few at a time, each with something to do and only so much time for it."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._running: dict[int, tuple[int, float]] = {}

    def start(self, place: int, seconds: float) -> bool:
        """Makes a copy; true in the copy alone."""
        copy = os.fork()
        if copy:
            self._running[copy] = place, time.monotonic() + seconds
        return not copy

    @property
    def is_full(self) -> bool:
        """Whether as many run as may."""
        return len(self._running) >= self._jobs

    def ended(self) -> Iterator[tuple[int, int | None]]:
        """Those that have ended since, by place: the status of each, None where its time was over."""
        for copy, (place, deadline) in [*self._running.items()]:
            pid, status = os.waitpid(copy, os.WNOHANG)
            if pid == 0 and time.monotonic() <= deadline:
                continue
            del self._running[copy]
            if pid:
                yield place, os.waitstatus_to_exitcode(status)
                continue
            with contextlib.suppress(ProcessLookupError):
                os.kill(copy, 9)
            os.waitpid(copy, 0)
            yield place, None

    def __len__(self) -> int:
        """How many run."""
        return len(self._running)


def _named(code: CodeType, name: str) -> list[CodeType]:
    """The code of every function of a qualified name."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return [each for each in inner if each.co_qualname == name] + [
        found for each in inner for found in _named(each, name)
    ]

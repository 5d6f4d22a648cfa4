"""The one door to numba: decorators that compile a function and keep its type for the checker."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core.dispatcher import Dispatcher

from croupier.lab.depending import fingerprint

F = TypeVar("F", bound=Callable[..., Any])

INT64_ARRAY: Any = types.Array(types.int64, 1, "C")


def compiled(function: F) -> F:
    """Compiles on the first call, keeps the machine code on disk and lets other threads run meanwhile."""
    return _compile(function, nogil=True)


def inlined(function: F) -> F:
    """Compiles a small function into whatever compiled function calls it."""
    return _compile(function, nogil=True, inline="always")


def settle_signature(function: Callable[..., Any], signature: Any) -> None:
    """Compiles a compiled function for one signature and no other.

    Only then it has one address, by which compiled code that was made without it can call it. It is done when
    the function is first needed, because compiling everything at import would take seconds.
    """
    dispatcher = cast(Any, function)
    if not dispatcher.signatures:
        dispatcher.compile(signature)
    dispatcher.disable_compile()


def is_compiled(function: object) -> bool:
    """Whether a function has been through one of the decorators above."""
    return isinstance(function, Dispatcher)


def type_of(example: object) -> Any:
    """The type that compiled code sees in a value, to be written into a signature."""
    typeof: Callable[[object], Any] = numba.typeof
    return typeof(example)


def folder_of_user(environment: Mapping[str, str]) -> Path | None:
    """Where compiled code is kept, unless numba is told otherwise; None where no such folder can be had.

    The package itself stays as it was installed: what is added to it is found by `croupier integrity`.
    """
    try:
        caches = Path(environment.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
        if not caches.is_absolute():
            return None
        folder = caches / "croupier"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # the latter where the user has no home
        return None
    return folder if os.access(folder, os.W_OK) else None


def _compile(function: F, **options: Any) -> F:
    """Compiles a function and keeps the result in a folder that belongs to the state of its sources.

    Compiled code has other compiled functions inside it, and numba only looks whether the file of the
    outermost one has changed: in one folder for all, an edit elsewhere would leave old mathematics in use.
    """
    source = Path(function.__code__.co_filename)
    config: Any = numba.config
    given = config.CACHE_DIR
    folder = Path(given) if given else folder_of_user(os.environ)
    if folder is None or not source.is_file() or not _found_by_name(function):
        # Typed at a prompt, there is no file that the result could belong to; run from a file as a module
        # that is entered nowhere, what was kept would name a module that nobody can import again.
        return cast(F, numba.njit(**options)(function))
    config.CACHE_DIR = str(folder / fingerprint(source))
    try:
        return cast(F, numba.njit(cache=True, **options)(function))
    finally:
        config.CACHE_DIR = given


def _found_by_name(function: Callable[..., Any]) -> bool:
    """Whether the module that a function names is the one that it was made in."""
    home = sys.modules.get(function.__module__)
    return home is not None and vars(home) is function.__globals__

"""Compiled code is kept for as long as nothing that it was made from has changed, and no longer."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType

import pytest
from numba.core.dispatcher import Dispatcher

import croupier
import croupier.lab
from croupier.lab import depending
from croupier.lab.compiled import folder_of_user
from croupier.lab.depending import fingerprint, sources_of

LAB = Path(croupier.lab.__file__).parent


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(croupier.lab.__path__, "croupier.lab."):
        if found.name != "croupier.lab.cluster":  # needs an extra of its own, and compiles nothing
            yield importlib.import_module(found.name)


def compiled_functions() -> Iterator[FunctionType]:
    for module in modules():
        for value in vars(module).values():
            if isinstance(value, Dispatcher) and value.py_func.__module__ == module.__name__:
                yield value.py_func


def used_by(function: FunctionType) -> Iterator[object]:
    """What a function finds among its module's names, in the modules it names there too, and further on."""
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        yield value
        if isinstance(value, Dispatcher):
            yield from used_by(value.py_func)


def test_everything_that_compiled_code_uses_counts() -> None:
    functions = [*compiled_functions()]
    assert len(functions) > 30
    for function in functions:
        counted = sources_of(Path(function.__code__.co_filename))
        for value in used_by(function):
            inner = getattr(value, "py_func", value)
            module = getattr(inner, "__module__", None) or getattr(inner, "__name__", "")
            if isinstance(module, str) and module.startswith("croupier."):
                file = Path(str(importlib.import_module(module).__file__))
                assert file.resolve() in counted, (function, value)


def test_what_is_only_written_or_shown_does_not_count() -> None:
    for function in compiled_functions():
        counted = {file.relative_to(LAB).as_posix() for file in _of_the_lab(function)}
        assert not {file for file in counted if file.startswith("report/")}
        assert not counted & {"frames.py", "cluster.py", "house.py", "__init__.py", "systems/catalogue.py"}


def _of_the_lab(function: FunctionType) -> Iterator[Path]:
    for file in sources_of(Path(function.__code__.co_filename)):
        if file.is_relative_to(LAB):
            yield file


def test_an_edit_gives_another_fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "croupier"
    (package / "far").mkdir(parents=True)
    files = {
        "__init__.py": "",
        "near.py": "from croupier.far import third\nfrom .other import something\n",
        "other.py": "import numpy\nfrom . import relative\n",
        "relative.py": "something = 1\n",
        "unused.py": "nothing = 1\n",
        "far/__init__.py": "",
        "far/third.py": "def inside():\n    from ..deep import value\n",
        "deep.py": "value = 2\n",
    }
    for name, text in files.items():
        (package / name).write_text(text)
    monkeypatch.setattr(depending, "_ROOT", package)
    start = package / "near.py"

    def now() -> str:
        depending._digest.cache_clear()
        depending._imported.cache_clear()
        return fingerprint(start)

    first = now()
    assert {file.relative_to(package).as_posix() for file in sources_of(start)} == set(files) - {"unused.py"}
    for name in files:
        (package / name).write_text(files[name] + "# edited\n")
        assert (now() != first) == (name != "unused.py"), name
        (package / name).write_text(files[name])
        assert now() == first


def test_a_system_of_ones_own_counts_what_it_imports(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("from croupier.lab import systems, step\nfrom . import nothing\nimport croupier\n")
    counted = sources_of(own)
    assert {own.resolve(), LAB / "systems" / "ladders.py", LAB / "loops.py"} <= counted


def test_compiled_code_is_kept_outside_of_the_package() -> None:
    package = Path(croupier.__file__).parent
    for function in compiled_functions():
        dispatcher = vars(importlib.import_module(function.__module__))[function.__name__]
        kept = dispatcher._cache.cache_path
        assert kept is None or not Path(kept).resolve().is_relative_to(package), function


def test_compiled_code_is_kept_with_what_else_is_kept_for_a_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folder_of_user({"XDG_CACHE_HOME": str(tmp_path / "kept")}) == tmp_path / "kept" / "croupier"
    assert (tmp_path / "kept" / "croupier").is_dir()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder_of_user({}) == tmp_path / ".cache" / "croupier"
    (tmp_path / "file").touch()
    for nowhere in (str(tmp_path / "file"), "not/absolute"):
        assert folder_of_user({"XDG_CACHE_HOME": nowhere}) is None

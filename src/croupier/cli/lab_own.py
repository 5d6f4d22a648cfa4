"""A betting system of one's own, read from a Python file."""

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

from croupier.rulebook import BadInput
from croupier.rulebook.files import read_file

if TYPE_CHECKING:
    from croupier.lab import Slip, System

MARK: Final = ".py:"
"""What tells the name of a system in a file from the name of one that comes with the lab."""


def load_system(text: str, slip: "Slip") -> "System":
    """The system that FILE.py:NAME names: NAME is a function in the file from a slip to a `System`."""
    from croupier.lab import System

    file, _, name = text.rpartition(":")
    module = _load(Path(file))
    build = getattr(module, name, None)
    if not callable(build):
        raise BadInput(
            "own-system-missing",
            f"{file!r} has no function {name!r}.",
            "Name a function that takes a slip and returns a System.",
        )
    try:
        system = build(slip)
    except BadInput:
        raise
    except Exception as error:  # whatever somebody's own code does wrong is for them to read
        raise _fault(f"{name} in {file!r}", error) from error
    if not isinstance(system, System):
        raise BadInput(
            "own-system-type",
            f"{name} in {file!r} returns {type(system).__name__}.",
            "Return a System, as docs/lab.md shows.",
        )
    return system


def _load(path: Path) -> ModuleType:
    """Runs a file as a module that is entered nowhere: it goes to other machines by value, not by name."""
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    try:
        code = compile(read_file(path), str(path), "exec")
        exec(code, module.__dict__)
    except OSError as error:
        raise BadInput(
            "own-system-unreadable",
            f"The file {str(path)!r} cannot be opened: {error.strerror}.",
            "Write FILE.py:NAME.",
        ) from error
    except Exception as error:  # as above
        raise _fault(repr(str(path)), error) from error
    return module


def _fault(where: str, error: Exception) -> BadInput:
    reason = " ".join(str(error).split()) or "no reason given"
    return BadInput(
        "own-system-fault",
        f"{where} cannot be run: {type(error).__name__}: {reason[:200]}.",
        "Mend it first.",
    )

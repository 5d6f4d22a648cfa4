"""What a figure was made with: versions, and a hash of the sources that computed it."""

import platform
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Final

import croupier

_LIBRARIES: Final = ("numpy", "numba", "scipy")
_SOURCES: Final = (".py", ".css")


def made_with() -> dict[str, str]:
    """Everything that the last bit of a figure depends on.

    >>> [*made_with()]
    ['croupier', 'lab', 'Python', 'numpy', 'numba', 'scipy']
    """
    return {
        "croupier": croupier.__version__,
        "lab": lab_sha256(),
        "Python": platform.python_version(),
        **{name: metadata.version(name) for name in _LIBRARIES},
    }


@cache
def lab_sha256() -> str:
    """A hash of all sources of the lab, by name and content."""
    folder = Path(__file__).parent
    sources = sha256()
    for source in sorted(folder.rglob("*")):
        if source.suffix in _SOURCES:
            sources.update(f"{source.relative_to(folder).as_posix()}\n".encode())
            sources.update(source.read_bytes())
    return sources.hexdigest()

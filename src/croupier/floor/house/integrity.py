"""Whether the software that is installed is the software that was approved: a hash over all of its files.

The hash covers every file of the package, the rule books that come with it, compiled files that this Python
would load in their place, and books of one's own that are named. It does not cover Python itself and other
packages: an operator installs those from a lock with hashes.
"""

import compileall
import hashlib
import os
import py_compile
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

import croupier
from croupier.rulebook import BadInput
from croupier.rulebook.files import read_file

FORMAT: Final = "croupier-integrity/1"
_CACHE: Final = "__pycache__"
_BOOK: Final = "book:"
_LINKED: Final = "a link to a folder"
"""What stands in the place of a hash: what is behind a link can be replaced without touching the package."""
_SHOWN: Final = 3


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The files of an installation and their SHA-256."""

    format: str
    version: str
    digest: str
    """One hash over all names and hashes, those of compiled files included, which name their folder."""
    files: dict[str, str]

    @property
    def approved(self) -> str:
        """One hash over sources, books and pages: what a test laboratory writes into its certificate.

        It is the same wherever they are installed, and with every Python.
        """
        return _digest({name: digest for name, digest in self.files.items() if not _is_compiled(name)})


class IntegrityReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a comparison found; each fault is a sentence."""

    digest: str
    faults: tuple[str, ...]
    approved: str = ""

    @property
    def ok(self) -> bool:
        """Whether everything is as recorded."""
        return not self.faults


def measure(root: Path | None = None, books: Iterable[Path] = ()) -> Manifest:
    """The installation as it is: the package's folder, and books of one's own."""
    root = Path(croupier.__file__).parent if root is None else root
    files = {name: _LINKED if _is_linked(path) else _hash(path) for name, path in sorted(_files(root))}
    files |= {f"{_BOOK}{name}": _hash(path) for name, path in _named(books)}
    return Manifest(format=FORMAT, version=croupier.__version__, digest=_digest(files), files=files)


def record(root: Path | None = None, books: Iterable[Path] = ()) -> Manifest:
    """The installation to be kept as approved; refuses one that no record can hold to."""
    manifest = measure(root, books)
    for name, digest in manifest.files.items():
        if digest == _LINKED:
            raise BadInput("package-linked", _linked(name), "Install the package whole.")
    return manifest


def compile_all(root: Path | None = None) -> None:
    """Compiles the package, so that Python has nothing to add to it later.

    The compiled files name the hash of their source and no time, so that a file that is only touched stays
    as it was recorded.
    """
    compileall.compile_dir(
        Path(croupier.__file__).parent if root is None else root,
        quiet=2,
        force=True,
        invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH,
    )


def compare(recorded: Manifest, found: Manifest) -> IntegrityReport:
    """What is not as it was recorded."""
    faults = []
    if _digest(recorded.files) != recorded.digest:
        faults.append("The record itself was changed: its hash is not the hash of what it lists.")
    for name in sorted({*recorded.files, *found.files}):
        before, now = recorded.files.get(name), found.files.get(name)
        if before != now:
            what = "was added" if before is None else "is missing" if now is None else "was changed"
            faults.append(_linked(name) if now == _LINKED else f"{printable(name)} {what}.")
        elif now == _LINKED:
            faults.append(_linked(name))
    return IntegrityReport(digest=found.digest, faults=tuple(faults), approved=found.approved)


def read_manifest(path: Path) -> Manifest:
    """A record from its file."""
    try:
        manifest = msgspec.json.decode(read_file(path), type=Manifest)
        if manifest.format != FORMAT:
            raise ValueError(f"its format is {manifest.format}")
    except (OSError, ValueError) as error:
        # A record that is there is not to be made anew: who may not read it is let in instead.
        remedy = (
            "Let the account that runs the server read it."
            if isinstance(error, PermissionError)
            else "Make one from approved software with 'croupier integrity --write'."
        )
        raise BadInput(
            "manifest-unreadable",
            f"The record {str(path)!r} cannot be read: {getattr(error, 'strerror', None) or error}.",
            remedy,
        ) from error
    return manifest


def reason_to_halt(faults: tuple[str, ...]) -> str | None:
    """Why play has to stop, for whoever halts the tables; None where it has not.

    >>> reason_to_halt(("table/decide.py was changed.",))
    'the software is not as recorded: table/decide.py was changed'
    """
    if not faults:
        return None
    named = ", ".join(fault.rstrip(".") for fault in faults[:_SHOWN])
    more = f", and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
    return f"the software is not as recorded: {named}{more}"


def printable(text: str) -> str:
    r"""A text as it can be written down: a name that is no text keeps its bytes as numbers.

    >>> printable("caf\udce9.py")
    'caf\\udce9.py'
    """
    return text.encode("utf-8", "backslashreplace").decode()


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    """Every file of the package with its name in the record, and every folder that is only a link.

    Among compiled files only those count that this Python would load; it looks into no folder below them.
    """
    for folder, folders, names in os.walk(root):
        here = Path(folder)
        if here.name == _CACHE:
            folders.clear()
        linked = [name for name in folders if _is_linked(here / name)]
        for name in [*linked, *names]:
            if here.name != _CACHE or _is_loaded(name):
                path = here / name
                inside = path.relative_to(root).as_posix()
                yield f"./{inside}" if inside.startswith(_BOOK) else inside, path


def _is_linked(path: Path) -> bool:
    return path.is_symlink() and path.is_dir()


def _linked(name: str) -> str:
    return f"{printable(name)} is a link to a folder, which no hash covers."


def _named(books: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Books by their file's name; where several have the same, with as much of their folders as it takes."""
    # A link keeps its own name: it may come to lead elsewhere.
    paths = sorted({Path(os.path.abspath(book)) for book in books})  # noqa: PTH100  # resolve() follows links
    for path in paths:
        others = [other.parts for other in paths if other != path]
        parts = next(
            path.parts[-length:]
            for length in range(1, len(path.parts) + 1)
            if all(path.parts[-length:] != other[-length:] for other in others)
        )
        yield "/".join(parts), path


def _is_loaded(name: str) -> bool:
    """Whether this Python would load a compiled file; those of other versions mean nothing."""
    return name.endswith(".pyc") and f".{sys.implementation.cache_tag}." in name


def _is_compiled(name: str) -> bool:
    return not name.startswith(_BOOK) and _CACHE in name.split("/")


def _hash(path: Path) -> str:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return "no file"  # reading a pipe would wait for ever
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"unreadable ({error.strerror})"


def _digest(files: dict[str, str]) -> str:
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(files.items()))
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()

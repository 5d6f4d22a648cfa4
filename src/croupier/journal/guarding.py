"""Journals that lie where somebody wants to write: none is ever overwritten, nor a file of one."""

import errno
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from croupier.journal.places import what_is_at
from croupier.journal.sqlite import APPLICATION_ID
from croupier.rulebook import BadInput
from croupier.rulebook.files import NOT_ORDINARY

BESIDE: Final = tuple(
    f"{file}{log}" for file in (".projection", "") for log in ("-wal", "-shm", "-journal", "")
)
"""How the files end that lie beside a journal, the longest endings first; the last is the journal itself."""

_OPEN_FILES: Final = (Path("/dev"), Path("/dev/fd"))
_PROCESSES: Final = Path("/proc")
"""Where names such as /dev/stdout are; an ordinary file behind one is what a shell is writing to."""

_MAGIC: Final = b"SQLite format 3\0"
_MARK: Final = slice(68, 72)
"""Where a SQLite file says whose it is."""


def refuse_to_replace(path: Path) -> Path:
    """Refuses a place where something lies that no file may replace: a journal, a folder, a device.

    Gives where the file belongs: a link stays, and what it leads to is replaced.
    """
    refuse_journal(path)
    try:
        if what_is_at(path) in ("folder", "other"):
            raise _unwritable(path, NOT_ORDINARY)
        place = _end_of_links(path)
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from error
    refuse_journal(place)
    return place


def _end_of_links(path: Path) -> Path:
    """What links lead to, which do not go round; refuses those that stand for what a process has open."""
    while True:
        folder = path.parent.resolve()
        if folder in _OPEN_FILES or folder.is_relative_to(_PROCESSES):
            raise OSError(errno.EINVAL, NOT_ORDINARY)
        path = folder / path.name
        if not path.is_symlink():
            return path
        path = folder / path.readlink()


def refuse_journal(path: Path) -> None:
    """Refuses a file to be written that is a journal, whosever it is, or is kept beside one."""
    for ending in BESIDE:
        if not path.name.endswith(ending) or path.name == ending:
            continue
        journal = path.with_name(path.name.removesuffix(ending))
        if is_journal(journal):
            what = f"belongs to the journal {str(journal)!r}" if ending else "is a journal"
            raise BadInput(
                "journal-as-output",
                f"{str(path)!r} {what}, and a journal is never overwritten.",
                "Name another file.",
            )


def is_journal(path: Path) -> bool:
    """Whether a file is a journal, also one whose beginning is still in its log."""
    try:
        if not path.is_file():  # whoever opens a pipe waits for its other end
            return False
        with path.open("rb") as file:
            start = file.read(_MARK.stop)
    except PermissionError as error:
        raise _unwritable(path, "what lies there may be a journal and cannot be read") from error
    except OSError:
        return False
    if start.startswith(_MAGIC) and int.from_bytes(start[_MARK]) == APPLICATION_ID:
        return True
    return path.with_name(f"{path.name}-wal").exists() and _says_so(path)


def _unwritable(path: Path, why: str) -> BadInput:
    return BadInput("file-unwritable", f"{str(path)!r} cannot be written: {why}.", "Name another file.")


def _says_so(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            return bool(connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,))
    except sqlite3.Error:
        return False


def place_beside(path: Path) -> Path:
    """Where a file is built before it takes its name: nobody else who writes to that name builds there."""
    return path.with_name(f".croupier-{secrets.token_hex(6)}.building")

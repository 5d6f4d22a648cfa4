"""Files that appear whole, on the disk, under a name that is free, or not at all."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from croupier.journal import StoreError
from croupier.journal.guarding import place_beside, refuse_journal
from croupier.journal.places import PRIVATE
from croupier.rulebook import BadInput

_NOT_WRITTEN: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_DIR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_DELETE,
    }
)
"""What SQLite says where something cannot be written; whatever is copied from is only read."""


def refuse_existing(path: Path, code: str) -> None:
    """Refuses to write where something is: nothing that somebody may still need is ever overwritten."""
    if _is_taken(path):
        raise BadInput(code, f"There is a {str(path)!r} already.", "Name a file that is not there yet.")
    refuse_journal(path)  # a name such as that of another journal's log
    for suffix in ("-wal", "-journal"):
        beside = path.with_name(f"{path.name}{suffix}")
        if _is_taken(beside):
            raise BadInput(
                code,
                f"The log {str(beside)!r} of another journal lies where this one's would.",
                "Move it away first; it may hold what that journal's file does not.",
            )


def _is_taken(path: Path) -> bool:
    """Whether anything has a name, be it a link to nothing."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:  # a path with a null byte is a ValueError
        raise _unwritable(path, getattr(error, "strerror", None) or str(error)) from error
    return True


@contextmanager
def building(path: Path, code: str) -> Iterator[Path]:
    """A place to write; what is there at the end is brought to the disk and takes the name.

    Where something else has taken the name meanwhile, that stays as it is, and this is refused with the code.
    """
    place = place_beside(path)
    try:
        # Whether one may write there shows before any work is done. Numbers of vouchers are as good as money:
        # nobody else reads them here, nor in what SQLite keeps beside it, which has the same mode.
        place.touch(PRIVATE, exist_ok=False)
        try:
            yield place
            _bring_to_disk(place)
            _give_name(place, path, code)
            _bring_to_disk(path.parent)
        finally:
            _remove(place)
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from error
    except (StoreError, sqlite3.Error) as error:
        cause = error.__cause__ if isinstance(error, StoreError) else error
        if isinstance(cause, sqlite3.Error) and getattr(cause, "sqlite_errorcode", None) in _NOT_WRITTEN:
            raise _unwritable(path, str(cause)) from error
        raise


def _unwritable(path: Path, why: str) -> BadInput:
    return BadInput(
        "file-unwritable",
        f"{str(path)!r} cannot be written: {why}.",
        "Name a file in a folder that exists, that has room and that you may write to.",
    )


def _give_name(place: Path, path: Path, code: str) -> None:
    """Gives what was written its name, unless something has it: a rename would take the place of that."""
    try:
        try:
            os.link(place, path)
        except FileExistsError:
            raise
        except OSError:
            _take_name(place, path)
    except FileExistsError as error:
        raise BadInput(
            code,
            f"Something took the name {str(path)!r} meanwhile, and it stays as it is.",
            "Name a file that is not there yet.",
        ) from error


def _take_name(place: Path, path: Path) -> None:
    """The same on a disk without hard links, such as a memory stick's: takes the name with an empty file.

    Whoever comes after that finds a file there; only what is written into it between the last two lines
    would be lost.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
    try:
        if path.stat().st_size > 0:
            raise FileExistsError(path)
        place.replace(path)
    except FileExistsError:
        raise
    except OSError:
        with suppress(OSError):
            if path.stat().st_size == 0:
                path.unlink()
        raise


def _remove(place: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        place.with_name(f"{place.name}{suffix}").unlink(missing_ok=True)


def _bring_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""Files that appear whole, on the disk, under their name, or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.rulebook import BadInput


def refuse_existing(path: Path, code: str) -> None:
    """Refuses to write where something is: nothing that somebody may still need is ever overwritten."""
    if path.exists() or path.is_symlink():
        raise BadInput(code, f"There is a {str(path)!r} already.", "Name a file that is not there yet.")
    for suffix in ("-wal", "-journal"):
        beside = path.with_name(f"{path.name}{suffix}")
        if beside.exists():
            raise BadInput(
                code,
                f"The log {str(beside)!r} of another journal lies where this one's would.",
                "Move it away first; it may hold what that journal's file does not.",
            )


@contextmanager
def building(path: Path) -> Iterator[Path]:
    """A place to write; what is there at the end is brought to the disk and takes the name."""
    place = path.with_name(f".{path.name}.building")
    try:
        place.touch()  # whether one may write there shows before any work is done
        _remove(place)
        try:
            yield place
            _bring_to_disk(place)
            place.rename(path)
            _bring_to_disk(path.parent)
        finally:
            _remove(place)
    except OSError as error:
        raise BadInput(
            "file-unwritable",
            f"{str(path)!r} cannot be written: {error.strerror}.",
            "Name a file in a folder that exists and that you may write to.",
        ) from error


def _remove(place: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        place.with_name(f"{place.name}{suffix}").unlink(missing_ok=True)


def _bring_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""Files that a command writes: whole or not at all, and never in the place of a journal."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.rulebook import BadInput


def named_place(text: str) -> Path:
    """A place to write to; an empty name would stand for the current folder, and nobody means the root."""
    path = Path(text)
    if not text or (path.anchor and path == Path(path.anchor)):
        raise BadInput("no-place", f"{text!r} is no place to write to.", "Name a file, or a folder of yours.")
    return path


def write_bytes(path: Path, content: bytes, *, private: bool = False) -> None:
    """Writes a file whole."""
    with _building(path, private) as building:
        building.write_bytes(content)


def write_lines(path: Path, lines: Iterable[str], *, private: bool = False) -> int:
    """Writes lines as they come and gives how many they were; the file takes its place once it is whole."""
    count = 0
    with _building(path, private) as building, building.open("w", encoding="utf-8", newline="") as file:
        for line in lines:
            file.write(line)
            count += 1
    return count


def is_folder(path: Path) -> bool:
    """Whether a path leads to a folder; where this account may not look, that is bad input."""
    from croupier.journal.places import what_is_at  # only what is told a path needs it

    try:
        return what_is_at(path) == "folder"
    except OSError as error:
        raise BadInput(
            "folder-unusable",
            f"{str(path)!r} cannot be looked at: {error.strerror}.",
            "Name a place that you may enter.",
        ) from error


def make_folder(folder: Path) -> None:
    """Makes a folder where there is none; refuses one that cannot be used before any work is done."""
    try:
        _make_folder(folder)
    except OSError as error:
        raise BadInput(
            "folder-unusable",
            f"The folder {str(folder)!r} cannot be used: {error.strerror}.",
            "Name one that you may write to.",
        ) from error


def _make_folder(folder: Path) -> None:
    """Makes a folder and those above it, but none under the name of a log: that journal would never open."""
    from croupier.journal.guarding import refuse_journal
    from croupier.journal.places import what_is_at

    for missing in (folder, *folder.parents):
        if what_is_at(missing) == "folder":
            break
        refuse_journal(missing)
    folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def _building(path: Path, private: bool) -> Iterator[Path]:
    from croupier.journal.guarding import place_beside, refuse_to_replace  # only who writes needs it
    from croupier.journal.places import PRIVATE

    place = refuse_to_replace(path)
    building = place_beside(place)
    try:
        _make_folder(place.parent)
        try:
            if private:
                building.touch(PRIVATE, exist_ok=False)
            yield building
            building.replace(refuse_to_replace(path))  # something may have come to be there meanwhile
        finally:
            building.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(
            "file-unwritable",
            f"{str(path)!r} cannot be written: {error.strerror}.",
            "Name a place that you may write to.",
        ) from error

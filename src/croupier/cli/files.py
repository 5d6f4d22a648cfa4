"""Files that a command writes: whole or not at all."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.rulebook import BadInput


def write_bytes(path: Path, content: bytes) -> None:
    """Writes a file whole."""
    with _building(path) as building:
        building.write_bytes(content)


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Writes lines as they come and gives how many they were; the file takes its place once it is whole."""
    count = 0
    with _building(path) as building, building.open("w", encoding="utf-8", newline="") as file:
        for line in lines:
            file.write(line)
            count += 1
    return count


@contextmanager
def _building(path: Path) -> Iterator[Path]:
    building = path.with_name(f".{path.name}.building")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield building
            building.replace(path)
        finally:
            building.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(
            "file-unwritable",
            f"{str(path)!r} cannot be written: {error.strerror}.",
            "Name a place that you may write to.",
        ) from error

"""Files that a configuration names: what would keep a start from using them is found before it."""

from pathlib import Path

from croupier.rulebook.reader import Node
from croupier.server.config_values import text
from croupier.server.voucher_key import key_fault


def file_named(node: Node, key: str, named: str, folder: Path) -> str:
    """The path of what is named, seen from a folder."""
    if "\0" in named:
        node.fault("bad-path", f"{key} has a null character in it, which no path has.", key)
        return ""
    return str(folder / named) if named else ""


def journal_file(floor: Node, named: str, folder: Path) -> str:
    """The journal's file; it is made where there is none, and so is its folder."""
    journal = file_named(floor, "journal", named, folder)
    if journal and (reason := _in_the_way(Path(journal))) is not None:
        floor.fault("bad-path", f"the journal cannot be the file {journal!r}: {reason}.", "journal")
    return journal


def key_file(floor: Node, folder: Path, journal: str) -> str:
    """The voucher key's file; it is made where there is none, and its folder has to be there."""
    named = file_named(floor, "voucher_key", text(floor, "voucher_key", "voucher.key"), folder)
    if not named:
        return named
    key = Path(named)
    if (refusal := key_fault(key)) is not None:
        floor.fault(refusal.code, str(refusal), "voucher_key")
    elif not key.parent.is_dir() and key.parent not in Path(journal).parents:  # a start makes those
        sentence = f"there is no folder {str(key.parent)!r} for the key; make it, or name another place."
        floor.fault("no-folder", sentence, "voucher_key")
    return named


def _in_the_way(path: Path) -> str | None:
    """Why there can be no file at a path; None where nothing is seen that would keep one from it."""
    try:
        path.lstat()
    except (FileNotFoundError, PermissionError):  # it is made, and maybe by another account
        return None
    except OSError as error:
        return error.strerror or str(error)
    return "it is a folder" if path.is_dir() else None

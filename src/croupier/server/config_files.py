"""Files that a configuration names: what would keep a start from using them is found before it."""

from pathlib import Path

from croupier.floor.house.integrity import read_manifest
from croupier.journal.guarding import BESIDE
from croupier.journal.places import what_is_at
from croupier.rulebook import BadInput
from croupier.rulebook.reader import Node
from croupier.server.config_values import text
from croupier.server.voucher_key import key_fault


def file_named(named: str, folder: Path) -> str:
    """The path of what is named, seen from a folder."""
    if "\0" in named:  # a fault already, as all control characters are; no path can be made of it
        return ""
    return str(folder / named) if named else ""


def journal_file(floor: Node, named: str, folder: Path) -> str:
    """The journal's file; it is made where there is none, and so is its folder."""
    journal = file_named(named, folder)
    if journal and (reason := _in_the_way(Path(journal))) is not None:
        floor.fault("bad-path", f"the journal cannot be the file {journal!r}: {reason}.", "journal")
    return journal


def key_file(floor: Node, folder: Path, journal: str) -> str:
    """The voucher key's file; it is made where there is none, and its folder has to be there."""
    named = file_named(text(floor, "voucher_key", "voucher.key"), folder)
    if not named:
        return named
    key = Path(named)
    if any(key == Path(journal + end) for end in BESIDE):
        sentence = f"the key cannot be kept in {key.name!r}: that is a file of the journal; name another."
        floor.fault("same-file", sentence, "voucher_key")
    elif (refusal := key_fault(key)) is not None:
        floor.fault(refusal.code, str(refusal), "voucher_key")
    elif _is_missing(key.parent) and key.parent not in Path(journal).parents:  # a start makes those
        sentence = f"there is no folder {str(key.parent)!r} for the key; make it, or name another place."
        floor.fault("no-folder", sentence, "voucher_key")
    return named


def record_file(floor: Node, folder: Path, *, to_start: bool) -> str | None:
    """The record of the software, where one is named; only a start needs it, and finds it made."""
    if not floor.has("integrity"):
        return None
    named = file_named(floor.text("integrity"), folder)
    if named and to_start:
        try:
            what_is_at(Path(named))
            read_manifest(Path(named))
        except BadInput as refusal:
            floor.fault(refusal.code, str(refusal), "integrity")
        except PermissionError:  # it is in a folder that only the server's account may enter
            pass
        except OSError as error:
            sentence = f"the record {named!r} cannot be read: {error.strerror}."
            floor.fault("manifest-unreadable", sentence, "integrity")
    return named


def _in_the_way(path: Path) -> str | None:
    """Why there can be no file at a path; None where nothing is seen that would keep one from it."""
    try:
        return "it is a folder" if what_is_at(path) == "folder" else None
    except PermissionError:  # it is another account's
        return None
    except OSError as error:
        return error.strerror or str(error)


def is_no_file(path: Path) -> bool:
    """Whether no file is there; what cannot be looked at is for whoever opens it to tell."""
    try:
        return what_is_at(path) != "file"
    except PermissionError:
        return False
    except OSError:
        return True


def _is_missing(folder: Path) -> bool:
    """Whether there is no such folder; one in a place that only another account may enter is believed."""
    try:
        return what_is_at(folder) != "folder"
    except OSError:
        return False

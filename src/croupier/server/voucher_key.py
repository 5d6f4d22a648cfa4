"""The file with the floor's key: it appears whole or not at all, and nothing else is taken for a key."""

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path
from typing import Final

from croupier.rulebook import BadInput

KEY_BYTES: Final = 32

_RESTORE: Final = (
    "Put the floor's own key back from the backup: the numbers of its vouchers are made with it. "
    "Only a floor that has issued none yet may do without, and removes the file."
)
_PLACE: Final = "Name a file in a folder that exists and that the server may write to, with 'voucher_key'."


def read_key(path: Path) -> bytes:
    """The floor's key, made on first use; only the floor's own account may read it.

    Of several processes that start at once, one makes the key, and the others have the same.
    """
    if (key := _kept(path)) is not None:
        return key
    try:
        _make(path)
    except (OSError, ValueError) as error:
        raise _unusable(path, error) from error
    if (key := _kept(path)) is None:
        raise _unusable(path, FileNotFoundError(errno.ENOENT, "it is a link to nothing"))
    return key


def is_missing(path: Path) -> bool:
    """Whether a start would make the key."""
    return _kept(path) is None


def check_key(path: Path) -> None:
    """Refuses a key that is not there: each server would make its own, and none would hear the others."""
    if _kept(path) is None:
        raise BadInput(
            "no-floor-key",
            f"There is no key at {path}, and all servers of a floor have the same one.",
            "Copy it from another server; for the first one make it with: head -c 32 /dev/urandom",
        )


def key_fault(path: Path) -> BadInput | None:
    """Why a start would not take what is at a path; a key that another account keeps is believed."""
    try:
        _kept(path)
    except BadInput as refusal:
        return None if isinstance(refusal.__cause__, PermissionError) else refusal
    return None


def _kept(path: Path) -> bytes | None:
    """The key that is there; None where nothing is."""
    try:
        # A pipe, or whatever else is no file, must not hold the start up.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise _unusable(path, error) from error
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _unusable(path, OSError(errno.EINVAL, "it is no file"))
        key = os.read(handle, KEY_BYTES + 1)
    finally:
        os.close(handle)
    if len(key) != KEY_BYTES:
        size = f"{len(key)} bytes" if len(key) < KEY_BYTES else "more than that"
        raise BadInput(
            "bad-voucher-key",
            f"The file {str(path)!r} is no voucher key: a key is {KEY_BYTES} random bytes, this is {size}.",
            _RESTORE,
        )
    if len({*key}) == 1:  # as a disk leaves it that lost the content of a file; chance makes no such key
        raise BadInput(
            "bad-voucher-key",
            f"The file {str(path)!r} is no voucher key: all of its bytes are the same.",
            _RESTORE,
        )
    return key


def _make(path: Path) -> None:
    """Makes a key beside its place and puts it there whole, unless another process was faster."""
    key = secrets.token_bytes(KEY_BYTES)
    beside = path.with_name(f".{secrets.token_hex(8)}.key")
    _write(beside, key)
    try:
        try:
            os.link(beside, path)
        except FileExistsError:
            pass
        except OSError:  # not every disk gives a file two names
            with contextlib.suppress(FileExistsError):
                _write(path, key)
    finally:
        beside.unlink(missing_ok=True)
    _bring_to_disk(path.parent)


def _write(path: Path, key: bytes) -> None:
    """Writes a new file, whole or not at all."""
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _bring_to_disk(folder: Path) -> None:
    """Has the disk know the new name; not every system or disk can, and then it knows it by itself."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _unusable(path: Path, error: OSError | ValueError) -> BadInput:
    # A path with a null character is a ValueError, and has no reason of the system's.
    reason = getattr(error, "strerror", None) or str(error)
    return BadInput(
        "voucher-key-unusable", f"The voucher key {str(path)!r} cannot be used: {reason}.", _PLACE
    )

"""What lies at a path: looked at without a surprise, also where this account may not enter."""

import errno
import stat
from pathlib import Path
from typing import Final, Literal

from croupier.journal.store import StoreError

PRIVATE: Final = 0o600
"""The mode of a file that holds the whole numbers of vouchers: only the account that made it reads it."""

Kind = Literal["nothing", "file", "folder", "other"]


def what_is_at(path: Path) -> Kind:
    """What a path leads to; where nobody can tell, the OSError says why.

    `Path.is_file()` and its like raise for some of that and say no for the rest, as the Python is.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "nothing"
    except ValueError as error:
        raise OSError(errno.EINVAL, "no path has a null character") from error
    if stat.S_ISREG(mode):
        return "file"
    return "folder" if stat.S_ISDIR(mode) else "other"


def need_journal_file(address: str) -> None:
    """Refuses a journal whose file is not there, or cannot be looked at."""
    try:
        if what_is_at(Path(address)) == "file":
            return
    except OSError as error:
        raise StoreError(f"The journal {address!r} cannot be opened: {error.strerror}.") from error
    raise StoreError(f"There is no journal {address!r}.")

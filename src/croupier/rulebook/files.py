"""Files that somebody names: read whole, and only where they have an end."""

import errno
import stat
from pathlib import Path
from typing import Final

NOT_ORDINARY: Final = "it is no ordinary file"


def read_file(path: Path) -> bytes:
    """The content of a file; a pipe or a device, which may never end, is an OSError."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # of a folder the system says so itself
        raise OSError(errno.EINVAL, NOT_ORDINARY, str(path))
    return path.read_bytes()

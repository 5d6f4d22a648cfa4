"""A folder that this account may not enter, also where the account is one that may enter everything."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def forbid(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Has the system refuse whatever lies in a folder, by whichever link it is reached."""
    kept = os.path.realpath(folder)

    def refusing(act: Callable[..., Any]) -> Callable[..., Any]:
        def refuse(path: object, *args: Any, **settings: Any) -> Any:
            if isinstance(path, str | Path) and _reached(path, act).startswith(f"{kept}{os.sep}"):
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
            return act(path, *args, **settings)

        return refuse

    for name in ("stat", "lstat", "open", "mkdir", "touch"):
        monkeypatch.setattr(Path, name, refusing(getattr(Path, name)))
    monkeypatch.setattr(os, "open", refusing(os.open))


def _reached(path: str | Path, act: Callable[..., Any]) -> str:
    """What is reached by a path: `lstat` looks at a link itself."""
    if getattr(act, "__name__", "") == "lstat":
        return str(Path(os.path.realpath(Path(path).parent), Path(path).name))
    return os.path.realpath(path)

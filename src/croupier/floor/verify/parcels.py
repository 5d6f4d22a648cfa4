"""What processes that verify a journal together hand to each other over pipes."""

import io
import pickle
import subprocess
import sys
from types import MappingProxyType
from typing import IO, Any, Final

_LENGTH: Final = 8
"""How many bytes say how long a parcel is."""

_PIPE: Final = 1_048_576
"""How wide a pipe is where the system lets one choose: what Linux usually allows everybody."""
_AS_USUAL: Final = -1


class _Pickler(pickle.Pickler):
    """Packs books too, whose mappings cannot be written to."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, MappingProxyType):
            return _read_only, (dict(value),)
        return NotImplemented


def _read_only(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


def packed(value: object) -> bytes:
    """Something as bytes, for another process of the same program."""
    content = io.BytesIO()
    _Pickler(content).dump(value)
    return content.getvalue()


def send(pipe: IO[bytes], value: object) -> None:
    """Hands something over."""
    content = packed(value)
    pipe.write(len(content).to_bytes(_LENGTH) + content)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """What comes next; raises `EOFError` where nothing more does, or not all of it."""
    head = pipe.read(_LENGTH)
    content = pipe.read(int.from_bytes(head)) if len(head) == _LENGTH else b""
    if not content or len(content) < int.from_bytes(head):
        raise EOFError("the other process has ended")
    return pickle.loads(content)  # from the process that started this one, or that this one started


_LEAVING_INTERRUPTS: Final = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
"""Whoever starts a process is interrupted from the keyboard too, and ends it, also while it is loading."""


def started(program: str) -> "subprocess.Popen[bytes]":
    """A process of this Python, with pipes to it and from it.

    Where pipes can be wide, one of two that work side by side can be a good way ahead of the other. It looks
    for no modules in the working directory (`-P`), which is that of the evidence for many: whoever put a file
    there would have it carried out.
    """
    command = [sys.executable, "-P", "-c", _LEAVING_INTERRUPTS + program]
    try:
        return _started(command, _PIPE)
    except OSError:
        return _started(command, _AS_USUAL)  # not everybody may have pipes so wide, or as many of them


def _started(command: list[str], pipe: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pipesize=pipe)


def pipes(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes]]:
    """To a process, and from it."""
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("a process without pipes")
    return process.stdin, process.stdout

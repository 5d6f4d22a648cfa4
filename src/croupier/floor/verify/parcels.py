"""What processes that verify a journal together hand to each other over pipes."""

import io
import pickle
import signal
import subprocess
import sys
from types import MappingProxyType
from typing import IO, Any, Final

_LENGTH: Final = 8
"""How many bytes say how long a parcel is."""


_PIPE: Final = 1_048_576
"""How wide a pipe is where the system lets one choose: what Linux allows everybody."""


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
    """What comes next; raises `EOFError` where nothing more does."""
    head = pipe.read(_LENGTH)
    content = pipe.read(int.from_bytes(head)) if len(head) == _LENGTH else b""
    if not content:
        raise EOFError("the other process has ended")
    return pickle.loads(content)  # from the process that started this one, or that this one started


def started(program: str) -> "subprocess.Popen[bytes]":
    """A process of this Python, with pipes to it and from it.

    Where pipes can be wide, one of two that work side by side can be a good way ahead of the other.
    """
    return subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, pipesize=_PIPE
    )


def pipes(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes]]:
    """To a process, and from it."""
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("a process without pipes")
    return process.stdin, process.stdout


def leave_interrupts_to_the_other() -> None:
    """Whoever started this process is interrupted from the keyboard too, and ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

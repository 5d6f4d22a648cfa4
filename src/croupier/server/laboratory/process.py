"""A process beside the server that computes, so that no table ever waits for mathematics.

What takes too long there is ended by ending the process; the next question starts another one. Compiled code
is made when it is first needed, which takes seconds: a new process does that before it answers anything.
"""

import contextlib
import multiprocessing
import os
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, Final, ParamSpec, TypeVar, cast

from croupier.rulebook import BadInput

P = ParamSpec("P")
T = TypeVar("T")

_READY, _DONE, _REFUSED, _FAULT = range(4)
_NICE: Final = 10
"""How far the process stands behind the tables when the machine is busy."""
_SPAWN: Final[SpawnContext] = multiprocessing.get_context("spawn")


class Warming(Exception):
    """The process is not ready yet; ask again."""


class TooLong(Exception):
    """The answer took longer than it may, and was given up."""


class Computing:
    """The process, from the server's side. One thing at a time; called from threads."""

    def __init__(self, warm_up: Callable[[], object]) -> None:
        """`warm_up` is done in the process before the first question; a function at the top of a module."""
        self._warm_up = warm_up
        self._turn = threading.Lock()
        self._changing = threading.Lock()
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None
        self._is_ready = False
        self._is_closed = False

    def compute(
        self, ready_seconds: float, seconds: float, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Has something computed; both times are how long to wait, for the process and for the answer.

        Raises `Warming` or `TooLong` where that was not long enough, and `BadInput` as `act` does.
        """
        with self._turn:
            line = self._open()
            try:
                if not self._is_ready:
                    self._await(line, ready_seconds)
                line.send((act, args, kwargs))
                if not line.poll(seconds):
                    raise TooLong
                return cast(T, self._receive(line))
            except TooLong:
                self._end()
                raise
            except (EOFError, OSError) as error:
                self._end()
                raise RuntimeError("the process of the lab ended by itself") from error

    def close(self) -> None:
        """Ends the process, and whatever it computes."""
        self._is_closed = True
        self._end()

    def _open(self) -> Connection:
        with self._changing:
            if self._line is None:
                if self._is_closed:
                    raise RuntimeError("the lab is closed")
                self._line, theirs = _SPAWN.Pipe()
                self._process = _SPAWN.Process(target=_work, args=(theirs, self._warm_up), daemon=True)
                self._process.start()
                theirs.close()
            return self._line

    def _await(self, line: Connection, ready_seconds: float) -> None:
        if not line.poll(ready_seconds):
            raise Warming
        try:
            self._receive(line)
        except Exception:
            self._end()
            raise
        self._is_ready = True

    def _end(self) -> None:
        with self._changing:
            process, line = self._process, self._line
            self._process = self._line = None
            self._is_ready = False
            if process is not None:
                process.kill()
                process.join()
                process.close()
            if line is not None:
                line.close()

    def _receive(self, line: Connection) -> object:
        what, told = line.recv()
        if what == _REFUSED:
            raise BadInput(*told)
        if what == _FAULT:
            raise RuntimeError(f"the lab failed:\n{told}")
        return told


def _work(line: Connection, warm_up: Callable[[], object]) -> None:
    """What the process does until its line is closed."""
    with contextlib.suppress(OSError, AttributeError):  # not every system has it
        os.nice(_NICE)
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        line.send(_done(_READY, warm_up))
        while True:
            act, args, kwargs = line.recv()
            line.send(_done(_DONE, act, *args, **kwargs))


def _done(kind: int, act: Callable[..., object], *args: Any, **kwargs: Any) -> tuple[int, object]:
    try:
        return kind, act(*args, **kwargs)
    except BadInput as refusal:
        return _REFUSED, (refusal.code, refusal.sentence, refusal.right)
    except Exception:
        return _FAULT, traceback.format_exc()

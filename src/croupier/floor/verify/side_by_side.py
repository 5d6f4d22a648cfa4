"""Several streams of a journal at a time, each checked whole by a process of its own.

Nobody can hand another process the moment at which a journal was opened. So each opens it for itself and
tells where all chains end then; where somebody has written meanwhile, nothing is done here. The process that
asks answers for the books, compares what was found of the streams, and ends the others.
"""

import contextlib
import gc
import queue
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Lock
from typing import IO, Any, Final, NamedTuple

from croupier.floor.verify.checking import Checked, FindBook, Progress, Stream, check_stream
from croupier.floor.verify.evidence import Evidence, open_evidence
from croupier.floor.verify.parcels import pipes, receive, send, started
from croupier.journal import Head, StoreError
from croupier.rulebook import BadInput, Book, BookFaults

EVERYTHING: Final = "everything"
"""What is being read, where it is several streams at once."""

_PAUSE_SECONDS: Final = 0.1
"""How often a process says how far it is."""

_PROGRAM: Final = "from croupier.floor.verify.side_by_side import main; main()"

_ENDED: Final = "A process that verifies the journal has ended before it was done."

Moment = Mapping[str, Head | None]
"""Where all chains of a journal end: what is written changes that."""


class _Task(NamedTuple):
    """A stream that a process is to check."""

    stream: Stream
    beside_from: int | None


class _Done(NamedTuple):
    """How many records of its stream a process has done."""

    records: int


class _Wanted(NamedTuple):
    """The id of a book that a process needs; it waits for the book, or for nothing."""

    book: str


class _Unreadable(NamedTuple):
    """Why the journal cannot be read."""

    reason: str


class _Worker:
    """A process that checks one stream after the other."""

    def __init__(self) -> None:
        self._process = started(_PROGRAM)
        self._in, self._out = pipes(self._process)

    def open(self, address: str) -> None:
        """Has it open the journal."""
        self._tell(address)

    def moment(self) -> Moment:
        """Where all chains ended when it opened the journal."""
        moment: Moment = self._hear()
        return moment

    def check(self, task: _Task, find_book: FindBook, done: Callable[[int], None]) -> Checked:
        """Has a stream checked."""
        self._tell(task)
        while True:
            match self._hear():
                case Checked() as checked:
                    return checked
                case _Done(records):
                    done(records)
                case _Wanted(book_id):
                    self._tell(_found(find_book, book_id))

    def end(self) -> None:
        """Ends the process, whatever it is doing: who listens to it hears that."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Ends the process and lets go of it; nobody listens to it any more."""
        self.end()
        self._out.close()
        with contextlib.suppress(OSError):  # of what was not handed over
            self._in.close()

    def _tell(self, what: object) -> None:
        try:
            send(self._in, what)
        except OSError:
            raise StoreError(_ENDED) from None

    def _hear(self) -> Any:
        try:
            heard = receive(self._out)
        except EOFError:
            raise StoreError(_ENDED) from None
        if isinstance(heard, _Unreadable):
            raise StoreError(heard.reason)
        return heard


def _found(find_book: FindBook, book_id: str) -> Book | None:
    try:
        return find_book(book_id)
    except (BadInput, BookFaults):
        return None


class _Sum:
    """How far all streams are together."""

    def __init__(self, streams: Sequence[Stream], progress: Progress) -> None:
        self._progress = progress
        self._done = {stream.name: 0 for stream in streams}
        self._total = sum(stream.length for stream in streams)
        self._turn = Lock()

    def tell(self, stream: str, records: int) -> None:
        """So many records of a stream are done."""
        with self._turn:
            self._done[stream] = records
            self._progress(EVERYTHING, sum(self._done.values()), self._total)


def moment_of(evidence: Evidence) -> Moment:
    """Where all chains of a journal end."""
    return {table: evidence.head(table) for table in evidence.tables()}


def check_side_by_side(
    evidence: Evidence,
    address: str,
    streams: Sequence[Stream],
    find_book: FindBook,
    progress: Progress,
    processes: int,
    beside_from: int | None,
) -> dict[str, Checked] | None:
    """What was found in each stream; None where others cannot be had, or see another moment."""
    workers: list[_Worker] = []
    try:
        try:
            workers.extend(_Worker() for _ in range(processes))  # what was started is ended, in any case
        except OSError:  # the system has room for no further process
            return None
        if not _see_the_same(evidence, address, workers):
            return None
        # The longest first, so that none is left at the end that everybody waits for.
        waiting: queue.SimpleQueue[Stream] = queue.SimpleQueue()
        for stream in sorted(streams, key=lambda one: one.length, reverse=True):
            waiting.put(stream)
        told = _Sum(streams, progress)
        with ThreadPoolExecutor(processes) as threads:
            work = [
                threads.submit(_serve, worker, waiting, beside_from, find_book, told) for worker in workers
            ]
            try:
                wait(work, return_when=FIRST_EXCEPTION)
                found = {
                    name: checked for one in work if one.done() for name, checked in one.result().items()
                }
            finally:
                for worker in workers:  # where one has failed, nobody waits for the others
                    worker.end()
        return found
    finally:
        for worker in workers:
            worker.close()


def _see_the_same(evidence: Evidence, address: str, workers: Sequence[_Worker]) -> bool:
    """Whether all have opened the journal as it was here; one who could not open it has not."""
    moment = moment_of(evidence)
    try:
        for worker in workers:
            worker.open(address)
        return all(worker.moment() == moment for worker in workers)
    except StoreError:
        return False


def _serve(
    worker: _Worker,
    waiting: "queue.SimpleQueue[Stream]",
    beside_from: int | None,
    find_book: FindBook,
    told: _Sum,
) -> dict[str, Checked]:
    """Gives a process one stream after the other, as long as there are any."""
    found: dict[str, Checked] = {}
    while True:
        try:
            stream = waiting.get_nowait()
        except queue.Empty:
            return found

        def done(records: int, name: str = stream.name) -> None:
            told.tell(name, records)

        found[stream.name] = worker.check(_Task(stream, beside_from), find_book, done)


def main() -> None:
    """Opens a journal and checks streams of it, as standard input asks; tells on standard output."""
    gc.disable()  # what is read holds no cycles, and looking for them takes time
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    try:
        _work(asked, told)
    except StoreError as error:
        send(told, _Unreadable(str(error)))
    except (BrokenPipeError, EOFError):
        sys.stderr.close()  # whoever asked is gone, or knows enough


def _work(asked: IO[bytes], told: IO[bytes]) -> None:
    evidence = open_evidence(receive(asked))
    send(told, moment_of(evidence))

    def find_book(book_id: str) -> Book:
        send(told, _Wanted(book_id))
        book: Book | None = receive(asked)
        if book is None:
            raise BadInput("unknown-book", f"There is no book {book_id!r} at hand.", "Name its file.")
        return book

    next_s = 0.0

    def progress(_: str, done: int, total: int) -> None:
        nonlocal next_s
        if (now_s := time.monotonic()) >= next_s or done == total:
            next_s = now_s + _PAUSE_SECONDS
            send(told, _Done(done))

    while True:
        task: _Task = receive(asked)
        send(told, check_stream(evidence, task.stream, find_book, progress, task.beside_from))

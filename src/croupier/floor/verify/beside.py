"""The chain and the replay of a long journal, in a process beside the one that audits it.

Both read the same rows for themselves. This one goes ahead and tells, in portions, how many records continue
the chain and can be carried out, and what the replay reads behind each; the auditor compares that with books
of its own and decides which record is the first that does not fit.
"""

import gc
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

import msgspec

from croupier.floor.codec import UnreadableRecord, entry_of
from croupier.floor.loading import state_of
from croupier.floor.reading import OffChain, on_chain
from croupier.floor.verify.evidence import Evidence, SqliteEvidence, open_evidence
from croupier.floor.verify.parcels import pipes, receive, send, started
from croupier.floor.verify.replay import REPLAY_ERRORS, Reading, Replay
from croupier.floor.verify.telling import BEGINNING, Place, Telling
from croupier.journal import EMPTY, Head, Snapshot, StoreError, Stretch, misfit
from croupier.journal.segment import record_anyhow
from croupier.rulebook import Book
from croupier.table import Entry, Settings

PORTION: Final = 1_000
"""How many records are told of at once."""

_PROGRAM: Final = "from croupier.floor.verify.beside import main; main()"

_ENDED: Final = "The process that replays the journal has ended before the journal."


class Elsewhere(msgspec.Struct, frozen=True):
    """Where another process finds a table, as far as it went when it was looked at.

    What is written meanwhile is left alone.
    """

    address: str
    rows: int | None = None
    """How many records there were, where each is a row."""
    last_stretch: object = None
    """By which number their last stretch begins, where they are kept as they were hashed."""


class Errand(msgspec.Struct, frozen=True):
    """What the process beside is asked to read."""

    where: Elsewhere
    table: str
    book: Book
    settings: Settings
    snapshot: Snapshot | None = None
    """What is kept beside the records, as it was when the journal was looked at."""


class Portion(msgspec.Struct, frozen=True):
    """What was found in the next records."""

    readings: list[Reading]
    """Behind each record that continues the chain and could happen."""
    unusual: list[int] = []
    """The numbers of those among them whose fields may say something else than their payload."""
    off_chain: str | None = None
    """Why the record after these does not continue the chain."""
    impossible: str | None = None
    """Why the record after these cannot have happened."""
    strays: bool = False
    """Whether the snapshot is not what the records up to it lead to; told once these have got there."""
    accounts: Reading = ()
    faults: list[str] = []
    """At the end: the accounts, and what does not hold."""


class Beside:
    """What the process beside has found, record by record in order."""

    def __init__(self, errand: Errand) -> None:
        self._process = started(_PROGRAM)
        self._in, self._out = pipes(self._process)
        self._readings: deque[Reading] = deque()
        self._unusual: deque[int] = deque()
        self._last = Portion([])
        self._is_over = False
        self.strays = False
        """Whether the snapshot is not what the records up to it lead to; known once they are told of."""
        try:
            with self._in:
                send(self._in, errand)
        except OSError:
            self.close()
            raise StoreError(_ENDED) from None

    def off_chain(self) -> str | None:
        """Why the next record does not continue the chain; None where it does."""
        if self._readings:
            return None
        self._look_ahead()
        return None if self._readings else self._last.off_chain

    def usual(self, sequence: int) -> int:
        """How many records from a number on are known to be on the chain, possible, and usual.

        All fields of a usual record say what its payload says.
        """
        if not self._readings:
            self._look_ahead()
        while self._unusual and self._unusual[0] < sequence:
            self._unusual.popleft()
        ahead = len(self._readings)
        return min(ahead, self._unusual[0] - sequence) if self._unusual else ahead

    def readings(self, records: int) -> Iterator[Reading]:
        """What the replay reads behind the next records, which are some of those."""
        take = self._readings.popleft
        return iter([take() for _ in range(records)])

    def next_reading(self) -> Reading:
        """What the replay reads behind the next record."""
        if not self._readings:
            self._look_ahead()
        if self._readings:
            return self._readings.popleft()
        raise StoreError("The replay has ended before the journal.")

    @property
    def impossible(self) -> str | None:
        """Why the next record cannot have happened."""
        return None if self._readings else self._last.impossible

    def end(self) -> Portion:
        """What was found behind the last record."""
        self._look_ahead()
        return self._last

    def close(self) -> None:
        """Lets go of the process, whatever it is doing."""
        self._process.kill()
        self._out.close()
        self._process.wait()

    def _look_ahead(self) -> None:
        while not self._readings and not self._is_over:
            try:
                self._last = receive(self._out)
            except EOFError:
                raise StoreError(_ENDED) from None
            self._readings.extend(self._last.readings)
            self._unusual.extend(self._last.unusual)
            self.strays = self._last.strays
            self._is_over = len(self._last.readings) < PORTION


def portions(errand: Errand) -> Iterator[Portion]:
    """Reads, checks the chain and replays; the last portion is the one that is not full."""
    evidence = open_evidence(errand.where.address)
    try:
        snapshot = errand.snapshot
        kept = None if snapshot is None else state_of(errand.table, snapshot)
        replay, done = Replay(errand.book, errand.settings, kept), 0
        readings, unusual = list[Reading](), list[int]()
        try:
            for entries, is_usual in _passages(evidence, errand):
                if not is_usual:
                    unusual.append(done + 1)
                done += len(entries)
                for entry in entries:
                    try:
                        readings.append(replay.take(entry))
                    except REPLAY_ERRORS as error:
                        reason = f"it cannot have happened ({_told(error)})"
                        yield Portion(readings, unusual, impossible=reason, strays=replay.strays)
                        return
                    if len(readings) == PORTION:
                        yield Portion(readings, unusual, strays=replay.strays)
                        readings, unusual = [], []
        except OffChain as error:
            yield Portion(readings, unusual, off_chain=str(error), strays=replay.strays)
            return
        except UnreadableRecord as error:
            yield Portion(readings, unusual, impossible=str(error), strays=replay.strays)
            return
        accounts, faults = replay.accounts(), replay.faults()
        yield Portion(readings, unusual, accounts=accounts, faults=faults, strays=replay.strays)
    finally:
        evidence.close()


def _passages(evidence: Evidence, errand: Errand) -> Iterator[tuple[list[Entry], bool]]:
    """What the records tell, some at a time, behind a check of the chain, and whether they are usual.

    Where they are kept as they were hashed it is told by that; where they are rows nobody asks that here.
    """
    if isinstance(evidence, SqliteEvidence) and evidence.has_stretches:
        yield from _told_by(errand.table, _until(evidence.stretches(errand.table), errand.where.last_stretch))
        return
    head = EMPTY
    for record in islice(evidence.everything(errand.table), errand.where.rows):
        if (reason := misfit(record, head)) is not None:
            raise OffChain(record.sequence, reason)
        head = Head(record.sequence, record.hash)
        yield [entry_of(record)], True


def _until(stretches: Iterable[Stretch], last: object) -> Iterator[Stretch]:
    """Stretches as far as the one that begins with a number."""
    for stretch in stretches:
        yield stretch
        if stretch.first == last:
            return


def _told_by(table: str, stretches: Iterable[Stretch]) -> Iterator[tuple[list[Entry], bool]]:
    """The same from forms; most have fields that say what the payload says, and need not be taken apart."""
    telling, last = Telling(table), BEGINNING
    for first, forms, hashes in on_chain(EMPTY, stretches):
        done = 0
        while done < len(forms):
            entries, last = telling.usual(first + done, forms[done:], last)
            if entries:
                yield entries, True
                done += len(entries)
            if done < len(forms):
                entry, last = _told_at_length(table, first + done, forms[done], hashes[done])
                yield [entry], False
                done += 1


def _told_at_length(table: str, sequence: int, form: bytes, own: bytes) -> tuple[Entry, Place]:
    record = record_anyhow(table, sequence, form, own)
    # The bytes are those that were hashed, and yet they may be of no record: a null character is in none.
    if (reason := misfit(record, Head(sequence - 1, record.previous))) is not None:
        raise OffChain(sequence, reason)
    entry = entry_of(record)
    return entry, Place(entry.cause, record.part)


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def main() -> None:
    """Does an errand that comes on standard input; tells on standard output."""
    gc.disable()  # what is read holds no cycles, and looking for them takes time
    try:
        for portion in portions(receive(sys.stdin.buffer)):
            send(sys.stdout.buffer, portion)
    except StoreError as error:
        sys.exit(str(error))
    except (BrokenPipeError, EOFError):
        sys.stderr.close()  # whoever asked is gone, or knows enough

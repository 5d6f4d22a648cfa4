"""A journal as JSON lines: every record with its exact payload, every claim, and a hash over all of it.

The first line says what it is and where each stream ends; then come records, stream by stream; then claims;
the last line counts them and holds the SHA-256 of all bytes before it, so that a torn file is noticed.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.floor.verify.evidence import ClaimRow, Evidence
from croupier.journal import Head, Record, Snapshot, StoreError

FORMAT: Final = "croupier-backup/1"
_TELL_EVERY: Final = 500


def write_lines(evidence: Evidence, path: Path, progress: Callable[[str, int, int], None]) -> dict[str, Head]:
    """Writes a journal down, as it is at one moment; gives where its streams end."""
    heads = {stream: _head(evidence, stream) for stream in evidence.tables()}
    ends = {stream: {"sequence": head.sequence, "hash": head.hash.hex()} for stream, head in heads.items()}
    records = claims = 0
    digest = hashlib.sha256()
    with path.open("wb") as file:

        def write(facts: dict[str, Any]) -> None:
            line = (json.dumps(facts) + "\n").encode()
            digest.update(line)
            file.write(line)

        write({"format": FORMAT, "streams": ends})
        for stream, head in heads.items():
            for record in evidence.records(stream):
                write(_facts_of(record))
                records += 1
                if record.sequence % _TELL_EVERY == 0:
                    progress(stream, record.sequence, head.sequence)
        for claim in evidence.claims():
            write({"claim": claim.key, "table": claim.table, "sequence": claim.sequence})
            claims += 1
        write({"records": records, "claims": claims, "sha256": digest.hexdigest()})
    return heads


def _head(evidence: Evidence, stream: str) -> Head:
    """Where a stream ends; one without a head would be missing in the copy, and nobody would know."""
    head = evidence.head(stream)
    if head is None:
        raise StoreError(f"There are records of {stream}, and no head says where they end.")
    return head


def _facts_of(record: Record) -> dict[str, Any]:
    try:
        payload = record.payload.decode()
    except UnicodeDecodeError as error:
        where = f"Record {record.sequence} of {record.table}"
        raise StoreError(f"{where} is damaged: its payload is not UTF-8.") from error
    return record._asdict() | {
        "payload": payload,
        "previous": record.previous.hex(),
        "hash": record.hash.hex(),
    }


class _End(msgspec.Struct):
    sequence: int
    hash: str


class _First(msgspec.Struct):
    """The first line."""

    format: str
    streams: dict[str, _End]


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    """A line with a record."""

    table: str
    sequence: int
    at_ms: int
    actor: str
    sender: str
    number: int
    part: int
    kind: str
    version: int
    payload: str
    previous: str
    hash: str


class _Claim(msgspec.Struct, forbid_unknown_fields=True):
    """A line with a claim."""

    claim: str
    table: str
    sequence: int


_BROKEN: Final = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What reading a file raises that is no backup, or that somebody has changed."""


class LinesEvidence:
    """A journal in JSON lines, for reading only; read through once when it is opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._heads: dict[str, Head] = {}
        self._starts: dict[str, int] = {}
        self._claims: list[ClaimRow] = []
        try:
            with path.open("rb") as file:
                self._look_through(file)
        except _BROKEN as error:
            raise self._damaged(str(error)) from error

    def _look_through(self, file: Any) -> None:
        digest, place, records = hashlib.sha256(), 0, 0
        last: dict[str, Any] = {}
        for number, line in enumerate(file):
            facts = msgspec.json.decode(line)
            if number == 0:
                self._begin(facts)
            elif "payload" in facts:
                self._starts.setdefault(msgspec.convert(facts, _Row).table, place)
                records += 1
            elif "claim" in facts:
                claim = msgspec.convert(facts, _Claim)
                self._claims.append(ClaimRow(claim.claim, claim.table, claim.sequence))
            else:
                last = facts
                break
            digest.update(line)
            place += len(line)
        if (last.get("records"), last.get("claims")) != (records, len(self._claims)):
            raise ValueError("it does not end as a backup does")
        if last["sha256"] != digest.hexdigest() or file.read(1):
            raise ValueError("its content is not what was written")

    def _begin(self, facts: dict[str, Any]) -> None:
        if facts.get("format") != FORMAT:
            raise ValueError("it does not begin as a backup does")
        for stream, head in msgspec.convert(facts, _First).streams.items():
            self._heads[stream] = Head(head.sequence, bytes.fromhex(head.hash))

    def tables(self) -> list[str]:
        """Every stream that a record or a head names, in order."""
        return sorted({*self._heads, *self._starts})

    def head(self, table: str) -> Head | None:
        """Where a stream's chain is said to end."""
        return self._heads.get(table)

    def moments(self, table: str) -> Iterator[tuple[int, int]]:
        """When each record of a stream was written, behind its number."""
        return ((record.sequence, record.at_ms) for record in self.records(table))

    def records(self, table: str, after: int = 0) -> Iterator[Record]:
        """The records of a stream behind a number, in the order in which they were written down."""
        if table not in self._starts:
            return
        with self._path.open("rb") as file:
            file.seek(self._starts[table])
            for line in file:
                try:
                    record = _record_in(line)
                except _BROKEN as error:
                    raise self._damaged(str(error)) from error
                if record is None or record.table != table:
                    return
                if not after or record.sequence > after:
                    yield record

    def holding(self, table: str, text: bytes) -> Iterator[Record]:
        """The records of a stream in whose payload a text stands, in order."""
        return (record for record in self.records(table) if text in record.payload)

    def everything(self, table: str) -> Iterator[Record]:
        """All records: a line that is no record is an error either way."""
        return self.records(table)

    def claims(self) -> Iterator[ClaimRow]:
        """Every claim."""
        return iter(self._claims)

    def snapshot(self, table: str) -> Snapshot | None:
        """None: what is kept beside the records is made anew."""
        return None

    def last_beat(self, table: str) -> int | None:
        """None: nobody writes to a backup."""
        return None

    def close(self) -> None:
        """Nothing to let go of."""

    def _damaged(self, why: str) -> StoreError:
        return StoreError(f"The file {str(self._path)!r} is no whole backup: {why}.")


def _record_in(line: bytes) -> Record | None:
    """The record that a line holds; None where it is one of the other lines."""
    facts = msgspec.json.decode(line)
    if "payload" not in facts:
        return None
    fields = msgspec.structs.asdict(msgspec.convert(facts, _Row))
    payload, previous, own = (
        fields["payload"].encode(),
        *map(bytes.fromhex, (fields["previous"], fields["hash"])),
    )
    return Record(**fields | {"payload": payload, "previous": previous, "hash": own})

"""The dispute bundle of one round: everything that bears on it, readable, with its proof in the chain."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from itertools import takewhile
from typing import Any, Final

import msgspec

from croupier.floor.codec import kind_of
from croupier.floor.exports.bundle_text import describe_files, describe_round
from croupier.floor.exports.export import show_time, shown
from croupier.floor.exports.projections import RoundBets, RoundsFold
from croupier.floor.exports.selection import bearing_on, entries_of
from croupier.floor.loading import DamagedJournal
from croupier.floor.significant.telling import tell
from croupier.floor.verify.evidence import Evidence
from croupier.journal import EMPTY, Head, Record, misfit
from croupier.rulebook import BadInput, show_cents
from croupier.table import Entry, History, Limits, RoundRecall, postings
from croupier.table import events as e

CANONICAL: Final = (
    "The hash of a record is the SHA-256 of: the 32 bytes of the hash of the record before it (32 zero bytes "
    "for the first), then table, sequence, at_ms, actor, sender, number, part, kind and version as UTF-8 "
    "text, each followed by one line feed, then the payload as it is, in UTF-8."
)
PROOF: Final = "proof.json"
"""The file that says where the records stand in the chain, and what the other files are."""

_BEGINNING: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive, so that the same round gives the same bytes."""


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """Where a bundle's records stand in the table's chain."""

    table: str
    round: int
    first: int
    last: int
    before: str
    """The hash of the record before the first one."""
    last_hash: str
    head: dict[str, Any]
    """Where the table's chain ended when the bundle was made."""
    files: dict[str, str]
    """The SHA-256 of every other file of the bundle, by its name."""
    canonical: str = CANONICAL


class _Gathered:
    """What a walk through the whole journal brings together about one round."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.created: e.TableCreated | None = None
        self.limits: Limits | None = None
        """The limits in force when the round began."""
        self.round: RoundBets | None = None
        self.head = EMPTY
        self.history = History(seat_rounds=1, table_rounds=1, pinned={number})
        self._rounds = RoundsFold()
        self._idle: list[tuple[Record, Entry]] | None = []
        """The records since a round last ended; None while one runs."""
        self._beside: list[tuple[Record, Entry]] = []
        """The same of the time before the round and of the time after it."""

    def follow(self, evidence: Evidence, table: str) -> Iterator[tuple[Record, Entry]]:
        """Every record, noted on the way; refuses a chain that does not hold, for then nothing is proved."""
        for record, entry in entries_of(evidence, table):
            if (reason := misfit(record, self.head)) is not None:
                raise DamagedJournal(f"Record {record.sequence} of table {table} does not fit: {reason}.")
            self.head = Head(record.sequence, record.hash)
            self._note(entry)
            self._note_idle(record, entry)
            yield record, entry
        if self.head != evidence.head(table):
            raise DamagedJournal(f"The records of table {table} do not end where its head says.")
        self._keep(self._rounds.rest())
        self._beside += self._idle or []

    @property
    def recall(self) -> RoundRecall | None:
        """The round as it is recalled."""
        return self.history.round(self.number)

    def records_of(self, entries: Iterable[Entry]) -> list[tuple[Record, Entry]]:
        """The records of what moved credits before the round or after it."""
        wanted = {id(entry) for entry in entries}  # entries may be alike: the same sum bought twice
        return [(record, entry) for record, entry in self._beside if id(entry) in wanted]

    def _note_idle(self, record: Record, entry: Entry) -> None:
        event = entry.event
        if isinstance(event, e.RoundOpened):
            if event.round in (self.number, self.number + 1):
                self._beside += self._idle or []
            self._idle = None
        elif isinstance(event, e.RoundSettled | e.RoundVoided):
            self._idle = []
        elif self._idle is not None:
            self._idle.append((record, entry))

    def _note(self, entry: Entry) -> None:
        event = entry.event
        self.history.record(entry)
        if (done := self._rounds.take(entry)) is not None:
            self._keep([done])
        if isinstance(event, e.TableCreated):
            self.created, self.limits = event, event.settings.limits
        elif isinstance(event, e.LimitsChanged) and self.recall is None:
            self.limits = event.new

    def _keep(self, rounds: Iterable[RoundBets]) -> None:
        for round_ in rounds:
            if round_.row.round == self.number:
                self.round = round_


def make_bundle(evidence: Evidence, table: str, number: int) -> dict[str, bytes]:
    """The files of a bundle by name."""
    gathered = _Gathered(number)
    bearing = [*bearing_on(gathered.follow(evidence, table), number)]
    if not bearing:
        raise BadInput("unknown-round", f"There was no round {number} at table {table}.")
    if (recall := gathered.recall) is None:
        raise DamagedJournal(f"The journal of table {table} has no beginning of round {number}.")
    between, after = gathered.records_of(recall.between), gathered.records_of(recall.after)
    proved = sorted(
        (record for record, _ in (*between, *bearing, *after)), key=lambda record: record.sequence
    )
    first, last = proved[0], proved[-1]
    records = takewhile(lambda record: record.sequence <= last.sequence, evidence.records(table))
    span = (record for record in records if record.sequence >= first.sequence)
    facts = _round_facts(table, gathered, recall, bearing)
    facts["between"] = [_act(record, entry, {}) for record, entry in between]
    facts["after"] = [_act(record, entry, {}) for record, entry in after]
    check = resources.files("croupier.floor") / "standalone" / "check.py"
    files = {
        "README.txt": describe_files(table, number, last.sequence, last.hash.hex(), CANONICAL).encode(),
        "chain.jsonl": "".join(map(_chain_line, span)).encode(),
        "check.py": check.read_bytes(),
        "round.json": _json(facts),
        "round.txt": describe_round(facts).encode(),
    }
    proof = Proof(
        table=table,
        round=number,
        first=first.sequence,
        last=last.sequence,
        before=first.previous.hex(),
        last_hash=last.hash.hex(),
        head={"sequence": gathered.head.sequence, "hash": gathered.head.hash.hex()},
        files={name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    )
    return files | {PROOF: _json(msgspec.structs.asdict(proof))}


def seal_of(files: Mapping[str, bytes]) -> str:
    """One hash over all files of a bundle, for whoever notes it down where nobody can change it."""
    return hashlib.sha256(files[PROOF]).hexdigest()


def as_archive(files: Mapping[str, bytes]) -> bytes:
    """A ZIP archive that is the same, byte by byte, for the same files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, _BEGINNING)
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, data)
    return content.getvalue()


def _chain_line(record: Record) -> str:
    facts = record._asdict()
    facts |= {
        "payload": record.payload.decode(),
        "previous": record.previous.hex(),
        "hash": record.hash.hex(),
    }
    return json.dumps(facts) + "\n"


def _json(facts: object) -> bytes:
    return (json.dumps(facts, indent=2) + "\n").encode()


def _round_facts(
    table: str, gathered: _Gathered, recall: RoundRecall, bearing: Iterable[tuple[Record, Entry]]
) -> dict[str, Any]:
    """The round as data: what it was, each seat's money and bets, and every act in order."""
    created, round_ = gathered.created, gathered.round
    if created is None or round_ is None:
        raise DamagedJournal(f"The journal of table {table} does not begin with its creation.")
    corrected = {id(recall.entries[place]): cents for place, cents in recall.credits_corrected_cents.items()}
    return {
        "table": table,
        "book": created.settings.book,
        "layout": created.settings.layout,
        "book_sha256": created.book_sha256,
        **shown(msgspec.structs.asdict(round_.row)),
        "limits": msgspec.to_builtins(gathered.limits),
        "seats": [_seat(seat, round_, recall) for seat in recall.credits_before_cents],
        "spin": [
            msgspec.to_builtins(entry.event)
            for _, entry in bearing
            if isinstance(entry.event, e.SpinStarted | e.SpinFinished)
        ],
        "notices": [{"time": show_time(at_ms), "text": text} for at_ms, text in recall.notices],
        "acts": [_act(record, entry, corrected) for record, entry in bearing],
    }


def _seat(seat: str, round_: RoundBets, recall: RoundRecall) -> dict[str, Any]:
    """A seat's part in the round; its credits after it are those when it ended, whatever was done later."""
    before_cents = recall.credits_before_cents[seat]
    return {
        "seat": seat,
        "credits_before": show_cents(before_cents),
        "credits_after": show_cents(recall.credits_after_cents.get(seat, before_cents)),
        "corrected": [*_corrected(seat, recall)],
        "bets": [shown(msgspec.structs.asdict(bet)) for bet in round_.bets() if bet.seat == seat],
    }


def _corrected(seat: str, recall: RoundRecall) -> Iterator[dict[str, str]]:
    """When corrections of the round moved a seat's credits, and what these were behind each."""
    for place, cents in recall.credits_corrected_cents.items():
        cause, event = recall.entries[place].cause, recall.entries[place].event
        if isinstance(event, e.SeatCorrected) and (event.seat, event.round) == (seat, recall.number):
            yield {"time": show_time(cause.at_ms), "credits_after": show_cents(cents)}


def _act(record: Record, entry: Entry, corrected: Mapping[int, int]) -> dict[str, Any]:
    """An act; `corrected` has the credits behind corrections, by the identity of their entries."""
    cause, event = entry.cause, entry.event
    credits_cents = corrected.get(id(entry))
    return {
        "sequence": record.sequence,
        "time": show_time(cause.at_ms),
        "actor": cause.actor.id,
        "position": cause.actor.position,
        "second": None if cause.second is None else f"{cause.second.id} ({cause.second.position})",
        "event": kind_of(event),
        "what": tell(event),
        "clause": getattr(event, "clause", None),
        "postings": [
            {
                "source": posting.source,
                "destination": posting.destination,
                "amount": show_cents(posting.cents),
            }
            for posting in postings(event)
        ],
        "credits_after": None if credits_cents is None else show_cents(credits_cents),
    }

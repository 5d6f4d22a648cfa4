"""The dispute bundle of one round: everything that bears on it, readable, with its proof in the chain."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import takewhile
from typing import Any, Final

import msgspec

from croupier.floor.codec import kind_of
from croupier.floor.exports.bundle_text import describe_files, describe_round
from croupier.floor.exports.export import show_time, shown
from croupier.floor.exports.gathering import Gathered, gather
from croupier.floor.exports.projections import RoundBets, round_of
from croupier.floor.significant.telling import tell
from croupier.floor.verify.evidence import Evidence
from croupier.journal import Record
from croupier.rulebook import show_cents
from croupier.table import Entry, RoundRecall, postings
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


def make_bundle(evidence: Evidence, table: str, number: int) -> dict[str, bytes]:
    """The files of a bundle by name."""
    return bundle_of(evidence, gather(evidence, table, number))


def bundle_of(evidence: Evidence, gathered: Gathered) -> dict[str, bytes]:
    """The same, of a round about which everything is gathered."""
    table, number = gathered.table, gathered.number
    proved = sorted(
        (record for record, _ in (*gathered.between, *gathered.bearing, *gathered.after)),
        key=lambda record: record.sequence,
    )
    first, last = proved[0], proved[-1]
    records = evidence.records(table, first.sequence - 1)
    span = takewhile(lambda record: record.sequence <= last.sequence, records)
    facts = _round_facts(gathered)
    facts["between"] = [_act(record, entry, {}) for record, entry in gathered.between]
    facts["after"] = [_act(record, entry, {}) for record, entry in gathered.after]
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


def _round_facts(gathered: Gathered) -> dict[str, Any]:
    """The round as data: what it was, each seat's money and bets, and every act in order."""
    created, recall = gathered.created, gathered.recall
    round_ = round_of((entry for _, entry in gathered.bearing), gathered.number)
    corrected = {id(recall.entries[place]): cents for place, cents in recall.credits_corrected_cents.items()}
    return {
        "table": gathered.table,
        "book": created.settings.book,
        "layouts": [*created.settings.layouts],
        "book_sha256": created.book_sha256,
        **{k: v for k, v in shown(msgspec.structs.asdict(round_.row)).items() if k != "layouts"},
        "limits": msgspec.to_builtins(gathered.limits),
        "seats": [_seat(seat, round_, recall) for seat in recall.credits_before_cents],
        "spin": [
            msgspec.to_builtins(entry.event)
            for _, entry in gathered.bearing
            if isinstance(entry.event, e.SpinStarted | e.SpinFinished)
        ],
        "notices": [{"time": show_time(at_ms), "text": text} for at_ms, text in recall.notices],
        "acts": [_act(record, entry, corrected) for record, entry in gathered.bearing],
    }


def _seat(seat: str, round_: RoundBets, recall: RoundRecall) -> dict[str, Any]:
    """A seat's part in the round; its credits after it are those when it ended, whatever was done later."""
    before_cents = recall.credits_before_cents[seat]
    bets = [bet for bet in round_.bets() if bet.seat == seat]
    return {
        "seat": seat,
        "layout": bets[0].layout if bets else None,
        "credits_before": show_cents(before_cents),
        "credits_after": show_cents(recall.credits_after_cents.get(seat, before_cents)),
        "corrected": [*_corrected(seat, recall)],
        "bets": [shown(msgspec.structs.asdict(bet)) for bet in bets],
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

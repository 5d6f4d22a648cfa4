"""Payloads: what was written once can be read for ever, and is written the same way."""

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from croupier.floor import codec
from croupier.floor.codec import UnreadableRecord, drafts_of, entry_of, kind_of
from croupier.journal import EMPTY, Record, link
from croupier.table import Entry, Event
from croupier.table import events as e
from floor.sim_entries import EVENTS, entry

PAYLOADS = Path(__file__).with_name("payloads")
KINDS = sorted(kind_of_type.__struct_config__.tag for kind_of_type in get_args(Event))
BY_KIND = {kind_of(event): event for event in EVENTS}


def golden(kind: str, version: int) -> Path:
    """The file with the payload of a kind as a version wrote it."""
    return PAYLOADS / f"{kind}.{version}.json"


def payload(kind: str, version: int) -> bytes:
    """A golden payload; the file ends with a line feed, which is not part of it."""
    return golden(kind, version).read_bytes().removesuffix(b"\n")


def record(kind: str, version: int, content: bytes) -> Record:
    """A record of the journal with a payload."""
    (draft,) = drafts_of([entry(BY_KIND[kind])])
    (made,) = link("T1", EMPTY, [draft._replace(kind=kind, version=version, payload=content)])
    return made


def test_there_is_an_example_of_every_kind_of_event() -> None:
    assert sorted(BY_KIND) == KINDS
    assert len(EVENTS) == len(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_the_example_says_something(kind: str) -> None:
    """An optional field that is left out would not be in the golden payload."""
    left_out = [
        name for name in BY_KIND[kind].__struct_fields__ if getattr(BY_KIND[kind], name) in (None, (), "")
    ]
    assert left_out == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_version_that_was_ever_written_has_its_golden_payload(kind: str) -> None:
    current = codec.VERSIONS.get(kind, 1)
    missing = [version for version in range(1, current + 1) if not golden(kind, version).is_file()]
    assert missing == [], f"write tests/floor/payloads/{kind}.{current}.json"


def test_no_golden_payload_is_of_a_kind_or_version_that_was_never_written() -> None:
    for path in PAYLOADS.iterdir():
        kind, version, _ = path.name.split(".")
        assert kind in KINDS, path.name
        assert 1 <= int(version) <= codec.VERSIONS.get(kind, 1), path.name


@pytest.mark.parametrize("path", sorted(PAYLOADS.iterdir()), ids=lambda path: path.stem)
def test_every_golden_payload_is_read_as_what_it_was(path: Path) -> None:
    kind, version, _ = path.name.split(".")
    read = entry_of(record(kind, int(version), payload(kind, int(version))))
    assert read == entry(BY_KIND[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_an_event_is_written_as_its_golden_payload_to_the_last_byte(kind: str) -> None:
    (draft,) = drafts_of([entry(BY_KIND[kind])])
    assert draft.version == codec.VERSIONS.get(kind, 1)
    assert draft.payload == payload(kind, draft.version)


def test_the_records_of_one_command_are_its_parts_in_order() -> None:
    entries = [entry(event) for event in EVENTS]
    drafts = drafts_of(entries)
    assert [draft.part for draft in drafts] == list(range(len(entries)))
    assert [draft.kind for draft in drafts] == [kind_of(event) for event in EVENTS]
    assert {(draft.sender, draft.number, draft.actor, draft.at_ms) for draft in drafts} == {
        ("terminal-4", 77, "terminal-4", 1_700_000_000_123)
    }


def test_only_vouchers_are_claimed() -> None:
    claimed = {kind_of(event): draft.claims for event in EVENTS for draft in drafts_of([entry(event)])}
    assert {kind: claims for kind, claims in claimed.items() if claims} == {
        "credits-bought": ("voucher-redeemed/123456789012345678",),
        "credits-paid-out": ("voucher-issued/123456789012345678",),
    }


# The mechanism for later versions, on a kind whose first version is made up to have been another one.


@pytest.fixture
def third_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A world in which seats had numbers at first, then a seat, and now a seat and a kind."""

    def name_the_seat(event: dict[str, Any]) -> dict[str, Any]:
        event["seat"] = str(event.pop("terminal"))
        return event

    def add_the_kind(event: dict[str, Any]) -> dict[str, Any]:
        return {**event, "kind": "rapid-select"}

    monkeypatch.setattr(codec, "VERSIONS", {"seat-opened": 3})
    upcasters = {("seat-opened", 1): name_the_seat, ("seat-opened", 2): add_the_kind}
    monkeypatch.setattr(codec, "UPCASTERS", upcasters)


def older(**event: object) -> bytes:
    """A payload with the event as an older version had it."""
    whole = msgspec.json.decode(payload("seat-opened", 1))
    return msgspec.json.encode({**whole, "event": {"type": "seat-opened", **event}})


@pytest.mark.usefixtures("third_version")
@pytest.mark.parametrize(
    ("version", "content"),
    [(1, older(terminal=4)), (2, older(seat="4")), (3, older(seat="4", kind="rapid-select"))],
)
def test_an_older_version_is_brought_up_step_by_step(version: int, content: bytes) -> None:
    read = entry_of(record("seat-opened", version, content))
    assert read == entry(e.SeatOpened(seat="4", kind="rapid-select"))


@pytest.mark.usefixtures("third_version")
def test_a_new_record_is_written_in_the_present_version() -> None:
    (draft,) = drafts_of([entry(e.SeatOpened(seat="4", kind="rapid-select"))])
    assert draft.version == 3


@pytest.mark.usefixtures("third_version")
def test_an_older_payload_that_is_no_older_payload_is_unreadable() -> None:
    with pytest.raises(UnreadableRecord):
        entry_of(record("seat-opened", 1, older(seat="4", kind="rapid-select")))


def test_a_newer_version_is_refused_with_a_clear_sentence() -> None:
    newer = record("seat-opened", 2, payload("seat-opened", 1))
    with pytest.raises(UnreadableRecord, match="version 2 of seat-opened, and this software knows up to 1"):
        entry_of(newer)


@pytest.mark.parametrize("version", [0, -1])
def test_a_version_that_never_was_is_unreadable(version: int) -> None:
    with pytest.raises(UnreadableRecord):
        entry_of(record("seat-opened", version, payload("seat-opened", 1)))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no json",
        b"{}",
        b"[]",
        b"\xff\xfe",
        b'{"cause":{},"event":{}}',
        b'{"cause":null,"event":null}',
        b"[" * 100_000,
        payload("seat-opened", 1) + b"}",
        payload("seat-opened", 1).replace(b'"seat-opened"', b'"seat-invented"'),
        payload("seat-opened", 1).replace(b'"kind":"rapid-select"', b'"kind":7'),
    ],
    ids=range(11),
)
def test_what_is_no_payload_is_unreadable(content: bytes) -> None:
    with pytest.raises(UnreadableRecord):
        entry_of(record("seat-opened", 1, content))


def test_a_payload_under_the_name_of_another_kind_is_unreadable() -> None:
    with pytest.raises(UnreadableRecord, match="its payload is a seat-opened, not a seat-closed"):
        entry_of(record("seat-closed", 1, payload("seat-opened", 1)))


def test_reading_what_was_written_gives_the_same_for_every_example() -> None:
    entries: list[Entry] = [entry(event) for event in EVENTS]
    records = link("T1", EMPTY, drafts_of(entries))
    assert [entry_of(made) for made in records] == entries

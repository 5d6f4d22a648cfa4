"""A history as it was hashed: what each record tells, up to the first that does not fit or cannot be read."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from croupier.floor.codec import UnreadableRecord, drafts_of, drafts_of_batch, entry_of
from croupier.floor.reading import OffChain, Passage, told_behind
from croupier.journal import EMPTY, Draft, Head, Link, Stretch, linked, loose
from croupier.table import Event
from croupier.table import events as e
from floor.sim_entries import EVENTS, entry

PAYLOADS = Path(__file__).with_name("payloads")


def links_of(drafts: list[Draft], table: str = "T1") -> list[Link]:
    """Drafts as they are hashed, one behind the other."""
    run = linked(table, EMPTY, drafts)
    return [Link(record.sequence, form, record.hash) for record, form in zip(run, run.forms, strict=True)]


def stretches_of(links: list[Link], size: int = 3) -> Iterator[Stretch]:
    """Links in stretches of some size; where a number does not follow, another one begins."""
    some: list[Link] = []
    for link in links:
        if some and (len(some) == size or link.sequence != some[-1].sequence + 1):
            yield stretch_of(some)
            some = []
        some.append(link)
    yield stretch_of(some)


def stretch_of(links: list[Link]) -> Stretch:
    return Stretch(links[0].sequence, [link.form for link in links], [link.hash for link in links])


def told(links: list[Link], head: Head = EMPTY, size: int = 3) -> list[int]:
    """The numbers of the records that tell something, up to the first that fails."""
    numbers: list[int] = []
    tell(numbers, told_behind("T1", head, stretches_of(links, size)))
    return numbers


def tell(numbers: list[int], passages: Iterable[Passage]) -> None:
    """Notes the numbers of what is told, for as long as something is."""
    for first, entries, _ in passages:
        numbers += range(first, first + len(entries))


def test_every_kind_of_event_is_told_with_its_place_in_the_chain() -> None:
    entries = [entry(event) for event in EVENTS]
    run = linked("T1", EMPTY, drafts_of_batch([[one] for one in entries]))
    links = links_of(drafts_of_batch([[one] for one in entries]))
    for size in (1, 3, len(links)):
        found = [*told_behind("T1", EMPTY, stretches_of(links, size))]
        assert [entry for passage in found for entry in passage.entries] == entries
        assert [own for passage in found for own in passage.hashes] == [record.hash for record in run]
        assert [passage.first for passage in found] == [*range(1, len(links) + 1, size)]
    assert entries == [entry_of(record) for record in run]


@pytest.mark.parametrize("path", sorted(PAYLOADS.iterdir()), ids=lambda path: path.stem)
def test_every_version_that_was_ever_written_is_told_as_its_record_is_read(path: Path) -> None:
    kind, version = path.stem.rsplit(".", 1)
    (draft,) = drafts_of([entry(EVENTS[0])])
    older = draft._replace(kind=kind, version=int(version), payload=path.read_bytes().removesuffix(b"\n"))
    (record,) = linked("T1", EMPTY, [older])
    (found,) = told_behind("T1", EMPTY, stretches_of(links_of([older])))
    assert found.entries == [entry_of(record)]


def test_a_history_is_read_on_behind_any_of_its_records() -> None:
    links = links_of(drafts_of_batch([[entry(event)] for event in EVENTS[:4]]))
    assert told(links[2:], Head(2, links[1].hash)) == [3, 4]


@pytest.mark.parametrize(
    "spoilt",
    [
        pytest.param(lambda link: link._replace(form=link.form[:-1] + b" "), id="content"),
        pytest.param(lambda link: link._replace(form=b"\1" * 32 + link.form[32:]), id="previous"),
        pytest.param(lambda link: link._replace(hash=bytes(32)), id="hash"),
        pytest.param(lambda link: link._replace(sequence=4), id="number"),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_what_does_not_continue_the_chain_is_named_with_the_reason(spoilt, size: int) -> None:  # type: ignore[no-untyped-def]
    links = links_of(drafts_of_batch([[entry(event)] for event in EVENTS[:4]]))
    links[2] = spoilt(links[2])
    found: list[int] = []
    with pytest.raises(OffChain) as caught:
        tell(found, told_behind("T1", EMPTY, stretches_of(links, size)))
    assert caught.value.sequence == links[2].sequence
    assert str(caught.value) == loose(links[2], Head(2, links[1].hash))
    assert found == [1, 2]  # everything before it was told


@pytest.mark.parametrize("first", ["one", None, 7])
def test_a_stretch_that_stands_in_the_wrong_place_is_named(first: object) -> None:
    (whole,) = stretches_of(links_of(drafts_of_batch([[entry(event)] for event in EVENTS[:2]])))
    with pytest.raises(OffChain, match="and 1 has to follow") as caught:
        [*told_behind("T1", EMPTY, [whole._replace(first=first)])]  # type: ignore[arg-type]  # a damaged file
    assert caught.value.sequence == first


def test_what_is_before_something_unreadable_is_told() -> None:
    links = links_of(drafts_of_batch([[entry(event)] for event in EVENTS[:2]]))
    bad = hashed(links[1].hash + b"T1\n3\n", 3)
    found: list[int] = []
    with pytest.raises(UnreadableRecord):
        tell(found, told_behind("T1", EMPTY, [stretch_of([*links, *bad])]))
    assert found == [1, 2]


def test_nothing_is_told_of_nothing() -> None:
    assert [*told_behind("T1", EMPTY, [Stretch(1, [], [])])] == []


def hashed(form: bytes, sequence: int = 1) -> list[Link]:
    """One link whose hash is right, whatever it holds."""
    return [Link(sequence, form, hashlib.sha256(form).digest())]


FIELDS = b"T1\n1\n0\ndealer\nconsole\n1\n0\nround-opened\n1\n"


def payload_of(kind: type[Event]) -> bytes:
    """How an example of a kind of event is written."""
    (example,) = (event for event in EVENTS if isinstance(event, kind))
    (draft,) = drafts_of([entry(example)])
    return draft.payload


OPENED, CLOSED = payload_of(e.RoundOpened), payload_of(e.BetsClosed)


@pytest.mark.parametrize(
    ("fields", "payload"),
    [
        pytest.param(FIELDS.replace(b"T1", b"T2", 1), OPENED, id="another-table"),
        pytest.param(FIELDS.replace(b"\n1\n0\ndealer", b"\n2\n0\ndealer"), OPENED, id="another-place"),
        pytest.param(FIELDS.replace(b"\n1\n0\ndealer", b"\n01\n0\ndealer"), OPENED, id="no-number"),
        pytest.param(b"T1\n1\n", b"", id="no-form"),
        pytest.param(FIELDS.replace(b"opened\n1", b"opened\n01"), OPENED, id="no-version"),
        pytest.param(FIELDS.replace(b"opened\n1", b"opened\none"), OPENED, id="words-for-a-version"),
        pytest.param(FIELDS.replace(b"opened\n1", b"opened\n9"), OPENED, id="a-later-version"),
        pytest.param(FIELDS.replace(b"round-opened", b"round-\xff"), OPENED, id="no-text"),
        pytest.param(FIELDS.replace(b"round-opened", b"round-begun"), OPENED, id="an-unknown-kind"),
        pytest.param(FIELDS, CLOSED, id="another-kind-of-payload"),
        pytest.param(FIELDS, OPENED[:-1], id="half-a-payload"),
        pytest.param(FIELDS, OPENED.replace(b'"round":', b'"road":', 1), id="a-field-that-is-missing"),
        pytest.param(FIELDS, b'{"cause":"\xff"}', id="a-payload-that-is-no-text"),
        pytest.param(FIELDS, b"[" * 100_000, id="a-payload-without-an-end"),
    ],
)
def test_what_no_writer_could_have_meant_is_unreadable(fields: bytes, payload: bytes) -> None:
    with pytest.raises(UnreadableRecord):
        told(hashed(bytes(32) + fields + payload))


def test_what_is_left_as_it_is_can_be_read() -> None:
    """The record that the test above spoils in every way is a good one."""
    assert told(hashed(bytes(32) + FIELDS + OPENED)) == [1]

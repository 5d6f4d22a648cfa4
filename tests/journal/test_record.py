"""The record, its canonical form and the chain."""

import hashlib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from croupier.journal import EMPTY, GENESIS, Draft, Head, Record, canonical, hash_of, link, linked, misfit
from journal.drafts import TEXT, WHOLE, any_drafts, draft, drafts

ANOTHER = {str: TEXT, int: WHOLE, bytes: st.binary(max_size=200)}


def test_the_chain_begins_with_zeros() -> None:
    assert bytes(32) == GENESIS
    assert Head(0, GENESIS) == EMPTY
    (first,) = link("wheel-1", EMPTY, drafts(1))
    assert (first.sequence, first.previous) == (1, bytes(32))


def test_a_record_holds_its_draft_its_place_and_both_hashes() -> None:
    head = Head(41, b"h" * 32)
    (record,) = link("wheel-1", head, [Draft(5, "dealer", "console", 7, 1, "spun", 2, b"\x00\xff")])
    assert record._replace(hash=b"") == Record(
        "wheel-1", 42, 5, "dealer", "console", 7, 1, "spun", 2, b"\x00\xff", b"h" * 32, b""
    )
    content = b"h" * 32 + b"wheel-1\n42\n5\ndealer\nconsole\n7\n1\nspun\n2\n" + b"\x00\xff"
    assert canonical(record) == content
    assert record.hash == hash_of(record) == hashlib.sha256(content).digest()


def test_claims_are_no_part_of_a_record() -> None:
    without, with_claims = (list(link("t", EMPTY, [draft(claims=claims)])) for claims in ((), ("a", "b")))
    assert without == with_claims


def test_linking_takes_drafts_one_by_one() -> None:
    def endless() -> Iterator[Draft]:
        number = 0
        while True:
            number += 1
            yield draft(number)

    chain = link("wheel-1", EMPTY, endless())
    assert [next(chain).sequence for _ in range(3)] == [1, 2, 3]


@given(any_drafts())
def test_a_run_is_its_records(chosen: list[Draft]) -> None:
    head = Head(41, b"h" * 32)
    run, records = linked("wheel-1", head, chosen), list(link("wheel-1", head, chosen))
    assert [*run] == records
    assert [run[at] for at in range(-len(run), len(run))] == [*records, *records]
    assert (run[1:], run[::-2]) == (records[1:], records[::-2])
    assert [(form[:32], hashlib.sha256(form).digest()) for form in run.forms] == [
        (record.previous, record.hash) for record in records
    ]
    assert run.span == ("wheel-1", head, Head(records[-1].sequence, records[-1].hash))
    with pytest.raises(IndexError):
        run[len(run)]


@pytest.mark.parametrize("field", ["actor", "sender", "kind"])
@pytest.mark.parametrize("forbidden", ["\n", "\0"])
def test_no_field_holds_what_would_make_the_form_ambiguous(field: str, forbidden: str) -> None:
    spoilt: dict[str, Any] = {field: f"a{forbidden}b"}
    with pytest.raises(ValueError, match="line feed or a null character"):
        list(link("wheel-1", EMPTY, [draft(1, **spoilt)]))
    with pytest.raises(ValueError, match="line feed or a null character"):
        list(link(f"wheel{forbidden}", EMPTY, drafts(1)))


def test_a_payload_may_hold_anything() -> None:
    (record,) = link("wheel-1", EMPTY, [draft(payload=b"\n\0\n")])
    assert misfit(record, EMPTY) is None


@given(any_drafts(), WHOLE, st.binary(min_size=32, max_size=32))
def test_whatever_is_linked_fits(batch: list[Draft], sequence: int, previous: bytes) -> None:
    head = Head(sequence, previous)
    for record in link("wheel-1", head, batch):
        assert misfit(record, head) is None
        head = Head(record.sequence, record.hash)
    assert head.sequence == sequence + len(batch)


@given(any_drafts(), st.data())
def test_a_record_with_any_one_field_changed_does_not_fit(batch: list[Draft], data: st.DataObject) -> None:
    records = list(link("wheel-1", EMPTY, batch))
    place = data.draw(st.integers(0, len(records) - 1))
    field = data.draw(st.sampled_from(Record._fields))
    original = getattr(records[place], field)
    change: dict[str, Any] = {field: data.draw(ANOTHER[type(original)])}
    assume(change[field] != original)
    head = Head(place, records[place - 1].hash) if place else EMPTY
    assert misfit(records[place], head) is None
    assert misfit(records[place]._replace(**change), head) is not None


@given(any_drafts(min_size=2), st.data())
def test_a_record_anywhere_but_in_its_place_does_not_fit(batch: list[Draft], data: st.DataObject) -> None:
    records = list(link("wheel-1", EMPTY, batch))
    heads = [EMPTY, *(Head(record.sequence, record.hash) for record in records)]
    place, elsewhere = data.draw(st.permutations(range(len(records))))[:2]
    assert misfit(records[place], heads[elsewhere]) is not None


@given(any_drafts(), any_drafts())
def test_different_records_have_different_forms(one: list[Draft], other: list[Draft]) -> None:
    first, second = next(link("t", EMPTY, one)), next(link("t", EMPTY, other))
    assert (canonical(first) == canonical(second)) == (first == second)


def test_a_misfit_says_what_is_wrong() -> None:
    one, two, three = link("wheel-1", EMPTY, drafts(3))
    head = Head(1, one.hash)
    assert misfit(two, head) is None
    assert misfit(three, head) == "its number is 3, and 2 has to follow"
    assert misfit(two._replace(previous=b""), head) == "it does not hold the hash of the record before it"
    assert misfit(two._replace(kind="spun"), head) == "its hash is not the hash of its content"
    assert misfit(two._replace(hash=three.hash), head) == "its hash is not the hash of its content"


@pytest.mark.parametrize(
    "damage",
    [
        {"payload": "text"},
        {"payload": None},
        {"actor": "\udcff"},
        {"actor": "a\nb"},
        {"sender": "null\0"},
    ],
)
def test_what_only_damage_can_bring_about_does_not_fit(damage: dict[str, Any]) -> None:
    (record,) = link("wheel-1", EMPTY, drafts(1))
    assert misfit(record._replace(**damage), EMPTY) == "it holds what no record can hold"


def test_fields_cannot_be_pushed_into_each_other() -> None:
    """A line feed moved from between two fields into one would give the same bytes, and is not accepted."""
    (record,) = link("wheel-1", EMPTY, [draft(actor="a", sender="b", number=1, payload=b"2\n3")])
    shift: dict[str, Any] = {"actor": "a\nb", "sender": "1", "number": 0, "part": "bets-opened", "kind": "1"}
    shifted = record._replace(**shift, version=2, payload=b"3")
    assert misfit(record, EMPTY) is None
    assert misfit(shifted, EMPTY) == "it holds what no record can hold"

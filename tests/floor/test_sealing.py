"""The seal on what servers say to each other: only the same floor, only the same subject, only lately."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from croupier.floor import ManualClock
from croupier.floor.shared.sealing import FRESH_MS, OVERHEAD, BadSeal, Seal

NOW_MS = 1_800_000_000_000
keys = st.binary(min_size=1, max_size=64)
subjects = st.from_regex(r"[a-z0-9]{1,8}(\.[A-Za-z0-9_-]{1,8}){0,3}", fullmatch=True)
contents = st.binary(max_size=300)


@given(keys, subjects, contents, st.integers(-FRESH_MS, FRESH_MS))
def test_what_was_sealed_lately_for_a_subject_is_opened_there(
    key: bytes, subject: str, content: bytes, apart_ms: int
) -> None:
    sealed = Seal(key, ManualClock(NOW_MS)).close(subject, content)
    assert len(sealed) == len(content) + OVERHEAD
    assert Seal(key, ManualClock(NOW_MS + apart_ms)).open(subject, sealed) == content


@given(keys, subjects, contents, st.integers(FRESH_MS + 1, 400 * 86_400_000), st.sampled_from((1, -1)))
def test_what_is_older_or_newer_than_a_minute_is_not_believed(
    key: bytes, subject: str, content: bytes, apart_ms: int, sign: int
) -> None:
    sealed = Seal(key, ManualClock(NOW_MS)).close(subject, content)
    with pytest.raises(BadSeal, match="seconds away"):
        Seal(key, ManualClock(NOW_MS + sign * apart_ms)).open(subject, sealed)


@given(keys, subjects, contents, st.data())
def test_every_bit_that_is_flipped_is_found(
    key: bytes, subject: str, content: bytes, data: st.DataObject
) -> None:
    seal = Seal(key, ManualClock(NOW_MS))
    sealed = bytearray(seal.close(subject, content))
    bit = data.draw(st.integers(0, 8 * len(sealed) - 1))
    sealed[bit // 8] ^= 1 << bit % 8
    with pytest.raises(BadSeal):
        seal.open(subject, bytes(sealed))


@given(keys, subjects, contents, st.data())
def test_what_is_cut_short_or_longer_is_found(
    key: bytes, subject: str, content: bytes, data: st.DataObject
) -> None:
    seal = Seal(key, ManualClock(NOW_MS))
    sealed = seal.close(subject, content)
    kept = data.draw(st.integers(0, len(sealed) - 1))
    for changed in (sealed[:kept], sealed + b"\0", sealed + sealed):
        with pytest.raises(BadSeal):
            seal.open(subject, changed)


@given(keys, keys, subjects, contents)
def test_another_floors_key_opens_nothing(key: bytes, other: bytes, subject: str, content: bytes) -> None:
    assume(key != other)
    sealed = Seal(key, ManualClock(NOW_MS)).close(subject, content)
    with pytest.raises(BadSeal, match="not sealed by a server of this floor"):
        Seal(other, ManualClock(NOW_MS)).open(subject, sealed)


@given(keys, subjects, subjects, contents)
def test_a_message_is_good_for_its_subject_alone(
    key: bytes, subject: str, other: str, content: bytes
) -> None:
    assume(subject != other)
    seal = Seal(key, ManualClock(NOW_MS))
    with pytest.raises(BadSeal):
        seal.open(other, seal.close(subject, content))


@given(subjects, subjects, contents)
def test_no_part_of_a_subject_passes_for_content(subject: str, more: str, content: bytes) -> None:
    """The end of the subject and the beginning of the content cannot be exchanged."""
    seal = Seal(b"key", ManualClock(NOW_MS))
    sealed = seal.close(f"{subject} {more}", content)
    with pytest.raises(BadSeal):
        seal.open(subject, sealed[:OVERHEAD] + f" {more}".encode() + b"\n" + sealed[OVERHEAD:])


def test_what_travels_does_not_show_the_floors_key() -> None:
    key = bytes(range(32))
    assert key not in Seal(key, ManualClock(NOW_MS)).close("a", b"")


def test_who_wants_nothing_old_gets_nothing_old_and_what_is_a_little_ahead_is_believed() -> None:
    sealed = Seal(b"key", ManualClock(NOW_MS)).close("subject", b"content")
    for later_ms in (-FRESH_MS, -9_001, 0, 9_000):
        assert Seal(b"key", ManualClock(NOW_MS + later_ms)).open("subject", sealed, 9_000) == b"content"
    for later_ms in (-FRESH_MS - 1, 9_001, FRESH_MS):
        with pytest.raises(BadSeal, match="seconds away"):
            Seal(b"key", ManualClock(NOW_MS + later_ms)).open("subject", sealed, 9_000)

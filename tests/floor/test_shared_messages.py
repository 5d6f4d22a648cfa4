"""What happened at a table, told in as many messages as it takes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.floor import Published
from croupier.floor.shared.messages import Subjects, Told, decode_told, encode, told
from croupier.table import Actor, Entry
from croupier.table import events as e


def entry(size: int, number: int) -> Entry:
    """Something that happened, about so many bytes large."""
    actor = Actor(id="sue", position="pit-supervisor")
    cause = e.Cause(at_ms=1, actor=actor, sender="sue", number=number, fingerprint="")
    return Entry(cause, e.TableHalted(reason="x" * size, notice=""))


sizes = st.lists(st.integers(0, 400), min_size=1, max_size=30)


@given(sizes, st.integers(300, 3_000), st.integers(1, 10**9))
@settings(max_examples=60)
def test_all_is_told_once_in_order_and_no_message_is_too_large(
    sizes: list[int], most_bytes: int, first: int
) -> None:
    published = [Published(first + at, entry(size, at)) for at, size in enumerate(sizes)]
    messages = [*told("a", published, most_bytes)]
    parts = [decode_told(message) for message in messages]
    assert [part.more for part in parts] == [True] * (len(parts) - 1) + [False]
    heard: list[Published] = []
    read = 0
    for message, part in zip(messages, parts, strict=True):
        at = first + len(heard) + read
        if part.entries:
            assert len(message) <= most_bytes
            assert part.first == at
            heard += [Published(part.first + index, one) for index, one in enumerate(part.entries)]
        else:  # one that is too large for any message: whoever follows sees that it is missing
            assert part.first == at + 1
            missing = published[at - first]
            alone = Told(owner="a", first=at, entries=(missing.entry,), more=True)
            assert len(encode(alone)) > most_bytes
            read += 1
    assert len(heard) + read == len(published)
    assert heard == [item for item in published if item in heard]


def test_what_fits_is_told_in_one_message() -> None:
    published = [Published(7 + at, entry(10, at)) for at in range(50)]
    (message,) = told("a", published)
    assert decode_told(message) == Told(owner="a", first=7, entries=tuple(one for _, one in published))


def test_a_single_entry_that_is_too_large_leaves_a_gap_that_a_follower_sees() -> None:
    (message,) = told("a", [Published(7, entry(1_000, 0))], 500)
    part = decode_told(message)
    assert (part.first, part.entries, part.more) == (8, (), False)


@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_different_tables_and_askers_have_different_subjects(floor: str, one: str, other: str) -> None:
    subjects = Subjects(floor)
    made = {subjects.told(one), subjects.ask(one), subjects.answers(one, other), subjects.roll}
    assert len(made) == 4
    assert (subjects.told(one) == subjects.told(other)) == (one == other)
    assert all(part for subject in made for part in subject.split("."))
    assert not any(char in subject for subject in made for char in " *>\t\r\n")

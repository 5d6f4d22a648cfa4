"""Frames that go past the library are the library's frames, and whatever is unusual is left to it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from croupier.protocol.telling import Problem, write
from croupier.server.frames import cut_frame, frame_of

KNOWN = settings(max_examples=200, deadline=None, database=None, derandomize=True)
MOST = 70_000


EMPTY = len(write(Problem(code="bad-message", sentence="")))


@pytest.mark.parametrize("size", [EMPTY, 125, 126, 127, 200, 0xFFFE, 0xFFFF, 0x10000, 0x10001])
def test_a_message_goes_out_as_the_library_would_send_it(size: int) -> None:
    message = Problem(code="bad-message", sentence="x" * (size - EMPTY))
    assert len(write(message)) == size
    assert frame_of(message) == Frame(Opcode.TEXT, write(message)).serialize(mask=False)


def masked(text: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """A frame as a client sends it."""
    return Frame(opcode, text, fin).serialize(mask=True)


@KNOWN
@given(
    st.lists(st.binary(max_size=300) | st.sampled_from([b"x" * 126, b"y" * 65_536]), max_size=4), st.data()
)
def test_whole_texts_are_taken_as_they_were_sent(texts: list[bytes], data: st.DataObject) -> None:
    sent = b"".join(map(masked, texts))
    come = sent[: data.draw(st.integers(0, len(sent)))]
    at, taken = 0, []
    while (cut := cut_frame(come, at, MOST)) is not None:
        at, text = cut
        assert text is not None
        taken.append(text)
    assert taken == texts[: len(taken)]
    if come == sent:
        assert taken == texts
    else:  # what is left is the beginning of one frame
        assert len(taken) < len(texts)


@pytest.mark.parametrize(
    "frame",
    [
        masked(b"", Opcode.PING),
        masked(b"\x03\xe8", Opcode.CLOSE),
        masked(b"ab", Opcode.BINARY),
        masked(b"ab", fin=False),
        masked(b"ab", Opcode.CONT),
        bytes((0xC1, *masked(b"ab")[1:])),
    ],
    ids=["ping", "close", "binary", "first part", "later part", "extension"],
)
def test_anything_but_a_whole_text_is_left_to_the_library_frame_by_frame(frame: bytes) -> None:
    assert cut_frame(masked(b"first") + frame + masked(b"last"), len(masked(b"first")), MOST) == (
        len(masked(b"first") + frame),
        None,
    )
    assert cut_frame(frame[:-1], 0, MOST) is None


@pytest.mark.parametrize(
    "wrong",
    [Frame(Opcode.TEXT, b"no mask").serialize(mask=False), masked(b"x" * (MOST + 1))[:20]],
    ids=["no mask", "too long"],
)
def test_what_nobody_may_send_is_left_to_the_library_with_all_behind_it(wrong: bytes) -> None:
    assert cut_frame(wrong + b"more", 0, MOST) == (len(wrong) + 4, None)

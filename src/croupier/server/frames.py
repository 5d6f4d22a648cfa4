"""Messages as WebSocket frames, whole and without extensions: both ways, the usual ones go past the library.

A frame to many is made once, since a server's frames carry no mask. Of a client's frames only a whole text
message is taken here; what else there is, and whatever is wrong, is left to the library as it came.
"""

from typing import Final

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the faster of its two, by its choice

from croupier.protocol.telling import Message, write

_WHOLE_TEXT: Final = 0x81
_MASKED: Final = 0x80
_TWO_BYTES: Final = 126
_EIGHT_BYTES: Final = 127
_MOST_IN_TWO: Final = 0xFFFF
_MASK_BYTES: Final = 4


def frame_of(message: Message) -> bytes:
    """A message as it goes down a connection."""
    payload = write(message)
    size = len(payload)
    if size < _TWO_BYTES:
        return bytes((_WHOLE_TEXT, size)) + payload
    if size <= _MOST_IN_TWO:
        return bytes((_WHOLE_TEXT, _TWO_BYTES, size >> 8, size & 0xFF)) + payload
    return bytes((_WHOLE_TEXT, _EIGHT_BYTES)) + size.to_bytes(8, "big") + payload


Cut = tuple[int, bytes | None]
"""What stands at the beginning of some bytes: up to where a frame goes, and its text if it is one."""


def cut_frame(data: bytes, start: int, most_bytes: int) -> Cut | None:
    """The frame that begins at a place; None where it is not complete, or not one that anybody may send.

    A frame that is too long or not masked is given up to the end of the bytes, for the library to refuse.
    """
    have = len(data) - start
    if have < 2:
        return None
    first, second = data[start], data[start + 1]
    size, at = second & ~_MASKED, start + 2
    if size == _TWO_BYTES:
        size, at = int.from_bytes(data[at : at + 2], "big"), at + 2
    elif size == _EIGHT_BYTES:
        size, at = int.from_bytes(data[at : at + 8], "big"), at + 8
    if not second & _MASKED or (at <= len(data) and size > most_bytes):
        return len(data), None
    begin = at + _MASK_BYTES
    end = begin + size
    if end > len(data):
        return None
    if first != _WHOLE_TEXT:
        return end, None
    return end, apply_mask(data[begin:end], data[at:begin])

"""Messages as WebSocket frames; a frame to many is made once, since a server's frames carry no mask."""

from websockets.frames import Frame, Opcode

from croupier.protocol.telling import Message, write


def frame_of(message: Message) -> bytes:
    """A message as it goes down a connection."""
    return Frame(Opcode.TEXT, write(message)).serialize(mask=False)

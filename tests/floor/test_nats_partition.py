"""A bus over a network that breaks without a word: it notices in time, and comes back with the network."""

import asyncio
import logging

import pytest

from croupier.floor.shared import nats_bus, nats_wire
from floor.nats_rig import Ear, connected, until
from loops import on_both_loops
from relay import Relay

BEAT_SECONDS = 0.1


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line is given up in tenths of a second here."""
    monkeypatch.setattr(nats_wire, "BEAT_SECONDS", BEAT_SECONDS)
    monkeypatch.setattr(nats_bus, "ATTEMPT_SECONDS", 0.2)


@pytest.mark.usefixtures("soon")
@on_both_loops
async def test_a_line_on_which_nothing_arrives_there_is_given_up_however_much_comes_back(
    nats_server: str, caplog: pytest.LogCaptureFixture
) -> None:
    """What others say is heard all the time, and nobody hears this one."""
    with Relay(nats_server) as line:
        async with connected(line.address) as here, connected(nats_server) as there:
            mouth, ear = Ear(), Ear()
            await here.listen("chatter", ear)
            await there.listen("mute", mouth)
            line.hold(back=False)
            chatting = asyncio.create_task(_chat(there))
            await until(lambda: len(ear.heard) > 10)
            await until(lambda: not here.is_up)
            here.send("mute", b"in vain")
            line.forget()
            await until(lambda: here.is_up)
            here.send("mute", b"works")
            await mouth.until(b"works")
            assert mouth.data == [b"works"]
            heard = len(ear.heard)
            await until(lambda: len(ear.heard) > heard)
            chatting.cancel()
    assert next(record.message for record in caplog.records if record.levelno >= logging.WARNING) == (
        "The connection to NATS is lost: the server has answered nothing in 0.3 s"
    )


async def _chat(bus: nats_bus.NatsBus) -> None:
    while True:
        bus.send("chatter", b"")
        await asyncio.sleep(BEAT_SECONDS / 10)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("way", ["both", "back"])
@on_both_loops
async def test_a_line_that_swallows_everything_is_given_up_and_nothing_of_it_comes_later(
    nats_server: str, way: str
) -> None:
    with Relay(nats_server) as line:
        async with connected(line.address) as here, connected(nats_server) as there:
            ear = Ear()
            await here.listen("swallowed", ear)
            line.hold(there=way == "both")
            there.send("swallowed", b"never")
            await until(lambda: not here.is_up)
            line.forget()
            await until(lambda: here.is_up)
            there.send("swallowed", b"again")
            await ear.until(b"again")
            assert ear.data == [b"again"]


@on_both_loops
async def test_what_was_held_up_for_a_moment_comes_in_its_order(nats_server: str) -> None:
    with Relay(nats_server) as line:
        async with connected(line.address) as here, connected(nats_server) as there:
            ear, mouth = Ear(), Ear()
            await here.listen("moment", ear)
            await there.listen("moment", mouth)
            line.hold()
            for number in range(10):
                there.send("moment", b"%d" % number)
            await mouth.until(b"9")
            assert here.is_up
            assert ear.data == []
            line.release()
            await ear.until(b"9")
            assert ear.data == [b"%d" % number for number in range(10)]

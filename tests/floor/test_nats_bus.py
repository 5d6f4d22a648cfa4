"""A bus over NATS carries messages in order, says when it is down, and comes back by itself."""

import asyncio
import itertools
import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.shared import nats_bus, nats_wire
from croupier.floor.shared.bus import BusError, Heard, word
from croupier.floor.shared.nats_bus import NatsBus
from floor.nats_rig import Ear, connected, until
from floor.nats_server import NatsServer, free_port
from loops import PATIENCE_SECONDS, on_both_loops


@on_both_loops
async def test_messages_come_in_order_over_all_subjects(nats_server: str) -> None:
    async with connected(nats_server) as bus:
        ear = Ear()
        await bus.listen("order.even", ear)
        await bus.listen("order.odd", ear)
        sent = [b"%d" % number for number in range(5_000)]
        for number, data in enumerate(sent):
            bus.send("order.odd" if number % 2 else "order.even", data)
        await until(lambda: len(ear.heard) == len(sent))
        assert ear.data == sent
        assert {heard.subject for heard in ear.heard} == {"order.even", "order.odd"}


@on_both_loops
async def test_large_and_small_messages_stay_whole(nats_server: str) -> None:
    async with connected(nats_server) as here, connected(nats_server) as there:
        ear = Ear()
        await there.listen("sizes.*", ear)
        sizes = [0, 1, 1024 * 1024, 2, 65_536, 0, 300_000, 7]
        sent = [bytes(number % 251 for number in range(size)) for size in sizes]
        for number, data in enumerate(sent):
            here.send(f"sizes.{number}", b"\r\nMSG x 1 3\r\n" if number == 7 else data)
        await until(lambda: len(ear.heard) == len(sent))
        assert ear.data == [*sent[:7], b"\r\nMSG x 1 3\r\n"]
        assert [heard.subject for heard in ear.heard] == [f"sizes.{number}" for number in range(8)]


@on_both_loops
async def test_an_answer_goes_where_it_is_wanted(nats_server: str) -> None:
    async with connected(nats_server) as asking, connected(nats_server) as answering:
        ear = Ear()
        await asking.listen("answers.7.*", ear)
        await answering.listen("ask", lambda heard: answering.send(heard.reply_to, heard.data.upper()))
        asking.send("ask", b"question", "answers.7.1")
        await ear.until(b"QUESTION")
        assert ear.heard == [Heard("answers.7.1", b"QUESTION", "", False)]


@on_both_loops
async def test_the_bus_says_that_nobody_listens(nats_server: str) -> None:
    async with connected(nats_server) as bus:
        ear = Ear()
        await bus.listen("answers.8.*", ear)
        bus.send("asked-of-nobody", b"question", "answers.8.1")
        await until(lambda: bool(ear.heard))
        assert ear.heard == [Heard("answers.8.1", b"", "", True)]


@on_both_loops
async def test_whatever_is_sent_once_listening_has_begun_is_heard(nats_server: str) -> None:
    async with connected(nats_server) as here, connected(nats_server) as there:
        ear = Ear()
        for number in range(200):
            await there.listen(f"begin.{number}", ear)
            here.send(f"begin.{number}", b"%d" % number)
        await ear.until(b"199")
        assert ear.data == [b"%d" % number for number in range(200)]


@on_both_loops
async def test_nothing_is_heard_after_stopping(nats_server: str) -> None:
    async with connected(nats_server) as bus:
        stopped, other = Ear(), Ear()
        first = await bus.listen("stopping", stopped)
        await bus.listen("stopping", other)
        bus.send("stopping", b"before")
        await other.until(b"before")
        bus.send("stopping", b"under way")
        await first.stop()
        await first.stop()
        bus.send("stopping", b"after")
        await other.until(b"after")
        assert stopped.data == [b"before"]


@on_both_loops
async def test_who_has_stopped_counts_as_nobody(nats_server: str) -> None:
    async with connected(nats_server) as bus:
        ear = Ear()
        await bus.listen("answers.9.*", ear)
        asked = await bus.listen("asked", lambda heard: bus.send(heard.reply_to, b"answer"))
        bus.send("asked", b"", "answers.9.1")
        await asked.stop()
        bus.send("asked", b"", "answers.9.2")
        await until(lambda: any(heard.subject == "answers.9.2" for heard in ear.heard))
        assert ear.heard[-1].nobody


@on_both_loops
async def test_a_failure_in_hearing_is_logged_and_ends_nothing(
    nats_server: str, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[int] = []

    def hear(message: Heard) -> None:
        heard.append(12 // int(message.data))

    async with connected(nats_server) as bus:
        await bus.listen("failing", hear)
        for number in (1, 0, 2):
            bus.send("failing", b"%d" % number)
        await until(lambda: len(heard) == 2)
    assert heard == [12, 6]
    (logged,) = caplog.records
    assert logged.name == "croupier.floor"
    assert "failing" in logged.message
    assert logged.exc_info is not None
    assert logged.exc_info[0] is ZeroDivisionError


@on_both_loops
async def test_after_an_outage_it_comes_back_and_what_was_sent_in_it_does_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with NatsServer() as server:
        async with connected(server.address) as here, connected(server.address) as there:
            ear, late = Ear(), Ear()
            await there.listen("outage", ear)
            here.send("outage", b"before")
            await ear.until(b"before")
            server.stop()
            await until(lambda: not here.is_up and not there.is_up)
            here.send("outage", b"lost")
            await there.listen("outage", late)
            server.start()
            await until(lambda: here.is_up and there.is_up)
            here.send("outage", b"after")
            await late.until(b"after")
            here.send("outage", b"last")
            await late.until(b"last")
            assert ear.data == [b"before", b"after", b"last"]
            assert late.data == [b"after", b"last"]
    said = [record.message for record in caplog.records]
    assert sum("is lost" in line for line in said) == 2
    assert sum("is back" in line for line in said) == 2
    assert sum("not back yet" in line and "connection refused" in line for line in said) <= 2


@on_both_loops
async def test_a_server_that_dies_under_load_leaves_nothing_for_later() -> None:
    with NatsServer() as server:
        async with connected(server.address) as here, connected(server.address) as there:
            ear = Ear()
            await there.listen("load", ear)
            numbers = itertools.count()

            def send_some() -> bool:
                for _ in range(50):
                    here.send("load", b"%09d" % next(numbers) + bytes(10_000))
                return not here.is_up

            await until(lambda: send_some() or len(ear.heard) > 100)
            server.stop()
            await until(send_some)
            await until(lambda: not there.is_up)
            first_after = next(numbers)
            server.start()
            await until(lambda: here.is_up and there.is_up)
            before = len(ear.heard)
            here.send("load", b"%09d" % first_after)
            await until(lambda: len(ear.heard) > before)
            order = [int(data[:9]) for data in ear.data]
            assert order == sorted(set(order))
            assert order[before:] == [first_after]


@on_both_loops
async def test_a_server_that_hangs_is_given_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The network takes nothing more, so that a connection cannot be ended in the ordinary way."""
    monkeypatch.setattr(nats_wire, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(nats_wire, "UNSENT_BYTES", 2_000_000)
    monkeypatch.setattr(nats_bus, "ATTEMPT_SECONDS", 0.2)
    with NatsServer() as server:
        async with connected(server.address) as bus:
            server.pause()
            for _ in range(300):
                bus.send("hanging", bytes(100_000))
            await until(lambda: not bus.is_up)
            server.resume()
            await until(lambda: bus.is_up)
            ear = Ear()
            await bus.listen("hanging", ear)
            bus.send("hanging", b"works")
            await ear.until(b"works")
    said = [record.message for record in caplog.records]
    assert sum("too slowly" in line for line in said) == 1
    assert sum("answered nothing" in line for line in said) == 1


@on_both_loops
async def test_closing_leaves_nothing_and_sends_what_was_sent(nats_server: str) -> None:
    async with connected(nats_server) as there:
        ear = Ear()
        await there.listen("closing", ear)
        here = await NatsBus.connect(nats_server)
        await here.listen("closing", Ear())
        for _ in range(40):
            here.send("closing", bytes(500_000))
        here.send("closing", b"last words")
        await here.close()
        await here.close()
        assert not here.is_up
        here.send("closing", b"too late")
        with pytest.raises(BusError, match="closed"):
            await here.listen("closing", Ear())
        there.send("closing", b"end")
        await ear.until(b"end")
        assert ear.data == [bytes(500_000)] * 40 + [b"last words", b"end"]
    assert asyncio.all_tasks() == {asyncio.current_task()}


@on_both_loops
async def test_closing_during_an_outage_leaves_nothing() -> None:
    with NatsServer() as server:
        bus = await NatsBus.connect(server.address)
        server.stop()
        await until(lambda: not bus.is_up)
        await bus.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}


@on_both_loops
async def test_a_wrong_password_is_refused_at_once_and_not_repeated() -> None:
    with NatsServer("--user", "floor", "--pass", "r/ght:one") as server:
        async with connected(server.address_for("floor:r%2Fght%3Aone")) as bus:
            assert bus.is_up
        for user in ("floor:hidden-word", "hidden-word"):
            with pytest.raises(BusError) as refused:
                await NatsBus.connect(server.address_for(user), patience_seconds=PATIENCE_SECONDS)
            assert str(refused.value) == (
                f"The NATS server at 127.0.0.1:{server.port} refuses the connection:"
                " it says 'Authorization Violation' to the user and password, or the lack of them."
            )
        with pytest.raises(BusError, match="Authorization Violation"):
            await NatsBus.connect(server.address, patience_seconds=PATIENCE_SECONDS)


@on_both_loops
async def test_a_token_is_enough() -> None:
    with NatsServer("--auth", "secret token") as server:
        async with connected(server.address_for("secret%20token")) as bus:
            assert bus.is_up


@on_both_loops
async def test_where_nothing_answers_that_is_said() -> None:
    port = free_port()
    with pytest.raises(BusError) as refused:
        await NatsBus.connect(f"nats://floor:hidden@127.0.0.1:{port}", patience_seconds=1)
    assert str(refused.value) == (
        f"No NATS server answers at 127.0.0.1:{port} within 1 s (127.0.0.1:{port}: connection refused)."
    )


@on_both_loops
async def test_of_several_servers_one_that_answers_is_taken(nats_server: str) -> None:
    dead = f"nats://127.0.0.1:{free_port()}"
    async with connected(f"{dead}, {nats_server}") as bus:
        assert bus.is_up


@pytest.mark.parametrize(
    "address",
    [
        "",
        "127.0.0.1:4222",
        "http://hidden@host:4222",
        "nats://",
        "nats://:4222",
        "nats://u:hidden@host:port",
        "nats://u:hidden@host:99999",
        "nats://u:hidden@host:4222/table",
        "nats://u:hidden@ho st:4222",
        "nats://u:hidden@host?tls=yes",
        "nats://u:hidden@[::1:4222",
        "nats://u:hidden@host:4222,",
        "nats://u:hidden@one:4222,tls://u:hidden@two:4222",
        "nats://u:hidden@one:4222,nats://v:hidden@two:4222",
        "nats://u:hidden@" + "x" * 64 + ".example:4222",
    ],
)
def test_a_malformed_address_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(BusError, match=r"^This is no address of NATS: .*\.$") as refused:
        asyncio.run(NatsBus.connect(address))
    assert "hidden" not in str(refused.value)


@on_both_loops
async def test_a_message_that_is_too_large_is_refused_with_both_sizes(nats_server: str) -> None:
    async with connected(nats_server) as bus:
        with pytest.raises(ValueError, match=r"1048577 bytes .* 1048576"):
            bus.send("large", bytes(1024 * 1024 + 1))


@pytest.mark.parametrize("subject", ["", "a b", "a\r\nPUB b 0", "a..b", ".a", "a.", "a*b"])
def test_what_is_no_subject_is_neither_sent_to_nor_heard(nats_server: str, subject: str) -> None:
    async def trying() -> None:
        async with connected(nats_server) as bus:
            with pytest.raises(ValueError, match="no subject"):
                bus.send(subject or " ", b"")
            with pytest.raises(ValueError, match="no subject"):
                bus.send("fine", b"", subject or " ")
            with pytest.raises(ValueError, match="no subject"):
                await bus.listen(subject, Ear())

    asyncio.run(trying())


@on_both_loops
async def test_what_a_user_may_not_do_is_logged_and_ends_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = tmp_path / "nats.conf"
    settings.write_text(
        "authorization { users = [ { user: u, password: p, permissions: { publish: 'allowed' } } ] }"
    )
    with NatsServer("-c", str(settings)) as server:
        async with connected(server.address_for("u:p")) as bus:
            ear = Ear()
            await bus.listen("allowed", ear)
            bus.send("forbidden", b"")
            bus.send("allowed", b"still here")
            await ear.until(b"still here")
            await until(lambda: bool(caplog.records))
    (logged,) = caplog.records
    assert logged.levelno == logging.ERROR
    assert "Permissions Violation" in logged.message


@on_both_loops
async def test_giving_up_listening_before_it_has_begun_leaves_nothing_listening(nats_server: str) -> None:
    async with connected(nats_server) as bus:
        given_up, ear = Ear(), Ear()
        beginning = asyncio.create_task(bus.listen("given-up", given_up))
        await asyncio.sleep(0)
        beginning.cancel()
        with pytest.raises(asyncio.CancelledError):
            await beginning
        await bus.listen("given-up", ear)
        bus.send("given-up", b"message")
        await ear.until(b"message")
        assert given_up.heard == []


ODD = st.text(st.characters(codec=None, exclude_categories=()) | st.sampled_from("_-.*> 0aA\n"))


@given(ODD, ODD)
def test_different_texts_are_different_parts_of_a_subject(one: str, other: str) -> None:
    assert (word(one) == word(other)) == (one == other)
    assert (word(one) == word(word(one))) == (one == word(one))
    for text in (one, other):
        assert word(text)
        assert set(word(text)) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


@pytest.mark.parametrize(
    ("text", "part"),
    [("T-1", "T-1"), ("", "_"), ("_", "_5f"), ("a.b", "a_2eb"), ("ü", "_c3_bc"), ("5f", "5f")],
)
def test_a_text_is_escaped_byte_by_byte(text: str, part: str) -> None:
    assert word(text) == part

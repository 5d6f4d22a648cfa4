"""A floor of several server processes: nobody loses anything when one of them dies, hangs or stops."""

import asyncio
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from cli.running import run
from croupier.client.api import Api
from croupier.client.connection import Ended
from croupier.floor.house.log import HOUSE_STREAM
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal import Record, open_store
from croupier.protocol.asking import CashOut
from croupier.table import commands as c
from journal.server import end_other_connections
from journal.test_postgres_known import cut
from server.floor_rig import done
from server.several_rig import SeveralServers, console, enrol, terminal, until_runs

PATIENCE_SECONDS = 240


@pytest.fixture
def floor(tmp_path: Path, postgres_address: str, nats_server: str) -> SeveralServers:
    return SeveralServers(tmp_path, postgres_address, nats_server)


def bet(seat: str, spot: str, cents: int) -> c.PlaceBets:
    return c.PlaceBets(seat=seat, stakes=(c.Stake(spot, cents),))


def verified(journal: str) -> None:
    """Every stream of the journal fits."""
    evidence = open_evidence(journal)
    misfits = {report.table: report.first_misfit for report in verify_journal(evidence)}
    evidence.close()
    assert set(misfits) >= {"T1", "T2", HOUSE_STREAM}
    assert not any(misfits.values()), misfits


def test_two_servers_share_tables_and_one_takes_over_from_the_other(floor: SeveralServers) -> None:
    async def play() -> None:
        a = await floor.start("a", ["T1"])
        b = await floor.start("b", ["T2"])
        await until_runs("T1", a)
        assert not await b.runs("T1")
        assert await a.runs("T2") != await b.runs("T2")  # by whether b was there in time
        dealer, there = await console(b, "T1"), await enrol(b, "T1", "1")
        await done(await console(a, "T1", "sue"), c.OpenTable())
        await dealer.until(lambda seen: seen.table is not None and seen.table.open)
        await done(dealer, c.OpenRound())  # by a server that follows
        seat = await terminal(b, "T1", there)
        await done(seat, c.BuyCredits(seat="1", cents=50_000))
        placed = await done(seat, bet("1", "red", 1_000))
        assert seat.seat is not None
        assert (seat.seat.credits_cents, seat.seat.stakes) == (49_000, {"red": 1_000})
        watching = await console(a, "T1", "shi")
        await watching.until(lambda seen: seen.console is not None and _is_connected(seen, "1"))
        assert watching.console is not None
        assert watching.console.stakes is not None
        assert watching.console.stakes.spots == {"red": 1_000}
        # The owner is killed while a command is under way; it is answered by the other one.
        under_way = [asyncio.create_task(seat.send(bet("1", "black", 100))) for _ in range(20)]
        await asyncio.sleep(0)
        a.kill()
        answers = await asyncio.gather(*under_way)
        assert [answer.refused for answer in answers] == [None] * 20
        await until_runs("T1", b)
        assert seat.seat.stakes == {"red": 1_000, "black": 2_000}
        assert seat.seat.credits_cents == 47_000
        again = await seat.repeat(placed.number, bet("1", "red", 1_000))
        assert (again.repeated, again.seq) == (True, placed.seq)
        for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="1"), c.ConfirmResult(result="1")):
            await done(dealer, do)
        await seat.until(lambda seen: seen.seat is not None and not seen.seat.stakes)
        assert seat.seat.credits_cents == 49_000
        # A server that comes back follows, and its terminals see the same.
        c_ = await floor.start("c", ["T1"])
        assert not await c_.runs("T1")
        moved = await terminal(c_, "T1", there)
        assert moved.seat is not None
        assert moved.seat.credits_cents == 49_000
        with pytest.raises(Ended, match="another screen"):
            await seat.until(lambda seen: False)
        paid = await moved.send(CashOut(seat="1"))
        assert paid.refused is None
        assert paid.voucher is not None
        for connection in (dealer, watching, moved):
            await connection.close()
        assert await b.stop() == 0
        await until_runs("T1", c_)
        await until_runs("T2", c_)
        assert await c_.stop() == 0

    with floor:
        asyncio.run(asyncio.wait_for(play(), PATIENCE_SECONDS))
    verified(floor.journal)


def _is_connected(seen: object, seat: str) -> bool:
    return any(line.seat == seat and line.connected for line in seen.console.seats)  # type: ignore[attr-defined]  # a console


def test_a_device_that_was_enrolled_at_one_server_is_known_to_the_others_at_once(
    floor: SeveralServers,
) -> None:
    async def play() -> None:
        a, b = await floor.start("a"), await floor.start("b")
        for seat in ("1", "2", "3"):
            token = await enrol(a, "T1", seat)
            async with Api(b.base_url, token) as api:
                assert (await api.get("/api/session")) is not None
            token = await enrol(b, "T2", seat)
            connection = await terminal(a, "T2", token)
            assert connection.seat is not None
            await connection.close()
        for server in (a, b):
            server.kill()

    with floor:
        asyncio.run(asyncio.wait_for(play(), PATIENCE_SECONDS))


def test_a_server_that_hangs_finds_itself_fenced_and_follows(floor: SeveralServers) -> None:
    async def play() -> None:
        a = await floor.start("a")
        b = await floor.start("b")
        await done(await console(a, "T1", "sue"), c.OpenTable())
        token = await enrol(a, "T1", "1")
        a.hang()
        await until_runs("T1", b)  # its lease was taken from it
        seat = await terminal(b, "T1", token)
        await done(seat, c.BuyCredits(seat="1", cents=50_000))
        a.wake()
        async with asyncio.timeout(120):
            while await a.runs("T1"):
                await asyncio.sleep(0.05)
        dealer = await console(a, "T1")
        await done(dealer, c.OpenRound())
        await seat.until(lambda seen: seen.table is not None and seen.table.round is not None)
        await done(seat, bet("1", "red", 1_000))
        await seat.close()
        await dealer.close()
        for server in (a, b):
            server.kill()

    with floor:
        asyncio.run(asyncio.wait_for(play(), PATIENCE_SECONDS))
    verified(floor.journal)


def test_a_database_that_could_only_be_read_for_a_while_is_played_on_again(floor: SeveralServers) -> None:
    def set_read_only(value: str) -> None:
        options = "-c default_transaction_read_only=off"
        with psycopg.connect(floor.journal, autocommit=True, options=options) as on:
            on.execute(f"ALTER DATABASE {on.info.dbname} SET default_transaction_read_only = {value}")
            end_other_connections(on)

    async def play() -> None:
        a, b = await floor.start("a"), await floor.start("b")
        await done(await console(a, "T1", "sue"), c.OpenTable())
        set_read_only("on")
        for one in (a, b):
            while "cannot execute INSERT in a read-only transaction" not in one.said:
                await one.ready()
                await asyncio.sleep(0.1)
        with psycopg.connect(floor.journal, autocommit=True) as on:  # whoever is connected stays so
            on.execute("SET default_transaction_read_only = off")
            on.execute(f"ALTER DATABASE {on.info.dbname} RESET default_transaction_read_only")
        while not (await a.runs("T1") or await b.runs("T1")):
            await asyncio.sleep(0.1)
        owner = a if await a.runs("T1") else b
        dealer = await console(owner, "T1")
        await done(dealer, c.OpenRound())
        await dealer.close()
        for server in (a, b):
            assert "it is taken from it" not in server.said
            server.kill()

    with floor:
        asyncio.run(asyncio.wait_for(play(), PATIENCE_SECONDS))
    verified(floor.journal)


def test_a_server_without_the_floors_key_says_so(floor: SeveralServers, tmp_path: Path) -> None:
    with floor:
        (tmp_path / "voucher.key").unlink()
        with pytest.raises(AssertionError, match="all servers of a floor have the same one"):
            asyncio.run(floor.start("a"))


def test_a_bus_that_is_not_there_is_said_in_a_sentence(tmp_path: Path, postgres_address: str) -> None:
    with SeveralServers(tmp_path, postgres_address, "nats://sesame@127.0.0.1:1") as floor:
        ran = run("serve", str(floor.file("a")))
    assert ran.status == 2
    assert "No NATS server answers at 127.0.0.1:1" in ran.err
    assert "sesame" not in ran.err


def test_nothing_but_the_journal_is_needed_to_know_what_happened(floor: SeveralServers) -> None:
    async def play() -> None:
        a = await floor.start("a")
        sue = await console(a, "T1", "sue")
        await done(sue, c.OpenTable())
        await sue.close()
        assert await a.stop() == 0

    with floor:
        asyncio.run(asyncio.wait_for(play(), PATIENCE_SECONDS))
    store = open_store(floor.journal)
    kinds = [record.kind for record in store.read(HOUSE_STREAM)]
    store.close()
    assert kinds[0] == "server-started"
    assert kinds[-1] == "server-stopped"


def test_a_database_that_has_lost_records_stops_play_at_every_server(floor: SeveralServers) -> None:
    async def play() -> None:
        a = await floor.start("a", ["T1"])
        await until_runs("T1", a)
        dealer = await console(a, "T1", "sue")
        await done(dealer, c.OpenTable())
        seat = await terminal(a, "T1", await enrol(a, "T1", "1"))
        await done(seat, c.BuyCredits(seat="1", cents=50_000))
        for server in (a, b := await floor.start("b", ["T2"])):
            while (await server.ready())[1]["records"] != "The journal holds what was written.":
                await asyncio.sleep(0.05)
        with psycopg.connect(floor.journal, autocommit=True) as database:
            cut(floor.journal, "T1", _end_of(floor.journal, "T1") - 1)  # the credits are gone
            end_other_connections(database)
        lost = "The journal does not hold any more what was written: T1 has "
        for server in (a, b):
            while not (await server.ready())[1]["records"].startswith(lost):
                await asyncio.sleep(0.05)
        while not {"table-halted"} <= {record.kind for record in _records(floor.journal, "T1")}:
            await asyncio.sleep(0.05)

    with floor:
        asyncio.run(play())
    verified(floor.journal)


def _records(journal: str, table: str) -> list[Record]:
    with closing(open_store(journal)) as store:
        return [*store.read(table)]


def _end_of(journal: str, table: str) -> int:
    return _records(journal, table)[-1].sequence

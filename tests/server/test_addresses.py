"""One address has its share of a server's connections, and leaves the others to everybody else."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from croupier.protocol.asking import Second
from croupier.server import addresses
from croupier.server.addresses import AddressShares
from croupier.server.floor import Floor
from croupier.server.http import make_app
from croupier.server.input_limits import InputLimits
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import FloorRig, a_floor, done, refused
from server.test_http_lines import WHOLE, an_app, line, rest

LAST = WHOLE[:-2] + b"Connection: close\r\n\r\n"


async def until_let_in(rig: FloorRig) -> None:
    """Asks until the server has noticed that a connection before it is over."""
    async with asyncio.timeout(60):
        while not (await rest(await line(rig, LAST))).startswith(b"HTTP/1.1 200 "):
            await asyncio.sleep(0.05)


def of(address: str) -> asyncio.BaseTransport:
    return asyncio.BaseTransport({"peername": (address, 4_000)})


def taken(shares: AddressShares, *peers: str) -> list[bool]:
    return [shares.come(of(peer)) for peer in peers]


def test_each_address_has_its_share_and_gets_it_back() -> None:
    shares = AddressShares(2)
    assert taken(shares, "10.0.0.5", "10.0.0.5", "10.0.0.6", "10.0.0.5") == [True, True, True, False]
    shares.gone(of("10.0.0.5"))
    shares.gone(of("10.0.0.5"))
    assert taken(shares, "10.0.0.5", "10.0.0.5") == [True, False]


def test_an_address_is_one_in_either_form_and_a_network_of_ipv6_is_one() -> None:
    assert taken(AddressShares(1), "10.0.0.5", "::ffff:10.0.0.5") == [True, False]
    assert taken(AddressShares(1), "2001:db8:0:1::5", "2001:db8:0:1:9::6") == [True, False]
    assert taken(AddressShares(1), "2001:db8:0:1::5", "2001:db8:0:2::5") == [True, True]
    assert taken(AddressShares(1), "fe80::1%eth0", "fe80::1%eth1") == [True, False]


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1", "10.0.0.1"])
def test_the_machine_itself_and_proxies_are_not_counted(peer: str) -> None:
    assert all(taken(AddressShares(1, ["10.0.0.1", "::1"]), peer, peer, peer))


@played
async def test_many_clients_of_the_machine_itself_are_let_in(tmp_path: Path) -> None:
    limits = InputLimits(connections=6, of_address=1)
    async with a_floor(tmp_path, input_limits=limits, app=an_app) as rig:
        await rig.open_table()
        async with connect(rig.socket_url), connect(rig.socket_url), await rig.seat() as seat:
            await done(seat, c.BuyCredits(seat="1", cents=100))


async def from_another(rig: FloorRig) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    port = urlsplit(rig.socket_url).port
    return await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))


@played
async def test_whoever_has_its_share_is_answered_so_and_others_are_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "NOT_COUNTED", ())
    # Half of six, where nothing else is said.
    async with a_floor(tmp_path, input_limits=InputLimits(connections=6), app=an_app) as rig:
        await rig.open_table()
        silent = await line(rig)
        async with connect(rig.socket_url), await rig.seat() as seat:
            answer = await rest(await line(rig, WHOLE))
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert b"This address has as many connections as one address may have." in answer
            other = await from_another(rig)
            other[1].write(LAST)
            assert (await rest(other)).startswith(b"HTTP/1.1 200 ")
            silent[1].close()
            await until_let_in(rig)
            await done(seat, c.BuyCredits(seat="1", cents=100))
        # What is over is given back, WebSockets as well: three at once are let in again.
        for _ in range(2):
            await until_let_in(rig)
            async with connect(rig.socket_url), connect(rig.socket_url):
                await until_let_in(rig)


async def through_a_proxy(rig: FloorRig, client: str) -> ClientConnection:
    """A WebSocket of which the proxy says where its client is, whatever the client has said itself."""
    return await connect(rig.socket_url, additional_headers={"X-Forwarded-For": f"192.0.2.77, {client}"})


@pytest.mark.parametrize("host", ["127.0.0.1", "::"])
@played
async def test_a_client_behind_a_proxy_has_the_share_of_its_own_address(tmp_path: Path, host: str) -> None:
    """Or one of them could take the connections of all who come through the same proxy."""
    limits = InputLimits(connections=20, of_address=2)
    async with a_floor(tmp_path, input_limits=limits, proxies=["127.0.0.1"], host=host) as rig:
        await rig.open_table()
        held = [await through_a_proxy(rig, f"203.0.113.9{port}") for port in ("", ":4711")]
        with pytest.raises(InvalidStatus) as refused:
            await through_a_proxy(rig, "203.0.113.9:4712")  # each connection has a port of its own
        assert refused.value.response.status_code == 503
        assert refused.value.response.headers["Retry-After"] == "5"
        other = await through_a_proxy(rig, "203.0.113.10:4711")
        for socket in held:
            await socket.close()
        async with asyncio.timeout(60):
            while True:  # the server hears a moment later that they are gone
                try:
                    await (await through_a_proxy(rig, "203.0.113.9")).close()
                    break
                except InvalidStatus:
                    await asyncio.sleep(0.05)
        await other.close()


def test_what_a_proxy_says_otherwise_than_as_an_address_is_one_client_all_the_same() -> None:
    shares = AddressShares(1)
    assert [shares.come_from(named) for named in ("unknown", "unknown", "_hidden")] == [True, False, True]
    shares.gone_from("unknown")
    shares.gone_from("unknown")
    assert shares.come_from("unknown")


def test_addresses_stand_there_as_either_kind_of_socket_shows_them() -> None:
    assert addresses.in_either_form(["10.0.0.5", "2001:DB8:0::5"]) == [
        "10.0.0.5",
        "2001:db8::5",
        "::ffff:10.0.0.5",
    ]


@played
async def test_a_proxy_is_believed_at_a_socket_for_both_families_too(tmp_path: Path) -> None:
    """There its address has another form; unknown, all clients would have one address, and one lock-out."""

    def app(floor: Floor) -> Any:
        return make_app(floor, str(tmp_path / "journal.db"))

    async with a_floor(tmp_path, app=app, proxies=["127.0.0.1"], host="::") as rig:
        async with httpx.AsyncClient(base_url=rig.base_url, trust_env=False) as client:
            wrong = {"name": "dee", "password": "not the password"}
            await client.post("/api/sign-in", json=wrong, headers={"X-Forwarded-For": "203.0.113.9"})
        (failed,) = [record for record in rig.floor.store.read("office") if record.kind == "sign-in-failed"]
        assert "203.0.113.9" in failed.payload.decode()


@pytest.mark.parametrize("host", ["127.0.0.1", "::"])
@played
async def test_an_address_has_one_form_whichever_way_it_comes_in(tmp_path: Path, host: str) -> None:
    """Failures of one address are counted together, and this machine is this machine at any socket."""

    def app(floor: Floor) -> Any:
        return make_app(floor, str(tmp_path / "journal.db"))

    async with a_floor(tmp_path, app=app, host=host) as rig:
        await rig.open_table()
        async with httpx.AsyncClient(base_url=rig.base_url, trust_env=False) as client:
            await client.post("/api/sign-in", json={"name": "dee", "password": "not the password"})
            assert (await client.get("/metrics")).status_code == 200
        async with await rig.console() as console:
            second = Second(name="sue", password="not the password")
            assert await refused(console, c.CallNoSpin(reason="a test"), second=second) == "sign-in-failed"
        failures = [record for record in rig.floor.store.read("office") if record.kind == "sign-in-failed"]
        assert [json.loads(record.payload)["address"] for record in failures] == ["127.0.0.1", "127.0.0.1"]

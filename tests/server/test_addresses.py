"""One address has its share of a server's connections, and leaves the others to everybody else."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect

from croupier.server import addresses
from croupier.server.addresses import AddressShares
from croupier.server.input_limits import InputLimits
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import FloorRig, a_floor, done
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

"""How many connections each address has, so that one machine cannot take them from all others."""

import asyncio
import ipaddress
import re
from collections import Counter
from collections.abc import Collection
from typing import Final

NOT_COUNTED: Final[tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]] = (
    ipaddress.ip_network("127.0.0.0/8"),
    ipaddress.ip_network("::1/128"),
)
"""The machine itself: a proxy on it, and whoever tries a floor out with many clients."""

SHARE_TAKEN: Final = "This address has as many connections as one address may have.\n"

_OF_ONE_MACHINE: Final = 64
"""How much of an IPv6 address says in which network it is; a machine may take any number of those in it."""


_WITH_PORT: Final = re.compile(r"\[([^\]]+)\](?::[0-9]*)?|([^:]+):[0-9]*")
"""An address of IPv6 in brackets, or one of IPv4, and a port."""


class AddressShares:
    """The connections of a server by address.

    Those of its proxies are of many, and are not counted; what a proxy says of a WebSocket's client is.
    """

    def __init__(self, most: int, proxies: Collection[str] = ()) -> None:
        self.most = most
        """How many one address may have."""
        self._proxies = frozenset(map(_plain, proxies))
        self._counts: Counter[str] = Counter()

    def come(self, transport: asyncio.BaseTransport) -> bool:
        """Counts a connection; whether its address may have it."""
        return self.come_from(peer_of(transport))

    def gone(self, transport: asyncio.BaseTransport) -> None:
        """A connection that was counted is over."""
        self.gone_from(peer_of(transport))

    def come_from(self, address: str | None) -> bool:
        """Counts a client where a proxy says that it is; whether its address may have one more."""
        whose = self._whose(address)
        if whose is None:
            return True
        self._counts[whose] += 1
        return self._counts[whose] <= self.most

    def gone_from(self, address: str | None) -> None:
        """A client that was counted there is gone."""
        if (whose := self._whose(address)) is not None:
            self._counts[whose] -= 1
            if self._counts[whose] <= 0:
                del self._counts[whose]

    def _whose(self, named: str | None) -> str | None:
        """Whom a connection is counted for; None where it is not counted."""
        if named is None:
            return None
        try:
            address = _plain(named)
        except ValueError:
            return named  # a proxy's own way to say it; still one client's
        if any(address in network for network in NOT_COUNTED) or address in self._proxies:
            return None
        if address.version == 6:
            return str(ipaddress.ip_network((int(address), _OF_ONE_MACHINE), strict=False))
        return str(address)


def peer_of(transport: asyncio.BaseTransport) -> str | None:
    """The address that a connection comes from, in the form of its own family."""
    peer = transport.get_extra_info("peername")
    return str(_plain(str(peer[0]))) if isinstance(peer, tuple) and peer else None


def in_one_form(named: str) -> str:
    """An address as it stands in records and counts, however a socket or a proxy writes it.

    Some proxies name the port as well, which is another one for each connection of the same client.

    >>> [in_one_form(named) for named in ("::ffff:10.0.0.5", "10.0.0.5:4711", "[2001:DB8::5]:443", "unknown")]
    ['10.0.0.5', '10.0.0.5', '2001:db8::5', 'unknown']
    """
    with_port = _WITH_PORT.fullmatch(named)
    try:
        return str(_plain(named if with_port is None else with_port[1] or with_port[2]))
    except ValueError:
        return named


def in_either_form(addresses: Collection[str]) -> list[str]:
    """Addresses as a socket for IPv4 shows them, and as one for both IPv4 and IPv6 does."""
    plain = {_plain(address) for address in addresses}
    return sorted(map(str, plain)) + sorted(f"::ffff:{address}" for address in plain if address.version == 4)


def _plain(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An address as it is, without the form that IPv6 has for those of IPv4."""
    found = ipaddress.ip_address(address.partition("%")[0])
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found

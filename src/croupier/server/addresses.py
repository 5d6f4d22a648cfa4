"""How many connections each address has, so that one machine cannot take them from all others."""

import asyncio
import ipaddress
from collections import Counter
from collections.abc import Collection
from typing import Final

NOT_COUNTED: Final[tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]] = (
    ipaddress.ip_network("127.0.0.0/8"),
    ipaddress.ip_network("::1/128"),
)
"""The machine itself: a proxy on it, and whoever tries a floor out with many clients."""

_OF_ONE_MACHINE: Final = 64
"""How much of an IPv6 address says in which network it is; a machine may take any number of those in it."""


class AddressShares:
    """The connections of a server by address; those of its proxies are of many, and are not counted."""

    def __init__(self, most: int, proxies: Collection[str] = ()) -> None:
        self.most = most
        """How many one address may have."""
        self._proxies = frozenset(map(_plain, proxies))
        self._counts: Counter[str] = Counter()

    def come(self, transport: asyncio.BaseTransport) -> bool:
        """Counts a connection; whether its address may have it."""
        whose = self._whose(transport)
        if whose is None:
            return True
        self._counts[whose] += 1
        return self._counts[whose] <= self.most

    def gone(self, transport: asyncio.BaseTransport) -> None:
        """A connection that was counted is over."""
        if (whose := self._whose(transport)) is not None:
            self._counts[whose] -= 1
            if self._counts[whose] <= 0:
                del self._counts[whose]

    def _whose(self, transport: asyncio.BaseTransport) -> str | None:
        """Whom a connection is counted for; None where it is not counted."""
        peer = transport.get_extra_info("peername")
        if not isinstance(peer, tuple) or not peer:
            return None
        address = _plain(str(peer[0]))
        if any(address in network for network in NOT_COUNTED) or address in self._proxies:
            return None
        if address.version == 6:
            return str(ipaddress.ip_network((int(address), _OF_ONE_MACHINE), strict=False))
        return str(address)


def _plain(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An address as it is, without the form that IPv6 has for those of IPv4."""
    found = ipaddress.ip_address(address.partition("%")[0])
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found

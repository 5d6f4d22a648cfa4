"""The address of the bus between the servers of a floor: what it names, and what of it may be shown."""

import ipaddress
import re
from typing import Final, NamedTuple

from croupier.server.config_values import is_loopback

_CLEAR, _TLS = "nats", "tls"
_SECRET: Final = r"(?:[A-Za-z0-9._~!$&'()*+;=-]|%[0-9A-Fa-f]{2})+"
"""A user or a password as it is written in an address, where every other character has to be encoded."""
_PLACE: Final = re.compile(
    rf"(?P<scheme>{_CLEAR}|{_TLS})://"
    rf"(?:(?P<user>{_SECRET})(?::(?P<password>{_SECRET}))?@)?"
    r"(?:\[(?P<literal>[0-9a-fA-F:.]+)\]|(?P<host>[A-Za-z0-9_.-]+))(?::(?P<port>[0-9]{1,5}))?/?"
)


class NotABus(ValueError):
    """Something that is no address of a bus; it says what one looks like, and repeats nothing of it."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class BusPlace(NamedTuple):
    """One of the places where a bus is reached."""

    scheme: str
    user: str
    """As it is written in the address; empty where nobody asks who comes, and a token where it is alone."""
    password: str
    host: str
    port: str

    @property
    def shown(self) -> str:
        """The place without what it takes to get in."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{self.port and f':{self.port}'}"

    @property
    def address(self) -> str:
        """The place with what it takes to get in."""
        secrets = f"{self.user}{self.password and f':{self.password}'}@" if self.user else ""
        return self.shown.replace("://", f"://{secrets}", 1)


def bus_places(address: str) -> list[BusPlace]:
    """The places that an address names; raises `NotABus` where it is none.

    >>> [place.host for place in bus_places("tls://pit:sesame@a.example:4222, tls://pit:sesame@b.example")]
    ['a.example', 'b.example']
    """
    places = [_place(written.strip()) for written in address.split(",")]
    if len({place.scheme for place in places}) > 1:
        raise NotABus("bus-mixed", "the places of one bus are all reached by tls://, or all by nats://.")
    if len({(place.user, place.password) for place in places if place.user}) > 1:
        raise NotABus(
            "bus-mixed", "the places of one bus have one user and one password; write the same for all."
        )
    return places


def bus_shown(address: str) -> str:
    """An address as it may stand in a log: without user, password and token.

    >>> bus_shown("tls://pit:sesame@a.example:4222")
    'tls://a.example:4222'
    """
    try:
        return ", ".join(place.shown for place in bus_places(address))
    except NotABus:
        return "***"


def bus_hosts_in_the_clear(address: str) -> list[str]:
    """The other machines that an address reaches without TLS.

    >>> bus_hosts_in_the_clear("nats://127.0.0.1:4222,nats://bus.example:4222")
    ['bus.example']
    >>> bus_hosts_in_the_clear("tls://bus.example:4222")
    []
    """
    return [
        place.host for place in bus_places(address) if place.scheme == _CLEAR and not is_loopback(place.host)
    ]


def _place(written: str) -> BusPlace:
    if not written.startswith((f"{_CLEAR}://", f"{_TLS}://")):
        raise NotABus(
            "bus-scheme",
            "every place of the bus begins with nats:// on this machine, or with tls://; write for example "
            "nats://127.0.0.1:4222, and several with commas between them.",
        )
    found = _PLACE.fullmatch(written)
    if found is None or not _is_whole(found):
        raise NotABus(
            "bus-malformed",
            "that is not the address of a bus; write for example tls://user:password@bus.example:4222, with "
            "%40 for an @, %2F for a / and %2C for a comma in the password.",
        )
    host = found["literal"] or found["host"]
    return BusPlace(found["scheme"], found["user"] or "", found["password"] or "", host, found["port"] or "")


def _is_whole(found: re.Match[str]) -> bool:
    """Whether the numbers in an address are such ones as there are."""
    if found["port"] is not None and not 1 <= int(found["port"]) <= 65_535:
        return False
    if found["literal"] is None:
        return True
    try:
        return ipaddress.ip_address(found["literal"]).version == 6
    except ValueError:
        return False

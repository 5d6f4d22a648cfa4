"""What the watch has to say about a wheel."""

import msgspec

from croupier.lab.bias_counts import Unevenness
from croupier.lab.bias_course import Measure, Scatter


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """A pocket, or a symbol of the Money Wheel."""

    outcome: str
    places: int
    """On how many pockets or segments it stands."""
    count: int
    expected: float
    log10_e: float
    """The evidence that this one comes too often or too rarely, by itself."""


class Suspect(msgspec.Struct, frozen=True, kw_only=True):
    """The pocket or sector that there is most evidence against."""

    outcomes: tuple[str, ...]
    """Clockwise."""
    count: int
    expected: float
    log10_e: float


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the test over all spins."""

    part: str
    """`pocket`, `sector` or `whole`."""
    share: float
    log10_e: float
    suspect: Suspect | None


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """So many spins in a row, with a test of their own."""

    stretch: int
    spins: int
    share: float
    log10_e: float


class Dealer(msgspec.Struct, frozen=True, kw_only=True):
    """A dealer's own spins, with a test of their own."""

    dealer: str
    spins: int
    share: float
    log10_e: float
    suspect: Suspect | None


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A round after which something was so."""

    table: str
    round: int
    at_ms: int
    spins: int
    """How many spins were counted by then."""
    log10_e: float


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """Where the evidence stands, and whether it ever was enough."""

    level: float
    """How often, at most, a fair wheel raises the alarm in its whole life."""
    log10_needed: float
    log10_e: float
    highest: Moment | None
    raised: Moment | None
    """The first time that the evidence was enough; an alarm stays."""


class Drop(msgspec.Struct, frozen=True, kw_only=True):
    """The spins whose ball left the rim at one diamond."""

    diamond: int
    spins: int
    """Every such spin that came to rest."""
    scatter: Scatter | None
    """How the counted results of these spins lie around the wheel; None without neighbours."""
    centre: str | None
    """The pocket that they lie around."""


class Drops(msgspec.Struct, frozen=True, kw_only=True):
    """The drop zones, where diamonds are known."""

    diamonds: tuple[Drop, ...]
    unevenness: Unevenness


class WheelReport(msgspec.Struct, frozen=True, kw_only=True):
    """A wheel as its spins show it."""

    wheel: str
    book: str
    tables: tuple[str, ...]
    spins: int
    """How many results were counted."""
    voided: int
    disagreed: int
    without_dealer: int
    """How many of the counted spins no person is known for."""
    alarm: Alarm
    outcomes: tuple[Outcome, ...]
    unevenness: Unevenness
    parts: tuple[Part, ...]
    stretches: tuple[Stretch, ...]
    dealers: tuple[Dealer, ...]
    drops: Drops | None
    spin_ms: Measure | None
    rotor_start_tenths_rpm: Measure | None
    rotor_rest_tenths_rpm: Measure | None

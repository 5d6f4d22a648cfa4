"""What the lab answers a screen: exact figures, and distributions in as many points as a screen shows."""

from collections.abc import Mapping

import msgspec


class LabFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure, with the fraction behind it where there is one; roots have none."""

    name: str
    value: float
    exact: str | None = None
    """Always with its denominator: `1/37`."""


class LabPocket(msgspec.Struct, frozen=True, kw_only=True):
    """What one outcome of the wheel makes of a slip."""

    outcome: str
    pockets: int
    """On how many pockets or segments it stands."""
    net_cents: int
    wins: bool
    """Whether at least one bet wins."""


class LabResult(msgspec.Struct, frozen=True, kw_only=True):
    """A net result of one round, and how often it comes."""

    net_cents: int
    chance: float
    exact: str


class LabBins(msgspec.Struct, frozen=True, kw_only=True):
    """A distribution in bins; each holds all results from one amount to another."""

    from_cents: tuple[int, ...]
    to_cents: tuple[int, ...]
    chances: tuple[float, ...]


class LabQuantile(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest amount that is not exceeded with at least this chance."""

    chance: float
    cents: int


class LabShortfall(msgspec.Struct, frozen=True, kw_only=True):
    """The mean of the worst part of all results."""

    chance: float
    cents: float


class LabRounds(msgspec.Struct, frozen=True, kw_only=True):
    """The net result after a number of rounds."""

    rounds: int
    mean_cents: float
    mean_exact: str
    deviation_cents: float
    ahead: float
    behind: float
    quantiles: tuple[LabQuantile, ...]
    shortfalls: tuple[LabShortfall, ...]
    middle: LabBins
    """Without the outermost 0.05 % on either side, so that the rest can be seen."""
    whole: LabBins
    """With both tails, down to chances of 1e-40."""


class LabSlip(msgspec.Struct, frozen=True, kw_only=True):
    """What a slip is worth: in one round, and after many."""

    book: str
    layout: str
    stakes_cents: Mapping[str, int]
    """Ordinary bets; announced bets are spread over their pieces."""
    staked_cents: int
    odds: tuple[LabFigure, ...]
    """`hit_frequency`, `ahead`, `mean_cents`, `house_edge`, `returned`, `variance`, `deviation`, `skewness`
    and `skewness_squared`; all but the mean for a slip that costs one unit."""
    pockets: tuple[LabPocket, ...]
    """In the order in which the book lists the outcomes."""
    law: tuple[LabResult, ...]
    """What a round can bring, the worst first."""
    after: LabRounds


class LabCourse(msgspec.Struct, frozen=True, kw_only=True):
    """How many are still playing: the chance that more than so many rounds are played."""

    rounds: tuple[int, ...]
    chances: tuple[float, ...]


class LabExact(msgspec.Struct, frozen=True, kw_only=True):
    """How a session ends, computed exactly."""

    figures: Mapping[str, float]
    """`mean_cents`, `rounds`, `turnover_cents`, `behind`, `ahead` and every way to end."""
    deviations: Mapping[str, float]
    """The standard deviation of one session, for the figures of which it is known."""
    expected_loss_cents: float
    loss_by_turnover: float
    quantiles: tuple[LabQuantile, ...]
    ends: LabBins
    course: LabCourse


class LabEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A simulated figure."""

    name: str
    value: float
    standard_error: float | None
    """null for one session, which tells nothing about it."""
    z: float | None
    """How many standard errors it lies from the exact one; null where that cannot be told."""


class LabSimulated(msgspec.Struct, frozen=True, kw_only=True):
    """Sessions that were played, for comparison."""

    sessions: int
    seed: int
    rounds_played: int
    lowest_cents: int
    highest_cents: int
    figures: tuple[LabEstimate, ...]
    ends: LabBins


class LabUnable(msgspec.Struct, frozen=True, kw_only=True):
    """Why a part of an answer is missing."""

    code: str
    sentence: str


class LabSession(msgspec.Struct, frozen=True, kw_only=True):
    """How a session with a betting system ends."""

    book: str
    layout: str
    system: str
    unit_cents: Mapping[str, int]
    """What one unit is; the first of its slips where a system has several."""
    slips: int
    bankroll_cents: int
    exact: LabExact | None
    no_exact: LabUnable | None
    simulated: LabSimulated | None
    not_simulated: LabUnable | None


class LabParameter(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be set on a system, as text."""

    name: str
    meaning: str
    default: str | None
    """null where it follows from the bet, or is without end."""


class LabSystem(msgspec.Struct, frozen=True, kw_only=True):
    """A betting system."""

    name: str
    title: str
    summary: str
    own_bets: bool
    """Whether it chooses its bets itself; its chip is then the unit."""
    parameters: tuple[LabParameter, ...]

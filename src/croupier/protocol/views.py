"""What a screen shows, as one value for each kind of screen; every field here is meant to be seen there."""

from collections.abc import Mapping

import msgspec

from croupier.table import Limits, Meters, Rejection


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How an earlier round ended."""

    round: int
    result: str | None
    """None where the round is void."""


class SpinView(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the spin."""

    ball: str | None
    wheel: str | None
    finished: bool
    pocket: str | None
    """Where the ball or the clapper came to rest, as it was reported."""
    revolutions: int | None
    sensed: bool
    """Whether the wheel's sensor saw the launch."""
    sensor_failed: bool
    """Whether the wheel had a fault during the spin: people state the result."""
    on_record: bool
    """Whether the spin was on record before play stopped; if not, an outcome takes a statement."""


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """The round that runs."""

    number: int
    phase: str
    """`betting`, `closed`, `spinning` or `resulted`."""
    opened_ms: int | None
    closes_ms: int | None
    warned: bool
    spin: SpinView | None
    result: str | None
    """Registered, and not confirmed yet."""
    sensor: str | None
    """How the wheel's sensor stood to that result: `agreed`, `contradicted` or `failed`."""


class DisputeView(msgspec.Struct, frozen=True, kw_only=True):
    """A round whose registered result the wheel's sensor contradicts."""

    round: int
    registered: str | None
    """None if the round is void."""
    sensed: str | None
    """None if the sensor says that the spin does not count."""


class ShownNotice(msgspec.Struct, frozen=True, kw_only=True):
    """What players read of one step of the round, with its facts filled in."""

    step: str
    """Such as `open`, `closed`, `result`, `void`."""
    text: str
    """In the words of the book, which are shown as they are; a translation may stand beside them."""
    clause: str | None
    """The clause that the words rest on; null for words of ours, which may be shown translated alone."""


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as everybody at it sees it."""

    table: str
    book: str
    layouts: tuple[str, ...]
    """Those that its seats may have; the first is that of seats for which none is named."""
    open: bool
    halted: bool
    awaits_outcome: bool
    wheel_fault: bool
    rounds_left: int | None
    round_number: int
    round: RoundView | None
    notice: str
    """What players were told last, in the book's words."""
    clause: str | None
    """The clause behind what happened."""
    limits: Limits
    cash_limit_cents: int | None
    """What a terminal takes in cash at once: 0 for none, null for whatever is put in."""
    betting_seconds: int | None
    warning_seconds: int
    outcomes: tuple[Outcome, ...]
    """The last ones, newest first."""
    notices: tuple[ShownNotice, ...] = ()
    """What holds for players now: whether bets are open, or the result; then what they were told since."""


class AttendantCall(msgspec.Struct, frozen=True, kw_only=True):
    """An attendant is called and has not come yet."""

    reason: str
    """`help`, `buy-in`, `payout` or `terminal`."""
    since_ms: int


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as whoever sits there sees it."""

    seat: str
    kind: str
    layout: str
    """Whose bets it takes, and whose pay table settles them."""
    in_use: bool
    visit: int
    lost: bool
    lock: str | None
    call: AttendantCall | None
    """The seat's own call for an attendant."""
    credits_cents: int
    staked_cents: int
    stakes: Mapping[str, int]
    """Registered stakes by bet."""
    boxes_cents: Mapping[str, int] | None
    """What lies in each betting box over all players; None between rounds, and on games without boxes."""
    last_round: int | None
    last_win_cents: int
    """What came back in that round, the last that the seat had bets in and that is not void; what a
    correction gave and is paid by hand is not among it."""
    visit_in_cents: int
    """Money put in since the seat was last paid out."""
    visit_out_cents: int
    """What corrections gave and was paid by hand since then."""
    visit_turnover_cents: int


class SeatLine(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as the console lists it."""

    seat: str
    kind: str
    layout: str
    in_use: bool
    connected: bool
    lost: bool
    lock: str | None
    call: AttendantCall | None
    credits_cents: int
    staked_cents: int
    bets: int
    last_win_cents: int
    stakes: Mapping[str, int]
    """By bet, where the dealer enters them for players without a terminal; nothing for a terminal."""


class BoxPart(msgspec.Struct, frozen=True, kw_only=True):
    """What one act put on a box."""

    seat: str
    bet: str
    cents: int


class SmallBet(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's bet that is under the minimum of its box."""

    seat: str
    cents: int
    advised: bool
    """Whether the player was advised of the minimum and has left the bet under it."""


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """A box over its maximum or with bets under its minimum, or the table over its own maximum."""

    bet: str
    """The box, or `table` for the table as a whole, as `reject-excess` names it."""
    total_cents: int
    minimum_cents: int
    maximum_cents: int
    excess_cents: int
    latest: tuple[BoxPart, ...]
    """The latest bet first: so much of it would be rejected."""
    small: tuple[SmallBet, ...]
    """Bets under the minimum, whatever the box holds in all."""


class StakesView(msgspec.Struct, frozen=True, kw_only=True):
    """Live stakes as the console and the pit see them."""

    total_cents: int
    spots: Mapping[str, int]
    house_cents: Mapping[str, int]
    """What the house would win on each result; negative where it would lose."""
    exposure_cents: int | None
    """The most it takes on for one result, on top of the stakes."""
    boxes: tuple[Box, ...]


class ActionView(msgspec.Struct, frozen=True, kw_only=True):
    """Whether something can be done now, and why not."""

    action: str
    """A command's tag; irregularities as `declare-irregularity/CAUSE`, or `void-settled-rounds`."""
    refusal: Rejection | None


class ConsoleView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the dealer sees it."""

    halted_reason: str | None
    wheel_fault: str | None
    """What is wrong with the wheel, as its driver says it."""
    disputes: tuple[DisputeView, ...]
    """Rounds that the sensor contradicts, until they are corrected or upheld."""
    stakes: StakesView | None
    seats: tuple[SeatLine, ...]
    people: tuple[str, ...]
    """Who is at a console of this table."""
    actions: tuple[ActionView, ...]
    """For the person who is signed in."""


class SeatCall(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that waits for an attendant, as the pit lists it."""

    seat: str
    reason: str
    since_ms: int


class PitLine(msgspec.Struct, frozen=True, kw_only=True):
    """A table at a glance."""

    view: TableView
    halted_reason: str | None
    wheel_fault: str | None
    disputes: tuple[DisputeView, ...]
    total_cents: int
    worst_cents: int
    """The house's result on the worst outcome of the running round."""
    seats_in_use: int
    seats_connected: int
    locked: tuple[str, ...]
    lost: tuple[str, ...]
    calls: tuple[SeatCall, ...]
    """Seats that wait for an attendant, the longest waiting first."""
    boxes: tuple[Box, ...]
    """Betting boxes that hold more than their maximum, and the table where it does."""
    suspect: str | None
    """The wheel, where its results are not like chance."""
    meters: Meters

"""Everything a table is at one moment. Only `evolve` changes it, and only by events."""

import msgspec

from croupier.table.actors import WHEEL
from croupier.table.events import Line
from croupier.table.ledger import credits_of, stakes_of
from croupier.table.rejections import Rejection
from croupier.table.settings import Limits, Settings

BETTING, CLOSED, SPINNING, RESULTED = "betting", "closed", "spinning", "resulted"
SETTLED, VOIDED = "settled", "voided"
RUNNING = (BETTING, CLOSED, SPINNING, RESULTED)


class Meters(msgspec.Struct, kw_only=True):
    """Running totals in cents and counts; `credits = in + wins + returned - out - turnover` always holds."""

    cash_in_cents: int = 0
    vouchers_in_cents: int = 0
    shortfall_in_cents: int = 0
    """What the house put in where a correction found credits already spent."""
    written_off_cents: int = 0
    """What the house gave up of that: it stays with whoever had it."""
    vouchers_out_cents: int = 0
    attendant_pays_cents: int = 0
    unclaimed_out_cents: int = 0
    """What a correction owes to a player who has left."""
    turnover_cents: int = 0
    """Stakes of rounds; what is taken off again while bets are open was never part of it."""
    wins_cents: int = 0
    """What settlements gave back, the stakes of winning bets included."""
    returned_cents: int = 0
    """Stakes that went back without a settlement: voids, decisions, apportionment."""
    games_played: int = 0
    """Rounds that a seat had settled; of the table, those of all its seats."""
    games_won: int = 0
    voids: int = 0
    corrections: int = 0

    @property
    def credits_cents(self) -> int:
        """The credits that follow from the meters."""
        covered_cents = self.shortfall_in_cents + self.written_off_cents
        in_cents = self.cash_in_cents + self.vouchers_in_cents + covered_cents
        out_cents = self.vouchers_out_cents + self.attendant_pays_cents + self.unclaimed_out_cents
        return in_cents + self.wins_cents + self.returned_cents - out_cents - self.turnover_cents


class Call(msgspec.Struct, kw_only=True, gc=False):
    """An attendant is called and has not come yet."""

    reason: str
    since_ms: int


class Seat(msgspec.Struct, kw_only=True):
    """A terminal, or a player's place at the layout."""

    id: str
    kind: str
    layout: str
    """Whose bets it takes, and whose pay table settles them."""
    in_use: bool = True
    visit: int = 1
    """Grows when the credits are paid out: whoever plays then may be somebody else."""
    fresh_from: int = 0
    """The first round of the money that is on it now. Where everything was lost and new credits are bought,
    nobody knows whether by the same player: what earlier rounds owe is nothing to them."""
    lock: str | None = None
    locked_for: tuple[int, ...] = ()
    """The rounds whose large wins have locked it and still stand."""
    lost: bool = False
    call: Call | None = None
    """Outlives the visit: who has just cashed out may be the one who needs somebody."""
    stakes: dict[str, int] = msgspec.field(default_factory=dict)
    """Stakes in play by bet."""
    staked_cents: int = 0
    meters: Meters = msgspec.field(default_factory=Meters)
    before_visit: Meters = msgspec.field(default_factory=Meters)
    """The meters when the visit began: what they have grown by is the player's own session."""


class Spin(msgspec.Struct, kw_only=True):
    """What is known of a spin."""

    ball: str | None
    wheel: str | None
    wheel_turning: bool | None
    started_by: str
    finished_by: str | None = None
    revolutions: int | None = None
    pocket: str | None = None
    late: bool = False
    """Whether the sensor told of its end only when a result was registered already."""
    faulted: bool = False
    """Whether the wheel had a fault during it: then people state the result."""
    in_halt: bool = False
    """Whether it began while play was stopped: at a halted table, or while an outcome was awaited.

    Then it is not on record from before the interruption.
    """

    @property
    def sensed(self) -> str | None:
        """The pocket or segment that the wheel itself reported."""
        return self.pocket if self.finished_by == WHEEL else None


class Placement(msgspec.Struct):
    """What one act put on a box; the latest is rejected first."""

    bet: str
    seat: str
    cents: int


class SeatRound(msgspec.Struct, kw_only=True, gc=False):
    """One seat's part in a settled round."""

    visit: int
    layout: str
    """The seat's layout in that round: it may have another one since."""
    fresh_from: int = 0
    """The first round of the money that was on the seat then."""
    lines: tuple[Line, ...]
    returned_cents: int
    carried_cents: int = 0
    """What the credits could not take: a shortfall where negative, unclaimed money where positive."""
    written_off_cents: int = 0
    """What the house has given up of shortfalls, and the player keeps."""
    written_off_at_cents: int = 0
    """What the round gave back when it was given up."""
    by_hand_cents: int = 0
    """What was paid by hand of it, less what was collected in cash."""
    clause: str | None = None
    """By which it was corrected last, where that left something carried."""

    def given_up_cents(self, returned_cents: int) -> int:
        """What the player keeps beside what the round gives back; where it gives more, that counts first."""
        more_cents = returned_cents - self.written_off_at_cents
        return min(self.written_off_cents, max(self.written_off_cents - more_cents, 0))

    @property
    def credited_cents(self) -> int:
        """What came back and is among the credits, or was: neither unclaimed nor paid by hand."""
        elsewhere_cents = self.carried_cents + self.by_hand_cents - self.given_up_cents(self.returned_cents)
        return self.returned_cents - max(0, elsewhere_cents)


class Round(msgspec.Struct, kw_only=True):
    """A round of play, running or kept."""

    number: int
    phase: str
    limits: Limits
    closes_ms: int | None = None
    warned: bool = False
    spin: Spin | None = None
    result: str | None = None
    sensor: str | None = None
    """How the wheel's sensor stood to the result when it was registered."""
    cause: str | None = None
    """Why it is void."""
    commitment: str | None = None
    opening: str | None = None
    """What the commitment stood for; known once the round is over."""
    spots: dict[str, int] = msgspec.field(default_factory=dict)
    """What lies on each bet over all seats."""
    pays: dict[str, int] = msgspec.field(default_factory=dict)
    """What the house would pay on each result, on top of the stakes; counted only where that is limited."""
    total_cents: int = 0
    playing: dict[str, None] = msgspec.field(default_factory=dict)
    """The seats with stakes in play, in the order in which they joined."""
    placements: list[Placement] = msgspec.field(default_factory=list)
    """In time, the latest last; only on games that mark boxes."""
    advised: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """By seat, the bets whose player was advised of the minimum and that are still under it."""
    seats: dict[str, SeatRound] = msgspec.field(default_factory=dict)
    """How each seat's bets were settled."""

    @property
    def spin_sensed(self) -> str | None:
        """The pocket or segment that the wheel itself reported for this round."""
        return None if self.spin is None else self.spin.sensed

    @property
    def owes(self) -> bool:
        """Whether corrections have left money open with any seat."""
        return any(part.carried_cents for part in self.seats.values())


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """A round whose registered result the wheel's sensor contradicts; it stands until people decide."""

    registered: str | None
    """None if the round is void."""
    sensed: str | None
    """None if the sensor says that the spin does not count."""


class Answer(msgspec.Struct, gc=False):
    """What a sender was told for one of its numbers."""

    fingerprint: str
    first: int
    last: int
    """The events that the command led to, by their place in the table's history."""
    rejection: Rejection | None = None


class State(msgspec.Struct, kw_only=True):
    """A table."""

    settings: Settings
    limits: Limits
    sequence: int = 0
    """How many events have happened."""
    at_ms: int = 0
    """When the last of them was, by the clock of that moment: it may have been set back since."""
    open: bool = False
    halted: str | None = None
    halted_ms: int | None = None
    """Since when it is."""
    rounds_left: int | None = None
    """How many more rounds may be opened once the last one is announced."""
    round_number: int = 0
    round: Round | None = None
    """The round that runs."""
    awaits_outcome: bool = False
    wheel_fault: str | None = None
    """What the wheel says is wrong with it."""
    disputes: dict[int, Dispute] = msgspec.field(default_factory=dict)
    """By round, what the sensor contradicts and nobody has decided yet."""
    kept: dict[int, Round] = msgspec.field(default_factory=dict)
    """The latest rounds, which can be corrected at once."""
    owing: dict[int, Round] = msgspec.field(default_factory=dict)
    """Earlier ones, for as long as their corrections have left money open; beside them those that were read
    from the journal again, until the next round is over."""
    recalled_at: int = 0
    """The last event by which an earlier round was read from the journal again."""
    seats: dict[str, Seat] = msgspec.field(default_factory=dict)
    balances: dict[str, int] = msgspec.field(default_factory=dict)
    meters: Meters = msgspec.field(default_factory=Meters)
    answers: dict[str, dict[int, Answer]] = msgspec.field(default_factory=dict)

    def credits_cents(self, seat: str) -> int:
        """The credits of a seat."""
        return self.balances.get(credits_of(seat), 0)

    def over(self, number: int) -> Round | None:
        """A round that is over and still in memory, where it can be corrected."""
        return self.kept.get(number) or self.owing.get(number)


def new_state(settings: Settings) -> State:
    """A table that nothing has happened at yet."""
    return State(settings=settings, limits=settings.limits)


def check(state: State) -> list[str]:
    """Every invariant of money that does not hold, as a sentence; empty where all is right."""
    faults = []
    if (total := sum(state.balances.values())) != 0:
        faults.append(f"All accounts together hold {total} cents; they must hold nothing.")
    for seat in state.seats.values():
        credits_cents, stakes_cents = state.credits_cents(seat.id), state.balances.get(stakes_of(seat.id), 0)
        if credits_cents < 0:
            faults.append(f"Seat {seat.id} has {credits_cents} cents of credits.")
        if stakes_cents != sum(seat.stakes.values()) or stakes_cents != seat.staked_cents:
            faults.append(f"Seat {seat.id} has {stakes_cents} cents in play and other bets.")
        if any(cents <= 0 for cents in seat.stakes.values()):
            faults.append(f"Seat {seat.id} has a bet with nothing on it.")
        if seat.meters.credits_cents != credits_cents:
            faults.append(
                f"The meters of seat {seat.id} give {seat.meters.credits_cents}, not {credits_cents}."
            )
    return faults

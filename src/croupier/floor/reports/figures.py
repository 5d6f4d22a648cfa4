"""The figures of a report: money, rounds and refusals, counted from events as the table's meters are."""

from fractions import Fraction
from typing import Final

import msgspec

from croupier.table import Entry, postings
from croupier.table import events as e
from croupier.table.ledger import HOUSE, SHORTFALL, UNCLAIMED

_SECOND_MS: Final = 1000
_HOUR_MS: Final = 3_600_000


class VoidsOf(msgspec.Struct, kw_only=True):
    """How often one cause voided a round, by what the wheel did at that time."""

    not_spun: int = 0
    """Bets were open or closed, and no spin had begun."""
    rolling: int = 0
    at_rest: int = 0
    settled: int = 0
    """The round had its settlement already, so that the wheel says nothing of it."""
    against_sensor: int = 0
    """How many of these the sensor contradicted."""

    def add(self, other: "VoidsOf") -> None:
        """Adds those of another part."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def count(self, event: e.RoundVoided | e.ResultCorrected) -> None:
        """Counts one void."""
        if isinstance(event, e.ResultCorrected):
            self.settled += 1
            return
        self.against_sensor += event.against_sensor
        match event.wheel:
            case "rolling":
                self.rolling += 1
            case "at-rest":
                self.at_rest += 1
            case _:
                self.not_spun += 1


class Figures(msgspec.Struct, kw_only=True):
    """What happened, in cents and counts; adding the figures of all parts gives those of the whole."""

    rounds: int = 0
    """Rounds that began."""
    cash_in_cents: int = 0
    vouchers_in_cents: int = 0
    vouchers_out_cents: int = 0
    attendant_pays_cents: int = 0
    shortfall_in_cents: int = 0
    written_off_cents: int = 0
    """What the house gave up of shortfalls; less where a later correction gives it back anyhow."""
    unclaimed_out_cents: int = 0
    turnover_cents: int = 0
    """Stakes of rounds; what was taken off again while bets were open is not among them."""
    returned_cents: int = 0
    """Stakes that went back without a settlement."""
    settled_cents: int = 0
    """Stakes that took part in settlements, whatever a correction or a void made of these later."""
    wins_cents: int = 0
    """What settlements gave back, the stakes of winning bets included."""
    win_cents: int = 0
    """What the house won: settled stakes less what settlements gave back and what it wrote off."""
    games_played: int = 0
    """Settlements of seats."""
    games_voided: int = 0
    """Settlements of seats, of whichever time, that a void took back; meters have them as not played."""
    games_won: int = 0
    voids: int = 0
    corrections: int = 0
    open_ms: int = 0
    """How long the table was open, interruptions left out."""
    refusals: dict[str, int] = msgspec.field(default_factory=dict)
    voids_by_cause: dict[str, VoidsOf] = msgspec.field(default_factory=dict)

    @property
    def drop_cents(self) -> int:
        """What players bought credits for."""
        return self.cash_in_cents + self.vouchers_in_cents

    def add(self, other: "Figures") -> None:
        """Adds the figures of another part."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for code, count in other.refusals.items():
            self.refusals[code] = self.refusals.get(code, 0) + count
        for cause, voids in other.voids_by_cause.items():
            self._voids_of(cause).add(voids)

    def count(self, entry: Entry) -> None:
        """Counts one entry of a table's history."""
        event = entry.event
        self._count_accounts(event)
        match event:
            case e.RoundOpened():
                self.rounds += 1
            case e.CreditsBought() | e.CreditsPaidOut():
                self._count_credits(event)
            case e.CarriedSettled(how="paid"):
                self.attendant_pays_cents += event.cents
            case e.CarriedSettled(how="collected"):
                self.cash_in_cents += event.cents
            case e.CarriedSettled(how="written-off"):
                self.written_off_cents += event.cents
            case e.BetsChanged():
                self.turnover_cents += sum(change.cents for change in event.changes)
            case e.BetsRejected():
                self.turnover_cents -= event.cents
            case e.SeatReturned():
                self.returned_cents += event.cents
            case e.SeatSettled():
                self._count_lines(event.lines, 1)
                self.settled_cents += sum(line.counted_cents for line in event.lines)
                self.games_played += 1
            case e.SeatCorrected():
                self._count_lines(event.reversed, -1)
                self._count_lines(event.lines, 1)
                self.written_off_cents += event.given_up_cents
                self.games_voided += event.result is None
            case e.RoundVoided():
                self._count_void(event)
            case e.ResultCorrected():
                self.corrections += 1
                if event.settled and event.new is None:
                    self._count_void(event)
            case e.CommandRefused():
                code = event.rejection.code
                self.refusals[code] = self.refusals.get(code, 0) + 1

    def _count_void(self, event: e.RoundVoided | e.ResultCorrected) -> None:
        self.voids += 1
        self._voids_of(event.cause).count(event)

    def _voids_of(self, cause: str) -> VoidsOf:
        return self.voids_by_cause.setdefault(cause, VoidsOf())

    def _count_accounts(self, event: e.Event) -> None:
        for posting in postings(event):
            for account, cents in ((posting.source, -posting.cents), (posting.destination, posting.cents)):
                if account == HOUSE:
                    self.win_cents += cents
                elif account == SHORTFALL:
                    self.shortfall_in_cents -= cents
                elif account == UNCLAIMED:
                    self.unclaimed_out_cents += cents

    def _count_credits(self, event: e.CreditsBought | e.CreditsPaidOut) -> None:
        if isinstance(event, e.CreditsBought):
            if event.voucher is None:
                self.cash_in_cents += event.cents
            else:
                self.vouchers_in_cents += event.cents
        elif event.voucher is None:
            self.attendant_pays_cents += event.cents
        else:
            self.vouchers_out_cents += event.cents

    def _count_lines(self, lines: tuple[e.Line, ...], sign: int) -> None:
        for line in lines:
            not_counted = line.stake_cents - line.counted_cents
            self.wins_cents += sign * (line.returned_cents - not_counted)
            self.returned_cents += sign * not_counted
        self.games_won += sign * any(line.won for line in lines)


_SUMS: Final = tuple(name for name in Figures.__struct_fields__ if name not in ("refusals", "voids_by_cause"))


class ReportRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a report: whose figures they are, and what follows from them."""

    table: str | None
    dealer: str | None
    """Who opened the rounds; empty for what happened before the table's first one."""
    day: str | None
    shift: str | None
    hour: str | None
    """By the clocks of the house, as in 21:00."""
    currency: str
    """Of all its amounts; empty where nobody can tell."""
    drop_cents: int
    cash_in_cents: int
    vouchers_in_cents: int
    vouchers_out_cents: int
    attendant_pays_cents: int
    shortfall_in_cents: int
    """What the house put in where a correction found credits already spent."""
    written_off_cents: int
    """What the house gave up of that: it is not among the shortfall any more, and less was won."""
    unclaimed_out_cents: int
    """What a correction gave to a player who was gone."""
    turnover_cents: int
    returned_cents: int
    wins_cents: int
    win_cents: int
    hold_percent: str | None
    """The win as a share of the drop; None where nothing was dropped."""
    hold_of_turnover_percent: str | None
    rounds: int
    rounds_an_hour: str | None
    open_seconds: str
    """With three decimals, so that the parts add up to the whole."""
    games_played: int
    """Rounds that a seat had settled: what an average bet is averaged over."""
    games_voided: int
    """Settlements that a void took back, of whichever time; meters count the played less these."""
    average_bet_cents: int | None
    """What a seat had in play in a settlement, to the nearest cent, whatever was corrected or void later."""
    voids: int
    corrections: int
    refusals: int
    refusals_by_code: dict[str, int]
    voids_not_spun: int
    """Voids before the spin, while it rolled, at rest, and of a settled round: `voids` in all."""
    voids_rolling: int
    voids_at_rest: int
    voids_settled: int
    voids_against_sensor: int
    """Voids for a cause that the sensor contradicted."""
    voids_by_cause: dict[str, VoidsOf]


def row_of(figures: Figures, currency: str, **group: str | None) -> ReportRow:
    """Figures of one currency as a row of a report."""
    games, open_ms = figures.games_played, figures.open_ms
    voids = VoidsOf()
    for each in figures.voids_by_cause.values():
        voids.add(each)
    return ReportRow(
        table=group.get("table"),
        dealer=group.get("dealer"),
        day=group.get("day"),
        shift=group.get("shift"),
        hour=group.get("hour"),
        currency=currency,
        drop_cents=figures.drop_cents,
        cash_in_cents=figures.cash_in_cents,
        vouchers_in_cents=figures.vouchers_in_cents,
        vouchers_out_cents=figures.vouchers_out_cents,
        attendant_pays_cents=figures.attendant_pays_cents,
        shortfall_in_cents=figures.shortfall_in_cents,
        written_off_cents=figures.written_off_cents,
        unclaimed_out_cents=figures.unclaimed_out_cents,
        turnover_cents=figures.turnover_cents,
        returned_cents=figures.returned_cents,
        wins_cents=figures.wins_cents,
        win_cents=figures.win_cents,
        hold_percent=_rounded(100 * figures.win_cents, figures.drop_cents),
        hold_of_turnover_percent=_rounded(100 * figures.win_cents, figures.turnover_cents),
        rounds=figures.rounds,
        rounds_an_hour=_rounded(figures.rounds * _HOUR_MS, open_ms, 1),
        open_seconds=f"{open_ms // _SECOND_MS}.{open_ms % _SECOND_MS:03}",
        games_played=games,
        games_voided=figures.games_voided,
        average_bet_cents=round(Fraction(figures.settled_cents, games)) if games else None,
        voids=figures.voids,
        corrections=figures.corrections,
        refusals=sum(figures.refusals.values()),
        refusals_by_code=dict(sorted(figures.refusals.items())),
        voids_not_spun=voids.not_spun,
        voids_rolling=voids.rolling,
        voids_at_rest=voids.at_rest,
        voids_settled=voids.settled,
        voids_against_sensor=voids.against_sensor,
        voids_by_cause=dict(sorted(figures.voids_by_cause.items())),
    )


def _rounded(whole: int, parts: int, decimals: int = 2) -> str | None:
    """A quotient in decimals, rounded half to even from the exact fraction.

    >>> _rounded(100 * 526, 10_000), _rounded(-1, 3), _rounded(1, 0)
    ('5.26', '-0.33', None)
    """
    if parts <= 0:
        return None
    scaled = round(Fraction(whole * 10**decimals, parts))
    digits = f"{abs(scaled):0{decimals + 1}}"
    return f"{'-' if scaled < 0 else ''}{digits[:-decimals]}.{digits[-decimals:]}"

"""What a journal adds up to, as rows: rounds and their bets, postings, meters, vouchers.

The same folds serve the export and the rebuilt tables. Everything follows from the records alone, so that the
same journal gives the same rows.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from croupier.floor.cage.records import ACTS, cage_event_of
from croupier.floor.cage.vouchers import OUTSTANDING, REINSTATED
from croupier.journal import Record
from croupier.table import Entry, Meters, Rules, State, evolve, postings
from croupier.table import events as e
from croupier.table.ruling import RETURN_BETS
from croupier.table.settings import Settings
from croupier.table.state import new_state


class RoundRow(msgspec.Struct, kw_only=True):
    """A round: when it was, how it ended, and what it moved."""

    round: int
    opened_ms: int
    closed_ms: int | None = None
    ended_ms: int | None = None
    state: str = "running"
    """`running`, `settled` or `voided`."""
    result: str | None = None
    cause: str | None = None
    """Why it is void."""
    clause: str | None = None
    """What its end rests on: the pay table, the clause of the void, or that of the last correction or of the
    decision by which settled bets went back."""
    excess_clause: str | None = None
    """By what its bets counted if they were over the table's maximum together, and none was rejected."""
    staked_cents: int = 0
    """The stakes that were settled or went back; what was taken off while bets were open never counted."""
    returned_cents: int = 0
    corrections: int = 0
    """How often another result was given to it, or settled bets went back by a decision."""
    layouts: str | None = None
    """The layouts that were played, with a blank between two; None at a table with one."""


class BetRow(msgspec.Struct, frozen=True, kw_only=True):
    """One bet of a seat in a round, as it ended."""

    round: int
    seat: str
    bet: str
    stake_cents: int
    counted_cents: int
    won: bool
    returned_cents: int
    clause: str | None = None
    """By which it counted so, where it was outside the limits of its betting box."""
    layout: str | None
    """The seat's in that round; None at a table with one."""


class PostingRow(msgspec.Struct, frozen=True, kw_only=True):
    """A movement of money."""

    sequence: int
    time_ms: int
    source: str
    destination: str
    amount_cents: int


class VoucherRow(msgspec.Struct, kw_only=True):
    """A voucher's way; what happened to it elsewhere than in this journal is not known."""

    number: str
    state: str
    """`outstanding`, `redeemed` at a table, or what the cage did: `paid`, `voided` or `expired`.

    One that was reinstated is outstanding again.
    """
    amount_cents: int
    issued_table: str | None = None
    issued_sequence: int | None = None
    issued_ms: int | None = None
    ended_table: str | None = None
    ended_sequence: int | None = None
    ended_ms: int | None = None


def posting_rows(sequence: int, entry: Entry) -> Iterator[PostingRow]:
    """The movements of money in an entry."""
    for posting in postings(entry.event):
        yield PostingRow(
            sequence=sequence,
            time_ms=entry.cause.at_ms,
            source=posting.source,
            destination=posting.destination,
            amount_cents=posting.cents,
        )


class RoundBets(msgspec.Struct, kw_only=True):
    """A round and its bets."""

    row: RoundRow
    returned: dict[str, list[BetRow]] = msgspec.field(default_factory=dict)
    """By seat, what went back while the round ran."""
    settled: dict[str, list[BetRow]] = msgspec.field(default_factory=dict)
    """By seat, what was settled, after the last correction."""

    def bets(self) -> Iterator[BetRow]:
        """Every bet of the round as it ended, seat by seat."""
        for seat in dict.fromkeys((*self.returned, *self.settled)):
            yield from self.returned.get(seat, ())
            yield from self.settled.get(seat, ())

    def note_layout(self, layout: str | None) -> None:
        """Notes that a seat with a layout has played."""
        if layout is not None:
            played = (self.row.layouts or "").split()
            self.row.layouts = " ".join(sorted({*played, layout}))

    def count(self, bets: Iterable[BetRow], sign: int) -> None:
        """Adds bets to the round's sums, or takes them out again."""
        for bet in bets:
            self.row.staked_cents += sign * bet.stake_cents
            self.row.returned_cents += sign * bet.returned_cents


class RoundsFold:
    """Follows a table's rounds; lets go of each as soon as no correction changes it any more."""

    def __init__(self, recalled: Container[int] = ()) -> None:
        """`recalled` are the rounds that are recalled later to be corrected: none of them is let go of."""
        self._recalled = recalled
        self._settings: Settings | None = None
        self._rounds: dict[int, RoundBets] = {}

    def take(self, entry: Entry) -> RoundBets | None:
        """The next entry; gives a round that will not change again, when there is one."""
        event, at_ms = entry.event, entry.cause.at_ms
        match event:
            case e.TableCreated():
                self._settings = event.settings
            case e.RoundOpened():
                self._rounds[event.round] = RoundBets(row=RoundRow(round=event.round, opened_ms=at_ms))
                return self._out_of_reach(event.round)
            case e.BetsClosed():
                self._rounds[event.round].row.closed_ms = at_ms
            case e.SeatReturned():
                self._return(event)
            case e.SeatSettled() | e.SeatCorrected():
                self._settle(event)
            case e.RoundSettled():
                self._end(event.round, at_ms, "settled", result=event.result, clause=event.clause)
                self._rounds[event.round].row.excess_clause = event.excess_clause
            case e.RoundVoided():
                self._end(event.round, at_ms, "voided", cause=event.cause, clause=event.clause)
            case e.ResultCorrected():
                self._correct(event)
            case e.DecisionRecorded():
                self._decide(event)
        return None

    def rest(self) -> Iterator[RoundBets]:
        """The rounds that could still change."""
        yield from self._rounds.values()

    def _out_of_reach(self, newest: int) -> RoundBets | None:
        if self._settings is None:
            return None
        oldest = newest - self._settings.rounds_kept - 1
        return None if oldest in self._recalled else self._rounds.pop(oldest, None)

    def _end(self, number: int, at_ms: int, state: str, **facts: str) -> None:
        row = self._rounds[number].row
        row.state, row.ended_ms = state, at_ms
        row.result, row.cause, row.clause = facts.get("result"), facts.get("cause"), facts["clause"]

    def _return(self, event: e.SeatReturned) -> None:
        round_ = self._rounds[event.round]
        lines = (e.Line(change.bet, -change.cents, 0, False, -change.cents) for change in event.bets)
        bets = [_bet(event.round, event.seat, line, event.layout) for line in lines]
        round_.note_layout(event.layout)
        round_.returned.setdefault(event.seat, []).extend(bets)
        round_.count(bets, 1)

    def _settle(self, event: e.SeatSettled | e.SeatCorrected) -> None:
        round_ = self._rounds[event.round]
        before = round_.settled.get(event.seat, [])
        round_.count(before, -1)
        if isinstance(event, e.SeatSettled):
            layout = event.layout
            round_.note_layout(layout)
        else:  # it has the bets of the settlement before it, by the same pay table
            layout = before[0].layout if before else None
        bets = [_bet(event.round, event.seat, line, layout) for line in event.lines]
        round_.settled[event.seat] = bets
        round_.count(bets, 1)

    def _correct(self, event: e.ResultCorrected) -> None:
        row = self._rounds[event.round].row
        row.corrections += 1
        if event.settled:
            row.result, row.clause = event.new, event.clause
            if event.new is None:
                row.state, row.cause = "voided", event.cause

    def _decide(self, event: e.DecisionRecorded) -> None:
        """Bets that a decision gives back are settled again, for all seats at once, if they were settled."""
        round_ = self._rounds.get(event.round)
        if event.ruling == RETURN_BETS and round_ is not None and round_.row.ended_ms is not None:
            round_.row.corrections += 1
            round_.row.clause = event.clause


def round_of(entries: Iterable[Entry], number: int) -> RoundBets:
    """One round, from all entries that bear on it; raises `ValueError` where its beginning is not there."""
    fold = RoundsFold()
    for entry in entries:
        if getattr(entry.event, "round", None) == number:
            fold.take(entry)
    for found in fold.rest():
        return found
    raise ValueError(f"round {number} has no beginning")


def _bet(number: int, seat: str, line: e.Line, layout: str | None) -> BetRow:
    return BetRow(
        round=number,
        seat=seat,
        bet=line.bet,
        stake_cents=line.stake_cents,
        counted_cents=line.counted_cents,
        won=line.won,
        returned_cents=line.returned_cents,
        clause=line.clause,
        layout=layout,
    )


class MetersFold:
    """Replays a table for its meters."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._state: State | None = None
        self._left_out: dict[str | None, Counter[str]] = defaultdict(Counter)
        """By seat, what entries that do not count have added to the readings."""

    def take(self, entry: Entry, *, counts: bool = True) -> None:
        """The next entry; the first one creates the table. One that does not count moves no reading."""
        if self._state is None:
            if not isinstance(entry.event, e.TableCreated):
                raise ValueError("a table's history begins with its creation")
            self._state = new_state(entry.event.settings)
        if counts:
            evolve(self._rules, self._state, entry)
        else:
            self._leave_out(self._state, entry)

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """The readings of the table, where `seat` is None, and of each seat in the order of their opening."""
        if self._state is not None:
            for seat in (None, *self._state.seats):
                left_out = self._left_out[seat]
                readings = _readings(self._state, seat)
                yield {"seat": seat, **{name: value - left_out[name] for name, value in readings.items()}}

    def _leave_out(self, state: State, entry: Entry) -> None:
        """Carries an entry out, and notes what that adds to the table's readings and to those of its seat."""
        concerned = dict.fromkeys((None, getattr(entry.event, "seat", None)))
        for seat in concerned:
            self._left_out[seat].subtract(_readings(state, seat))
        evolve(self._rules, state, entry)
        for seat in concerned:
            self._left_out[seat].update(_readings(state, seat))


def _readings(state: State, of_seat: str | None) -> dict[str, int]:
    """The readings of a table, or of a seat if there is one."""
    if of_seat is None:
        credits_cents = sum(state.credits_cents(seat) for seat in state.seats)
        return {"credits_cents": credits_cents, **msgspec.structs.asdict(state.meters)}
    seat = state.seats.get(of_seat)
    meters = Meters() if seat is None else seat.meters
    return {"credits_cents": state.credits_cents(of_seat), **msgspec.structs.asdict(meters)}


class VouchersFold:
    """Follows vouchers over all tables and the cage: issued at one, ended at the same or another."""

    def __init__(self) -> None:
        self._vouchers: dict[str, VoucherRow] = {}

    def take(self, record: Record, entry: Entry) -> None:
        """The next record of a table; tables may be taken one after the other."""
        event = entry.event
        if isinstance(event, e.CreditsPaidOut) and event.voucher is not None:
            row = self._row(event.voucher, event.cents)
            row.issued_table, row.issued_sequence, row.issued_ms = record.table, record.sequence, record.at_ms
        elif isinstance(event, e.CreditsBought) and event.voucher is not None:
            self._end(record, event.voucher, event.cents, "redeemed")

    def take_cage(self, record: Record) -> None:
        """The next record of the cage."""
        event, act = cage_event_of(record), ACTS[record.kind]
        self._end(record, event.number, event.cents, act)
        if act == REINSTATED:
            row = self._vouchers[event.number]
            row.state, row.ended_table, row.ended_sequence, row.ended_ms = OUTSTANDING, None, None, None

    def rows(self) -> list[VoucherRow]:
        """Every voucher, by number."""
        return [self._vouchers[number] for number in sorted(self._vouchers)]

    def _row(self, number: str, cents: int) -> VoucherRow:
        row = VoucherRow(number=number, state=OUTSTANDING, amount_cents=cents)
        return self._vouchers.setdefault(number, row)

    def _end(self, record: Record, number: str, cents: int, state: str) -> None:
        row = self._row(number, cents)
        row.state = state
        row.ended_table, row.ended_sequence, row.ended_ms = record.table, record.sequence, record.at_ms

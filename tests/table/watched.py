"""A table that is watched: whatever is asked of it, everything that must always hold is checked."""

from collections import Counter
from typing import Any

import msgspec

from croupier.table import (
    CODES,
    Actor,
    Entry,
    Meters,
    Rejection,
    Reply,
    Round,
    Rules,
    Settings,
    State,
    audience,
    check,
    create,
    decide,
    evolve,
    foresee,
    foresee_correction,
    house_results,
    may,
    play,
    recall_of,
    replay,
    rounds_over,
    rounds_to_recall,
    submit,
)
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.evolve import evolve_at_length
from croupier.table.state import RUNNING
from table.model import Model
from table.rig import DEALER, START_MS, SUPERVISOR, TIMER
from table.strategies import SEATS, merged

_ENCODE = msgspec.json.Encoder().encode
_DECODE = msgspec.json.Decoder(Entry).decode
COMMON_ACCOUNTS = {"cash", "vouchers", "house", "shortfall", "unclaimed"}
OVER_ALL_SEATS = ("voids", "corrections")
"""Meters that count rounds at the table and a seat's rounds at the seat; all others add up over the seats."""


ABOUT_THE_ROUNDS = ("no-round", "no-spin-yet", "bets-open", "round-void", "round-stands", "not-affected")
"""Why an irregularity is refused because of the rounds that are meant, and not of who asks when."""


def frozen(state: State) -> bytes:
    """Everything a table is, to compare it with what it is later."""
    return msgspec.msgpack.encode(state)


class WatchedTable:
    """A table, its history, one that follows it as written, one that plays at once, and a model of money."""

    def __init__(self, rules: Rules, settings: Settings) -> None:
        self.rules = rules
        self.at_ms = START_MS
        self.state, first = create(rules, settings, self.at_ms, SUPERVISOR)
        self.entries = [first]
        self.follower = replay(rules, [_DECODE(_ENCODE(first))])
        self.at_once = replay(rules, [first])
        """Decides and carries out in one go, as a table's writer does."""
        self.model = Model(rules.book, merged(rules), settings)
        self.given: list[tuple[c.Command, Reply]] = []
        self.numbers: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        self.is_whole = True
        """Whether the last command was carried out and checked to its end."""

    def ask(self, actor: Actor, do: c.Do, second: Actor | None = None) -> Reply:
        """Gives a command with the sender's next number at the present time, behind the recalls it needs."""
        command = self._command(actor, do, second)
        why_not = may(self.rules, self.state, command)
        if why_not is not None and why_not.code == "round-not-recalled":
            numbers = rounds_to_recall(self.state, do)
            for round_ in rounds_over(self.rules, self.entries, numbers).values():
                reply = self.give(self._command(TIMER, recall_of(round_, self.state.sequence)))
                assert reply.rejection is None
        return self.give(command)

    def _command(self, actor: Actor, do: c.Do, second: Actor | None = None) -> c.Command:
        self.numbers[actor.id] += 1
        return c.Command(
            at_ms=self.at_ms,
            actor=actor,
            sender=actor.id,
            number=self.numbers[actor.id],
            do=do,
            second=second,
        )

    def give(self, command: c.Command) -> Reply:
        """Gives a new command and checks all that follows from it."""
        self.is_whole = False
        reply = self._decided_without_a_trace(command)
        self._foreseen(command, reply)
        self._foreseen_decision(command, reply)
        self._declared(command, reply)
        before = {seat: self.state.credits_cents(seat) for seat in self.state.seats}
        for entry in reply.entries:
            evolve(self.rules, self.state, entry)
            self._follow(entry)
            assert check(self.state) == [], entry
            self._leaks_nothing(entry)
            self._count(entry.event)
        assert play(self.rules, self.at_once, command) == reply
        self.given.append((command, reply))
        self.seen["commands"] += 1
        tag = str(type(command.do).__struct_config__.tag)
        if reply.rejection is None:
            self.seen[f"accepted {tag}"] += 1
            self.model.accept(command)
            self._cites_excess(reply)
        else:
            self.seen[f"refused {reply.rejection.code}"] += 1
            assert before == {seat: self.state.credits_cents(seat) for seat in self.state.seats}
        self.verify()
        self.is_whole = True
        return reply

    def give_again(self, index: int) -> None:
        """Repeats a command: the first answer comes back and nothing changes, unless it is too old."""
        command, first = self.given[index]
        later = [other.number for other, _ in self.given if other.sender == command.sender]
        is_kept = command.number in sorted(later)[-self.state.settings.answers_kept :]
        before = frozen(self.state)
        reply = submit(self.rules, self.state, msgspec.structs.replace(command, at_ms=self.at_ms))
        assert reply.entries == ()
        if is_kept:
            assert reply == msgspec.structs.replace(first, entries=(), repeated=True)
        else:
            assert reply.rejection is not None
            assert reply.rejection.code == "number-too-old"
        reused = submit(
            self.rules, self.state, msgspec.structs.replace(command, do=c.HaltTable(reason="a new one"))
        )
        assert reused.rejection is not None
        assert reused.rejection.code in ("number-reused", "number-too-old")
        assert reused.entries == ()
        assert frozen(self.state) == before
        self.seen["repeated" if is_kept else "repeated too late"] += 1

    def _decided_without_a_trace(self, command: c.Command) -> Reply:
        before = frozen(self.state)
        why_not = may(self.rules, self.state, command)
        outcome = decide(self.rules, self.state, command)
        reply = submit(self.rules, self.state, command)
        assert frozen(self.state) == before
        assert reply.rejection == why_not
        assert reply.first == self.state.sequence + 1
        assert reply.last == self.state.sequence + len(reply.entries)
        if why_not is None:
            assert outcome == tuple(entry.event for entry in reply.entries)
            assert len(reply.entries) > 0
        else:
            assert isinstance(outcome, Rejection)
            assert outcome == why_not
            assert why_not.code in CODES
            assert why_not.sentence.strip()
            assert [type(entry.event) for entry in reply.entries] == [e.CommandRefused]
        return reply

    def _cites_excess(self, reply: Reply) -> None:
        """Only a round with more in play than the whole table takes cites how that counts."""
        for entry in reply.entries:
            if isinstance(entry.event, e.RoundSettled):
                is_over = self.model.rounds[entry.event.round].is_over
                assert entry.event.excess_clause == ("assumption:table-excess" if is_over else None)

    def _foreseen(self, command: c.Command, reply: Reply) -> None:
        """A correction does to each seat and to the house what the table said that it would do."""
        do = command.do
        if not isinstance(do, c.CorrectResult) or reply.rejection is not None:
            return
        before = frozen(self.state)
        foreseen = foresee_correction(self.rules, self.state, self.at_ms, DEALER, do.round, do.result)
        assert frozen(self.state) == before
        if isinstance(foreseen, Rejection):
            assert (foreseen.code, len(reply.entries)) == ("round-running", 1), foreseen
            return
        after = replay(self.rules, [*self.entries, *reply.entries])
        for seat in foreseen.seats:
            settled = self._over(after, do.round).seats[seat.seat]
            assert seat.credits_after_cents == after.credits_cents(seat.seat)
            assert seat.unclaimed_cents - seat.shortfall_cents == settled.carried_cents
            assert (seat.due_cents, min(seat.unclaimed_cents, seat.shortfall_cents)) == (
                settled.returned_cents,
                0,
            )
            assert seat.due_cents - seat.before_cents == seat.difference_cents
            self.seen["foreseen for somebody who has left"] += seat.has_left
        won, lost = after.balances.get("house", 0), self.state.balances.get("house", 0)
        assert foreseen.house_after_cents - foreseen.house_before_cents == won - lost
        parts = [*self._over(after, do.round).seats.values()]
        lines = [line for part in parts for line in part.lines]
        given_up_cents = sum(part.given_up_cents(part.returned_cents) for part in parts)
        won_cents = sum(line.stake_cents - line.returned_cents for line in lines)
        assert foreseen.house_after_cents == won_cents - given_up_cents
        was = self._over(self.state, do.round).result
        assert (foreseen.registered, foreseen.result) == (was, do.result)
        self.seen["foreseen"] += 1

    def _over(self, state: State, number: int) -> Round:
        round_ = state.over(number)
        assert round_ is not None
        return round_

    def _foreseen_decision(self, command: c.Command, reply: Reply) -> None:
        """A decision, or a void, does to each seat and round what the table said that it would do."""
        do = command.do
        if not isinstance(do, c.Decide | c.DeclareIrregularity) or reply.rejection is not None:
            return
        before = frozen(self.state)
        foreseen = foresee(self.rules, self.state, self.at_ms, DEALER, do)
        assert frozen(self.state) == before
        assert not isinstance(foreseen, Rejection), foreseen
        after = replay(self.rules, [*self.entries, *reply.entries])
        found = {seat.seat: (seat.before_cents, seat.after_cents) for seat in foreseen.seats}
        for seat in self.state.seats:
            now_cents = self.state.credits_cents(seat)
            assert found.get(seat, (now_cents, now_cents)) == (now_cents, after.credits_cents(seat))
        carried_cents = 0
        for round_ in foreseen.rounds:
            settled = after.over(round_.round)
            if settled is None:
                continue  # the running round has taken its place among those that are kept
            assert (round_.registered, round_.result) == (
                self._over(self.state, round_.round).result,
                None if settled.phase == "voided" else settled.result,
            )
            parts = settled.seats.items()
            carried_cents += sum(part.carried_cents for seat, part in parts if seat in found)
        # Of a seat that a decision leaves alone, what it carries is not named.
        assert carried_cents == sum(seat.unclaimed_cents - seat.shortfall_cents for seat in foreseen.seats)
        won = sum(round_.house_after_cents - round_.house_before_cents for round_ in foreseen.rounds)
        assert won == after.balances.get("house", 0) - self.state.balances.get("house", 0)
        self.seen["decision foreseen"] += bool(foreseen.rounds) and isinstance(do, c.Decide)
        self.seen["void foreseen"] += bool(foreseen.rounds) and not isinstance(do, c.Decide)

    def _declared(self, command: c.Command, reply: Reply) -> None:
        """An irregularity is taken for the rounds that the model lets be void, and refused for any other."""
        do = command.do
        if not isinstance(do, c.DeclareIrregularity):
            return
        code = None if reply.rejection is None else reply.rejection.code
        if code is not None and code not in ABOUT_THE_ROUNDS:
            return
        void = self.model.voided_by(do)
        assert (void is None) == (code is not None), (do, reply)
        if void is not None:
            phase = "idle" if self.state.round is None else self.state.round.phase
            meant = {"running" if round_ is self.model.running else "settled" for round_ in void}
            self.seen[f"declared for {' and '.join(sorted(meant))}"] += 1
            self.seen[f"declared while {phase}"] += 1

    def _follow(self, entry: Entry) -> None:
        written = _DECODE(_ENCODE(entry))
        assert written == entry
        self.entries.append(entry)
        evolve_at_length(self.rules, self.follower, written)

    def _leaks_nothing(self, entry: Entry) -> None:
        """What a seat may see names no other seat, no other seat's account, and no amounts of the table."""
        to = audience(entry.event)
        if to == e.STAFF:
            return
        own = to.removeprefix("seat/")
        assert to == e.TABLE or own == getattr(entry.event, "seat", None)
        text = _ENCODE(entry.event).decode()
        others = [seat for seat in SEATS if seat != own]
        assert not [seat for seat in others if seat in text], entry
        if entry.cause.actor.position == "player":
            assert entry.cause.actor.seat == own
        if to == e.TABLE:
            assert "postings" not in entry.event.__struct_fields__
            assert not [name for name in entry.event.__struct_fields__ if name.endswith("_cents")]
        allowed = COMMON_ACCOUNTS | {f"credits/{own}", f"stakes/{own}"}
        for posting in e.postings(entry.event):
            assert {posting.source, posting.destination} <= allowed
            assert posting.cents > 0

    def _count(self, event: e.Event) -> None:
        if isinstance(event, e.RoundVoided):
            self.seen[f"void {event.cause}"] += 1
        elif isinstance(event, e.ResultCorrected):
            kind = "void of a settled round" if event.new is None else "correction"
            self.seen[f"{kind} {'after' if event.settled else 'before'} settlement"] += 1
        elif isinstance(event, e.SeatCorrected | e.ShortfallRaised) and event.carried_cents:
            self.seen["shortfall" if event.carried_cents < 0 else "unclaimed"] += 1
        elif isinstance(event, e.CarriedNetted):
            self.seen["netted for somebody who has left" if event.has_left else "netted"] += 1
        elif isinstance(event, e.SeatUnlocked) and event.round is not None:
            self.seen["win taken back"] += 1
        elif isinstance(event, e.SeatLocked):
            self.seen[f"lock-up {event.reason}"] += 1
        elif isinstance(event, e.SeatSettled):
            self.seen["apportioned"] += any(line.counted_cents < line.stake_cents for line in event.lines)
            for line in event.lines:
                self.seen[f"cited {line.clause}"] += line.clause is not None
        elif isinstance(event, e.RoundSettled):
            self.seen["table over its maximum"] += event.excess_clause is not None
        elif isinstance(event, e.TableInterrupted):
            self.seen[f"interrupted {event.consequence}"] += 1
        elif isinstance(event, e.DecisionRecorded):
            self.seen[f"decided {event.ruling}"] += 1
        elif isinstance(event, e.BetsClosed):
            self.seen[f"closed by {event.closed_by}"] += 1

    def verify(self) -> None:
        """Everything that must hold between any two commands."""
        assert frozen(self.state) == frozen(self.follower)
        assert frozen(self.at_once) == frozen(self.state)
        assert sum(self.state.balances.values()) == 0
        assert {k: v for k, v in self.state.balances.items() if v} == self.model.balances()
        self._verify_meters()
        self._verify_rounds()
        if self.state.round is not None:
            self._verify_running()

    def verify_history(self) -> None:
        """The whole history leads to the table as it is."""
        assert replay(self.rules, self.entries) == self.state

    def _verify_meters(self) -> None:
        state, names = self.state, Meters.__struct_fields__
        for seat in state.seats.values():
            shown = {name: value for name in names if (value := getattr(seat.meters, name))}
            assert shown == self.model.meters(seat.id), seat.id
            assert seat.meters.credits_cents == state.credits_cents(seat.id) >= 0
        for name in names:
            if name not in OVER_ALL_SEATS:
                total = sum(getattr(seat.meters, name) for seat in state.seats.values())
                assert getattr(state.meters, name) == total, name
        phases = Counter(round_.phase for round_ in self.model.rounds.values())
        assert state.meters.voids == phases["voided"]

    def _verify_rounds(self) -> None:
        state, model = self.state, self.model
        assert state.round_number == len(model.rounds)
        assert (state.round is None) == (model.running is None)
        oldest = max(0, len(model.rounds) - state.settings.rounds_kept - 1)
        assert all(number >= oldest for number in state.kept)
        for number, kept in (state.kept | state.owing).items():
            expected = model.rounds[number]
            assert (kept.phase, kept.result) == (expected.phase, expected.result)
            parts = {seat: (part.got, part.carried) for seat, part in expected.parts.items()}
            assert {k: (v.returned_cents, v.carried_cents) for k, v in kept.seats.items()} == parts
            for seat, part in kept.seats.items():
                for line in part.lines:
                    cited = expected.parts[seat].cites[line.bet] if line.counted_cents else None
                    assert line.clause == (cited and f"{self.rules.book.id}:{cited}"), (number, seat, line)
        for seat_id, seat in state.seats.items():
            expected_seat = model.seats[seat_id]
            assert (seat.lock, {*seat.locked_for}) == (expected_seat.lock, expected_seat.locked_for)

    def _verify_running(self) -> None:
        round_, model = self.state.round, self.model
        assert round_ is not None
        assert model.running is not None
        assert round_.phase in RUNNING
        assert round_.result == model.running.result
        assert (round_.phase == "betting") == (model.running.phase == "betting")
        spots: Counter[str] = Counter()
        for seat_id, seat in self.state.seats.items():
            assert seat.stakes == model.seats[seat_id].stakes
            assert (seat_id in round_.playing) == bool(seat.stakes)
            spots.update(seat.stakes)
        assert round_.spots == spots
        assert round_.total_cents == spots.total()
        assert house_results(self.rules, self.state) == model.house_results()
        pays = {result: cents for result, cents in round_.pays.items() if cents}
        assert pays == ({} if round_.limits.exposure_cents is None else model.pays_by_result())
        if self.rules.marks_boxes:
            placed: list[Any] = [[p.seat, p.bet, p.cents] for p in round_.placements]
            assert placed == model.running.placed
            advised = {(seat, bet) for seat, bets in round_.advised.items() for bet in bets}
            assert advised == model.running.advised

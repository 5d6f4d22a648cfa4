"""The steps that random play is made of: whatever the table is doing, these lead on from there."""

from hypothesis import strategies as st

from croupier.table import Actor, Reply, Rules
from croupier.table import commands as c
from table.rig import DEALER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER
from table.strategies import AMOUNTS, SEATS, Choices, player
from table.watched import WatchedTable

OPEN_SEAT = st.sampled_from(SEATS[:3])
UP_TO_THREE = st.integers(0, 3)


class Steps:
    """What somebody at the table does next, with what is left to chance drawn from hypothesis."""

    choices: Choices
    rules_: Rules
    table: WatchedTable

    @property
    def phase(self) -> str:
        state = self.table.state
        if state.halted is not None or not state.open:
            return "not open"
        if state.awaits_outcome:
            return "awaiting"
        return "idle" if state.round is None else state.round.phase

    def go_on_with(self, data: st.DataObject, result: str | None = None) -> None:
        ask, state = self.table.ask, self.table.state
        if self.phase == "not open":
            ask(SHIFT_MANAGER, c.ResumeTable(reason="looked at"))
            ask(SUPERVISOR, c.OpenTable())
        elif self.phase == "awaiting":
            stated = result or data.draw(self.choices.outcomes)
            ask(SUPERVISOR, c.StateOutcome(result=stated, spun=data.draw(st.booleans())), SHIFT_MANAGER)
        elif self.phase == "idle":
            ask(SUPERVISOR, c.CloseTable() if state.rounds_left == 0 else c.OpenRound())
        elif self.phase == "betting":
            for _ in range(data.draw(UP_TO_THREE)):
                self.bet(data)
            ask(data.draw(st.sampled_from((DEALER, TIMER, SENSOR))), c.CloseBets())
        elif state.round.spin is None:
            ask(data.draw(st.sampled_from((DEALER, SENSOR))), c.StartSpin())
        elif self.phase == "resulted":
            ask(DEALER, c.ConfirmResult(result=state.round.result), SUPERVISOR)
        else:
            spin = state.round.spin
            if spin.started_by == "wheel" and spin.finished_by is None:
                seen = result or data.draw(self.choices.results)
                ask(SENSOR, c.FinishSpin(revolutions=9, pocket=seen))
            found = result or spin.pocket or data.draw(self.choices.results)
            ask(SUPERVISOR, c.EnterResult(result=found), DEALER)

    def go_on_to(self, phase: str, data: st.DataObject, result: str | None = None) -> None:
        """Does what comes next until the phase is reached; a few steps always lead there."""
        for _ in range(12):
            if self.phase != phase:
                self.go_on_with(data, result)

    def play_round(self, data: st.DataObject) -> None:
        self.go_on_to("idle", data)
        self.go_on_to("betting", data)
        self.go_on_to("idle", data)

    def bet(self, data: st.DataObject) -> Reply:
        """A seat bets a little, or all that is left."""
        seat = data.draw(OPEN_SEAT)
        self.make_ready(seat)
        names = data.draw(self.choices.bets)
        pieces = sum(count for name in names for _, count in self.table.model.pieces(name))
        all_of_it = max(1, self.table.state.credits_cents(seat) // pieces)
        cents = data.draw(st.one_of(AMOUNTS, st.just(all_of_it)))
        for_player = DEALER if "place-for-player" in self.rules_.book.authority else player(seat)
        asker = data.draw(st.sampled_from((player(seat), player(seat), for_player)))
        stakes = tuple(c.Stake(name, cents) for name in names)
        return self.table.ask(asker, c.PlaceBets(seat=seat, stakes=stakes))

    def make_ready(self, seat_id: str) -> None:
        """Gives a seat what it needs to bet."""
        seat = self.table.state.seats[seat_id]
        if not seat.in_use:
            self.table.ask(DEALER, c.OpenSeat(seat=seat_id, kind=seat.kind))
        if seat.lost:
            self.table.ask(TIMER, c.RestoreSeat(seat=seat_id))
        if seat.lock is not None:
            self.table.ask(SUPERVISOR, c.ClearLockUp(seat=seat_id), DEALER)
        if self.table.state.credits_cents(seat_id) < 1_000:
            self.table.ask(player(seat_id), c.BuyCredits(seat=seat_id, cents=2_500))

    def stake_all(self, seat: str, data: st.DataObject) -> str:
        self.make_ready(seat)
        bet = data.draw(self.choices.boxes)
        most = self.table.state.limits.of_bet(bet, self.rules_.bet(bet).kind).maximum_cents
        cents = min(most, self.table.state.credits_cents(seat))
        self.table.ask(player(seat), c.PlaceBets(seat=seat, stakes=(c.Stake(bet, cents),)))
        return bet

    def end_round(self, seat: str, wins: bool, data: st.DataObject) -> str:
        """Plays a round that a seat wins or loses with all it has; gives a result that turns that round."""
        self.go_on_to("idle", data)
        self.go_on_to("betting", data)
        bet = self.rules_.bet(self.stake_all(seat, data))
        lost = next(result for result in self.rules_.book.wheel.outcomes if result not in bet.numbers)
        result, instead = (bet.numbers[0], lost) if wins else (lost, bet.numbers[0])
        self.go_on_to("idle", data, result)
        return instead

    def leave(self, seat: str, data: st.DataObject) -> None:
        """The player goes: with a voucher, or paid by hand where it is much or the terminal is lost."""
        self.make_ready(seat)
        if data.draw(st.booleans()):
            self.table.ask(TIMER, c.LoseSeat(seat=seat))
        self.table.ask(player(seat), c.CashOut(seat=seat, voucher="V-6"))
        self.table.ask(SUPERVISOR, c.PayByAttendant(seat=seat), DEALER)

    def void(self, actor: Actor, do: c.Do) -> None:
        """A void restores every seat exactly: credits as before the round's first bet, and no stakes."""
        state, running = self.table.state, self.table.state.round
        self.table.ask(actor, do, SUPERVISOR)
        if running is not None and running.phase == "voided":
            for seat_id, seat in state.seats.items():
                assert seat.stakes == {}
                assert state.credits_cents(seat_id) == self.table.model.seats[seat_id].before_round

"""Random play: players, staff and machines ask for anything, and now and then for what comes next."""

from collections import Counter

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from croupier.table import Actor
from croupier.table import commands as c
from croupier.table.calls import CALL_REASONS
from table.random_steps import OPEN_SEAT, UP_TO_THREE, Steps
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER
from table.strategies import ACTORS, AMOUNTS, SEATS, SECONDS, layouts, player
from table.watched import WatchedTable

DATA = st.data()
SEAT = st.sampled_from(SEATS)
EITHER = st.booleans()
STORIES = [(wins, leaves) for wins in (True, False) for leaves in (True, False)]
EVENING = (
    "change_bets",
    "spin",
    "declare",
    "find_out_late",
    "call_no_spin",
    "correct",
    "correct_there_and_back",
    "find_out_all",
    "decide",
    "interrupt",
    "stop_play",
    "hear_late",
    "leave_small",
    "exchange",
    "seat_them",
    "change_limits",
    "warn_and_halt",
    "close_table",
    "repeat",
)
"""Rules that no run may do without; hypothesis leaves some of the others out of each."""
PHASES = ("idle", "betting", "closed", "spinning", "resulted")


class RandomPlay(Steps, RuleBasedStateMachine):
    """Players, staff and machines at one table; half of what they ask makes sense."""

    seen: Counter[str]

    @initialize(data=DATA, evening=st.permutations(EVENING))
    def open_table(self, data: st.DataObject, evening: list[str]) -> None:
        """A table with three players, where some of what happens of an evening has happened already."""
        self.rules_ = self.choices.rules
        self.table = WatchedTable(self.rules_, data.draw(self.choices.tables))
        self.table.seen = self.seen
        self.table.ask(SUPERVISOR, c.OpenTable())
        for index, seat in enumerate(SEATS[:3]):
            kinds = self.rules_.seat_kinds
            named = [*self.rules_.layouts][index % len(self.rules_.layouts)]
            layout = None if len(self.rules_.layouts) == 1 else named
            self.table.ask(DEALER, c.OpenSeat(seat=seat, kind=kinds[index % len(kinds)], layout=layout))
            self.table.ask(player(seat), c.BuyCredits(seat=seat, cents=20_000))
        for happening in evening[:8]:
            getattr(self, happening)(data)

    def teardown(self) -> None:
        if hasattr(self, "table") and self.table.is_whole:
            self.table.verify_history()

    @rule(data=DATA, actor=ACTORS, second=SECONDS)
    def ask_anything(self, data: st.DataObject, actor: Actor, second: Actor | None) -> None:
        self.table.ask(actor, data.draw(self.choices.anything), second)

    @rule(actor=st.sampled_from((SHIFT_MANAGER, TIMER)), data=DATA)
    def ask_anything_of_the_highest(self, actor: Actor, data: st.DataObject) -> None:
        self.table.ask(actor, data.draw(self.choices.anything), MANAGER)

    @rule(seconds=st.sampled_from((0.001, 1, 4, 26)))
    def wait(self, seconds: float) -> None:
        self.table.at_ms += round(1000 * seconds)

    @precondition(lambda self: self.phase == "betting" and self.table.state.round.closes_ms is not None)
    @rule(late_ms=st.sampled_from((-1, 0, 1)), data=DATA)
    def come_to_the_close(self, late_ms: int, data: st.DataObject) -> None:
        """A bet in the last millisecond is taken, and none from then on."""
        at_ms = self.table.state.round.closes_ms + late_ms
        if at_ms >= self.table.at_ms:
            self.table.at_ms = at_ms
            reply = self.bet(data)
            if late_ms >= 0:
                assert reply.rejection is not None
                assert reply.rejection.code in ("bets-closed", "unknown-bet")  # of another layout
            self.table.ask(TIMER, c.CloseBets())

    @rule(data=DATA)
    def go_on(self, data: st.DataObject) -> None:
        """Somebody does what comes next."""
        self.go_on_with(data)

    @rule(data=DATA)
    def place_bets(self, data: st.DataObject) -> None:
        self.go_on_to("betting", data)
        self.bet(data)

    @rule(data=DATA)
    def change_bets(self, data: st.DataObject) -> None:
        """Stakes are taken off, moved, cleared; on the Money Wheel the dealer rejects and advises."""
        for which in data.draw(st.permutations(range(6))):
            self.go_on_to("betting", data)
            self.bet(data)
            if self.phase == "betting" and self.table.state.round.playing:
                self.change_bet(data, which)

    def change_bet(self, data: st.DataObject, which: int) -> None:
        spots = self.table.state.round.spots
        fullest = max(spots, key=lambda spot: spots[spot])
        seat = data.draw(st.sampled_from([*self.table.state.round.playing]))
        bet, stake = data.draw(st.sampled_from([*self.table.state.seats[seat].stakes.items()]))
        cents = data.draw(st.one_of(st.just(stake), AMOUNTS))
        other = data.draw(self.choices.boxes)
        if which >= 4 and other not in spots:
            self.table.ask(player(seat), c.PlaceBets(seat=seat, stakes=(c.Stake(other, 100),)))
        if which == 5:
            self.table.ask(DEALER, c.AdviseMinimum(seat=seat, bet=other))
            if data.draw(EITHER):
                self.table.ask(player(seat), c.PlaceBets(seat=seat, stakes=(c.Stake(other, cents),)))
        actor, do = (
            (player(seat), c.TakeBets(seat=seat, stakes=(c.Stake(bet, cents),))),
            (player(seat), c.MoveBet(seat=seat, source=bet, destination=other, cents=cents)),
            (player(seat), c.ClearBets(seat=seat)),
            (DEALER, c.RejectExcess(bet=fullest)),
            (DEALER, c.AdviseMinimum(seat=seat, bet=other)),
            (DEALER, c.RejectAdvised(seat=seat, bet=other)),
        )[which]
        self.table.ask(actor, do)

    @rule(data=DATA)
    def play_a_round(self, data: st.DataObject) -> None:
        """Bets in good time, and everything as it should be."""
        self.play_round(data)

    @rule(data=DATA)
    def spin(self, data: st.DataObject) -> None:
        """A spin with what is known of it, from the sensor or from the dealer."""
        self.go_on_to("closed" if data.draw(EITHER) else "betting", data)
        who = data.draw(st.sampled_from((SENSOR, DEALER)))
        self.table.ask(who, data.draw(self.choices.starts))
        self.table.ask(who, data.draw(self.choices.finishes))

    @rule(data=DATA)
    def declare(self, data: st.DataObject) -> None:
        """Things of the book's list happen in any phase of a round, and are found out at once or later."""
        for cause in data.draw(self.choices.causes)[:8]:
            self.go_on_to(data.draw(st.sampled_from(PHASES)), data)
            rounds = data.draw(self.named_rounds())
            self.void(MANAGER, c.DeclareIrregularity(cause=cause, rounds=rounds, note="seen by the dealer"))
            self.go_on_to("spinning", data)
            self.void(MANAGER, c.DeclareIrregularity(cause=cause))

    def named_rounds(self) -> st.SearchStrategy[tuple[int, ...]]:
        """No round, the one that runs, one that is settled, or several in any order."""
        last = self.table.state.round_number
        recent = list(range(max(1, last - 3), last + 1))
        if not recent:
            return st.just(())
        some = st.lists(st.sampled_from(recent), max_size=3).map(tuple)
        return st.one_of(st.just(()), st.just((last,)), st.just((recent[0],)), some)

    @rule(data=DATA)
    def find_out_late(self, data: st.DataObject) -> None:
        """Somebody wins or loses, takes the credits or stakes them again, and then it was all wrong."""
        for wins, leaves in data.draw(st.permutations(STORIES)):
            seat = data.draw(OPEN_SEAT)
            instead = self.end_round(seat, wins, data)
            last = self.table.state.round_number
            if leaves:
                self.leave(seat, data)
            else:
                self.go_on_to("betting", data)
                self.stake_all(seat, data)
            do: c.Do = c.CorrectResult(round=last, result=instead, reason="on camera")
            if data.draw(EITHER):
                cause = "interference" if self.rules_.marks_boxes else "ball-broken"
                now = self.table.state.round_number  # the round that runs, or the last one again
                rounds = data.draw(st.sampled_from(((last,), (last, now), (last, max(1, last - 1)))))
                do = c.DeclareIrregularity(cause=cause, rounds=rounds)
            self.table.ask(MANAGER, do, SUPERVISOR)
            self.settle_carried(last, data)

    def settle_carried(self, number: int, data: st.DataObject) -> None:
        """What a round left open with its seats ends for some of them."""
        round_ = self.table.state.over(number)
        assert round_ is not None
        for seat, part in [*round_.seats.items()]:
            how = data.draw(st.sampled_from(("paid", "collected", "written-off", None)))
            if how is not None and part.carried_cents:
                cents = abs(part.carried_cents)
                do = c.SettleCarried(round=number, seat=seat, how=how, cents=cents, reason="agreed")
                self.seen[how] += self.table.ask(MANAGER, do, SUPERVISOR).rejection is None

    @rule(data=DATA)
    def call_no_spin(self, data: st.DataObject) -> None:
        self.go_on_to(data.draw(st.sampled_from(PHASES[1:])), data)
        self.void(DEALER, c.CallNoSpin(reason="ball launched late"))

    @rule(data=DATA)
    def correct(self, data: st.DataObject) -> None:
        """A result is read again before it is confirmed, and one of the last rounds later."""
        self.go_on_to("resulted", data)
        for back in (0, data.draw(UP_TO_THREE)):
            number = max(1, self.table.state.round_number - back)
            do = c.CorrectResult(round=number, result=data.draw(self.choices.results), reason="read again")
            self.table.ask(MANAGER, do, SUPERVISOR)

    @rule(data=DATA)
    def correct_there_and_back(self, data: st.DataObject) -> None:
        """A correction that is taken back leaves every account as it was.

        Where a seat owed a shortfall of the round already, what comes back covers that first, so that its
        credits and the shortfall are the same together.
        """
        state = self.table.state
        self.play_round(data)
        number = max(1, state.round_number - data.draw(UP_TO_THREE))
        round_ = state.kept.get(number)
        if round_ is None or round_.result is None:
            return
        owing = {seat for seat, part in round_.seats.items() if part.carried_cents < 0}
        was, balances = round_.result, self.balances(owing)
        there = c.CorrectResult(round=number, result=data.draw(self.choices.results), reason="read again")
        if self.table.ask(MANAGER, there, SUPERVISOR).rejection is None:
            back = c.CorrectResult(round=number, result=was, reason="it was right")
            assert self.table.ask(MANAGER, back, DEALER).rejection is None
            assert self.balances(owing) == balances
            self.seen["there and back"] += 1

    @rule(data=DATA)
    def find_out_all(self, data: st.DataObject) -> None:
        """One round after the other was wrong, also those that the table has let go of."""
        seat = data.draw(OPEN_SEAT)
        turned = []
        for wins in (True, False):
            instead = self.end_round(seat, wins, data)
            turned.append((self.table.state.round_number, instead))
        for number, instead in turned:
            do = c.CorrectResult(round=number, result=instead, reason="on camera")
            self.table.ask(MANAGER, do, SUPERVISOR)
        for number in data.draw(st.permutations(range(1, self.table.state.round_number + 1)))[:6]:
            do = c.CorrectResult(round=number, result=data.draw(self.choices.results), reason="on camera")
            self.table.ask(MANAGER, do, SUPERVISOR)
            if self.table.state.over(number) is not None:
                self.settle_carried(number, data)

    def balances(self, owing: set[str]) -> Counter[str]:
        """What every account holds; the credits of seats that owe a shortfall count with it."""
        held = Counter[str]()
        for account, cents in self.table.state.balances.items():
            seat = account.removeprefix("credits/")
            held["shortfall" if account != seat and seat in owing else account] += cents
        return held

    @rule(data=DATA)
    def decide(self, data: st.DataObject) -> None:
        """The shift manager decides on the round that runs or on one of the last."""
        for ruling in data.draw(st.permutations(("void", "return-bets", "none"))):
            self.play_round(data)
            if data.draw(EITHER):
                self.go_on_to("closed", data)
            number = max(1, self.table.state.round_number - data.draw(st.sampled_from((0, 0, 1))))
            on_them = [c.NamedBet(seat, bet) for seat, bet in self.bets_of(number)]
            named = data.draw(st.lists(st.sampled_from(on_them), min_size=1, max_size=3)) if on_them else ()
            do = c.Decide(ruling=ruling, reason="on camera", round=number, bets=tuple(named))
            self.table.ask(SHIFT_MANAGER, do, SUPERVISOR)

    def bets_of(self, number: int) -> list[tuple[str, str]]:
        """The bets of a round, running or kept, by seat."""
        state = self.table.state
        if state.round is not None and state.round.number == number:
            return [(seat.id, bet) for seat in state.seats.values() for bet in seat.stakes]
        parts = state.kept[number].seats if number in state.kept else {}
        return [(seat, line.bet) for seat, part in parts.items() for line in part.lines]

    @rule(data=DATA)
    def interrupt(self, data: st.DataObject) -> None:
        """A technical interruption, short or long, in one phase of the round after the other."""
        for phase in data.draw(st.permutations(PHASES)):
            self.go_on_to(phase, data)
            seconds = data.draw(st.sampled_from((0, 9, 10, 60)))
            self.void(TIMER, c.Interrupt(began_ms=self.table.at_ms - 1000 * seconds))

    @rule(data=DATA)
    def stop_play(self, data: st.DataObject) -> None:
        """Play stops anywhere, the wheel goes on, players try to bet, and people say what happened."""
        for _ in range(data.draw(UP_TO_THREE) + 1):
            self.go_on_to(data.draw(st.sampled_from(PHASES)), data)
            if data.draw(EITHER):
                self.table.ask(SENSOR, data.draw(self.choices.starts))
            stops = (
                c.HaltTable(reason="a sensor is out of order"),
                c.Interrupt(began_ms=self.table.at_ms - data.draw(st.sampled_from((0, 9_000, 60_000)))),
                c.DeclareInterruption(reason="no light", spun=data.draw(EITHER)),
            )
            stop = data.draw(st.sampled_from(stops))
            self.table.ask(SUPERVISOR if isinstance(stop, c.DeclareInterruption) else TIMER, stop)
            for _ in range(data.draw(UP_TO_THREE)):
                report = data.draw(st.one_of(self.choices.starts, self.choices.finishes))
                self.table.ask(SENSOR, report)
            self.bet(data)
            self.table.at_ms += data.draw(st.sampled_from((0, 20, 8_000, 30_000)))
            if self.table.state.halted is not None:
                self.table.ask(SHIFT_MANAGER, c.ResumeTable(reason="looked at"))
                self.bet(data)
            self.table.ask(DEALER, c.EnterResult(result=data.draw(self.choices.results)))
            spun, result = data.draw(EITHER), data.draw(self.choices.outcomes)
            second = data.draw(st.sampled_from((None, DEALER, MANAGER, SHIFT_MANAGER)))
            self.table.ask(SUPERVISOR, c.StateOutcome(result=result, spun=spun), second)

    @rule(data=DATA)
    def leave_small(self, data: st.DataObject) -> None:
        """A bet under the minimum is advised and left as it is, or nobody says anything."""
        for is_advised in data.draw(st.permutations((True, False))):
            self.go_on_to("idle", data)
            self.go_on_to("betting", data)
            seat, bet = data.draw(OPEN_SEAT), data.draw(self.choices.boxes)
            self.make_ready(seat)
            self.table.ask(player(seat), c.PlaceBets(seat=seat, stakes=(c.Stake(bet, 100),)))
            if is_advised:
                self.table.ask(DEALER, c.AdviseMinimum(seat=seat, bet=bet))
            self.table.ask(DEALER, c.CloseBets())
            self.go_on_to("idle", data)

    @rule(data=DATA)
    def hear_late(self, data: st.DataObject) -> None:
        """The sensor tells of a spin whose round is over, and two people say which of them is right."""
        for pocket in data.draw(st.permutations([*self.rules_.book.wheel.outcomes]))[:2]:
            self.go_on_to("closed", data)
            self.table.ask(DEALER, c.StartSpin())
            self.go_on_to("idle", data)
            self.table.ask(SENSOR, c.FinishSpin(revolutions=9, pocket=pocket))
            number = self.table.state.round_number
            self.table.ask(MANAGER, c.UpholdResult(round=number, reason="on camera"), SUPERVISOR)

    @rule(data=DATA)
    def exchange(self, data: st.DataObject) -> None:
        """Credits are bought or paid out, and locks are cleared."""
        seat = data.draw(SEAT)
        do = data.draw(
            st.sampled_from(
                (
                    c.BuyCredits(seat=seat, cents=data.draw(AMOUNTS)),
                    c.BuyCredits(seat=seat, cents=data.draw(AMOUNTS), voucher="V-7"),
                    c.CashOut(seat=seat, voucher="V-8"),
                    c.PayByAttendant(seat=seat),
                    c.ClearLockUp(seat=seat),
                )
            )
        )
        is_pit = isinstance(do, c.PayByAttendant | c.ClearLockUp)
        self.table.ask(SUPERVISOR if is_pit else player(seat), do, DEALER if is_pit else None)

    @rule(data=DATA)
    def call(self, data: st.DataObject) -> None:
        """An attendant is called, and somebody ends the call or nobody."""
        seat = data.draw(SEAT)
        reason = data.draw(st.sampled_from((*CALL_REASONS,)))
        self.table.ask(player(seat), c.CallAttendant(seat=seat, reason=reason))
        self.table.ask(data.draw(st.sampled_from((player(seat), DEALER, TIMER))), c.AnswerCall(seat=seat))

    @rule(data=DATA)
    def seat_them(self, data: st.DataObject) -> None:
        """Terminals are lost and come back; seats are put out of use and into it."""
        seat = data.draw(SEAT)
        kind = data.draw(st.sampled_from(self.rules_.seat_kinds))
        layout = data.draw(layouts(self.rules_))
        self.table.ask(DEALER, c.OpenSeat(seat=seat, kind=kind, layout=layout))
        self.table.ask(TIMER, c.LoseSeat(seat=seat))
        if data.draw(UP_TO_THREE):
            self.table.ask(TIMER, c.RestoreSeat(seat=seat))
            self.table.ask(player(seat), c.CashOut(seat=seat, voucher="V-9"))
            self.table.ask(DEALER, c.CloseSeat(seat=seat))

    @rule(data=DATA)
    def change_limits(self, data: st.DataObject) -> None:
        self.go_on_to("idle", data)
        do = c.ChangeLimits(limits=data.draw(self.choices.limits), reason="a quiet evening")
        self.table.ask(MANAGER, do, SHIFT_MANAGER)

    @rule(data=DATA)
    def warn_and_halt(self, data: st.DataObject) -> None:
        """The timer warns, and something is wrong with the table itself."""
        self.go_on_to("betting", data)
        self.table.ask(TIMER, c.WarnClosing())
        self.table.ask(TIMER, c.HaltTable(reason="books do not agree"))

    @rule(data=DATA)
    def close_table(self, data: st.DataObject) -> None:
        self.table.ask(DEALER, c.AnnounceLastRound())
        self.go_on_to("idle", data)
        self.table.ask(SUPERVISOR, c.CloseTable())

    @rule(data=DATA)
    def repeat(self, data: st.DataObject) -> None:
        """Commands of just now and of long ago are sent again."""
        last = len(self.table.given) - 1
        for most in (4, 40, last):
            self.table.give_again(last - data.draw(st.integers(0, min(last, most))))

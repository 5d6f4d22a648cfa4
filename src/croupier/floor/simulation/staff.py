"""The staff of a simulated table: they do their work by what the screens show, and make mistakes."""

import asyncio
from random import Random

from croupier.floor.simulation.house import CLOCK, House
from croupier.floor.simulation.people import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR
from croupier.floor.simulation.sender import Sender
from croupier.floor.simulation.sensor import Sensor
from croupier.floor.simulation.trouble import Trouble
from croupier.floor.simulation.wheel import Wheel
from croupier.rulebook import Book
from croupier.table import WHEEL, Actor, NamedBet, Rules, State
from croupier.table import commands as c
from croupier.table.state import BETTING, CLOSED, RESULTED, Dispute, Spin
from croupier.table.wheel_faults import WHEEL_FAULTS


class Staff:
    """Dealer, supervisor, managers and the wheel of one table."""

    def __init__(
        self,
        house: House,
        book: Book,
        seats: list[str],
        trouble: Trouble,
        random: Random,
        wheel_random: Random,
    ) -> None:
        self._house = house
        self._wheel_random = wheel_random
        self._book = book
        self._seats = seats
        self._random = random
        self.wheel = self._wheel = Wheel(book, random)
        self.sensor = Sensor(house, self._wheel, trouble, random)

        def sender(actor: Actor) -> Sender:
            return Sender(house, f"{actor.id}/{house.table}", actor, trouble, random)

        self._dealer, self._supervisor, self._manager = sender(DEALER), sender(SUPERVISOR), sender(MANAGER)
        self._shift_manager = sender(SHIFT_MANAGER)
        self._voice = Sender(house, f"{SENSOR.id}/{house.table}/voice", SENSOR, trouble, wheel_random)
        self.senders = [
            self._dealer,
            self._supervisor,
            self._manager,
            self._shift_manager,
            self.sensor.sender,
            self._voice,
        ]

    async def deal(self, is_over: asyncio.Event) -> None:
        """Runs round after round until the time is over."""
        while not is_over.is_set():
            state = await self._house.look()
            if state is None:
                await asyncio.sleep(0.5)
            elif state.awaits_outcome:
                await self._state_outcome()
            elif not state.open:
                await self._open(state)
            elif state.round is None:
                await self._between_rounds(state)
            else:
                await self._in_round(state)
            await asyncio.sleep(self._random.uniform(0, 1))

    async def supervise(self, is_over: asyncio.Event) -> None:
        """Goes to seats that wait for somebody."""
        while not is_over.is_set():
            state = await self._house.look()
            seats = [] if state is None else [*state.seats.values()]
            for seat in seats:
                if seat.lock is not None:
                    kind = self._random.choice((c.ClearLockUp, c.PayByAttendant))
                    await self._supervisor.ask(kind(seat=seat.id), DEALER)
                elif seat.lost and self._random.random() < 0.2:
                    await self._house.report(c.RestoreSeat(seat=seat.id))
                elif seat.lost and self._random.random() < 0.2:
                    second = self._random.choice((DEALER, None))
                    await self._supervisor.ask(c.PayByAttendant(seat=seat.id), second)
            for number, dispute in [] if state is None else [*state.disputes.items()]:
                await self._end_dispute(number, dispute)
            await asyncio.sleep(self._random.uniform(1, 5))

    async def lose_terminals(self, is_over: asyncio.Event) -> None:
        """Terminals stop answering and come back."""
        while not is_over.is_set():
            await asyncio.sleep(self._random.uniform(0, 60))
            seat = self._random.choice(self._seats)
            await self._house.report(c.LoseSeat(seat=seat))
            await asyncio.sleep(self._random.uniform(0, 10))
            await self._house.report(c.RestoreSeat(seat=seat))

    async def speak(self, is_over: asyncio.Event) -> None:
        """The wheel binds itself to spins, opens what it was bound to, and now and then has a fault."""
        random = self._wheel_random
        while not is_over.is_set():
            await asyncio.sleep(random.uniform(0, 30))
            state = await self._house.look()
            if state is None:
                continue
            unopened = [
                number for number, kept in state.kept.items() if kept.commitment and kept.opening is None
            ]
            if unopened:
                await self._voice.ask(c.OpenCommitment(round=unopened[0], opening="as it was drawn"))
            elif random.random() < 0.2 and state.wheel_fault is None:
                await self._voice.ask(c.ReportWheel(fault=random.choice([*WHEEL_FAULTS])))
            elif state.wheel_fault is not None:
                await self._voice.ask(c.ReportWheel(fault=None))
            else:
                await self._voice.ask(c.CommitSpin(commitment=f"{random.getrandbits(256):064x}"))

    async def _open(self, state: State) -> None:
        layouts = state.settings.layouts
        for place, seat in enumerate(self._seats):
            layout = layouts[place % len(layouts)]
            kinds = Rules(self._book, layout).seat_kinds
            if seat not in state.seats:
                kind = self._random.choice(kinds)
                await self._dealer.ask(c.OpenSeat(seat=seat, kind=kind, layout=layout))
        await self._supervisor.ask(c.OpenTable())

    async def _between_rounds(self, state: State) -> None:
        lot, number = self._random.random(), state.round_number
        if state.rounds_left == 0:
            await self._supervisor.ask(c.CloseTable())
        elif lot < 0.02:
            await self._dealer.ask(c.AnnounceLastRound())
        elif lot < 0.04:
            await self._manager.ask(c.ChangeLimits(limits=state.limits, reason="as before"), SUPERVISOR)
        elif lot < 0.25 and number:
            # Some are found out at once, and some when the table has long let go of them.
            back = 2 if self._random.random() < 0.7 else number
            await self._put_right(self._random.randint(max(1, number - back), number))
        elif lot < 0.3 and number:
            await self._rule(state, number)
        elif lot < 0.32:
            await self._dealer.ask(c.CloseSeat(seat=self._random.choice(self._seats)))
        elif lot < 0.4 and (left_open := _left_open(state)):
            await self._manager.ask(self._random.choice(left_open), SUPERVISOR)
        elif unused := [seat for seat in state.seats.values() if not seat.in_use]:
            layout = self._random.choice(state.settings.layouts)
            await self._dealer.ask(c.OpenSeat(seat=unused[0].id, kind=unused[0].kind, layout=layout))
        else:
            await self._dealer.ask(c.OpenRound())

    async def _put_right(self, number: int) -> None:
        if self._random.random() < 0.3:
            cause = self._random.choice(("ball-broken", self._wheel.irregularity()))
            await self._manager.ask(c.DeclareIrregularity(cause=cause, rounds=(number,)), SUPERVISOR)
        else:
            correct = c.CorrectResult(round=number, result=self._wheel.result(), reason="looked again")
            await self._manager.ask(correct, SUPERVISOR)

    async def _rule(self, state: State, number: int) -> None:
        """The shift manager decides something about the round that runs or the last one."""
        bets = [
            NamedBet(seat.id, bet)
            for seat in state.seats.values()
            for bet in seat.stakes
            if self._random.random() < 0.3
        ]
        if not bets and (over := state.over(number)) is not None:
            bets = [
                NamedBet(seat, line.bet)
                for seat, part in over.seats.items()
                for line in part.lines
                if self._random.random() < 0.3
            ]
        ruling = self._random.choice(("void", "return-bets", "none"))
        await self._shift_manager.ask(
            c.Decide(
                ruling=ruling,
                reason="not covered",
                round=number,
                bets=tuple(bets) if ruling == "return-bets" else (),
            )
        )

    async def _in_round(self, state: State) -> None:
        round_ = state.round
        if round_ is None:
            return
        if self._random.random() < 0.03:
            await self._rule(state, round_.number)
        elif self._random.random() < 0.03:
            await self._dealer.ask(c.CallNoSpin(reason="no spin"))
        elif round_.phase == BETTING:
            await self._while_betting(state)
        elif round_.phase == CLOSED:
            await self._spin(round_.number)
        elif round_.phase == RESULTED:
            await self._confirm(round_.number, str(round_.result))
        else:
            await self._end_spin(state, round_.spin)

    async def _while_betting(self, state: State) -> None:
        """Bets stay open for some seconds; the ball may roll already, and boxes are looked after."""
        round_, lot = state.round, self._random.random()
        if round_ is None:
            return
        if lot < 0.15:
            await self._dealer.ask(c.CloseBets())
        elif lot < 0.25 and round_.spin is None:
            await self._spin(round_.number)
        elif lot < 0.25 and round_.spin is not None:
            await self._end_spin(state, round_.spin)
        elif lot < 0.5 and self._book.limits.value == "mark-box" and round_.spots:
            await self._look_at_box(state, self._random.choice([*round_.spots]))
        else:
            await asyncio.sleep(self._random.uniform(0, 4))

    async def _look_at_box(self, state: State, bet: str) -> None:
        advised = [] if state.round is None else [*state.round.advised.items()]
        if advised and self._random.random() < 0.3:
            seat, bets = self._random.choice(advised)
            await self._dealer.ask(c.RejectAdvised(seat=seat, bet=bets[0]))
        elif self._random.random() < 0.7:
            await self._dealer.ask(c.RejectExcess(bet=self._random.choice((bet, bet, "table"))))
        else:
            seat = self._random.choice(self._seats)
            await self._dealer.ask(c.AdviseMinimum(seat=seat, bet=bet))

    async def _spin(self, number: int) -> None:
        """The ball is spun; the sensor sees it begin, or only end, or nothing of it."""
        lot, roll = self._random.random(), self._wheel.roll(CLOCK.now_ms())
        if lot < 0.6:
            reply = await self.sensor.see_launch(roll)
        else:
            reply = await self._dealer.ask(self._wheel.start(), rests_ms=roll.rests_ms)
        if reply.rejection is None and lot < 0.8:
            self.sensor.watch(number, roll)

    async def _end_spin(self, state: State, spin: Spin | None) -> None:
        """What the sensor saw is entered, mostly; otherwise two people enter what they read."""
        lot = self._random.random()
        has_sensor = state.settings.spin_source != "hand" or (spin is not None and spin.started_by == WHEEL)
        is_watched = (
            spin is not None
            and spin.started_by == WHEEL != spin.finished_by
            and state.wheel_fault is None
            and not spin.faulted
        )
        if lot < 0.08:
            do = c.DeclareIrregularity(cause=self._wheel.irregularity(), note="seen")
            await self._dealer.ask(do, self._random.choice((None, None, SUPERVISOR)))
        elif spin is not None and spin.sensed is not None and lot < 0.9:
            await self._random.choice((self._dealer, self.sensor.sender)).ask(
                c.EnterResult(result=spin.sensed)
            )
        elif is_watched and lot < 0.9:
            await asyncio.sleep(self._random.uniform(0, 2))
        elif lot < 0.3 and not has_sensor:
            await self._dealer.ask(self._wheel.finish())
        else:
            second = self._random.choice((DEALER, DEALER, None)) if has_sensor else None
            await self._supervisor.ask(c.EnterResult(result=self._wheel.reading()), second)

    async def _state_outcome(self) -> None:
        """A supervisor says what lies on the wheel, at once or later, alone or with somebody above."""
        if self._random.random() < 0.5:
            await asyncio.sleep(self._random.uniform(1, 8))
        do = c.StateOutcome(
            result=self._random.choice((None, self._wheel.reading(), self._wheel.reading())),
            spun=self._random.random() < 0.5,
        )
        await self._supervisor.ask(do, self._random.choice((None, MANAGER, SHIFT_MANAGER)))

    async def _confirm(self, number: int, result: str) -> None:
        if self._random.random() < 0.1:
            correct = c.CorrectResult(round=number, result=self._wheel.reading(), reason="misread")
            await self._supervisor.ask(correct, self._random.choice((None, DEALER)))
        else:
            second = SUPERVISOR if self._random.random() < 0.2 else None
            await self._dealer.ask(c.ConfirmResult(result=result), second)

    async def _end_dispute(self, number: int, dispute: Dispute) -> None:
        """Two people of the pit look at the film: the sensor was right, or it was not."""
        do: c.Do = c.UpholdResult(round=number, reason="the film shows it")
        if dispute.registered is not None and dispute.sensed is not None and self._random.random() < 0.5:
            do = c.CorrectResult(round=number, result=dispute.sensed, reason="as the sensor says")
        await self._shift_manager.ask(do, MANAGER)

    async def end_disputes(self) -> None:
        """Nothing is left open at the end: whatever the sensor still contradicts is decided."""
        await self.sensor.drain()
        while (state := await self._house.look()) is None or state.disputes:
            for number in [] if state is None else [*state.disputes]:
                do = c.UpholdResult(round=number, reason="the film shows it")
                await self._shift_manager.ask(do, MANAGER)
            await asyncio.sleep(0.5)


def _left_open(state: State) -> list[c.SettleCarried]:
    """How what corrections have left open with seats may end, however many rounds were played since."""
    return [
        c.SettleCarried(
            round=number, seat=seat, how=how, cents=abs(part.carried_cents), reason="spoken with the player"
        )
        for number, kept in (state.owing | state.kept).items()
        for seat, part in kept.seats.items()
        if part.carried_cents
        for how in (("paid",) if part.carried_cents > 0 else ("collected", "written-off"))
    ]

"""The staff of a simulated table: they do their work by what the screens show, and make mistakes."""

import asyncio
from random import Random

from croupier.floor.simulation.house import House
from croupier.floor.simulation.people import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR
from croupier.floor.simulation.sender import Sender
from croupier.floor.simulation.trouble import Trouble
from croupier.floor.simulation.wheel import Wheel
from croupier.rulebook import Book
from croupier.table import Actor, NamedBet, Rules, State
from croupier.table import commands as c
from croupier.table.state import BETTING, CLOSED, RESULTED, Spin
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
        self._wheel = Wheel(book, random)

        def sender(actor: Actor) -> Sender:
            return Sender(house, f"{actor.id}/{house.table}", actor, trouble, random)

        self._dealer, self._supervisor, self._manager = sender(DEALER), sender(SUPERVISOR), sender(MANAGER)
        self._shift_manager, self._sensor = sender(SHIFT_MANAGER), sender(SENSOR)
        self._voice = Sender(house, f"{SENSOR.id}/{house.table}/voice", SENSOR, trouble, wheel_random)
        self.senders = [
            self._dealer,
            self._supervisor,
            self._manager,
            self._shift_manager,
            self._sensor,
            self._voice,
        ]

    async def deal(self, is_over: asyncio.Event) -> None:
        """Runs round after round until the time is over."""
        while not is_over.is_set():
            state = await self._house.look()
            if state is None:
                await asyncio.sleep(0.5)
            elif state.awaits_outcome:
                result = self._random.choice((None, self._wheel.result()))
                await self._supervisor.ask(c.StateOutcome(result=result))
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
            if seats and self._random.random() < 0.1:
                await self._play_for(self._random.choice(seats).id)
            await asyncio.sleep(self._random.uniform(1, 5))

    async def _play_for(self, seat: str) -> None:
        """The dealer does what is the player's: most books refuse it, and the Money Wheel lets staff bet."""
        (bet, *_) = next(iter(self._book.layouts.values())).bets
        stakes = (c.Stake(bet, 500),)
        acts = (
            c.PlaceBets(seat=seat, stakes=stakes),
            c.TakeBets(seat=seat, stakes=stakes),
            c.ClearBets(seat=seat),
            c.CashOut(seat=seat, voucher=f"{self._random.getrandbits(58):018}"),
        )
        await self._dealer.ask(self._random.choice(acts))

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
                await self._house.report(c.ReportWheel(fault=None))
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
            do = c.DeclareIrregularity(cause="ball-broken", rounds=(number,))
            await self._manager.ask(do, SUPERVISOR)
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
            await self._who_spins().ask(self._wheel.start())
        elif round_.phase == RESULTED:
            await self._confirm(round_.number, str(round_.result))
        else:
            await self._end_spin(round_.spin)

    async def _while_betting(self, state: State) -> None:
        """Bets stay open for some seconds; the ball may roll already, and boxes are looked after."""
        round_, lot = state.round, self._random.random()
        if round_ is None:
            return
        if lot < 0.15:
            await self._dealer.ask(c.CloseBets())
        elif lot < 0.2 and round_.spin is None:
            await self._who_spins().ask(self._wheel.start())
        elif lot < 0.25 and round_.spin is not None:
            await self._end_spin(round_.spin)
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

    async def _end_spin(self, spin: Spin | None) -> None:
        """What the sensor saw is entered, mostly; a supervisor may enter something else."""
        lot = self._random.random()
        sensed = None if spin is None else spin.pocket
        if lot < 0.1:
            await self._dealer.ask(c.DeclareIrregularity(cause=self._wheel.irregularity(), note="seen"))
        elif lot < 0.5 and spin is not None and spin.finished_by is None:
            await self._who_spins().ask(self._wheel.finish())
        elif lot < 0.6:
            await self._supervisor.ask(c.EnterResult(result=self._wheel.result()))
        else:
            await self._who_spins().ask(c.EnterResult(result=sensed or self._wheel.result()))

    async def _confirm(self, number: int, result: str) -> None:
        if self._random.random() < 0.1:
            reason = "misread"
            await self._supervisor.ask(
                c.CorrectResult(round=number, result=self._wheel.result(), reason=reason)
            )
        else:
            await self._dealer.ask(c.ConfirmResult(result=result))

    def _who_spins(self) -> Sender:
        return self._random.choice((self._dealer, self._sensor))


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

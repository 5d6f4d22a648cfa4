"""A dealer, with a supervisor who helps, who knows results early and plays with other people's money."""

from random import Random

from croupier.floor.cage.numbers import DIGITS, is_voucher_number
from croupier.floor.simulation.house import House
from croupier.floor.simulation.people import MANAGER, MEDDLER, MEDDLING_SUPERVISOR, SUPERVISOR
from croupier.floor.simulation.sender import Sender
from croupier.floor.simulation.trouble import Trouble
from croupier.floor.simulation.wheel import Wheel
from croupier.rulebook import Book
from croupier.table import Actor, State
from croupier.table import commands as c

DENIED = ("too-few-revolutions", "no-compartment", "same-direction", "wheel-still", "ball-out")
"""What a sensor can contradict."""


class Meddler:
    """Does at a table what none of its positions allows, and what they allow only at another moment."""

    def __init__(
        self,
        house: House,
        book: Book,
        seats: list[str],
        wheel: Wheel,
        trouble: Trouble,
        random: Random,
    ) -> None:
        self._house = house
        self._bets = [bet for layout in book.layouts.values() for bet in layout.bets]
        self._causes = [cause for cause in DENIED if cause in book.irregularities]
        self._breaks = "ball-broken" in book.irregularities
        self._seats = seats
        self._wheel = wheel
        self._random = random

        def sender(actor: Actor) -> Sender:
            return Sender(house, f"{actor.id}/{house.table}", actor, trouble, random)

        self._dealer, self._supervisor = sender(MEDDLER), sender(MEDDLING_SUPERVISOR)
        self.senders = [self._dealer, self._supervisor]

    async def meddle(self) -> None:
        """One attempt, by what the screens show."""
        state = await self._house.look()
        if state is None:
            return
        self._house.counts["attempts of a meddling dealer"] += 1
        lot = self._random.random()
        if lot < 0.3:
            await self._play_for_a_player(state)
        elif state.awaits_outcome:
            spin = None if state.round is None else state.round.spin
            is_allowed = spin is not None and not spin.in_halt and spin.sensed is None
            if is_allowed and self._random.random() < 0.8:
                return  # one may say what one likes; it gets interesting when the sensor has spoken
            do = c.StateOutcome(result=self._wheel.result(), spun=self._random.random() < 0.7)
            await self._supervisor.ask(do, self._helper())
        elif state.round is None:
            return
        elif lot < 0.6:
            await self._know_the_result(state)
        elif lot < 0.75:
            await self._dealer.ask(
                c.DeclareIrregularity(cause=self._random.choice(self._causes)), self._helper()
            )
        elif self._breaks and state.round_number > 1:
            do_break = c.DeclareIrregularity(cause="ball-broken", rounds=(state.round_number - 1,))
            await self._supervisor.ask(do_break, MANAGER)

    async def _know_the_result(self, state: State) -> None:
        """Enters a number before the ball rests, or another one than it lies in, and confirms it."""
        result = self._wheel.result()
        if state.round is not None and state.round.result is not None:
            result = state.round.result
        elif self._random.random() < 0.3:
            revolutions = self._random.choice((2, 6))
            await self._dealer.ask(c.FinishSpin(revolutions=revolutions, pocket=result))
        else:
            await self._dealer.ask(c.EnterResult(result=result), self._helper())
        await self._dealer.ask(c.ConfirmResult(result=result))

    async def _play_for_a_player(self, state: State) -> None:
        """Bets, moves, clears or cashes out at somebody's seat."""
        seat, lot = self._random.choice(self._seats), self._random.random()
        laid = [*state.seats[seat].stakes] if seat in state.seats else []
        bet = self._random.choice(self._bets)
        if lot < 0.2:
            await self._dealer.ask(c.CashOut(seat=seat, voucher=self._new_number()))
        elif laid and lot < 0.4:
            await self._dealer.ask(c.ClearBets(seat=seat))
        elif laid and lot < 0.5:
            await self._dealer.ask(c.TakeBets(seat=seat, stakes=(c.Stake(laid[0], 100),)))
        elif laid and lot < 0.6:
            await self._dealer.ask(c.MoveBet(seat=seat, source=laid[0], destination=bet, cents=100))
        else:
            await self._dealer.ask(c.PlaceBets(seat=seat, stakes=(c.Stake(bet, 500),)), self._helper())

    def _helper(self) -> Actor | None:
        """A second person, or the same one again, or none."""
        return self._random.choice((None, None, MEDDLER, MEDDLING_SUPERVISOR, SUPERVISOR))

    def _new_number(self) -> str:
        digits = f"{self._random.randrange(10 ** (DIGITS - 1)):0{DIGITS - 1}}"
        return next(digits + check for check in "0123456789" if is_voucher_number(digits + check))

"""A simulated player: buys in, bets, changes bets, cashes out, and takes the voucher to another table."""

import asyncio
from random import Random

from croupier.floor.cage.numbers import DIGITS, is_voucher_number
from croupier.floor.cage.vouchers import issued_cents_of
from croupier.floor.simulation.cashier import Cashier
from croupier.floor.simulation.house import House
from croupier.floor.simulation.people import player
from croupier.floor.simulation.sender import Sender
from croupier.floor.simulation.trouble import Trouble
from croupier.journal import Store
from croupier.rulebook import Book, Layout
from croupier.table import Do, State
from croupier.table import commands as c
from croupier.table.state import BETTING


class Player:
    """Has the same seat number at every table, and sits at one of them at a time."""

    def __init__(
        self,
        seat: str,
        places: list[tuple[House, Book]],
        store: Store,
        cashier: Cashier,
        trouble: Trouble,
        random: Random,
    ) -> None:
        self._seat = seat
        self._books = {house.table: book for house, book in places}
        self._store = store
        self._cashier = cashier
        self._random = random
        actor = player(seat)
        self.senders = [Sender(house, actor.id, actor, trouble, random) for house, _ in places]
        self._vouchers: list[str] = []

    async def play(self, is_over: asyncio.Event) -> None:
        """Plays here and there until the time is over."""
        at = self._random.choice(self.senders)
        while not is_over.is_set():
            state = await at.house.look()
            seat = None if state is None or not state.open else state.seats.get(self._seat)
            if state is None or seat is None or not seat.in_use:
                await asyncio.sleep(0.5)
                at = self._random.choice([at, at, *self.senders])
            elif state.credits_cents(seat.id) < 1_000 and not seat.stakes:
                await self._buy(at)
            elif not seat.stakes and self._random.random() < 0.15:
                at = await self._cash_out(at)
            elif state.round is not None and state.round.phase == BETTING:
                await self._bet(at, state)
            await asyncio.sleep(self._random.uniform(0, 1))

    async def _buy(self, at: Sender) -> None:
        """With a voucher where there is one; some try the same one at two tables at once."""
        if not self._vouchers or self._random.random() < 0.2:
            cash_cents = self._random.choice((10_000, 50_000, 200_000, 500_000))
            await at.ask(c.BuyCredits(seat=self._seat, cents=cash_cents))
            return
        voucher = self._random.choice(self._vouchers)
        if self._random.random() < 0.9:
            self._vouchers.remove(voucher)
        cents = self._worth(voucher)
        if cents is not None and self._random.random() < 0.2:
            await self._cashier.pay(voucher, cents)
        elif cents is not None:
            do = c.BuyCredits(seat=self._seat, cents=cents, voucher=voucher)
            tellers = [at, *(self._random.sample(self.senders, 1) if self._random.random() < 0.2 else ())]
            await asyncio.gather(*(teller.ask(do) for teller in tellers))

    def _worth(self, voucher: str) -> int | None:
        """What is printed on a voucher; None where an attendant was called instead."""
        return issued_cents_of(self._store, voucher)

    async def _cash_out(self, at: Sender) -> Sender:
        voucher = self._new_number()
        reply = await at.ask(c.CashOut(seat=self._seat, voucher=voucher))
        if reply.rejection is not None:
            return at
        self._vouchers.append(voucher)
        return self._random.choice(self.senders)

    def _new_number(self) -> str:
        """A number as terminals print it, and the same one for the same seed."""
        digits = f"{self._random.randrange(10 ** (DIGITS - 1)):0{DIGITS - 1}}"
        return next(digits + check for check in "0123456789" if is_voucher_number(digits + check))

    async def _bet(self, at: Sender, state: State) -> None:
        """One thing, or two at once that may arrive in any order."""
        several = 2 if self._random.random() < 0.3 else 1
        await asyncio.gather(*(at.ask(self._change(at.house.table, state)) for _ in range(several)))

    def _change(self, table: str, state: State) -> Do:
        lot, seat = self._random.random(), self._seat
        layout = self._books[table].layouts[state.seats[seat].layout]
        on_table = list(state.seats[seat].stakes)
        if on_table and lot < 0.1:
            return c.ClearBets(seat=seat)
        if on_table and lot < 0.25:
            bet = self._random.choice(on_table)
            return c.TakeBets(seat=seat, stakes=(c.Stake(bet, self._some_of(state, bet)),))
        if on_table and lot < 0.4:
            bet = self._random.choice(on_table)
            destination = self._random.choice(list(layout.bets))
            cents = self._some_of(state, bet)
            return c.MoveBet(seat=seat, source=bet, destination=destination, cents=cents)
        stakes = [c.Stake(self._anything(layout), self._cents()) for _ in range(self._random.randint(1, 3))]
        return c.PlaceBets(seat=seat, stakes=tuple(stakes))

    def _some_of(self, state: State, bet: str) -> int:
        """All of a bet, or some of it, or more than lies there."""
        cents = state.seats[self._seat].stakes[bet]
        return self._random.choice((cents, cents, max(1, cents - 100), cents + 100))

    def _anything(self, layout: Layout) -> str:
        if layout.announced and self._random.random() < 0.2:
            return self._random.choice(list(layout.announced))
        if self._random.random() < 0.02:
            return "no such bet"
        return self._random.choice(list(layout.bets))

    def _cents(self) -> int:
        return 50 if self._random.random() < 0.03 else self._random.choice((100, 200, 500, 2_500, 10_000))

"""Tables played at random, the same way for the same seed, so that their journals hold everything."""

import random
from typing import Any

from croupier.rulebook import load_book
from croupier.rulebook.vocabulary import VOIDING
from croupier.table import Limits, Range, Rules
from croupier.table import commands as c
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, Layouts, Play, player

SEATS = ("1", "2", "3", "4")
GAMES = (
    ("mbs-roulette", "main"),
    ("rws-roulette-00", "A"),
    ("rws-roulette-00", "B"),
    ("rws-roulette-000", "main"),
    ("rws-money-wheel", "main"),
    ("rws-roulette-00", ("A", "B")),
)
DIRECTIONS = ("clockwise", "counter-clockwise")
REASON = "seen on camera"


class RandomTable:
    """Players and staff who mostly do what comes next, and now and then something else."""

    def __init__(self, seed: int, book: str = "mbs-roulette", layout: Layouts = "main") -> None:
        self.seed = seed
        self.dice = random.Random(f"{seed} {book} {layout}")
        self.play = Play(book, layout, **self._settings(Rules(load_book(book), layout)))
        self.vouchers: dict[str, int] = {}
        self.issued = 0
        self.rules = self.play.rules
        first = self.rules.layout.bets
        self.bets = [*(bet for bet in self.rules.bets if bet not in first), *first]
        self.results = [*self.rules.book.wheel.outcomes]
        self.causes = [i.cause for i in self.rules.book.irregularities.values() if i.consequence in VOIDING]
        self.play.do(SUPERVISOR, c.OpenTable())
        for place, seat in enumerate(SEATS):
            kind, layout = (
                self.dice.choice(self.rules.seat_kinds),
                [*self.rules.layouts][place % len(self.rules.layouts)],
            )
            self.play.do(DEALER, c.OpenSeat(seat=seat, kind=kind, layout=layout))
            self.play.do(player(seat), c.BuyCredits(seat=seat, cents=20_000))

    def _settings(self, rules: Rules) -> dict[str, Any]:
        kinds = sorted({bet.kind for bet in rules.bets.values()})
        limit = Range(minimum_cents=200, maximum_cents=3_000 if rules.marks_boxes else 20_000)
        limits = Limits(bets=dict.fromkeys(kinds, limit), table_cents=15_000 if rules.marks_boxes else None)
        return {"limits": limits, "lock_up_cents": 40_000, "voucher_limit_cents": 60_000, "rounds_kept": 5}

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def some_bet(self) -> str:
        if self.chance(0.5):
            return self.dice.choice(self.bets[-12:])  # the outside: they win often
        return self.dice.choice(self.bets)

    def rounds(self, count: int) -> Play:
        """Plays so many rounds and what goes on between them."""
        for _ in range(count):
            self.play.ask(DEALER, c.OpenRound())
            self._bets()
            if self.chance(0.2):
                self.play.ask(TIMER, c.WarnClosing())
            self._end_round()
            self._between()
            self.play.wait(self.dice.choice((1, 5, 40)))
        return self.play

    def _bets(self) -> None:
        for _ in range(self.dice.randrange(2, 12)):
            seat = self.dice.choice(SEATS)
            amount = self.dice.choice((100, 200, 500, 1_000, 2_500))
            stakes = tuple(c.Stake(self.some_bet(), amount) for _ in range(self.dice.choice((1, 1, 2))))
            own = [*self.play.state.seats[seat].stakes.items()]
            do: c.Do = c.PlaceBets(seat=seat, stakes=stakes)
            if own and self.chance(0.25):
                bet, cents = self.dice.choice(own)
                do = self.dice.choice(
                    (
                        c.ClearBets(seat=seat),
                        c.MoveBet(seat=seat, source=bet, destination=self.some_bet(), cents=cents),
                        c.TakeBets(seat=seat, stakes=(c.Stake(bet, max(1, cents // 2)),)),
                    )
                )
            elif self.chance(0.15) and self.rules.layout.announced:
                name = self.dice.choice([*self.rules.layout.announced])
                do = c.PlaceBets(seat=seat, stakes=(c.Stake(name, 200),))
            self.play.ask(DEALER if self.chance(0.1) else player(seat), do)
            if self.rules.marks_boxes:
                self._boxes(seat)
            if self.chance(0.03):
                self.play.wait(35)
            self._money(seat)

    def _boxes(self, seat: str) -> None:
        if self.chance(0.3):
            self.play.ask(DEALER, c.RejectExcess(bet=self.dice.choice((*self.bets, "table", "table"))))
        if self.chance(0.1):
            self.play.ask(DEALER, c.AdviseMinimum(seat=seat, bet=self.dice.choice(self.bets)))
        round_ = self.play.state.round
        if round_ is not None and round_.advised and self.chance(0.3):
            advised = [(seat, bet) for seat, bets in round_.advised.items() for bet in bets]
            own, bet = self.dice.choice(advised)
            self.play.ask(DEALER, c.RejectAdvised(seat=own, bet=bet))

    def _money(self, seat: str) -> None:
        """Buys and pays out now and then, also in the middle of a round."""
        if self.play.credits(seat) < 1_000 and self.chance(0.6):
            self._buy(seat)
        elif self.chance(0.05):
            self.issued += 1
            number = f"R-{self.seed}-{self.issued}"
            cents = self.play.credits(seat)
            reply = self.play.ask(player(seat), c.CashOut(seat=seat, voucher=number))
            if any(getattr(entry.event, "voucher", None) for entry in reply.entries):
                self.vouchers[number] = cents
        elif self.chance(0.05):
            self.play.ask(
                SUPERVISOR, self.dice.choice((c.PayByAttendant(seat=seat), c.ClearLockUp(seat=seat)))
            )
        elif self.chance(0.03):
            self.play.ask(TIMER, self.dice.choice((c.LoseSeat(seat=seat), c.RestoreSeat(seat=seat))))

    def _buy(self, seat: str) -> None:
        do = c.BuyCredits(seat=seat, cents=10_000)
        if self.vouchers and self.chance(0.5):
            number = self.dice.choice([*self.vouchers])
            do = c.BuyCredits(seat=seat, cents=self.vouchers[number], voucher=number)
            if self.play.ask(player(seat), do).rejection is None:
                del self.vouchers[number]
            return
        self.play.ask(player(seat), do)

    def _end_round(self) -> None:
        """Takes the round to its end by one way or another."""
        while (round_ := self.play.state.round) is not None:
            if self.chance(0.04):
                self._interrupt()
            elif self.play.state.awaits_outcome:
                result = None if self.chance(0.4) else self.dice.choice(self.results)
                self.play.ask(SUPERVISOR, c.StateOutcome(result=result), SHIFT_MANAGER)
            elif self.chance(0.03):
                self.play.ask(DEALER, c.DeclareIrregularity(cause=self.dice.choice(self.causes)))
            elif self.chance(0.02):
                self.play.ask(DEALER, c.CallNoSpin(reason=REASON))
            elif self.chance(0.05):
                self._decide(round_.number)
            elif self.chance(0.02):
                self.play.ask(TIMER, c.HaltTable(reason=REASON))
                self.play.ask(DEALER, c.CloseBets())
                self.play.wait(self.dice.choice((0, 9, 10)))
                self.play.ask(SHIFT_MANAGER, c.ResumeTable(reason=REASON))
            else:
                self._step(round_.phase)

    def _step(self, phase: str) -> None:
        result = self.dice.choice(self.results)
        directions = self.dice.choice(
            (DIRECTIONS, DIRECTIONS, DIRECTIONS[::-1], (None, None), (DIRECTIONS[0],) * 2)
        )
        ball, wheel = directions if self.rules.book.wheel.kind == "ball" else (None, directions[1])
        spin = c.StartSpin(ball=ball, wheel=wheel, wheel_turning=self.dice.choice((True, True, None)))
        round_ = self.play.state.round
        assert round_ is not None
        if phase == "betting":
            actor = self.dice.choice((DEALER, TIMER, SENSOR))
            if actor is TIMER and round_.closes_ms is not None:
                self.play.wait(max(0, round_.closes_ms - self.play.at_ms) / 1_000)
            self.play.ask(actor, self.dice.choice((c.CloseBets(), spin)))
        elif round_.spin is None:
            self.play.ask(self.dice.choice((DEALER, SENSOR)), spin)
        elif round_.spin.finished_by is None and self.chance(0.5):
            revolutions = self.dice.choice((None, 6, 6, 6, 6, 6, 2))
            self.play.ask(
                SENSOR, c.FinishSpin(revolutions=revolutions, pocket=self.dice.choice((None, result)))
            )
        elif phase == "resulted":
            assert round_.result is not None
            if self.chance(0.1):
                do = c.CorrectResult(round=round_.number, result=result, reason=REASON)
                self.play.ask(self.dice.choice((DEALER, SUPERVISOR)), do, MANAGER)
            else:
                self.play.ask(DEALER, c.ConfirmResult(result=round_.result), SUPERVISOR)
        elif round_.spin.started_by == SENSOR.position and round_.spin.finished_by is None:
            self.play.ask(SENSOR, c.FinishSpin(revolutions=6, pocket=result))
        else:
            self.play.ask(
                self.dice.choice((DEALER, SUPERVISOR)),
                c.EnterResult(result=round_.spin.pocket or result),
                MANAGER,
            )

    def _interrupt(self) -> None:
        began = self.play.at_ms
        self.play.wait(self.dice.choice((2, 15)))
        self.play.ask(TIMER, c.Interrupt(began_ms=began))

    def _decide(self, number: int) -> None:
        ruling = self.dice.choice(("void", "return-bets", "none"))
        state = self.play.state
        named = [c.NamedBet(seat.id, bet) for seat in state.seats.values() for bet in seat.stakes]
        if number in state.kept:
            parts = state.kept[number].seats.items()
            named = [c.NamedBet(seat, line.bet) for seat, part in parts for line in part.lines]
        do = c.Decide(
            ruling=ruling,
            reason=REASON,
            round=number,
            bets=tuple(self.dice.sample(named, min(len(named), self.dice.choice((1, 2))))),
        )
        self.play.ask(SHIFT_MANAGER, do, second=SUPERVISOR)

    def _between(self) -> None:
        """Corrects, decides and rearranges while no round runs."""
        last = self.play.state.round_number
        for _ in range(self.dice.choice((0, 0, 1, 2))):
            number = max(1, last - self.dice.choice((0, 0, 1, 3)))
            choice = self.dice.randrange(6)
            if choice < 3:
                do = c.CorrectResult(round=number, result=self.dice.choice(self.results), reason=REASON)
                self.play.ask(MANAGER, do, second=SUPERVISOR)
            elif choice == 3:
                self._decide(number)
            elif choice == 4 and self.chance(0.3):
                do_void = c.DeclareIrregularity(cause=self.dice.choice(self.causes), rounds=(number,))
                self.play.ask(MANAGER, do_void, second=SHIFT_MANAGER)
            for seat in SEATS:
                self._money(seat)
        if self.chance(0.1):
            self.play.ask(
                MANAGER, c.ChangeLimits(limits=self.play.state.limits, reason=REASON), second=SUPERVISOR
            )
        if self.chance(0.05):
            self._close_and_open()
        if self.chance(0.1):
            self.play.ask(DEALER, c.CloseSeat(seat=self.dice.choice(SEATS)))
        for seat in SEATS:
            if not self.play.state.seats[seat].in_use:
                several = len(self.rules.layouts) > 1
                layout = self.dice.choice([*self.rules.layouts]) if several else None
                self.play.ask(DEALER, c.OpenSeat(seat=seat, kind=self.rules.seat_kinds[0], layout=layout))
            if self.play.state.seats[seat].lost:
                self.play.ask(TIMER, c.RestoreSeat(seat=seat))

    def _close_and_open(self) -> None:
        self.play.ask(DEALER, c.AnnounceLastRound())
        self.play.round({}, self.dice.choice(self.results))
        self.play.do(SUPERVISOR, c.CloseTable())
        self.play.do(SUPERVISOR, c.OpenTable())

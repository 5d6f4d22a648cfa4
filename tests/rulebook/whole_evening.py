"""A whole evening at a table of any book: everything that can be asked of it is asked, in a random order."""

import random
from collections.abc import Iterator
from functools import partial

from croupier.floor.audit import Auditor
from croupier.rulebook import Book
from croupier.table import Limits, Range, Rules, Settings, create
from croupier.table import commands as c
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, START_MS, SUPERVISOR, TIMER, Play, player

REASON = "seen on camera"
SEATS = ("1", "2")


class Evening(Play):
    """Two players, their staff and machines; a command that is refused is as welcome as one that is not."""

    def __init__(self, book: Book, layout: str, seed: object) -> None:
        self.dice = random.Random(str(seed))
        self.rules = Rules(book, layout)
        self.settings = _settings(self.rules)
        self.at_ms = START_MS
        self.numbers = {}
        self.state, first = create(self.rules, self.settings, self.at_ms, SUPERVISOR)
        self.entries = [first]
        self.results = [*book.wheel.outcomes]
        self.bets = [*self.rules.layout.bets]

    def play(self) -> None:
        """Everything once, in an order that the seed says."""
        happenings = [
            *(partial(self.declare, cause) for cause in self.rules.book.irregularities),
            *(partial(self.decide, ruling, late) for ruling in _RULINGS for late in (True, False)),
            *(partial(self.start, do) for do in _STARTS),
            *(partial(self.finish, do) for do in _FINISHES),
            *(partial(self.interrupt, phase) for phase in _PHASES),
            *(self.bet_anything, self.correct, self.call_off, self.lose_seat),
            *(self.pay_out, self.halt, self.close, self.set_limits),
        ]
        self.dice.shuffle(happenings)
        for happening in happenings:
            happening()

    def audited(self) -> None:
        """Has a second bookkeeping follow the evening; raises where it finds anything."""
        auditor, part, before = Auditor(self.rules.book, self.settings), 0, None
        for entry in self.entries[1:]:
            part = part + 1 if entry.cause is before else 0
            auditor.take(entry, part)
            before = entry.cause
        assert auditor.unfinished() is None

    def to(self, phase: str) -> None:
        """Does what comes next until the table is there; not much is needed for it."""
        for _ in range(9):
            running = self.state.round
            if (running.phase if running else "idle") == phase and not self.state.awaits_outcome:
                return
            self._go_on()

    def _go_on(self) -> None:
        running, result = self.state.round, self.dice.choice(self.results)
        if not self.state.open:
            self.ask(SUPERVISOR, c.OpenTable())
        if running is None:
            self.ask(DEALER, c.OpenRound())
            self.seat_and_bet()
        elif self.state.awaits_outcome:
            self.ask(SUPERVISOR, c.StateOutcome(result=self.dice.choice((None, result))))
        elif running.phase == "betting":
            who, seconds = self.dice.choice(((DEALER, 1), (TIMER, 30), (SENSOR, 1)))
            self.wait(seconds)
            self.ask(who, c.CloseBets())
        elif running.phase == "closed":
            self.ask(self.dice.choice((DEALER, SENSOR)), c.StartSpin())
        elif running.phase == "spinning":
            self.ask(SUPERVISOR, c.EnterResult(result=result))
        else:
            self.ask(SUPERVISOR, c.ConfirmResult(result=running.result or ""))

    def seat_and_bet(self) -> None:
        """Both players sit, have credits, and bet on much."""
        kinds = self.rules.seat_kinds
        for seat, kind in zip(SEATS, (kinds[0], kinds[-1]), strict=True):
            self.ask(DEALER, c.OpenSeat(seat=seat, kind=kind))
            self.ask(SUPERVISOR, c.ClearLockUp(seat=seat), DEALER)
            self.ask(player(seat), c.BuyCredits(seat=seat, cents=20_000))
            stakes = tuple(c.Stake(self.dice.choice(self.bets), 1_000) for _ in range(4))
            self.ask(player(seat), c.PlaceBets(seat=seat, stakes=stakes))

    def declare(self, cause: str) -> None:
        self.to(self.dice.choice(("betting", "spinning")))
        earlier = self.dice.choice(((), (max(1, self.state.round_number - 1),)))
        self.ask(DEALER, c.DeclareIrregularity(cause=cause))
        self.ask(SENSOR, c.DeclareIrregularity(cause=cause))
        self.ask(MANAGER, c.DeclareIrregularity(cause=cause, rounds=earlier), SUPERVISOR)

    def decide(self, ruling: str, late: bool) -> None:
        self.to("idle" if late else self.dice.choice(("betting", "resulted")))
        seat = self.dice.choice(SEATS)
        known = self.state.seats.get(seat)
        bet = next(iter(known.stakes), self.bets[0]) if known is not None else self.bets[0]
        named = (c.NamedBet(seat, bet),)
        number = self.state.round_number
        do = c.Decide(ruling=ruling, reason=REASON, round=number, bets=named)
        self.ask(SHIFT_MANAGER, do, SUPERVISOR)

    def start(self, do: c.StartSpin) -> None:
        for phase in ("betting", "closed"):
            self.to(phase)
            self.ask(SENSOR, do)

    def finish(self, do: c.FinishSpin) -> None:
        self.to("closed")
        self.ask(SENSOR, c.StartSpin())
        self.ask(SENSOR, do)

    def interrupt(self, phase: str) -> None:
        for seconds in (1, 20):
            self.to(phase)
            self.wait(seconds)
            self.ask(TIMER, c.Interrupt(began_ms=self.at_ms - 1000 * seconds))
            self.ask(SUPERVISOR, c.StateOutcome(result=self.dice.choice((None, *self.results))))

    def bet_anything(self) -> None:
        self.to("betting")
        self.ask(TIMER, c.WarnClosing())
        announced = [*self.rules.layout.announced]
        for name in (*announced[:4], *announced[-3:], *self.rules.layout.announced_aliases, "nothing"):
            for seat in SEATS:
                self.ask(player(seat), c.PlaceBets(seat=seat, stakes=(c.Stake(name, 100),)))
        bet, other = self.dice.sample(self.bets, 2)
        for who in (player("1"), DEALER):
            self.ask(who, c.PlaceBets(seat="1", stakes=(c.Stake(bet, 5_000),)))
            self.ask(who, c.MoveBet(seat="1", source=bet, destination=other, cents=500))
            self.ask(who, c.TakeBets(seat="1", stakes=(c.Stake(bet, 500),)))
        for box in (bet, other, "table"):
            self.ask(DEALER, c.RejectExcess(bet=box))
        self.ask(DEALER, c.AdviseMinimum(seat="1", bet=bet))
        self.ask(DEALER, c.CloseBets())
        self.ask(player("1"), c.PlaceBets(seat="1", stakes=(c.Stake(bet, 500),)))
        self.ask(player("1"), c.ClearBets(seat="1"))

    def correct(self) -> None:
        for phase in ("resulted", "idle"):
            self.to(phase)
            number, result = self.state.round_number, self.dice.choice(self.results)
            do = c.CorrectResult(round=number, result=result, reason=REASON)
            self.ask(MANAGER, do, SUPERVISOR)

    def call_off(self) -> None:
        self.to(self.dice.choice(("betting", "spinning")))
        self.ask(DEALER, c.CallNoSpin(reason=REASON))

    def lose_seat(self) -> None:
        self.to("betting")
        self.ask(TIMER, c.LoseSeat(seat="1"))
        self.ask(player("1"), c.ClearBets(seat="1"))
        self.ask(TIMER, c.RestoreSeat(seat="1"))
        self.ask(player("1"), c.CallAttendant(seat="1", reason="help"))
        self.ask(DEALER, c.AnswerCall(seat="1"))

    def pay_out(self) -> None:
        self.to("idle")
        for seat in SEATS:
            self.ask(player(seat), c.BuyCredits(seat=seat, cents=90_000))
            self.ask(player(seat), c.CashOut(seat=seat, voucher="V-1"))
        self.ask(SUPERVISOR, c.ClearLockUp(seat="1"), DEALER)
        self.ask(SUPERVISOR, c.PayByAttendant(seat="2"))
        self.ask(SUPERVISOR, c.PayByAttendant(seat="2"), DEALER)
        self.ask(DEALER, c.CloseSeat(seat="2"))

    def halt(self) -> None:
        self.ask(TIMER, c.HaltTable(reason=REASON))
        self.ask(SENSOR, c.ReportWheel(fault="line-lost", detail=REASON))
        self.ask(SHIFT_MANAGER, c.ResumeTable(reason=REASON))
        self.ask(SENSOR, c.ReportWheel(fault=None, detail=REASON))

    def close(self) -> None:
        self.to("betting")
        self.ask(TIMER, c.AnnounceLastRound())
        self.to("idle")
        self.ask(SUPERVISOR, c.CloseTable())

    def set_limits(self) -> None:
        self.to("idle")
        self.ask(MANAGER, c.ChangeLimits(limits=self.settings.limits, reason=REASON), SUPERVISOR)


_PHASES = ("idle", "betting", "closed", "spinning", "resulted")
_RULINGS = ("void", "return-bets", "none")
_STARTS = (
    c.StartSpin(ball="clockwise", wheel="clockwise", wheel_turning=True),
    c.StartSpin(wheel_turning=False),
)
_FINISHES = (c.FinishSpin(revolutions=0), c.FinishSpin(at_rest=False), c.FinishSpin(revolutions=9))


def _settings(rules: Rules) -> Settings:
    """Settings under which a few bets reach limits, lock-ups and what an attendant has to pay."""
    kinds = sorted({bet.kind for bet in rules.bets.values()})
    limits = Limits(bets=dict.fromkeys(kinds, Range(minimum_cents=200, maximum_cents=3_000)))
    return Settings(
        table="T1",
        book=rules.book.id,
        layouts=tuple(rules.layouts),
        limits=limits,
        lock_up_cents=10_000,
        voucher_limit_cents=50_000,
        betting_seconds=30,
        two_people=tuple(action for action in ("clear-lock-up",) if action in rules.book.authority),
    )


def evenings(book: Book, seed: object) -> Iterator[Evening]:
    """An evening on each layout of a book."""
    for layout in book.layouts:
        yield Evening(book, layout, seed)

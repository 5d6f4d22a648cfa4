"""A table's books as an outsider keeps them: from what was asked and answered, by arithmetic of its own."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from croupier.floor.simulation.correspondence import Answer, Gone, Question
from croupier.floor.simulation.judging import HALTED, STILL_RUNNING, Stop, misjudged, stop
from croupier.floor.simulation.tally_round import Part, RoundTally, Stakes
from croupier.floor.simulation.tally_wheel import LANDED, by_wheel, names, signed
from croupier.rulebook import Book, Layout, parse_bet
from croupier.table import Do, Settings
from croupier.table import commands as c

_NO_OUTCOME: Final = "interruption-no-outcome"
_PLAYERS_OWN: Final = (c.PlaceBets, c.TakeBets, c.MoveBet, c.ClearBets, c.CashOut)


class Tally:
    """One table's money. What cannot be right becomes a sentence in `faults`."""

    def __init__(self, book: Book, settings: Settings) -> None:
        self.faults: list[str] = []
        self.accounts: Counter[str] = Counter()
        self.issued: dict[str, int] = {}
        self.redeemed: dict[str, int] = {}
        self.refused_vouchers: list[Do] = []
        """What was refused because somebody else had used the voucher or its number."""
        self.round: RoundTally | None = None
        self.disputes: dict[int, tuple[str | None, str | None]] = {}
        """By round, what is registered and what the sensor says against it."""
        self._rounds: dict[int, RoundTally] = {}
        self._book = book
        self._layout = book.layouts[settings.layouts[0]]
        self._layouts: dict[str, Layout] = {}
        """By seat, the one that it was opened with; the table's first where none was named."""
        self._settings = settings
        self._limits = settings.limits
        self._visits: Counter[str] = Counter()
        self._asked_ms = 0
        self._asked: Question | None = None
        self._answered: Answer | None = None
        """What is taken at the moment."""
        self._fault_of_wheel: str | None = None
        self._halt: tuple[Question, Answer] | None = None

    def take(self, question: Question, answer: Answer) -> None:
        """Enters the next thing that the table answered."""
        self._asked, self._answered = question, answer
        if question.gone is not None:
            self._interrupted(question.gone, answer)
        if isinstance(question.do, c.OpenRound):
            self._judge_round(answer)
        elif answer.code == "voucher-used":
            self.refused_vouchers.append(question.do)
        if answer.code is None:
            self._judge_people(question)
            entry = _ENTRIES.get(type(question.do))
            if entry is not None:
                entry(self, question.do)
        self._asked_ms = max(self._asked_ms, question.asked_ms)

    def stakes(self) -> Stakes:
        """What lies on the bets, by seat and bet."""
        return {} if self.round is None else {seat: dict(bets) for seat, bets in self.round.stakes.items()}

    def _interrupted(self, gone: Gone, answer: Answer) -> None:
        """Nobody ran the table for a while: no longer than from the last question to this answer."""
        least_ms = gone.until_ms - gone.since_ms if gone.certain else 0
        self._stop(Stop(least_ms, answer.heard_ms - self._asked_ms))

    def _stop(self, length: Stop, *, is_spin_stated: bool = False) -> None:
        if self.round is not None:
            grace_ms = 1000 * self._settings.grace_seconds
            stop(self.round, length, grace_ms, is_spin_stated=is_spin_stated)

    def _judge_round(self, answer: Answer) -> None:
        """Asked for a new round, a table shows whether an interruption has voided the one before."""
        running, code = self.round, answer.code
        if code == HALTED:
            if self._halt is None:
                self._fault("the table is halted, and nobody halted it")
            return
        if running is None:
            if code in STILL_RUNNING:
                self._fault(f"a round runs that nobody opened: {code}")
            return
        for wrong in misjudged(running, code):
            self._fault(f"round {running.number}: {wrong}")
        running.may_be_void = running.must_be_void = False
        if code not in STILL_RUNNING:
            self.void(_NO_OUTCOME)

    def _judge_people(self, question: Question) -> None:
        """Bets and credits at a terminal are the player's own (MBS 3.3, RWS 3.4).

        On the Money Wheel staff may bet for a player (5.10), and nowhere cash out.
        """
        actor = question.actor
        if actor is None or actor.position == "player" or not isinstance(question.do, _PLAYERS_OWN):
            return
        is_let = self._book.wheel.kind != "ball" and not isinstance(question.do, c.CashOut)
        if not is_let:
            did = type(question.do).__name__
            self._fault(f"{actor.id} did {did} for the player at seat {question.do.seat}")

    def _fault(self, sentence: str) -> None:
        self.faults.append(f"{self._settings.table}: {sentence}")

    def _move(self, source: str, destination: str, cents: int) -> None:
        self.accounts[source] -= cents
        self.accounts[destination] += cents
        for account in (source, destination):
            if account.startswith(("credits/", "stakes/")) and self.accounts[account] < 0:
                self._fault(f"{account} went to {self.accounts[account]}")

    def _question(self) -> Question:
        if self._asked is None:
            raise RuntimeError("something is entered that nobody asked")
        return self._asked

    def _heard_ms(self) -> int:
        return 0 if self._answered is None else self._answered.heard_ms

    def _running(self) -> RoundTally:
        if self.round is None:
            self._fault("something happened in a round that does not run")
            self.round = RoundTally(0, self._limits)
        return self.round

    # What accepted commands do to the money, in the order of their list.

    def _change_limits(self, do: c.ChangeLimits) -> None:
        self._limits = do.limits

    def _open_seat(self, do: c.OpenSeat) -> None:
        self._layouts[do.seat] = self._layout if do.layout is None else self._book.layouts[do.layout]

    def _close_seat(self, do: c.CloseSeat) -> None:
        if self.accounts[f"credits/{do.seat}"]:
            self._fault(f"seat {do.seat} was closed with credits on it")
        self._visits[do.seat] += 1

    def _buy(self, do: c.BuyCredits) -> None:
        if do.voucher is not None:
            self.redeemed[do.voucher] = do.cents
        if not self.accounts[f"credits/{do.seat}"] and not self.accounts[f"stakes/{do.seat}"]:
            self._visits[do.seat] += 1  # it may be somebody else
        self._move("cash" if do.voucher is None else "vouchers", f"credits/{do.seat}", do.cents)

    def _cash_out(self, do: c.CashOut) -> None:
        if self.accounts[f"stakes/{do.seat}"] and self.round is not None and self.round.may_be_void:
            self.void(_NO_OUTCOME)  # nobody has asked yet, and this shows it
        cents = self.accounts[f"credits/{do.seat}"]
        if cents <= self._settings.voucher_limit_cents:
            self.issued[do.voucher] = cents
            self._pay_out(do.seat, "vouchers", cents)

    def _attendant(self, do: c.PayByAttendant) -> None:
        self._pay_out(do.seat, "cash", self.accounts[f"credits/{do.seat}"])

    def _pay_out(self, seat: str, destination: str, cents: int) -> None:
        if self.accounts[f"stakes/{seat}"] and self.round is not None and self.round.may_be_void:
            self.void(_NO_OUTCOME)  # nobody has asked yet, and this shows it
        if self.accounts[f"stakes/{seat}"]:
            self._fault(f"seat {seat} was paid out with stakes in play")
        self._move(f"credits/{seat}", destination, cents)
        self._visits[seat] += 1

    def _place(self, do: c.PlaceBets) -> None:
        self._stake(do.seat, self._pieces(self._layouts[do.seat], do.stakes, 1))

    def _take(self, do: c.TakeBets) -> None:
        self._stake(do.seat, self._pieces(self._layouts[do.seat], do.stakes, -1))

    def _shift(self, do: c.MoveBet) -> None:
        layout = self._layouts[do.seat]
        source, destination = (parse_bet(layout, bet).id for bet in (do.source, do.destination))
        self._stake(do.seat, [(source, -do.cents), (destination, do.cents)])

    def _clear(self, do: c.ClearBets) -> None:
        bets = self._running().stakes.get(do.seat, {})
        self._stake(do.seat, [(bet, -cents) for bet, cents in bets.items()])

    def _pieces(self, layout: Layout, stakes: Iterable[c.Stake], sign: int) -> list[tuple[str, int]]:
        pieces = []
        for stake in stakes:
            name = layout.announced_aliases.get(stake.bet, stake.bet)
            if name in layout.announced:
                parts = layout.announced[name].parts
                pieces += [(part.bet.id, sign * part.pieces * stake.cents) for part in parts]
            else:
                pieces.append((parse_bet(layout, stake.bet).id, sign * stake.cents))
        return pieces

    def _stake(self, seat: str, pieces: list[tuple[str, int]]) -> None:
        running = self._running()
        if self._halt is not None:
            self._fault(f"seat {seat} changed its bets in round {running.number} at a halted table")
        if running.stopped:
            self._fault(
                f"seat {seat} changed its bets in round {running.number} when the outcome could be known"
            )
        elif running.closed:
            self._fault(f"seat {seat} changed its bets in round {running.number} after the close")
        for bet, cents in pieces:
            if not running.lay(seat, bet, cents):
                self._fault(f"seat {seat} took {-cents} off {bet}, which holds less")
        self._move(f"credits/{seat}", f"stakes/{seat}", sum(cents for _, cents in pieces))

    def _reject(self, do: c.RejectExcess) -> None:
        for seat, cents in self._running().reject(self._layout, None if do.bet == "table" else do.bet):
            self._move(f"stakes/{seat}", f"credits/{seat}", cents)

    def _open_round(self, do: c.OpenRound) -> None:
        number = max(self._rounds, default=0) + 1
        self.round = self._rounds[number] = RoundTally(number, self._limits)

    def _close_bets(self, do: c.CloseBets) -> None:
        self._running().closed = True

    def _halted(self, do: c.HaltTable) -> None:
        if self._answered is not None and self._halt is None:
            self._halt = self._question(), self._answered
        if self.round is not None and self.round.spin.begun and self.round.result is None:
            self.round.closed = self.round.stopped = True

    def _resumed(self, do: c.ResumeTable) -> None:
        if self._halt is None:
            self._fault("the table was resumed, and nobody halted it")
            return
        (asked, answered), self._halt = self._halt, None
        least_ms = self._question().asked_ms - answered.heard_ms
        self._stop(Stop(least_ms, self._heard_ms() - asked.asked_ms))

    def _declared(self, do: c.DeclareInterruption) -> None:
        """Whoever declares it says that the round cannot go on without a spin or a result."""
        running = self._running()
        self._stop(Stop(0, 0), is_spin_stated=do.spun)
        if running.result is None and not running.awaiting:
            self.void(_NO_OUTCOME)

    def _start_spin(self, do: c.StartSpin) -> None:
        running, question = self._running(), self._question()
        has_stopped = self._halt is not None or running.awaiting
        running.spin.start(question, do, stopped=has_stopped, fault=self._fault_of_wheel)
        if has_stopped:
            running.closed = running.stopped = True
        same = do.ball is not None and do.ball == do.wheel
        if self._book.wheel.kind == "ball" and (do.wheel_turning is False or same):
            self.void("same-direction" if same else "wheel-still")

    def _finish_spin(self, do: c.FinishSpin) -> None:
        too_few = do.revolutions is not None and do.revolutions < self._book.wheel.revolutions
        running, is_sensor = self.round, by_wheel(self._question())
        latest = max(self._rounds, default=0) if running is None else running.number
        number = latest if do.round is None else do.round
        if is_sensor and (running is None or running.number != number):
            self._told_late(number, do, valid=do.at_rest and not too_few)
            return
        running = self._running()
        if running.number != number:
            self._fault(f"the end of the spin of round {number} was taken for that of round {running.number}")
        if is_sensor:
            running.spin.told_late = running.result is not None
            running.spin.finish(do, valid=do.at_rest and not too_few)
        elif running.spin.watched(self._fault_of_wheel):
            self._fault(f"{names(self._question())} ended a spin that the sensor watches")
        running.closed = True
        if too_few or not do.at_rest:
            self.void("too-few-revolutions" if too_few else "no-compartment")

    def _told_late(self, number: int, do: c.FinishSpin, *, valid: bool) -> None:
        """What the sensor says of a round that is over is evidence; against the record it is a dispute."""
        round_ = self._rounds[number]
        pocket = do.pocket if valid else None
        round_.spin.finish(do, valid=valid)
        if round_.cause is None:
            disagrees = pocket is None or pocket != round_.result
        else:
            disagrees = pocket is not None and round_.cause in LANDED  # it says nothing of the launch
        if disagrees:
            self.disputes[number] = round_.result, pocket

    def _report_wheel(self, do: c.ReportWheel) -> None:
        self._fault_of_wheel = do.fault
        running = self.round
        if do.fault is not None and running is not None and running.spin.begun and not running.spin.over:
            running.spin.faulted = True

    def _uphold(self, do: c.UpholdResult) -> None:
        if self.disputes.pop(do.round, None) is None:
            self._fault(f"the result of round {do.round} was upheld, and no sensor contradicted it")

    def _register(self, result: str) -> None:
        """Somebody says where the ball lies; whoever says so has to be able to know."""
        running = self._running()
        if running.awaiting:
            self._fault(f"round {running.number}: a result was registered while its outcome was awaited")
        wrong = running.spin.wrong_result(
            self._question(),
            result,
            self._heard_ms(),
            has_sensor=self._settings.spin_source != "hand",
            fault=self._fault_of_wheel,
        )
        for sentence in wrong:
            self._fault(f"round {running.number}: {sentence}")

    def _enter(self, do: c.EnterResult) -> None:
        running = self._running()
        self._register(do.result)
        running.closed, running.result = True, do.result

    def _confirm(self, do: c.ConfirmResult) -> None:
        if self._running().spin.told_late:
            self._register(do.result)
        self._settle(do.result)

    def _no_spin(self, do: c.CallNoSpin) -> None:
        self.void("no-spin")

    def _irregularity(self, do: c.DeclareIrregularity) -> None:
        running, voided = self.round, list[tuple[int, str, Part]]()
        if running is not None and (not do.rounds or running.number in do.rounds):
            question = self._question()
            if running.spin.denies(do.cause) and not by_wheel(question) and not signed(question):
                self._fault(
                    f"round {running.number}: {names(question)} declared {do.cause} against the sensor"
                )
            self.void(do.cause)
        for number in dict.fromkeys(do.rounds):
            if running is None or number != running.number:
                self._end_dispute(self._rounds[number], None)
                self._rounds[number].result, self._rounds[number].cause = None, do.cause
                for seat, part in self._rounds[number].parts.items():
                    voided.append((part.paid_cents - sum(part.bets.values()), seat, part))
        # What a seat is given counts before what is taken from it, in whatever order rounds are named.
        for _, seat, part in sorted(voided, key=lambda each: each[0]):
            self._adjust_part(seat, part, sum(part.bets.values()))

    def _outcome(self, do: c.StateOutcome) -> None:
        running = self._running()
        if not running.awaiting:
            self._fault(f"round {running.number}: an outcome was stated, and none was awaited")
        for sentence in running.spin.wrong_outcome(self._question(), do):
            self._fault(f"round {running.number}: {sentence}")
        if do.result is None:
            self.void(_NO_OUTCOME)
        else:
            self._settle(do.result)

    def _correct(self, do: c.CorrectResult) -> None:
        self._put_right(do.round, do.result)

    def _decide(self, do: c.Decide) -> None:
        is_running = self.round is not None and self.round.number == do.round
        if do.ruling == "void" and is_running:
            self.void("not-covered")
        elif do.ruling == "void":
            self._rounds[do.round].cause = "not-covered"
            self._adjust(self._rounds[do.round], None)
        elif do.ruling == "return-bets" and is_running:
            for named in dict.fromkeys(do.bets):
                cents = self._running().take_back(named.seat, named.bet)
                self._move(f"stakes/{named.seat}", f"credits/{named.seat}", cents)
        elif do.ruling == "return-bets":
            round_ = self._rounds[do.round]
            for named in do.bets:
                round_.parts[named.seat].returned.add(named.bet)
            self._adjust(round_, round_.result, dict.fromkeys(named.seat for named in do.bets))

    def void(self, cause: str) -> None:
        """Every stake of the running round goes back."""
        running = self._running()
        running.result, running.cause = None, cause
        for seat, bets in running.stakes.items():
            self._move(f"stakes/{seat}", f"credits/{seat}", sum(bets.values()))
        self.round = None

    def _settle(self, result: str) -> None:
        running = self._running()
        running.result = result
        running.parts = {
            seat: Part(self._visits[seat], self._layouts[seat], dict(bets))
            for seat, bets in running.stakes.items()
            if bets
        }
        for seat, cents in running.returns(result).items():
            part = running.parts[seat]
            part.paid_cents = cents
            self._move(f"stakes/{seat}", "house", sum(part.bets.values()))
            self._move("house", f"credits/{seat}", cents)
        if running.spin.pocket not in (None, result):
            self.disputes[running.number] = result, running.spin.pocket
        self.round = None

    def _put_right(self, number: int, result: str) -> None:
        if self.round is not None and self.round.number == number:
            self._register(result)
            self.round.result = result
        else:
            self._adjust(self._rounds[number], result)

    def _end_dispute(self, round_: RoundTally, result: str | None) -> None:
        """A correction to the sensor ends a dispute, as a void does; one away from it begins one."""
        if result == round_.result:
            return
        was, sensed = round_.number in self.disputes, round_.spin.pocket
        if was:
            _, sensed = self.disputes.pop(round_.number)
        if (was or sensed is not None) and result not in (None, sensed):
            self.disputes[round_.number] = result, sensed

    def _adjust(
        self, round_: RoundTally, result: str | None, seats: Mapping[str, None] | None = None
    ) -> None:
        """Settles a round again; what credits cannot give back is a shortfall."""
        self._end_dispute(round_, result)
        round_.result = result
        for seat, cents in round_.returns(result).items():
            if seats is None or seat in seats:
                self._adjust_part(seat, round_.parts[seat], cents)

    def _adjust_part(self, seat: str, part: Part, cents: int) -> None:
        more = cents + part.for_nothing(cents) - part.paid_cents - part.for_nothing(part.paid_cents)
        part.paid_cents = cents
        repaid = min(part.short_cents, max(more, 0))
        part.short_cents -= repaid
        self._move("house", "shortfall", repaid)
        account = f"credits/{seat}"
        if part.visit != self._visits[seat]:
            account = "unclaimed"
        if more >= 0:
            self._move("house", account, more - repaid)
            part.unclaimed_cents += more - repaid if account == "unclaimed" else 0
            self._cover(seat, part, account, more - repaid)
            return
        held = part.unclaimed_cents if account == "unclaimed" else self.accounts[account]
        taken = min(held, -more)
        part.unclaimed_cents -= taken if account == "unclaimed" else 0
        self._move(account, "house", taken)
        part.short_cents += -more - taken
        self._move("shortfall", "house", -more - taken)
        for other in self._others(seat, part):
            covered = min(part.short_cents, other.unclaimed_cents)
            part.short_cents -= covered
            other.unclaimed_cents -= covered
            self._move("unclaimed", "shortfall", covered)

    def _cover(self, seat: str, part: Part, account: str, cents: int) -> None:
        """What is given for one round covers what others of the visit are short of."""
        for other in self._others(seat, part):
            covered = min(other.short_cents, cents)
            other.short_cents -= covered
            cents -= covered
            part.unclaimed_cents -= covered if account == "unclaimed" else 0
            self._move(account, "shortfall", covered)

    def _others(self, seat: str, part: Part) -> list[Part]:
        """The seat's parts in other rounds of the same visit, the oldest first."""
        parts = [round_.parts[seat] for _, round_ in sorted(self._rounds.items()) if seat in round_.parts]
        return [other for other in parts if other is not part and other.visit == part.visit]

    def _settle_carried(self, do: c.SettleCarried) -> None:
        """What was carried goes whole, by hand or to the house's account."""
        part = self._rounds[do.round].parts[do.seat]
        if do.how == "paid":
            self._move("unclaimed", "cash", part.unclaimed_cents)
            part.unclaimed_cents = 0
            return
        self._move("cash" if do.how == "collected" else "house", "shortfall", part.short_cents)
        if do.how == "written-off":
            part.written_off_cents = part.for_nothing(part.paid_cents) + part.short_cents
            part.kept_cents = part.paid_cents + part.written_off_cents
        part.short_cents = 0


_ENTRIES: Final[Mapping[type, Callable[[Tally, Any], None]]] = {
    c.ChangeLimits: Tally._change_limits,
    c.OpenSeat: Tally._open_seat,
    c.CloseSeat: Tally._close_seat,
    c.BuyCredits: Tally._buy,
    c.CashOut: Tally._cash_out,
    c.PayByAttendant: Tally._attendant,
    c.PlaceBets: Tally._place,
    c.TakeBets: Tally._take,
    c.MoveBet: Tally._shift,
    c.ClearBets: Tally._clear,
    c.RejectExcess: Tally._reject,
    c.OpenRound: Tally._open_round,
    c.CloseBets: Tally._close_bets,
    c.HaltTable: Tally._halted,
    c.ResumeTable: Tally._resumed,
    c.DeclareInterruption: Tally._declared,
    c.ReportWheel: Tally._report_wheel,
    c.UpholdResult: Tally._uphold,
    c.StartSpin: Tally._start_spin,
    c.FinishSpin: Tally._finish_spin,
    c.EnterResult: Tally._enter,
    c.ConfirmResult: Tally._confirm,
    c.CallNoSpin: Tally._no_spin,
    c.DeclareIrregularity: Tally._irregularity,
    c.StateOutcome: Tally._outcome,
    c.CorrectResult: Tally._correct,
    c.SettleCarried: Tally._settle_carried,
    c.Decide: Tally._decide,
}
"""The commands that move money, or decide how it moves later; the others change nothing in the books."""

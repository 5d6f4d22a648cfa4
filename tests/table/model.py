"""What every seat must have, worked out again from the accepted commands alone.

This is written from the rule texts and not from the table's code: of `croupier.table` it imports
commands and settings alone. It sees no event. What bets pay is typed; which numbers they cover and what
announced bets consist of is data of the layout.
"""

from collections import Counter
from fractions import Fraction
from math import floor

from croupier.rulebook import Book, Layout
from croupier.table import Settings
from croupier.table import commands as c
from table.model_parts import (
    PAYS,
    SYMBOL_PAYS,
    TOP_LINE_PAYS,
    WHOLE_TABLE,
    WITHOUT_A_SPIN,
    ModelRound,
    ModelSeat,
    Part,
)
from table.model_wheel import WheelModel


class Model:
    """A table's money by the rules."""

    def __init__(self, book: Book, layout: Layout, settings: Settings) -> None:
        self.book, self.layout, self.settings = book, layout, settings
        self.is_money_wheel = book.id == "rws-money-wheel"
        self.least_revolutions = 3 if self.is_money_wheel else 4
        self.limits = settings.limits
        self.seats: dict[str, ModelSeat] = {}
        self.rounds: dict[int, ModelRound] = {}
        self.running: ModelRound | None = None
        self.halted_ms: int | None = None
        self.wheel = WheelModel(settings)
        self.outside: Counter[str] = Counter()
        """What came in (below zero) and went out through cash and vouchers."""

    def accept(self, command: c.Command) -> None:
        """Takes a command that the table has carried out."""
        if not self._is_late(command):
            self.wheel.accept(command)
        name = "_" + str(type(command.do).__struct_config__.tag).replace("-", "_")
        getattr(self, name, lambda command, do: None)(command, command.do)

    def _is_late(self, command: c.Command) -> bool:
        """Whether the wheel reports a spin whose round is over."""
        do = command.do
        if not isinstance(do, c.FinishSpin):
            return False
        return self.running is None or do.round not in (None, self.running.number)

    # Seats and credits.

    def _open_seat(self, command: c.Command, do: c.OpenSeat) -> None:
        self.seats.setdefault(do.seat, ModelSeat())

    def _close_seat(self, command: c.Command, do: c.CloseSeat) -> None:
        self.seats[do.seat].visit += 1
        self._unlock(self.seats[do.seat])

    def _clear_lock_up(self, command: c.Command, do: c.ClearLockUp) -> None:
        self._unlock(self.seats[do.seat])

    def _unlock(self, seat: ModelSeat) -> None:
        seat.lock, seat.locked_for = None, set()

    def _buy_credits(self, command: c.Command, do: c.BuyCredits) -> None:
        if not self.seats[do.seat].credits and not self.seats[do.seat].stakes.total():
            self.seats[do.seat].visit += 1  # it may be somebody else
        self._bring(do.seat, do.cents, "cash" if do.voucher is None else "vouchers")
        self.seats[do.seat].tally["cash_in_cents" if do.voucher is None else "vouchers_in_cents"] += do.cents

    def _cash_out(self, command: c.Command, do: c.CashOut) -> None:
        if self.seats[do.seat].credits <= self.settings.voucher_limit_cents:
            self.seats[do.seat].tally["vouchers_out_cents"] += self.seats[do.seat].credits
            self._leave(do.seat, "vouchers")
        else:
            self.seats[do.seat].lock = "attendant-pay"

    def _pay_by_attendant(self, command: c.Command, do: c.PayByAttendant) -> None:
        self.seats[do.seat].tally["attendant_pays_cents"] += self.seats[do.seat].credits
        self._leave(do.seat, "cash")
        self._unlock(self.seats[do.seat])

    def _bring(self, seat: str, cents: int, account: str) -> None:
        self.outside[account] -= cents
        self.seats[seat].credits += cents
        self.seats[seat].before_round += cents

    def _leave(self, seat: str, account: str) -> None:
        self._bring(seat, -self.seats[seat].credits, account)
        self.seats[seat].visit += 1

    # Bets.

    def _place_bets(self, command: c.Command, do: c.PlaceBets) -> None:
        for stake in do.stakes:
            for bet, pieces in self.pieces(stake.bet):
                self._put(do.seat, bet, stake.cents * pieces)

    def _take_bets(self, command: c.Command, do: c.TakeBets) -> None:
        for stake in do.stakes:
            for bet, pieces in self.pieces(stake.bet):
                self._put(do.seat, bet, -stake.cents * pieces)

    def _move_bet(self, command: c.Command, do: c.MoveBet) -> None:
        (source, _), (destination, _) = (self.pieces(bet)[0] for bet in (do.source, do.destination))
        self._put(do.seat, source, -do.cents)
        self._put(do.seat, destination, do.cents)

    def _clear_bets(self, command: c.Command, do: c.ClearBets) -> None:
        for bet, cents in dict(self.seats[do.seat].stakes).items():
            self._put(do.seat, bet, -cents)

    def _reject_excess(self, command: c.Command, do: c.RejectExcess) -> None:
        round_ = self._round()
        boxes = [do.bet] if do.bet != WHOLE_TABLE else [*self.layout.bets]
        most = round_.limits.table_cents if do.bet == WHOLE_TABLE else self._range(round_, do.bet)[1]
        assert most is not None
        excess = sum(seat.stakes[bet] for seat in self.seats.values() for bet in boxes) - most
        for seat, bet, cents in reversed([*round_.placed]):
            if bet in boxes and excess > 0:
                self._put(seat, bet, -min(cents, excess))
                excess -= min(cents, excess)

    def _advise_minimum(self, command: c.Command, do: c.AdviseMinimum) -> None:
        assert 0 < self.seats[do.seat].stakes[do.bet] < self._range(self._round(), do.bet)[0]
        self._round().advised.add((do.seat, do.bet))

    def _reject_advised(self, command: c.Command, do: c.RejectAdvised) -> None:
        assert (do.seat, do.bet) in self._round().advised
        self._put(do.seat, do.bet, -self.seats[do.seat].stakes[do.bet])

    def pieces(self, text: str) -> list[tuple[str, int]]:
        """The ordinary bets that a text means, each with its number of units."""
        layout, text = self.layout, text.strip()
        announced = layout.announced.get(layout.announced_aliases.get(text, text))
        if announced is not None:
            return [(part.bet.id, part.pieces) for part in announced.parts]
        if (bet_id := layout.aliases.get(text, text)) in layout.bets:
            return [(bet_id, 1)]
        kind, _, numbers = text.partition(":")
        wanted = sorted(numbers.split("/"))
        ids = [bet.id for bet in layout.bets.values() if bet.kind == kind and sorted(bet.numbers) == wanted]
        return [(ids[0], 1)]

    def _put(self, seat_id: str, bet: str, cents: int) -> None:
        """Moves credits onto a bet, or back where the amount is below zero."""
        seat, round_ = self.seats[seat_id], self._round()
        seat.credits -= cents
        seat.stakes[bet] += cents
        seat.stakes = +seat.stakes
        if not 0 < seat.stakes[bet] < self._range(round_, bet)[0]:
            round_.advised.discard((seat_id, bet))
        seat.tally["turnover_cents"] += cents
        if cents > 0:
            round_.placed.append([seat_id, bet, cents])
        for placed in reversed(round_.placed):
            if cents < 0 and placed[:2] == [seat_id, bet]:
                off = min(placed[2], -cents)
                placed[2] -= off
                cents += off
        round_.placed = [placed for placed in round_.placed if placed[2]]

    # The round.

    def _round(self) -> ModelRound:
        assert self.running is not None
        return self.running

    def _change_limits(self, command: c.Command, do: c.ChangeLimits) -> None:
        self.limits = do.limits

    def _open_round(self, command: c.Command, do: c.OpenRound) -> None:
        number = len(self.rounds) + 1
        self.running = self.rounds[number] = ModelRound(number=number, limits=self.limits)
        for seat in self.seats.values():
            seat.before_round = seat.credits

    def _close_bets(self, command: c.Command, do: c.CloseBets) -> None:
        self._round().phase = "closed"

    def _start_spin(self, command: c.Command, do: c.StartSpin) -> None:
        self._round().spun = True
        if self.halted_ms is not None:
            self._round().phase = "closed"
        is_wrong = do.wheel_turning is False or (do.ball is not None and do.ball == do.wheel)
        if is_wrong and not self.is_money_wheel:
            self._void()

    def _finish_spin(self, command: c.Command, do: c.FinishSpin) -> None:
        if self._is_late(command):
            return
        if self._round().phase == "betting":
            self._round().phase = "closed"
        is_short = do.revolutions is not None and do.revolutions < self.least_revolutions
        if is_short or not do.at_rest:
            self._void()

    def _enter_result(self, command: c.Command, do: c.EnterResult) -> None:
        self._round().phase, self._round().result = "resulted", do.result

    def _confirm_result(self, command: c.Command, do: c.ConfirmResult) -> None:
        self._settle(do.result)

    def _call_no_spin(self, command: c.Command, do: c.CallNoSpin) -> None:
        self._void()

    def _halt_table(self, command: c.Command, do: c.HaltTable) -> None:
        self.halted_ms = self.halted_ms or command.at_ms
        if self.running is not None and self.running.spun and self.running.phase == "betting":
            self.running.phase = "closed"

    def _resume_table(self, command: c.Command, do: c.ResumeTable) -> None:
        self._interrupt(command, c.Interrupt(began_ms=self.halted_ms or command.at_ms))
        self.halted_ms = None

    def _interrupt(self, command: c.Command, do: c.Interrupt) -> None:
        is_long = command.at_ms - do.began_ms >= 1000 * self.settings.grace_seconds
        self._stop(is_short=not is_long)

    def _declare_interruption(self, command: c.Command, do: c.DeclareInterruption) -> None:
        self._stop(is_short=False)

    def _stop(self, *, is_short: bool) -> None:
        """After a spin began, bets are closed and people say what it gave; without one a long stop voids."""
        running = self.running
        if running is None or running.phase == "resulted":
            return
        if running.spun or self.wheel.awaiting:
            running.phase = "closed"
        elif not is_short:
            self._void()

    def _state_outcome(self, command: c.Command, do: c.StateOutcome) -> None:
        if do.result is None:
            self._void()
        else:
            self._settle(do.result)

    def _declare_irregularity(self, command: c.Command, do: c.DeclareIrregularity) -> None:
        void = self.voided_by(do)
        assert void is not None, "the rules let nobody declare this"
        running = self.running
        if running in void:
            self._void()  # what goes back is there for the earlier rounds
        self._void_settled([round_ for round_ in void if round_ is not running])

    def voided_by(self, do: c.DeclareIrregularity) -> list[ModelRound] | None:
        """The rounds that are void by an irregularity: those that are named; None where the rules say no.

        A settled round is void at MBS, at RWS by a broken ball alone, and on the Money Wheel until the next
        round begins.
        """
        named = [self.rounds[number] for number in dict.fromkeys(do.rounds)]
        void = named or ([] if self.running is None else [self.running])
        for round_ in void:
            if round_ is self.running:
                is_allowed = round_.spun or (do.cause in WITHOUT_A_SPIN and not self.is_money_wheel)
            elif self.is_money_wheel:
                is_allowed = self.running is None and round_.number == len(self.rounds)
            else:
                is_allowed = self.book.id == "mbs-roulette" or do.cause == "ball-broken"
            if not is_allowed or round_.phase == "voided":
                return None
        return void or None

    def _correct_result(self, command: c.Command, do: c.CorrectResult) -> None:
        if self.running is not None and do.round == self.running.number:
            self.wheel.registered(command, do.result)
        self._give_result(do.round, do.result)

    def _decide(self, command: c.Command, do: c.Decide) -> None:
        round_ = self.rounds[do.round]
        if do.ruling == "void" and round_ is self.running:
            self._void()
        elif do.ruling == "void":
            self._void_settled([round_])
        elif do.ruling == "return-bets":
            self._return_bets(round_, {(named.seat, named.bet) for named in do.bets})

    # Settlement, void, correction.

    def _void(self) -> None:
        round_ = self._round()
        for seat in self.seats.values():
            if seat.stakes:
                self._give_back(seat, [*seat.stakes])
                seat.tally["voids"] += 1
        round_.phase, round_.result, self.running = "voided", None, None

    def _give_back(self, seat: ModelSeat, bets: list[str]) -> None:
        for bet in bets:
            seat.tally["returned_cents"] += seat.stakes[bet]
            seat.credits += seat.stakes.pop(bet)

    def _settle(self, result: str) -> None:
        round_ = self._round()
        for seat_id, seat in self.seats.items():
            if seat.stakes:
                counted = {bet: self._counts(round_, seat_id, bet) for bet in seat.stakes}
                part = round_.parts[seat_id] = Part(seat.visit, dict(seat.stakes), counted)
                part.got = self._returns(part, result)
                part.cites = {bet: self._cites(round_, seat_id, bet) for bet in seat.stakes}
        most = round_.limits.table_cents if self.is_money_wheel else None
        in_play = sum(seat.stakes.total() for seat in self.seats.values())
        round_.is_over = most is not None and in_play > most
        for seat_id, part in round_.parts.items():
            self.seats[seat_id].credits += part.got
            self.seats[seat_id].stakes = Counter()
            self.seats[seat_id].tally["games_played"] += 1
            self._tally(seat_id, part, result, 1)
            self._lock(round_, seat_id, self._won(part, result), 0)
        round_.phase, round_.result, self.running = "settled", result, None

    def _counts(self, round_: ModelRound, seat_id: str, bet: str) -> int:
        """Money Wheel 5.1.1 and 5.1.2: each player's share of a box that holds too much."""
        stake = self.seats[seat_id].stakes[bet]
        total = sum(seat.stakes[bet] for seat in self.seats.values())
        least, most = self._range(round_, bet)
        if not self.is_money_wheel or total <= most or stake < least:
            return stake
        return max(least, floor(stake * Fraction(most, total)))

    def _cites(self, round_: ModelRound, seat_id: str, bet: str) -> str | None:
        """Money Wheel 5.1.1 to 5.2.1: why a bet counts as it does, where it is outside its box's limits."""
        stake = self.seats[seat_id].stakes[bet]
        total = sum(seat.stakes[bet] for seat in self.seats.values())
        least, most = self._range(round_, bet)
        if not self.is_money_wheel:
            return None
        if total > most:
            return "5.1.2" if stake < least else "5.1.1"
        if stake >= least:
            return None
        return "5.2" if (seat_id, bet) in round_.advised else "5.2.1"

    def _range(self, round_: ModelRound, bet: str) -> tuple[int, int]:
        limits = round_.limits.bets
        limit = limits[bet] if bet in limits else limits[self.layout.bets[bet].kind]
        return limit.minimum_cents, limit.maximum_cents

    def pays(self, bet: str) -> int:
        """Stakes won on top of the one that comes back."""
        kind = self.layout.bets[bet].kind
        if kind == "symbol":
            return SYMBOL_PAYS[bet]
        return TOP_LINE_PAYS[self.book.id] if kind == "top-line" else PAYS[kind]

    def _wins(self, part: Part, result: str | None) -> dict[str, int]:
        """What winning bets return, stakes included."""
        return {
            bet: counted * (1 + self.pays(bet))
            for bet, counted in part.counted.items()
            if counted and result in self.layout.bets[bet].numbers
        }

    def _returns(self, part: Part, result: str | None) -> int:
        not_counted = sum(part.stakes.values()) - sum(part.counted.values())
        return not_counted + sum(self._wins(part, result).values())

    def _give_result(self, number: int, result: str) -> None:
        round_ = self.rounds[number]
        if round_ is not self.running:
            for seat_id, part in round_.parts.items():
                self._change_part(round_, seat_id, part, part.counted, result)
        round_.result = result

    def _void_settled(self, rounds: list[ModelRound]) -> None:
        """In whatever order they are named, a seat is given what it gets before it is taken from."""
        parts = [(round_, seat_id) for round_ in rounds for seat_id in round_.parts]
        for round_, seat_id in sorted(parts, key=lambda named: self._cost_of_void(*named)):
            part = round_.parts[seat_id]
            self._change_part(round_, seat_id, part, dict.fromkeys(part.counted, 0), None)
            self.seats[seat_id].tally["games_played"] -= 1
            self.seats[seat_id].tally["voids"] += 1
        for round_ in rounds:
            round_.phase, round_.result = "voided", None

    def _cost_of_void(self, round_: ModelRound, seat_id: str) -> int:
        part = round_.parts[seat_id]
        return part.got - sum(part.stakes.values())

    def _return_bets(self, round_: ModelRound, named: set[tuple[str, str]]) -> None:
        for seat_id in {seat for seat, _ in named}:
            bets = [bet for seat, bet in named if seat == seat_id]
            if round_ is self.running:
                self._give_back(self.seats[seat_id], bets)
                round_.placed = [placed for placed in round_.placed if (placed[0], placed[1]) not in named]
                round_.advised -= named
            else:
                part = round_.parts[seat_id]
                counted = {bet: 0 if bet in bets else cents for bet, cents in part.counted.items()}
                self._change_part(round_, seat_id, part, counted, round_.result)

    def _change_part(
        self, round_: ModelRound, seat_id: str, part: Part, counted: dict[str, int], result: str | None
    ) -> None:
        """Reverses a seat's settlement and makes it again; credits never go below zero."""
        seat = self.seats[seat_id]
        self._tally(seat_id, part, round_.result, -1)
        won = self._won(part, round_.result)
        part.counted = counted
        had = part.got + part.beside(part.got)
        part.got = self._returns(part, result)
        owed = part.got + part.beside(part.got) - had
        self._tally(seat_id, part, result, 1)
        seat.tally["corrections"] += 1
        self._lock(round_, seat_id, self._won(part, result), won, stayed=part.visit == seat.visit)
        if part.visit != seat.visit:
            part.carried += owed
            for other in self._others(seat_id, part):
                # Both are of one player: what one round owes pays for what another is short of.
                cents = max(0, min(-other.carried, part.carried)) - max(0, min(other.carried, -part.carried))
                other.carried += cents
                part.carried -= cents
            return
        # What the round gives more repays the house first; what it takes stops at the last cent of credits.
        credits = max(0, seat.credits + owed - max(0, min(owed, -part.carried)))
        part.carried += owed - (credits - seat.credits)
        gained = max(0, credits - seat.credits)
        for other in self._others(seat_id, part):
            cents = max(0, min(-other.carried, gained))
            other.carried += cents
            credits -= cents
            gained -= cents
        seat.before_round += credits - seat.credits
        seat.credits = credits

    def _others(self, seat_id: str, part: Part) -> list[Part]:
        """The seat's parts in other rounds of the same visit, the oldest first."""
        parts = [round_.parts[seat_id] for round_ in self.rounds.values() if seat_id in round_.parts]
        return [other for other in parts if other is not part and other.visit == part.visit]

    def _won(self, part: Part, result: str | None) -> int:
        """What winning bets bring beside their stakes."""
        return sum(cents - part.counted[bet] for bet, cents in self._wins(part, result).items())

    def _lock(self, round_: ModelRound, seat_id: str, won: int, before: int, *, stayed: bool = True) -> None:
        """A seat waits for every large win that it has made, and for none that it has not."""
        seat = self.seats[seat_id]
        is_large = won >= self.settings.lock_up_cents
        if is_large and won > before and stayed and seat.lock != "attendant-pay":
            seat.lock = "win"
            seat.locked_for.add(round_.number)
        elif not is_large and round_.number in seat.locked_for:
            seat.locked_for.remove(round_.number)
            seat.lock = seat.lock if seat.locked_for else None

    def _settle_carried(self, command: c.Command, do: c.SettleCarried) -> None:
        part, tally = self.rounds[do.round].parts[do.seat], self.seats[do.seat].tally
        if do.how == "written-off":
            part.forgiven = part.beside(part.got) - part.carried
            part.keeps = part.got + part.forgiven
        else:
            self.outside["cash"] += part.carried
            tally["attendant_pays_cents"] += max(0, part.carried)
            tally["cash_in_cents"] -= min(0, part.carried)
        part.carried = 0

    def _tally(self, seat_id: str, part: Part, result: str | None, sign: int) -> None:
        tally, wins = self.seats[seat_id].tally, self._wins(part, result)
        tally["wins_cents"] += sign * sum(wins.values())
        tally["returned_cents"] += sign * (sum(part.stakes.values()) - sum(part.counted.values()))
        tally["games_won"] += sign if wins else 0

    # What must be true of the table.

    def balances(self) -> dict[str, int]:
        """Every account with something in it."""
        parts = [part for round_ in self.rounds.values() for part in round_.parts.values()]
        accounts = Counter(
            {
                "cash": self.outside["cash"],
                "vouchers": self.outside["vouchers"],
                "house": sum(sum(part.stakes.values()) - part.got - part.beside(part.got) for part in parts),
                "shortfall": sum(min(0, part.carried) for part in parts),
                "unclaimed": sum(max(0, part.carried) for part in parts),
            }
        )
        for seat_id, seat in self.seats.items():
            accounts[f"credits/{seat_id}"] = seat.credits
            accounts[f"stakes/{seat_id}"] = sum(seat.stakes.values())
        return {account: cents for account, cents in accounts.items() if cents}

    def meters(self, seat_id: str) -> dict[str, int]:
        """What the meters of a seat must show, by their names, without those at zero."""
        parts = [round_.parts[seat_id] for round_ in self.rounds.values() if seat_id in round_.parts]
        tally = Counter(self.seats[seat_id].tally)
        tally["shortfall_in_cents"] = sum(max(0, -part.carried) for part in parts)
        tally["written_off_cents"] = sum(part.beside(part.got) for part in parts)
        tally["unclaimed_out_cents"] = sum(max(0, part.carried) for part in parts)
        return {name: value for name, value in tally.items() if value}

    def house_results(self) -> dict[str, int]:
        """What the house would win on each result of what counts; negative where it would lose."""
        round_ = self._round()
        counted = Counter[str]()
        for seat_id, seat in self.seats.items():
            for bet in seat.stakes:
                counted[bet] += self._counts(round_, seat_id, bet)
        return {
            result: counted.total()
            - sum(
                cents * (1 + self.pays(bet))
                for bet, cents in counted.items()
                if result in self.layout.bets[bet].numbers
            )
            for result in self.book.wheel.outcomes
        }

    def pays_by_result(self) -> dict[str, int]:
        """What the house would pay on top of the stakes, by result, where it would pay anything."""
        return {
            result: sum(cents * self.pays(bet) // (1 + self.pays(bet)) for bet, cents in wins.items())
            for result in self.book.wheel.outcomes
            if (wins := self._wins_of_all(result))
        }

    def _wins_of_all(self, result: str) -> Counter[str]:
        wins: Counter[str] = Counter()
        for seat in self.seats.values():
            for bet, cents in seat.stakes.items():
                if result in self.layout.bets[bet].numbers:
                    wins[bet] += cents * (1 + self.pays(bet))
        return wins

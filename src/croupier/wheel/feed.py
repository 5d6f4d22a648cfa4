"""From a wheel's signals to a table's commands: the wheel as one more sender at the table.

A result counts only from a spin that this round saw from its beginning to its end without a fault, on a wheel
with the book's pockets. Everything else is left to the people at the table.
"""

import logging
from typing import Final

from croupier.floor import Ask
from croupier.floor.clock import Clock
from croupier.floor.insisting import submit_until_settled
from croupier.floor.tables import Table
from croupier.journal import StoreError
from croupier.table import WHEEL, Actor, Command, Do, Rejection, may
from croupier.table import commands as c
from croupier.table.state import BETTING, RESULTED, Round
from croupier.table.wheel_faults import WHEEL_FAULTS
from croupier.wheel.signals import (
    AtRest,
    BallInRim,
    Cleared,
    Fault,
    Irregular,
    NoMoreBets,
    Ready,
    Signal,
    SpinSource,
)

LOG: Final = logging.getLogger("croupier.wheel")

RESTART_MS: Final = 1_000
LONGEST_PAUSE_MS: Final = 60_000
"""A source that fails again and again is listened to again after 1, 2, 4 ... and then always 60 seconds."""


class WheelFeed:
    """Stands between one source of spins and one table."""

    def __init__(self, runner: Table, source: SpinSource, clock: Clock) -> None:
        self.actor = Actor(id=f"wheel/{runner.table}", position=WHEEL)
        self._runner = runner
        self._source = source
        self._clock = clock
        self._number = 0
        self._fault: str | None = None
        """What the source says is wrong with the wheel."""
        self._objection: str | None = None
        """What is wrong with a wheel that finds nothing wrong with itself."""
        self._ready: int | None = None
        """The round that ran when the wheel last waited for a spin."""
        self._waiting = False
        """Whether the wheel waits until it tells of the next spin."""
        self._ball: int | None = None
        """The round whose ball is in the rim and not at rest yet; 0 where it is of none."""
        self._spun: int | None = None
        """The round whose spin has been seen from its beginning, so far without a fault."""
        self._dropped: int | None = None
        """The round whose ball was seen to drop."""

    async def keep_running(self) -> None:
        """Takes signals until the source is closed; one that has failed is listened to again."""
        pause_ms = 0
        while True:
            began_ms = self._clock.now_ms()
            try:
                await self.run()
                return
            except Exception:  # noted where it happened, in the log and at the table
                lasted_ms = self._clock.now_ms() - began_ms
            pause_ms = min(2 * pause_ms or RESTART_MS, LONGEST_PAUSE_MS)
            if lasted_ms > LONGEST_PAUSE_MS:
                pause_ms = RESTART_MS
            await self._clock.sleep_until(self._clock.now_ms() + pause_ms)

    async def run(self) -> None:
        """Takes signals until the source is closed; a source that breaks leaves the table with a fault."""
        try:
            async for signal in self._source:
                await self.take(signal)
        except Exception:
            LOG.exception("table %s: the source of spins failed", self._runner.table)
            self._spun, self._waiting = None, False
            await self._say("source-failed", "the program behind the wheel has failed")
            raise

    async def start_game(self) -> Rejection | None:
        """Has the wheel spin, where the table would take a spin now; otherwise says why not."""
        command = Command(
            at_ms=self._clock.now_ms(), actor=self.actor, sender=self.actor.id, number=0, do=c.StartSpin()
        )
        found = may(self._runner.rules, self._runner.state, command)
        if found is None:
            await self._source.start_game()
        return found

    async def take(self, signal: Signal) -> None:
        """Does what one signal asks for."""
        match signal:
            case Ready():
                await self._waits(signal)
            case BallInRim():
                await self._launched(signal)
            case NoMoreBets():
                await self._drops()
            case AtRest():
                await self._rests(signal)
            case Irregular():
                await self._broke_rule(signal)
            case Fault():
                await self._failed(signal)
            case Cleared():
                self._fault = None
                await self._agree_on_fault("")

    async def _waits(self, signal: Ready) -> None:
        book, round_ = self._runner.rules.book, self._runner.state.round
        is_another = signal.pockets is not None and signal.pockets != book.pockets
        self._objection = "wrong-wheel" if is_another else None
        detail = f"it has {signal.pockets} pockets, and {book.id} has {book.pockets}" if is_another else ""
        await self._agree_on_fault(detail)
        self._ball = self._spun = self._dropped = None
        self._ready = None if round_ is None or is_another else round_.number
        self._waiting = signal.until_launch and not is_another

    async def _launched(self, signal: BallInRim) -> None:
        """The spin begins; one that nobody waited for is told, and its result is left to people."""
        rules, round_ = self._runner.rules, self._runner.state.round
        self._spun = self._dropped = None
        was_waiting, self._waiting = self._waiting, False
        if round_ is None or _has_had_its_spin(round_):
            self._ball = 0
            return
        self._ball = round_.number
        is_halted = self._runner.state.halted is not None  # then no bets are taken, and it is evidence
        if round_.phase == BETTING and rules.closes_before_spin and not is_halted:
            # No clause says what follows. Bets close so that nobody bets on a ball that rolls; whether it is
            # "no spin" or the shift manager's decision is for people, and this spin gives no result.
            await self._ask(c.CloseBets(), round_)
            await self._object("spun-before-close", "the ball was in the rim while bets were open")
            return
        if not was_waiting and self._ready != round_.number:
            await self._object("wrong-order", f"round {round_.number} did not see this spin begin")
        # What a wheel with a fault saw has no consequences: it tells that the ball rolls, and no more.
        spin = round_.spin
        is_sound = self._fault is None and self._objection is None and (spin is None or not spin.faulted)
        # The dealer may have said first that the ball rolls: what the wheel saw of it counts nevertheless.
        if spin is None or (spin.started_by != WHEEL and is_sound):
            start = c.StartSpin(
                ball=signal.ball,
                wheel=signal.wheel,
                wheel_turning=signal.wheel_turning,
                rotor_tenths_rpm=signal.rotor_tenths_rpm,
            )
            if not await self._ask(start if is_sound else c.StartSpin(), round_):
                return
        if is_sound:
            self._spun = round_.number

    async def _drops(self) -> None:
        """Bets close, unless the ball is one of an earlier round."""
        round_ = self._runner.state.round
        if round_ is None or self._ball not in (None, round_.number):
            return
        if round_.phase == BETTING:
            await self._ask(c.CloseBets(), round_)
        self._dropped = round_.number

    async def _rests(self, signal: AtRest) -> None:
        round_, ball = self._runner.state.round, self._ball
        is_whole = bool(ball) and self._spun == self._dropped == ball
        self._ball = self._spun = self._dropped = None
        if ball and (round_ is None or ball != round_.number):
            if is_whole:
                await self._report_late(signal, ball)
            return
        if round_ is None or round_.spin is None or ball != round_.number:
            return
        is_whole = is_whole and not round_.spin.faulted
        pocket = signal.pocket if is_whole else None
        if pocket is not None and pocket not in self._runner.rules.book.wheel.outcomes:
            await self._object("wrong-wheel", f"{pocket} is not on the wheel of the book")
            pocket = None
        finish = c.FinishSpin(
            revolutions=signal.revolutions if is_whole else None,
            pocket=pocket,
            at_rest=signal.at_rest or not is_whole,
            rotor_tenths_rpm=signal.rotor_tenths_rpm,
            diamond=signal.diamond,
        )
        if await self._ask(finish, round_) and pocket is not None:
            state, running = self._runner.state, self._runner.state.round
            goes_on = state.halted is None and not state.awaits_outcome  # or else people state the outcome
            is_open = running is not None and running.number == round_.number and running.result is None
            if goes_on and is_open:
                await self._ask(c.EnterResult(result=pocket), round_)

    async def _report_late(self, signal: AtRest, number: int) -> None:
        """Tells of a spin whose round is over: evidence for or against what people have registered."""
        if signal.pocket is not None and signal.pocket not in self._runner.rules.book.wheel.outcomes:
            return
        late = c.FinishSpin(
            revolutions=signal.revolutions, pocket=signal.pocket, at_rest=signal.at_rest, round=number
        )
        await self._ask(late, None)

    async def _broke_rule(self, signal: Irregular) -> None:
        """Voids the round of this spin, where the book lists what happened."""
        round_ = self._runner.state.round
        self._spun = None
        known = signal.cause in self._runner.rules.book.irregularities
        if round_ is not None and known and self._ball == round_.number and round_.spin is not None:
            await self._ask(c.DeclareIrregularity(cause=signal.cause, note=signal.note), round_)

    async def _failed(self, signal: Fault) -> None:
        self._fault, self._spun, self._waiting = signal.code, None, False
        await self._agree_on_fault(signal.detail)
        if signal.stops_table and not await self._is_halted():
            sentence = WHEEL_FAULTS[signal.code].removesuffix(".")
            await self._halt(f"{sentence} ({signal.detail})" if signal.detail else sentence)

    async def _is_halted(self) -> bool:
        """Whether that is on record; a halt that was decided and could not be written is none."""
        try:
            return (await self._runner.consistent_state()).halted is not None
        except StoreError:
            return False

    async def _halt(self, reason: str) -> None:
        """Stops play; somebody is called where the table does not take it."""
        table = self._runner
        ask = table.as_system(c.HaltTable(reason=reason))
        reply = await submit_until_settled(table, ask, self._clock)
        if reply.rejection is not None:
            sentence = f"it was not halted: {reply.rejection.sentence}"
            LOG.critical("table %s: %s", table.table, sentence, extra={"table": table.table})

    async def _object(self, code: str, detail: str) -> None:
        """Finds a fault that the source did not; it stands until the wheel waits for a spin again."""
        self._objection, self._spun = code, None
        await self._agree_on_fault(detail)

    async def _agree_on_fault(self, detail: str) -> None:
        await self._say(self._fault or self._objection, detail)

    async def _say(self, fault: str | None, detail: str) -> None:
        """Reports what is wrong with the wheel, where the table does not know it yet."""
        if self._runner.state.wheel_fault != fault:
            await self._ask(c.ReportWheel(fault=fault, detail=detail), None)

    async def _ask(self, do: Do, round_: Round | None) -> bool:
        """Sends a command until it is answered; says whether it was carried out.

        One that is meant for a round is not sent again once that round is over: it could hit the next one.
        """
        known = self._runner.state.answers.get(self.actor.id, {})
        self._number = max(self._number, *known, self._runner.state.sequence) + 1
        meant = None if round_ is None else round_.number

        def is_wanted() -> bool:
            running = self._runner.state.round
            return meant is None or (running is not None and running.number == meant)

        ask = Ask(self.actor, do, self.actor.id, self._number, round=meant)
        reply = await submit_until_settled(self._runner, ask, self._clock, is_wanted=is_wanted)
        if reply.rejection is not None:
            LOG.info("table %s: %s", self._runner.table, reply.rejection.sentence)
        return reply.rejection is None


def _has_had_its_spin(round_: Round) -> bool:
    """Whether a ball that is launched now is of another spin than this round's."""
    return round_.phase == RESULTED or (round_.spin is not None and round_.spin.finished_by is not None)

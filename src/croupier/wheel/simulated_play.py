"""A simulated wheel at a running table: seals a draw for each round, spins it in time, opens it afterwards.

What the wheel says while it spins goes to the table by its feed, as with any other wheel. This is the other
way round: what the table tells the wheel.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from typing import Final

from croupier.floor import Ask, Clock, Published
from croupier.floor.insisting import submit_until_settled
from croupier.floor.tables import Table
from croupier.table import WHEEL, Actor, Do, Event
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.state import BETTING, CLOSED, Round
from croupier.wheel.simulated import SimulatedSource

LOG: Final = logging.getLogger("croupier.wheel")


class SimulatedPlay:
    """Has a simulated source play the rounds of a table, and publishes commitments and openings.

    A ball that may roll while bets are open is launched when players are warned that bets close, or when they
    close; one that may not is launched when they have closed.
    """

    def __init__(self, runner: Table, source: SimulatedSource, clock: Clock) -> None:
        self._runner = runner
        self._source = source
        self._clock = clock
        self._actor = Actor(id=f"seal/{runner.table}", position=WHEEL)
        self._number = 0
        self._launched = 0
        """The latest round that a spin was asked for."""
        self._events: deque[Event] = deque()
        self._news = asyncio.Event()

    def tell(self, published: Sequence[Published]) -> None:
        """Takes what has happened at the table; meant for the runner's `publish`."""
        self._events += (item.entry.event for item in published)
        self._news.set()

    async def run(self) -> None:
        """Plays until it is cancelled."""
        await self._pick_up()
        while True:
            while self._events:
                await self._follow(self._events.popleft())
            self._news.clear()
            await self._news.wait()

    async def _pick_up(self) -> None:
        """Goes on where an earlier life of the table stopped, as far as chance that repeats allows."""
        state = await self._runner.settled_state()
        self._events.clear()
        for kept in [*state.kept.values()]:
            if kept.commitment is not None and kept.opening is None:
                await self._open(kept)
        if state.round is None:
            return
        if state.round.commitment is None:
            await self._commit(state.round.number)
        elif self._source.remember(state.round.number, state.round.commitment):
            self._source.prepare(state.round.number)
        else:
            self._source.lose(state.round.number)
            return
        if state.awaits_outcome:  # a supervisor says what stands on the wheel; nothing is spun now
            return
        may_roll = state.round.warned and not self._runner.rules.closes_before_spin
        if state.round.phase == CLOSED or (state.round.phase == BETTING and may_roll):
            await self._launch(state.round.number)

    async def _follow(self, event: Event) -> None:
        match event:
            case e.RoundOpened():
                await self._commit(event.round)
            case e.ClosingWarned() if not self._runner.rules.closes_before_spin:
                await self._launch(event.round)
            case e.BetsClosed():
                await self._launch(event.round)
            case e.TableResumed():
                round_ = self._runner.state.round
                if round_ is not None and round_.phase == CLOSED:
                    await self._launch(round_.number)
            case e.RoundSettled() | e.RoundVoided():
                kept = self._runner.state.kept.get(event.round)
                if kept is not None and kept.commitment is not None and kept.opening is None:
                    await self._open(kept)

    async def _commit(self, number: int) -> None:
        """Draws for a round; without a commitment in time the round is played and cannot be shown fair."""
        commitment = self._source.prepare(number)
        refused = await self._submit(c.CommitSpin(commitment=commitment), number)
        if refused is not None:
            LOG.warning("table %s: round %s has no commitment: %s", self._runner.table, number, refused)

    async def _launch(self, number: int) -> None:
        round_ = self._runner.state.round
        if number <= self._launched or round_ is None or round_.number != number or round_.spin is not None:
            return
        if self._source.opening_of(number) is None:  # told as lost already
            return
        self._launched = number
        await self._source.start_game()

    async def _open(self, kept: Round) -> None:
        commitment = kept.commitment or ""
        if not self._source.remember(kept.number, commitment):
            LOG.warning("table %s: the draw of round %s is lost", self._runner.table, kept.number)
            return
        opening = self._source.opening_of(kept.number) or ""
        refused = await self._submit(c.OpenCommitment(round=kept.number, opening=opening))
        if refused is not None:
            LOG.warning("table %s: round %s is not opened: %s", self._runner.table, kept.number, refused)

    async def _submit(self, do: Do, round_: int | None = None) -> str | None:
        """Has the table take a command, for a round where that matters; gives why it was refused."""
        known = self._runner.state.answers.get(self._actor.id, {})
        self._number = max(self._number, *known, self._runner.state.sequence) + 1
        ask = Ask(self._actor, do, self._actor.id, self._number, round=round_)
        reply = await submit_until_settled(self._runner, ask, self._clock)
        return None if reply.rejection is None else reply.rejection.sentence

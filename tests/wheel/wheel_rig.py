"""A live table with a wheel on it, whose signals a test says itself, and a clock that shows who sleeps."""

import asyncio
from pathlib import Path
from typing import Any

from croupier.floor import ManualClock
from croupier.table import commands as c
from croupier.table import events as e
from croupier.wheel.feed import WheelFeed
from croupier.wheel.hand import HandSource
from croupier.wheel.signals import AtRest, BallInRim, NoMoreBets, Ready, Signal
from floor.sim_live import Live
from table.rig import DEALER
from table.scenes import Game


class SeenClock(ManualClock):
    """A clock that stands still, and that shows until when somebody sleeps."""

    def __init__(self, now_ms: int) -> None:
        super().__init__(now_ms)
        self._asleep: set[int] = set()
        self._news = asyncio.Event()

    async def sleep_until(self, at_ms: int) -> None:
        self._asleep.add(at_ms)
        self._news.set()
        await super().sleep_until(at_ms)

    async def step(self, ms: int) -> None:
        """Moves on once somebody sleeps until then: whoever is late would sleep past the next step."""
        while self.now_ms() + ms not in self._asleep:
            self._news.clear()
            await self._news.wait()
        self.advance(ms)


class OnWheel:
    """A table that is run and open, and the feed of its wheel."""

    def __init__(self, live: Live, game: Game) -> None:
        self.live, self.game = live, game
        self.source = HandSource()
        self.feed = WheelFeed(live.run, self.source, live.clock)

    async def say(self, *signals: Signal) -> None:
        for signal in signals:
            await self.feed.take(signal)

    async def ready(self) -> None:
        pockets = len(self.live.rules.book.wheel.order)
        await self.say(Ready(at_ms=0, pockets=pockets, until_launch=False))

    async def launch(self) -> None:
        await self.say(BallInRim(at_ms=0, wheel="clockwise", wheel_turning=True, rotor_tenths_rpm=251))

    async def drop(self) -> None:
        await self.say(NoMoreBets(at_ms=0))

    async def rest(self, pocket: str | None, **facts: Any) -> None:
        await self.say(AtRest(at_ms=0, pocket=pocket, rotor_tenths_rpm=243, **facts))

    def happened(self, kind: type) -> list[Any]:
        return [item.entry.event for item in self.live.published if isinstance(item.entry.event, kind)]

    def by_wheel(self) -> list[str]:
        """What the wheel's commands led to, in order."""
        return [
            str(item.entry.event.__struct_config__.tag)
            for item in self.live.published
            if item.entry.cause.actor == self.feed.actor
        ]

    def refusals(self) -> list[str]:
        """The codes of what was refused, whoever asked."""
        return [refused.rejection.code for refused in self.happened(e.CommandRefused)]


async def on_wheel(path: Path, game: Game, **chosen: Any) -> OnWheel:
    live = Live(path, book=game.book, layout=game.layout, betting_seconds=None, **chosen)
    await live.start()
    await live.open("1")
    return OnWheel(live, game)


async def begin(on: OnWheel) -> None:
    """A round with a bet, a wheel that waits, and the ball in the rim as the book has it."""
    await on.live.do(DEALER, c.OpenRound())
    await on.live.bet("1", on.game.bet, 1_000)
    await on.ready()
    if on.live.rules.closes_before_spin:
        await on.live.do(DEALER, c.CloseBets())
    await on.launch()

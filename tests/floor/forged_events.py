"""Journals with events that no table would have written: chain, replay and numbers fit, the rules do not."""

from typing import Any

import msgspec

from croupier.floor.verify.journal import Misfit
from croupier.table import Actor, Entry, Event
from croupier.table import commands as c
from croupier.table.events import Cause
from floor.audit_journal import MemoryEvidence, first_misfit
from table.rig import DEALER, Play

SEATS = ("1", "2")
CREDITS_CENTS = 10_000


def a_play(book: str = "mbs-roulette", **settings: Any) -> Play:
    """A table with two players."""
    return Play(book, **settings).open(SEATS, CREDITS_CENTS)


def betting(**settings: Any) -> Play:
    """The same with a bet of seat 1 on red, and bets open."""
    play = a_play(**settings)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    return play


def resulted(result: str = "2", **settings: Any) -> Play:
    """The same with the ball at rest and a result entered."""
    play = betting(**settings)
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result=result))
    return play


def force(play: Play, actor: Actor, *events: Event, second: Actor | None = None) -> Play:
    """Writes events as what one more command of somebody has led to; no table is asked."""
    number = play.numbers[actor.id] = play.numbers.get(actor.id, 0) + 1
    cause = Cause(
        at_ms=play.at_ms, actor=actor, sender=actor.id, number=number, fingerprint="0" * 16, second=second
    )
    play.entries.extend(Entry(cause, event) for event in events)
    return play


def take_back(play: Play, events: list[Event]) -> list[Event]:
    """Takes the latest events out of the journal, for whoever forges them."""
    del play.entries[-len(events) :]
    return events


def but(events: list[Event], kind: type, **facts: Any) -> list[Event]:
    """The events, with other facts in those of a kind."""
    return [msgspec.structs.replace(event, **facts) if isinstance(event, kind) else event for event in events]


def found_in(play: Play) -> Misfit | None:
    """What the verifier says of the journal of a play."""
    return first_misfit(MemoryEvidence(play))

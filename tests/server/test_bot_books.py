"""A bot's own books agree with its credits, whatever becomes of a round that is corrected."""

import pytest

from croupier.client.bot import Bot
from croupier.protocol.facts import facts_of
from croupier.protocol.telling import Told
from croupier.server.hearing import heard_by
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import MANAGER, SUPERVISOR, Play, player


def books_of(play: Play, cents: int) -> int:
    """What a bot that began with an amount makes of its own bets and of what it was told."""
    bot = Bot("ws://nowhere", "token", "1", ())
    bot.books_cents = cents
    for sequence, entry in enumerate(play.entries, start=1):
        event = entry.event
        if isinstance(event, e.BetsChanged):
            bot.books_cents -= sum(change.cents for change in event.changes)
        elif heard_by(play.state, event) == (e.SEAT, "1"):
            facts = facts_of(event, staff=False)
            bot._told(Told(seq=sequence, at_ms=entry.cause.at_ms, name="T1", event=facts))
    return bot.books_cents


@pytest.mark.parametrize("how", ["collected", "written-off"])
def test_books_agree_where_what_a_correction_left_open_has_ended(how: str) -> None:
    play = Play().open(("1",), cents=1_000)
    play.round({"1": {"straight:17": 1_000}}, "17")
    play.round({"1": {"straight:5": 35_000}}, "6")
    steps = (
        c.CorrectResult(round=1, result="18", reason="camera"),
        c.SettleCarried(round=1, seat="1", how=how, cents=35_000, reason="as agreed"),
        c.CorrectResult(round=1, result="17", reason="camera again"),
        c.CorrectResult(round=1, result="18", reason="and again"),
    )
    for do in steps:
        play.do(MANAGER, do, SUPERVISOR)
        assert books_of(play, 1_000) == play.credits("1"), do


def test_a_correction_is_heard_by_who_stayed_also_once_its_round_is_let_go() -> None:
    play = Play(rounds_kept=1).open(("1",), cents=1_000)
    play.round({"1": {"straight:17": 1_000}}, "18")
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
    correct = c.CorrectResult(round=1, result="17", reason="camera")
    (corrected,) = (
        event for event in play.do(MANAGER, correct, SUPERVISOR) if isinstance(event, e.SeatCorrected)
    )
    assert corrected.has_left
    assert heard_by(play.state, corrected) == (e.SEAT, "1")

    play.round({"1": {"straight:17": 1_000}}, "18")

    assert 1 not in play.state.kept
    assert heard_by(play.state, corrected) == (e.SEAT, "1")

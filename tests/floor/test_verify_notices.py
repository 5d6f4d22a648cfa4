"""A journal in which players read other words than the approved ones is found."""

import pytest

from clauses import clause
from croupier.table import commands as c
from croupier.table import events as e
from floor.forged_events import but, force, found_in, take_back
from table.rig import DEALER, Play
from table.scenes import MBS, ONE_A_BOOK, RWS_000, SPINNING, Game, at, every_book, table, title


def with_words(play: Play, do: c.Do, kind: type, notice: str) -> Play:
    """A play in which the dealer does something, and players read other words of it."""
    return force(play, DEALER, *but(take_back(play, play.do(DEALER, do)), kind, notice=notice))


@every_book
@pytest.mark.parametrize("notice", ["\u8bf7\u4e0b\u6ce8", "Betting is open", "PLACE YOUR BETS"])
@clause("mbs-roulette:3.1", "rws-roulette-00:3.2", "rws-roulette-000:3.2", "rws-money-wheel:3.2")
def test_bets_are_opened_in_other_words(game: Game, notice: str) -> None:
    misfit = found_in(with_words(table(game), c.OpenRound(), e.RoundOpened, notice))
    assert misfit is not None
    assert f"players read {notice!r}, and the book says" in misfit.reason


@every_book
@clause("mbs-roulette:3.2", "mbs-roulette:3.7", "rws-roulette-00:3.5", "rws-roulette-000:3.5")
@clause("rws-money-wheel:3.6", "rws-money-wheel:5.6")
def test_bets_are_closed_in_other_words(game: Game) -> None:
    misfit = found_in(with_words(at("betting", game), c.CloseBets(), e.BetsClosed, "Betting closed"))
    assert misfit is not None
    assert "players read 'Betting closed', and the book says 'No" in misfit.reason


@clause("mbs-roulette:5.15")
def test_a_call_of_no_spin_has_its_own_words() -> None:
    play = at(SPINNING, MBS)
    play.do(DEALER, c.CallNoSpin(reason="a coin"))
    assert found_in(play) is None
    words = "Round 1 is void: a coin. All bets are returned"
    play = with_words(at(SPINNING, MBS), c.CallNoSpin(reason="a coin"), e.RoundVoided, words)
    misfit = found_in(play)
    assert misfit is not None
    assert "the book says 'No spin: a coin. All bets are returned'" in misfit.reason


def test_words_of_ours_may_be_others() -> None:
    """No text gives them, so nothing is broken where a floor says them in its own way."""
    started = with_words(at("closed", RWS_000), c.StartSpin(), e.SpinStarted, "Spinning")
    assert found_in(started) is None


@pytest.mark.parametrize("game", ONE_A_BOOK, ids=title)
def test_every_text_that_the_book_has_for_a_step_is_approved(game: Game) -> None:
    """Where the rules give two wordings, a floor may show either."""
    for text in table(game).rules.book.notices["closed"].texts:
        assert found_in(with_words(at("betting", game), c.CloseBets(), e.BetsClosed, text)) is None

"""The table itself: opened, closed after a last round that players were told of, halted and resumed."""

import msgspec
import pytest

from croupier.table import Stake, audience, create
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, START_MS, SUPERVISOR, TIMER, Play, only, player
from table.scenes import BETTING, CLOSED, IDLE, MBS, RESULTED, SETTLED, SPINNING, Game, at, every_game, finish


def void(play: Play) -> None:
    play.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="nobody foresaw it", round=play.state.round_number))


def left(play: Play) -> int:
    """Announces the last round; gives how many more rounds may be opened."""
    return int(only(e.LastRoundAnnounced, play.do(DEALER, c.AnnounceLastRound())).rounds_left)


@every_game
def test_a_table_begins_with_its_settings_and_the_proof_of_its_rules(game: Game) -> None:
    play = Play(game.book, game.layout)

    (entry,) = play.entries

    assert entry.event == e.TableCreated(settings=play.settings, book_sha256=play.rules.book.sha256)
    assert audience(entry.event) == "staff"
    assert (entry.cause.at_ms, entry.cause.actor) == (START_MS, SUPERVISOR)
    assert not play.state.open


def test_a_table_with_faulty_settings_is_not_created() -> None:
    play = Play()
    settings = msgspec.structs.replace(play.settings, lock_up_cents=0, rounds_kept=0)

    with pytest.raises(ValueError, match=r"lock_up_cents is 0.*rounds_kept is 0"):
        create(play.rules, settings, START_MS, SUPERVISOR)


def test_a_closed_table_plays_no_rounds_and_takes_no_money() -> None:
    play = Play()
    play.do(DEALER, c.OpenSeat(seat="1", kind="alfastreet"))

    for actor, do in (
        (DEALER, c.OpenRound()),
        (DEALER, c.AnnounceLastRound()),
        (SUPERVISOR, c.CloseTable()),
        (player("1"), c.BuyCredits(seat="1", cents=100)),
        (player("1"), c.PlaceBets(seat="1", stakes=(Stake("red", 100),))),
        (SUPERVISOR, c.StateOutcome(result=None)),
    ):
        assert play.refused(actor, do).code == "table-closed"


def test_an_open_table_is_not_opened_again() -> None:
    assert at(IDLE).refused(SUPERVISOR, c.OpenTable()).code == "table-open"


@pytest.mark.parametrize(
    ("point", "rounds_left"),
    [(IDLE, 1), (BETTING, 0), (CLOSED, 1), (SPINNING, 1), (RESULTED, 1), (SETTLED, 1)],
)
@every_game
def test_the_last_round_is_the_one_whose_bets_are_open_or_else_the_next(
    game: Game, point: str, rounds_left: int
) -> None:
    play = at(point, game)

    announced = only(e.LastRoundAnnounced, play.do(DEALER, c.AnnounceLastRound()))

    assert announced.rounds_left == rounds_left
    assert (announced.notice, audience(announced)) == ("Last round: the table closes after it", "table")
    assert play.refused(DEALER, c.AnnounceLastRound()).code == "last-round-announced"
    if point == BETTING:
        play.do(DEALER, c.CloseBets())
        finish(play, game, CLOSED, game.wins)
    elif point not in (IDLE, SETTLED):
        finish(play, game, point, game.wins)
    if rounds_left:
        play.round({}, game.wins)
    assert play.refused(DEALER, c.OpenRound()).code == "last-round-played"
    closed = only(e.TableClosed, play.do(SUPERVISOR, c.CloseTable()))
    assert (closed.notice, audience(closed)) == ("This table is closed", "table")


def test_a_table_does_not_close_under_a_round_or_without_its_last_round() -> None:
    play = at(IDLE)

    assert play.refused(SUPERVISOR, c.CloseTable()).code == "no-last-round-notice"
    play.do(DEALER, c.AnnounceLastRound())
    assert play.refused(SUPERVISOR, c.CloseTable()).code == "last-round-not-played"
    play.do(DEALER, c.OpenRound())
    for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="0"), c.ConfirmResult(result="0")):
        assert play.refused(SUPERVISOR, c.CloseTable()).code == "round-running"
        play.do(DEALER, do)
    play.do(SUPERVISOR, c.CloseTable())


def test_a_table_without_players_may_close_without_the_last_round() -> None:
    play = at(IDLE)
    for seat in ("1", "2"):
        play.do(player(seat), c.CashOut(seat=seat, voucher=f"V{seat}"))
    play.do(DEALER, c.AnnounceLastRound())

    assert play.do(SUPERVISOR, c.CloseTable())


def test_a_last_round_that_is_void_gives_another() -> None:
    play = at(BETTING)
    assert left(play) == 0

    void(play)
    assert play.refused(SUPERVISOR, c.CloseTable()).code == "last-round-not-played"
    play.do(DEALER, c.OpenRound())
    void(play)
    play.round({}, "0")

    assert play.refused(DEALER, c.OpenRound()).code == "last-round-played"
    assert play.do(SUPERVISOR, c.CloseTable())


def test_a_void_round_before_the_last_one_does_not_give_two() -> None:
    play = at(CLOSED)
    assert left(play) == 1

    void(play)
    play.round({}, "0")

    assert play.refused(DEALER, c.OpenRound()).code == "last-round-played"


def test_a_table_that_opens_again_has_forgotten_its_last_round_and_counts_on() -> None:
    play = at(BETTING)
    left(play)
    play.do(DEALER, c.CloseBets())
    finish(play, MBS, CLOSED, "0")
    play.do(SUPERVISOR, c.CloseTable())

    play.do(SUPERVISOR, c.OpenTable())

    assert only(e.RoundOpened, play.do(DEALER, c.OpenRound())).round == 2
    play.do(DEALER, c.AnnounceLastRound())


def test_a_halted_table_stands_still_until_the_shift_manager_has_looked() -> None:
    play = at(BETTING)

    halted = only(e.TableHalted, play.do(TIMER, c.HaltTable(reason="the books do not balance")))

    assert (halted.notice, audience(halted)) == ("Play is interrupted: please wait", "table")
    for actor, do in (
        (player("1"), c.ClearBets(seat="1")),
        (player("1"), c.CashOut(seat="1", voucher="V1")),
        (DEALER, c.CloseBets()),
        (SUPERVISOR, c.ClearLockUp(seat="1")),
        (SHIFT_MANAGER, c.Decide(ruling="void", reason="stuck", round=1)),
        (SUPERVISOR, c.OpenTable()),
    ):
        found = play.refused(actor, do)
        assert (found.code, "the books do not balance" in found.sentence) == ("table-halted", True)
    assert play.refused(SUPERVISOR, c.ResumeTable(reason="looked")).code == "not-allowed"
    resumed = only(e.TableResumed, play.do(SHIFT_MANAGER, c.ResumeTable(reason="a counter was read twice")))
    assert (resumed.reason, audience(resumed)) == ("a counter was read twice", "table")
    assert play.do(player("1"), c.ClearBets(seat="1"))


def test_only_a_halted_table_is_resumed_and_both_take_a_reason() -> None:
    play = at(IDLE)

    assert play.refused(SHIFT_MANAGER, c.ResumeTable(reason="looked")).code == "not-halted"
    assert play.refused(SHIFT_MANAGER, c.ResumeTable(reason="")).code == "no-reason"
    assert play.refused(TIMER, c.HaltTable(reason=" ")).code == "no-reason"


def test_a_table_that_is_halted_again_gives_the_newest_reason() -> None:
    play = at(IDLE)
    play.do(TIMER, c.HaltTable(reason="first"))
    play.do(TIMER, c.HaltTable(reason="second"))

    assert "second" in play.refused(DEALER, c.OpenRound()).sentence


def test_a_last_round_that_is_found_void_after_its_settlement_gives_another() -> None:
    play = Play("rws-roulette-00").open()
    play.do(DEALER, c.OpenRound())
    assert left(play) == 0
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="2"))
    play.do(DEALER, c.ConfirmResult(result="2"))
    assert play.refused(DEALER, c.OpenRound()).code == "last-round-played"

    play.do(MANAGER, c.DeclareIrregularity(cause="ball-broken", rounds=(1,)), SUPERVISOR)

    play.round({}, "0")
    assert play.refused(DEALER, c.OpenRound()).code == "last-round-played"

"""No age limits a correction: a round that the table has let go of comes back from its journal."""

import msgspec
import pytest

from clauses import clause
from croupier.table import Actor, Rejection, decide, foresee_correction, recall_of, rounds_over, with_rounds
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, only, player
from table.scenes import MBS, MONEY_WHEEL, RWS_000, RWS_A, STAKE, Game, correct, table, title

ANY_AGE = [
    pytest.param(MBS, marks=clause("mbs-roulette:6.3")),
    pytest.param(RWS_A, marks=clause("rws-roulette-00:5.5", "rws-roulette-00:5.8")),
    pytest.param(RWS_000, marks=clause("rws-roulette-000:5.5", "rws-roulette-000:5.8")),
]
any_age = pytest.mark.parametrize("game", ANY_AGE, ids=title)


def long_ago(game: Game = MBS, rounds: int = 3) -> Play:
    """Seat 1 has won round 1 and seat 2 has lost it; the table has let go of it since."""
    play = table(game, rounds_kept=2)
    play.round({"1": {game.bet: STAKE}, "2": {game.other: STAKE}}, game.wins)
    for _ in range(rounds):
        play.round({}, game.loses)
    assert play.state.over(1) is None
    return play


def correction(result: str) -> c.CorrectResult:
    return c.CorrectResult(round=1, result=result, reason="the camera shows it")


@any_age
def test_a_round_of_any_age_is_corrected(game: Game) -> None:
    play = long_ago(game)

    recalled, corrected, *seats = play_on(play, game)

    assert isinstance(recalled, e.RoundRecalled)
    assert (recalled.round, recalled.phase, recalled.result) == (1, "settled", game.wins)
    assert isinstance(corrected, e.ResultCorrected)
    assert (corrected.old, corrected.new, corrected.settled) == (game.wins, game.loses, True)
    assert [type(event) for event in seats] == [e.SeatCorrected, e.SeatCorrected]
    assert (play.credits("1"), play.credits("2")) == (99_000, 100_000 + STAKE * game.other_pays)


def play_on(play: Play, game: Game) -> list[e.Event]:
    """Corrects round 1 and gives all that is recorded of it, what the table itself does first included."""
    before = len(play.entries)
    correct(play, 1, game.loses)
    return [entry.event for entry in play.entries[before:]]


@any_age
def test_what_a_seat_has_spent_or_taken_away_since_is_a_shortfall(game: Game) -> None:
    play = long_ago(game)
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(DEALER, c.CloseSeat(seat="1"))

    events = correct(play, 1, game.loses)

    won_cents = STAKE * (game.pays + 1)
    first = next(event for event in events if isinstance(event, e.SeatCorrected) and event.seat == "1")
    assert (first.has_left, first.carried_cents, first.moved_cents) == (True, -won_cents, 0)
    assert play.state.balances["shortfall"] == -won_cents


@any_age
def test_what_a_seat_that_is_long_gone_should_have_won_is_paid_by_hand(game: Game) -> None:
    play = long_ago(game)
    play.do(player("2"), c.CashOut(seat="2", voucher="V2"))

    correct(play, 1, game.loses)
    owed_cents = STAKE * (game.other_pays + 1)
    for _ in range(4):
        play.round({}, game.wins)
    paid = c.SettleCarried(round=1, seat="2", how="paid", cents=owed_cents, reason="he came back")
    play.do(MANAGER, paid, SUPERVISOR)

    assert play.state.balances.get("unclaimed", 0) == 0
    assert play.state.owing.keys() == set()


@clause("rws-roulette-00:5.4")
def test_a_broken_ball_voids_a_round_of_any_age() -> None:
    play = long_ago(RWS_A)

    play.do(MANAGER, c.DeclareIrregularity(cause="ball-broken", rounds=(1,)), SUPERVISOR)

    assert (play.credits("1"), play.credits("2")) == (100_000, 100_000)


@clause("rws-roulette-000:5.10")
def test_a_decision_reaches_a_round_of_any_age() -> None:
    play = long_ago(RWS_000)

    bets = (c.NamedBet("2", RWS_000.other),)
    play.do(SHIFT_MANAGER, c.Decide(ruling="return-bets", reason="a stuck screen", round=1, bets=bets))
    play.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="all of it", round=1))

    assert (play.credits("1"), play.credits("2")) == (100_000, 100_000)
    void = play.refused(SHIFT_MANAGER, c.Decide(ruling="void", reason="again", round=1))
    assert void.code == "round-void"


def test_a_void_round_is_still_void_when_it_is_read_again() -> None:
    play = table(rounds_kept=1)
    play.do(DEALER, c.OpenRound())
    play.do(DEALER, c.CallNoSpin(reason="a suspicion"))
    play.round({}, "0")
    play.round({}, "0")

    assert play.refused(MANAGER, correction("17"), SUPERVISOR).code == "round-void"


@clause("rws-money-wheel:5.5")
def test_on_the_money_wheel_an_old_round_stands_and_is_not_even_read() -> None:
    play = long_ago(MONEY_WHEEL)
    before = len(play.entries)

    found = play.refused(MANAGER, correction("1"), SUPERVISOR)

    assert (found.code, found.clause) == ("round-stands", "rws-money-wheel:5.5")
    assert [type(entry.event) for entry in play.entries[before:]] == [e.CommandRefused]


@pytest.mark.parametrize(
    ("actor", "second", "code"),
    [(DEALER, None, "not-allowed"), (SUPERVISOR, DEALER, "not-allowed"), (MANAGER, None, "second-person")],
)
def test_nothing_is_read_for_people_who_may_not_correct_it(
    actor: Actor, second: Actor | None, code: str
) -> None:
    play = long_ago()
    before = len(play.entries)

    assert play.refused(actor, correction("20"), second).code == code
    assert [type(entry.event) for entry in play.entries[before:]] == [e.CommandRefused]


def test_a_correction_of_an_old_round_and_back_leaves_it_as_it_was() -> None:
    play = long_ago()
    was = play.credits("1"), play.credits("2")

    correct(play, 1, "20")
    for _ in range(4):
        play.round({}, "0")
    assert play.state.over(1) is None
    correct(play, 1, "17")

    assert (play.credits("1"), play.credits("2")) == was


def test_a_recalled_round_stays_until_the_next_one_is_over() -> None:
    play = long_ago()
    correct(play, 1, "20")
    assert play.state.owing.keys() == {1}
    assert 1 not in play.state.kept, "it is none of the latest rounds"

    play.round({}, "0")

    assert play.state.owing == {}


def recall(play: Play) -> c.RecallRound:
    """Round 1 as the history has it now."""
    return recall_of(rounds_over(play.rules, play.entries, {1})[1], play.state.sequence)


def test_what_was_read_before_the_round_changed_is_not_believed() -> None:
    play = long_ago()
    early = recall(play)
    correct(play, 1, "20")
    assert play.refused(TIMER, early).code == "recall-outdated", "it is in memory"
    play.round({}, "0")

    assert play.refused(TIMER, early).code == "recall-outdated"
    late = only(e.RoundRecalled, play.do(TIMER, recall(play)))
    assert late.result == "20"


def test_nothing_is_recalled_of_a_round_that_runs_or_never_was() -> None:
    play = long_ago()
    do = recall(play)
    play.do(DEALER, c.OpenRound())

    assert play.refused(TIMER, msgspec.structs.replace(do, round=5)).code == "recall-outdated"
    assert play.refused(TIMER, msgspec.structs.replace(do, round=6)).code == "unknown-round"
    assert play.refused(SHIFT_MANAGER, do).code == "not-allowed"


def test_what_a_correction_of_an_old_round_would_do_is_foreseen() -> None:
    play = long_ago()
    unread = foresee_correction(play.rules, play.state, play.at_ms, DEALER, 1, "20")
    assert isinstance(unread, Rejection)
    assert unread.code == "round-not-recalled"

    state = with_rounds(play.state, tuple(rounds_over(play.rules, play.entries, {1}).values()))
    found = foresee_correction(play.rules, state, play.at_ms, DEALER, 1, "20")

    assert not isinstance(found, Rejection)
    assert [(seat.seat, seat.difference_cents) for seat in found.seats] == [("1", -36_000), ("2", 36_000)]
    assert play.state.over(1) is None, "nothing has changed"
    command = play.command(MANAGER, correction("20"), SUPERVISOR)
    assert isinstance(decide(play.rules, play.state, command), Rejection)

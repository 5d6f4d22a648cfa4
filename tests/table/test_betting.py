"""Bets while they are open: placed, raised, reduced, moved, cleared, all of a command or none of it."""

import pytest

from clauses import clause
from croupier.table import Actor, NamedBet, Posting, Rejection, Stake
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, Play, only, player
from table.scenes import (
    BETTING,
    MBS,
    MONEY_WHEEL,
    RWS_000,
    RWS_A,
    RWS_B,
    STAKE,
    Game,
    at,
    every_game,
    table,
    title,
)


def betting(game: Game = MBS, cents: int = 100_000) -> Play:
    play = table(game, cents=cents)
    play.do(DEALER, c.OpenRound())
    return play


def place(play: Play, *stakes: tuple[str, int], seat: str = "1") -> Rejection:
    do = c.PlaceBets(seat=seat, stakes=tuple(Stake(bet, cents) for bet, cents in stakes))
    return play.refused(player(seat), do)


def take(seat: str, stakes: dict[str, int]) -> c.TakeBets:
    return c.TakeBets(seat=seat, stakes=tuple(Stake(bet, cents) for bet, cents in stakes.items()))


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(MBS, marks=clause("mbs-roulette:3.3")),
        pytest.param(RWS_A, marks=clause("rws-roulette-00:3.4")),
        pytest.param(RWS_B, marks=clause("rws-roulette-00:3.4")),
        pytest.param(RWS_000, marks=clause("rws-roulette-000:3.4")),
        pytest.param(MONEY_WHEEL),
    ],
    ids=title,
)
def test_a_player_places_any_bet_of_the_layout_and_several_at_once(game: Game) -> None:
    play = betting(game)
    every_bet = dict.fromkeys(play.rules.layout.bets, 100)

    (changed,) = play.bet("1", every_bet)

    assert isinstance(changed, e.BetsChanged)
    assert changed.changes == tuple(e.BetChange(bet, 100) for bet in every_bet)
    assert (changed.seat, changed.round, changed.placed_by) == ("1", 1, "player")
    assert changed.clause == game.cite({MBS: "3.3", MONEY_WHEEL: "3.2"}.get(game, "3.4"))
    assert changed.postings == (Posting("credits/1", "stakes/1", 100 * len(every_bet)),)
    assert play.state.seats["1"].stakes == every_bet
    assert play.credits("1") == 100_000 - 100 * len(every_bet)


@every_game
def test_a_bet_is_raised_by_placing_on_it_again(game: Game) -> None:
    play = betting(game)

    play.bet("1", {game.bet: 700})
    play.bet("1", {game.bet: 300, game.other: 100})

    assert play.state.seats["1"].stakes == {game.bet: 1_000, game.other: 100}
    assert play.credits("1") == 98_900


@every_game
def test_a_bet_is_reduced_and_taken_off(game: Game) -> None:
    play = betting(game)
    play.bet("1", {game.bet: 700, game.other: 300})

    (changed,) = play.do(player("1"), take("1", {game.bet: 200}))
    assert isinstance(changed, e.BetsChanged)
    assert changed.changes == (e.BetChange(game.bet, -200),)
    assert changed.postings == (Posting("stakes/1", "credits/1", 200),)

    play.do(player("1"), take("1", {game.bet: 500}))
    assert play.state.seats["1"].stakes == {game.other: 300}
    assert play.credits("1") == 99_700


@every_game
def test_all_bets_of_a_seat_are_cleared_and_nobody_elses(game: Game) -> None:
    play = at(BETTING, game)
    play.bet("1", {game.other: 500})

    (changed,) = play.do(player("1"), c.ClearBets(seat="1"))

    assert isinstance(changed, e.BetsChanged)
    assert changed.changes == (e.BetChange(game.bet, -STAKE), e.BetChange(game.other, -500))
    assert play.state.seats["1"].stakes == {}
    assert play.state.seats["2"].stakes == {game.other: STAKE}
    assert play.credits("1") == 100_000
    assert play.refused(player("1"), c.ClearBets(seat="1")).code == "not-on-bet"


@every_game
def test_a_stake_is_moved_in_part_and_whole_without_touching_credits(game: Game) -> None:
    play = betting(game)
    play.bet("1", {game.bet: 700})

    (changed,) = play.do(player("1"), c.MoveBet(seat="1", source=game.bet, destination=game.other, cents=300))
    assert isinstance(changed, e.BetsChanged)
    assert changed.changes == (e.BetChange(game.bet, -300), e.BetChange(game.other, 300))
    assert changed.postings == ()
    assert play.state.seats["1"].stakes == {game.bet: 400, game.other: 300}

    play.do(player("1"), c.MoveBet(seat="1", source=game.bet, destination=game.other, cents=400))
    assert play.state.seats["1"].stakes == {game.other: 700}
    assert play.credits("1") == 99_300


def test_more_than_lies_on_a_bet_is_neither_taken_nor_moved() -> None:
    play = betting()
    play.bet("1", {"red": 700})

    taken = play.refused(player("1"), take("1", {"red": 701}))
    moved = play.refused(player("1"), c.MoveBet(seat="1", source="black", destination="red", cents=100))

    assert (taken.code, taken.sentence) == ("not-on-bet", "Only 7.00 lies on red.")
    assert taken.facts == {"bet": "red", "stake_cents": 700}
    assert moved.facts == {"bet": "black", "stake_cents": 0}


@pytest.mark.parametrize(
    ("stakes", "code"),
    [
        ([("red", 500), ("purple", 500)], "unknown-bet"),
        ([("red", 500), ("split:1/36", 500)], "unknown-bet"),
        ([("red", 500), ("black", 0)], "bad-amount"),
        ([("red", 500), ("black", -500)], "bad-amount"),
        ([("red", 500), ("black", 99)], "below-minimum"),
        ([("red", 500), ("black", 1_000_001)], "not-enough-credits"),
        ([("red", 60_000), ("black", 40_001)], "not-enough-credits"),
        ([("red", 500), ("finales:3", 500)], "announced-not-offered"),
    ],
)
def test_one_bad_bet_and_none_of_the_command_is_placed(stakes: list[tuple[str, int]], code: str) -> None:
    play = betting()

    assert place(play, *stakes).code == code
    assert play.state.seats["1"].stakes == {}
    assert play.credits("1") == 100_000


def test_a_bet_that_is_taken_off_by_a_cent_too_much_in_two_parts_is_refused() -> None:
    play = betting(MONEY_WHEEL)
    play.bet("1", {"symbol:5": 1})
    twice = c.TakeBets(seat="1", stakes=(Stake("symbol:5", 1), Stake("symbol:5", 1)))

    assert play.refused(player("1"), twice).code == "not-on-bet"
    assert play.refused(player("1"), take("1", {"symbol:10": 1})).code == "not-on-bet"


def test_one_stake_too_much_and_none_of_the_command_is_taken_off() -> None:
    play = betting()
    play.bet("1", {"red": 500, "black": 500})

    assert play.refused(player("1"), take("1", {"red": 100, "black": 600})).code == "not-on-bet"
    assert play.state.seats["1"].stakes == {"red": 500, "black": 500}


def test_what_the_bets_cost_beyond_the_credits_is_said() -> None:
    play = betting(cents=1_000)

    found = place(play, ("red", 800), ("black", 450))

    assert found.sentence == "The bets cost 12.50 and the credits are 10.00."
    assert found.facts == {"cost_cents": 1_250, "credits_cents": 1_000, "short_cents": 250}


def test_all_credits_may_be_staked_and_not_a_cent_more() -> None:
    play = betting(cents=1_000)

    play.bet("1", {"red": 1_000})

    assert play.credits("1") == 0
    assert place(play, ("red", 1)).facts["short_cents"] == 1


def test_a_bet_named_twice_in_one_command_adds_up() -> None:
    play = betting()
    stakes = (Stake("red", 60), Stake("red", 40))

    play.do(player("1"), c.PlaceBets(seat="1", stakes=stakes))

    assert play.state.seats["1"].stakes == {"red": 100}


@pytest.mark.parametrize(
    ("game", "written", "bet"),
    [
        (MBS, "split:20/17", "split:17/20"),
        (MBS, "corner:29/25/28/26", "corner:25/26/28/29"),
        (MBS, "street:3/0/2", "street:0/2/3"),
        (RWS_A, "split:00/0", "split:0/00"),
        (RWS_B, "top-line:3/2/1/00/0", "top-line:0/00/1/2/3"),
        (RWS_000, "green", "street:0/00/000"),
        (RWS_000, "street:000/0/00", "street:0/00/000"),
    ],
    ids=lambda value: value if isinstance(value, str) else title(value),
)
def test_numbers_in_any_order_and_other_names_are_the_same_bet(game: Game, written: str, bet: str) -> None:
    play = betting(game)

    play.bet("1", {written: 500})
    play.bet("1", {bet: 200})
    assert play.state.seats["1"].stakes == {bet: 700}

    play.do(player("1"), take("1", {written: 300}))
    play.do(player("1"), c.MoveBet(seat="1", source=written, destination="red", cents=400))
    assert play.state.seats["1"].stakes == {"red": 400}


def test_a_command_without_bets_says_nothing_to_do() -> None:
    play = betting()

    assert place(play).code == "nothing-to-do"
    assert play.refused(player("1"), take("1", {})).code == "nothing-to-do"


@pytest.mark.parametrize("employee", [DEALER, SUPERVISOR, MANAGER], ids=lambda actor: actor.position)
@clause("rws-money-wheel:5.10")
def test_a_pit_employee_places_for_a_player_and_the_record_says_who_did(employee: Actor) -> None:
    play = betting(MONEY_WHEEL)

    stakes = (Stake("symbol:5", 500),)
    changed = only(e.BetsChanged, play.do(employee, c.PlaceBets(seat="1", stakes=stakes)))

    assert (changed.seat, changed.placed_by) == ("1", employee.position)
    assert changed.clause == "rws-money-wheel:5.10"
    assert play.entries[-1].cause.actor == employee
    assert play.credits("1") == 99_500


@clause("rws-money-wheel:5.8", "rws-money-wheel:5.10")
def test_what_was_placed_wrongly_for_a_player_is_settled_as_it_lies() -> None:
    play = betting(MONEY_WHEEL)
    play.do(DEALER, c.PlaceBets(seat="1", stakes=(Stake("symbol:5", 500),)))  # asked for was symbol:10

    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="10"))
    play.do(DEALER, c.ConfirmResult(result="10"))

    assert play.credits("1") == 99_500


def test_a_returned_bet_may_be_placed_again_while_bets_are_open() -> None:
    play = at(BETTING)
    ruling = c.Decide(
        ruling="return-bets", reason="a stuck screen", round=1, bets=(NamedBet("1", "straight:17"),)
    )
    play.do(SHIFT_MANAGER, ruling)

    play.bet("1", {"straight:17": 500})

    assert play.state.seats["1"].stakes == {"straight:17": 500}


@pytest.mark.parametrize(("source", "destination"), [("red", " red"), ("split:1/2", "split:2/1")])
def test_a_bet_is_not_moved_to_where_it_lies_however_that_is_written(source: str, destination: str) -> None:
    play = at(BETTING)
    play.bet("1", {"red": 1_000, "split:1/2": 1_000})
    move = c.MoveBet(seat="1", source=source, destination=destination, cents=500)
    assert play.refused(player("1"), move).code == "nothing-to-do"

"""Limits of roulette: shown to everybody, and what is outside them is refused with by how much."""

from collections.abc import Mapping
from typing import Any

import pytest

from clauses import clause
from croupier.rulebook import load_book, settle
from croupier.table import Limits, Range, Rejection, Rules, Stake, audience, house_results
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SUPERVISOR, Play, only, player, wide_limits
from table.scenes import (
    BALL_GAMES,
    GAMES,
    MBS,
    MONEY_WHEEL,
    RWS_000,
    RWS_A,
    SETTLED,
    Game,
    at,
    table,
    title,
)


def betting(seats: tuple[str, ...] = ("1", "2"), **limits: Any) -> Play:
    rules = Rules(load_book("mbs-roulette"))
    play = table(MBS, seats=seats, limits=wide_limits(rules, 100, 5_000, **limits))
    play.do(DEALER, c.OpenRound())
    return play


def place(play: Play, bets: Mapping[str, int], seat: str = "1") -> Rejection:
    stakes = tuple(Stake(bet, cents) for bet, cents in bets.items())
    return play.refused(player(seat), c.PlaceBets(seat=seat, stakes=stakes))


@pytest.mark.parametrize(
    ("game", "number"),
    [
        pytest.param(MBS, None),
        pytest.param(RWS_A, "3.3", marks=clause("rws-roulette-00:3.3")),
        pytest.param(RWS_000, "3.3", marks=clause("rws-roulette-000:3.3")),
        pytest.param(MONEY_WHEEL, "3.3", marks=clause("rws-money-wheel:3.3")),
    ],
    ids=title,
)
def test_everybody_at_the_table_is_shown_the_limits(game: Game, number: str | None) -> None:
    play = Play(game.book, game.layout)
    clause_id = None if number is None else game.cite(number)

    opened = only(e.TableOpened, play.do(SUPERVISOR, c.OpenTable()))
    new = wide_limits(play.rules, 500, 20_000, table_cents=90_000)
    do = c.ChangeLimits(limits=new, reason="a busy evening")
    changed = only(e.LimitsChanged, play.do(MANAGER, do, second=SUPERVISOR))

    assert (opened.limits, opened.clause, audience(opened)) == (play.settings.limits, clause_id, "table")
    assert (changed.old, changed.new) == (play.settings.limits, new)
    assert (changed.clause, audience(changed)) == (clause_id, "table")


def test_limits_are_changed_at_a_table_that_is_not_open_yet() -> None:
    play = Play("mbs-roulette")
    new = wide_limits(play.rules, 500, 20_000)
    play.do(MANAGER, c.ChangeLimits(limits=new, reason="a busy evening"), second=SUPERVISOR)

    assert only(e.TableOpened, play.do(SUPERVISOR, c.OpenTable())).limits == new


@pytest.mark.parametrize("game", BALL_GAMES, ids=title)
def test_minimum_and_maximum_of_a_bet_to_the_cent(game: Game) -> None:
    play = table(game, limits=wide_limits(Rules(load_book(game.book), game.layout), 100, 5_000))
    play.do(DEALER, c.OpenRound())

    under, over = place(play, {game.bet: 99}), place(play, {game.bet: 5_001})

    assert under.code == "below-minimum"
    assert under.sentence == f"{game.bet} takes at least 1.00; with 0.99 it would be 0.01 under."
    assert under.facts == {"bet": game.bet, "limit_cents": 100, "would_be_cents": 99, "off_by_cents": 1}
    assert over.code == "above-maximum"
    assert over.sentence == f"{game.bet} takes at most 50.00; with 50.01 it would be 0.01 over."
    assert over.facts == {"bet": game.bet, "limit_cents": 5_000, "would_be_cents": 5_001, "off_by_cents": 1}
    assert {under.clause, over.clause} == {None if game is MBS else game.cite("3.3")}
    assert place(play, {game.bet: 1}).facts["off_by_cents"] == 99
    play.bet("1", {game.bet: 100})
    play.bet("1", {game.bet: 4_900})
    assert place(play, {game.bet: 1}).facts["off_by_cents"] == 1


def test_reducing_or_moving_must_not_leave_less_than_the_minimum() -> None:
    play = betting()
    play.bet("1", {"red": 250, "black": 100})

    for do in (
        c.TakeBets(seat="1", stakes=(Stake("red", 151),)),
        c.MoveBet(seat="1", source="red", destination="black", cents=151),
    ):
        found = play.refused(player("1"), do)
        assert (found.code, found.facts["would_be_cents"], found.facts["off_by_cents"]) == (
            "below-minimum",
            99,
            1,
        )
    play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake("red", 150),)))
    play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake("red", 100),)))
    assert play.state.seats["1"].stakes == {"black": 100}


def test_moving_must_not_go_over_the_maximum_of_the_destination() -> None:
    play = betting()
    play.bet("1", {"red": 5_000, "black": 4_000})

    found = play.refused(player("1"), c.MoveBet(seat="1", source="red", destination="black", cents=1_001))

    assert (found.code, found.facts["bet"], found.facts["off_by_cents"]) == ("above-maximum", "black", 1)


def test_a_bet_with_limits_of_its_own_goes_before_its_kind() -> None:
    rules = Rules(load_book("mbs-roulette"))
    kinds = wide_limits(rules, 100, 5_000).bets
    limits = Limits(
        bets={**kinds, "straight:0": Range(minimum_cents=50, maximum_cents=60)},
        spots={"straight": 900, "straight:0": 70},
    )
    play = table(limits=limits)
    play.do(DEALER, c.OpenRound())

    play.bet("1", {"straight:0": 50})

    assert place(play, {"straight:0": 11}).code == "above-maximum"
    assert place(play, {"straight:1": 50}).code == "below-minimum"
    assert place(play, {"straight:0": 50}, seat="2").facts["limit_cents"] == 70
    assert place(play, {"straight:1": 901}, seat="2").facts["limit_cents"] == 900


def test_what_one_seat_may_have_in_play() -> None:
    play = betting(seat_cents=6_000)
    play.bet("1", {"red": 3_000, "black": 3_000})

    found = place(play, {"odd": 250})

    assert found.code == "seat-limit"
    assert found.sentence == "One seat may have in play at most 60.00; with 62.50 it would be 2.50 over."
    assert found.facts == {"limit_cents": 6_000, "would_be_cents": 6_250, "off_by_cents": 250}
    play.do(player("1"), c.MoveBet(seat="1", source="red", destination="odd", cents=3_000))
    play.bet("2", {"red": 5_000})


def test_what_all_seats_may_have_on_one_spot() -> None:
    play = betting(spots={"red": 7_000})
    play.bet("1", {"red": 4_000})

    found = place(play, {"red": 3_001}, seat="2")

    assert found.code == "spot-limit"
    assert found.facts == {"bet": "red", "limit_cents": 7_000, "would_be_cents": 7_001, "off_by_cents": 1}
    play.bet("2", {"red": 3_000, "black": 3_000})
    move = c.MoveBet(seat="2", source="black", destination="red", cents=500)
    assert play.refused(player("2"), move).code == "spot-limit"
    play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake("red", 500),)))
    play.do(player("2"), move)


def test_what_all_seats_may_have_in_play_together() -> None:
    play = betting(table_cents=9_000)
    play.bet("1", {"red": 5_000})

    found = place(play, {"black": 4_001}, seat="2")

    assert found.code == "table-limit"
    assert found.facts == {"limit_cents": 9_000, "would_be_cents": 9_001, "off_by_cents": 1}
    play.bet("2", {"black": 4_000})
    play.do(player("1"), c.MoveBet(seat="1", source="red", destination="odd", cents=5_000))


def test_what_the_house_may_have_to_pay_on_one_result() -> None:
    play = betting(exposure_cents=35_000)
    play.bet("1", {"straight:17": 900})

    found = place(play, {"straight:17": 200}, seat="2")

    assert found.code == "exposure-limit"
    assert found.sentence.startswith("On 17 the house pays at most 350.00; with 385.00")
    assert found.facts == {"limit_cents": 35_000, "would_be_cents": 38_500, "off_by_cents": 3_500}
    play.bet("2", {"straight:17": 100})
    assert place(play, {"black": 100}).code == "exposure-limit", "17 is black"
    play.bet("2", {"red": 5_000, "straight:20": 1_000})
    assert place(play, {"straight:17": 100}).code == "exposure-limit", "what others lose makes no room"
    move = c.MoveBet(seat="2", source="straight:20", destination="split:17/20", cents=500)
    assert play.refused(player("2"), move).code == "exposure-limit"


def test_taking_off_makes_room_and_is_never_refused_for_it() -> None:
    play = betting(exposure_cents=1_000)
    play.bet("1", {"red": 1_000})
    play.bet("2", {"black": 1_000})

    play.do(player("1"), c.ClearBets(seat="1"))

    assert place(play, {"black": 100}).code == "exposure-limit"
    play.bet("1", {"red": 1_000})


@pytest.mark.parametrize(
    ("game", "is_limited"), [*((game, False) for game in GAMES), *((game, True) for game in BALL_GAMES)]
)
def test_what_the_house_pays_and_wins_on_each_result_is_what_settling_every_seat_gives(
    game: Game, is_limited: bool
) -> None:
    rules = Rules(load_book(game.book), game.layout)
    limits = wide_limits(rules, exposure_cents=10**9 if is_limited else None)
    play = table(game, seats=("1", "2", "3"), limits=limits)
    play.do(DEALER, c.OpenRound())
    bets = [*play.rules.layout.bets]
    for seat in ("1", "2", "3"):
        play.bet(seat, {bet: 100 * (index + int(seat)) for index, bet in enumerate(bets[int(seat) :: 11])})
    first = next(iter(play.state.seats["1"].stakes))
    play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake(first, 100),)))
    play.do(player("2"), c.MoveBet(seat="2", source=bets[2], destination=bets[0], cents=200))
    round_ = play.state.round
    assert round_ is not None

    won = house_results(play.rules, play.state)

    stakes = [seat.stakes for seat in play.state.seats.values()]
    for result in play.rules.book.wheel.outcomes:
        settled = [settle(play.rules.book, game.layout, own, result) for own in stakes]
        assert won[result] == -sum(seat.net_cents for seat in settled)
        paid = sum(bet.paid_cents for seat in settled for bet in seat.bets)
        assert round_.pays.get(result, 0) == (paid if is_limited else 0)


def test_between_rounds_no_result_wins_or_costs_the_house_anything() -> None:
    play = table()

    assert house_results(play.rules, play.state) == dict.fromkeys(play.rules.book.wheel.outcomes, 0)


def test_limits_are_not_changed_under_bets_and_not_without_a_reason() -> None:
    play = betting()
    tighter = wide_limits(play.rules, 100, 200)

    running = play.refused(MANAGER, c.ChangeLimits(limits=tighter, reason="late"), second=SUPERVISOR)
    silent = play.refused(MANAGER, c.ChangeLimits(limits=tighter, reason=" "), second=SUPERVISOR)

    assert (running.code, silent.code) == ("round-running", "no-reason")


def test_new_limits_hold_from_the_next_round_on_and_a_settled_one_keeps_its_own() -> None:
    play = at(SETTLED)
    tighter = wide_limits(play.rules, 100, 200)

    play.do(MANAGER, c.ChangeLimits(limits=tighter, reason="a quiet hour"), second=SUPERVISOR)
    play.do(DEALER, c.OpenRound())

    assert place(play, {"red": 201}).code == "above-maximum"
    assert play.state.kept[1].limits == play.settings.limits
    assert play.state.limits == tighter


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (Limits(bets={}), "There is no limit for straight:0."),
        (
            Limits(bets={"straight": Range(minimum_cents=2, maximum_cents=1)}),
            "The limits of straight must be a minimum of at least 0.01 and a maximum not below it.",
        ),
    ],
)
def test_limits_that_contradict_themselves_are_refused(limits: Limits, sentence: str) -> None:
    play = table()

    found = play.refused(MANAGER, c.ChangeLimits(limits=limits, reason="a try"), second=SUPERVISOR)

    assert found.code == "bad-limits"
    assert sentence in found.sentence


def test_of_many_faults_of_limits_a_person_reads_the_first_ones() -> None:
    play = table()
    none = Limits(bets={})

    found = play.refused(MANAGER, c.ChangeLimits(limits=none, reason="a try"), second=SUPERVISOR)

    missing = len(play.rules.layout.bets)
    assert found.sentence.startswith("There is no limit for straight:0. There is no limit for straight:1. ")
    assert found.sentence.endswith(f" And {missing - 3} more are wrong.")
    assert found.sentence.count("There is no limit") == 3


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ({"spots": {"symbol": 5_000}}, "one spot over all seats (spots)"),
        ({"seat_cents": 5_000}, "one seat (seat_cents)"),
        ({"exposure_cents": 5_000}, "what the house may have to pay (exposure_cents)"),
    ],
)
def test_a_limit_that_would_never_be_applied_is_not_set_where_boxes_are_marked(
    limit: dict[str, Any], words: str
) -> None:
    play = table(MONEY_WHEEL)
    idle = c.ChangeLimits(limits=wide_limits(play.rules, **limit), reason="a try")

    found = play.refused(MANAGER, idle, second=SUPERVISOR)

    assert (found.code, found.sentence) == (
        "bad-limits",
        f"A limit of {words} would never be applied at Money Wheel, which takes every bet and marks the box; "
        "leave it out.",
    )
    whole = c.ChangeLimits(limits=wide_limits(play.rules, table_cents=5_000), reason="a busy evening")
    play.do(MANAGER, whole, second=SUPERVISOR)


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ({}, "above-maximum"),
        ({"seat_cents": 5_000}, "seat-limit"),
        ({"spots": {"red": 5_000}}, "spot-limit"),
        ({"table_cents": 5_000}, "table-limit"),
        ({"exposure_cents": 5_000}, "exposure-limit"),
    ],
)
def test_at_a_limit_a_single_cent_more_is_refused_and_a_cent_less_is_not(
    limits: dict[str, Any], code: str
) -> None:
    rules = Rules(load_book("mbs-roulette"))
    most = 5_000 if code == "above-maximum" else 9_000
    play = table(limits=wide_limits(rules, 1, most, **limits))
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 4_999})

    play.bet("1", {"red": 1})
    found = place(play, {"red": 1})

    assert (found.code, found.facts["off_by_cents"]) == (code, 1)


@pytest.mark.parametrize(("limit", "code"), [("seat_cents", "seat-limit"), ("table_cents", "table-limit")])
def test_an_announced_bet_of_exactly_the_limit_of_a_seat_or_the_table_is_taken(limit: str, code: str) -> None:
    limits = wide_limits(Rules(load_book("mbs-roulette")), 100, 1_000_000, **{limit: 600})
    play = Play(limits=limits).open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.do(player("1"), c.PlaceBets(seat="1", stakes=(Stake("tiers", 100),)))
    assert play.state.seats["1"].staked_cents == 600
    assert play.refused(player("1"), c.PlaceBets(seat="1", stakes=(Stake("red", 100),))).code == code

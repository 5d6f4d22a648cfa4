"""Money moves between named accounts and never appears: what each event posts, and what meters make of it."""

import typing
from collections import Counter
from typing import Any

import msgspec
import pytest

from croupier.table import Event, Meters, Posting, State, check, postings, replay
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.evolve import evolve
from croupier.table.ledger import move, post
from croupier.table.state import new_state
from table.rig import DEALER, Play, only, player
from table.scenes import MBS, RESULTED, STAKE, Game, at, title
from table.stories import TOLD, told

every_story = pytest.mark.parametrize("game", TOLD, ids=title)

MOVES: dict[type, set[tuple[str, str]]] = {
    e.CreditsBought: {("cash", "credits"), ("vouchers", "credits")},
    e.CreditsPaidOut: {("credits", "vouchers"), ("credits", "cash")},
    e.BetsChanged: {("credits", "stakes"), ("stakes", "credits")},
    e.BetsRejected: {("stakes", "credits")},
    e.SeatSettled: {("stakes", "house"), ("house", "credits")},
    e.SeatReturned: {("stakes", "credits")},
    e.SeatCorrected: {("credits", "house"), ("house", "credits"), ("shortfall", "house")}
    | {("shortfall", "credits")},
    e.CarriedNetted: {("credits", "shortfall")},
    e.CarriedSettled: {("cash", "shortfall")},
}
"""Between which accounts each kind of event moves money in the stories; no other kind moves any."""


def found_moves() -> dict[type, set[tuple[str, str]]]:
    found: dict[type, set[tuple[str, str]]] = {}
    for game in TOLD:
        for entry in told(game).entries:
            for posting in postings(entry.event):
                accounts = posting.source.split("/")[0], posting.destination.split("/")[0]
                found.setdefault(type(entry.event), set()).add(accounts)
    return found


def test_each_kind_of_event_moves_money_between_its_accounts_and_the_others_move_none() -> None:
    assert found_moves() == MOVES
    with_postings = {kind for kind in typing.get_args(Event) if "postings" in kind.__struct_fields__}
    assert with_postings == {*MOVES}


@every_story
def test_every_posting_is_of_a_positive_amount_and_touches_the_events_own_seat_alone(game: Game) -> None:
    for entry in told(game).entries:
        for posting in postings(entry.event):
            seat = getattr(entry.event, "seat", None)
            assert posting.cents > 0
            for account in (posting.source, posting.destination):
                assert "/" not in account or account.split("/")[1] == seat, entry.event


@every_story
def test_at_every_event_the_accounts_sum_to_zero_and_are_what_the_postings_make_them(game: Game) -> None:
    play = told(game)
    state, counted = new_state(play.settings), Counter[str]()
    for entry in play.entries:
        evolve(play.rules, state, entry)
        for posting in postings(entry.event):
            counted[posting.source] -= posting.cents
            counted[posting.destination] += posting.cents
        assert state.balances == counted
        assert sum(state.balances.values()) == 0
        assert all(state.credits_cents(seat) >= 0 for seat in state.seats)


def formula(meters: Meters) -> int:
    """`credits = in + wins + returned - out - turnover`, as it is promised."""
    came_in = meters.cash_in_cents + meters.vouchers_in_cents
    came_in += meters.shortfall_in_cents + meters.written_off_cents
    went_out = meters.vouchers_out_cents + meters.attendant_pays_cents + meters.unclaimed_out_cents
    return came_in + meters.wins_cents + meters.returned_cents - went_out - meters.turnover_cents


@every_story
def test_the_meters_of_each_seat_and_of_the_table_give_the_credits_at_every_event(game: Game) -> None:
    play = told(game)
    state = new_state(play.settings)
    for entry in play.entries:
        evolve(play.rules, state, entry)
        for seat in state.seats.values():
            assert formula(seat.meters) == seat.meters.credits_cents == state.credits_cents(seat.id)
        all_credits = sum(state.credits_cents(seat) for seat in state.seats)
        assert formula(state.meters) == all_credits, entry.event


AMOUNTS = [name for name in Meters.__struct_fields__ if name.endswith("_cents")]


@every_story
def test_the_tables_amounts_are_the_sums_of_the_seats(game: Game) -> None:
    state = told(game).state

    for name in AMOUNTS:
        assert getattr(state.meters, name) == sum(getattr(seat.meters, name) for seat in state.seats.values())


def test_the_table_has_never_won_more_games_than_it_played() -> None:
    play = at("idle")

    play.round({"1": {"red": 500}, "2": {"red": 500}}, "1")

    assert play.state.meters.games_won <= play.state.meters.games_played
    seats = [play.state.seats[seat].meters for seat in ("1", "2")]
    assert [(seat.games_played, seat.games_won) for seat in seats] == [(1, 1), (1, 1)]


def test_a_settlement_posts_the_stakes_to_the_house_and_the_winnings_back() -> None:
    play = at(RESULTED)

    events = play.do(DEALER, c.ConfirmResult(result="17"))

    settled = [event for event in events if isinstance(event, e.SeatSettled)]
    assert [event.postings for event in settled] == [
        (Posting("stakes/1", "house", STAKE), Posting("house", "credits/1", 36 * STAKE)),
        (Posting("stakes/2", "house", STAKE),),
    ]
    assert play.state.balances["house"] == -34 * STAKE


def test_a_void_posts_the_stakes_back_and_the_house_has_no_part_in_it() -> None:
    play = at(RESULTED)

    events = play.do(DEALER, c.CallNoSpin(reason="a suspicion"))

    returned = [event for event in events if isinstance(event, e.SeatReturned)]
    assert [event.postings for event in returned] == [
        (Posting("stakes/1", "credits/1", STAKE),),
        (Posting("stakes/2", "credits/2", STAKE),),
    ]
    assert "house" not in play.state.balances


def test_meters_count_games_wins_voids_and_corrections_of_each_seat() -> None:
    play = at("idle")
    play.round({"1": {MBS.bet: STAKE}, "2": {MBS.other: STAKE}}, MBS.wins)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": STAKE})
    play.do(DEALER, c.CallNoSpin(reason="a suspicion"))

    meters = play.state.seats["1"].meters

    assert meters == Meters(
        cash_in_cents=100_000,
        turnover_cents=2 * STAKE,
        wins_cents=36 * STAKE,
        returned_cents=STAKE,
        games_played=1,
        games_won=1,
        voids=1,
    )
    assert play.state.seats["2"].meters.voids == 0
    assert play.state.meters.voids == 1


def test_what_is_taken_off_while_bets_are_open_was_never_turnover() -> None:
    play = at("betting")

    play.do(player("1"), c.ClearBets(seat="1"))

    assert play.state.seats["1"].meters.turnover_cents == 0


def test_a_movement_of_less_than_nothing_goes_the_other_way_and_of_nothing_nowhere() -> None:
    assert move("a", "b", 5) == (Posting("a", "b", 5),)
    assert move("a", "b", -5) == (Posting("b", "a", 5),)
    assert move("a", "b", 0) == ()
    balances: dict[str, int] = {"b": 1}
    post(balances, (Posting("a", "b", 5),))
    assert balances == {"a": -5, "b": 6}


def spoiled(**changes: Any) -> State:
    play = Play().open()
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 500})
    state = replay(play.rules, play.entries)
    assert check(state) == []
    for name, value in changes.items():
        if name == "balances":
            state.balances.update(value)
        else:
            setattr(state.seats["1"], name, value)
    return state


@pytest.mark.parametrize(
    ("changes", "sentences"),
    [
        ({"balances": {"cash": 0}}, ["All accounts together hold 100000 cents; they must hold nothing."]),
        (
            {"balances": {"credits/1": -1, "cash": -499}},
            ["Seat 1 has -1 cents of credits.", "The meters of seat 1 give 99500, not -1."],
        ),
        ({"stakes": {"red": 400}}, ["Seat 1 has 500 cents in play and other bets."]),
        ({"staked_cents": 400}, ["Seat 1 has 500 cents in play and other bets."]),
        ({"stakes": {"red": 500, "odd": 0}}, ["Seat 1 has a bet with nothing on it."]),
        ({"meters": Meters(cash_in_cents=99_501)}, ["The meters of seat 1 give 99501, not 99500."]),
    ],
)
def test_books_that_do_not_balance_are_named_sentence_by_sentence(
    changes: dict[str, Any], sentences: list[str]
) -> None:
    assert check(spoiled(**changes)) == sentences


def test_a_history_begins_with_the_creation_of_its_table() -> None:
    play = Play().open()

    with pytest.raises(ValueError, match="begins with its creation"):
        replay(play.rules, play.entries[1:])
    assert isinstance(only(e.TableCreated, [play.entries[0].event]), msgspec.Struct)

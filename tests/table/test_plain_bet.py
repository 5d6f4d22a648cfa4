"""The short way for a plain bet gives what the long way gives, or leaves it to that."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.table import Command, Rejection, State
from croupier.table import commands as c
from croupier.table.at_once import play as at_once_of
from croupier.table.at_once import play_at_length
from croupier.table.decide import decide, decide_at_length
from croupier.table.plain_bet import plain_bet
from table.rig import DEALER, START_MS, SUPERVISOR, Play, player, wide_limits
from table.strategies import TABLES

KNOWN = settings(max_examples=100, deadline=None, database=None, derandomize=True)

LIMITS = st.fixed_dictionaries(
    {"minimum_cents": st.sampled_from([100, 500]), "maximum_cents": st.sampled_from([2_000, 100_000])},
    optional={
        "seat_cents": st.sampled_from([1_500, 50_000]),
        "table_cents": st.sampled_from([2_500, 50_000]),
        "exposure_cents": st.sampled_from([20_000, 10**9]),
        "spots": st.just({"straight": 1_500}),
    },
)
WRONG = ("lost", "locked", "halted", "closed", "no round", "bets closed", "out of use")


def play_at(book: str, layout: str | None, limits: dict[str, Any], two_people: tuple[str, ...]) -> Play:
    """A round with bets open and two seats that have some credits."""
    play = Play(book, layout, two_people=two_people)
    play.settings = msgspec.structs.replace(play.settings, limits=wide_limits(play.rules, **limits))
    play.state.settings = play.settings
    play.state.limits = play.settings.limits
    play.open(("1", "2"), 5_000)
    play.do(DEALER, c.OpenRound())
    return play


def spoil(play: Play, wrong: str | None) -> None:
    """Puts the table or seat 1 into a state in which it takes no bets."""
    seat, round_ = play.state.seats["1"], play.state.round
    assert round_ is not None
    match wrong:
        case "lost":
            seat.lost = True
        case "locked":
            seat.lock = "win"
        case "out of use":
            seat.in_use = False
        case "halted":
            play.state.halted = "smoke"
        case "closed":
            play.state.open = False
        case "no round":
            play.state.round = None
        case "bets closed":
            round_.phase = "closed"


@pytest.mark.parametrize(("book", "layout"), TABLES)
@KNOWN
@given(data=st.data())
def test_the_short_way_is_the_long_way(book: str, layout: str | None, data: st.DataObject) -> None:
    limits = data.draw(LIMITS)
    two_people = data.draw(st.sampled_from([(), (), ("sell-credits",), ("confirm-result",)]))
    play = play_at(book, layout, limits, two_people)
    bets = [*play.rules.layout.bets]
    names = st.sampled_from([*bets[:3], *bets[-2:], *play.rules.layout.announced, "nowhere"])
    stakes = st.builds(c.Stake, names, st.sampled_from([-100, 0, 99, 100, 500, 1_000, 2_000, 4_900, 6_000]))
    spoil(play, data.draw(st.none() | st.sampled_from(WRONG)))
    for _ in range(data.draw(st.integers(1, 6))):
        actor = data.draw(st.sampled_from([player("1"), player("1"), player("2"), DEALER, SUPERVISOR]))
        seat = data.draw(st.sampled_from(["1", "1", "2", "9"]))
        placed = data.draw(st.lists(stakes, max_size=4).map(tuple) | st.tuples(stakes))
        do = data.draw(st.sampled_from([c.PlaceBets, c.PlaceBets, c.PlaceBets, c.TakeBets]))
        play.at_ms = START_MS + data.draw(st.sampled_from([0, 29_999, 30_000]))
        command = play.command(
            actor, do(seat=seat, stakes=placed), data.draw(st.sampled_from([None, None, SUPERVISOR]))
        )
        command = msgspec.structs.replace(command, round=data.draw(st.sampled_from([None, 1, 1, 2])))
        long = decide_at_length(play.rules, play.state, command)
        short = plain_bet(play.rules, play.state, command)
        assert short is None or (short,) == long
        assert decide(play.rules, play.state, command) == long
        if isinstance(long, Rejection) or play.state.halted is not None:
            continue
        at_once, in_steps = copy_of(play.state), copy_of(play.state)
        assert at_once_of(play.rules, at_once, command) == play_at_length(play.rules, in_steps, command)
        assert msgspec.msgpack.encode(at_once) == msgspec.msgpack.encode(in_steps)
        play.submit(command)


def copy_of(state: State) -> State:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)


def command_of(play: Play, seat: str = "1", cents: int = 500) -> Command:
    bet = next(iter(play.rules.layout.bets))
    return play.command(player(seat), c.PlaceBets(seat=seat, stakes=(c.Stake(bet, cents),)))


@pytest.mark.parametrize(("book", "layout"), TABLES)
def test_a_plain_bet_takes_the_short_way_wherever_no_boxes_are_marked(book: str, layout: str | None) -> None:
    play = Play(book, layout).open(("1",), 5_000)
    play.do(DEALER, c.OpenRound())
    assert (plain_bet(play.rules, play.state, command_of(play)) is None) == play.rules.marks_boxes


@pytest.mark.parametrize("wrong", WRONG)
def test_whatever_is_wrong_is_left_to_the_long_way(wrong: str) -> None:
    play = Play().open(("1",), 5_000)
    play.do(DEALER, c.OpenRound())
    spoil(play, wrong)
    assert plain_bet(play.rules, play.state, command_of(play)) is None


def test_several_plain_bets_take_the_short_way_and_a_bet_that_is_named_twice_does_not() -> None:
    play = Play().open(("1",), 5_000)
    play.do(DEALER, c.OpenRound())
    first, second, third, *_ = play.rules.layout.bets
    stakes = (c.Stake(first, 500), c.Stake(second, 700), c.Stake(third, 900))
    several = play.command(player("1"), c.PlaceBets(seat="1", stakes=stakes))
    assert plain_bet(play.rules, play.state, several) is not None
    twice = play.command(player("1"), c.PlaceBets(seat="1", stakes=(*stakes, c.Stake(first, 500))))
    assert plain_bet(play.rules, play.state, twice) is None
    nothing = play.command(player("1"), c.PlaceBets(seat="1", stakes=()))
    assert plain_bet(play.rules, play.state, nothing) is None

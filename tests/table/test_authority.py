"""Who may do what: every command by every position in every game, cell by cell."""

import typing

import pytest

from clauses import clause
from croupier.table import COMMANDS, Actor, Do, may
from table.allowed import ALLOWED
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player
from table.scenes import MBS, MONEY_WHEEL, RWS_000, RWS_A, RWS_B, Game, title

POSITIONS = (player("1"), DEALER, SUPERVISOR, MANAGER, SHIFT_MANAGER, TIMER, SENSOR)
SECOND = Actor(id="dealer-2", position="dealer")

EVERYWHERE = """
                         player  dealer  pit-     pit-     shift-   system  wheel
                                         superv.  manager  manager
 open-table                -       -       y        y        y        -       -
 close-table               -       -       y        y        y        -       -
 announce-last-round       -       y       y        y        y        y       -
 halt-table                -       -       -        -        -        y       -
 resume-table              -       -       -        -        y        -       -
 change-limits             -       -       -        2        2        -       -
 open-seat                 -       y       y        y        y        -       -
 close-seat                -       y       y        y        y        -       -
 lose-seat                 -       -       -        -        -        y       -
 restore-seat              -       -       -        -        -        y       -
 buy-credits               y       y       y        y        y        -       -
 cash-out                  y       p       p        p        p        -       -
 pay-by-attendant          -       -       y        y        y        -       -
 clear-lock-up             -       -       y        y        y        -       -
 call-attendant            y       y       y        y        y        -       -
 answer-call               y       y       y        y        y        -       -
 place-bets                y       p       p        p        p        -       -
 take-bets                 y       p       p        p        p        -       -
 move-bet                  y       p       p        p        p        -       -
 clear-bets                y       p       p        p        p        -       -
 open-round                -       y       y        y        y        -       -
 warn-closing              -       -       -        -        -        y       -
 close-bets                -       y       y        y        y        y       y
 start-spin                -       y       y        y        y        -       y
 finish-spin               -       y       y        y        y        -       y
 enter-result              -       y       y        y        y        -       y
 confirm-result            -       y       y        y        y        -       -
 declare-irregularity      -       y       y        y        y        -       y
 correct-result            -       y       y        y        y        -       -
 correct-settled-result    -       -       -        2        2        -       -
 settle-carried            -       -       -        2        2        -       -
 interrupt                 -       -       -        -        -        y       -
 declare-interruption      -       -       y        y        y        -       -
 state-outcome             -       -       y        y        y        -       -
 uphold-result             -       -       -        2        2        -       -
 decide                    -       -       -        -        y        -       -
 recall-round              -       -       -        -        -        y       -
 report-wheel              -       -       -        -        -        y       y
 commit-spin               -       -       -        -        -        -       y
 open-commitment           -       -       -        -        -        -       y
"""
"""y: may do it; 2: may do it with a second person; p: only the player may, alone; -: may not do it;
x: the game does not know it."""

AT_MBS = """
                         player  dealer  superv.  manager  shift-m. system  wheel
 call-no-spin              -       y       y        y        y        -       -
 reject-excess             x       x       x        x        x        x       x
 advise-minimum            x       x       x        x        x        x       x
 reject-advised            x       x       x        x        x        x       x
"""

AT_RWS_ROULETTE = """
                         player  dealer  superv.  manager  shift-m. system  wheel
 call-no-spin              x       x       x        x        x        x       x
 reject-excess             x       x       x        x        x        x       x
 advise-minimum            x       x       x        x        x        x       x
 reject-advised            x       x       x        x        x        x       x
 void-settled-rounds       -       -       -        2        2        -       -
"""

AT_THE_MONEY_WHEEL = """
                         player  dealer  superv.  manager  shift-m. system  wheel
 pay-by-attendant          -       -       2        2        2        -       -
 place-bets                y       y       y        y        y        -       -
 take-bets                 y       y       y        y        y        -       -
 move-bet                  y       y       y        y        y        -       -
 clear-bets                y       y       y        y        y        -       -
 call-no-spin              x       x       x        x        x        x       x
 reject-excess             -       y       y        y        y        -       -
 advise-minimum            -       y       y        y        y        -       -
 reject-advised            -       y       y        y        y        -       -
"""


def rows(*tables: str) -> dict[str, str]:
    lines = [line.split() for table in tables for line in table.splitlines() if line.startswith(" ")]
    return {line[0]: " ".join(line[1:]) for line in lines if len(line) == 8 and line[0] in ALLOWED}


MATRIX = [
    pytest.param(MBS, rows(EVERYWHERE, AT_MBS), marks=clause("mbs-roulette:6.2")),
    pytest.param(RWS_A, rows(EVERYWHERE, AT_RWS_ROULETTE), marks=clause("rws-roulette-00:1.5")),
    pytest.param(RWS_B, rows(EVERYWHERE, AT_RWS_ROULETTE), marks=clause("rws-roulette-00:1.5")),
    pytest.param(RWS_000, rows(EVERYWHERE, AT_RWS_ROULETTE), marks=clause("rws-roulette-000:1.5")),
    pytest.param(MONEY_WHEEL, rows(EVERYWHERE, AT_THE_MONEY_WHEEL), marks=clause("rws-money-wheel:1.5")),
]


def cell(play: Play, do: Do, actor: Actor) -> str:
    """What `may` says to a position: one letter of the matrix, or the code of another refusal."""
    found = may(play.rules, play.state, play.command(actor, do))
    if found is None:
        return "y"
    if found.code == "second-person":
        with_second = may(play.rules, play.state, play.command(actor, do, second=SECOND))
        return "2" if with_second is None else with_second.code
    return {"not-allowed": "-", "players-own-act": "p", "not-in-this-game": "x"}.get(found.code, found.code)


@pytest.mark.parametrize(("game", "matrix"), MATRIX, ids=title)
def test_every_position_may_do_what_the_book_says_and_whatever_a_lower_one_of_the_house_may(
    game: Game, matrix: dict[str, str]
) -> None:
    found = {}
    for name in matrix:
        play, do = ALLOWED[name](game)
        found[name] = " ".join(cell(play, do, actor) for actor in POSITIONS)

    assert found == matrix


@pytest.mark.parametrize(("game", "matrix"), MATRIX, ids=title)
def test_the_matrix_has_every_command(game: Game, matrix: dict[str, str]) -> None:
    tags = {kind.__struct_config__.tag for kind in typing.get_args(Do)}

    assert tags <= {*matrix}
    assert {*matrix} - tags <= {"correct-settled-result", "void-settled-rounds"}
    assert {*COMMANDS} == {*typing.get_args(Do)}


@pytest.mark.parametrize(
    ("name", "actor", "clause_id", "facts"),
    [
        (
            "open-round",
            player("1"),
            "mbs-roulette:3.1",
            {"action": "open-round", "position": "dealer"},
        ),
        ("decide", MANAGER, "mbs-roulette:6.1", {"action": "decide", "position": "shift-manager"}),
        ("open-table", DEALER, None, {"action": "open-table", "position": "pit-supervisor"}),
        ("confirm-result", SENSOR, None, {"action": "confirm-result"}),
        ("interrupt", SHIFT_MANAGER, None, {"action": "system:interrupt"}),
    ],
)
def test_a_refusal_says_which_position_it_takes_and_by_which_clause(
    name: str, actor: Actor, clause_id: str | None, facts: dict[str, str]
) -> None:
    play, do = ALLOWED[name](MBS)

    found = play.refused(actor, do)

    assert (found.code, found.clause, found.facts) == ("not-allowed", clause_id, facts)


@pytest.mark.parametrize(
    "name",
    [
        *("buy-credits", "cash-out", "call-attendant", "answer-call"),
        *("place-bets", "take-bets", "move-bet", "clear-bets"),
    ],
)
@pytest.mark.parametrize("game", [MBS, RWS_A, RWS_000, MONEY_WHEEL], ids=title)
def test_a_player_acts_for_the_own_seat_alone(game: Game, name: str) -> None:
    play, do = ALLOWED[name](game)

    neighbour = play.refused(player("2"), do)
    nowhere = play.refused(Actor(id="passer-by", position="player"), do)

    assert (neighbour.code, neighbour.facts["seat"]) == ("not-your-seat", "1")
    assert nowhere.code == "not-your-seat"
    assert play.do(player("1"), do)


@pytest.mark.parametrize("position", ["cook", "Dealer"])
@pytest.mark.parametrize(
    "second", [None, player("1"), SHIFT_MANAGER], ids=["alone", "player", "shift manager"]
)
def test_a_position_that_nobody_knows_may_do_nothing(position: str, second: Actor | None) -> None:
    stranger = Actor(id="stranger", position=position, seat="1")
    for name in ALLOWED:
        play, do = ALLOWED[name](RWS_A)
        found = may(play.rules, play.state, play.command(stranger, do, second=second))
        assert found is not None, name
        assert found.code in ("not-allowed", "not-in-this-game"), name

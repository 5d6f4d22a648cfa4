"""Actions that take two people: which ones, which two, and what a table may ask for beside its book."""

import msgspec
import pytest

from croupier.table import Actor, may
from croupier.table import commands as c
from table.allowed import ALLOWED
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, player
from table.scenes import MBS, MONEY_WHEEL, ONE_A_BOOK, RWS_A, Game, title

BY_THE_BOOK = ["correct-settled-result", "change-limits"]
OTHER_DEALER = Actor(id="dealer-2", position="dealer")
OTHER_MANAGER = Actor(id="manager-2", position="pit-manager")

by_the_book = pytest.mark.parametrize("name", [*BY_THE_BOOK, "void-settled-rounds"])


def code(
    name: str, actor: Actor, second: Actor | None, game: Game = RWS_A, two_people: tuple[str, ...] = ()
) -> str:
    """What a table that asks for two people in some cases answers."""
    play, do = ALLOWED[name](game)
    play.state.settings = msgspec.structs.replace(play.state.settings, two_people=two_people)
    found = may(play.rules, play.state, play.command(actor, do, second=second))
    return "allowed" if found is None else found.code


@by_the_book
@pytest.mark.parametrize(
    ("actor", "second", "answer"),
    [
        (MANAGER, None, "second-person"),
        (MANAGER, MANAGER, "second-person"),
        (SHIFT_MANAGER, SHIFT_MANAGER, "second-person"),
        (MANAGER, OTHER_MANAGER, "allowed"),
        (MANAGER, SHIFT_MANAGER, "allowed"),
        (MANAGER, DEALER, "allowed"),
        (SHIFT_MANAGER, SUPERVISOR, "allowed"),
        (DEALER, MANAGER, "allowed"),
        (SUPERVISOR, MANAGER, "allowed"),
        (DEALER, SHIFT_MANAGER, "allowed"),
        (DEALER, None, "not-allowed"),
        (DEALER, OTHER_DEALER, "not-allowed"),
        (DEALER, SUPERVISOR, "not-allowed"),
        (SUPERVISOR, DEALER, "not-allowed"),
        (MANAGER, player("1"), "not-allowed"),
        (player("1"), MANAGER, "not-allowed"),
        (MANAGER, TIMER, "not-allowed"),
        (MANAGER, SENSOR, "not-allowed"),
        (TIMER, MANAGER, "not-allowed"),
        (SENSOR, MANAGER, "not-allowed"),
    ],
    ids=lambda value: value.id if isinstance(value, Actor) else str(value),
)
def test_one_of_two_employees_holds_the_position_and_neither_is_the_other(
    name: str, actor: Actor, second: Actor | None, answer: str
) -> None:
    assert code(name, actor, second) == answer


@pytest.mark.parametrize("name", BY_THE_BOOK)
@pytest.mark.parametrize("game", ONE_A_BOOK, ids=title)
def test_the_books_ask_for_two_people(game: Game, name: str) -> None:
    assert code(name, MANAGER, None, game) == "second-person"
    assert code(name, MANAGER, SUPERVISOR, game) == "allowed"


def test_the_same_person_in_two_positions_is_one_person() -> None:
    twice = Actor(id=DEALER.id, position="pit-manager")

    assert code("change-limits", twice, DEALER) == "second-person"


def test_a_second_person_may_lend_a_position_to_what_takes_one() -> None:
    assert code("open-table", DEALER, None) == "not-allowed"
    assert code("open-table", DEALER, OTHER_DEALER) == "not-allowed"
    assert code("open-table", DEALER, SUPERVISOR) == "allowed"
    assert code("open-table", player("1"), SUPERVISOR) == "not-allowed"


@pytest.mark.parametrize(
    ("name", "action", "actor"),
    [
        ("clear-lock-up", "clear-lock-up", SUPERVISOR),
        ("decide", "decide", SHIFT_MANAGER),
        ("resume-table", "resume-table", SHIFT_MANAGER),
        ("open-table", "open-table", SUPERVISOR),
        ("state-outcome", "state-outcome", SUPERVISOR),
        ("confirm-result", "confirm-result", DEALER),
        ("correct-result", "correct-result", DEALER),
        ("declare-irregularity", "declare-irregularity", DEALER),
        ("open-seat", "manage-seats", DEALER),
        ("enter-result", "enter-result", DEALER),
    ],
)
@pytest.mark.parametrize("game", ONE_A_BOOK, ids=title)
def test_a_table_may_ask_for_two_people_where_its_book_does_not(
    game: Game, name: str, action: str, actor: Actor
) -> None:
    other = Actor(id="another", position="dealer")

    assert code(name, actor, None, game) == "allowed"
    assert code(name, actor, None, game, two_people=(action,)) == "second-person"
    assert code(name, actor, actor, game, two_people=(action,)) == "second-person"
    assert code(name, actor, other, game, two_people=(action,)) == "allowed"


def test_a_table_may_ask_for_two_people_where_a_terminal_is_paid_by_hand() -> None:
    two_people = ("pay-by-attendant",)

    assert code("pay-by-attendant", SUPERVISOR, None, MBS) == "allowed"
    assert code("pay-by-attendant", SUPERVISOR, None, MBS, two_people=two_people) == "second-person"
    assert code("pay-by-attendant", SUPERVISOR, DEALER, MBS, two_people=two_people) == "allowed"


def test_what_is_asked_for_one_action_is_not_asked_for_another() -> None:
    two_people = ("correct-result",)

    assert code("correct-result", DEALER, None, two_people=two_people) == "second-person"
    assert code("enter-result", DEALER, None, two_people=two_people) == "allowed"


def test_placing_for_a_player_and_a_players_own_bets_are_two_actions() -> None:
    two_people = ("place-for-player",)

    assert code("place-bets", DEALER, None, MONEY_WHEEL, two_people=two_people) == "second-person"
    assert code("place-bets", DEALER, SUPERVISOR, MONEY_WHEEL, two_people=two_people) == "allowed"
    assert code("place-bets", player("1"), None, MONEY_WHEEL, two_people=two_people) == "allowed"


def test_machines_are_not_asked_for_a_second_person() -> None:
    two_people = ("close-bets", "enter-result", "spin")

    assert code("close-bets", TIMER, None, two_people=two_people) == "allowed"
    assert code("close-bets", SENSOR, None, two_people=two_people) == "allowed"
    assert code("enter-result", SENSOR, None, two_people=two_people) == "allowed"
    assert code("close-bets", DEALER, None, two_people=two_people) == "second-person"


@pytest.mark.parametrize("second", [player("2"), SUPERVISOR, TIMER, SENSOR], ids=lambda actor: actor.position)
def test_nobody_signs_beside_a_player(second: Actor) -> None:
    assert code("cash-out", player("1"), None, MBS) == "allowed"
    assert code("cash-out", player("1"), second, MBS) == "players-own-act"


def test_a_seat_that_takes_two_people_to_release_is_not_released_by_paying_it_out_alone() -> None:
    play, _ = ALLOWED["clear-lock-up"](MBS, two_people=("clear-lock-up",))

    assert play.refused(SUPERVISOR, c.PayByAttendant(seat="1")).code == "second-person"
    assert play.do(SUPERVISOR, c.PayByAttendant(seat="1"), second=DEALER)


def test_the_record_names_both() -> None:
    play, do = ALLOWED["change-limits"](MBS)

    play.do(MANAGER, do, second=SUPERVISOR)

    cause = play.entries[-1].cause
    assert (cause.actor, cause.second) == (MANAGER, SUPERVISOR)

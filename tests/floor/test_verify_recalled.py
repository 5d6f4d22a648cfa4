"""The auditor follows old rounds, netting and released locks by itself, and finds what was forged of them."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from clauses import clause
from croupier.table import Entry
from croupier.table import commands as c
from croupier.table import events as e
from floor.audit_journal import MemoryEvidence, first_misfit
from table.rig import MANAGER, SUPERVISOR, Play, player

Scene = Callable[[], Play]
OTHERWISE = "is recalled as something else than its own records have left it"


def correct(play: Play, number: int, result: str) -> None:
    play.do(MANAGER, c.CorrectResult(round=number, result=result, reason="on camera"), second=SUPERVISOR)


def long_ago() -> Play:
    """Round 1 was corrected, written off and let go of, and is corrected twice again long after."""
    play = Play("rws-roulette-000", rounds_kept=2).open(("1", "2"), 10_000)
    play.round({"1": {"straight:17": 1_000}, "2": {"red": 1_000}}, "17")
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    correct(play, 1, "18")
    written_off = c.SettleCarried(round=1, seat="1", how="written-off", cents=36_000, reason="gone")
    play.do(MANAGER, written_off, SUPERVISOR)
    for result in ("17", "0"):
        for _ in range(4):
            play.round({}, "0")
        correct(play, 1, result)
    return play


def netted(*, leaves: bool = False) -> Play:
    """Round 1 takes 100.00 and round 2 gives 90.00 back, of a seat with 20.00."""
    play = Play("rws-roulette-000").open(("1",), 10_000)
    play.round({"1": {"red": 10_000}}, "1")
    for _ in range(2):
        play.round({"1": {"red": 9_000}}, "2")
    if leaves:
        play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    for number in (1, 2):
        play.do(MANAGER, c.DeclareIrregularity(cause="ball-broken", rounds=(number,)), SUPERVISOR)
    return play


def netted_of_nobody() -> Play:
    """The same where the player has left."""
    return netted(leaves=True)


def released(result: str = "18") -> Play:
    """The result of a win that has locked the seat is corrected."""
    play = Play("rws-roulette-000", lock_up_cents=30_000).open(("1",), 10_000)
    play.round({"1": {"straight:17": 1_000, "straight:20": 900}}, "17")
    correct(play, 1, result)
    return play


both = pytest.mark.parametrize("scene", [netted, netted_of_nobody])


def found_in(play: Play) -> str | None:
    misfit = first_misfit(MemoryEvidence(play))
    return None if misfit is None else misfit.reason


def place_of(play: Play, kind: type, which: int = -1) -> int:
    return [place for place, entry in enumerate(play.entries) if type(entry.event) is kind][which]


def forged(play: Play, kind: type, which: int = -1, **facts: Any) -> str:
    """What is found where an event of a kind says something else."""
    place = place_of(play, kind, which)
    cause, event = play.entries[place].cause, play.entries[place].event
    play.entries[place] = Entry(cause, msgspec.structs.replace(event, **facts))
    return found_in(play) or "nothing"


@pytest.mark.parametrize("scene", [long_ago, netted, netted_of_nobody, released])
def test_it_fits(scene: Scene) -> None:
    assert found_in(scene()) is None


@clause("rws-roulette-000:5.5")
@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(
    "fact",
    ["visit", "fresh_from", "returned_cents", "written_off_cents", "written_off_at_cents", "by_hand_cents"],
)
def test_a_recalled_round_is_as_its_own_records_have_left_it(which: int, fact: str) -> None:
    play = long_ago()
    recalled: Any = play.entries[place_of(play, e.RoundRecalled, which)].event
    first, *others = recalled.seats
    changed = msgspec.structs.replace(first, **{fact: getattr(first, fact) + 1})

    assert OTHERWISE in forged(play, e.RoundRecalled, which, seats=(changed, *others))


@pytest.mark.parametrize(
    "facts",
    [
        {"result": "5"},
        {"result": None},
        {"result": None, "phase": "voided"},
        {"phase": "resulted"},
        {"seats": ()},
    ],
)
def test_so_are_its_result_and_its_seats(facts: dict[str, Any]) -> None:
    assert OTHERWISE in forged(long_ago(), e.RoundRecalled, **facts)


def test_so_are_its_limits_and_its_lines() -> None:
    play = long_ago()
    recalled: Any = play.entries[place_of(play, e.RoundRecalled)].event
    line = e.Line("red", 1_000, 1_000, True, 2_000)
    seats = tuple(msgspec.structs.replace(seat, lines=(line,)) for seat in recalled.seats)
    limits = msgspec.structs.replace(recalled.limits, table_cents=5)

    assert OTHERWISE in forged(long_ago(), e.RoundRecalled, seats=seats)
    assert OTHERWISE in forged(long_ago(), e.RoundRecalled, seats=(*recalled.seats, recalled.seats[0]))
    assert OTHERWISE in forged(long_ago(), e.RoundRecalled, limits=limits)


@pytest.mark.parametrize("number", [0, 8, 9, 12])
def test_only_a_round_that_was_let_go_of_is_recalled(number: int) -> None:
    found = forged(long_ago(), e.RoundRecalled, round=number)

    assert found == f"round {number} is recalled, and it was not let go of"


def test_only_the_system_recalls_a_round() -> None:
    play = long_ago()
    place = place_of(play, e.RoundRecalled)
    cause, event = play.entries[place].cause, play.entries[place].event
    play.entries[place] = Entry(msgspec.structs.replace(cause, actor=MANAGER), event)

    assert "only the system itself reports this" in str(found_in(play))


def test_an_old_round_is_not_corrected_without_being_recalled() -> None:
    play = long_ago()
    del play.entries[place_of(play, e.RoundRecalled)]

    assert found_in(play) == "round 1 is not a settled round, or was not recalled before it is corrected"


@clause("rws-roulette-000:5.4")
@both
def test_what_has_to_be_netted_is(scene: Scene) -> None:
    play = scene()
    del play.entries[place_of(play, e.CarriedNetted) :]

    assert "is not netted" in str(found_in(play))


@both
@pytest.mark.parametrize(
    "facts",
    [
        {"cents": 7_999},
        {"round": 2, "against": 1},
        {"against": 3},
        {"carried_cents": -1},
        {"against_carried_cents": 1},
        {"seat": "2"},
    ],
)
def test_it_is_netted_by_as_much_as_the_rounds_have_left_open(scene: Scene, facts: dict[str, Any]) -> None:
    assert "nothing so to be netted" in forged(scene(), e.CarriedNetted, **facts)


@both
def test_the_money_of_it_moves_where_it_has_to(scene: Scene) -> None:
    play = scene()
    event: Any = play.entries[place_of(play, e.CarriedNetted)].event
    posting = msgspec.structs.replace(event.postings[0], source="house")

    assert "postings" in forged(play, e.CarriedNetted, postings=(posting,))


@pytest.mark.parametrize(("scene", "why"), [(netted, "is still there"), (netted_of_nobody, "has left")])
def test_it_says_whether_the_player_has_left(scene: Scene, why: str) -> None:
    assert forged(scene(), e.CarriedNetted, has_left=scene is netted) == f"the player of seat 1 {why}"


@clause("rws-roulette-000:5.5")
def test_a_seat_whose_large_win_is_taken_back_is_released() -> None:
    play = released()
    assert isinstance(play.entries.pop().event, e.SeatUnlocked)

    assert "the win of round 1 that locked seat 1 was taken back" in str(found_in(play))


def test_a_seat_is_released_for_the_win_that_was_taken_back() -> None:
    found = forged(released(), e.SeatUnlocked, round=2)

    assert found == "no win of round 2 that had locked seat 1 was taken back"


def test_a_seat_whose_win_is_still_large_is_not_released() -> None:
    play = released("20")
    play.entries.append(Entry(play.entries[-1].cause, e.SeatUnlocked(seat="1", round=1)))

    assert "that had locked seat 1 was taken back" in str(found_in(play))
